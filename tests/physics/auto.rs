//! `integrator = "auto"`: worlds that use what was picked.

use pliant::scene::{Fem, Integrator, Scene, Step};

use crate::support::*;

/// Runs a scene with what is picked and with the same integrator by name, which must do the same; returns which it is.
fn picked(mut named: Scene) -> Integrator {
    // What an open scene says of the integrator counts for nothing.
    let mut open = named.clone();
    (open.world.integrator, open.world.auto_integrator) = (Integrator::Euler, true);
    let mut open = world(&open);
    let pick = open.pick().unwrap().clone();
    let integrator = open.stepping().integrator;
    assert_eq!(pick.integrator, integrator.name());
    named.world = named.world.with_integrator(integrator);
    let mut named = world(&named);
    assert!(named.pick().is_none());
    assert_eq!(open.stepping(), named.stepping());
    assert_eq!(open.scene().world.integrator, integrator);
    for world in [&mut open, &mut named] {
        frames(world, 10);
    }
    assert_eq!(open.state_hash().unwrap(), named.state_hash().unwrap());
    integrator
}

#[test]
fn a_world_takes_what_was_picked() {
    for (young, wanted) in [(1e5, Integrator::Verlet), (1e8, Integrator::Vbd)] {
        let mut body = block(3, 0.2, 2.0);
        (body.kind, body.position) = (Fem::new(young, 0.3).into(), [0.0, 0.4, 0.0]);
        assert_eq!(picked(on_floor([body], Integrator::Verlet)), wanted, "{young:e} Pa");
    }
}

#[test]
fn a_step_that_verlet_does_not_bear_is_left_to_vertex_block_descent() {
    let mut body = block(3, 0.2, 0.01);
    body.angular_velocity = [0.3, 0.2, 0.1];
    let with = |step: Step| floating(body.clone(), Integrator::Verlet, step);
    let bound = world(&with(Step::Auto)).longest_step();
    let step = |share: f64| with(Step::Fixed(share * bound));
    assert_eq!(picked(step(0.75)), Integrator::Verlet);
    assert_eq!(picked(step(0.95)), Integrator::Vbd);
}

#[test]
fn the_scene_of_the_documentation_is_left_to_verlet() {
    assert_eq!(picked(scene_file("soft_auto.toml")), Integrator::Verlet);
}
