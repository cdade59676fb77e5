//! From a scene to the arrays of all its bodies, on the host, in f64.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::{Material, Skin, order::particle_order, size};
use crate::gpu::types::SPEED_LIMIT;
use crate::hash::Fnv;
use crate::mesh::{self, Embedding, Mesh, TetMesh};
use crate::scene::{Body, Mass, MeshSource, Scene};
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
        let scale = DVec3::from(body.scale);
        let rest = TetMesh::new(
            mesh.points.iter().map(|x| *x * scale).collect(),
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
        self.place(body, &mesh, &rest, &order)?;
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
            device_index,
        });
        Ok(())
    }

    /// Masses, pins, and the state at the start.
    fn place(&mut self, body: &Body, mesh: &TetMesh, rest: &TetMesh, order: &[u32]) -> Result<()> {
        let masses = match body.mass {
            Mass::PerPoint(mass) => vec![mass; rest.points.len()],
            Mass::Density(density) => mesh::lumped_volumes(rest)
                .iter()
                .map(|volume| density * volume)
                .collect(),
        };
        let rotation = rotation_matrix(body.rotation);
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

fn load_mesh(body: &Body, scene: &Scene) -> Result<(TetMesh, Option<Embedding>)> {
    let embed = |surface: &mesh::Surface, cells| {
        mesh::embed(surface, cells).map(|(mesh, embedding)| (mesh, Some(embedding)))
    };
    match &body.mesh {
        MeshSource::Lattice { cubes, size } => {
            Ok((TetMesh::lattice(*cubes, DVec3::from(*size))?, None))
        }
        MeshSource::Tets(mesh) => Ok((TetMesh::new(mesh.points.clone(), mesh.tets.clone())?, None)),
        MeshSource::Surface { surface, cells } => embed(surface, *cells),
        MeshSource::File { path, cells } => match mesh::read(&scene.folder.join(path))? {
            Mesh::Tets(mesh) => Ok((mesh, None)),
            Mesh::Surface(surface) => embed(&surface, *cells).map_err(|error| error.in_file(path)),
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
