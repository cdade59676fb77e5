//! The oracle of contact between bodies: every stage by brute force in f64.
//!
//! All pairs, all triangles, no grid and no walk through the mesh. Each stage is a function of its inputs alone, so
//! that a kernel can be compared on the very output of the stage before; [`detect`](fn@detect::detect) runs the stages
//! of detection one after the other. The order within a step is: detect at x, project positions, forces, u ← u + h a,
//! impulses, x ← x + h u.
//!
//! A *feature* is something of one body that may be inside another: feature f < n is particle f, feature n + e is the
//! e-th of the [surface edges](Scene::surface_edges). A *record* is a pair (feature, body): the feature is inside.
//!
//! Sources: Kratochvíl 2007 ("Modelling of deformations of geometric objects", ch. 4 to 6); Heidelberger, Teschner,
//! Keiser, Müller, Gross 2004 ("Consistent penetration depth estimation for deformable collision response"); Spillmann
//! & Teschner 2005 ("Contact surface computation for coarsely sampled deformable objects"); Tonge, Benevolenski,
//! Voroshilov 2012 ("Mass splitting for jitter-free parallel rigid body simulation") for the impulses.

pub mod border;
pub mod boxes;
pub mod detect;
pub mod edges;
pub mod folds;
pub mod geometry;
pub mod impulse;
pub mod inside;
pub mod penetration;
pub mod press;
pub mod pressure;
pub mod project;
pub mod recall;
pub mod source;
pub mod spheres;
#[cfg(test)]
mod tests;
pub mod touches;
pub mod triangles;

use std::collections::BTreeSet;

use glam::DVec3;

/// Bodies that may touch each other. The arrays over particles have the same length n.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// Positions x \[m\], length n.
    pub position: Vec<DVec3>,
    /// Velocities v at the start of the step \[m/s\], length n.
    pub velocity: Vec<DVec3>,
    /// 1/mass \[1/kg\], length n; 0 holds the particle.
    pub inverse_mass: Vec<f64>,
    /// Index into `bodies`, length n.
    pub body: Vec<usize>,
    /// All springs; two particles that share one are edge neighbours.
    pub edges: Vec<[usize; 2]>,
    /// Corners of the tetrahedra, all four of one body.
    pub tets: Vec<[usize; 4]>,
    /// Coarse surface triangles, counter-clockwise seen from outside: the faces of one tetrahedron only.
    pub surface: Vec<[usize; 3]>,
    /// One per body.
    pub bodies: Vec<BodyContact>,
    /// Patches of the surfaces of bodies that may touch themselves.
    pub patches: Vec<folds::Patch>,
    /// h, the step \[s\], positive.
    pub step: f64,
    /// Distances in weights are at least this \[m\]: 1e-4 mean edges. Ways shorter than this lead nowhere.
    pub floor: f64,
}

/// How one body touches others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// δ \[m\]: surface particles are tested this far outside of themselves.
    pub margin: f64,
    /// Mean edge length \[m\], positive.
    pub edge: f64,
    /// r \[m\]: where it is positive the particles are [spheres] of this radius; 0 for bodies of tetrahedra.
    pub radius: f64,
    /// Coulomb's coefficient μ, for sliding and sticking alike.
    pub friction: f64,
    /// The groups that the body belongs to, one bit each.
    pub group: u32,
    /// The groups that it touches.
    pub mask: u32,
    /// Which of many copies of a scene it belongs to: bodies of different ones never touch.
    pub replica: usize,
    /// Whether it touches itself.
    pub self_contact: bool,
    /// Whether it is rigid.
    pub rigid: bool,
    /// Twice its volume over its surface \[m\].
    pub thickness: f64,
}

/// A feature that is inside a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// f: a particle, or n + the index of a surface edge.
    pub feature: usize,
    /// B, the body that it is inside of.
    pub body: usize,
    /// The tetrahedron of B that holds the tested point, of a particle that which it is deepest in.
    pub tet: usize,
    /// Where on an edge the tested point is, 0 at its first end and 1 at its second; 0 for particles.
    pub along: f64,
}

impl Scene {
    /// The edge neighbours of every particle, ascending.
    pub fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut sets = vec![BTreeSet::new(); self.position.len()];
        for &[a, b] in &self.edges {
            sets[a].insert(b);
            sets[b].insert(a);
        }
        sets.into_iter().map(|set| set.into_iter().collect()).collect()
    }

    /// The edges \[a, b\], a < b, of the coarse surface of all bodies of tetrahedra: body by body, ascending, each once.
    pub fn surface_edges(&self) -> Vec<[usize; 2]> {
        let mut edges = BTreeSet::new();
        let round = |corners: &&[usize; 3]| self.bodies[self.body[corners[0]]].radius > 0.0;
        for &[a, b, c] in self.surface.iter().filter(|corners| !round(corners)) {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                edges.insert((self.body[from], [from.min(to), from.max(to)]));
            }
        }
        edges.into_iter().map(|(_, edge)| edge).collect()
    }

    /// The surface triangles of every body, ascending.
    pub fn surface_of_bodies(&self) -> Vec<Vec<usize>> {
        self.sorted_by_body(self.surface.iter().map(|corners| corners[0]))
    }

    /// The tetrahedra of every body, ascending.
    pub fn tets_of_bodies(&self) -> Vec<Vec<usize>> {
        self.sorted_by_body(self.tets.iter().map(|corners| corners[0]))
    }

    /// The indices of `particles` of every body.
    fn sorted_by_body(&self, particles: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.bodies.len()];
        for (index, particle) in particles.enumerate() {
            lists[self.body[particle]].push(index);
        }
        lists
    }

    /// The particles of the record's feature and their weights, which sum to 1: itself, or the two ends of an edge.
    /// `edges` are the [surface edges](Self::surface_edges).
    pub fn feature(&self, edges: &[[usize; 2]], record: &Record) -> Vec<(usize, f64)> {
        match record.feature.checked_sub(self.position.len()) {
            None => vec![(record.feature, 1.0)],
            Some(edge) => {
                let [a, b] = edges[edge];
                vec![(a, 1.0 - record.along), (b, record.along)]
            }
        }
    }

    /// Corner values at a tetrahedron or triangle.
    pub fn corners<const N: usize>(&self, corners: [usize; N]) -> [DVec3; N] {
        corners.map(|c| self.position[c])
    }
}

/// Σ w_k values_k over pairs (k, w_k).
pub fn weighted(parts: &[(usize, f64)], values: &[DVec3]) -> DVec3 {
    parts.iter().map(|&(k, w)| w * values[k]).sum()
}
