//! What happens at given times.

use serde::Serialize;

/// What happens at given times: one `[[event]]` of a scene file. A step has the mean over its time, so that impulses are
/// whole however long the step (of adaptive leapfrog to half a step's).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Event {
    /// A force on one point of a body.
    LineForce {
        /// The body's name.
        body: String,
        /// Acts on the point of the mesh that is nearest to this, in the mesh's own coordinates [m].
        point: [f64; 3],
        /// The force [N].
        force: [f64; 3],
        /// When it starts [s].
        from: f64,
        /// When it ends [s], after `from`; infinity: never.
        to: f64,
    },
    /// A motion of a solid or of what is held of a body, whatever stands in its way. Once it is over they stand where it has
    /// brought them; a later one of the same goes on from there.
    Move {
        /// What moves.
        what: Movable,
        /// Of pins: the point of the world that they turn about as this motion starts [m], default the origin. Solids turn about their position.
        centre: [f64; 3],
        /// Velocity of that point [m/s], default 0.
        velocity: [f64; 3],
        /// Angular velocity about the world's axes [rad/s], default 0.
        angular_velocity: [f64; 3],
        /// When it starts [s], default 0.
        from: f64,
        /// When it ends [s], after `from`; infinity, the default: never.
        to: f64,
    },
    /// The motion of one of these from place to place, the only one that it has: between two times at the velocity and the
    /// angular velocity that lead from one place to the next, in rotation the shorter way. It stands before and after.
    Keyframes {
        /// What moves.
        what: Movable,
        /// Two at least, ascending [s].
        times: Vec<f64>,
        /// At each time the position that the solid or the body has: the first is where it starts [m].
        positions: Vec<[f64; 3]>,
        /// At each time its angles about the fixed x, then y, then z axis [rad], the first as it starts; of a plane by how
        /// much its normal is turned.
        rotations: Vec<[f64; 3]>,
    },
    /// Moving air: the world's drag acts relative to it.
    Wind {
        /// The air's velocity [m/s].
        velocity: [f64; 3],
        /// When it starts [s], default 0.
        from: f64,
        /// When it ends [s], after `from`; infinity, the default: never.
        to: f64,
    },
}

impl Event {
    /// Whether it is about a body of this name.
    pub(crate) fn names(&self, name: &str) -> bool {
        match self {
            Self::LineForce { body, .. } => body == name,
            Self::Move { what, .. } | Self::Keyframes { what, .. } => {
                matches!(what, Movable::Pins(body) if body == name)
            }
            Self::Wind { .. } => false,
        }
    }
}

/// What an [`Event::Move`] moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Movable {
    /// `solid = 1`: the first `[[solid]]`, and so on; `solid = 0`: the floor.
    Solid(u32),
    /// `body = "name"`: what is held of this body.
    Pins(String),
}
