//! What happens at given times.

use serde::Serialize;

/// What happens at given times: one `[[event]]` of a scene file. A step applies the mean over its duration, so impulses do not
/// depend on its length (with adaptive leapfrog up to that of half a step).
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
    /// A prescribed motion of a solid or of the held points of a body; nothing stops it. Afterwards they stay where they are; a
    /// later motion of the same continues from there.
    Move {
        /// What moves.
        what: Movable,
        /// For pins: the point that they rotate about [m], in world coordinates as this motion starts, default the origin. Solids
        /// rotate about their position.
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
    /// A motion of a solid or of held points through keyframes, which must be their only motion: between two times, with constant
    /// velocity and angular velocity, rotating the shorter way. They are at rest before and after.
    Keyframes {
        /// What moves.
        what: Movable,
        /// Times of the keyframes [s], at least two, ascending.
        times: Vec<f64>,
        /// Position of the solid or body at each time [m]; the first is where it starts.
        positions: Vec<[f64; 3]>,
        /// Angles about the fixed x, then y, then z axis at each time [rad], the first as at the start; for a plane, the rotation
        /// of its normal.
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
