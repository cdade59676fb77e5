//! What computes: an adapter or the CPU's threads.

use clap::Args;
use pliant::{Context, Error, Result};

/// The adapter that the environment names, if any.
fn variable() -> Option<String> {
    std::env::var("WGPU_ADAPTER_NAME").ok().filter(|name| !name.is_empty())
}

/// The choice of it.
#[derive(Args, Clone, Debug)]
pub struct Executor {
    /// Use the adapter whose name contains this; "cpu" is the CPU's threads (`pliant info` lists all)
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Compute on the CPU, with so many threads
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Executor {
    /// # Errors
    /// As [`Context::choose`] and [`Context::cpu`]; threads of an adapter that is not the CPU.
    pub fn context(&self) -> Result<Context> {
        match self.cpu()? {
            Some(context) => Ok(context),
            None => Context::choose(self.adapter.as_deref()),
        }
    }

    /// The CPU's threads where they are asked for.
    fn cpu(&self) -> Result<Option<Context>> {
        let variable = variable();
        let name = self.adapter.as_deref();
        if let (Some(threads), Some(name)) = (self.threads, name.filter(|n| !Context::names_cpu(n)))
        {
            let want = format!("none with --adapter \"{name}\": they are the CPU's, --adapter cpu");
            return Err(Error::value("--threads", threads, want));
        }
        let named = name.or(variable.as_deref()).is_some_and(Context::names_cpu);
        if self.threads.is_none() && !named {
            return Ok(None);
        }
        let context = Context::cpu(self.threads).map_err(|error| match error {
            Error::Value { got, want, .. } => Error::value("--threads", got, want),
            other => other,
        })?;
        Ok(Some(context))
    }

    /// What computes, and beside it what draws in this window, with its surface; both are one where the window's adapter
    /// is a GPU or named.
    ///
    /// # Errors
    /// As [`Self::context`]; a window that nothing can be drawn in.
    #[cfg(feature = "viewer")]
    pub fn for_window(
        &self,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Context, (Context, wgpu::Surface<'static>, wgpu::SurfaceCapabilities))> {
        if let Some(computing) = self.cpu()? {
            return Ok((computing, Context::for_window(window, None)?));
        }
        let name = self.adapter.clone().or_else(variable);
        let drawing = Context::for_window(window, name.as_deref())?;
        let software = drawing.0.info().device_type == wgpu::DeviceType::Cpu;
        let computing = match name.is_none() && software {
            true => Context::cpu(None)?,
            false => drawing.0.clone(),
        };
        Ok((computing, drawing))
    }
}
