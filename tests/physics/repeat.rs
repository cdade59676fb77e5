//! The same scene gives the same bits.

use pliant::scene::{Integrator, Scene, Solid, Step};

use crate::support::*;

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
    scene.solids.push(Solid::Sphere { position: [0.3, 0.0, 0.0], radius: 0.3 });
    scene
}

#[test]
fn runs_repeat_bit_for_bit() {
    for integrator in Integrator::ALL {
        let hash = || {
            let mut scene = scene(integrator);
            scene.world.step = Step::Fixed(1e-4);
            let mut world = world(&scene);
            world.step(60).unwrap();
            world.state_hash().unwrap()
        };
        assert_eq!(hash(), hash(), "{integrator:?}");
    }
}

#[test]
fn call_patterns_do_not_matter() {
    for integrator in [
        Integrator::Verlet,
        Integrator::Leapfrog,
        Integrator::SymplecticEuler,
        Integrator::Rk4,
        Integrator::ImplicitEuler,
        Integrator::Vbd,
    ] {
        let mut by_frames = world(&scene(integrator));
        frames(&mut by_frames, 4);
        let steps = by_frames.steps();
        assert!((by_frames.time() - 4.0 / 60.0).abs() < 1e-9, "{} s", by_frames.time());
        let wanted = by_frames.state_hash().unwrap();

        let mut at_once = world(&scene(integrator));
        at_once.step(steps).unwrap();
        assert_eq!(at_once.state_hash().unwrap(), wanted, "{integrator:?} at once");

        let mut one_by_one = world(&scene(integrator));
        for _ in 0..steps {
            one_by_one.step(1).unwrap();
        }
        assert_eq!(one_by_one.state_hash().unwrap(), wanted, "{integrator:?} one by one");

        let mut watched = world(&scene(integrator));
        for _ in 0..4 {
            watched.step_frame().unwrap();
            watched.read().unwrap();
            watched.update_skin();
        }
        assert_eq!(watched.state_hash().unwrap(), wanted, "{integrator:?} watched");
    }
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
