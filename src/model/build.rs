//! From a scene to the arrays of all its bodies, on the host, in f64.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::{Material, Skin, order::particle_order, size};
use crate::gpu::types::SPEED_LIMIT;
use crate::hash::Fnv;
use crate::mesh::{self, Embedding, Mesh, TetMesh};
use crate::scene::{Body, Mass, MeshSource, Order, Scene};
use crate::{Error, Result};

/// A spring between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Its ends.
    pub points: [u32; 2],
    /// l0 [m]
    pub rest: f64,
}

/// A tetrahedron, positively oriented.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tet {
    /// Its corners.
    pub corners: [u32; 4],
    /// V0 [m³]
    pub rest: f64,
}

/// Where a body's elements lie in the arrays of all bodies, and its constants.
#[derive(Clone, Debug)]
pub struct BodyRanges {
    /// The scene's body.
    pub name: String,
    /// Index range of its particles.
    pub particles: Range<usize>,
    /// Index range of its springs.
    pub springs: Range<usize>,
    /// Index range of its tetrahedra.
    pub tets: Range<usize>,
    /// Index range of its coarse surface's triangles.
    pub triangles: Range<usize>,
    /// Material constants.
    pub material: Material,
    /// Mean rest length of its springs [m].
    pub edge: f64,
    /// Radius of its particles [m]; 0 for a mesh.
    pub radius: f64,
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
    /// Springs of all bodies.
    pub springs: Vec<Spring>,
    /// Tetrahedra of all bodies.
    pub tets: Vec<Tet>,
    /// Triangles of all coarse surfaces, wound outward.
    pub triangles: Vec<[u32; 3]>,
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
            let (mesh, embedding) = load_mesh(body, scene).map_err(|error| match error {
                Error::Mesh(message) => Error::Mesh(format!("body \"{}\": {message}", body.name)),
                other => other,
            })?;
            model.add(body, mesh, embedding)?;
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
            .map(|spring| (&spring.points[..], spring.rest));
        let tets = self.tets.iter().map(|tet| (&tet.corners[..], tet.rest));
        for (particles, rest) in springs.chain(tets) {
            particles.iter().for_each(|i| hash.integer((*i).into()));
            hash.number(rest);
        }
        hash.finish()
    }

    /// Particle nearest to a point of a body's mesh coordinates.
    pub fn nearest(&self, body: usize, point: DVec3) -> usize {
        let distance = |&i: &usize| self.rest_points[i].distance_squared(point);
        let particles = self.bodies[body].particles.clone();
        particles
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(0)
    }

    fn add(&mut self, body: &Body, mesh: TetMesh, embedding: Option<Embedding>) -> Result<()> {
        let (shape, rotation) = placing(body);
        let rest = TetMesh::new(
            mesh.points.iter().map(|x| shape * *x).collect(),
            mesh.tets.clone(),
        )?;
        let edges = rest.edges();
        let order = particle_order(&degrees(&rest, &edges));
        let mut device_index = vec![0_u32; order.len()];
        for (device, &i) in order.iter().enumerate() {
            device_index[i as usize] = device as u32;
        }
        let first = self.positions.len();
        let device = |i: u32| first as u32 + device_index[i as usize];
        let (springs, tets, triangles) =
            (self.springs.len(), self.tets.len(), self.triangles.len());
        for &[a, b] in &edges {
            let rest = rest.points[a as usize].distance(rest.points[b as usize]);
            self.springs.push(Spring {
                points: [device(a), device(b)],
                rest,
            });
        }
        for (i, corners) in rest.tets.iter().enumerate() {
            self.tets.push(Tet {
                corners: corners.map(device),
                rest: rest.volume(i),
            });
        }
        let surface = rest.surface_triangles();
        self.triangles
            .extend(surface.iter().map(|corners| corners.map(device)));
        self.place(body, &mesh, &rest, rotation, &order)?;
        self.skin.add(body, &rest, &surface, embedding, device);
        let lengths = &self.springs[springs..];
        self.bodies.push(BodyRanges {
            name: body.name.clone(),
            particles: first..self.positions.len(),
            springs: springs..self.springs.len(),
            tets: tets..self.tets.len(),
            triangles: triangles..self.triangles.len(),
            material: Material::new(&body.material, rest.total_volume(), edges.len()),
            edge: lengths.iter().map(|spring| spring.rest).sum::<f64>()
                / lengths.len().max(1) as f64,
            radius: 0.0,
            device_index,
        });
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
    ) -> Result<()> {
        let masses = match body.mass {
            Mass::PerPoint(mass) => vec![mass; rest.points.len()],
            Mass::Density(density) => mesh::lumped_volumes(rest)
                .iter()
                .map(|volume| density * volume)
                .collect(),
        };
        let placed: Vec<_> = rest
            .points
            .iter()
            .map(|x| rotation * *x + DVec3::from(body.position))
            .collect();
        let total: f64 = masses.iter().sum();
        let centre = placed
            .iter()
            .zip(&masses)
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
fn placing(body: &Body) -> (DMat3, DMat3) {
    let scale = DMat3::from_diagonal(DVec3::from(body.scale));
    let rotation = rotation_matrix(body.rotation);
    match body.order {
        Order::ScaleFirst => (scale, rotation),
        Order::RotateFirst => (scale * rotation, DMat3::IDENTITY),
    }
}

/// The body's mesh in its own coordinates, and what it carries to be drawn.
fn load_mesh(body: &Body, scene: &Scene) -> Result<(TetMesh, Option<Embedding>)> {
    let (mesh, embedding) = load_tets(body, scene)?;
    let Some(skin) = &body.skin else {
        return Ok((mesh, embedding));
    };
    match mesh::read(&scene.folder.join(skin))? {
        Mesh::Surface(surface) => {
            let embedding = mesh::immerse(&surface, &mesh).map_err(|error| error.in_file(skin))?;
            Ok((mesh, Some(embedding)))
        }
        Mesh::Tets(_) => {
            let message = "holds tetrahedra, wanted a surface to be drawn";
            Err(Error::file(skin, "mesh", message))
        }
        Mesh::Points(_) => {
            let message = "holds points alone, wanted a surface to be drawn";
            Err(Error::file(skin, "mesh", message))
        }
    }
}

fn load_tets(body: &Body, scene: &Scene) -> Result<(TetMesh, Option<Embedding>)> {
    let embed = |surface: &mesh::Surface, cells| {
        mesh::embed(surface, cells).map(|(mesh, embedding)| (mesh, Some(embedding)))
    };
    match &body.mesh {
        MeshSource::Lattice { cubes, size } => {
            Ok((TetMesh::lattice(*cubes, DVec3::from(*size))?, None))
        }
        MeshSource::Tets(mesh) => {
            let checked = TetMesh::new(mesh.points.clone(), mesh.tets.clone())?;
            Ok((checked.with_cell_data(mesh.cell_data.clone())?, None))
        }
        MeshSource::Surface { surface, cells } => embed(surface, *cells),
        MeshSource::File { path, cells } => match mesh::read(&scene.folder.join(path))? {
            Mesh::Tets(mesh) => Ok((mesh, None)),
            Mesh::Surface(surface) => embed(&surface, *cells).map_err(|error| error.in_file(path)),
            Mesh::Points(_) => {
                let message = "holds points alone, wanted a surface or tetrahedra";
                Err(Error::file(path, "mesh", message))
            }
        },
    }
}

/// Springs and tetrahedra per point.
fn degrees(mesh: &TetMesh, edges: &[[u32; 2]]) -> Vec<u32> {
    let mut degrees = vec![0_u32; mesh.points.len()];
    for i in edges.iter().flatten().chain(mesh.tets.iter().flatten()) {
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
        mesh::Bounds::of(points.iter().copied()).size()
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
