//! How many steps one submission takes: as many as a tenth of a second holds, as measured. Results do not depend on it.

use std::time::{Duration, Instant};

/// A submission lasts so long at the most: systems end what takes seconds, and a window waits for its turn.
const LONGEST: Duration = Duration::from_millis(100);
/// Steps in one submission at the most.
pub(super) const MAX_BATCH: usize = 256;
/// Dispatches in one submission at the most, about: they are kept in memory until then.
const MAX_PASSES: usize = 20_000;
/// A submission has at most so many times the steps of the one before: steps differ.
const GROWTH: u64 = 8;
/// Particles times passes over them in the first submission at the most: on a CPU not far from a tenth of a second.
const FIRST_WORK: usize = 1_000_000;

/// What the last submissions took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Batch {
    submitted: Option<Instant>,
    steps: u64,
    /// A step's time, once one was measured [s].
    step: Option<f64>,
    /// Steps of every submission, whatever they take: set by tests alone.
    pub fixed: Option<u64>,
}

impl Batch {
    /// Steps of the next submission, each of about so many passes over so many particles.
    pub fn most(&self, particles: usize, passes: usize) -> u64 {
        let held = match self.step {
            Some(step) => (LONGEST.as_secs_f64() / step).min((GROWTH * self.steps) as f64) as u64,
            None => (FIRST_WORK / (particles * passes).max(1)) as u64,
        };
        self.fixed.unwrap_or(held).clamp(1, MAX_BATCH.min(MAX_PASSES / passes.max(1)).max(1) as u64)
    }

    /// So many steps were submitted.
    pub fn begin(&mut self, steps: u64) {
        (self.submitted, self.steps) = (Some(Instant::now()), steps);
    }

    /// They have ended: just now, where they were `awaited`, else at some time before.
    pub fn end(&mut self, awaited: bool) {
        let Some(submitted) = self.submitted.take() else {
            return;
        };
        // At least what a clock tells apart.
        let taken = submitted.elapsed().as_secs_f64().max(1e-6) / self.steps as f64;
        if awaited || self.step.is_none_or(|step| taken < step) {
            self.step = Some(taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After a submission of so many steps that took so long [s].
    fn after(steps: u64, seconds: f64) -> Batch {
        let step = Some(seconds / steps as f64);
        Batch { steps, step, ..Batch::default() }
    }

    #[test]
    fn a_submission_lasts_a_tenth_of_a_second() {
        assert_eq!(after(10, 0.05).most(9, 1), 20);
        assert_eq!(after(10, 0.5).most(9, 1), 2);
        assert_eq!(after(1, 3.0).most(9, 1), 1);
    }

    #[test]
    fn the_first_submission_is_short() {
        assert_eq!(Batch::default().most(100_000, 2), 5);
        assert_eq!(Batch::default().most(100_000_000, 2), 1);
        assert_eq!(Batch::default().most(100, 2), 256);
    }

    #[test]
    fn submissions_grow_step_by_step_and_hold_so_many_passes() {
        assert_eq!(after(1, 1e-5).most(9, 1), 8);
        assert_eq!(after(64, 1e-3).most(9, 1), 256);
        assert_eq!(after(64, 1e-3).most(9, 1000), 20);
        assert_eq!(after(64, 1e-3).most(9, 50_000), 1);
    }

    #[test]
    fn what_nobody_waited_for_took_no_longer_than_it_seems() {
        let mut batch = after(1, 1e-3);
        for (awaited, longer) in [(false, false), (true, true)] {
            batch.begin(1);
            std::thread::sleep(Duration::from_millis(3));
            batch.end(awaited);
            assert_eq!(batch.step > Some(2e-3), longer);
        }
    }
}
