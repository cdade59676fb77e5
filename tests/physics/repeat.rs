//! The same scene gives the same bits.

use pliant::scene::{Fem, Integrator, Scene, Solid, Springs, Step};

use crate::attach::longer;
use crate::attach_life::mobile;
use crate::support::*;
use crate::vbd::{cube, vbd};
use crate::{implicit_worlds, shape_motion};

fn scene(integrator: Integrator) -> Scene {
    let mut first = block(3, 0.2, 0.2);
    first.position = [0.0, 0.4, 0.0];
    first.rotation = [0.3, 0.5, 0.1];
    first.velocity = [1.0, -2.0, 0.5];
    let mut second = from_mesh(random_mesh([2, 3, 2], 0.1, 0.2, 5));
    second.scale = [0.2; 3];
    second.position = [2.0, 0.4, 0.0];
    let mut scene = scene_of(vec![first, second]);
    scene.world.floor = Some(0.0);
    scene.world.integrator = integrator;
    scene.solids.push(Solid::sphere([0.3, 0.0, 0.0], 0.3));
    scene
}

#[test]
fn runs_repeat_bit_for_bit() {
    for integrator in Integrator::ALL {
        let mut scene = scene(integrator);
        scene.world.step = Step::Fixed(1e-4);
        assert_repeats(integrator.name(), &scene, &[7, 20, 33]);
    }
}

#[test]
fn call_patterns_do_not_matter() {
    for integrator in Integrator::ALL.into_iter().filter(|i| automatic(*i) == Step::Auto) {
        let mut by_frames = world(&scene(integrator));
        frames(&mut by_frames, 4);
        assert!((by_frames.time() - 4.0 / 60.0).abs() < 1e-9, "{} s", by_frames.time());
        let one_by_one = vec![1; by_frames.steps() as usize];
        let mut whole = assert_repeats(integrator.name(), &scene(integrator), &one_by_one);
        let hashes = [&mut whole, &mut by_frames].map(|world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{integrator:?} by frames");
    }
}

/// Ties: the solid sets off after 100 steps of 1 ms; 20 long implicit steps. Clusters that flow; bodies of all kinds on each
/// other, in implicit steps; sweeps.
#[test]
fn worlds_of_all_that_is_kept_repeat_bit_for_bit() {
    for integrator in Integrator::ALL {
        let part = 40 / longer(integrator);
        let name = format!("ties, {}", integrator.name());
        assert_repeats(&name, &mobile(integrator), &[3 * part, 1, part - 1, 2 * part]);
    }
    assert_repeats("flowing clusters", &shape_motion::plastic_scene(), &[30, 30]);
    assert_repeats("implicit steps", &implicit_worlds::bodies(), &[20, 20]);
    let mut bodies = vec![
        cube("a", Fem::undamped(1e5, 0.3).into(), 0.6),
        cube("b", Springs::default().into(), 1.7),
    ];
    bodies[0].angular_velocity = [0.0, 1.0, 0.5];
    let mut scene = vbd(bodies, 10);
    scene.world.floor = Some(0.0);
    assert_repeats("sweeps", &scene, &[7, 24, 29]);
}

#[test]
fn a_change_of_the_start_changes_the_hash() {
    let hash = |speed: f64| {
        let mut scene = scene(Integrator::Verlet);
        scene.bodies[0].velocity[0] = speed;
        let mut world = world(&scene);
        world.step(10).unwrap();
        world.state_hash().unwrap()
    };
    assert_ne!(hash(1.0), hash(1.000_001));
}
