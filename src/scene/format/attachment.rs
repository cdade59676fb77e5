//! Attachments of bodies to each other, to solids and to places.

use serde::Serialize;

use super::Aabb;

/// Attaches points of a body to another body, a solid or a place: one `[[attachment]]` of a scene file. Each point gets a damped
/// spring to the spot of the other side at which it was when attached. Both sides may be rigid; with implicit integrators and
/// `contact = false`, rigid ones must be held.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attachment {
    /// The body's name.
    pub body: String,
    /// Which of its points.
    pub points: AttachedPoints,
    /// What they are attached to.
    pub to: AttachedTo,
    /// Stiffness of each spring [N/m]. `None`, the default: 0.1 m/h², shared among the attachments of a particle, where m is the
    /// moving mass (for a rigid body the least effective mass at that point) and h the step, which for implicit integrators is
    /// the one Verlet would use for the softer of the two bodies, or their own if that is shorter. A higher stiffness than an
    /// explicit step allows shortens an automatic step and is refused with a fixed one.
    pub stiffness: Option<f64>,
    /// Damping ratio of each spring, default 0.2.
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
