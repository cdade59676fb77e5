//! Implicit Euler by Newton's method against the dense solution in f64.

use pliant::scene::{Fem, Kind, Law};

use crate::implicit_support::*;
use crate::support::*;

/// How far a bar of 2 × 1 × 1 cubes that is held at one end, turned, stretched and thrown is off the reference after steps.
fn off(kind: Kind, drag: f64) -> f64 {
    let mut body = lattice("bar", [2, 1, 1], [0.4, 0.2, 0.2], 1000.0, kind);
    body.pin = vec![within([-0.21, -1.0, -1.0], [-0.19, 1.0, 1.0])];
    body.stretch = [1.1, 0.95, 1.0];
    body.angular_velocity = [1.0, -2.0, 1.5];
    let mut scene = newton(body, FRAME);
    (scene.world.tolerance, scene.world.iterations) = (Some(1e-5), Some(30));
    scene.world.drag = drag;
    let mut world = world(&scene);
    let system = system(&world);
    off_the_reference(&mut world, &system, 5)
}

#[test]
fn implicit_springs_follow_the_dense_solution() {
    for (distance, volume, damping) in
        [(60.0, 0.0, 0.0), (60.0, 0.0, 1.0), (60.0, 20.0, 0.5), (600.0, 2000.0, 0.0)]
    {
        let error = off(constants(distance, volume, damping), 0.3);
        assert!(error < 1e-4, "{distance} {volume} {damping}: {error:e}");
    }
}

#[test]
fn implicit_elements_follow_the_dense_solution() {
    for law in Law::ALL {
        for (young, poisson, relaxation) in [(1e5, 0.3, 0.0), (1e5, 0.3, 0.02), (2e5, 0.45, 0.001)]
        {
            let fem = Fem { law, relaxation: Some(relaxation), ..Fem::new(young, poisson) };
            let error = off(fem.into(), 0.0);
            assert!(error < 1e-4, "{} {young} {relaxation}: {error:e}", law.name());
        }
    }
}
