//! Fast bodies: nothing passes through another at a body's length in a frame.

use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme::{greatest, least};
use pliant::scene::{Integrator, Scene};
use pliant::world::Snapshot;

use crate::collide_support::*;
use crate::support::*;

/// What is seen of a flight, in each frame of 1/60 s.
#[derive(Debug)]
struct Flight {
    deepest: f64,
    least_volume: f64,
    /// The bullet's way ahead of the middle of whatever it flies against [m]: positive once it has passed.
    ahead: f64,
    points: u64,
}

fn fly(world: &mut World, frames: usize, ahead: impl Fn(&World, &Snapshot) -> f64) -> Flight {
    let mut flight =
        Flight { deepest: 0.0, least_volume: f64::INFINITY, ahead: f64::NEG_INFINITY, points: 0 };
    for _ in 0..frames {
        let now = advance(world, 1.0 / 60.0);
        flight.deepest = greatest(flight.deepest, depths(world, &now).max);
        flight.least_volume = least(flight.least_volume, least_volume(world, &now));
        flight.ahead = greatest(flight.ahead, ahead(world, &now));
    }
    flight.points = world.contacts().points;
    println!("step {:.1e} s: {flight:?}, {:?}", world.stepping().step, world.contacts());
    flight
}

fn check(name: &str, flight: &Flight, world: &World) {
    assert!(flight.points > 0, "{name}: missed");
    assert!(flight.ahead < 0.0, "{name}: passed by {} m", flight.ahead);
    assert!(flight.deepest < 0.1, "{name}: {} of an edge deep", flight.deepest);
    assert!(world.contacts().depth_max < 0.3, "{name}: {:?}", world.contacts());
}

/// A wall of nine soft cubes; the bullet meets the one in the middle.
#[test]
fn bullet_does_not_pass_a_wall_of_soft_cubes() {
    for density in [300.0, 3000.0] {
        let mut scene = scene_file("soft_bullet.toml");
        scene.bodies[0].mass = pliant::scene::Mass::Density(density);
        let hit = scene.bodies.iter().position(|b| b.name == "wall 2.2").unwrap();
        let mut world = world(&scene);
        let flight =
            fly(&mut world, 32, |world, now| centre(world, now, 0).x - centre(world, now, hit).x);
        check(&format!("{density} kg/m³"), &flight, &world);
    }
}

/// A plate of 1 m, its rim held, and a small cube that flies at its middle, by its own length in a frame. A
/// soft plate could not hold a heavy cube; this one stretches by a quarter at the most.
fn against_plate(
    thickness: f64,
    cells: [u32; 2],
    young: f64,
    side: f64,
    rotation: [f64; 3],
) -> Scene {
    let [wide, thick] = cells;
    let mut plate = brick([wide, thick, wide], [1.0, thickness, 1.0], [0.0; 3], 1000.0, young);
    for (axis, end) in [(0, -0.5), (0, 0.5), (2, -0.5), (2, 0.5)] {
        let mut rim = within([-1.0; 3], [1.0; 3]);
        rim.min[axis] = end - 0.01;
        rim.max[axis] = end + 0.01;
        plate.pin.push(rim);
    }
    let mut cube = brick([2; 3], [side; 3], [0.017, 0.3, 0.031], 1e-3 * young, young);
    cube.velocity = [0.0, -60.0 * side, 0.0];
    cube.rotation = rotation;
    meeting([plate, cube])
}

/// The cube is never below the plate's own middle point.
fn stays_in_front(name: &str, scene: &Scene, frames: usize) {
    print!("{name}: ");
    let mut world = world(scene);
    let middle = world.model().nearest(0, glam::DVec3::ZERO);
    let flight = fly(&mut world, frames, |world, now| {
        f64::from(now.positions[middle].y) - centre(world, now, 1).y
    });
    check(name, &flight, &world);
}

#[test]
fn small_fast_cube_does_not_pass_a_thin_soft_plate() {
    for (thickness, cells) in [(0.02, [10, 1]), (0.05, [8, 1])] {
        for young in [1e5, 1e6] {
            for side in [0.05, 0.2] {
                for rotation in [[0.0; 3], [0.6, 0.2, 0.9]] {
                    let name = format!("{thickness} m, {young:e} Pa, cube {side} m, {rotation:?}");
                    let scene = against_plate(thickness, cells, young, side, rotation);
                    stays_in_front(&name, &scene, 20);
                }
            }
        }
    }
}

/// In steps of 1/60 s, in which it comes by up to its fivefold length, and twelve times the plate's thickness.
#[test]
fn small_fast_cube_does_not_pass_a_thin_plate_in_implicit_steps() {
    for (lengths, rotation) in [(1.0, [0.0; 3]), (2.0, [0.1, 0.3, 0.2]), (5.0, [0.6, 0.2, 0.9])] {
        let name = format!("{lengths} lengths, {rotation:?}");
        let mut scene = against_plate(0.02, [10, 1], 1e6, 0.05, rotation);
        scene.world.integrator = Integrator::ImplicitEuler;
        scene.bodies[1].velocity[1] *= lengths;
        stays_in_front(&name, &scene, 10);
    }
}

/// A small cube that falls on a block comes by half its length in the step that it lands in.
#[test]
fn what_lands_in_an_implicit_step_stays_outside() {
    for (height, integrator) in [
        (0.05, Integrator::ImplicitEuler),
        (0.3, Integrator::ImplicitEuler),
        (0.3, Integrator::Vbd),
    ] {
        let block = brick([6, 3, 6], [1.0, 0.5, 1.0], [0.0, 0.251, 0.0], 1000.0, 1e6);
        let mut cube = brick([3; 3], [0.05; 3], [0.03, 0.526 + height, 0.04], 1000.0, 1e6);
        cube.rotation = [0.0, 0.2, 0.0];
        let mut scene = standing([block, cube]);
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        let flight = fly(&mut world, 30, |world, now| {
            let [block, cube] = [0, 1].map(|body| centre(world, now, body).y);
            block + 0.275 - 0.003 - cube
        });
        let name = format!("{}, from {height} m", integrator.name());
        assert!(
            flight.points > 0 && flight.ahead < 0.0 && flight.deepest < 0.01,
            "{name}: {flight:?}"
        );
    }
}

/// Bodies that meet with edges alone, no corner inside the other: two bars across each other.
#[test]
fn crossed_bars_do_not_pass() {
    for speed in [0.5, 3.0] {
        let mut upper = brick([1; 3], [0.1, 0.1, 0.8], [0.03, 0.25, 0.0], 1000.0, 1e6);
        let mut lower = brick([1; 3], [0.8, 0.1, 0.1], [0.0, 0.0, 0.02], 1000.0, 1e6);
        // Standing on their edges.
        upper.rotation = [0.0, 0.0, 0.25 * std::f64::consts::PI];
        lower.rotation = [0.25 * std::f64::consts::PI, 0.0, 0.0];
        upper.velocity = [0.0, -speed, 0.0];
        lower.velocity = [0.0, speed, 0.0];
        let mut world = world(&meeting([upper, lower]));
        let end = advance(&mut world, 1.0 / speed);
        let apart = centre(&world, &end, 0).y - centre(&world, &end, 1).y;
        assert!(apart > 0.1, "{speed} m/s: {apart} m apart");
    }
}
