//! Piles give the same bits each time, however they are submitted, saved or given room.

use pliant::scene::{Body, Scene};
use pliant::{Context, World};

use crate::cloud_support::at_step;
use crate::collide_support::*;
use crate::support::*;
use crate::{cloud_pile, collide_pile};

/// In the middle of their fall: contacts come, last and go.
#[test]
fn piles_repeat_bit_for_bit_however_they_are_submitted() {
    let piles = [("bodies", collide_pile::pile(20, 17), 360), ("clouds", cloud_pile::pile(6), 480)];
    for (name, pile, steps) in piles {
        let pile = at_step(pile, 1e-3);
        let whole = assert_repeats(name, &pile, &vec![1; steps]);
        assert!(whole.contacts().contacts > 0);
        assert!(name == "clouds" || whole.contacts().repeats > 0);
        let later = [vec![251, 49], vec![60; (steps - 300) / 60]].concat();
        assert_repeats(name, &pile, &later);
    }
}

/// Blocks so deep in each other that far more points are inside than there is room for at the start. Beside
/// bystanders, which are of the same kind so that nothing else changes, there is room at once; it must not matter.
#[test]
fn room_at_the_start_does_not_matter() {
    let blocks = |bystanders: u32| {
        let mut bodies = vec![block(5, 0.2, 0.5); 6];
        for (k, body) in (0..).zip(&mut bodies) {
            let k = f64::from(k);
            body.position = [0.31 * k, 0.17 * k, -0.13 * k];
            body.rotation = [0.1 * k, 0.2 * k, 0.3 * k];
        }
        bodies.extend(
            (0..bystanders)
                .map(|k| Body { position: [0.0, 3.0 * f64::from(k), 100.0], ..block(5, 0.2, 0.5) }),
        );
        at_step(meeting(bodies), 5e-4)
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
    let ball = brick([2; 3], [0.2; 3], [0.01, 0.65, 0.02], 500.0, 1e5);
    let mut slab = brick([4, 1, 4], [0.8, 0.1, 0.8], [0.0, 0.05, 0.0], 500.0, 1e6);
    slab.pin.push(within([-1.0, -1.0, -1.0], [1.0, 0.01, 1.0]));
    let scene = at_step(standing([slab, ball]), 5e-4);
    assert_repeats("met again", &scene, &[vec![60; 10], vec![1; 1800]].concat());
}

/// Lists that grew before a save are as long again in a world that goes on from it.
#[test]
fn saves_made_after_lists_grew_go_on_bit_for_bit() {
    let block = |at| brick([8; 3], [1.0; 3], at, 1000.0, 1e5);
    let scene = at_step(meeting([block([0.0; 3]), block([0.0, 0.5, 0.0])]), 1e-3);
    let mut first = world(&scene);
    first.step(3).unwrap();
    let saved = first.save().unwrap();
    assert!(first.contacts().grown > 0, "{:?}", first.contacts());
    let mut resumed = World::resume(context(), &scene, &saved).unwrap();
    for world in [&mut first, &mut resumed] {
        world.step(20).unwrap();
    }
    assert_eq!(first.state_hash().unwrap(), resumed.state_hash().unwrap());
    // A save that is refused leaves the world as it is.
    let before = first.save().unwrap();
    let mut damaged = saved.clone();
    *damaged.last_mut().unwrap() ^= 1;
    first.restore(&damaged).unwrap_err();
    assert!(first.save().unwrap() == before, "changed by a refused save");
}

/// On CPU threads: which of them runs what changes nothing, in scenes of all kinds of bodies.
#[test]
fn the_number_of_threads_changes_nothing() {
    let files = [
        "models_stack.toml",
        "rigid_on_soft.toml",
        "soft_press.toml",
        "shape_modes.toml",
        "fem_core.toml",
    ];
    for file in files {
        let hash = |threads: Option<usize>| {
            let mut world = World::new(&Context::cpu(threads).unwrap(), &scene_file(file)).unwrap();
            for _ in 0..20 {
                world.step_frame().unwrap();
            }
            world.state_hash().unwrap()
        };
        assert_eq!(hash(Some(1)), hash(None), "{file}");
    }
}
