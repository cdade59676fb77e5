//! Readings of the state that come back while the world goes on.

use glam::{DVec3, Vec3};
use pliant::inspect::{BodySums, Inspector};
use pliant::internals::Inside as _;
use pliant::report::Measure;
use pliant::scene::{Body, Integrator, Scene, Step};
use pliant::{Error, World};

use crate::bodies::{crowd, id_at};
use crate::support::*;

fn stack(integrator: Integrator) -> Scene {
    let mut scene = scene_file("models_stack.toml");
    scene.world.integrator = integrator;
    scene
}

/// Many readings under way at once are each of their own time, whatever the order in which they are taken, and change
/// nothing.
#[test]
fn readings_are_of_their_own_time_and_leave_no_trace() {
    let kinds = [Integrator::Verlet, Integrator::Leapfrog, Integrator::SymplecticEuler];
    let mut scenes = kinds.map(stack).to_vec();
    let cube = Body::lattice("cube", [2, 2, 2], [1.0; 3]);
    // Its state is in either of two arrays by turns.
    scenes.push(floating(cube, Integrator::Verlet, Step::Fixed(1e-3)));
    scenes[3].world.gravity = [0.0, -9.81, 0.0];
    for scene in scenes {
        let (mut plain, mut read) = (world(&scene), world(&scene));
        let count = plain.model().positions.len();
        let part = count / 3..count - 5;
        let mut wanted = Vec::new();
        let mut readings = Vec::new();
        for _ in 0..8 {
            for world in [&mut plain, &mut read] {
                world.step(7).unwrap();
                // Nothing is to be repeated any more.
                world.wait().unwrap();
            }
            readings.push(read.start_reading(part.clone()).unwrap());
            readings.push(read.start_reading(0..0).unwrap());
            let particles = plain.particles().read(context()).unwrap();
            wanted.push((plain.steps(), plain.time(), particles[part.clone()].to_vec()));
        }
        drop(readings.remove(6));
        readings.insert(6, read.start_reading(0..1).unwrap());
        for (k, mut reading) in readings.into_iter().enumerate().rev() {
            let reading = match k % 4 {
                0 => reading.wait().unwrap(),
                _ => loop {
                    if let Some(done) = reading.poll().unwrap() {
                        // It is taken.
                        assert!(reading.poll().unwrap().is_none() && reading.wait().is_err());
                        break done;
                    }
                },
            };
            assert!(!reading.undone);
            if k % 2 == 1 || k == 6 {
                assert!(reading.positions.len() <= 1);
                continue;
            }
            let (steps, time, particles) = &wanted[k / 2];
            assert_eq!((reading.steps, reading.time), (*steps, *time));
            let positions: Vec<_> = particles.iter().map(|p| p.position).collect();
            let velocities: Vec<_> = particles.iter().map(|p| p.velocity).collect();
            assert!(reading.positions == positions && reading.velocities == velocities);
        }
        assert_eq!(plain.state_hash().unwrap(), read.state_hash().unwrap());
    }
}

/// A reading of one body is in its mesh's order; one may outlive its world, or be dropped on its way.
#[test]
fn a_body_is_read_in_its_own_order() {
    let mut world = world(&stack(Integrator::Verlet));
    world.step_frame().unwrap();
    world.wait().unwrap();
    let bodies = 0..world.model().bodies.len();
    let readings: Vec<_> = bodies.map(|b| world.start_reading_body(b).unwrap()).collect();
    let state = world.read().unwrap();
    for (body, reading) in readings.into_iter().enumerate() {
        let reading = reading.wait().unwrap();
        assert_eq!(reading.positions, world.mesh_positions(&state, body).unwrap());
    }
    let dropped = world.start_reading_body(0).unwrap();
    world.step_frame().unwrap();
    drop(dropped);
    let (late, never) =
        (world.start_reading_body(1).unwrap(), world.start_reading_body(2).unwrap());
    let own = world.model().bodies[1].particles.len();
    drop(world);
    drop(never);
    assert_eq!(late.wait().unwrap().positions.len(), own);
}

/// What Verlet keeps is the mean velocity of the last step.
#[test]
fn velocities_are_those_that_the_integrator_keeps() {
    let mut scene =
        floating(Body::lattice("cube", [2, 2, 2], [1.0; 3]), Integrator::Verlet, Step::Fixed(0.01));
    scene.world.gravity = [0.0, -10.0, 0.0];
    let mut world = world(&scene);
    world.step(30).unwrap();
    let reading = world.start_reading(0..27).unwrap().wait().unwrap();
    for v in reading.velocities {
        assert!(v.distance(Vec3::new(0.0, -10.0 * 0.295, 0.0)) < 1e-4, "{v}");
    }
    // Looked a step ahead for.
    for v in world.read().unwrap().velocities {
        assert!(v.distance(Vec3::new(0.0, -10.0 * 0.3, 0.0)) < 1e-4, "{v}");
    }
}

/// Sums of bodies: several under way, of their own time.
#[test]
fn sums_are_read_without_waiting() {
    let mut world = world(&stack(Integrator::Verlet));
    let mut inspector = Inspector::new(&world);
    let mut readings = Vec::new();
    let mut wanted = Vec::new();
    for _ in 0..5 {
        world.step_frame().unwrap();
        world.wait().unwrap();
        readings.push(inspector.read_sums(&world).unwrap());
        wanted.push((world.time(), world.particles().read(context()).unwrap()));
    }
    drop(inspector);
    let mut fastest = 0.0_f64;
    for (reading, (time, particles)) in readings.into_iter().zip(wanted).rev() {
        let sums = reading.wait().unwrap();
        assert!(sums.time == time && !sums.undone);
        for (body, ranges) in sums.bodies.iter().zip(&world.model().bodies) {
            let own = ranges.particles.clone();
            let mass: f64 = own.clone().map(|i| world.model().masses[i]).sum();
            let momentum = own.map(|i| world.model().masses[i] * particles[i].velocity.as_dvec3());
            let velocity = momentum.sum::<DVec3>() / mass;
            assert!(velocity.distance(body.velocity) < 1e-5, "{velocity} {body:?}");
            fastest = velocity.length().max(fastest);
        }
    }
    assert!(fastest > 0.1, "{fastest}");
}

/// A fault is an error as soon as the world knows of it; what was read of the lost state says that it is none.
#[test]
fn a_fault_undoes_a_reading() {
    let mut scene =
        floating(Body::lattice("cube", [2, 2, 2], [1.0; 3]), Integrator::Verlet, Step::Fixed(0.01));
    scene.bodies[0].velocity = [9.9e3, 0.0, 0.0];
    scene.world.gravity = [1e4, 0.0, 0.0];
    let mut world = world(&scene);
    let good = world.start_reading(0..1).unwrap();
    // Past the greatest speed that a state may have in the second step.
    world.step(4).unwrap();
    let mut inspector = Inspector::new(&world);
    let sums = inspector.read_sums(&world).unwrap();
    let lost = world.start_reading(0..1);
    assert!(matches!(world.wait(), Err(Error::Fault(_))));
    assert!(!good.wait().unwrap().undone);
    // The world may have known already when it was asked.
    match lost {
        Ok(lost) => assert!(lost.wait().unwrap().undone),
        Err(error) => assert!(matches!(error, Error::Fault(_))),
    }
    assert!(sums.wait().unwrap().undone);
    assert!(matches!(world.start_reading(0..1), Err(Error::Fault(_))));
    assert!(matches!(world.contact_events(), Err(Error::Fault(_))));
}

/// Sums and measures of a world are of the bodies that are there, and several bodies may be summed up as one.
#[test]
fn absent_bodies_are_not_summed() {
    let scene = crowd(Integrator::Verlet);
    let mut world = world(&scene);
    let mut inspector = Inspector::new(&world);
    frames(&mut world, 10);
    let mut sums = |world: &mut World| {
        let sums = inspector.read_sums(world).unwrap().wait().unwrap();
        let state = world.read().unwrap();
        (sums, Measure::new(world, &state).unwrap())
    };
    let (all, measured) = sums(&mut world);
    let count = scene.bodies.len();
    let together = all.together(0..count);
    let masses: f64 = world.model().masses.iter().sum();
    assert!((together.mass - masses).abs() < 1e-9 * masses);
    let momentum = together.mass * together.velocity;
    let want = glam::DVec3::from(measured.momentum.linear);
    // Verlet keeps velocities of half a step before.
    let half = 0.5 * world.stepping().step * 9.81 * masses;
    assert!(momentum.distance(want) < half + 1e-4, "{momentum} {want}");
    let [kinetic, _, gravity] = all.energies();
    assert!((together.kinetic - kinetic).abs() < 1e-9 && (together.gravity - gravity).abs() < 1e-9);
    for k in 0..count {
        assert!(together.bounds[0].cmple(all.bodies[k].bounds[0]).all());
        assert!(together.bounds[1].cmpge(all.bodies[k].bounds[1]).all());
    }
    let gone = id_at(&world, 1);
    world.remove(gone).unwrap();
    let (left, measured_left) = sums(&mut world);
    assert_eq!(left.bodies[1], BodySums::default());
    let own = all.bodies[1];
    assert!((left.together(0..count).mass - (masses - own.mass)).abs() < 1e-9);
    assert!((left.energies()[2] - (gravity - own.gravity)).abs() < 1e-6 * gravity.abs());
    let lost = measured.energy.gravity - measured_left.energy.gravity;
    assert!((lost - own.gravity).abs() < 1e-5 * own.gravity.abs(), "{lost} {own:?}");
    assert_eq!(left.together(1..2), BodySums::default());
    assert_eq!(left.together(count..count + 1), BodySums::default());
}
