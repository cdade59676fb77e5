//! Where the bodies of a world lie in its arrays, for what reads and writes these.

use std::ops::Range;

use glam::DVec3;

use super::World;
use crate::model::Model;

/// Where bodies lie in the arrays of a world. Particles are in the device's own order, which changes as bodies are added and
/// removed.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    model: &'a Model,
}

/// Where a body lies in the arrays of its world.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyLayout<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its kind, as in scene files.
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
    /// Position of every particle in the rest shape of its body [m], which is placed as the body is at the start, but neither
    /// stretched nor scattered.
    #[must_use]
    pub fn rest_positions(&self) -> Vec<DVec3> {
        self.model.placed_rest(&self.scene)
    }
}

impl<'a> Layout<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self { model }
    }

    /// All bodies in the scene's order, including empty places.
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
            kind: ranges.family,
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

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::mesh::Lattice;
    use crate::scene::{Body, Mass, Scene};
    use crate::{Context, World};

    /// Of two bodies, the second one turned and moved: ranges are its own and follow on the first one's, and the mesh's order
    /// leads to where its points are.
    #[test]
    fn bodies_are_where_the_layout_says() {
        let mut second = Body::lattice("second", [3, 1, 2], [0.6, 0.2, 0.4]);
        second.position = [5.0, 1.0, 0.0];
        second.rotation = [0.0, 0.0, std::f64::consts::FRAC_PI_2];
        second.mass = Mass::Body(3.0);
        let size = DVec3::new(0.6, 0.2, 0.4);
        let lattice = Lattice::new([3, 1, 2], -0.5 * size, size).unwrap();
        let placed = |p: DVec3| DVec3::new(5.0 - p.y, 1.0 + p.x, p.z).as_vec3();
        let first = Body::lattice("first", [2, 2, 2], [0.4, 0.4, 0.4]);
        let scene = Scene { bodies: vec![first, second], ..Scene::default() };
        let mut world = World::new(&Context::new().unwrap(), &scene).unwrap();
        let x = world.read().unwrap().positions;
        let layout = world.layout();
        let [first, second]: [_; 2] = layout.bodies().collect::<Vec<_>>().try_into().unwrap();
        assert_eq!((first.name, second.name, second.kind), ("first", "second", "springs"));
        assert_eq!(first.particles.end, second.particles.start);
        assert_eq!(second.particles.end, layout.particle_count());
        assert_eq!((first.tets.len(), second.tets.len()), (40, 30));
        let own = |i: &u32| second.particles.contains(&(*i as usize));
        for corners in layout.tets().skip(second.tets.start) {
            let [a, b, c, d] = corners.map(|i| x[i as usize]);
            assert!(corners.iter().all(own) && (b - a).dot((c - a).cross(d - a)) > 0.0);
        }
        for corners in &layout.triangles()[second.triangles.clone()] {
            assert!(corners.iter().all(own));
        }
        let mass: f64 = layout.masses()[second.particles.clone()].iter().sum();
        assert!((mass - 3.0).abs() < 1e-9 && (second.mass - mass).abs() < 1e-12);
        assert!((second.volume - 0.048).abs() < 1e-12);
        let drawn = second.drawn_triangles.len() + first.drawn_triangles.len();
        assert_eq!(drawn, layout.triangles().len());
        assert_eq!(second.mesh_order.len(), second.particles.len());
        for (point, index) in lattice.points().map(placed).zip(second.mesh_order) {
            let place = x[second.particles.start + *index as usize];
            assert!(place.distance(point) < 1e-5, "{place} {point}");
        }
        let rest = world.rest_positions();
        assert!(rest.iter().zip(&x).all(|(a, b)| a.as_vec3().distance(*b) < 1e-5));
    }
}
