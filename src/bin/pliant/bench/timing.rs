//! How long things take.

use std::time::Instant;

use pliant::internals::gpu::{Buffer, Context, Recorder};
use pliant::{Result, World};
use serde::Serialize;

/// Repeats of every measurement; the median counts.
pub const REPEATS: usize = 7;

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

impl Timing {
    /// Of an odd number of measurements [s].
    pub fn new(times: &mut [f64]) -> Self {
        times.sort_by(f64::total_cmp);
        Self { median: times[times.len() / 2], min: times[0], max: times[times.len() - 1] }
    }

    /// The same of one of `count` equal parts.
    pub fn per(self, count: u64) -> Self {
        self.over(count as f64)
    }

    /// The same over a number.
    pub fn over(self, divisor: f64) -> Self {
        Self { median: self.median / divisor, min: self.min / divisor, max: self.max / divisor }
    }

    /// Median, least and largest, in milliseconds.
    pub fn millis(&self) -> String {
        let [median, min, max] = [self.median, self.min, self.max].map(|time| 1e3 * time);
        format!("{median:.3} ({min:.3} to {max:.3})")
    }
}

/// Takes steps, and waits for them.
///
/// # Errors
/// A lost device; a fault.
pub fn steps(world: &mut World, count: u64) -> Result<()> {
    world.step(count)?;
    world.wait()
}

/// Seconds that `work` takes, wall clock.
pub fn seconds(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Times `work` after one warm-up run, wall clock.
///
/// # Errors
/// Those of `work`.
pub fn time(mut work: impl FnMut() -> Result<()>) -> Result<Timing> {
    work()?;
    let mut times = [0.0; REPEATS];
    for time in &mut times {
        *time = seconds(&mut work)?;
    }
    Ok(Timing::new(&mut times))
}

/// Bytes that a copy between two buffers moves per second, read and written ones counted.
///
/// # Errors
/// When the device is lost or has no room for 2 × 64 MiB.
pub fn copy_bandwidth(context: &Context) -> Result<f64> {
    const WORDS: usize = 16 << 20;
    const COPIES: usize = 8;
    let [from, to] =
        ["copied", "copied back"].map(|label| Buffer::<u32>::zeroed(context, label, WORDS));
    let (from, to) = (from?, to?);
    let timing = time(|| {
        let mut recorder = Recorder::new(context);
        // There and back: a copy of what has not changed since the last one is left out.
        for _ in 0..COPIES / 2 {
            recorder.copy(&from, &to);
            recorder.copy(&to, &from);
        }
        recorder.submit();
        context.wait()
    })?;
    Ok((2 * COPIES * WORDS * 4) as f64 / timing.median)
}

/// The slope of the line through (log x, log y) with the least sum of squares.
pub fn exponent(points: &[[f64; 2]]) -> f64 {
    let logarithms = || points.iter().map(|[x, y]| [x.ln(), y.ln()]);
    let count = points.len() as f64;
    let mean = |axis: usize| logarithms().map(|point| point[axis]).sum::<f64>() / count;
    let [mx, my] = [mean(0), mean(1)];
    let along: f64 = logarithms().map(|[x, y]| (x - mx) * (y - my)).sum();
    along / logarithms().map(|[x, _]| (x - mx).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn a_power_has_its_exponent() {
        let points = [1.0_f64, 3.0, 10.0, 50.0].map(|x| [x, 7.0 * x.powf(1.3)]);
        assert!((exponent(&points) - 1.3).abs() < 1e-12);
        assert!((exponent(&points[2..]) - 1.3).abs() < 1e-12);
    }
}
