//! How much room the contact stages have, and what they counted.

use crate::gpu::Telemetry;
use crate::gpu::types::{
    DEPTH_UNIT, STATUS_RECORDS, STATUS_SWEEPS, STATUS_TOUCHING, STEP_CONTACTS, STEP_DEEPEST,
    STEP_DEPTH, STEP_DROPPED, STEP_INSIDE, STEP_LOST, STEP_OVERFLOWED, STEP_POINTS,
};

/// What a submission is recorded with. A submission that finds it too little is repeated with more, so that results do
/// not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Whether the stages after the broad phase are recorded.
    pub recorded: bool,
    /// Records (points in other bodies) of a step.
    pub records: usize,
    /// Propagation sweeps of a step.
    pub sweeps: u32,
}

impl Capacity {
    /// What a world starts with.
    pub fn new(particles: usize) -> Self {
        Self { recorded: true, records: (particles / 4).next_power_of_two().max(256), sweeps: 0 }
    }

    /// What the same submission needs, if this was too little.
    pub fn shortage(self, told: &Telemetry) -> Option<Self> {
        let [touching, sweeps, records] =
            [STATUS_TOUCHING, STATUS_SWEEPS, STATUS_RECORDS].map(|word| told.word(word));
        let mut needed = self;
        if touching > 0 {
            needed.recorded = true;
        }
        if records as usize > self.records {
            needed.records = (records as usize + records as usize / 4).next_power_of_two();
        }
        if sweeps > 0 && sweeps >= self.sweeps {
            needed.sweeps = sweeps + 2;
        }
        (needed != self).then_some(needed)
    }

    /// What the next submission is recorded with after one that went well.
    pub fn next(self, told: &Telemetry) -> Self {
        Self {
            recorded: told.word(STATUS_TOUCHING) > 0,
            sweeps: match told.word(STATUS_SWEEPS) {
                0 => 0,
                _ => self.sweeps,
            },
            ..self
        }
    }
}

/// What was counted in the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactStats {
    /// Steps counted.
    pub steps: u64,
    /// Points inside another body or within its margin: the sum over the steps.
    pub points: u64,
    /// The most in a step.
    pub points_max: u64,
    /// Contacts: the sum over the steps.
    pub contacts: u64,
    /// Contacts with a positive depth: the sum over the steps.
    pub inside: u64,
    /// The sum of their depths, in mean edges.
    pub depth: f64,
    /// The largest mean depth of a step, in mean edges.
    pub depth_mean_max: f64,
    /// The largest of them.
    pub depth_max: f64,
    /// Points that no penetration vector was found for: the sum over the steps.
    pub lost: u64,
    /// Points in more than four bodies at once: the sum over the steps.
    pub overflowed: u64,
    /// Partners that spheres with contacts had no room for in their lists: the sum over the steps.
    pub dropped: u64,
    /// Submissions that were repeated with more room.
    pub repeats: u64,
    /// How often the lists of records were too short, in submissions or in a look at the step to come.
    pub grown: u64,
}

impl ContactStats {
    /// Adds the steps of a submission.
    pub(crate) fn add(&mut self, told: &Telemetry, steps: u64) {
        for step in told.steps().take(steps as usize) {
            let word = |index: u32| u64::from(step[index as usize]);
            self.steps += 1;
            self.points += word(STEP_POINTS);
            self.points_max = self.points_max.max(word(STEP_POINTS));
            self.contacts += word(STEP_CONTACTS);
            self.inside += word(STEP_INSIDE);
            let depth = word(STEP_DEPTH) as f64 / f64::from(DEPTH_UNIT);
            self.depth += depth;
            if word(STEP_INSIDE) > 0 {
                self.depth_mean_max = self.depth_mean_max.max(depth / word(STEP_INSIDE) as f64);
            }
            let deepest = f64::from(f32::from_bits(step[STEP_DEEPEST as usize]));
            self.depth_max = self.depth_max.max(deepest);
            self.lost += word(STEP_LOST);
            self.overflowed += word(STEP_OVERFLOWED);
            self.dropped += word(STEP_DROPPED);
        }
    }
}
