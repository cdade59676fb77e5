//! Systems that several tests use: random numbers, a lattice of cubes, single points.

use glam::{DQuat, DVec3};

pub use crate::verify::Random;

use crate::extreme;
use crate::mesh::TetMesh;
use crate::reference::{Integrator, Material, Spring, System, Tet, tets};

/// All integrators.
pub const INTEGRATORS: [Integrator; 6] = [
    Integrator::Euler,
    Integrator::SymplecticEuler,
    Integrator::Verlet,
    Integrator::Leapfrog,
    Integrator::Midpoint,
    Integrator::Rk4,
];

/// A rotation.
pub fn rotation(random: &mut Random) -> DQuat {
    let [a, b] = [random.vector(1.0), random.vector(1.0)];
    DQuat::from_xyzw(a.x, a.y, a.z, b.x).normalize()
}

/// `count` vectors in the cube of half size `scale`.
pub fn vectors(random: &mut Random, count: usize, scale: f64) -> Vec<DVec3> {
    (0..count).map(|_| random.vector(scale)).collect()
}

/// The longest of some vectors.
pub fn largest(vectors: &[DVec3]) -> f64 {
    vectors.iter().map(|v| v.length()).fold(0.0, extreme::greatest)
}

/// ‖a − b‖ over the largest of a.
pub fn off(a: &[DVec3], b: &[DVec3]) -> f64 {
    let difference: Vec<_> = a.iter().zip(b).map(|(a, b)| *a - *b).collect();
    largest(&difference) / largest(a)
}

/// Points without springs.
pub fn points(position: &[DVec3], velocity: &[DVec3], mass: f64) -> System {
    System {
        position: position.to_vec(),
        velocity: velocity.to_vec(),
        inverse_mass: vec![1.0 / mass; position.len()],
        body: vec![0; position.len()],
        bodies: vec![Material::default()],
        ..System::default()
    }
}

/// A block of n³ cubes of edge `cell` with its corner at the origin, five tetrahedra in each. Every point weighs 0.05 kg;
/// k_D = 60 J, k_V = 20 J, undamped.
pub fn block(n: u32, cell: f64) -> System {
    let size = DVec3::splat(f64::from(n) * cell);
    let mesh = TetMesh::lattice([n; 3], size).unwrap();
    let position: Vec<_> = mesh.points.iter().map(|x| *x + 0.5 * size).collect();
    let tet = |corners: &[u32; 4]| {
        let corners = corners.map(|i| i as usize);
        let rest_volume = tets::volume(corners, &position);
        Tet { corners, rest_volume, stiffness: 20.0 }
    };
    let spring = |points: [u32; 2]| {
        let points = points.map(|i| i as usize);
        let rest = position[points[0]].distance(position[points[1]]);
        Spring { points, rest, stiffness: 60.0, damping: 0.0 }
    };
    System {
        velocity: vec![DVec3::ZERO; position.len()],
        inverse_mass: vec![20.0; position.len()],
        body: vec![0; position.len()],
        springs: mesh.edges().into_iter().map(spring).collect(),
        tets: mesh.tets.iter().map(tet).collect(),
        bodies: vec![Material::default()],
        position,
        ..System::default()
    }
}

/// [`block`] with every point moved at random by up to `share` of a cell.
pub fn scattered_block(n: u32, share: f64, seed: u64) -> System {
    let cell = 0.2;
    let mut system = block(n, cell);
    let mut random = Random::new(seed);
    system.position.iter_mut().for_each(|x| *x += share * cell * random.vector(1.0));
    system
}

#[test]
fn block_has_the_known_counts() {
    let system = block(5, 0.2);
    assert_eq!((system.position.len(), system.springs.len(), system.tets.len()), (216, 990, 625));
    let volume: f64 = system.tets.iter().map(|t| t.rest_volume).sum();
    assert!((volume - 1.0).abs() < 1e-12);
}
