//! Solids that the caller moves, against closed forms.

use std::f64::consts::TAU;

use glam::Vec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::scene::{Body, Integrator, Scene, Solid, Step};
use pliant::world::RigidMotion;

use crate::motion_pins::held;
use crate::support::*;

pub const G: f64 = 9.81;
pub const ALL: [Integrator; 8] = Integrator::ALL;

/// A cube of 0.2 m that hardly deforms; of implicit integrators softer, as their iterations are few.
pub fn cube(integrator: Integrator) -> Body {
    let young = if integrator.is_implicit() { 2e5 } else { 1e6 };
    lattice("cube", [2; 3], [0.2; 3], 1000.0, springs(young, 2e-3))
}

/// The cube on a floor at 0.
pub fn lying(integrator: Integrator, friction: f64) -> Scene {
    let mut scene = on_floor([Body { position: [0.0, 0.1, 0.0], ..cube(integrator) }], integrator);
    scene.world.friction = friction;
    scene
}

/// At V the floor takes the cube along with µ g until it has V, while V²/(2 µ g) of the floor pass under it. As a plane at
/// an angle, as a floor, and as a box that moves.
#[test]
fn a_belt_takes_along_what_lies_on_it() {
    let (speed, friction) = (1.0, 0.4);
    for integrator in ALL {
        for solid in ["floor", "box"] {
            let mut scene = lying(integrator, friction);
            if solid == "box" {
                scene.world.floor = None;
                let (position, size) = ([0.0, -0.5, 0.0], [8.0, 1.0, 2.0]);
                scene.solids.push(Solid::cuboid(position, size));
            }
            let mut world = world(&scene);
            world.step(steps(&world, 0.2)).unwrap();
            let start = mean(&world.read().unwrap().positions);
            let motion =
                RigidMotion { velocity: Vec3::X * speed as f32, ..world.solid(0).unwrap() };
            world.move_solid(0, motion).unwrap();
            let taken = world.time();
            world.step(steps(&world, 0.15)).unwrap();
            let on_its_way = world.read().unwrap();
            let early = mean(&on_its_way.velocities).x / (friction * G * (world.time() - taken));
            world.step(steps(&world, 0.45)).unwrap();
            let end = world.read().unwrap();
            let time = world.time() - taken;
            let way = mean(&end.positions).x - start.x;
            let slid = (speed * time - way) / (speed * speed / (2.0 * friction * G));
            let last = mean(&end.velocities).x;
            let name = format!("{integrator:?} on a {solid}");
            assert!((early - 1.0).abs() < 0.05, "{name}: {early}");
            // A method that moves by the new velocity is half a step ahead.
            let ahead = world.stepping().step * friction * G / speed;
            assert!((slid - 1.0).abs() < 0.03 + ahead, "{name}: {slid}");
            assert!((last - speed).abs() < 5e-3, "{name}: {last} m/s");
        }
    }
}

/// Points of a body that is as good as dust go along with a box that hits them.
#[test]
fn what_a_solid_hits_takes_its_velocity() {
    let speed = 2.0_f32;
    for integrator in ALL {
        let body = lattice("dust", [2; 3], [0.2; 3], 1000.0, springs(1.0, 0.01));
        let mut scene = floating(body, integrator, Step::Fixed(1e-3));
        let position = [-1.11, 0.0, 0.0];
        scene.solids.push(Solid::cuboid(position, [2.0; 3]));
        let mut world = world(&scene);
        let motion = RigidMotion { velocity: Vec3::X * speed, ..world.solid(0).unwrap() };
        world.move_solid(0, motion).unwrap();
        world.step(9).unwrap();
        let end = world.read().unwrap();
        let start = &world.model().positions;
        for i in (0..start.len()).filter(|i| start[*i].x < -0.09) {
            let found = end.velocities[i].x;
            assert!((found / speed - 1.0).abs() < 1e-3, "{integrator:?}: {found}, wanted {speed}");
        }
    }
}

/// A ball that turns under a cube drives it with what its surface does there, ω r, in the direction of ω × r.
#[test]
fn a_turning_ball_drives_what_lies_on_it() {
    for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::Vbd] {
        let mut scene = lying(integrator, 0.5);
        scene.world.floor = None;
        // So large that it is flat as far as the cube comes.
        scene.solids.push(Solid::sphere([0.0, -100.0, 0.0], 100.0));
        let mut world = world(&scene);
        let motion = RigidMotion { angular_velocity: Vec3::Z * 0.005, ..world.solid(0).unwrap() };
        world.move_solid(0, motion).unwrap();
        world.step(steps(&world, 0.8)).unwrap();
        let v = mean(&world.read().unwrap().velocities);
        assert!((v.x + 0.5).abs() < 0.01, "{integrator:?}: {v}");
        assert!(v.z.abs() < 1e-4, "{integrator:?}: {v}");
    }
}

/// The largest distance between a plate that goes up and down with an acceleration of `share` g at the most and the lowest
/// point of a cube on it.
fn shaken(integrator: Integrator, share: f64) -> f64 {
    let mut world = world(&lying(integrator, 0.5));
    world.step(steps(&world, 0.3)).unwrap();
    let omega = TAU * 3.0;
    let height = share * G / (omega * omega);
    let (start, mut away) = (world.time(), 0.0_f64);
    let every = steps(&world, 2e-3).max(1);
    while world.time() < start + 0.8 {
        let phase = omega * (world.time() - start);
        // It sets off upwards from its lowest point.
        let plate = height * (1.0 - phase.cos());
        let motion = RigidMotion {
            position: Vec3::Y * plate as f32,
            velocity: Vec3::Y * (height * omega * phase.sin()) as f32,
            ..RigidMotion::default()
        };
        world.move_solid(0, motion).unwrap();
        let lowest = lowest(&world.read().unwrap().positions);
        away = extreme::greatest(away, (lowest - plate).abs());
        world.step(every).unwrap();
    }
    away
}

#[test]
fn what_lies_on_a_plate_that_shakes_stays_on_it_below_g() {
    for integrator in [Integrator::Verlet, Integrator::SymplecticEuler, Integrator::Midpoint] {
        let [stays, leaves] = [0.7, 1.6].map(|share| shaken(integrator, share));
        assert!(stays < 5e-4, "{integrator:?}: {stays:e} m");
        assert!(leaves > 3e-3, "{integrator:?}: {leaves:e} m");
    }
}

/// A floor and a ball that are moved with no velocity are the same to the bit as those that are not.
#[test]
fn a_motion_of_no_velocity_is_rest() {
    for integrator in ALL {
        let mut scene = lying(integrator, 0.5);
        scene.bodies[0].position = [0.0, 0.25, 0.0];
        scene.solids.push(Solid::sphere([0.05, 0.0, 0.02], 0.1));
        let mut plain = world(&scene);
        let mut moved = world(&scene);
        for index in 0..2 {
            let rest = moved.solid(index).unwrap();
            moved.move_solid(index, rest).unwrap();
        }
        for world in [&mut plain, &mut moved] {
            world.step(steps(world, 0.3)).unwrap();
        }
        let hashes = [&mut plain, &mut moved].map(|world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{integrator:?}");
    }
}

/// Where submissions are cut does not matter, and a changed world goes on with what moves.
#[test]
fn motions_go_on_through_submissions_and_changes() {
    let scene = || {
        let mut scene = held(Integrator::Verlet, false);
        scene.world.gravity = [0.0, -G, 0.0];
        scene.world.floor = Some(-0.11);
        scene
    };
    let set_off = |world: &mut World| {
        let floor = RigidMotion {
            velocity: Vec3::new(0.3, 0.1, 0.0),
            angular_velocity: Vec3::Z * 0.1,
            ..world.solid(0).unwrap()
        };
        world.move_solid(0, floor).unwrap();
        let pins = RigidMotion {
            position: Vec3::new(0.1, 0.0, 0.0),
            angular_velocity: Vec3::Y * 3.0,
            ..RigidMotion::default()
        };
        world.move_pins(0, pins).unwrap();
    };
    let mut worlds = [world(&scene()), world(&scene())];
    worlds.iter_mut().for_each(set_off);
    let [whole, cut] = &mut worlds;
    whole.step(256).unwrap();
    (0..16).for_each(|_| cut.step(16).unwrap());
    assert_eq!(whole.state_hash().unwrap(), cut.state_hash().unwrap());

    let before = cut.solid(0).unwrap();
    let mut changed = scene();
    changed.world.friction = 0.9;
    cut.change(&changed).unwrap();
    let after = cut.solid(0).unwrap();
    assert!(after.position.distance(before.position) < 1e-6);
    assert_eq!(after.velocity, before.velocity);
    for world in [&mut *whole, &mut *cut] {
        world.step(steps(world, 0.2)).unwrap();
    }
    let [a, b] = [whole, cut].map(|world| world.read().unwrap());
    let pinned = (0..a.positions.len()).filter(|i| worlds[0].model().pinned[*i]);
    for i in pinned {
        assert!(a.positions[i].distance(b.positions[i]) < 1e-5);
    }
}

/// A saved state has no motions.
#[test]
fn what_is_restored_stands_still() {
    let mut world = world(&held(Integrator::Rk4, false));
    let motion = moving(Vec3::X);
    world.move_pins(0, motion).unwrap();
    world.step(10).unwrap();
    let bytes = world.save().unwrap();
    world.restore(&bytes).unwrap();
    let before = world.read().unwrap();
    world.step(10).unwrap();
    let after = world.read().unwrap();
    for i in (0..before.positions.len()).filter(|i| world.model().pinned[*i]) {
        assert_eq!(before.positions[i], after.positions[i]);
        assert_eq!(after.velocities[i], Vec3::ZERO);
    }
}
