//! How implicit steps were solved.

use serde::Serialize;

use crate::gpu::Telemetry;
use crate::gpu::types::{
    NEWTON_CONJUGATE_LARGEST, NEWTON_CONJUGATE_SUM, NEWTON_LARGEST, NEWTON_RESIDUAL, NEWTON_SUM,
    NEWTON_UNCONVERGED,
};

/// Newton's method in implicit steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Solve {
    /// Steps counted.
    pub steps: u64,
    /// Mean number of Newton iterations per step.
    pub iterations_mean: f64,
    /// The largest number in a step.
    pub iterations_max: u64,
    /// Mean number of conjugate gradient iterations per step.
    pub conjugate_mean: f64,
    /// The largest number in a step.
    pub conjugate_max: u64,
    /// The largest residual at the end of a step: the root mean square of the residual accelerations, relative to the acting ones
    /// and those due to rounding of positions.
    pub residual_max: f64,
    /// The tolerance of the residual.
    pub tolerance: f64,
    /// Steps that used up their iterations and ended with a larger residual.
    pub unconverged: u64,
}

impl Solve {
    /// From what a submission of so many steps tells.
    pub(crate) fn new(told: &Telemetry, steps: u64, tolerance: f64) -> Self {
        let word = |index: u32| u64::from(told.word(index));
        let mean = |sum: u32| word(sum) as f64 / steps.max(1) as f64;
        Self {
            steps,
            iterations_mean: mean(NEWTON_SUM),
            iterations_max: word(NEWTON_LARGEST),
            conjugate_mean: mean(NEWTON_CONJUGATE_SUM),
            conjugate_max: word(NEWTON_CONJUGATE_LARGEST),
            residual_max: f64::from(f32::from_bits(told.word(NEWTON_RESIDUAL))),
            tolerance,
            unconverged: word(NEWTON_UNCONVERGED),
        }
    }

    /// Of the steps of both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let steps = self.steps + other.steps;
        let mean =
            |a: f64, b: f64| (a * self.steps as f64 + b * other.steps as f64) / steps.max(1) as f64;
        Self {
            steps,
            iterations_mean: mean(self.iterations_mean, other.iterations_mean),
            iterations_max: self.iterations_max.max(other.iterations_max),
            conjugate_mean: mean(self.conjugate_mean, other.conjugate_mean),
            conjugate_max: self.conjugate_max.max(other.conjugate_max),
            residual_max: self.residual_max.max(other.residual_max),
            tolerance: other.tolerance,
            unconverged: self.unconverged + other.unconverged,
        }
    }

    /// What a user should know of steps that did not converge.
    pub(crate) fn warning(&self) -> Option<String> {
        (self.unconverged > 0).then(|| {
            format!(
                "{} of {} implicit steps did not converge (tolerance {:e}, worst residual {:.1e}): bodies may move incorrectly in \
                 them, above all in contact; try more `iterations` or a shorter `step`",
                self.unconverged, self.steps, self.tolerance, self.residual_max
            )
        })
    }
}
