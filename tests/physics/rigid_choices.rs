//! Rigid bodies with each way to find pairs and where they touch, and each to turn.

use glam::{DQuat, Vec3};
use pliant::World;
use pliant::scene::{Body, BroadPhase, Narrow, RigidIntegrator, Scene, Shape, Solid, Step};
use pliant::world::Snapshot;

use crate::rigid::{cuboid, drift, grounded, measure, tower};
use crate::support::*;

fn pyramid() -> Scene {
    let place = |row: usize, k: usize| [k as f64 + 0.5 * row as f64, 0.5 + row as f64, 0.0];
    let row = |row: usize| {
        (0..6 - row).map(move |k| cuboid(&format!("{row} {k}"), [1.0; 3], place(row, k)))
    };
    grounded((0..6).flat_map(row))
}

/// Shapes of all kinds over each other between four walls, the largest as many times as large as the smallest.
fn pile(count: usize, most: f64) -> Scene {
    let mut random = Random::new(31);
    let body = |i: usize| {
        let size = 0.3 * most.powf(-random.between(0.0, 1.0));
        let shape = match i % 5 {
            0 => Shape::Box { size: [size, 0.7 * size, 0.9 * size] },
            1 => Shape::Sphere { radius: 0.5 * size },
            2 => Shape::Capsule { radius: 0.3 * size, length: 0.5 * size },
            3 => Shape::Cylinder { radius: 0.4 * size, length: 0.6 * size },
            _ => Shape::Bipyramid { triangles: 12 },
        };
        let mut body = Body::rigid(format!("{i}"), shape);
        if i % 5 == 4 {
            body.scale = [0.5 * size; 3];
        }
        let at = |k: usize| 0.35 * (k as f64 - 1.0);
        body.position = [at(i % 3), 0.3 + 0.35 * (i / 9) as f64, at(i / 3 % 3)];
        body.rotation = random.vector(3.0).to_array();
        body
    };
    let mut scene = grounded((0..count).map(body));
    for (axis, side) in [(0, 1.0), (0, -1.0), (2, 1.0), (2, -1.0)] {
        let (mut position, mut normal) = ([0.0; 3], [0.0; 3]);
        (position[axis], normal[axis]) = (side * 0.55, -side);
        scene.solids.push(Solid::plane(position, normal));
    }
    scene
}

fn with_narrow(mut scene: Scene, narrow: Narrow) -> Scene {
    scene.world.narrow = narrow;
    scene
}

/// Whatever finds the pairs, they are the same, and so is all that follows, to the bit.
#[test]
fn the_broad_phase_decides_nothing() {
    let mut spread = pile(90, 50.0);
    // One lies far out, where its box covers no other along any axis, one over all.
    spread.bodies[7].position = [40.0, 80.0, -20.0];
    spread.bodies.push(cuboid("lid", [1.0, 0.1, 1.0], [0.0, 4.2, 0.0]));
    for (name, scene, count) in [("tower", tower(10), 40), ("pile", spread, 50)] {
        let run = |broad_phase: BroadPhase| {
            let mut scene = scene.clone();
            scene.world.broad_phase = broad_phase;
            let mut world = world(&scene);
            frames(&mut world, count);
            (world.state_hash().unwrap(), world.contacts().contacts)
        };
        let (grid, contacts) = run(BroadPhase::Grid);
        assert!(contacts > 0, "{name} touches nothing");
        assert_eq!(run(BroadPhase::Sweep), (grid, contacts), "{name}");
    }
}

/// A tower and a pyramid beside it stand as they do with the default, a pile comes to rest in its box.
#[test]
fn bodies_stand_with_each_narrow_phase() {
    let mut standing = tower(10);
    standing.bodies.extend(pyramid().bodies.into_iter().map(|mut body| {
        body.position[0] += 5.0;
        body
    }));
    for narrow in Narrow::ALL {
        let mut stood = world(&with_narrow(standing.clone(), narrow));
        let start = advance(&mut stood, 1.0);
        let end = advance(&mut stood, 1.0);
        let [way, speed] = drift(&start, &end);
        let sunk = 9.5 - end.poses[9].centre.y;
        println!("{narrow:?}: {way:e} m, {speed:e} m/s, sunk by {sunk} m");
        assert!(way < 5e-4 && speed < 1e-3, "{narrow:?}: {way:e} m, {speed:e} m/s");
        assert!(sunk.abs() < 0.01, "{narrow:?}: the top has sunk by {sunk} m");
        let mut boxed = world(&with_narrow(pile(27, 3.0), narrow));
        let end = advance(&mut boxed, 2.0);
        let outside = |x: Vec3| x.x.abs().max(x.z.abs()) - 0.55;
        let out = end.poses.iter().map(|pose| outside(pose.centre)).fold(-1.0, f32::max);
        // Nothing stops what rolls: of twelve such piles, dropped from 3 to 3.55 m, one to seven bodies still do.
        let moving = end.poses.iter().filter(|pose| pose.velocity.length() > 0.05).count();
        println!("{narrow:?}, pile: {moving} of 27 move, {out} m outside");
        assert!(out < 0.0 && moving < 10, "{narrow:?}, pile: {moving} of 27 move, {out} m outside");
    }
}

/// The angle [rad] and the change of energy after a second of turning about no axis of its own, by this method at this step.
fn turned(method: RigidIntegrator, step: f64) -> (DQuat, f64) {
    let mut body = cuboid("box", [0.2, 1.0, 0.5], [0.0; 3]);
    body.angular_velocity = [2.0, 3.0, 12_f64.sqrt()];
    let mut scene = scene_of([body]);
    scene.world.gravity = [0.0; 3];
    scene.world.step = Step::Fixed(step);
    scene.world.rigid_integrator = method;
    let mut world = world(&scene);
    let energy = |world: &World, state: &Snapshot| measure(world, state).energy.kinetic;
    let start = world.read().unwrap();
    let before = energy(&world, &start);
    let end = advance(&mut world, 1.0);
    (end.poses[0].rotation.as_dquat(), energy(&world, &end) / before - 1.0)
}

/// Euler's error is in proportion to the step, and Kutta's is far smaller.
#[test]
fn orientations_follow_by_the_method_that_is_asked_for() {
    let (exact, _) = turned(RigidIntegrator::Rk4, 1e-3);
    let off = |method, step| {
        let (rotation, energy) = turned(method, step);
        println!(
            "{method:?} at {step} s: {} rad, energy {energy:e}",
            rotation.angle_between(exact)
        );
        rotation.angle_between(exact)
    };
    let [coarse, fine] = [4e-3, 2e-3].map(|step| off(RigidIntegrator::Euler, step));
    let kutta = off(RigidIntegrator::Rk4, 4e-3);
    assert!((coarse / fine - 2.0).abs() < 0.2, "{coarse} and {fine} rad");
    assert!(kutta < 0.01 * fine, "{kutta} rad by Kutta's method, {fine} by Euler's");
}
