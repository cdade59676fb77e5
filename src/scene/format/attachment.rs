//! What ties bodies to each other, to solids and to places.

use serde::Serialize;

use super::Aabb;

/// Points of a body that are tied to another body, to a solid or to a place, each by a tie of its own: one `[[attachment]]`
/// of a scene file. A tie is a damped spring between the point and what it is tied to where that stood as they were tied. Both
/// sides may be rigid; with implicit integrators and `contact = false` only what is held.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attachment {
    /// The body's name.
    pub body: String,
    /// Which of its points.
    pub points: AttachedPoints,
    /// What they are tied to.
    pub to: AttachedTo,
    /// Stiffness of each tie [N/m]. None, the default: as stiff as an explicit step bears, a tenth of m/h², m the mass that
    /// swings (of a rigid body what resists at that point, at the least) and h the step, of implicit integrators the one that Verlet's method would have for the softer one of the two
    /// bodies, or theirs where that is shorter; shared among the ties of a particle.
    /// A stiffer one than an explicit step bears shortens an automatic step, and is refused with a fixed one.
    pub stiffness: Option<f64>,
    /// Damping of each tie, as a part of the critical damping of what swings, default 0.2.
    pub damping_ratio: f64,
}

impl Attachment {
    /// Whether it ties a body of this name.
    pub(crate) fn names(&self, body: &str) -> bool {
        let to = match &self.to {
            AttachedTo::Body(to) => to == body,
            AttachedTo::Solid(_) | AttachedTo::Place => false,
        };
        to || self.body == body
    }

    /// Ties these points to something, with all else at the values that a scene file gets by default.
    #[must_use]
    pub fn new(body: &str, points: AttachedPoints, to: AttachedTo) -> Self {
        Self { body: body.into(), points, to, stiffness: None, damping_ratio: 0.2 }
    }
}

/// The points of a body that are tied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum AttachedPoints {
    /// `box = […]`: those that lie in this box, in the mesh's own coordinates as pins do.
    Within(Aabb),
    /// `points = […]`: these, by their numbers in the mesh.
    Listed(Vec<u32>),
}

/// What points are tied to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum AttachedTo {
    /// `to = "name"`: a body. Of tetrahedra the one that holds the point, or that it lies least outside of; of shells the
    /// nearest triangle; of clouds the nearest point, with what lies between as the tie's length.
    Body(String),
    /// `solid = 1`: the first `[[solid]]`, and so on; `solid = 0`: the floor. The tie goes with it where it moves.
    Solid(u32),
    /// Neither: where it is.
    Place,
}
