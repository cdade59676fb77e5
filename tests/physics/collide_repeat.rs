//! A pile gives the same bits each time, however it is submitted, saved or given room.

use pliant::World;
use pliant::scene::{Body, Scene, Step};

use crate::collide_pile::pile;
use crate::collide_support::*;
use crate::support::*;

const STEPS: u64 = 360;

/// The pile in the middle of its fall: contacts come, last and go.
fn scene() -> Scene {
    let mut scene = pile(20);
    scene.world.step = Step::Fixed(1e-3);
    scene
}

fn end(world: &mut World, steps: u64, at_once: u64) -> u64 {
    for _ in 0..steps / at_once {
        world.step(at_once).unwrap();
    }
    world.state_hash().unwrap()
}

#[test]
fn piles_repeat_bit_for_bit_however_they_are_submitted() {
    let wanted = {
        let mut world = world(&scene());
        let hash = end(&mut world, STEPS, STEPS);
        assert!(world.contacts().contacts > 0 && world.contacts().repeats > 0);
        hash
    };
    for at_once in [60, 1] {
        let mut world = world(&scene());
        assert_eq!(end(&mut world, STEPS, at_once), wanted, "{at_once} at once");
    }
    // Looking must not change anything either.
    let mut watched = world(&scene());
    for _ in 0..STEPS / 20 {
        watched.step(20).unwrap();
        watched.read().unwrap();
        watched.update_skin();
    }
    assert_eq!(watched.state_hash().unwrap(), wanted, "watched");
}

#[test]
fn saved_piles_go_on_bit_for_bit() {
    let wanted = end(&mut world(&scene()), STEPS, STEPS);
    for at in [1, 251] {
        let mut first = world(&scene());
        first.step(at).unwrap();
        let saved = first.save().unwrap();
        // In a new world, whose lists are as small as at the start.
        let mut resumed = World::resume(context(), &scene(), &saved).unwrap();
        assert_eq!(end(&mut resumed, STEPS - at, STEPS - at), wanted, "resumed at {at}");
        // In a world that is elsewhere.
        let mut other = world(&scene());
        other.step(333).unwrap();
        other.restore(&saved).unwrap();
        assert_eq!(end(&mut other, STEPS - at, STEPS - at), wanted, "restored at {at}");
        // Saving does not disturb.
        assert_eq!(end(&mut first, STEPS - at, STEPS - at), wanted, "saved at {at}");
    }
}

/// Blocks so deep in each other that far more points are inside than there is room for at the start. Beside
/// bystanders, which are of the same kind so that nothing else changes, there is room at once; it must not matter.
#[test]
fn room_at_the_start_does_not_matter() {
    let blocks = |bystanders: usize| {
        let mut bodies: Vec<Body> = (0..6)
            .map(|k| {
                let mut body = block(5, 0.2, 0.5);
                let k = f64::from(k);
                body.position = [0.31 * k, 0.17 * k, -0.13 * k];
                body.rotation = [0.1 * k, 0.2 * k, 0.3 * k];
                body
            })
            .collect();
        bodies.extend((0..bystanders).map(|k| {
            let mut body = block(5, 0.2, 0.5);
            body.position = [0.0, 3.0 * k as f64, 100.0];
            body
        }));
        let mut scene = meeting(bodies);
        scene.world.step = Step::Fixed(5e-4);
        scene
    };
    let run = |scene: Scene| {
        let mut world = world(&scene);
        world.step(40).unwrap();
        let snapshot = world.read_last_good().unwrap();
        let bits: Vec<_> =
            snapshot.positions[..6 * 216].iter().map(|x| x.to_array().map(f32::to_bits)).collect();
        (bits, world.contacts())
    };
    let (small, tally) = run(blocks(0));
    let (large, roomy) = run(blocks(20));
    // There is room for 512 at the start, or for 2048.
    assert!(tally.points_max > 512, "{tally:?}");
    assert_eq!(tally.contacts, roomy.contacts);
    assert!(small == large, "they differ");
}

/// Bodies that part and meet again: nothing is left of the first contact.
#[test]
fn meeting_again_does_not_depend_on_submissions() {
    let scene = || {
        let ball = brick([2; 3], [0.2; 3], [0.01, 0.65, 0.02], 500.0, 1e5);
        let mut slab = brick([4, 1, 4], [0.8, 0.1, 0.8], [0.0, 0.05, 0.0], 500.0, 1e6);
        slab.pin.push(within([-1.0, -1.0, -1.0], [1.0, 0.01, 1.0]));
        let mut scene = standing([slab, ball]);
        scene.world.step = Step::Fixed(5e-4);
        scene
    };
    let mut at_once = world(&scene());
    let wanted = end(&mut at_once, 2400, 2400);
    for steps in [1, 60] {
        assert_eq!(end(&mut world(&scene()), 2400, steps), wanted, "{steps} at once");
    }
}

/// Lists that grew before a save are as long again in a world that goes on from it.
#[test]
fn saves_made_after_lists_grew_go_on_bit_for_bit() {
    let block = |at| brick([8; 3], [1.0; 3], at, 1000.0, 1e5);
    let mut scene = meeting([block([0.0; 3]), block([0.0, 0.5, 0.0])]);
    scene.world.step = Step::Fixed(1e-3);
    let mut first = world(&scene);
    first.step(3).unwrap();
    let saved = first.save().unwrap();
    assert!(first.contacts().grown > 0, "{:?}", first.contacts());
    let mut resumed = World::resume(context(), &scene, &saved).unwrap();
    let wanted = end(&mut first, 20, 20);
    assert_eq!(end(&mut resumed, 20, 20), wanted);
    // A save that is refused leaves the world as it is.
    let before = first.save().unwrap();
    let mut damaged = saved.clone();
    *damaged.last_mut().unwrap() ^= 1;
    first.restore(&damaged).unwrap_err();
    assert!(first.save().unwrap() == before, "changed by a refused save");
}
