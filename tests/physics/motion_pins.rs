//! Held points that the caller moves, and what scenes say of motions.

use glam::{DVec3, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::scene::{Event, Integrator, Movable, Scene, Step};
use pliant::world::{PinMotion, RigidMotion};

use crate::motion::*;
use crate::support::*;

/// A cube whose left side is held, of springs or finite elements.
pub fn held(integrator: Integrator, of_elements: bool) -> Scene {
    let mut body = cube(integrator);
    if of_elements {
        body.kind = fem(2e5, 0.3, 0.01);
    }
    body.pin.push(within([-0.11, -1.0, -1.0], [-0.09, 1.0, 1.0]));
    floating(body, integrator, automatic(integrator))
}

/// Pins that turn about a point beside them take the cube round.
#[test]
fn a_body_follows_its_pins_round() {
    for integrator in ALL {
        for fem in [false, true] {
            let mut world = world(&held(integrator, fem));
            let start = doubles(&world.read().unwrap().positions);
            let (centre, omega) = (DVec3::new(-0.5, 0.0, 0.0), 2.0);
            let motion = RigidMotion {
                position: centre.as_vec3(),
                angular_velocity: Vec3::Z * omega as f32,
                ..RigidMotion::default()
            };
            world.move_pins(0, motion).unwrap();
            world.step(steps(&world, 1.3)).unwrap();
            let end = world.read().unwrap();
            let turn = glam::DQuat::from_rotation_z(omega * world.time());
            let name = format!("{integrator:?}, {}", if fem { "fem" } else { "springs" });
            let (mut off, mut slow) = (0.0_f64, 0.0_f64);
            for (i, x) in end.positions.iter().enumerate() {
                let wanted = centre + turn * (start[i] - centre);
                let away = x.as_dvec3().distance(wanted);
                let speed = DVec3::Z.cross(wanted - centre) * omega;
                if world.model().pinned[i] {
                    assert!(away < 1e-6, "{name}: a pin is {away:e} m off");
                }
                off = extreme::greatest(off, away);
                slow = extreme::greatest(slow, end.velocities[i].as_dvec3().distance(speed));
            }
            assert!(off < 3e-3, "{name}: {off:e} m off");
            assert!(slow < 0.05, "{name}: {slow:e} m/s off");
        }
    }
}

/// Each pin goes its own way to its target, is there after the steps and stays.
#[test]
fn guided_pins_reach_their_targets() {
    for integrator in [Integrator::Leapfrog, Integrator::Rk4, Integrator::ImplicitEuler] {
        let mut world = world(&held(integrator, false));
        let pins = world.pins(0).unwrap();
        let state = world.read().unwrap();
        let mesh = world.mesh_positions(&state, 0).unwrap();
        let target = |(k, pin): (usize, &usize)| mesh[*pin] + Vec3::new(0.0, 0.01 * k as f32, 0.05);
        let targets: Vec<_> = pins.iter().enumerate().map(target).collect();
        let to = PinMotion::Targets { targets: &targets, steps: 100 };
        world.move_pins(0, to).unwrap();
        let mut goes_on = |steps| {
            world.step(steps).unwrap();
            let state = world.read().unwrap();
            (world.mesh_positions(&state, 0).unwrap(), state.velocities)
        };
        let [(halfway, _), (there, _), (after, velocities)] = [50, 50, 20].map(&mut goes_on);
        for (pin, target) in pins.iter().zip(&targets) {
            let middle = 0.5 * (mesh[*pin] + *target);
            assert!(halfway[*pin].distance(middle) < 1e-6);
            assert!(there[*pin].distance(*target) < 1e-6);
            assert!(after[*pin].distance(*target) < 1e-6);
        }
        for (i, v) in velocities.iter().enumerate() {
            assert!(!world.model().pinned[i] || *v == Vec3::ZERO);
        }
    }
}

/// A block that is moved by pins takes along a cube that lies on it: contact feels what held points do.
#[test]
fn held_points_take_along_what_lies_on_them() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::ImplicitEuler] {
        let mut slab = lattice("slab", [10, 1, 4], [2.0, 0.2, 0.8], 1000.0, cube(integrator).kind);
        slab.position = [0.0, -0.1, 0.0];
        slab.pin.push(EVERYWHERE);
        let mut body = cube(integrator);
        body.position = [-0.5, 0.1, 0.013];
        let mut scene = floating(slab, integrator, Step::Auto);
        scene.bodies.push(body);
        scene.world.gravity = [0.0, -G, 0.0];
        scene.world.friction = 0.4;
        let mut world = world(&scene);
        world.step(steps(&world, 0.3)).unwrap();
        let motion = moving(Vec3::X * 0.5);
        world.move_pins(0, motion).unwrap();
        world.step(steps(&world, 0.6)).unwrap();
        let state = world.read().unwrap();
        let v = drift(&world, &state, 1);
        assert!((v.x - 0.5).abs() < 0.02, "{integrator:?}: {v}");
        assert!(v.y.abs() < 1e-3, "{integrator:?}: {v}");
    }
}

/// The same motion by an event and by the caller, from and to; and a world that is resumed in its midst goes on to the bit.
#[test]
fn scenes_can_say_what_moves() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::ImplicitEuler] {
        let mut scene = held(integrator, false);
        scene.world.gravity = [0.0, -G, 0.0];
        scene.world.floor = Some(-0.15);
        let plain = scene.clone();
        let step = world(&plain).stepping().step;
        let times = [8.0 * step, 28.0 * step];
        let name = scene.bodies[0].name.clone();
        let event = |what, angular_velocity: [f64; 3]| {
            move_event(what, [0.1, 0.0, 0.0], [[0.2, 0.1, 0.0], angular_velocity], times)
        };
        scene.events =
            vec![event(Movable::Solid(0), [0.0; 3]), event(Movable::Pins(name), [0.0, 2.0, 0.0])];
        let mut told = world(&scene);
        let mut moved = world(&plain);
        for world in [&mut told, &mut moved] {
            world.step(8).unwrap();
        }
        let floor = RigidMotion { velocity: Vec3::new(0.2, 0.1, 0.0), ..moved.solid(0).unwrap() };
        let pins = RigidMotion {
            position: Vec3::X * 0.1,
            velocity: floor.velocity,
            angular_velocity: Vec3::Y * 2.0,
            ..RigidMotion::default()
        };
        moved.move_solid(0, floor).unwrap();
        moved.move_pins(0, pins).unwrap();
        for world in [&mut told, &mut moved] {
            world.step(10).unwrap();
        }
        let [a, b] = [&mut told, &mut moved].map(|world| world.read().unwrap());
        let off = apart(&doubles(&a.positions), &doubles(&b.positions));
        // Newton's method ends at a thousandth of the accelerations.
        let bound = if integrator.is_implicit() { 2e-4 } else { 1e-6 };
        assert!(off < bound, "{integrator:?}: {off:e} m");
        resumed(told, step);
    }
}

/// A world that is resumed in the midst of a motion up at 0.1 m/s goes on to the bit, and 20 steps of it have passed at its end.
fn resumed(mut told: World, step: f64) {
    let integrator = told.scene().world.integrator;
    let bytes = told.save().unwrap();
    let mut resumed = World::resume(context(), told.scene(), &bytes).unwrap();
    for world in [&mut told, &mut resumed] {
        world.step(30).unwrap();
    }
    let hashes = [&mut told, &mut resumed].map(|world| world.state_hash().unwrap());
    assert_eq!(hashes[0], hashes[1], "{integrator:?}");
    let end = told.solid(0).unwrap();
    let way = 20.0 * step * 0.1;
    assert!((f64::from(end.position.y) + 0.15 - way).abs() < 1e-6);
    assert_eq!(end.velocity, Vec3::ZERO);
}

/// What lies on the belt of the scene comes along, and what hangs from pins has turned with them by 0.8 rad.
#[test]
fn the_scene_of_a_belt_runs() {
    let mut world = world(&scene_file("soft_belt.toml"));
    let [early, later, late] = [1.0, 0.8, 0.7].map(|time| advance(&mut world, time));
    let way = centre(&world, &later, 1) - centre(&world, &early, 1);
    assert!((way.x - 0.8 * 0.8).abs() < 0.03, "{way}");
    let turn = glam::DQuat::from_rotation_z(0.8);
    let hinge = DVec3::new(-1.2, 1.2, 0.0);
    for i in world.model().bodies[2].particles.clone() {
        if world.model().pinned[i] {
            let wanted = hinge + turn * (world.model().positions[i] - hinge);
            assert!(late.positions[i].as_dvec3().distance(wanted) < 1e-5);
        }
    }
    assert!(late.positions.iter().all(|x| x.is_finite()));
}

#[test]
fn events_that_move_nothing_are_refused() {
    let base = held(Integrator::Verlet, false);
    let name = base.bodies[0].name.clone();
    let moves = |what, velocity| move_event(what, [0.0; 3], [velocity, [0.0; 3]], [0.0, 1.0]);
    let event = |what| moves(what, [0.0; 3]);
    let refused = |events: Vec<Event>| {
        let mut scene = base.clone();
        scene.events = events;
        World::new(context(), &scene).unwrap_err().to_string()
    };
    let pins = || event(Movable::Pins(name.clone()));
    assert!(refused(vec![event(Movable::Solid(0))]).contains("no floor"));
    assert!(refused(vec![event(Movable::Solid(1))]).contains("event 1.solid"));
    assert!(refused(vec![event(Movable::Pins("x".into()))]).contains("event 1.body"));
    assert!(refused(vec![pins(), pins()]).contains("event 2.body"));
    let fast = moves(Movable::Pins(name.clone()), [1e5, 0.0, 0.0]);
    assert!(refused(vec![fast]).contains("event 1.velocity"));
}
