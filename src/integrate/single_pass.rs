//! Euler, symplectic Euler and Verlet: one gather, from one particle array into the other.

use super::part::{Domain, Part};
use super::{Advance, Arrays, Ending};
use crate::collide::Collision;
use crate::family::Passes;
use crate::gpu::{Bound, Recorder};
use crate::model::State;

/// One pass per substep. Verlet (Störmer 1907; Verlet 1967) and symplectic Euler are the same pass; Verlet starts from
/// u₀ = v₀ − ½ h a₀ and reports (u_old + u_new)/2.
#[derive(Debug)]
pub struct SinglePass {
    loads: [Passes; 2],
    step: Ending,
    /// Verlet's start.
    half_back: Option<([Bound; 2], [Bound; 2])>,
}

impl SinglePass {
    pub fn new(kernel: &str, half_steps: bool, arrays: &Arrays<'_>) -> Self {
        let start = || (arrays.bind_both("half_back", &[]), arrays.bind_both("half_take", &[]));
        Self {
            loads: arrays.loads(),
            step: Ending::new(arrays, kernel, |kernel| arrays.bind_turns(kernel, &[])),
            half_back: half_steps.then(start),
        }
    }
}

impl Advance for SinglePass {
    fn start(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        if let Some((back, take)) = &self.half_back {
            let (from, count) = (state.current, state.present().len());
            self.loads[from].record_part(recorder, part);
            part.dispatch(recorder, &back[from], count, Domain::Particles);
            part.dispatch(recorder, &take[1 - from], count, Domain::Particles);
        }
    }

    fn turn(&self, old: f32, new: f32) -> Option<f32> {
        self.half_back.is_some().then_some(0.5 * (new - old))
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
}
