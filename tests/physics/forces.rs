//! Pins, line forces, drag, wind, and what happens to a run-away.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::scene::{Body, Event, Integrator, Step};
use pliant::{Error, World};

use crate::support::*;

const STEP: f64 = 0.000_976_562_5;

#[test]
fn pins_hold_exactly() {
    for integrator in Integrator::ALL {
        let mut body = block(3, 0.2, 0.2);
        body.pin = vec![within([-1.0, 0.2, -1.0], [1.0, 1.0, 1.0])];
        body.velocity = [1.0, -3.0, 2.0];
        body.position = [0.1, 0.7, 0.3];
        let mut scene = floating(body, integrator, Step::Fixed(1e-4));
        scene.world.gravity = [0.0, -9.81, 0.0];
        // The pinned layer is at 1 m, inside the floor.
        scene.world.floor = Some(1.2);
        let mut world = world(&scene);
        let before = world.read().unwrap();
        world.step(200).unwrap();
        let after = world.read().unwrap();
        let pinned: Vec<_> =
            (0..before.positions.len()).filter(|&i| world.model().pinned[i]).collect();
        assert_eq!(pinned.len(), 16);
        for i in pinned {
            assert_eq!(before.positions[i], after.positions[i], "{integrator:?}");
            assert_eq!(after.velocities[i], glam::Vec3::ZERO, "{integrator:?}");
        }
        assert!(before.positions != after.positions, "{integrator:?}: the others move");
    }
}

#[test]
fn line_force_accelerates_by_the_whole_mass() {
    for integrator in Integrator::ALL {
        let body = block(2, 0.2, 0.2);
        let mut scene = floating(body, integrator, Step::Fixed(STEP / 8.0));
        let force = DVec3::new(0.5, -0.25, 1.0);
        // Acts for 400 steps of 800, from step 100 on.
        let times = [100.0, 500.0].map(|step| step * STEP / 8.0);
        scene.events.push(line_force("block", [0.2; 3], force.to_array(), times));
        let mut world = world(&solved_well(scene));
        world.step(800).unwrap();
        let found = mean(&world.read().unwrap().velocities);
        let wanted = force / (27.0 * 0.05) * 400.0 * STEP / 8.0;
        let error = found.distance(wanted) / wanted.length();
        assert!(error < 1e-5, "{integrator:?}: {found}, wanted {wanted}");
    }
}

/// Events that begin and end within steps, one of them within a single step, and one in the last: F (to − from) of each.
/// Adaptive leapfrog begins steps of another length with a velocity that it extrapolates, also over an event's end.
#[test]
fn events_give_their_whole_impulse_however_long_the_steps() {
    let (step, force) = (1.0 / 64.0, DVec3::new(0.5, -0.25, 1.0));
    let times = [[0.101, 0.102], [0.03, 0.1499], [0.3101, 0.3124]];
    let steps = [Step::Fixed(step), Step::Adaptive(Some(1e-3))];
    let all = Integrator::ALL.into_iter();
    for (integrator, length) in all.flat_map(|integrator| steps.map(|step| (integrator, step))) {
        if integrator == Integrator::Leapfrog && length != Step::Fixed(step) {
            continue;
        }
        let mut body = block(2, 0.2, 0.2);
        body.kind = constants(0.2, 0.0, 0.02);
        let mut scene = floating(body, integrator, length);
        let event = |times| line_force("block", [0.2; 3], force.to_array(), times);
        scene.events.extend(times.map(event));
        let mut world = world(&solved_well(scene));
        while world.time() < 0.3124 {
            world.step_ticks(1).unwrap();
        }
        let found = mean(&world.read().unwrap().velocities);
        let lasted: f64 = times.iter().map(|[from, to]| to - from).sum();
        let wanted = force / (27.0 * 0.05) * lasted;
        let error = found.distance(wanted) / wanted.length();
        assert!(error < 1e-5, "{integrator:?}: {found}, wanted {wanted}");
    }
}

/// Factor by which one step of each method multiplies the velocity of v' = −γ v.
fn drag_factor(integrator: Integrator, z: f64) -> f64 {
    match integrator {
        Integrator::Euler | Integrator::SymplecticEuler | Integrator::Verlet => 1.0 - z,
        Integrator::Midpoint => 1.0 - z + z * z / 2.0,
        Integrator::ImplicitEuler | Integrator::Vbd => 1.0 / (1.0 + z),
        Integrator::Rk4 => 1.0 - z + z * z / 2.0 - z.powi(3) / 6.0 + z.powi(4) / 24.0,
        // w₊ = w − z (3w − w₋)/2: the root near 1 − z of r² − (1 − 3z/2) r − z/2.
        Integrator::Leapfrog => 0.5 * (1.0 - 1.5 * z + ((1.0 - 1.5 * z).powi(2) + 2.0 * z).sqrt()),
    }
}

#[test]
fn drag_slows_and_wind_carries() {
    let (drag, steps) = (2.0, 400);
    for integrator in Integrator::ALL {
        for wind in [DVec3::ZERO, DVec3::new(5.0, 0.0, -1.0)] {
            let mut body = block(2, 0.2, 0.1);
            body.velocity = [1.0, 2.0, 3.0];
            let mut scene = floating(body, integrator, Step::Fixed(STEP));
            scene.world.drag = drag;
            if wind != DVec3::ZERO {
                let [from, to] = ALWAYS;
                scene.events.push(Event::Wind { velocity: wind.to_array(), from, to });
            }
            let mut world = world(&solved_well(scene));
            world.step(steps).unwrap();
            let found = mean(&world.read().unwrap().velocities);
            let kept = drag_factor(integrator, drag * STEP).powi(steps as i32);
            let wanted = wind + (DVec3::new(1.0, 2.0, 3.0) - wind) * kept;
            let error = found.distance(wanted) / wanted.length();
            assert!(error < 1e-4, "{integrator:?}: {found}, wanted {wanted}");
        }
    }
}

#[test]
fn wind_blows_only_while_it_lasts() {
    let mut scene = floating(block(2, 0.2, 0.1), Integrator::Verlet, Step::Fixed(STEP));
    scene.world.drag = 2.0;
    let [from, to] = [100.0 * STEP, 200.0 * STEP];
    scene.events.push(Event::Wind { velocity: [3.0, 0.0, 0.0], from, to });
    let mut world = world(&scene);
    let speed = |world: &mut World, steps| {
        world.step(steps).unwrap();
        mean(&world.read().unwrap().velocities).x
    };
    assert_eq!(speed(&mut world, 90), 0.0);
    let blown = speed(&mut world, 115);
    let wanted = 3.0 * (1.0 - (1.0 - 2.0 * STEP).powi(100)) * (1.0 - 2.0 * STEP).powi(5);
    assert!((blown - wanted).abs() < 0.02 * wanted, "{blown}, wanted {wanted}");
    assert!(speed(&mut world, 100) < 0.9 * blown);
}

#[test]
fn a_run_away_is_named_and_the_last_good_state_kept() {
    for integrator in EXPLICIT {
        let kind = constants(1e-3, 0.0, 1e-4);
        let stable = Body { name: "calm".into(), kind, ..block(2, 0.2, 0.0) };
        let mut wild = block(2, 0.2, 0.1);
        wild.kind = constants(60.0, 0.0, 0.1);
        wild.position = [3.0, 0.0, 0.0];
        wild.angular_velocity = [1.0, 2.0, 0.0];
        let mut scene = floating(stable, integrator, Step::Fixed(0.01));
        scene.bodies.push(wild);
        let mut world = world(&scene);
        assert!(world.warnings()[0].contains("\"block\""), "{:?}", world.warnings());
        let error = world.step(1000).and_then(|()| world.wait()).unwrap_err();
        let Error::Fault(fault) = &error else { panic!("{error}") };
        assert_eq!(fault.body, "block", "{}", integrator.name());
        assert!(fault.step > 0 && fault.cause.contains("world.step"), "{fault}");
        let good = world.read_last_good().unwrap();
        assert!(good.steps < fault.step);
        let mut all = good.positions.iter().chain(&good.velocities);
        assert!(all.all(|v| v.is_finite()), "{integrator:?}");
        assert!(matches!(world.step(1), Err(Error::Fault(_))), "it stays stopped");
        assert!(matches!(world.read(), Err(Error::Fault(_))));
    }
}

#[test]
fn a_body_faster_than_anything_real_is_lost() {
    let mut scene = floating(block(1, 0.2, 0.0), Integrator::Verlet, Step::Fixed(1e-4));
    scene.bodies[0].velocity = [9_999.0, 0.0, 0.0];
    scene.world.gravity = [9_000.0, 0.0, 0.0];
    let mut lost = world(&scene);
    lost.step(1).expect("9999.9 m/s are left alone");
    lost.wait().expect("9999.9 m/s are left alone");
    let error = lost.step(3).and_then(|()| lost.wait()).expect_err("more than 10 km/s");
    let Error::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!((fault.step, &fault.body[..]), (2, "block"));
    scene.bodies[0].velocity = [2e4, 0.0, 0.0];
    let error = World::new(context(), &scene).expect_err("20 km/s").to_string();
    assert!(error.contains("block") && error.contains("m/s"), "{error}");
}
