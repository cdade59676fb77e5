//! The state that is written for one frame.

use super::{BodyTopology, Topology};
use crate::error::{Error, Result};
use glam::{DMat3, Quat, Vec3};

/// The pose of a rigid body or a solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement {
    /// Its centre in m; for a plane a point on it.
    pub centre: Vec3,
    /// Rotation from its own axes to the world's, a unit quaternion.
    pub rotation: Quat,
}

impl Placement {
    /// A point of the body, along its own axes from its centre.
    pub(super) fn own(&self, x: Vec3) -> Vec3 {
        self.own_direction(x - self.centre)
    }

    /// A direction, along its own axes.
    pub(super) fn own_direction(&self, d: Vec3) -> Vec3 {
        self.rotation.inverse() * d
    }
}

/// The state of all bodies at one time. All numbers are finite.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    /// The frame's number; it names the file and is the time code in USD.
    pub index: u64,
    /// Simulated time in s.
    pub time: f64,
    /// Position of every particle in m.
    pub positions: &'a [Vec3],
    /// Velocity of every particle in m/s.
    pub velocities: &'a [Vec3],
    /// Role of every particle in contact between bodies: 1 if it touches another body, 2 if it is only a corner of a touched
    /// triangle, 0 otherwise.
    pub contacts: &'a [u8],
    /// The penetration vector of the body that each particle is deepest in, in m.
    pub penetrations: &'a [Vec3],
    /// Position of every drawn vertex in m.
    pub drawn_positions: &'a [Vec3],
    /// Unit normal of every drawn vertex.
    pub drawn_normals: &'a [Vec3],
    /// Poses of the rigid bodies, in the order of bodies.
    pub placements: &'a [Placement],
    /// Poses of the solids, in their order.
    pub solids: &'a [Placement],
    /// Cauchy stress of every tetrahedron in Pa, in world axes; empty if no body has any.
    pub stresses: &'a [DMat3],
}

impl<'a> Frame<'a> {
    /// Refuses arrays of other lengths than the topology says, and numbers that are not finite.
    pub(super) fn check(&self, topology: &Topology) -> Result<()> {
        let (particles, vertices) = (topology.rest_positions.len(), topology.vertex_count());
        let rigid = topology.bodies.iter().filter(|body| body.is_rigid).count();
        let tets = match self.stresses.is_empty() {
            true => 0,
            false => topology.bodies.iter().map(|body| body.tets.len()).sum(),
        };
        let lengths = [
            (self.positions.len(), particles),
            (self.velocities.len(), particles),
            (self.contacts.len(), particles),
            (self.penetrations.len(), particles),
            (self.drawn_positions.len(), vertices),
            (self.drawn_normals.len(), vertices),
            (self.placements.len(), rigid),
            (self.solids.len(), topology.solids.len()),
            (self.stresses.len(), tets),
        ];
        if lengths.iter().any(|(got, want)| got != want) {
            let want = format!("{:?}, as in the topology", lengths.map(|(_, want)| want));
            let got = format!("{:?}", lengths.map(|(got, _)| got));
            return Err(Error::value("lengths of the frame's arrays", got, want));
        }
        let vectors = [
            ("positions", self.positions),
            ("velocities", self.velocities),
            ("penetrations", self.penetrations),
            ("drawn_positions", self.drawn_positions),
            ("drawn_normals", self.drawn_normals),
        ];
        for (name, vectors) in vectors {
            if let Some(index) = vectors.iter().position(|x| !x.is_finite()) {
                let at = format!("the frame's {name}[{index}]");
                return Err(Error::value(at, vectors[index], "finite numbers"));
            }
        }
        if let Some(index) = self.stresses.iter().position(|s| !s.is_finite()) {
            let at = format!("the frame's stresses[{index}]");
            return Err(Error::value(at, self.stresses[index], "finite numbers"));
        }
        let broken = |p: &Placement| !p.centre.is_finite() || !p.rotation.is_normalized();
        for (name, placements) in [("placements", self.placements), ("solids", self.solids)] {
            if let Some(index) = placements.iter().position(broken) {
                let at = format!("the frame's {name}[{index}]");
                let got = format!("{:?}", placements[index]);
                return Err(Error::value(at, got, "finite numbers, and a rotation of unit length"));
            }
        }
        Ok(())
    }

    /// What is shown of a body: the positions of its drawn vertices and their normals; of a cloud those of its particles,
    /// without normals.
    pub(super) fn shown(&self, body: &BodyTopology) -> (&'a [Vec3], &'a [Vec3]) {
        if body.is_cloud() {
            (&self.positions[body.particles.clone()], &[])
        } else {
            let vertices = body.vertices.clone();
            (&self.drawn_positions[vertices.clone()], &self.drawn_normals[vertices])
        }
    }
}
