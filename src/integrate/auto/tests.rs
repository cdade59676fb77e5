use super::*;
use crate::scene::{Aabb, Body, Fem, Law, Mass, Response, Springs};

/// A lattice in free flight.
fn lattice() -> Scene {
    let mut body = Body::lattice("a", [3; 3], [0.6; 3]);
    body.mass = Mass::Point(0.05);
    body.kind = Springs::Constants { distance: 60.0, volume: 20.0, damping: 0.1 }.into();
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    scene.world.auto_integrator = true;
    scene
}

/// What is picked where the device might have found this stiffness [1/s²]: at 4e5 Verlet takes 7 steps in 1/60 s.
fn picked(scene: &Scene, stiffness: f64) -> Integrator {
    let model = Model::new(scene, "", u64::MAX).unwrap();
    let estimate = Estimate { stiffness, damping: 60.0, rate: 60.0 };
    let (integrator, pick) = pick(scene, &model, &[estimate]);
    println!("{stiffness:e}: {} {}", pick.integrator, pick.reason);
    assert_eq!(pick.integrator, integrator.name());
    integrator
}

const SOFT: f64 = 4e5;
const STIFF: f64 = 4e7;

#[test]
fn bodies_are_left_to_verlet_up_to_a_stiffness() {
    let scene = lattice();
    let most = (MOST_STEPS / 7.0).powi(2) * SOFT;
    for (stiffness, wanted) in [
        (SOFT, Integrator::Verlet),
        (0.9 * most, Integrator::Verlet),
        (1.2 * most, Integrator::Vbd),
        (STIFF, Integrator::Vbd),
    ] {
        assert_eq!(picked(&scene, stiffness), wanted, "{stiffness:e}");
    }
}

#[test]
fn an_integrator_that_refuses_the_scene_is_not_picked() {
    let mut corotated = lattice();
    corotated.bodies[0].kind = Fem { law: Law::Corotated, ..Fem::new(1e5, 0.3) }.into();
    assert_eq!(picked(&corotated, STIFF), Integrator::ImplicitEuler);
    corotated.world.response = Response::Source;
    assert_eq!(picked(&corotated, STIFF), Integrator::Verlet);
}

/// Where its steps are hardly longer, or rounding moves a body in them.
#[test]
fn an_integrator_that_is_no_better_is_not_picked() {
    let mut held = lattice();
    held.bodies[0].pin = vec![Aabb { min: [-1.0, 0.29, -1.0], max: [1.0; 3] }];
    assert_eq!(picked(&held, STIFF), Integrator::ImplicitEuler);
    assert_eq!(picked(&held, 100.0 * STIFF), Integrator::Verlet);
}

#[test]
fn a_fixed_step_must_be_borne() {
    let mut scene = lattice();
    for (step, stiffness, wanted) in [
        (1e-4, STIFF, Integrator::Verlet),
        (1e-3, STIFF, Integrator::Vbd),
        // Ten sweeps are not enough.
        (1.0 / 60.0, STIFF, Integrator::ImplicitEuler),
    ] {
        scene.world.step = Step::Fixed(step);
        assert_eq!(picked(&scene, stiffness), wanted, "{step}");
    }
    scene.world.iterations = Some(100);
    assert_eq!(picked(&scene, STIFF), Integrator::Vbd);
}
