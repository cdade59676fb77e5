//! Restitution: before a step, bodies that come upon solids and each other bounce as wholes, like rigid ones, where they are
//! stiff enough for that. What follows meets without restitution, point by point.

use super::Arrays;
use crate::Result;
use crate::collide::Collision;
use crate::gpu::{Bound, Buffer, Recorder};
use crate::model::State;
use crate::scene::Integrator;

/// Its passes, each by the particle array that holds the present state; those between bodies are [`Collision`]'s.
#[derive(Debug)]
pub struct Bounce {
    sum: [Bound; 2],
    body: [Bound; 2],
    advance: [Bound; 2],
    chunks: usize,
    bodies: usize,
}

impl Bounce {
    /// Binds the passes.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>, integrator: Integrator) -> Result<Self> {
        // Others that have this array keep something else in it.
        let none = Buffer::zeroed(arrays.context, "half_velocity", 0)?;
        let half_velocity = match integrator {
            Integrator::Leapfrog => &arrays.state.half_velocity,
            _ => &none,
        };
        let bind = |name: &str| {
            let kernel = arrays.kernel(name);
            [0, 1].map(|now: usize| {
                let particles = &arrays.state.particles[now];
                let own = [
                    particles.bind("particles_in"),
                    particles.bind("particles_out"),
                    half_velocity.bind("half_velocity"),
                ];
                arrays.bind(&kernel, &own)
            })
        };
        Ok(Self {
            sum: bind("bounce_sum"),
            body: bind("bounce_body"),
            advance: bind("bounce_move"),
            chunks: arrays.model.chunks.len(),
            bodies: arrays.model.bodies.len(),
        })
    }

    /// Records it for the present state, once contacts are found.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        state: &State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        let now = state.current;
        recorder.dispatch(&self.sum[now], self.chunks, slot);
        recorder.dispatch(&self.body[now], self.bodies, slot);
        if let Some(contacts) = contacts {
            contacts.bounce(recorder, now, self.bodies, slot);
        }
        recorder.dispatch(&self.advance[now], state.present().len(), slot);
    }
}
