//! Islands of what is rigid: which fall asleep, and which of those that sleep are disturbed.

use super::arrays::Arrays as CollideArrays;
use super::passes::{Both, bind};
use crate::gpu::{Binding, Bound, Buffer, Recorder};
use crate::integrate::Arrays;
use crate::model::State;

/// Rounds of labels: each joins islands that touch, of which whole rows have one label in the end.
const SLEEP_ROUNDS: usize = 8;

/// The passes of both.
#[derive(Debug)]
pub(super) struct SleepPasses {
    disturb: Both,
    start: Bound,
    join: Bound,
    /// From the second array of labels to the first, and back.
    jump: [Bound; 2],
    unrest: Both,
    sleep: Bound,
}

impl SleepPasses {
    /// Binds the passes.
    pub fn new(arrays: &Arrays<'_>, own: &CollideArrays) -> Self {
        let [a, b] = &arrays.state.islands;
        let labels = |from: &'_ Buffer<u32>, to: &'_ Buffer<u32>, name: &str| {
            let mut bindings = own.bindings(0);
            bindings.extend([from.bind("islands"), to.bind("islands_next")]);
            arrays.bind(&arrays.kernel(name), &bindings)
        };
        let last: [Binding<'_>; 1] = [b.bind("islands")];
        Self {
            disturb: bind(arrays, own, "island_disturb", 0, &[]),
            start: arrays.bind(&arrays.kernel("island_start"), &[]),
            join: labels(a, b, "manifold_join"),
            jump: [labels(b, a, "island_jump"), labels(a, b, "island_jump")],
            unrest: bind(arrays, own, "island_unrest", 0, &last),
            sleep: arrays.bind(&arrays.kernel("pose_sleep"), &last),
        }
    }

    /// Records what disturbs islands that sleep.
    pub fn disturb(&self, recorder: &mut Recorder<'_>, state: &State, records: usize, slot: usize) {
        recorder.dispatch(&self.disturb[state.current], records, slot);
    }

    /// Records which islands there are, and that those at rest fall asleep.
    pub fn settle(&self, recorder: &mut Recorder<'_>, state: &State, records: usize, slot: usize) {
        let (poses, bodies) = (state.poses.len(), state.disturbed.len());
        recorder.dispatch(&self.start, bodies, slot);
        for _ in 0..SLEEP_ROUNDS {
            recorder.dispatch(&self.join, records, slot);
            for jump in &self.jump {
                recorder.dispatch(jump, bodies, slot);
            }
        }
        recorder.dispatch(&self.unrest[state.current], records.max(poses), slot);
        recorder.dispatch(&self.sleep, poses, slot);
    }
}
