//! What a collision of two free bodies keeps: momentum; what it must not make: energy.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::reference::contact::geometry::barycentric_in_triangle;
use pliant::mesh::TetMesh;
use pliant::scene::{Body, Scene, Springs, Step};

use crate::collide_support::*;
use crate::support::*;

/// Two blocks at random poses that meet near the origin, each at half of `speed`.
fn crash(seed: u64, speed: f64, damping: f64) -> Scene {
    let mut random = Random::new(seed);
    let bodies = [-1.0, 1.0].map(|side: f64| {
        let mut body = block(3, 0.2, damping);
        body.rotation = (std::f64::consts::PI * random.vector(1.0)).to_array();
        let aside = 0.25 * random.vector(1.0);
        body.position = [side * 0.56, aside.y, aside.z];
        body.velocity = [-0.5 * side * speed, 0.0, 0.0];
        body
    });
    meeting(bodies)
}

struct Balance {
    momentum: f64,
    angular: f64,
    /// Of the energy at the start: the most at any time, and the mean after parting.
    highest: f64,
    end: f64,
    contacts: u64,
}

/// Follows a crash until the bodies have flown through each other's places, looking every few steps.
fn follow(scene: &Scene, speed: f64) -> Balance {
    let mut world = world(scene);
    let (system, start) = (system(&world), momenta(&mut world));
    let e0 = energies(&system, &world.read().unwrap()).total();
    let looks = 60;
    let time = 1.2 / speed + 0.06;
    let look = |_| {
        let now = advance(&mut world, time / f64::from(looks));
        energies(&system, &now).total() / e0
    };
    let found: Vec<_> = (0..looks).map(look).collect();
    let end = momenta(&mut world);
    Balance {
        momentum: end.off(&start)[0],
        angular: end.angular.distance(start.angular) / start.turning,
        highest: found.iter().copied().fold(0.0, extreme::greatest),
        end: found[looks as usize - 10..].iter().sum::<f64>() / 10.0,
        contacts: world.contacts().contacts,
    }
}

fn check(name: &str, found: &Balance, friction: f64, speed: f64) {
    assert!(found.contacts > 0, "{name}: missed");
    assert!(found.momentum < 1e-5, "{name}: {:e}", found.momentum);
    // Friction acts on a point and on a surface that, in a step at 8 m/s, may lie a centimetre apart: its torque is seen.
    if friction == 0.0 || speed < 8.0 {
        assert!(found.angular < 5e-4, "{name}: {:e}", found.angular);
    }
    assert!(found.highest < 1.01, "{name}: {}", found.highest);
    assert!(found.end < 1.01, "{name}: {}", found.end);
}

#[test]
fn crashes_keep_momentum_and_make_no_energy() {
    for damping in [0.0, 0.5] {
        for speed in [0.5, 2.0, 8.0] {
            for seed in 0..2 {
                let friction = if seed % 2 == 0 { 0.0 } else { 0.5 };
                let mut scene = crash(seed, speed, damping);
                scene.world.friction = friction;
                let name = format!("d {damping}, {speed} m/s, pose {seed}, friction {friction}");
                check(&name, &follow(&scene, speed), friction, speed);
            }
        }
    }
}

/// So soft that points fly like free ones for as long as an impact takes.
const LOOSE: Springs = Springs::Constants { distance: 1e-4, volume: 1e-4, damping: 0.0 };

fn loose(mesh: TetMesh) -> Body {
    let mut body = from_mesh(mesh);
    body.kind = LOOSE.into();
    body
}

/// A tetrahedron that stands on its tip, the tip at the origin.
fn tip() -> TetMesh {
    let points = [[0.0, 0.0, 0.0], [-0.5, 1.0, -0.3], [0.5, 1.0, -0.3], [0.0, 1.0, 0.6]];
    TetMesh::new(points.map(DVec3::from).to_vec(), vec![[0, 1, 2, 3]]).unwrap()
}

/// A tetrahedron whose upper face is level, in it the point `under` at weights 0.5, 0.3, 0.2.
fn table(under: DVec3) -> TetMesh {
    let face = [[-2.0, 0.0, -1.0], [2.0, 0.0, -1.0], [0.0, 0.0, 2.0]].map(DVec3::from);
    let shift = under - (0.5 * face[0] + 0.3 * face[1] + 0.2 * face[2]);
    let mut points = face.map(|p| p + shift).to_vec();
    points.push(DVec3::new(0.0, -2.0, 0.0));
    TetMesh::new(points, vec![[0, 1, 2, 3]]).unwrap()
}

/// One point on one triangle: they go on together, and the impulse is shared by the weights.
#[test]
fn point_is_stopped_by_a_triangle() {
    let mut flying = loose(tip());
    flying.position = [0.0, 0.05, 0.0];
    flying.velocity = [0.0, -1.0, 0.0];
    let mut scene = meeting([loose(table(DVec3::ZERO)), flying]);
    scene.world.step = Step::Fixed(1e-3);
    let mut world = world(&scene);
    let end = advance(&mut world, 0.1);
    let of = |body: usize| {
        let ranges = &world.model().bodies[body];
        let velocities = &end.velocities[ranges.particles.clone()];
        (0..4).map(|k| f64::from(velocities[ranges.device_index[k] as usize].y)).collect::<Vec<_>>()
    };
    let (upper, lower) = (of(1), of(0));
    let weights = [0.5, 0.3, 0.2];
    let impulse = 1.0 / (1.0 + weights.iter().map(|w| w * w).sum::<f64>());
    assert!((upper[0] + 1.0 - impulse).abs() < 1e-5, "{upper:?}");
    for (found, weight) in lower.iter().zip(weights) {
        assert!((found + weight * impulse).abs() < 1e-5, "{lower:?}");
    }
}

/// Four points of a cube's face on one triangle, at once: no impulse must take from another what it is to give.
#[test]
fn face_is_stopped_by_a_triangle() {
    let mut cube = loose(TetMesh::lattice([1; 3], DVec3::splat(0.4)).unwrap());
    cube.position = [0.0, 0.25, 0.0];
    cube.velocity = [0.0, -1.0, 0.0];
    let under = DVec3::new(0.1, 0.0, -0.2);
    let mut scene = meeting([loose(table(under)), cube]);
    scene.world.step = Step::Fixed(1e-3);
    let mut world = world(&scene);
    let end = advance(&mut world, 0.1);
    let (table, cube) = (&world.model().bodies[0], world.model().bodies[1].particles.clone());
    let at = |k: usize| table.particles.start + table.device_index[k] as usize;
    let (x, v) = (doubles(&end.positions), doubles(&end.velocities));
    let face = [0, 1, 2].map(|k| x[at(k)].with_y(0.0));
    let middle = centre(&world, &end, 1).y;
    for i in cube.filter(|&i| x[i].y < middle) {
        let weights = barycentric_in_triangle(x[i].with_y(0.0), face).unwrap();
        let below: f64 = (0..3).map(|k| weights[k] * v[at(k)].y).sum();
        let parting = v[i].y - below;
        assert!(parting.abs() < 0.02, "{parting}");
    }
}
