//! Adaptive steps by step doubling.

use glam::DVec3;
use pliant::World;
use pliant::internals::reference::{Damping, doubling};
use pliant::scene::{Body, DampingMode, Integrator, Scene, Step};

use crate::support::*;

/// A block that vibrates, stretched at the start.
fn vibrating(integrator: Integrator, step: Step, damping: f64) -> Scene {
    let mut body = block(2, 0.2, damping);
    body.stretch = [1.05, 0.97, 1.0];
    body.angular_velocity = [1.0, -2.0, 0.5];
    floating(body, integrator, step)
}

fn adaptive(integrator: Integrator, error: f64, damping: f64) -> World {
    world(&vibrating(integrator, Step::Adaptive(Some(error)), damping))
}

/// Where particles are after so many frames with very short steps of rk4, and when.
fn exact(count: usize) -> (Vec<DVec3>, f64) {
    let fine = vibrating(Integrator::Rk4, Step::Fixed(1.0 / 60.0 / 512.0), 0.0);
    let mut fine = world(&fine);
    frames(&mut fine, count);
    (places(&mut fine), fine.time())
}

/// A smaller error makes steps shorter, by the order of the method, and what they add up to smaller.
#[test]
fn steps_follow_the_error_that_is_asked_for() {
    #[rustfmt::skip]
    let cases = [
        (Integrator::ImplicitEuler, 2, 2e-5, 2e-5 / 16.0, [3.0, 6.0], 2.5),
        (Integrator::Vbd, 2, 2e-5, 2e-5 / 16.0, [3.0, 6.0], 2.5),
        (Integrator::Verlet, 6, 1e-4, 1e-4 / 64.0, [3.0, 6.0], 8.0),
        (Integrator::Leapfrog, 6, 1e-4, 1e-4 / 64.0, [3.0, 6.0], 8.0),
        (Integrator::SymplecticEuler, 6, 1e-4, 1e-4 / 16.0, [3.0, 6.0], 3.0),
        (Integrator::Rk4, 6, 1e-3, 1e-3 / 1024.0, [3.0, 6.0], 30.0),
    ];
    let exact = [2, 6].map(|count| (count, exact(count)));
    for (integrator, count, loose, tight, shorter, better) in cases {
        let (_, (places, time)) = &exact[usize::from(count == exact[1].0)];
        let found = [loose, tight].map(|error| {
            let mut world = adaptive(integrator, error, 0.0);
            frames(&mut world, count);
            assert!((world.time() - time).abs() < 1e-12);
            let distance = apart(places, &self::places(&mut world));
            let counts = world.step_counts();
            assert_eq!(counts.forced, 0);
            assert_eq!(counts.steps, world.steps());
            assert!((counts.time - world.time()).abs() < 1e-6);
            (counts.steps as f64, distance)
        });
        let [(few, far), (many, near)] = found;
        let ratio = many / few;
        assert!((shorter[0]..shorter[1]).contains(&ratio), "{integrator:?}: {ratio}");
        assert!(near < far / better, "{integrator:?}: {far:e} {near:e}");
    }
}

/// Each pair's error, found again in f64 from the state before it, is below the one asked for.
#[test]
fn the_error_of_every_pair_is_below_the_one_asked_for() {
    let wanted = 2e-5;
    for integrator in [Integrator::Rk4, Integrator::SymplecticEuler] {
        let mut scene = vibrating(integrator, Step::Adaptive(Some(wanted)), 0.5);
        scene.bodies[0].damping_mode = Some(DampingMode::Explicit);
        let mut world = self::world(&scene);
        let system = system_with_stiffness(&mut world);
        for _ in 0..40 {
            let before = world.read().unwrap();
            world.step(2).unwrap();
            let h = (world.time() - before.time) / 2.0;
            let with = |step: f64, count: u32| {
                let mut system = system.clone();
                (system.position, system.velocity) =
                    (doubles(&before.positions), doubles(&before.velocities));
                let scheme = scheme(integrator, Damping::Explicit, step);
                (0..count).for_each(|_| scheme.step(&mut system));
                system.position
            };
            let error = doubling::step_error(&with(2.0 * h, 1), &with(h, 2));
            assert!(error < 1.05 * wanted, "{integrator:?} h {h:e}: {error:e}");
        }
    }
}

/// Steps in each of several stretches of frames.
fn steps_by(world: &mut World, count: usize, stretches: usize) -> Vec<u64> {
    let mut last = world.steps();
    let mut all = Vec::new();
    for _ in 0..stretches {
        frames(world, count);
        all.push(world.steps() - last);
        last = world.steps();
    }
    all
}

#[test]
fn steps_grow_when_things_calm_down() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Rk4] {
        let mut scene = vibrating(integrator, Step::Adaptive(Some(1e-6)), 0.05);
        scene.bodies[0].damping_mode = Some(DampingMode::Explicit);
        scene.bodies[0].angular_velocity = [0.0; 3];
        let mut world = self::world(&scene);
        let steps = steps_by(&mut world, 6, 6);
        assert!(steps[0] >= 2 * steps[5], "{integrator:?}: {steps:?}");
    }
}

/// A block that falls on the floor, and onto another one.
fn falling(integrator: Integrator, error: f64) -> Scene {
    let lower = Body { position: [0.0, 0.21, 0.0], ..block(2, 0.2, 0.5) };
    let mut upper = Body { name: "upper".into(), ..lower.clone() };
    upper.position = [0.05, 1.2, 0.03];
    upper.velocity = [0.0, -3.0, 0.0];
    let mut scene = on_floor([lower, upper], integrator);
    scene.world.step = Step::Adaptive(Some(error));
    scene
}

#[test]
fn impacts_shorten_steps() {
    for integrator in [Integrator::Verlet, Integrator::Rk4] {
        let mut world = world(&falling(integrator, 1e-5));
        let steps = steps_by(&mut world, 3, 10);
        let counts = world.step_counts();
        let most = steps.iter().copied().max().unwrap();
        assert!(most > steps[0] && counts.retaken > 0, "{steps:?}");
        let highest = highest(&world.read().unwrap().positions);
        assert!(highest < 1.4 && world.contacts().contacts > 0);
    }
}

#[test]
fn adaptive_runs_repeat_bit_for_bit_and_go_on_from_a_save_file() {
    for (integrator, error) in [
        (Integrator::Verlet, 1e-5),
        (Integrator::Leapfrog, 1e-5),
        (Integrator::Rk4, 1e-5),
        (Integrator::ImplicitEuler, 3e-4),
        (Integrator::Vbd, 3e-4),
    ] {
        let scene = falling(integrator, error);
        let mut once = world(&scene);
        frames(&mut once, 11);
        let wanted = (once.state_hash().unwrap(), once.steps(), once.ticks());
        let mut again = world(&scene);
        frames(&mut again, 9);
        again.read().unwrap();
        let saved = again.save().unwrap();
        let mut resumed = World::resume(context(), &scene, &saved).unwrap();
        for world in [&mut again, &mut resumed] {
            frames(world, 2);
            let found = (world.state_hash().unwrap(), world.steps(), world.ticks());
            assert_eq!(found, wanted, "{integrator:?}");
        }
        assert!((once.time() - 11.0 / 60.0).abs() < 1e-9);
    }
}

/// A force acts as long as it should, whatever the steps; with Verlet, whose kicks reach from half a step before to half a
/// step after, but for the difference of half a step at either end.
#[test]
fn events_last_as_long_as_they_should() {
    let force = DVec3::new(0.5, -0.25, 1.0);
    for integrator in [Integrator::Verlet, Integrator::Rk4] {
        let mut scene = floating(block(2, 0.2, 0.2), integrator, Step::Adaptive(Some(1e-6)));
        let times = [1.0 / 60.0, 3.0 / 60.0];
        scene.events.push(line_force("block", [0.2; 3], force.to_array(), times));
        let mut world = world(&scene);
        frames(&mut world, 5);
        let found = mean(&world.read().unwrap().velocities);
        let wanted = force / (27.0 * 0.05) * 2.0 / 60.0;
        let tolerance = if integrator == Integrator::Rk4 { 1e-5 } else { 5e-3 };
        assert!(found.distance(wanted) < tolerance * wanted.length());
    }
}

#[test]
fn resting_stacks_stay_at_rest() {
    let mut scene = falling(Integrator::Verlet, 1e-5);
    scene.bodies[0].position[1] = 0.201;
    scene.bodies[1].position = [0.0, 0.604, 0.0];
    scene.bodies[1].velocity = [0.0; 3];
    let mut world = world(&scene);
    frames(&mut world, 120);
    let speed = rms(&world.read().unwrap().velocities);
    assert!(speed < 5e-3, "{speed}");
}
