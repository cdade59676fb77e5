//! Implicit Euler, v⁺ = v + h a(x⁺, v⁺), x⁺ = x + h v⁺, approached by vertex block descent.

use super::vbd::Vbd;
use super::{Advance, Arrays};
use crate::collide::Collision;
use crate::gpu::types::Sim;
use crate::gpu::{Bound, Recorder};
use crate::model::State;

/// An implicit step: its begin, the sweeps, its end.
#[derive(Debug)]
pub struct Implicit {
    start: [Bound; 2],
    begin: [Bound; 2],
    press: [Bound; 2],
    end: [Bound; 2],
    solver: Vbd,
    solids: bool,
}

impl Implicit {
    /// Binds the passes of vertex block descent with so many iterations.
    pub fn vbd(arrays: &Arrays<'_>, iterations: u32) -> Self {
        let bind = |kernel| arrays.bind_both(kernel, &[]);
        Self {
            start: bind("implicit_start"),
            begin: bind("implicit_begin"),
            press: bind("solid_press"),
            end: bind("implicit_end"),
            solver: Vbd::new(arrays, iterations),
            solids: arrays.model.content.solids,
        }
    }

    /// Records how solids and contacts press on the present iterate.
    fn press(
        &self,
        recorder: &mut Recorder<'_>,
        state: &State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        if self.solids || contacts.is_some() {
            recorder.dispatch(&self.press[1 - state.current], state.present().len(), slot);
        }
        if let Some(contacts) = contacts {
            contacts.press(recorder, state, slot);
        }
    }
}

impl Advance for Implicit {
    fn is_implicit(&self) -> bool {
        true
    }

    fn set_iterations(&mut self, iterations: u32) {
        self.solver.set_iterations(iterations);
    }

    fn start(&self, recorder: &mut Recorder<'_>, state: &mut State, slot: usize) {
        recorder.dispatch(&self.start[state.current], state.present().len(), slot);
    }

    fn slots(&self) -> usize {
        2
    }

    fn fill(&self, sim: Sim) -> Vec<Sim> {
        let first = Sim {
            first_stage: 1,
            ..sim
        };
        vec![first, sim]
    }

    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        let (now, count) = (state.current, state.present().len());
        recorder.dispatch(&self.begin[now], count, slot);
        state.current = 1 - now;
        for iteration in 0..self.solver.iterations() {
            let slot = slot + usize::from(iteration > 0);
            self.press(recorder, state, slot, contacts);
            self.solver.iterate(recorder, now, slot);
        }
        recorder.dispatch(&self.end[now], count, slot);
    }
}
