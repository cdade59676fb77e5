//! From a scene to the arrays of all its bodies, on the host, in f64.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DMat3, DVec3, Vec4};

use super::rest::Rest;
use super::{Area, BodyRanges, Skin, Spring, Tet, size};
use crate::family::fem::FemElement;
use crate::family::rigid::{Makes, add_obstacles};
use crate::family::shape::Cluster;
use crate::gpu::Buffer;
use crate::gpu::types::{Collider, HullFace, NONE, Particle, Pose};
use crate::hash::Fnv;
use crate::scene::{Body, MeshSource, Order, Scene, body_label};
use crate::{Error, Result};

/// The constant arrays of all bodies, and their state at the start. Particles are in device order.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// One entry per body of the scene.
    pub bodies: Vec<BodyRanges>,
    /// Positions at the start [m].
    pub positions: Vec<DVec3>,
    /// Velocities at the start [m/s].
    pub velocities: Vec<DVec3>,
    /// Masses [kg].
    pub masses: Vec<f64>,
    /// Whether a particle is held in place.
    pub pinned: Vec<bool>,
    /// Positions in the mesh's own coordinates, before scaling and placing [m].
    pub rest_points: Vec<DVec3>,
    /// Rest positions after scaling, before rotation and stretch [m].
    pub rest_positions: Vec<DVec3>,
    /// Colours of the particles, from 0 on: no element has two of one colour. Only for implicit integrators, else empty.
    pub colors: Vec<u32>,
    /// Springs of all bodies, and the edges of those that have none.
    pub springs: Vec<Spring>,
    /// Tetrahedra of all bodies.
    pub tets: Vec<Tet>,
    /// Finite elements of all bodies.
    pub elements: Vec<FemElement>,
    /// Triangles whose areas are kept.
    pub areas: Vec<Area>,
    /// Triangles of all coarse surfaces, wound outward.
    pub triangles: Vec<[u32; 3]>,
    /// Clusters of all bodies that match shapes.
    pub clusters: Vec<Cluster>,
    /// Rigid degrees of freedom: of bodies, and where there are any of all obstacles behind them.
    pub poses: Vec<Pose>,
    /// What they touch by, those of obstacles behind those of bodies.
    pub colliders: Vec<Collider>,
    /// The first of obstacles.
    pub first_obstacle: usize,
    /// Corners of hulls, and the loops of their faces.
    pub hull_vertices: Vec<Vec4>,
    /// Faces of hulls.
    pub hull_faces: Vec<HullFace>,
    /// Whether any of them rebounds, from whatever.
    pub rebounds: bool,
    /// What rigid bodies of one make have in common.
    pub(crate) makes: Makes,
    /// Where each particle is on its pose [m], and as bits which one that is, [`NONE`]; empty where there are no poses.
    pub carried: Vec<Vec4>,
    /// What is drawn.
    pub skin: Skin,
    /// Bodies of each of several copies of a scene, which never touch those of others; 0: there is one.
    pub replica_size: usize,
    /// What each body was made from.
    pub(crate) rests: Vec<Arc<Rest>>,
}

impl Model {
    /// Builds all bodies of a scene.
    ///
    /// # Errors
    /// Unreadable or unusable meshes, a scene whose largest array exceeds `largest_buffer` bytes.
    pub fn new(scene: &Scene, adapter: &str, largest_buffer: u64) -> Result<Self> {
        Self::with_rests(scene, &[], (adapter, largest_buffer))
    }

    /// The same of rest shapes that have been read or made before, one for each body; those that are missing are loaded.
    pub(crate) fn with_rests(
        scene: &Scene,
        rests: &[Arc<Rest>],
        (adapter, largest_buffer): (&str, u64),
    ) -> Result<Self> {
        size::check_lattices(scene, adapter, largest_buffer)?;
        let mut model = Self {
            replica_size: match scene.replica_count() {
                1 => 0,
                _ => scene.replica_size(),
            },
            ..Self::default()
        };
        let colored = scene.world.integrator.is_implicit();
        // Of equal meshes one is read or made.
        let mut loaded: HashMap<u64, Arc<Rest>> = HashMap::new();
        for (index, body) in scene.bodies.iter().enumerate() {
            let mesh = body.mesh_hash();
            let rest = match rests.get(index).or_else(|| loaded.get(&mesh)) {
                Some(rest) => rest.check(body).map(|()| rest.clone()),
                None => Rest::load(body, scene).map(Arc::new),
            };
            if let Ok(rest) = &rest {
                loaded.entry(mesh).or_insert_with(|| rest.clone());
            }
            let added = rest.and_then(|rest| model.add(body, rest, colored));
            added.map_err(|error| of_body(body, error))?;
            let count = model.positions.len();
            let particles = [("particles", count, Buffer::<Particle>::STRIDE)];
            size::check_largest(adapter, largest_buffer, &particles)?;
        }
        if !model.poses.is_empty() {
            model.carried.resize(model.positions.len(), Vec4::ZERO.with_w(f32::from_bits(NONE)));
        }
        add_obstacles(&mut model, scene);
        Ok(model)
    }

    /// FNV-1a of what the physics takes from the meshes: positions, masses, pins, rest lengths and volumes, topology.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        self.positions.iter().flat_map(DVec3::to_array).for_each(|x| hash.number(x));
        self.masses.iter().for_each(|mass| hash.number(*mass));
        self.pinned.iter().for_each(|pinned| hash.bytes(&[u8::from(*pinned)]));
        let springs = self.springs.iter().map(|s| (&s.points[..], [s.rest, s.distance, s.damping]));
        let tets = self.tets.iter().map(|t| (&t.corners[..], [t.rest, t.volume, 0.0]));
        let areas = self.areas.iter().map(|a| (&a.corners[..], [a.rest, 0.0, 0.0]));
        for (particles, numbers) in springs.chain(tets).chain(areas) {
            particles.iter().for_each(|i| hash.integer((*i).into()));
            numbers.iter().for_each(|x| hash.number(*x));
        }
        for element in &self.elements {
            let constants = [element.lame.lambda, element.lame.mu, element.relaxation];
            constants.iter().for_each(|x| hash.number(*x));
        }
        // Other bodies' shapes are in the lengths above, however stretched they start.
        if !self.clusters.is_empty() {
            let rest = self.rest_positions.iter().flat_map(DVec3::to_array);
            rest.for_each(|x| hash.number(x));
        }
        hash.finish()
    }

    /// The first pose of an obstacle: they stand behind those of bodies.
    pub fn first_obstacle_pose(&self) -> usize {
        let of_bodies = self.bodies.iter().filter_map(|body| body.rigid).map(|rigid| rigid.pose);
        of_bodies.max().map_or(0, |last| last + 1)
    }

    /// Whether a body is rigid and held: nothing pushes it, so that it has no mass that counts.
    pub fn is_held(&self, body: usize) -> bool {
        let rigid = self.bodies.get(body).and_then(|body| body.rigid);
        rigid.is_some_and(|rigid| self.poses[rigid.pose].inverse_mass == 0.0)
    }

    /// Whether any body deforms.
    pub fn deforms(&self) -> bool {
        self.bodies.iter().any(|body| body.rigid.is_none())
    }

    /// Mass of a body [kg].
    pub fn mass(&self, body: usize) -> f64 {
        self.masses[self.bodies[body].particles.clone()].iter().sum()
    }

    /// Springs of the bodies that are made of them.
    pub fn spring_count(&self) -> usize {
        let made_of_springs = |body: &&BodyRanges| body.loaded == 0;
        let bodies = self.bodies.iter().filter(made_of_springs);
        bodies.map(|body| body.springs.len()).sum()
    }

    /// Particle nearest to a point of a body's mesh coordinates; 0 where there is no such body.
    pub fn nearest(&self, body: usize, point: DVec3) -> usize {
        let distance = |&i: &usize| self.rest_points[i].distance_squared(point);
        let ranges = self.bodies.get(body);
        let particles = ranges.map_or(0..0, |ranges| ranges.particles.clone());
        particles.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    }
}

/// Rz Ry Rx: about the fixed x, then y, then z axis.
pub(crate) fn rotation_matrix(angles: [f64; 3]) -> DMat3 {
    DMat3::from_rotation_z(angles[2])
        * DMat3::from_rotation_y(angles[1])
        * DMat3::from_rotation_x(angles[0])
}

/// What makes the rest shape of the mesh, and what turns that to where the body starts.
#[must_use]
pub fn placing(body: &Body) -> (DMat3, DMat3) {
    let scale = DMat3::from_diagonal(DVec3::from(body.scale));
    let rotation = rotation_matrix(body.rotation);
    match body.order {
        Order::ScaleFirst => (scale, rotation),
        Order::RotateFirst => (scale * rotation, DMat3::IDENTITY),
    }
}

/// An error of a mesh names the body's field, and its file if it has one.
fn of_body(body: &Body, error: Error) -> Error {
    let path = match &body.mesh {
        MeshSource::File { path, .. } => Some(path.as_path()),
        _ => None,
    };
    error.in_field(format!("{}.mesh", body_label(&body.name)), path)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn model(body: Body) -> Model {
        let scene = Scene {
            bodies: vec![body],
            folder: concat!(env!("CARGO_MANIFEST_DIR"), "/assets").into(),
            ..Scene::default()
        };
        Model::new(&scene, "", u64::MAX).unwrap()
    }

    fn size(points: &[DVec3]) -> DVec3 {
        crate::mesh::Bounds::of(points.iter().copied()).size()
    }

    /// Scaled to (2, 3, 4) and turned about z, or turned and then scaled along the world's axes.
    #[test]
    fn the_order_of_scale_and_rotation_counts() {
        for (order, want) in [
            (Order::ScaleFirst, DVec3::new(3.0, 2.0, 4.0)),
            (Order::RotateFirst, DVec3::new(2.0, 3.0, 4.0)),
        ] {
            let mut body = Body::lattice("a", [2, 2, 2], [1.0; 3]);
            (body.scale, body.rotation) = ([2.0, 3.0, 4.0], [0.0, 0.0, FRAC_PI_2]);
            (body.order, body.position) = (order, [0.0, 7.0, 0.0]);
            let model = model(body);
            let got = size(&model.positions);
            assert!(got.distance(want) < 1e-12, "{order:?}: {got}");
            for spring in &model.springs {
                let [a, b] = spring.points.map(|i| model.positions[i as usize]);
                assert!((a.distance(b) - spring.rest).abs() < 1e-12, "at rest");
            }
            for tet in &model.tets {
                assert!(tet.rest > 0.0);
            }
        }
    }

    #[test]
    fn a_skin_is_carried_by_any_tetrahedra() {
        let mut body = Body::lattice("a", [5, 5, 5], [1.0; 3]);
        body.skin = Some("rounded_cube.ply".into());
        body.scale = [2.0, 1.0, 1.0];
        let skinned = model(body.clone());
        assert_eq!(skinned.skin.triangles.len(), 4800);
        assert_eq!((skinned.tets.len(), skinned.positions.len()), (625, 216));
        let ties = skinned.skin.corners.iter().zip(&skinned.skin.weights);
        let drawn: Vec<DVec3> = ties
            .map(|(corners, weights)| {
                (0..4).map(|k| skinned.positions[corners[k] as usize] * weights[k]).sum()
            })
            .collect();
        let got = size(&drawn);
        assert!(got.distance(DVec3::new(2.0, 1.0, 1.0)) < 1e-3, "{got}");
        body.skin = Some("bar.node".into());
        let scene = Scene {
            bodies: vec![body],
            folder: concat!(env!("CARGO_MANIFEST_DIR"), "/assets").into(),
            ..Scene::default()
        };
        let message = Model::new(&scene, "", u64::MAX).unwrap_err().to_string();
        let want = "body \"a\".skin: bar.node: contains tetrahedra";
        assert!(message.starts_with(want), "{message}");
    }
}
