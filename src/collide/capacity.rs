//! How much room the contact stages have, and what they counted.

use crate::gpu::Telemetry;
use crate::gpu::types::{
    DEPTH_UNIT, SLICE_ROOM, STATUS_ASLEEP, STATUS_RECORDS, STATUS_ROUNDS, STATUS_SEARCHES,
    STATUS_SETTLED, STATUS_SLICES, STATUS_SWEEPS, STATUS_TOUCHING, STEP_CONTACTS, STEP_DEEPEST,
    STEP_DEPTH, STEP_DROPPED, STEP_INSIDE, STEP_LOST, STEP_OVERFLOWED, STEP_POINTS,
};

/// OptionalPasses that submissions are recorded with while they are needed: left out after some submissions without need, the more the
/// oftener one had to be repeated because they were missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OptionalPasses {
    recorded: bool,
    /// Submissions since they were needed.
    idle: u32,
    /// So many of them, and they are left out.
    patience: u32,
}

impl OptionalPasses {
    /// The most patience.
    const MOST: u32 = 64;

    /// Recorded ones.
    const fn new(patience: u32) -> Self {
        Self { recorded: true, idle: 0, patience }
    }

    /// Whether a submission has them.
    pub fn are_recorded(self) -> bool {
        self.recorded
    }

    /// For the same submission again, where it needs them.
    fn again(self, needed: bool) -> Self {
        if self.recorded || !needed {
            return self;
        }
        Self { recorded: true, idle: 0, patience: (2 * self.patience).min(Self::MOST) }
    }

    /// For the next submission after one that needed them or not.
    fn next(self, needed: bool) -> Self {
        let idle = if needed { 0 } else { self.idle.saturating_add(1) };
        Self { recorded: self.recorded && idle < self.patience, idle, ..self }
    }
}

/// What a submission is recorded with. A submission that finds it too little is repeated with more, so that results do
/// not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The stages after the broad phase, where any bodies meet.
    pub(crate) stages: OptionalPasses,
    /// The search for contacts, where anything has come far since the last one.
    pub(crate) search: OptionalPasses,
    /// Further iterations of the impulses, where they change velocities much.
    pub(crate) rounds: OptionalPasses,
    /// What orders and adds up long lists of contacts by slices.
    pub(crate) slices: OptionalPasses,
    /// What lets rigid bodies fall asleep, where any have been at rest for long enough.
    pub(crate) settle: OptionalPasses,
    /// What wakes them, where any sleep.
    pub(crate) wake: OptionalPasses,
    /// Records (points in other bodies) of a step.
    pub records: usize,
    /// Propagation sweeps of a step.
    pub sweeps: u32,
}

impl Capacity {
    /// All passes, with room for so many records and so many sweeps.
    pub fn with(records: usize, sweeps: u32) -> Self {
        // A repeated submission costs as much as leaving out a search or further iterations spares in half a dozen.
        let [stages, search, rounds, slices, settle, wake] =
            [1, 8, 8, 8, 8, 8].map(OptionalPasses::new);
        Self { stages, search, rounds, slices, settle, wake, records, sweeps }
    }

    /// What a world starts with: few have long lists, and none has come to rest.
    pub fn new(particles: usize) -> Self {
        let all = Self::with((particles / 4).next_power_of_two().max(256), 0);
        let not_yet = |passes| OptionalPasses { recorded: false, ..passes };
        let [slices, settle, wake] = [all.slices, all.settle, all.wake].map(not_yet);
        Self { slices, settle, wake, ..all }
    }

    /// What the same submission needs, if this was too little.
    pub fn shortage(self, told: &Telemetry) -> Option<Self> {
        let [sweeps, records] = [STATUS_SWEEPS, STATUS_RECORDS].map(|word| told.word(word));
        let [stages, search, rounds, slices, settle, wake] = needed(told);
        let mut needed = Self {
            stages: self.stages.again(stages),
            search: self.search.again(search),
            rounds: self.rounds.again(rounds),
            slices: self.slices.again(slices),
            settle: self.settle.again(settle),
            wake: self.wake.again(wake),
            ..self
        };
        if records as usize > self.records {
            // A quarter more, in quarters of a power of two: large worlds come near to what one buffer holds.
            let room = records as usize + records as usize / 4;
            needed.records = room.next_multiple_of((room.next_power_of_two() / 8).max(64));
        }
        if sweeps > 0 && sweeps >= self.sweeps {
            needed.sweeps = sweeps + 2;
        }
        (needed != self).then_some(needed)
    }

    /// What the next submission is recorded with after one that went well.
    pub fn next(self, told: &Telemetry) -> Self {
        let [stages, search, rounds, slices, settle, wake] = needed(told);
        Self {
            stages: self.stages.next(stages),
            search: self.search.next(search),
            rounds: self.rounds.next(rounds),
            slices: self.slices.next(slices),
            settle: self.settle.next(settle),
            wake: self.wake.next(wake),
            sweeps: match told.word(STATUS_SWEEPS) {
                0 => 0,
                _ => self.sweeps,
            },
            ..self
        }
    }
}

/// Which passes a submission needed: the stages after the broad phase, the search, further iterations, sums over slices, what
/// lets bodies fall asleep, and what wakes them.
fn needed(told: &Telemetry) -> [bool; 6] {
    [STATUS_TOUCHING, STATUS_SEARCHES, STATUS_ROUNDS, STATUS_SLICES, STATUS_SETTLED, STATUS_ASLEEP]
        .map(|word| told.word(word) > 0)
}

/// Places for the sums over slices of long lists, rows behind those of so many records.
pub(super) fn slice_places(records: usize) -> usize {
    8 * records / SLICE_ROOM as usize
}

/// What was counted in the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactStats {
    /// Steps counted.
    pub steps: u64,
    /// Those that searched for contacts.
    pub searches: u64,
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
        self.searches += u64::from(told.word(STATUS_SEARCHES));
        for step in told.steps().take(steps as usize) {
            self.add_alike(step, 1);
        }
    }

    /// Adds so many steps that counted the same.
    pub(crate) fn add_alike(&mut self, step: &[u32], steps: u64) {
        let word = |index: u32| u64::from(step[index as usize]);
        self.steps += steps;
        self.points += steps * word(STEP_POINTS);
        self.points_max = self.points_max.max(word(STEP_POINTS));
        self.contacts += steps * word(STEP_CONTACTS);
        self.inside += steps * word(STEP_INSIDE);
        let depth = word(STEP_DEPTH) as f64 / f64::from(DEPTH_UNIT);
        self.depth += steps as f64 * depth;
        if word(STEP_INSIDE) > 0 {
            self.depth_mean_max = self.depth_mean_max.max(depth / word(STEP_INSIDE) as f64);
        }
        let deepest = f64::from(f32::from_bits(step[STEP_DEEPEST as usize]));
        self.depth_max = self.depth_max.max(deepest);
        self.lost += steps * word(STEP_LOST);
        self.overflowed += steps * word(STEP_OVERFLOWED);
        self.dropped += steps * word(STEP_DROPPED);
    }
}

#[cfg(test)]
mod tests {
    use super::OptionalPasses;

    #[test]
    fn passes_are_left_out_after_the_more_submissions_the_oftener_they_were_missed() {
        let mut passes = OptionalPasses::new(1).next(true);
        let mut waits = Vec::new();
        for _ in 0..9 {
            let mut wait = 0;
            while passes.are_recorded() {
                passes = passes.next(false);
                wait += 1;
            }
            waits.push(wait);
            assert_eq!(passes.again(false), passes);
            passes = passes.again(true).next(true);
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
    }
}
