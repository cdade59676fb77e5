//! Motions of scenes that follow each other, and those from place to place, against closed forms.

use glam::{DQuat, DVec3, EulerRot};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::scene::{Body, Event, Integrator, Kind, Movable, Rigid, Scene, Shape, Solid};

use crate::motion_pins::held;
use crate::support::*;

const TIMES: [f64; 4] = [0.11, 0.2, 0.35, 0.5];
/// About x, then y, then z.
const ANGLES: [[f64; 3]; 4] = [[0.1, 0.0, 0.3], [0.1, 0.9, 0.3], [-0.5, 0.9, 0.3], [0.1, 0.0, 0.3]];
const PLACES: [[f64; 3]; 4] = [[0.1, 2.0, 0.0], [0.1, 1.4, 0.3], [0.1, 1.4, 0.3], [-0.2, 2.0, 0.0]];

fn turned(angles: [f64; 3]) -> DQuat {
    let [x, y, z] = angles;
    DQuat::from_euler(EulerRot::ZYX, z, y, x)
}

/// Position and rotation at a time: on a straight line, and about one axis, from one keyframe to the next.
fn keyframe(time: f64) -> (DVec3, DQuat) {
    let time = time.clamp(TIMES[0], TIMES[3]);
    let k = (0..2).find(|k| time <= TIMES[k + 1]).unwrap_or(2);
    let share = (time - TIMES[k]) / (TIMES[k + 1] - TIMES[k]);
    let [from, to] = [k, k + 1].map(|k| (DVec3::from(PLACES[k]), turned(ANGLES[k])));
    (from.0.lerp(to.0, share), from.1.slerp(to.1, share))
}

fn keyframes(what: Movable) -> Event {
    Event::Keyframes {
        what,
        times: TIMES.to_vec(),
        positions: PLACES.to_vec(),
        rotations: ANGLES.to_vec(),
    }
}

/// A solid, the pins of a body and a held body go through the same places.
#[test]
fn what_has_keyframes_goes_from_place_to_place() {
    for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::ImplicitEuler] {
        let mut scene = held(integrator, true);
        (scene.bodies[0].position, scene.bodies[0].rotation) = (PLACES[0], ANGLES[0]);
        let pins = scene.bodies[0].name.clone();
        scene.bodies.push(Body {
            position: PLACES[0],
            rotation: ANGLES[0],
            kind: Kind::Rigid(Rigid { held: true, ..Rigid::default() }),
            group: 0,
            ..Body::rigid("rigid", Shape::Box { size: [0.1, 0.2, 0.3] })
        });
        scene.solids.push(Solid { rotation: ANGLES[0], ..Solid::cuboid(PLACES[0], [1e-3; 3]) });
        let all = [Movable::Solid(1), Movable::Pins(pins), Movable::Pins("rigid".into())];
        scene.events = all.map(keyframes).into();
        let mut world = world(&scene);
        let start = doubles(&world.read().unwrap().positions);
        for part in 1..=9 {
            world.step(steps(&world, 0.07)).unwrap();
            let (position, rotation) = keyframe(world.time());
            let name = format!("{integrator:?}, part {part}");
            let solid = world.solid(0).unwrap();
            assert!(solid.position.as_dvec3().distance(position) < 1e-6, "{name}: {solid:?}");
            assert!(solid.rotation.as_dquat().angle_between(rotation) < 1e-3, "{name}: {solid:?}");
            let end = world.read().unwrap();
            let pose = &end.poses[0];
            assert!(pose.centre.as_dvec3().distance(position) < 1e-5, "{name}: {pose:?}");
            let off = pose.rotation.as_dquat().angle_between(rotation);
            assert!(off < 2e-3, "{name}: the rigid body is turned by {off} rad too much");
            let back = turned(ANGLES[0]).inverse();
            let away = |i: usize| {
                let wanted = position + rotation * (back * (start[i] - DVec3::from(PLACES[0])));
                end.positions[i].as_dvec3().distance(wanted)
            };
            let own = world.model().bodies[0].particles.clone();
            let pinned = own.filter(|i| world.model().pinned[*i]);
            let far = pinned.map(away).fold(0.0, extreme::greatest);
            assert!(far < 1e-5, "{name}: a pin is {far:e} m off");
        }
    }
}

/// Moves of one thing go on where the one before has brought it, in whatever order they are given, about their own centre.
#[test]
fn motions_follow_each_other() {
    let first = move_event(
        Movable::Pins("".into()),
        [0.3, 0.0, 0.0],
        [[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]],
        [0.1, 0.25],
    );
    let second = move_event(
        Movable::Pins("".into()),
        [-0.2, 0.0, 0.1],
        [[0.5, 0.0, 0.0], [1.0, 0.0, 0.0]],
        [0.25, 0.4],
    );
    let third =
        move_event(Movable::Pins("".into()), [0.0; 3], [[0.0, -1.0, 0.0], [0.0; 3]], [0.5, 0.6]);
    let mut scene = held(Integrator::Verlet, false);
    let name = scene.bodies[0].name.clone();
    scene.solids.push(Solid::cuboid([0.0, 3.0, 0.0], [0.1; 3]));
    let of = |what: &Movable, event: &Event| match event.clone() {
        Event::Move { centre, velocity, angular_velocity, from, to, .. } => {
            Event::Move { what: what.clone(), centre, velocity, angular_velocity, from, to }
        }
        other => other,
    };
    for what in [Movable::Pins(name), Movable::Solid(1)] {
        scene.events.extend([&third, &first, &second].map(|event| of(&what, event)));
    }
    let mut world = world(&scene);
    let start = doubles(&world.read().unwrap().positions);
    let about = |x: DVec3, centre: [f64; 3], velocity: DVec3, spin: DVec3, gone: f64| {
        let centre = DVec3::from(centre);
        centre + gone * velocity + DQuat::from_scaled_axis(gone * spin) * (x - centre)
    };
    for _ in 0..9 {
        world.step(steps(&world, 0.08)).unwrap();
        let (time, end) = (world.time(), world.read().unwrap());
        let way = |from: f64, to: f64| time.clamp(from, to) - from;
        let wanted = |x: DVec3| {
            let x = about(x, [0.3, 0.0, 0.0], DVec3::Y, 2.0 * DVec3::Z, way(0.1, 0.25));
            let x = about(x, [-0.2, 0.0, 0.1], 0.5 * DVec3::X, DVec3::X, way(0.25, 0.4));
            x - way(0.5, 0.6) * DVec3::Y
        };
        for i in (0..start.len()).filter(|i| world.model().pinned[*i]) {
            let off = end.positions[i].as_dvec3().distance(wanted(start[i]));
            assert!(off < 1e-5, "after {time} s a pin is {off:e} m off");
        }
        let solid = world.solid(0).unwrap().position.as_dvec3();
        let wanted = DVec3::new(0.5 * way(0.25, 0.4), 3.0 + way(0.1, 0.25) - way(0.5, 0.6), 0.0);
        assert!(solid.distance(wanted) < 1e-5, "after {time} s: {solid}, wanted {wanted}");
    }
}

/// A cube on a lift goes down and up with it, at the velocity of each part.
#[test]
fn contact_feels_the_velocity_between_two_keyframes() {
    let mut scene: Scene = on_floor(
        [Body {
            position: [0.0, 0.15, 0.0],
            ..lattice("cube", [2; 3], [0.2; 3], 1000.0, springs(1e6, 2e-3))
        }],
        Integrator::Verlet,
    );
    (scene.world.floor, scene.solids) = (None, vec![Solid::cuboid([0.0; 3], [1.0, 0.1, 1.0])]);
    scene.events = vec![Event::Keyframes {
        what: Movable::Solid(1),
        times: vec![0.5, 1.5, 2.5],
        positions: vec![[0.0; 3], [0.3, -0.4, 0.0], [0.3, 0.0, 0.0]],
        rotations: vec![[0.0; 3]; 3],
    }];
    let mut world: World = world(&scene);
    for (time, wanted) in [(1.4, [0.3, -0.4]), (2.4, [0.0, 0.4]), (3.2, [0.0, 0.0])] {
        let after = time - world.time();
        let v = mean(&advance(&mut world, after).velocities);
        let [x, y] = wanted;
        assert!(v.distance(DVec3::new(x, y, 0.0)) < 5e-3, "after {time} s: {v}");
    }
}

/// The press of the scene lowers the cube by a third of its height and lets it come up again.
#[test]
fn the_scene_of_a_press_runs() {
    let mut world = world(&scene_file("soft_press.toml"));
    let cube = world.model().bodies[0].particles.clone();
    let [pressed, free] = [2.3, 2.5].map(|time| {
        let end = advance(&mut world, time);
        let own = end.positions[cube.clone()].iter().map(|x| f64::from(x.y));
        own.fold(0.0, extreme::greatest)
    });
    assert!((pressed - 0.2).abs() < 4e-3, "pressed to {pressed} m");
    assert!((free - 0.29).abs() < 0.012, "{free} m high without the press");
}
