//! What the tests of spheres share: single points, clouds, and measures.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::scene::{Body, Mass, MeshSource, Pull, Scene, ShapeMatching, Step};
use pliant::world::Snapshot;

use crate::collide_support::*;
use crate::support::*;

/// Radius of most spheres [m].
pub const R: f64 = 0.05;

/// A cloud of spheres of radius R, 1 kg in all, soft and damped.
pub fn cloud(points: &[DVec3]) -> Body {
    let mut body = Body::new("cloud", MeshSource::Points(points.to_vec()));
    body.kind =
        ShapeMatching { pull: Pull::Frequency(10.0), relaxation: 0.01, ..ShapeMatching::default() }
            .into();
    body.mass = Mass::Point(1.0 / points.len() as f64);
    body.radius = Some(R);
    body
}

/// A single sphere of 1 kg.
pub fn pebble(position: DVec3, velocity: DVec3) -> Body {
    let mut body = cloud(&[DVec3::ZERO]);
    body.position = position.to_array();
    body.velocity = velocity.to_array();
    body
}

/// The same, held.
pub fn held(position: DVec3) -> Body {
    let mut body = pebble(position, DVec3::ZERO);
    body.pin.push(EVERYWHERE);
    body
}

/// A cube of n³ spheres that are two radii apart, its middle at the origin.
pub fn heap(n: u32) -> Vec<DVec3> {
    let at = |k: u32| 2.0 * R * (f64::from(k) - 0.5 * f64::from(n - 1));
    let points = (0..n.pow(3)).map(|k| DVec3::new(at(k % n), at(k / n % n), at(k / n / n)));
    points.collect()
}

/// A block of tetrahedra whose points are all held, its top at 0.
pub fn table() -> Body {
    let mut body = brick([6, 2, 6], [1.2, 0.4, 1.2], [0.0, -0.2, 0.0], 1000.0, 1e6);
    body.pin.push(EVERYWHERE);
    body
}

/// Where a body's only particle is, and its velocity.
pub fn state(world: &World, now: &Snapshot, body: usize) -> (DVec3, DVec3) {
    (centre(world, now, body), drift(world, now, body))
}

/// The least distance between spheres of different bodies, less the sum of their radii [m]: negative where they overlap.
pub fn least_gap(world: &World, now: &Snapshot) -> f64 {
    let x = doubles(&now.positions);
    let bodies = &world.model().bodies;
    let round: Vec<_> = bodies.iter().filter(|b| b.radius > 0.0).collect();
    let mut least = f64::INFINITY;
    for (k, a) in round.iter().enumerate() {
        for b in &round[..k] {
            for i in a.particles.clone() {
                let gaps = b.particles.clone().map(|j| x[i].distance(x[j]) - a.radius - b.radius);
                least = gaps.fold(least, extreme::least);
            }
        }
    }
    least
}

/// The least distance of spheres from surfaces of tetrahedra, less the radius [m]; of a centre that is inside minus both.
pub fn least_clearance(world: &World, now: &Snapshot) -> f64 {
    let (model, x) = (world.model(), doubles(&now.positions));
    let mut least = f64::INFINITY;
    for round in model.bodies.iter().filter(|b| b.radius > 0.0) {
        for other in model.bodies.iter().filter(|b| b.radius == 0.0) {
            for i in round.particles.clone() {
                let side = if inside(model, other, x[i], &x) { -1.0 } else { 1.0 };
                let clear = side * to_surface(model, other, x[i], &x) - round.radius;
                least = extreme::least(least, clear);
            }
        }
    }
    least
}

/// A scene with a step of its own.
pub fn at_step(mut scene: Scene, step: f64) -> Scene {
    scene.world.step = Step::Fixed(step);
    scene
}
