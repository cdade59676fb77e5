//! Speed, measured: what `pliant bench` prints.

mod kernels;

use std::time::Instant;

use serde::Serialize;

use crate::Result;
use crate::gpu::{Buffer, Context, Recorder};

pub use kernels::{KernelBench, PassBench, StepBench, kernels};

/// Repeats of every measurement; the median counts.
const REPEATS: usize = 7;

/// Times of one measurement [s].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// The middle one.
    pub median: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
}

/// Times `work` after one warm-up run, wall clock.
///
/// # Errors
/// Those of `work`.
pub fn time(mut work: impl FnMut() -> Result<()>) -> Result<Timing> {
    work()?;
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        let start = Instant::now();
        work()?;
        *time = start.elapsed().as_secs_f64();
    }
    times.sort_by(f64::total_cmp);
    Ok(Timing {
        median: times[REPEATS / 2],
        min: times[0],
        max: times[REPEATS - 1],
    })
}

/// Bytes that a copy between two buffers moves per second, read and written ones counted.
///
/// # Errors
/// When the device is lost or has no room for 2 × 64 MiB.
pub fn copy_bandwidth(context: &Context) -> Result<f64> {
    const WORDS: usize = 16 << 20;
    const COPIES: usize = 8;
    let [from, to] =
        ["copy from", "copy to"].map(|label| Buffer::<u32>::zeroed(context, label, WORDS));
    let (from, to) = (from?, to?);
    let timing = time(|| {
        let mut recorder = Recorder::new(context);
        for _ in 0..COPIES {
            recorder.copy(&from, &to);
        }
        recorder.submit();
        context.wait()
    })?;
    Ok((2 * COPIES * WORDS * 4) as f64 / timing.median)
}
