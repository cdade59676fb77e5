//! What computes: an adapter or the CPU's threads.

use clap::Args;
use pliant::{Context, Error, Result};

/// The choice of it.
#[derive(Args, Clone, Debug)]
pub struct Executor {
    /// Use the adapter whose name contains this; "cpu" is the CPU's threads (`pliant info` lists all)
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Compute on the CPU, with so many threads
    #[arg(long, value_name = "N", conflicts_with = "adapter")]
    threads: Option<usize>,
}

impl Executor {
    /// # Errors
    /// As [`Context::choose`] and [`Context::cpu`].
    pub fn context(&self) -> Result<Context> {
        self.threads.map_or_else(|| Context::choose(self.adapter.as_deref()), on_cpu)
    }

    /// What computes, and beside it what draws in this window, with its surface.
    ///
    /// # Errors
    /// As [`Self::context`]; a window that nothing can be drawn in.
    #[cfg(feature = "viewer")]
    pub fn for_window(
        &self,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Context, (Context, wgpu::Surface<'static>, wgpu::SurfaceCapabilities))> {
        let (computing, drawing) = Context::for_window(window, self.adapter.as_deref())?;
        Ok((self.threads.map_or(Ok(computing), on_cpu)?, drawing))
    }
}

fn on_cpu(threads: usize) -> Result<Context> {
    Context::cpu(Some(threads)).map_err(|error| match error {
        Error::Value { got, want, .. } => Error::value("--threads", got, want),
        other => other,
    })
}
