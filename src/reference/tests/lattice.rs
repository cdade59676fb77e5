//! Systems that several tests use: random numbers, a lattice of cubes, single points.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};

pub use crate::verify::Random;

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

/// A block of n³ cubes of edge `cell` with its corner at the origin, each cube five tetrahedra in two mirrored
/// patterns. Every point weighs 0.05 kg; k_D = 60 J, k_V = 20 J, undamped.
pub fn block(n: usize, cell: f64) -> System {
    let side = n + 1;
    let index = |p: [usize; 3]| (p[0] * side + p[1]) * side + p[2];
    let mut position = Vec::new();
    let mut tets = Vec::new();
    for a in 0..side {
        for b in 0..side {
            for c in 0..side {
                position.push(DVec3::new(a as f64, b as f64, c as f64) * cell);
                if a < n && b < n && c < n {
                    tets.extend(cube_tets([a, b, c]).map(|t| t.map(index)));
                }
            }
        }
    }
    let oriented = tets.into_iter().map(|mut corners| {
        if tets::volume(corners, &position) < 0.0 {
            corners.swap(2, 3);
        }
        Tet {
            corners,
            rest_volume: tets::volume(corners, &position),
        }
    });
    let tets: Vec<Tet> = oriented.collect();
    let mut edges = BTreeSet::new();
    for tet in &tets {
        for p in 0..4 {
            for q in 0..p {
                let (i, j) = (tet.corners[p], tet.corners[q]);
                edges.insert([i.min(j), i.max(j)]);
            }
        }
    }
    let spring = |points: [usize; 2]| Spring {
        points,
        rest: position[points[0]].distance(position[points[1]]),
    };
    let material = Material {
        distance: 60.0,
        volume: 20.0,
        ..Material::default()
    };
    System {
        velocity: vec![DVec3::ZERO; position.len()],
        inverse_mass: vec![20.0; position.len()],
        body: vec![0; position.len()],
        springs: edges.into_iter().map(spring).collect(),
        bodies: vec![material],
        position,
        tets,
        ..System::default()
    }
}

/// The five tetrahedra of the cube at `origin`: the inner one joins every second corner, the others cut off the rest.
pub fn cube_tets(origin: [usize; 3]) -> [[[usize; 3]; 4]; 5] {
    let parity = (origin[0] + origin[1] + origin[2]) % 2;
    let corner = |bits: usize| {
        let x = if parity == 0 {
            bits & 1
        } else {
            1 - (bits & 1)
        };
        [
            origin[0] + x,
            origin[1] + (bits >> 1 & 1),
            origin[2] + (bits >> 2 & 1),
        ]
    };
    [
        [0, 3, 5, 6],
        [1, 0, 3, 5],
        [2, 0, 3, 6],
        [4, 0, 5, 6],
        [7, 3, 5, 6],
    ]
    .map(|t| t.map(corner))
}

/// [`block`] with every point moved at random by up to `share` of a cell.
pub fn scattered_block(n: usize, share: f64, seed: u64) -> System {
    let cell = 0.2;
    let mut system = block(n, cell);
    let mut random = Random::new(seed);
    system
        .position
        .iter_mut()
        .for_each(|x| *x += share * cell * random.vector(1.0));
    system
}

#[test]
fn block_has_the_known_counts() {
    let system = block(5, 0.2);
    assert_eq!(
        (
            system.position.len(),
            system.springs.len(),
            system.tets.len()
        ),
        (216, 990, 625)
    );
    let volume: f64 = system.tets.iter().map(|t| t.rest_volume).sum();
    assert!((volume - 1.0).abs() < 1e-12);
}
