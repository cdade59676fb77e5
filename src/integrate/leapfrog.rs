//! Leapfrog: velocities at half steps, and one extrapolated to the full step for damping (Hockney & Eastwood 1981).

use super::part::{Domain, Part};
use super::{Advance, Arrays, Ending};
use crate::collide::Collision;
use crate::family::Passes;
use crate::gpu::{Bound, Recorder};
use crate::model::State;

/// One pass per substep; `half_velocity` carries v at the last half step.
#[derive(Debug)]
pub struct Leapfrog {
    loads: [Passes; 2],
    step: Ending,
    half_back: [Bound; 2],
    end: [Bound; 2],
}

impl Leapfrog {
    pub fn new(arrays: &Arrays<'_>) -> Self {
        Self {
            loads: arrays.loads(),
            step: Ending::new(arrays, "leapfrog", |kernel| arrays.bind_turns(kernel, &[])),
            half_back: arrays.bind_both("half_back", &[]),
            end: arrays.bind_both("leapfrog_end", &[]),
        }
    }
}

impl Advance for Leapfrog {
    fn start(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        self.loads[state.current].record_part(recorder, part);
        let (back, count) = (&self.half_back[state.current], state.present().len());
        part.dispatch(recorder, back, count, Domain::Particles);
    }

    /// From the velocity at the full step.
    fn turn(&self, _old: f32, new: f32) -> Option<f32> {
        Some(0.5 * new)
    }

    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        self.loads[state.current].record(recorder, slot);
        let step = self.step.at(state.current, contacts);
        recorder.dispatch(step, state.present().len(), slot);
        state.current = 1 - state.current;
    }

    fn finish(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        // The present array is the one that the pass writes.
        recorder.dispatch(&self.end[1 - state.current], state.present().len(), slot);
    }
}
