//! Spheres that meet: what they keep, how far they bounce, and that nothing passes.

use glam::DVec3;
use pliant::internals::extreme::{greatest, least};
use pliant::scene::{Body, Scene};

use crate::cloud_support::*;
use crate::collide_support::*;
use crate::support::*;

/// A swarm of single spheres that flies into another.
fn swarms(seed: u64, friction: f64) -> Scene {
    let mut random = Random::new(seed);
    let mut bodies: Vec<Body> = Vec::new();
    for side in [-1.0, 1.0] {
        for place in heap(3) {
            let x = 1.3 * place + DVec3::X * side * 0.25 + 0.01 * random.vector(1.0);
            let mut body = pebble(x, DVec3::X * -side * 2.0 + 0.2 * random.vector(1.0));
            body.friction = Some(friction);
            bodies.push(body);
        }
    }
    at_step(meeting(bodies), 1e-3)
}

#[test]
fn swarms_keep_momentum_and_make_no_energy() {
    for (seed, friction) in [(1, 0.0), (2, 0.0), (3, 0.5)] {
        let mut world = world(&swarms(seed, friction));
        let start = momenta(&mut world);
        let (mut highest, mut end) = (0.0_f64, start);
        for _ in 0..30 {
            advance(&mut world, 0.01);
            end = momenta(&mut world);
            highest = greatest(highest, end.kinetic);
        }
        let most = 54.0 * 2.0;
        let dp = end.linear.distance(start.linear) / most;
        let dl = end.angular.distance(start.angular) / (0.4 * most);
        assert!(world.contacts().contacts > 100);
        assert!(dp < 1e-5, "{dp:e}");
        // Spheres do not spin: across the line between their centres friction acts on them two radii apart.
        assert!(friction > 0.0 || dl < 1e-5, "{dl:e}");
        assert!(highest < 1.0001 * start.kinetic && end.kinetic < 0.9 * start.kinetic);
    }
}

/// A free block of springs and a cloud of free spheres that hits it off its middle.
#[test]
fn spheres_and_a_block_keep_momentum() {
    let mut scene = meeting([block(3, 0.2, 0.5)]);
    let mut random = Random::new(5);
    for place in heap(2) {
        let x = place + DVec3::new(0.51, 0.12, -0.07) + 0.01 * random.vector(1.0);
        let mut body = pebble(x, DVec3::X * -3.0);
        body.name = format!("pebble {}", scene.bodies.len());
        scene.bodies.push(body);
    }
    scene.world.friction = 0.0;
    let mut world = world(&scene);
    let start = momenta(&mut world);
    advance(&mut world, 0.4);
    let end = momenta(&mut world);
    let dp = end.linear.distance(start.linear) / 24.0;
    let dl = end.angular.distance(start.angular) / 24.0;
    assert!(world.contacts().contacts > 10);
    assert!(dp < 1e-5, "{dp:e}");
    // Between searches a contact keeps its direction while the sphere slides by a part of the margin.
    assert!(dl < 5e-4, "{dl:e}");
}

/// A sphere that falls on the floor, on a table or on one that is held stays there; one that meets another of its mass goes
/// on with it.
#[test]
fn spheres_do_not_bounce() {
    let fall = |other: Option<Body>, floor: bool| {
        let stone = pebble(DVec3::new(0.03, 0.3, 0.05), DVec3::Y * -3.0);
        let mut scene = at_step(meeting(std::iter::once(stone).chain(other)), 1e-3);
        scene.world.floor = floor.then_some(0.0);
        let mut world = world(&scene);
        let end = advance(&mut world, 0.2);
        drift(&world, &end, 0).y / 3.0
    };
    let below = held(DVec3::new(0.03, 0.0, 0.05));
    for found in [fall(None, true), fall(Some(table()), false), fall(Some(below), false)] {
        assert!(found.abs() < 0.01, "{found}");
    }
    let bodies = [pebble(DVec3::X * -0.2, DVec3::X * 2.0), pebble(DVec3::X * 0.2, DVec3::ZERO)];
    let mut world = world(&at_step(meeting(bodies), 1e-3));
    let end = advance(&mut world, 0.3);
    let [a, b] = [0, 1].map(|body| drift(&world, &end, body));
    assert!((a - DVec3::X).length() < 0.01 && (b - DVec3::X).length() < 0.01);
}

/// At 10 m/s and the automatic step nothing comes through a plate, a wall of spheres, or a single one.
#[test]
fn nothing_passes_at_ten_metres_per_second() {
    let mut random = Random::new(9);
    for trial in 0..3 {
        let aside = 0.3 * random.vector(1.0).with_y(0.0);
        let stone =
            pebble(aside + DVec3::Y * (0.5 + 0.1 * random.between(-1.0, 1.0)), DVec3::Y * -10.0);
        let mut plate = brick([6, 1, 6], [1.2, 0.1, 1.2], [0.0; 3], 1000.0, 1e6);
        plate.pin = table().pin;
        let cell = |k| DVec3::new(f64::from(k % 13) - 6.0, 0.0, f64::from(k / 13) - 6.0);
        let mut wall = cloud(&(0..169).map(|k| cell(k) * 2.0 * R).collect::<Vec<_>>());
        wall.pin = table().pin;
        let one = held(aside + 0.02 * random.vector(1.0).with_y(0.0));
        for (name, target) in [("plate", plate), ("wall", wall), ("one", one)] {
            let mut world = world(&meeting([target, stone.clone()]));
            let mut lowest = f64::INFINITY;
            for _ in 0..8 {
                let now = advance(&mut world, 1.0 / 60.0);
                lowest = least(lowest, state(&world, &now, 1).0.y);
            }
            assert!(lowest > 0.03, "{trial}, {name}: {lowest}");
        }
    }
}
