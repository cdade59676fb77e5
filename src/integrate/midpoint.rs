//! Midpoint rule: Runge–Kutta with two stages (Runge 1895).

use super::{Advance, Arrays};
use crate::gpu::{Bound, Recorder};
use crate::model::State;

/// Two passes per substep: to the midpoint in the other array, and with its slope over the whole step in place.
#[derive(Debug)]
pub struct Midpoint {
    half: [Bound; 2],
    step: [Bound; 2],
}

impl Midpoint {
    pub fn new(arrays: &Arrays<'_>) -> Self {
        Self {
            half: arrays.bind_both("midpoint_half", &[]),
            step: arrays.bind_both("midpoint", &[]),
        }
    }
}

impl Advance for Midpoint {
    fn advance(&self, recorder: &mut Recorder<'_>, state: &mut State, slot: usize) {
        let count = state.present().len();
        recorder.dispatch(&self.half[state.current], count, slot);
        recorder.dispatch(&self.step[1 - state.current], count, slot);
    }
}
