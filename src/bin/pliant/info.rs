//! `pliant info`: adapters, limits, features.

use pliant::internals::gpu::{Context, adapters, chosen};
use pliant::{Error, Result};

use crate::Outcome;

/// Lists what can compute, best first.
pub fn run() -> Result<Outcome> {
    let adapters = adapters();
    let is_gpu = |adapter: &&wgpu::Adapter| adapter.get_info().device_type != wgpu::DeviceType::Cpu;
    let (gpus, software): (Vec<_>, Vec<_>) = adapters.iter().partition(is_gpu);
    let (chosen, named) = chosen()?;
    let note = match named {
        true => "selected by WGPU_ADAPTER_NAME; --adapter selects another",
        false => "default; --adapter or WGPU_ADAPTER_NAME selects another",
    };
    // Adapters may be called alike: the first is taken.
    let mut note = Some(note);
    let mut note = |name: &str| note.take_if(|_| name == chosen);
    for adapter in &gpus {
        show(adapter, note(&adapter.get_info().name));
    }
    let cpu = Context::cpu(None)?;
    say!("{}{}", cpu.info().name, bracketed(note(&cpu.info().name)));
    say!("  backend          pliant's own, no driver needed; --threads N takes fewer");
    say!("  largest buffer   {} MiB", cpu.largest_buffer() >> 20);
    say!("  pass times       yes");
    for adapter in software {
        let software = "a software driver: draws where there is no GPU, computes when it is named";
        show(adapter, note(&adapter.get_info().name).or(Some(software)));
    }
    if adapters.is_empty() {
        say!();
        // The one place that knows what to install.
        match cpu.graphics() {
            Err(Error::Device(message)) => say!("For pictures and the window: {message}."),
            _ => say!("The adapters have changed meanwhile."),
        }
    }
    Ok(Outcome::Done)
}

fn bracketed(note: Option<&str>) -> String {
    note.map_or_else(String::new, |note| format!(" ({note})"))
}

fn show(adapter: &wgpu::Adapter, note: Option<&str>) {
    let info = adapter.get_info();
    let limits = adapter.limits();
    let timestamps = adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    say!("{}{}", info.name, bracketed(note));
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
