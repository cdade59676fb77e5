//! Attachments that begin, change and end, and what of them is refused.

use glam::{DVec3, Quat};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::scene::{
    AttachedPoints, AttachedTo, Attachment, Integrator, Movable, Scene, Solid, Step,
};
use pliant::world::{AttachmentId, RigidMotion};

use crate::attach::*;
use crate::support::*;

/// The scene may move the solid, too, and a belt takes along what is tied to it.
#[test]
fn events_move_what_is_tied() {
    let mut scene = passing(vec![cube("cube", [0.0, 0.6, 0.0])], Integrator::Verlet);
    scene.world.floor = Some(0.0);
    scene.attachments.push(Attachment::new("cube", side(1, -1.0), AttachedTo::Solid(0)));
    scene.world.drag = 5.0;
    let motion = [[0.5, 0.0, 0.0], [0.0; 3]];
    scene.events.push(move_event(Movable::Solid(0), [0.0; 3], motion, [0.5, 1.5]));
    let mut world = world(&scene);
    world.step(2500).unwrap();
    let x = mean(&world.read().unwrap().positions);
    assert!(x.distance(DVec3::new(0.5, 0.6, 0.0)) < 1e-3, "{x}");
}

/// Detached, a body falls; removed, its ties are gone and their ids stand for nothing.
#[test]
fn what_is_let_go_falls() {
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler, Integrator::Vbd] {
        let bodies = vec![cube("cube", [0.0; 3]), cube("other", [0.0, 0.2, 0.0])];
        let mut scene = without_contact(bodies, integrator);
        scene.world.gravity = [0.0, -G, 0.0];
        let mut world = world(&scene);
        let hung = Attachment::new("other", side(1, 1.0), AttachedTo::Place);
        let above = world.attach(&hung).unwrap();
        let below = world.attach(&Attachment::new("cube", side(1, 1.0), to("other"))).unwrap();
        assert_eq!(world.attachments().map(|(id, _)| id).collect::<Vec<_>>(), [above, below]);
        world.step(500 / longer(integrator)).unwrap();
        // Ties are as stiff as a step of 1 ms or, of implicit steps, the cubes' own frequency bears.
        let sag = if integrator.is_implicit() { 0.06 } else { 0.03 };
        let [hangs, _] = centre(&mut world, 0);
        assert!(hangs > -sag, "{integrator:?}: {hangs}");
        // The last one, too, leaves nothing behind.
        for (id, body) in [(below, 0), (above, 1)] {
            let [x, v] = centre(&mut world, body);
            world.detach(id).unwrap();
            world.step(200 / longer(integrator)).unwrap();
            // Implicit Euler takes the velocity of each step's end.
            let late = if integrator.is_implicit() { 1e-2 } else { 0.0 };
            let fallen = x + 0.2 * v - 0.5 * G * 0.2 * (0.2 + late);
            let [now, _] = centre(&mut world, body);
            let name = integrator.name();
            assert!((now - fallen).abs() < 2e-3, "{name}: {now}, wanted {fallen}");
        }
        // A force that stayed would stretch it by m g/(E l), 2 % of 0.2 m.
        let end = world.read().unwrap();
        let own = &end.positions[world.model().bodies[1].particles.clone()];
        let tall = highest(own) - lowest(own);
        // With Verlet it still quivers.
        let most = if integrator.is_implicit() { 2e-4 } else { 1e-3 };
        assert!((tall - 0.2).abs() < most, "{integrator:?}: {tall} m");
        ended(&mut world, below, hung);
    }
}

/// An id that has ended, and an attachment of a body that is elsewhere, then gone.
fn ended(world: &mut World, below: AttachmentId, hung: Attachment) {
    let message = world.detach(below).unwrap_err().to_string();
    assert!(message.contains("wanted an attachment that still exists"), "{message}");
    let again = world.attach(&Attachment { to: to("cube"), points: side(1, -1.0), ..hung.clone() });
    let message = again.unwrap_err().to_string();
    assert!(message.contains("away from body \"cube\""), "{message}");
    let id = world.body_id(1).unwrap();
    world.remove(id).unwrap();
    assert_eq!(world.attachments().count(), 0);
    assert!(world.attach(&hung).is_err(), "of a body that is gone");
    world.step(10).unwrap();
    world.read().unwrap();
}

/// Height [m] and velocity up [m/s] of a body's centre of mass.
fn centre(world: &mut World, body: usize) -> [f64; 2] {
    let range = world.model().bodies[body].particles.clone();
    let (state, whole) = (world.read().unwrap(), mass(world, body));
    let masses = &world.model().masses;
    [&state.positions, &state.velocities].map(|of| {
        let parts = range.clone().map(|i| masses[i] * f64::from(of[i].y));
        parts.sum::<f64>() / whole
    })
}

/// Two cubes that hang on a box which turns.
pub fn mobile(integrator: Integrator) -> Scene {
    let bodies = vec![cube("upper", [0.0, -0.3, 0.0]), cube("lower", [0.05, -0.5, 0.0])];
    let mut scene = passing(bodies, integrator);
    scene.world.gravity = [0.0, -G, 0.0];
    scene.solids.push(Solid::cuboid([0.0; 3], [0.4; 3]));
    let motion = [[0.0; 3], [0.0, 2.0, 0.0]];
    scene.events.push(move_event(Movable::Solid(1), [0.0; 3], motion, [0.1, f64::INFINITY]));
    scene.attachments.push(Attachment::new("upper", side(1, 1.0), AttachedTo::Solid(1)));
    scene.attachments.push(Attachment::new("lower", side(1, 1.0), to("upper")));
    scene
}

/// Ties of implicit integrators are as stiff after a change, which asks how stiff bodies are where they are, as in the world
/// that its save is resumed in, which asks where they start.
#[test]
fn a_changed_world_resumes_with_its_ties() {
    let mut world = world(&mobile(Integrator::Verlet));
    world.step(200).unwrap();
    let mut scene = world.scene().clone();
    scene.world.integrator = Integrator::Vbd;
    scene.world.step = Step::Fixed(1e-2);
    world.change(&scene).unwrap();
    world.step(5).unwrap();
    let save = world.save().unwrap();
    let mut resumed = World::resume(context(), &scene, &save).unwrap();
    world.step(20).unwrap();
    resumed.step(20).unwrap();
    assert_eq!(world.state_hash().unwrap(), resumed.state_hash().unwrap());
}

type Change<'a> = &'a dyn Fn(&mut World);

/// A change and further bodies leave ties as they are, those of the scene and those of the caller's.
#[test]
fn ties_outlive_a_change() {
    let scene = mobile(Integrator::Verlet);
    let run = |change: Change| {
        let mut world = world(&scene);
        world.step(150).unwrap();
        let lower = AttachedPoints::Listed(vec![0]);
        let own = world.attach(&Attachment::new("lower", lower, AttachedTo::Place));
        world.step(50).unwrap();
        change(&mut world);
        world.step(100).unwrap();
        let ids: Vec<_> = world.attachments().map(|(id, _)| id).collect();
        assert_eq!((ids.len(), ids[2]), (3, own.unwrap()));
        places(&mut world).into_iter().take(54).collect::<Vec<_>>()
    };
    let undisturbed = run(&|_| {});
    let further = cube("further", [5.0, 0.0, 0.0]);
    let becomes = |integrator| {
        move |world: &mut World| {
            let mut scene = world.scene().clone();
            scene.world.integrator = integrator;
            world.change(&scene).unwrap();
        }
    };
    let changes: [(&str, Change); 4] = [
        ("the same", &becomes(Integrator::Verlet)),
        ("another integrator", &becomes(Integrator::Leapfrog)),
        ("an implicit integrator", &becomes(Integrator::Vbd)),
        ("a further body", &|world| {
            world.add(&further).unwrap();
        }),
    ];
    for (name, change) in changes {
        let changed = run(change);
        let far = apart(&undisturbed, &changed);
        // Steps of first order end where ½ h a t, here 5e-4 m, says.
        let most = if name.contains("implicit") { 1e-3 } else { 2e-4 };
        assert!(far < most, "{name}: {far} m");
    }
}

#[test]
fn what_was_let_go_stays_so_in_a_changed_world() {
    let scene = mobile(Integrator::Verlet);
    let mut world = world(&scene);
    world.step(50).unwrap();
    let (first, _) = world.attachments().next().unwrap();
    world.detach(first).unwrap();
    let mut changed = scene.clone();
    changed.attachments[1].damping_ratio = 0.1;
    world.change(&changed).unwrap();
    let held: Vec<_> = world.attachments().map(|(_, held)| held.clone()).collect();
    assert_eq!(held, [changed.attachments[1].clone()]);
}

/// Copies of a scene have attachments each, and the bits of their runs alone.
#[test]
fn copies_have_their_own_ties() {
    let mut one = mobile(Integrator::Verlet);
    one.events.clear();
    let mut scene = one.replicate(3).unwrap();
    scene.bodies[3].velocity = [0.2, 0.0, 0.3];
    let mut copies = world(&scene);
    copies.step(200).unwrap();
    for replica in 0..3 {
        let mut alone = world(&scene.replica(replica).unwrap());
        alone.step(200).unwrap();
        let hash = copies.replica_hash(replica).unwrap();
        assert_eq!(hash, alone.replica_hash(0).unwrap(), "copy {replica}");
    }
    assert_eq!(copies.attachments().count(), 6);
    let upper = Attachment::new("upper", side(0, 1.0), AttachedTo::Place);
    let message = copies.attach(&upper).unwrap_err().to_string();
    assert!(message.contains("3 replicas"), "{message}");
}

/// What cannot be tied is refused, and says what was wanted.
#[test]
fn what_cannot_be_tied_is_refused() {
    let mut scene =
        without_contact(vec![cube("a", [0.0; 3]), cube("b", [1.0, 0.0, 0.0])], Integrator::Verlet);
    scene.world.contact = true;
    scene.solids.push(Solid::sphere([0.0, 3.0, 0.0], 0.1));
    let mut world = world(&scene);
    let hash = world.state_hash().unwrap();
    let good = Attachment::new("a", side(0, 1.0), AttachedTo::Place);
    type Edit = fn(&mut Attachment);
    #[rustfmt::skip]
    let cases: [(Edit, &str); 13] = [
        (|a| a.body = "c".into(), "attach.body is \"c\", wanted the name of a body"),
        (|a| a.to = to("a"), "attach.to is \"a\", wanted the name of another body"),
        (|a| a.to = to("b"), "m away from body \"b\", wanted points within a mean edge"),
        (|a| a.to = AttachedTo::Solid(0), "attach.solid is 0, wanted a number from 1"),
        (|a| a.to = AttachedTo::Solid(2), "attach.solid is 2, wanted at most 1"),
        (|a| a.points = AttachedPoints::Listed(vec![]), "attach.points is []"),
        (|a| a.points = AttachedPoints::Listed(vec![0, 27]), "point number below 27"),
        (|a| a.points = AttachedPoints::Listed(vec![3, 3]), "each once"),
        (|a| a.points = AttachedPoints::Within(within([2.0; 3], [3.0; 3])), "attach.box is"),
        (|a| a.stiffness = Some(f64::NAN), "attach.stiffness is NaN"),
        (|a| a.stiffness = Some(-1.0), "attach.stiffness is -1"),
        (|a| a.stiffness = Some(1e9), "attach.stiffness is 1.000e9 N/m, wanted at most"),
        (|a| a.damping_ratio = 2.0, "attach.damping_ratio is 2"),
    ];
    for (edit, wanted) in cases {
        let mut attachment = good.clone();
        edit(&mut attachment);
        let message = world.attach(&attachment).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
        assert_eq!(world.attachments().count(), 0);
    }
    world.step(20).unwrap();
    assert_ne!(hash, world.state_hash().unwrap(), "0.02 s have passed");
}

/// Held points of both ends have no mass that swings: such a tie does nothing, and no number is lost.
#[test]
fn ties_of_what_is_held_do_nothing() {
    let mut held = cube("held", [0.0; 3]);
    held.pin.push(EVERYWHERE);
    let mut scene = without_contact(vec![held, cube("free", [1.0, 0.0, 0.0])], Integrator::Verlet);
    scene.attachments.push(Attachment::new("held", side(0, 1.0), AttachedTo::Place));
    let mut world = world(&scene);
    world.step(50).unwrap();
    let end = world.read().unwrap();
    for (i, x) in end.positions.iter().enumerate().take(27) {
        assert_eq!(*x, world.model().positions[i].as_vec3());
    }
    let turned = Quat::from_rotation_z(0.1);
    let motion = RigidMotion { rotation: turned, ..RigidMotion::default() };
    world.move_pins(0, motion).unwrap();
    world.step(10).unwrap();
    let x = world.read().unwrap().positions[0];
    let wanted = turned * world.model().positions[0].as_vec3();
    assert!(x.distance(wanted) < 1e-6, "{x}, wanted {wanted}");
}
