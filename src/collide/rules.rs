//! The selectable rules by which positions are projected, and the source's response in place of impulses
//! (Spillmann & Teschner 2005; Kratochvíl 2007, ch. 6).

use std::collections::BTreeMap;

use super::arrays::Arrays as CollideArrays;
use super::passes::{Both, bind};
use crate::Result;
use crate::gpu::types::Shift;
use crate::gpu::{Buffer, Recorder};
use crate::integrate::Arrays;
use crate::scene::{Projection, Response};

/// How often `pressure` tries halves of the way before.
const HALVINGS: usize = 3;

/// The passes between the contacts and the forces, all of them over the particles.
#[derive(Debug)]
pub struct Rules {
    projection: Projection,
    response: Response,
    order: Vec<&'static str>,
    passes: BTreeMap<&'static str, Both>,
}

impl Rules {
    /// Binds the passes of a world's rules.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        own: &CollideArrays,
        projection: Projection,
        response: Response,
    ) -> Result<Self> {
        let order = order(projection, response);
        // The rule by mass does not mark who takes part.
        let all = u32::from(projection == Projection::Mass);
        let shift = Shift { takes_part: all, ..Shift::default() };
        let count = if order != ["project"] { arrays.state.present().len() } else { 0 };
        let shifts = Buffer::new(arrays.context, "shifts", &vec![shift; count])?;
        let mut passes = BTreeMap::new();
        for name in &order {
            passes.entry(*name).or_insert_with(|| bind(arrays, own, name, 0, &[shifts.binding()]));
        }
        Ok(Self { projection, response, order, passes })
    }

    /// The same rules with other arrays.
    ///
    /// # Errors
    /// See [`Self::new`].
    pub fn bind_again(&self, arrays: &Arrays<'_>, own: &CollideArrays) -> Result<Self> {
        Self::new(arrays, own, self.projection, self.response)
    }

    /// Projects positions; in the source's response slows the points in other
    /// bodies. `now` is the particle array.
    pub fn project(&self, recorder: &mut Recorder<'_>, now: usize, particles: usize, slot: usize) {
        for name in &self.order {
            recorder.dispatch(&self.passes[name][now], particles, slot);
        }
    }

    /// Whether impulses act between the bodies.
    pub fn has_impulses(&self) -> bool {
        self.response == Response::Impulse
    }
}

/// The kernels of a rule and a response, one after the other.
fn order(projection: Projection, response: Response) -> Vec<&'static str> {
    let mut order = match projection {
        Projection::Mass => vec!["project"],
        Projection::Half => vec!["project_half"],
        Projection::Pressure => {
            let halving = ["internal_force", "pressure_shift"];
            [vec!["project_half"], halving.repeat(HALVINGS)].concat()
        }
    };
    if response == Response::Source {
        order.extend(["internal_force", "source_friction"]);
    }
    order
}
