//! Implicit Euler, v⁺ = v + h a(x⁺, v⁺), x⁺ = x + h v⁺: what its solvers have in common.

use super::vbd::Vbd;
use super::{Advance, Arrays};
use crate::Result;
use crate::collide::Collision;
use crate::gpu::types::{MAX_TOUCHING, Particle, Press};
use crate::gpu::{Binding, Bound, Buffer, Bytes, Recorder};
use crate::model::State;
use glam::Vec4;

/// What the iterations of a step share.
#[derive(Debug)]
pub struct Iterate {
    /// x_n, and the velocity that all but the solution's own forces lead to.
    pub base: Buffer<Particle>,
    /// What contacts do to each particle.
    pub presses: Buffer<Press>,
    /// Impulses of the solids that each particle touches.
    solid_impulses: Buffer<Vec4>,
}

impl Iterate {
    fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let count = arrays.state.present().len();
        let touching = match arrays.model.content.solids {
            true => MAX_TOUCHING as usize * count,
            false => 0,
        };
        Ok(Self {
            base: Buffer::zeroed(arrays.context, "base", count)?,
            presses: Buffer::zeroed(arrays.context, "presses", count)?,
            solid_impulses: Buffer::zeroed(arrays.context, "solid_impulses", touching)?,
        })
    }

    /// Its arrays by name.
    pub fn bindings(&self) -> [Binding<'_>; 3] {
        [
            self.base.bind("base"),
            self.presses.bind("presses"),
            self.solid_impulses.bind("solid_impulses"),
        ]
    }
}

/// An implicit step: its begin, the iterations of one of the solvers, its end.
#[derive(Debug)]
pub struct Implicit {
    start: [Bound; 2],
    begin: [Bound; 2],
    press: [Bound; 2],
    end: [Bound; 2],
    solver: Vbd,
    iterate: Iterate,
    solids: bool,
}

impl Implicit {
    /// Binds the passes of vertex block descent with so many iterations.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn vbd(arrays: &Arrays<'_>, iterations: u32) -> Result<Self> {
        let iterate = Iterate::new(arrays)?;
        let bind = |kernel| arrays.bind_both(kernel, &iterate.bindings());
        Ok(Self {
            start: bind("implicit_start"),
            begin: bind("implicit_begin"),
            press: bind("solid_press"),
            end: bind("implicit_end"),
            solver: Vbd::new(arrays, &iterate, iterations),
            iterate,
            solids: arrays.model.content.solids,
        })
    }
}

impl Advance for Implicit {
    fn is_implicit(&self) -> bool {
        true
    }

    fn evolving(&self) -> Vec<&dyn Bytes> {
        vec![&self.iterate.presses, &self.iterate.solid_impulses]
    }

    fn start(&self, recorder: &mut Recorder<'_>, state: &mut State) {
        recorder.dispatch(&self.start[state.current], state.present().len(), 0);
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
        for _ in 0..self.solver.iterations() {
            if self.solids {
                recorder.dispatch(&self.press[now], count, slot);
            }
            if let Some(contacts) = contacts {
                contacts.press(recorder, state, slot);
            }
            self.solver.iterate(recorder, now, slot);
        }
        recorder.dispatch(&self.end[now], count, slot);
    }
}
