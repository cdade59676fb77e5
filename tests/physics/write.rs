//! Positions, velocities and impulses that the caller writes into a running world, against closed forms.

use glam::{DVec3, Quat, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::scene::{Body, Integrator, Kind, ShapeMatching, Step};
use pliant::world::RigidMotion;

use crate::support::*;

const G: f64 = 9.81;

fn cube(young: f64) -> Body {
    lattice("cube", [2; 3], [0.2; 3], 1000.0, springs(young, 2e-3))
}

/// Two cubes on a floor, one on the other, at rest.
fn stack(integrator: Integrator) -> World {
    let low = Body { kind: springs(2e5, 0.02), position: [0.0, 0.1, 0.0], ..cube(2e5) };
    let high = Body { name: "high".into(), position: [0.01, 0.3, 0.02], ..low.clone() };
    let mut world = world(&on_floor([low, high], integrator));
    world.step(steps(&world, 1.5)).unwrap();
    world
}

#[test]
fn what_is_written_into_a_stack_at_rest() {
    for integrator in [
        Integrator::Verlet,
        Integrator::Leapfrog,
        Integrator::SymplecticEuler,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ] {
        let mut world = stack(integrator);
        let rest = world.save().unwrap();
        written_back(&mut world, integrator);
        if integrator != Integrator::SymplecticEuler {
            world.restore(&rest).unwrap();
            put_above(&mut world, integrator);
            world.restore(&rest).unwrap();
            put_into(&mut world);
        }
    }
}

/// What was read and is written back changes little: what rests goes on resting.
fn written_back(world: &mut World, integrator: Integrator) {
    let state = world.read().unwrap();
    let calm = rms(&state.velocities);
    // Velocities alone, twice, keep what accelerates.
    for _ in 0..2 {
        for body in 0..2 {
            let range = world.model().bodies[body].particles.clone();
            let index = &world.model().bodies[body].device_index;
            let own = &state.velocities[range];
            let mesh: Vec<_> = index.iter().map(|i| own[*i as usize]).collect();
            world.write_velocities(body, &mesh).unwrap();
        }
    }
    let again = world.read().unwrap();
    assert_eq!(again.positions, state.positions);
    let change = apart(&doubles(&again.velocities), &doubles(&state.velocities));
    assert!(change < 1e-5, "{integrator:?}: {change:e} m/s");
    world.write_state(&state.positions, &state.velocities).unwrap();
    let mut fastest = 0.0_f64;
    for _ in 0..20 {
        world.step(steps(world, 0.01).max(1)).unwrap();
        fastest = extreme::greatest(fastest, rms(&world.read().unwrap().velocities));
    }
    assert!(fastest < 2.0 * calm + 1e-3, "{integrator:?}: {fastest:e} m/s");
    world.step(steps(world, 0.5)).unwrap();
    let end = world.read().unwrap();
    let (speed, moved) = (rms(&end.velocities), mean(&end.positions) - mean(&state.positions));
    assert!(speed < 2e-3, "{integrator:?}: {speed:e} m/s");
    assert!(moved.length() < 2e-3, "{integrator:?}: {moved} m");
}

/// A body that lies on another is put far away and back above it: it falls, lands and rests as if it had never lain there.
fn put_above(world: &mut World, integrator: Integrator) {
    let calm = rms(&world.read().unwrap().velocities);
    for position in [Vec3::new(30.0, 5.0, 0.0), Vec3::new(0.0, 0.45, 0.0)] {
        let rotation = Quat::from_rotation_y(0.3);
        let motion = RigidMotion { position, rotation, ..RigidMotion::default() };
        world.teleport(1, motion).unwrap();
        world.step(3).unwrap();
    }
    world.step(steps(world, 2.0)).unwrap();
    let state = world.read().unwrap();
    let range = world.model().bodies[1].particles.clone();
    let (x, v) = (mean(&state.positions[range.clone()]), rms(&state.velocities[range]));
    assert!((x.y - 0.3).abs() < 0.01, "{integrator:?}: {x}");
    assert!(x.with_y(0.0).length() < 0.02, "{integrator:?}: {x}");
    let wanted = 1.5 * calm + 1e-3;
    assert!(v < wanted, "{integrator:?}: {v:e} m/s");
}

/// Straight through the other one and into the floor: contacts are found at once, and nothing is lost.
fn put_into(world: &mut World) {
    let (position, rotation) = (Vec3::new(0.03, 0.02, -0.05), Quat::from_rotation_x(0.5));
    let motion = RigidMotion { position, rotation, ..RigidMotion::default() };
    world.teleport(1, motion).unwrap();
    // A soft body may be lost in this, which is told.
    let stepped = world.step(steps(world, 0.2)).and_then(|()| world.read());
    match stepped {
        Ok(state) => assert!(state.positions.iter().all(|x| x.is_finite())),
        Err(error) => assert!(matches!(error, pliant::Error::Fault(_)), "{error}"),
    }
}

/// Bodies of each kind fly on as the motion that they were put into says: x + v t − g t²/2, turned by exp(ω t), their shape as it was.
#[test]
fn a_body_that_is_put_elsewhere_flies_on_from_there() {
    for integrator in [
        Integrator::SymplecticEuler,
        Integrator::Verlet,
        Integrator::Leapfrog,
        Integrator::Rk4,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ] {
        flies_on(integrator, springs(2e5, 2e-3));
        flies_on(integrator, fem(2e5, 0.3, 2e-3));
        if integrator != Integrator::Vbd {
            flies_on(integrator, ShapeMatching::default().into());
        }
    }
}

fn flies_on(integrator: Integrator, kind: Kind) {
    let name = format!("{integrator:?} of {kind:?}");
    let body = Body { kind, ..cube(2e5) };
    let other = Body { name: "other".into(), position: [5.0, 0.0, 0.0], ..cube(2e5) };
    let mut scene = floating(body, integrator, Step::Auto);
    scene.bodies.push(other);
    scene.world.gravity = [0.0, -G, 0.0];
    let mut world = world(&scene);
    world.step(steps(&world, 0.1)).unwrap();
    let before = world.read().unwrap();
    let motion = RigidMotion {
        position: Vec3::new(-3.0, 2.0, 1.0),
        rotation: Quat::from_rotation_z(1.1),
        velocity: Vec3::new(1.0, 3.0, -0.5),
        angular_velocity: Vec3::Z * 1.5,
    };
    world.teleport(0, motion).unwrap();
    let now = world.read().unwrap();
    let range = world.model().bodies[0].particles.clone();
    let others = world.model().bodies[1].particles.clone();
    assert_eq!(now.positions[others.clone()], before.positions[others]);
    let placed = mean(&now.positions[range.clone()]);
    // Points weigh differently, but lie symmetrically.
    assert!(placed.distance(motion.position.as_dvec3()) < 1e-5, "{name}: {placed}");
    let v = mean(&now.velocities[range.clone()]);
    let wanted = motion.velocity.as_dvec3();
    assert!(v.distance(wanted) < 1e-4, "{name}: {v} m/s");
    let (began, count) = (world.time(), steps(&world, 0.3));
    world.step(count).unwrap();
    let end = world.read().unwrap();
    let (t, h) = (world.time() - began, world.stepping().step);
    let centre = motion.position.as_dvec3() + wanted * t - 0.5 * G * t * t * DVec3::Y;
    let found = mean(&end.positions[range.clone()]);
    // Methods of order 1 are h/2 of the fall ahead or behind.
    let first_order = integrator == Integrator::SymplecticEuler || integrator.is_implicit();
    let bound = 1e-4 + if first_order { 0.5 * G * h * t } else { 0.0 };
    assert!(found.distance(centre) < bound * 1.01, "{name}: {found}, wanted {centre}");
    let turn = glam::DQuat::from_rotation_z(1.5 * t);
    let mut worst = 0.0_f64;
    for i in range {
        let arm = turn * (now.positions[i].as_dvec3() - placed);
        worst = extreme::greatest(worst, (end.positions[i].as_dvec3() - found).distance(arm));
    }
    // Implicit steps take from the spin.
    let bound = if integrator.is_implicit() { 2e-2 } else { 2e-3 };
    assert!(worst < bound, "{name}: {worst:e} m");
}

/// A point on a spring, y'' = −k y − g, is put at a place with a speed, and swings from there: errors are those of the method's
/// order, which velocities half a step off would spoil.
#[test]
fn half_steps_follow_what_is_written() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Rk4] {
        let errors = [0.02, 0.01].map(|step| {
            let scene = floating(oscillator(40.0, 0.0), integrator, Step::Fixed(step));
            let mut world = world(&scene);
            world.step(10).unwrap();
            let state = world.read().unwrap();
            let mut mesh = world.mesh_positions(&state, 0).unwrap();
            let free = |i: &usize| !world.model().pinned[world.particle(0, *i).unwrap()];
            let point = (0..mesh.len()).find(free).unwrap();
            let rest = state.positions[world.particle(0, point).unwrap()].y;
            mesh[point].y = rest + 0.05;
            world.write_positions(0, &mesh).unwrap();
            let mut velocities = vec![Vec3::ZERO; mesh.len()];
            velocities[point].y = 0.3;
            world.write_velocities(0, &velocities).unwrap();
            let (began, omega) = (world.time(), 40.0_f64.sqrt());
            world.step((0.6 / step).round() as u64).unwrap();
            let t = world.time() - began;
            let end = world.read().unwrap();
            let y = f64::from(end.positions[world.particle(0, point).unwrap()].y - rest);
            let wanted = 0.05 * (omega * t).cos() + 0.3 / omega * (omega * t).sin();
            (y - wanted).abs()
        });
        assert!(errors[1] < 2e-4, "{integrator:?}: {errors:?}");
        // Of order 2: a quarter; near rounding less can be told.
        assert!(errors[1] < 0.35 * errors[0] || errors[1] < 5e-6, "{integrator:?}: {errors:?}");
    }
}

/// An impulse J on a point changes the body's momentum by J.
#[test]
fn impulses_change_the_momentum() {
    for integrator in Integrator::ALL {
        let mut world = world(&floating(cube(2e5), integrator, automatic(integrator)));
        world.step(5).unwrap();
        let impulse = Vec3::new(0.2, -0.1, 0.4);
        let particle = world.particle(0, 13).unwrap();
        let share = 0.25 * impulse;
        let pushes = [(particle, 3.0 * share), (0, 0.5 * share), (0, 0.5 * share)];
        world.push(&pushes).unwrap();
        world.step(20).unwrap();
        let momentum = momenta(&mut world).linear;
        let off = momentum.distance(impulse.as_dvec3());
        assert!(off < 1e-4, "{integrator:?}: {momentum}");
    }
}

/// Held points are put elsewhere, too, and stay there.
#[test]
fn held_points_stay_where_they_are_put() {
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let mut body = cube(2e5);
        body.pin.push(within([-0.2, 0.09, -0.2], [0.2, 0.11, 0.2]));
        let mut scene = floating(body, integrator, Step::Auto);
        scene.world.gravity = [0.0, -G, 0.0];
        let mut world = world(&scene);
        let moving = moving(Vec3::X);
        world.move_pins(0, moving).unwrap();
        world.step(20).unwrap();
        let motion = RigidMotion { position: Vec3::new(0.0, 3.0, 0.0), ..RigidMotion::default() };
        world.teleport(0, motion).unwrap();
        let before = world.read().unwrap();
        world.step(steps(&world, 1.0)).unwrap();
        let after = world.read().unwrap();
        for i in 0..before.positions.len() {
            if world.model().pinned[i] {
                assert_eq!(before.positions[i], after.positions[i]);
            }
        }
        let y = mean(&after.positions).y;
        assert!((y - 3.0).abs() < 0.02, "{integrator:?}: {y}");
    }
}
