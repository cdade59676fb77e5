//! Whether a tested point is inside a tetrahedron, and where the lines begin that lead out of it.

use std::collections::BTreeSet;

use glam::DVec3;

use super::Scene;
use super::geometry::{barycentric, interval_in_corners};
use super::triangles::FACING;
use crate::extreme;

/// How far below 0 a barycentric coordinate still counts as on the face, so that a point on one is never in none.
pub const SLACK: f64 = 1e-5;
/// How far outside of a surface face, in its own margin, a point still counts as inside.
pub const RIM: f64 = 2.0;
/// The least barycentric coordinate of a point that a line begins at where the tested one is outside.
const START: f64 = 1e-3;

/// The tetrahedra of a scene and which of their faces belong to the surface.
pub struct Tetrahedra<'a> {
    scene: &'a Scene,
    surface: BTreeSet<[usize; 3]>,
}

impl<'a> Tetrahedra<'a> {
    /// Those of a scene.
    pub fn new(scene: &'a Scene) -> Self {
        Self { scene, surface: scene.surface.iter().copied().map(sorted).collect() }
    }

    /// Whether a tetrahedron holds a particle at its tested position `q`, lifted by `lift` = δ n_i \[m\]: all barycentric coordinates are at least
    /// −`slack`, or q is outside of a surface face by no more than 2 δ and that face does not look against the particle
    /// (n_f · n_i > −0.1): without this the rims of bodies that stand flush on each other would be in nobody.
    /// Never for flat tetrahedra.
    pub fn hold(&self, tet: usize, q: DVec3, lift: DVec3, slack: f64) -> bool {
        let corners = self.scene.tets[tet];
        let Some(shares) = barycentric(q, self.scene.corners(corners)) else {
            return false;
        };
        (0..4).all(|k| shares[k] >= -self.room(corners, k, lift, slack))
    }

    /// The part of the way of a particle lifted by `lift`, given by where it begins and all of it, that a tetrahedron
    /// [holds](Self::hold): where it enters and leaves, in shares of the way.
    pub fn part_of_way(
        &self,
        tet: usize,
        way: [DVec3; 2],
        lift: DVec3,
        slack: f64,
    ) -> Option<[f64; 2]> {
        let corners = self.scene.tets[tet];
        let rooms = [0, 1, 2, 3].map(|k| self.room(corners, k, lift, slack));
        let part = interval_in_corners(self.scene.corners(corners), way, 1.0, rooms);
        part.filter(|[enters, leaves]| enters < leaves)
    }

    /// How far below 0 a held particle's barycentric coordinate of corner `k` may be.
    fn room(&self, corners: [usize; 4], k: usize, lift: DVec3, slack: f64) -> f64 {
        let (normal, height) = self.face(corners, k);
        let is_rim = self.on_surface(corners, k) && normal.dot(lift) > -FACING * lift.length();
        slack + if is_rim { RIM * lift.length() / height } else { 0.0 }
    }

    /// The least of the barycentric coordinates of `q`: the larger, the deeper q is in the tetrahedron. −∞ in flat ones.
    pub fn least_share(&self, tet: usize, q: DVec3) -> f64 {
        let shares = barycentric(q, self.scene.corners(self.scene.tets[tet]));
        shares.map_or(f64::NEG_INFINITY, |s| s.into_iter().fold(f64::INFINITY, extreme::least))
    }

    /// Of tetrahedra that hold `q` the one that it is deepest in, of equal ones the first.
    pub fn deepest(&self, tets: impl Iterator<Item = usize>, q: DVec3) -> Option<usize> {
        tets.min_by(|a, b| self.least_share(*b, q).total_cmp(&self.least_share(*a, q)))
    }

    /// The outward unit normal of the face opposite corner `k`, and how far the corner is from it.
    fn face(&self, corners: [usize; 4], k: usize) -> (DVec3, f64) {
        let x = |j: usize| self.scene.position[corners[(k + j) % 4]];
        let normal = (x(2) - x(1)).cross(x(3) - x(1)).normalize();
        let height = normal.dot(x(0) - x(1));
        if height > 0.0 { (-normal, height) } else { (normal, -height) }
    }

    fn on_surface(&self, corners: [usize; 4], k: usize) -> bool {
        let face = [1, 2, 3].map(|j| corners[(k + j) % 4]);
        self.surface.contains(&sorted(face))
    }
}

fn sorted(mut face: [usize; 3]) -> [usize; 3] {
    face.sort_unstable();
    face
}

/// Where lines out of a tetrahedron begin: q, or where it is outside by more than the slack, the point whose barycentric
/// coordinates are those of q, at least 1e-3, brought to the sum 1.
pub fn start(scene: &Scene, tet: usize, q: DVec3) -> DVec3 {
    let corners = scene.corners(scene.tets[tet]);
    match barycentric(q, corners) {
        Some(shares) if shares.iter().any(|&share| share < -SLACK) => {
            let inside = shares.map(|share| share.max(START));
            let sum: f64 = inside.iter().sum();
            (0..4).map(|k| inside[k] / sum * corners[k]).sum()
        }
        _ => q,
    }
}
