//! Midpoint rule: Runge–Kutta with two stages (Runge 1895).

use super::{Advance, Arrays, Ending};
use crate::collide::Collision;
use crate::family::Passes;
use crate::gpu::types::Sim;
use crate::gpu::{Bound, Recorder};
use crate::model::State;

/// Two passes per substep: to the midpoint in the other array, and with its slope over the whole step in place.
#[derive(Debug)]
pub struct Midpoint {
    loads: [Passes; 2],
    half: [Bound; 2],
    step: Ending,
}

impl Midpoint {
    pub fn new(arrays: &Arrays<'_>) -> Self {
        Self {
            loads: arrays.loads(),
            half: arrays.bind_both("midpoint_half", &[]),
            step: Ending::new(arrays, "midpoint", |kernel| arrays.bind_turns(kernel, &[])),
        }
    }
}

impl Advance for Midpoint {
    fn slots(&self) -> usize {
        2
    }

    fn fill(&self, sim: Sim) -> Vec<Sim> {
        vec![sim, Sim { flow: 1, ..sim }]
    }

    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        let count = state.present().len();
        self.loads[state.current].record(recorder, slot);
        recorder.dispatch(&self.half[state.current], count, slot);
        self.loads[1 - state.current].record(recorder, slot + 1);
        let step = self.step.at(1 - state.current, contacts);
        recorder.dispatch(step, count, slot + 1);
    }
}
