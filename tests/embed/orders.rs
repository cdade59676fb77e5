//! Calls in orders that a program may well make: what was removed, ended or moved leaves no trace in what comes after it.

use glam::Vec3;
use pliant::internals::Inside as _;
use pliant::query::{Queries, RayOptions};
use pliant::scene::{AttachedPoints, AttachedTo, Attachment, Body, Event, Integrator, Movable};
use pliant::world::{Partner, PinMotion, RigidMotion};
use pliant::{Error, World};

use crate::support::*;

/// A body of another make than [`block`].
fn other_make() -> Body {
    Body { position: [9.0, 5.0, 0.0], ..Body::lattice("other", [1, 1, 1], [0.2; 3]) }
}

fn middle(world: &mut World, body: usize) -> Vec3 {
    let own = world.model().bodies[body].particles.clone();
    let state = world.read().unwrap();
    let count = own.len() as f32;
    own.map(|i| state.positions[i]).sum::<Vec3>() / count
}

/// The pins of a body go on with a velocity [m/s].
fn leads(body: &str, velocity: [f64; 3]) -> Event {
    move_event(Movable::Pins(body.into()), [0.0; 3], [velocity, [0.0; 3]], ALWAYS)
}

/// A body's first point is tied.
fn tied(body: &str, to: AttachedTo) -> Attachment {
    Attachment::new(body, AttachedPoints::Listed(vec![0]), to)
}

/// A world whose bodies could not touch has no passes for it; bodies that come later and can touch do.
#[test]
fn bodies_that_can_touch_come_into_a_world_of_ghosts() {
    let ghost = |name: &str, y: f64| Body { mask: 0, ..block(name, [0.0, y, 0.0]) };
    let mut scene = scene_of(vec![ghost("low", 0.2), ghost("high", 0.7)]);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    let before: Vec<_> = world.bodies().map(|(id, _)| id).collect();
    before.into_iter().for_each(|id| world.remove(id).unwrap());
    let solid = |y: f64| Body { mask: u32::MAX, ..ghost("new", y) };
    let low = world.add(&solid(0.2)).unwrap();
    let high = world.add(&solid(0.7)).unwrap();
    frames(&mut world, 60);
    let [low, high] = [low, high].map(|id| world.body_index(id).unwrap());
    let apart = middle(&mut world, high).y - middle(&mut world, low).y;
    assert!(apart > 0.3, "{apart} m apart");
}

/// What a scene says of a body by its name goes when another name takes its place, and the world can be built anew.
#[test]
fn a_body_of_another_name_gets_nothing_of_what_the_scene_said() {
    let mut scene = scene_of([
        hung("anchor", [0.0, 1.6, 0.0]),
        hung("crate", [0.0, 2.0, 0.0]),
        block("free", [3.0, 2.0, 0.0]),
    ]);
    let upper = AttachedPoints::Within(scene.bodies[0].pin[0]);
    scene.attachments = vec![
        tied("crate", AttachedTo::Body("anchor".into())),
        Attachment::new("anchor", upper, AttachedTo::Body("crate".into())),
        tied("free", AttachedTo::Place),
    ];
    let sideways = |body: &str| line_force(body, [0.0; 3], [100.0, 0.0, 0.0], ALWAYS);
    let led = leads("crate", [0.5, 0.0, 0.0]);
    scene.events = vec![sideways("crate"), sideways("free"), led];
    let mut world = world(&scene);
    frames(&mut world, 3);
    let crate_id = world.body_id(1).unwrap();
    world.remove(crate_id).unwrap();
    let mut new = hung("box", [5.0, 2.0, 0.0]);
    new.pin.clear();
    // Another make: the world is built anew while the crate's place is free.
    let id = world.add(&new).unwrap();
    assert_eq!(world.body_index(id).unwrap(), 3);
    let id = world.add(&hung("box 2", [7.0, 2.0, 0.0])).unwrap();
    assert_eq!(world.body_index(id).unwrap(), 1);
    let left: Vec<_> = world.attachments().map(|(_, held)| held.clone()).collect();
    assert_eq!(left, scene.attachments[2..]);
    let names: Vec<_> = world.scene().events.clone();
    assert_eq!(names, [sideways("free")]);
    let before = middle(&mut world, 1);
    frames(&mut world, 3);
    let after = middle(&mut world, 1);
    assert!((after.x - before.x).abs() < 1e-5, "{before} {after}");
    // The free body is pulled as before.
    let state = world.read().unwrap();
    let free = world.model().bodies[2].particles.clone();
    assert!(free.map(|i| state.velocities[i].x).sum::<f32>() > 0.1);
    let present = world.scene().clone();
    world.change(&present).unwrap();
    world.add(&other_make()).unwrap();
    let saved = world.save().unwrap();
    frames(&mut world, 3);
    let mut resumed = World::resume(context(), world.scene(), &saved).unwrap();
    frames(&mut resumed, 3);
    assert_eq!(resumed.state_hash().unwrap(), world.state_hash().unwrap());
}

/// Copies have bodies of the same names: motions of pins go on with the body of the copy that they were given to.
#[test]
fn pins_of_one_copy_go_on_to_move_through_a_change() {
    let scene = scene_of(vec![hung("hung", [0.0, 2.0, 0.0])]);
    let copies = scene.replicate(3).unwrap();
    let mut world = world(&copies);
    let motion = moving(Vec3::X);
    world.move_pins(2, motion).unwrap();
    frames(&mut world, 6);
    let before = [0, 1, 2].map(|body| middle(&mut world, body).x);
    let present = world.scene().clone();
    world.change(&present).unwrap();
    frames(&mut world, 6);
    let after = [0, 1, 2].map(|body| middle(&mut world, body).x);
    let gone = [0, 1, 2].map(|body| after[body] - before[body]);
    assert!(gone[0].abs() < 1e-3 && gone[1].abs() < 1e-3, "{gone:?}");
    assert!(gone[2] > 0.05, "{gone:?}");
}

/// What was ended stays so in what comes after a save, a restoration and a world that is built anew, and what is tied is
/// tied as it was.
#[test]
fn what_was_ended_stays_ended() {
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler] {
        let [free, kept] = [block("tied", [0.0, 2.0, 0.0]), block("kept", [4.0, 2.0, 0.0])];
        let mut scene = on_floor([free, hung("led", [2.0, 2.0, 0.0]), kept], integrator);
        scene.attachments = ["tied", "kept"].map(|body| tied(body, AttachedTo::Place)).into();
        scene.events = vec![leads("led", [0.0, 0.0, 1.0])];
        let mut world = world(&scene);
        frames(&mut world, 2);
        let (tied, _) = world.attachments().next().unwrap();
        world.detach(tied).unwrap();
        let to = RigidMotion { position: Vec3::new(2.0, 3.0, 0.5), ..RigidMotion::default() };
        world.teleport(1, to).unwrap();
        frames(&mut world, 12);
        let saved = world.save().unwrap();
        let places = [0, 1].map(|body| middle(&mut world, body));
        let after = |world: &mut World| {
            frames(world, 6);
            world.state_hash().unwrap()
        };
        let hash = after(&mut world);
        world.restore(&saved).unwrap();
        assert_eq!(after(&mut world), hash, "{integrator:?}");
        let mut resumed = World::resume(context(), &scene, &saved).unwrap();
        assert_eq!(resumed.attachments().count(), 1);
        assert_eq!(after(&mut resumed), hash, "{integrator:?}");
        assert!(world.detach(tied).is_err());

        world.restore(&saved).unwrap();
        world.add(&other_make()).unwrap();
        assert_eq!(world.attachments().count(), 1);
        let now = [0, 1].map(|body| middle(&mut world, body));
        assert!(now[0].distance(places[0]) < 1e-5 && now[1].distance(places[1]) < 1e-5);
        frames(&mut world, 6);
        let fallen = middle(&mut world, 0).y - now[0].y;
        assert!(fallen < -0.1, "{fallen}");
        assert!((middle(&mut world, 1).z - now[1].z).abs() < 0.02);
        // What a change ties, where the point is by then, is tied there after a save, too.
        let mut present = world.scene().clone();
        present.attachments[0].damping_ratio = 0.3;
        world.change(&present).unwrap();
        let saved = world.save().unwrap();
        let mut resumed = World::resume(context(), world.scene(), &saved).unwrap();
        assert_eq!(after(&mut resumed), after(&mut world), "{integrator:?}");
    }
}

/// An id of an attachment stands for that one only.
#[test]
fn an_attachment_of_another_world_or_time_is_none() {
    let scene = scene_of(vec![block("one", [0.0; 3])]);
    let [mut one, mut two] = [world(&scene), world(&scene)];
    let place = tied("one", AttachedTo::Place);
    let [of_one, of_two] = [&mut one, &mut two].map(|world| world.attach(&place).unwrap());
    let error = two.detach(of_one).unwrap_err().to_string();
    assert!(error.contains("belongs to another world"), "{error}");
    let saved = two.save().unwrap();
    two.restore(&saved).unwrap();
    let again = two.attach(&place).unwrap();
    assert!(two.detach(of_two).is_err());
    let present = two.scene().clone();
    two.change(&present).unwrap();
    two.detach(again).unwrap();
}

/// Events of all submissions are there when somebody asks, those of the last 64 at least, and the others are counted.
#[test]
fn events_wait_until_they_are_asked_for() {
    let mut world = world(&stack(Integrator::Verlet));
    world.set_contact_events(64).unwrap();
    frames(&mut world, 5);
    world.wait().unwrap();
    let events = world.contact_events().unwrap();
    let steps: Vec<_> = events.iter().map(|events| events.steps).collect();
    assert_eq!(events.len(), 5);
    assert_eq!(steps[4], world.steps());
    assert!(steps.is_sorted());
    assert!(world.contact_events().unwrap().is_empty());
    // In a loop without a wait none is missing, and none is seen twice.
    let mut seen = Vec::new();
    for _ in 0..20 {
        world.step(1).unwrap();
        seen.extend(world.contact_events().unwrap());
    }
    world.wait().unwrap();
    seen.extend(world.contact_events().unwrap());
    let steps: Vec<_> = seen.iter().map(|events| events.steps).collect();
    assert!(steps.iter().copied().eq(world.steps() - 19..=world.steps()));
    assert!(seen.iter().all(|events| events.dropped == 0));
    let each = seen[19].touching.len() as u64;
    assert!(each > 0);
    (0..70).for_each(|_| world.step(1).unwrap());
    world.wait().unwrap();
    let events = world.contact_events().unwrap();
    assert_eq!(events.len(), 64);
    assert_eq!(events[0].dropped, 6 * each);
    assert!(events[1..].iter().all(|events| events.dropped == 0));
}

/// Who takes the place of a removed body touches others for the first time, and has ended nothing.
#[test]
fn contacts_begin_anew_with_the_body_that_takes_a_place() {
    let mut scene = stack(Integrator::Verlet);
    scene.bodies[1] = block("high", [0.0, 0.6, 0.0]);
    let mut world = world(&scene);
    world.set_contact_events(64).unwrap();
    let of_high = Partner::Body(1);
    for aside in [0.0, 5.0] {
        frames(&mut world, 6);
        world.wait().unwrap();
        let last = world.contact_events().unwrap().pop().unwrap();
        assert!(last.touching.iter().any(|touch| touch.partner == of_high));
        let high = world.body_id(1).unwrap();
        world.remove(high).unwrap();
        let mut new = scene.bodies[1].clone();
        new.position[0] += aside;
        new.position[1] += aside - 0.02;
        world.add(&new).unwrap();
        frames(&mut world, 1);
        world.wait().unwrap();
        let events = world.contact_events().unwrap().pop().unwrap();
        let touch = events.touching.iter().find(|t| t.partner == of_high);
        assert_eq!(touch.map(|touch| touch.begins), (aside == 0.0).then_some(true));
        let is_of_high = |pair: &(usize, Partner)| pair.0 == 1 || pair.1 == of_high;
        assert!(!events.ended.iter().any(is_of_high), "{:?}", events.ended);
    }
}

/// Room that no device has is refused before the host has built it.
#[test]
fn too_much_room_is_refused_at_once() {
    let scene = stack(Integrator::Verlet);
    let mut world = World::new(&new_device(), &scene).unwrap();
    let large = Body::lattice("large", [256, 256, 255], [1.0; 3]);
    let small = Body::lattice("small", [8; 3], [1.0; 3]);
    let started = std::time::Instant::now();
    assert!(matches!(world.add(&large), Err(Error::TooLarge { .. })));
    let room = world.reserve(&small, 90_000);
    assert!(matches!(room, Err(Error::TooLarge { .. })), "{room:?}");
    assert!(started.elapsed().as_secs() < 20);
    assert_eq!(world.scene().bodies.len(), 2);
    frames(&mut world, 1);
}

/// Pins of a body that sleeps stay where they are.
#[test]
fn pins_of_a_sleeping_body_are_not_moved() {
    let mut world = world(&stack(Integrator::Verlet));
    let id = world.body_id(1).unwrap();
    world.sleep(id).unwrap();
    let error = world.move_pins(1, RigidMotion::default()).unwrap_err();
    assert!(error.to_string().contains("asleep"), "{error}");
    let targets = vec![Vec3::Y; world.pins(1).unwrap().len()];
    let to = PinMotion::Targets { targets: &targets, steps: 10 };
    assert!(world.move_pins(1, to).is_err());
    world.wake(id).unwrap();
    world.move_pins(1, RigidMotion::default()).unwrap();
}

/// A fault says which copy it is of, and goes with that one only; questions can be about one copy.
#[test]
fn copies_are_told_apart() {
    let scene = scene_of(vec![block("block", [0.0; 3])]);
    let mut copies = scene.replicate(3).unwrap();
    copies.bodies[2].position = [0.0, 3.0, 0.0];
    let mut world = world(&copies);
    let mut queries = Queries::new(&world).unwrap();
    let mut met = |replica: Option<usize>| {
        queries.set_replica(replica);
        let hits = queries.rays(&world, &[down()], &RayOptions::default())?;
        Ok::<_, Error>(hits.wait()?[0].and_then(|hit| hit.body))
    };
    assert_eq!(met(None).unwrap(), Some(2));
    assert_eq!(met(Some(1)).unwrap(), Some(1));
    assert!(met(Some(3)).is_err());

    let count = world.model().bodies[1].particles.len();
    let apart = |i| if i % 2 == 0 { 9e3 } else { -9e3 };
    let velocities: Vec<_> = (0..count).map(|i| apart(i) * Vec3::X).collect();
    world.write_velocities(1, &velocities).unwrap();
    let fault = loop {
        match world.step(50).and_then(|()| world.wait()) {
            Ok(()) => assert!(world.steps() < 1000),
            Err(Error::Fault(fault)) => break fault,
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!((fault.index, &fault.body[..]), (1, "block"));
    let [first, lost] = [0, 1].map(|index| world.body_id(index).unwrap());
    world.remove(first).unwrap();
    assert!(matches!(world.wait(), Err(Error::Fault(_))));
    world.remove(lost).unwrap();
    frames(&mut world, 2);
}
