//! What computes: an adapter or the CPU's threads.

use clap::Args;
use pliant::{Context, Error, Result};

/// The choice of it.
#[derive(Args, Clone, Debug)]
pub struct Executor {
    /// Use the adapter whose name contains this; "cpu" is the CPU's threads (`pliant info` lists all)
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Compute on the CPU, with so many threads, at most one for each core that the program may use
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    threads: Option<i64>,
}

fn number(text: &str) -> std::result::Result<i64, String> {
    text.parse().map_err(|_| "wanted a whole number, at most one for each core".to_owned())
}

impl Executor {
    /// # Errors
    /// As [`Context::choose`] and [`Context::cpu`].
    pub fn context(&self) -> Result<Context> {
        self.on_cpu()?.map_or_else(|| Context::choose(self.adapter.as_deref()), Ok)
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
        let own = self.on_cpu()?;
        let (computing, drawing) = Context::for_window(window, self.adapter.as_deref())?;
        Ok((own.unwrap_or(computing), drawing))
    }

    /// Where threads are asked for.
    fn on_cpu(&self) -> Result<Option<Context>> {
        let Some(threads) = self.threads else { return Ok(None) };
        if let Some(other) =
            self.adapter.as_deref().filter(|name| !name.eq_ignore_ascii_case("cpu"))
        {
            let want = "\"cpu\" or none beside --threads, which are the CPU's";
            return Err(Error::value("--adapter", format!("\"{other}\""), want));
        }
        // There is an error for 0, which says how many there are.
        let context = Context::cpu(Some(usize::try_from(threads).unwrap_or(0)));
        let named = |error| match error {
            Error::Value { want, .. } => Error::value("--threads", threads, want),
            other => other,
        };
        context.map(Some).map_err(named)
    }
}
