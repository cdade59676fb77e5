//! The scene description: plain data, each field with its unit. `Default` gives the values that the scene format
//! documents. [`Scene::parse`] fills it from text; programs may also fill it by hand.

use serde::Serialize;

mod attachment;
mod body;
mod integrator;
mod world;

use std::path::PathBuf;

pub use attachment::*;
pub use body::*;
pub use integrator::*;
pub use world::*;

/// A whole scene: the world's settings and what is in it. The default is an empty world.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// Gravity, step, integrator and what else holds everywhere.
    pub world: WorldSettings,
    /// What moves.
    pub bodies: Vec<Body>,
    /// What nothing pushes, beside the floor.
    pub solids: Vec<Solid>,
    /// What ties bodies to each other, to solids and to places; of copies in each of them.
    pub attachments: Vec<Attachment>,
    /// What happens to the bodies at given times.
    pub events: Vec<Event>,
    /// Relative mesh paths start here: the scene file's folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Into how many equal parts `bodies` falls that never touch each other, see [`Scene::replicate`]; 0 is 1.
    pub replicas: usize,
}

/// An obstacle that nothing pushes: one `[[solid]]` of a scene file. The touching body's friction and restitution rule. It is in all
/// groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Solid {
    /// A half-space.
    Plane {
        /// A point of its surface [m], default the origin.
        position: [f64; 3],
        /// Outward direction, any length but zero, default (0, 1, 0).
        normal: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Its centre [m], default the origin.
        position: [f64; 3],
        /// Its radius [m].
        radius: f64,
    },
    /// A box.
    Box {
        /// Its centre [m], default the origin.
        position: [f64; 3],
        /// Angles about the fixed x, then y, then z axis [rad], default none.
        rotation: [f64; 3],
        /// Its whole edge lengths [m].
        size: [f64; 3],
    },
}

impl Scene {
    /// What bodies cannot pass: the floor, where there is one, then the solids; nothing without contact.
    #[must_use]
    pub fn obstacles(&self) -> Vec<Solid> {
        let floor = self
            .world
            .floor
            .map(|height| Solid::Plane { position: [0.0, height, 0.0], normal: [0.0, 1.0, 0.0] });
        let all = floor.into_iter().chain(self.solids.iter().cloned());
        all.filter(|_| self.world.contact).collect()
    }

    /// What messages call one of them.
    pub(crate) fn obstacle_name(&self, number: usize) -> String {
        match number + 1 - usize::from(self.world.floor.is_some()) {
            0 => "the floor".into(),
            number => format!("solid {number}"),
        }
    }
}

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
    /// A motion of a solid or of what is held of a body, whatever stands in its way: one for each. Once it is over they
    /// stand where it has brought them.
    Move {
        /// What moves.
        what: Movable,
        /// Of pins: the point that they turn about as they start [m], default the origin. Solids turn about their position.
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
            Self::Move { what, .. } => matches!(what, Movable::Pins(body) if body == name),
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
