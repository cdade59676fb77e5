//! `pliant info`: adapters, limits, features.

use pliant::internals::gpu::{Context, adapters};
use pliant::{Error, Result};

use crate::Outcome;

/// Lists the adapters, best first.
pub fn run() -> Result<Outcome> {
    let adapters = adapters();
    if adapters.is_empty() {
        // The one place that knows what to install.
        return Err(Context::new().err().unwrap_or_else(|| Error::Device("no adapter".into())));
    }
    for (index, adapter) in adapters.iter().enumerate() {
        let info = adapter.get_info();
        let limits = adapter.limits();
        let timestamps = adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        say!(
            "{}{}",
            info.name,
            if index == 0 {
                " (default; --adapter or WGPU_ADAPTER_NAME selects another)"
            } else {
                ""
            }
        );
        say!("  backend          {}, {:?}", info.backend, info.device_type);
        say!("  driver           {} {}", info.driver, info.driver_info);
        say!("  largest buffer   {} MiB", limits.max_buffer_size >> 20);
        say!("  largest binding  {} MiB", limits.max_storage_buffer_binding_size >> 20);
        say!(
            "  storage buffers  {} per kernel (pliant needs 8)",
            limits.max_storage_buffers_per_shader_stage
        );
        say!(
            "  workgroup        {} threads (pliant needs 64)",
            limits.max_compute_invocations_per_workgroup
        );
        say!("  pass times       {}", if timestamps { "yes" } else { "no" });
    }
    Ok(Outcome::Done)
}
