//! Rigid bodies that fall asleep by themselves: which, when, and what wakes them.

use glam::{Quat, Vec3};
use pliant::World;
use pliant::scene::{Body, Kind, Movable, Rigid, Scene, Shape, Step};
use pliant::world::{RigidMotion, Snapshot};

use crate::rigid::{ball, cuboid, drift, grounded, heap, tower};
use crate::support::*;

/// Bodies over a floor that fall asleep once they have come to rest.
fn sleepy(bodies: impl IntoIterator<Item = Body>) -> Scene {
    sleeping(grounded(bodies))
}

fn sleeping(mut scene: Scene) -> Scene {
    scene.world.sleep = true;
    scene
}

/// Two towers of so many boxes, 5 m apart.
fn towers(count: usize) -> Scene {
    let mut scene = tower(count);
    for mut body in tower(count).bodies {
        (body.name, body.position[0]) = (format!("far {}", body.name), 5.0);
        scene.bodies.push(body);
    }
    sleeping(scene)
}

fn held(body: Body) -> Body {
    Body { kind: Kind::Rigid(Rigid { held: true, ..Rigid::default() }), ..body }
}

fn is_asleep(world: &mut World, index: usize) -> bool {
    let id = world.body_id(index).unwrap();
    world.is_asleep(id).unwrap()
}

/// Steps until so many bodies sleep, for so many frames at the most.
fn until_asleep(world: &mut World, count: usize, most: usize) -> usize {
    let frame = (0..most).find(|_| {
        frames(world, 1);
        world.asleep_count().unwrap() >= count
    });
    let now = world.asleep_count().unwrap();
    frame.unwrap_or_else(|| panic!("{now} of {count} asleep after {most} frames"))
}

/// Five cans on each other while a ball rolls far away. Its motion makes contacts be searched for again and again, and after each
/// search round faces touch at the same points.
#[test]
fn a_stack_of_cans_falls_asleep_while_something_else_moves() {
    let can = |k: usize| Body {
        position: [0.0, 0.15 + 0.3 * k as f64, 0.0],
        ..Body::rigid(format!("can {k}"), Shape::Cylinder { radius: 0.1, length: 0.3 })
    };
    let mut bodies: Vec<_> = (0..5).map(can).collect();
    bodies.push(Body { velocity: [3.0, 0.0, 0.0], ..ball("ball", 0.1, [0.0, 0.1, 4.0]) });
    let mut world = world(&sleeping(grounded(bodies)));
    let frame = until_asleep(&mut world, 5, 120);
    println!("asleep after {frame} frames");
    assert!(!is_asleep(&mut world, 5), "the ball sleeps");
}

fn bits(state: &Snapshot) -> Vec<[u32; 3]> {
    state.positions.iter().map(|x| x.to_array().map(f32::to_bits)).collect()
}

#[test]
fn a_heap_falls_asleep_and_wakes_by_a_thrown_ball() {
    let mut bodies = heap(27, &mut Random::new(9));
    bodies.push(ball("ball", 0.1, [5.0, 0.1, 0.3]));
    let mut world = world(&sleepy(bodies));
    let frame = until_asleep(&mut world, 28, 480);
    println!("asleep after {frame} frames");
    let state = world.read().unwrap();
    assert!(state.poses.iter().all(|pose| pose.velocity == Vec3::ZERO));
    let thrown = RigidMotion {
        position: Vec3::new(2.0, 0.15, 0.3),
        velocity: Vec3::new(-8.0, 0.0, 0.0),
        ..RigidMotion::default()
    };
    world.teleport(27, thrown).unwrap();
    frames(&mut world, 2);
    assert_eq!(world.asleep_count().unwrap(), 27, "it is on its way");
    assert_eq!(bits(&state)[..27 * 9], bits(&world.read().unwrap())[..27 * 9]);
    frames(&mut world, 18);
    assert!(world.asleep_count().unwrap() < 20, "what it hit, and all that bears on that");
    let after = world.read().unwrap();
    let pushed = state.poses.iter().zip(&after.poses).take(27);
    let farthest = pushed.map(|(a, b)| a.centre.distance(b.centre)).fold(0.0, f32::max);
    assert!(farthest > 0.05, "{farthest} m");
    // The ball, which nothing brakes, may still roll.
    until_asleep(&mut world, 27, 900);
}

/// What is hit in its sleep takes the same momentum as what was awake.
#[test]
fn a_body_is_hit_in_its_sleep_as_if_it_were_awake() {
    let after = |sleep: bool| {
        let mut scene =
            sleepy([ball("one", 0.5, [0.0, 0.5, 0.0]), ball("two", 0.5, [3.0, 0.5, 0.0])]);
        (scene.world.sleep, scene.world.friction) = (sleep, 0.0);
        let mut world = world(&scene);
        frames(&mut world, 60);
        assert_eq!(world.asleep_count().unwrap(), if sleep { 2 } else { 0 });
        world.set_velocity(0, Vec3::new(4.0, 0.0, 0.0), Vec3::ZERO).unwrap();
        frames(&mut world, 40);
        let state = world.read().unwrap();
        [0, 1].map(|body| state.poses[body].velocity)
    };
    for (slept, woke) in after(true).into_iter().zip(after(false)) {
        assert!(slept.distance(woke) < 1e-3 && slept.x > 1.5, "{slept}, {woke}");
    }
}

#[test]
fn separate_towers_sleep_apart_and_a_push_wakes_the_whole_of_one() {
    let mut world = world(&towers(4));
    until_asleep(&mut world, 8, 120);
    let top = world.pose(3).unwrap().centre;
    world.push_at(3, Vec3::new(20.0, 0.0, 0.0), top).unwrap();
    assert_eq!(world.asleep_count().unwrap(), 4);
    frames(&mut world, 1);
    let which: Vec<_> = (0..8).map(|k| is_asleep(&mut world, k)).collect();
    assert_eq!(which, [false, false, false, false, true, true, true, true]);
    until_asleep(&mut world, 8, 240);
}

/// A force from 3 s on.
#[test]
fn an_event_wakes_what_it_pulls_at() {
    let mut scene = towers(3);
    let force = [200.0, 0.0, 0.0];
    scene.events.push(line_force("2", [0.0; 3], force, [3.0, 4.0]));
    let mut world = world(&scene);
    until_asleep(&mut world, 6, 120);
    let left = 179 - (60.0 * world.time()).round() as usize;
    frames(&mut world, left);
    assert_eq!(world.asleep_count().unwrap(), 6);
    frames(&mut world, 2);
    assert_eq!(world.asleep_count().unwrap(), 3);
    frames(&mut world, 50);
    assert_eq!(world.asleep_count().unwrap(), 3, "it is pulled");
    until_asleep(&mut world, 6, 240);
}

/// More slowly than what counts as rest, and from below.
#[test]
fn what_stands_on_a_moving_platform_stays_awake() {
    let mut scene = sleepy([
        held(cuboid("platform", [2.0, 0.2, 2.0], [0.0, 1.0, 0.0])),
        cuboid("box", [0.5; 3], [0.0, 1.35, 0.0]),
        cuboid("aside", [0.5; 3], [4.0, 0.25, 0.0]),
    ]);
    let slow = [[0.0, 4e-3, 0.0], [0.0; 3]];
    let platform = Movable::Pins("platform".into());
    scene.events.push(move_event(platform, [0.0, 1.0, 0.0], slow, [0.0, 4.0]));
    let mut world = world(&scene);
    frames(&mut world, 200);
    assert_eq!([1, 2].map(|k| is_asleep(&mut world, k)), [false, true]);
    frames(&mut world, 100);
    assert!(is_asleep(&mut world, 1));
    // It wakes as soon as the platform moves again, and so it does when that is gone.
    let down = RigidMotion {
        position: world.pose(0).unwrap().centre,
        velocity: Vec3::new(0.0, -4e-3, 0.0),
        ..RigidMotion::default()
    };
    world.move_body(0, down).unwrap();
    frames(&mut world, 1);
    assert!(!is_asleep(&mut world, 1));
    let stop = RigidMotion { position: world.pose(0).unwrap().centre, ..RigidMotion::default() };
    world.move_body(0, stop).unwrap();
    frames(&mut world, 60);
    assert!(is_asleep(&mut world, 1));
    let before = world.pose(1).unwrap().centre.y;
    let id = world.body_id(0).unwrap();
    world.remove(id).unwrap();
    frames(&mut world, 20);
    let fallen = before - world.pose(1).unwrap().centre.y;
    assert!(fallen > 0.3, "{fallen} m");
}

#[test]
fn a_body_that_deforms_wakes_the_box_that_it_falls_on_and_keeps_it_awake() {
    let cube = Body {
        position: [0.0, 3.0, 0.0],
        ..lattice("cube", [2; 3], [0.5; 3], 500.0, fem(1e5, 0.3, 0.02))
    };
    let mut world = world(&sleepy([cuboid("box", [1.0; 3], [0.0, 0.5, 0.0]), cube]));
    let mut slept = false;
    for _ in 0..36 {
        frames(&mut world, 1);
        slept |= is_asleep(&mut world, 0);
    }
    assert!(slept, "before the cube arrived");
    for _ in 0..20 {
        frames(&mut world, 6);
        assert!(!is_asleep(&mut world, 0) || world.time() < 0.75, "{} s", world.time());
    }
    let low = lowest(&world.read().unwrap().positions);
    assert!(low > -0.01, "{low}");
    let id = world.body_id(1).unwrap();
    world.remove(id).unwrap();
    frames(&mut world, 60);
    assert!(is_asleep(&mut world, 0), "the cube is gone");
}

/// For a minute, in whatever calls. Woken it goes on to where a tower that never slept is, without a jump.
#[test]
fn what_sleeps_keeps_its_place_to_the_bit_and_waking_does_not_move_it() {
    let mut world = world(&sleeping(tower(10)));
    until_asleep(&mut world, 10, 240);
    let (start, hash) = (world.read().unwrap(), world.state_hash().unwrap());
    let end = advance(&mut world, 30.0);
    frames(&mut world, 1800);
    assert_eq!(world.state_hash().unwrap(), hash);
    assert_eq!(bits(&start), bits(&end));
    let id = world.body_id(4).unwrap();
    world.wake(id).unwrap();
    assert_eq!(world.asleep_count().unwrap(), 0);
    let mut awake = self::world(&tower(10));
    let goal = advance(&mut awake, 6.0);
    let [off, _] = drift(&goal, &start);
    let mut most = [0.0_f32; 2];
    for _ in 0..25 {
        frames(&mut world, 1);
        let [way, speed] = drift(&goal, &world.read().unwrap());
        most = [most[0].max(way), most[1].max(speed)];
    }
    println!("{off} m off, then at the most {} m, {} m/s", most[0], most[1]);
    // A step without the impulses that it bore would give it 10 mm/s.
    assert!(most[0] < off + 2e-5 && most[1] < 2e-3, "{most:?}");
    until_asleep(&mut world, 10, 120);
}

/// Before it falls asleep, and asleep, before a force wakes it.
#[test]
fn saves_go_on_across_sleep() {
    let mut scene = towers(3);
    scene.events.push(line_force("2", [0.0; 3], [300.0, 0.0, 0.0], [2.0, 2.2]));
    for saved_at in [24, 90] {
        let mut world = world(&scene);
        frames(&mut world, saved_at);
        assert_eq!(world.asleep_count().unwrap() > 0, saved_at > 60);
        let save = world.save().unwrap();
        let mut resumed = World::resume(context(), &scene, &save).unwrap();
        for count in [60, 70] {
            for world in [&mut world, &mut resumed] {
                frames(world, count);
            }
            assert_eq!(world.state_hash().unwrap(), resumed.state_hash().unwrap());
            let counts = [&mut world, &mut resumed].map(|world| world.asleep_count().unwrap());
            assert_eq!(counts[0], counts[1]);
        }
    }
}

/// Four times as large, it falls asleep after twice as long: after as many steps of twice the length.
#[test]
fn a_copy_of_another_size_falls_asleep_at_the_time_of_its_scale() {
    let after = |scale: f64| {
        let size = [scale, 0.6 * scale, 0.8 * scale];
        let level =
            |i: usize| cuboid(&format!("{i}"), size, [0.0, (0.3002 + 0.6 * i as f64) * scale, 0.0]);
        let mut scene = sleepy((0..3).map(level));
        scene.world.step = Step::Fixed(scale.sqrt() / 960.0);
        let mut world = world(&scene);
        for _ in 0..120 {
            world.step(16).unwrap();
            if world.asleep_count().unwrap() == 3 {
                return world.time();
            }
        }
        panic!("awake");
    };
    let times = [0.25, 1.0, 4.0].map(after);
    println!("{times:?} s");
    for (time, scaled) in [(times[0], 0.5), (times[2], 2.0)] {
        assert!((time / (scaled * times[1]) - 1.0).abs() < 0.06, "{times:?} s");
    }
    assert!((0.3..1.0).contains(&times[1]), "{times:?} s");
}

#[test]
fn by_hand_it_is_the_same_sleep() {
    let mut scene = sleepy([
        ball("high", 0.3, [0.0, 3.0, 0.0]),
        ball("low", 0.3, [0.0, 0.3, 0.0]),
        held(cuboid("held", [0.5; 3], [4.0, 2.0, 0.0])),
    ]);
    scene.world.sleep = false;
    let mut world = world(&scene);
    for index in 0..3 {
        let id = world.body_id(index).unwrap();
        world.sleep(id).unwrap();
    }
    frames(&mut world, 60);
    assert_eq!(world.asleep_count().unwrap(), 3);
    assert_eq!(world.pose(0).unwrap().centre.y, 3.0);
    let id = world.body_id(0).unwrap();
    world.wake(id).unwrap();
    frames(&mut world, 30);
    assert_eq!([0, 1, 2].map(|k| is_asleep(&mut world, k)), [false, true, true]);
    frames(&mut world, 60);
    assert_eq!([0, 1, 2].map(|k| is_asleep(&mut world, k)), [false, false, true]);
    frames(&mut world, 300);
    assert_eq!(world.asleep_count().unwrap(), 1, "by themselves they do not fall asleep here");
}

/// What is put elsewhere, or touches otherwise from now on, wakes with what it bears.
#[test]
fn edits_wake() {
    let mut world = world(&towers(3));
    until_asleep(&mut world, 6, 120);
    let id = world.body_id(0).unwrap();
    let mut touching = world.touching(id).unwrap();
    touching.friction = Some(0.3);
    world.set_touching(id, &touching).unwrap();
    assert_eq!(world.asleep_count().unwrap(), 3);
    until_asleep(&mut world, 6, 120);
    // The lowest is drawn away from under the others.
    let aside = RigidMotion {
        position: Vec3::new(0.0, 0.5, 3.0),
        rotation: Quat::IDENTITY,
        ..RigidMotion::default()
    };
    world.teleport(0, aside).unwrap();
    frames(&mut world, 30);
    let fallen = 1.5 - world.pose(1).unwrap().centre.y;
    assert!(fallen > 0.5, "{fallen} m");
}
