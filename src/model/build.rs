//! From a scene to the arrays of all its bodies, on the host, in f64.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::material::OwnMaterials;
use super::rest::Rest;
use super::start::{Scatter, masses, radius, volume};
use super::{
    Cluster, FemElement, Fields, Material, Skin, clusters, fem, order::particle_order, size,
};
use crate::gpu::types::SPEED_LIMIT;
use crate::hash::Fnv;
use crate::mesh::{PointCloud, TetMesh};
use crate::scene::{Body, Kind, Order, Scene, Springs};
use crate::{Error, Result};

/// A spring between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Its ends.
    pub points: [u32; 2],
    /// l0 [m]
    pub rest: f64,
    /// k_D [J]; 0 in bodies that are not made of springs.
    pub distance: f64,
    /// d_C [J s]; 0 likewise.
    pub damping: f64,
}

/// A tetrahedron, positively oriented.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tet {
    /// Its corners.
    pub corners: [u32; 4],
    /// V0 [m³]
    pub rest: f64,
    /// k_V [J]; 0 in bodies that are not made of springs.
    pub volume: f64,
}

/// A triangle whose area is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Its corners.
    pub corners: [u32; 3],
    /// A0 [m²]
    pub rest: f64,
}

/// What a body deforms by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Springs and volumes.
    #[default]
    Springs,
    /// Finite elements.
    Fem,
    /// Shape matching.
    Shape,
}

impl BodyKind {
    fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Springs(_) => Self::Springs,
            Kind::Fem(_) => Self::Fem,
            Kind::Shape(_) => Self::Shape,
        }
    }

    /// The name used in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Springs => "springs",
            Self::Fem => "fem",
            Self::Shape => "shape",
        }
    }
}

/// Where a body's elements lie in the arrays of all bodies, and its constants.
#[derive(Clone, Debug, Default)]
pub struct BodyRanges {
    /// The scene's body.
    pub name: String,
    /// Index range of its particles.
    pub particles: Range<usize>,
    /// What it deforms by.
    pub kind: BodyKind,
    /// Whether its springs and volumes have constants of their own.
    pub varied: bool,
    /// Index range of its springs; in bodies of other kinds of its edges.
    pub springs: Range<usize>,
    /// Index range of its tetrahedra.
    pub tets: Range<usize>,
    /// Index range of its finite elements, in the order of its tetrahedra; empty in bodies of other kinds.
    pub elements: Range<usize>,
    /// Index range of its coarse surface's triangles.
    pub triangles: Range<usize>,
    /// Index range of the triangles whose areas it keeps.
    pub areas: Range<usize>,
    /// Constants that differ from tetrahedron to tetrahedron.
    pub fields: Fields,
    /// Distance [m] at which the points of a cloud or a shell touch; 0 where the body has tetrahedra.
    pub radius: f64,
    /// Material constants of springs.
    pub material: Material,
    /// Mean rest length of its springs [m].
    pub edge: f64,
    /// Device index of each mesh point: particle `particles.start + device_index[i]` is the mesh's point i.
    pub device_index: Vec<u32>,
}

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
    /// What is drawn.
    pub skin: Skin,
}

impl Model {
    /// Builds all bodies of a scene.
    ///
    /// # Errors
    /// Unreadable or unusable meshes, a scene whose largest array exceeds `largest_buffer` bytes.
    pub fn new(scene: &Scene, adapter: &str, largest_buffer: u64) -> Result<Self> {
        size::check_lattices(scene, adapter, largest_buffer)?;
        let mut model = Self::default();
        for body in &scene.bodies {
            let rest = Rest::load(body, scene);
            let added = rest.and_then(|rest| model.add(body, rest));
            added.map_err(|error| match error {
                Error::Mesh(message) => Error::Mesh(format!("body \"{}\": {message}", body.name)),
                other => other,
            })?;
        }
        Ok(model)
    }

    /// FNV-1a of what the physics takes from the meshes: positions, masses, pins, rest lengths and volumes, topology.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        self.positions
            .iter()
            .flat_map(DVec3::to_array)
            .for_each(|x| hash.number(x));
        self.masses.iter().for_each(|mass| hash.number(*mass));
        self.pinned
            .iter()
            .for_each(|pinned| hash.bytes(&[u8::from(*pinned)]));
        let springs = self
            .springs
            .iter()
            .map(|s| (&s.points[..], [s.rest, s.distance, s.damping]));
        let tets = self
            .tets
            .iter()
            .map(|t| (&t.corners[..], [t.rest, t.volume, 0.0]));
        let areas = self
            .areas
            .iter()
            .map(|a| (&a.corners[..], [a.rest, 0.0, 0.0]));
        for (particles, numbers) in springs.chain(tets).chain(areas) {
            particles.iter().for_each(|i| hash.integer((*i).into()));
            numbers.iter().for_each(|x| hash.number(*x));
        }
        for element in &self.elements {
            let constants = [element.lambda, element.mu, element.relaxation];
            constants.iter().for_each(|x| hash.number(*x));
        }
        // Other bodies' shapes are in the lengths above, however stretched they start.
        if !self.clusters.is_empty() {
            let rest = self.rest_positions.iter().flat_map(DVec3::to_array);
            rest.for_each(|x| hash.number(x));
        }
        hash.finish()
    }

    /// Springs of the bodies that are made of them.
    pub fn spring_count(&self) -> usize {
        let made_of_springs = |body: &&BodyRanges| body.kind == BodyKind::Springs;
        let bodies = self.bodies.iter().filter(made_of_springs);
        bodies.map(|body| body.springs.len()).sum()
    }

    /// Particle nearest to a point of a body's mesh coordinates.
    pub fn nearest(&self, body: usize, point: DVec3) -> usize {
        let distance = |&i: &usize| self.rest_points[i].distance_squared(point);
        let particles = self.bodies[body].particles.clone();
        particles
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(0)
    }

    /// Where the bodies of the scene would start if none were stretched or scattered [m].
    pub fn rest_in_place(&self, scene: &Scene) -> Vec<DVec3> {
        let mut places = self.rest_positions.clone();
        for (body, ranges) in scene.bodies.iter().zip(&self.bodies) {
            let (_, rotation) = placing(body);
            for x in &mut places[ranges.particles.clone()] {
                *x = rotation * *x + DVec3::from(body.position);
            }
        }
        places
    }

    fn add(&mut self, body: &Body, rest: Rest) -> Result<()> {
        let (shape, rotation) = placing(body);
        let scaled = rest.mesh.points.iter().map(|x| shape * *x).collect();
        let scaled = if rest.mesh.tets.is_empty() {
            TetMesh {
                points: scaled,
                ..rest.mesh.clone()
            }
        } else {
            TetMesh::new(scaled, rest.mesh.tets.clone())?
        };
        let fields = Fields::new(body, &rest.mesh)?;
        let spacing = PointCloud {
            points: scaled.points.clone(),
        };
        let order = particle_order(&degrees(&rest));
        let mut device_index = vec![0_u32; order.len()];
        for (device, &i) in order.iter().enumerate() {
            device_index[i as usize] = device as u32;
        }
        let first = self.positions.len();
        let device = |i: u32| first as u32 + device_index[i as usize];
        let mut ranges = BodyRanges {
            name: body.name.clone(),
            kind: BodyKind::of(&body.kind),
            varied: match body.kind {
                Kind::Springs(Springs::Moduli { .. }) if scaled.tets.is_empty() => true,
                Kind::Springs(_) => !fields.is_empty(),
                Kind::Fem(_) | Kind::Shape(_) => false,
            },
            springs: self.springs.len()..self.springs.len() + rest.edges.len(),
            tets: self.tets.len()..self.tets.len() + scaled.tets.len(),
            triangles: self.triangles.len()..self.triangles.len() + rest.triangles.len(),
            ..BodyRanges::default()
        };
        if scaled.tets.is_empty() {
            ranges.radius = radius(body, &spacing)?;
        }
        if let Kind::Springs(springs) = &body.kind {
            let volume = volume(&scaled, &rest.triangles, ranges.radius);
            ranges.material = Material::new(springs, volume, rest.edges.len(), body.area);
        }
        let materials = OwnMaterials::new(
            body,
            &fields,
            &ranges.material,
            &scaled,
            &rest,
            ranges.radius,
        );
        for (&[a, b], (distance, damping)) in rest.edges.iter().zip(materials.springs) {
            let rest = scaled.points[a as usize].distance(scaled.points[b as usize]);
            self.springs.push(Spring {
                points: [device(a), device(b)],
                rest,
                distance,
                damping,
            });
        }
        for (i, corners) in scaled.tets.iter().enumerate() {
            self.tets.push(Tet {
                corners: corners.map(device),
                rest: scaled.volume(i),
                volume: materials.volumes[i],
            });
        }
        self.triangles
            .extend(rest.triangles.iter().map(|corners| corners.map(device)));
        let areas = self.areas.len();
        if body.area > 0.0 {
            self.add_areas(&scaled.points, &rest.triangles, device)?;
        }
        ranges.areas = areas..self.areas.len();
        let lengths = &self.springs[ranges.springs.clone()];
        let sum: f64 = lengths.iter().map(|spring| spring.rest).sum();
        ranges.edge = sum / lengths.len().max(1) as f64;
        if scaled.tets.is_empty() {
            if lengths.is_empty() {
                ranges.edge = 2.0 * ranges.radius;
            }
        } else if body.radius.is_some() {
            let at = format!("body \"{}\".radius", body.name);
            let want = "none: a body of tetrahedra touches by its surface";
            return Err(Error::value(at, "a radius", want));
        }
        if let Kind::Shape(shape) = &body.kind {
            let edge = if rest.edges.is_empty() {
                spacing.spacing().unwrap_or(0.0)
            } else {
                ranges.edge
            };
            let clusters = clusters::of(&body.name, shape, &rest.mesh, &scaled, edge)?;
            self.clusters.extend(clusters.into_iter().map(|members| {
                let mut members: Vec<u32> = members.into_iter().map(device).collect();
                members.sort_unstable();
                Cluster {
                    body: self.bodies.len(),
                    members,
                    mode: shape.mode,
                }
            }));
        }
        let masses = masses(body, &scaled, &rest, &fields, ranges.radius);
        self.place(body, &rest.mesh, &scaled, rotation, &order, &masses)?;
        let elements = self.elements.len();
        if let Kind::Fem(material) = &body.kind {
            let tets = &self.tets[ranges.tets.clone()];
            let inverse_mass = |i: u32| match self.pinned[i as usize] {
                true => 0.0,
                false => self.masses[i as usize].recip(),
            };
            self.elements.extend(fem::elements(
                material,
                &fields,
                &scaled,
                tets,
                inverse_mass,
            ));
        }
        ranges.elements = elements..self.elements.len();
        self.skin
            .add(body, &scaled, &rest.triangles, rest.embedding, device);
        ranges.particles = first..self.positions.len();
        ranges.device_index = device_index;
        ranges.fields = fields;
        self.bodies.push(ranges);
        Ok(())
    }

    fn add_areas(
        &mut self,
        points: &[DVec3],
        triangles: &[[u32; 3]],
        device: impl Fn(u32) -> u32,
    ) -> Result<()> {
        for (i, corners) in triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|i| points[i as usize]);
            let rest = 0.5 * (b - a).cross(c - a).length();
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            if rest <= 1e-6 * longest * longest {
                let message =
                    format!("triangle {i} (corners {corners:?}) has no area to keep: {rest:e} m²");
                return Err(Error::Mesh(message));
            }
            self.areas.push(Area {
                corners: corners.map(&device),
                rest,
            });
        }
        Ok(())
    }

    /// Masses, pins, and the state at the start.
    fn place(
        &mut self,
        body: &Body,
        mesh: &TetMesh,
        rest: &TetMesh,
        rotation: DMat3,
        order: &[u32],
        masses: &[f64],
    ) -> Result<()> {
        let mut scatter = Scatter::new(&body.name, body.scatter);
        let stretch = DVec3::from(body.stretch);
        let placed: Vec<_> = rest
            .points
            .iter()
            .map(|x| rotation * (stretch * *x) + DVec3::from(body.position) + scatter.next())
            .collect();
        let total: f64 = masses.iter().sum();
        let centre = placed
            .iter()
            .zip(masses)
            .map(|(x, m)| *x * *m)
            .sum::<DVec3>()
            / total;
        for &i in order {
            let i = i as usize;
            let pinned = body
                .pin
                .iter()
                .any(|pin| pin.contains(mesh.points[i].to_array()));
            let spin = DVec3::from(body.angular_velocity).cross(placed[i] - centre);
            let velocity = DVec3::from(body.velocity) + spin;
            self.positions.push(placed[i]);
            self.velocities
                .push(if pinned { DVec3::ZERO } else { velocity });
            self.masses.push(masses[i]);
            self.pinned.push(pinned);
            self.rest_points.push(mesh.points[i]);
            self.rest_positions.push(rest.points[i]);
            check_particle(&body.name, masses[i], placed[i], velocity)?;
        }
        Ok(())
    }
}

/// Farthest that a particle may start from the origin [m].
const FARTHEST: f64 = 1e9;

fn check_particle(name: &str, mass: f64, position: DVec3, velocity: DVec3) -> Result<()> {
    let inverse = (1.0 / mass) as f32;
    if !inverse.is_finite() || inverse == 0.0 {
        return Err(Error::value(
            format!("the mass of a point of body \"{name}\""),
            format!("{mass:.3e} kg"),
            "1e-38 to 1e38 kg",
        ));
    }
    if position.abs().max_element() > FARTHEST {
        return Err(Error::value(
            format!("the position of a point of body \"{name}\""),
            position,
            "within 1e9 m of the origin",
        ));
    }
    if velocity.length() >= f64::from(SPEED_LIMIT) {
        return Err(Error::value(
            format!("the speed of a point of body \"{name}\""),
            format!("{:.3e} m/s", velocity.length()),
            format!("below {SPEED_LIMIT} m/s"),
        ));
    }
    Ok(())
}

/// Rz Ry Rx: about the fixed x, then y, then z axis.
pub(crate) fn rotation_matrix(angles: [f64; 3]) -> DMat3 {
    DMat3::from_rotation_z(angles[2])
        * DMat3::from_rotation_y(angles[1])
        * DMat3::from_rotation_x(angles[0])
}

/// What makes the rest shape of the mesh, and what turns that to where the body starts.
pub(super) fn placing(body: &Body) -> (DMat3, DMat3) {
    let scale = DMat3::from_diagonal(DVec3::from(body.scale));
    let rotation = rotation_matrix(body.rotation);
    match body.order {
        Order::ScaleFirst => (scale, rotation),
        Order::RotateFirst => (scale * rotation, DMat3::IDENTITY),
    }
}

/// Springs and tetrahedra per point.
fn degrees(rest: &Rest) -> Vec<u32> {
    let mut degrees = vec![0_u32; rest.mesh.points.len()];
    for i in rest
        .edges
        .iter()
        .flatten()
        .chain(rest.mesh.tets.iter().flatten())
    {
        degrees[*i as usize] += 1;
    }
    degrees
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
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
                (0..4)
                    .map(|k| skinned.positions[corners[k] as usize] * weights[k])
                    .sum()
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
        assert!(
            message.starts_with("bar.node: mesh: holds tetrahedra"),
            "{message}"
        );
    }
}
