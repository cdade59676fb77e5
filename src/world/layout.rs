//! Where the bodies of a world lie in its arrays, for what reads and writes these.

use std::ops::Range;

use glam::DVec3;

use super::World;
use crate::model::Model;

/// Where bodies lie in the arrays of a world. Particles lie in an order of the device's own; it changes as bodies are added and removed.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    model: &'a Model,
}

/// Where a body lies in the arrays of its world.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyLayout<'a> {
    /// The scene's name of it.
    pub name: &'a str,
    /// Its kind, as scene files have it.
    pub kind: &'static str,
    /// Index range of its particles.
    pub particles: Range<usize>,
    /// For each point of its mesh the index of its particle, counted from the body's first one.
    pub mesh_order: &'a [u32],
    /// Index range of its tetrahedra in [`Layout::tets`].
    pub tets: Range<usize>,
    /// Index range of the triangles of its coarse surface in [`Layout::triangles`].
    pub triangles: Range<usize>,
    /// Index range of its drawn vertices in the arrays of [`World::skin`].
    pub drawn_vertices: Range<usize>,
    /// Index range of its drawn triangles there.
    pub drawn_triangles: Range<usize>,
    /// Distance [m] at which the points of a cloud or a shell touch; 0 where the body has tetrahedra.
    pub radius: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Volume of its material at rest [m³].
    pub volume: f64,
}

impl World {
    /// Every particle's place in its body's rest shape, which is turned and moved as the body is at the start, and neither
    /// stretched nor scattered [m].
    #[must_use]
    pub fn rest_positions(&self) -> Vec<DVec3> {
        self.model.placed_rest(&self.scene)
    }
}

impl<'a> Layout<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self { model }
    }

    /// All bodies, in the scene's order, also those that there is only room for.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyLayout<'a>> + use<'a> {
        let model = self.model;
        (0..model.bodies.len()).map(|body| BodyLayout::new(model, body))
    }

    /// Particles of all bodies.
    #[must_use]
    pub fn particle_count(&self) -> usize {
        self.model.masses.len()
    }

    /// The mass of each particle [kg].
    #[must_use]
    pub fn masses(&self) -> &'a [f64] {
        &self.model.masses
    }

    /// Corners of the tetrahedra of all bodies, positively oriented, as indices of particles.
    pub fn tets(&self) -> impl ExactSizeIterator<Item = [u32; 4]> + use<'a> {
        self.model.tets.iter().map(|tet| tet.corners)
    }

    /// Corners of the triangles of all coarse surfaces, wound outward, as indices of particles.
    #[must_use]
    pub fn triangles(&self) -> &'a [[u32; 3]] {
        &self.model.triangles
    }
}

impl<'a> BodyLayout<'a> {
    fn new(model: &'a Model, body: usize) -> Self {
        let ranges = &model.bodies[body];
        Self {
            name: &ranges.name,
            kind: ranges.kind.name(),
            particles: ranges.particles.clone(),
            mesh_order: &ranges.device_index,
            tets: ranges.tets.clone(),
            triangles: ranges.triangles.clone(),
            drawn_vertices: model.skin.bodies[body].vertices.clone(),
            drawn_triangles: model.skin.bodies[body].triangles.clone(),
            radius: ranges.radius,
            mass: model.mass(body),
            volume: ranges.volume,
        }
    }
}
