//! Bodies that press on each other in the air, and bodies that hang from pins, in implicit steps at their automatic length.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::internals::extreme::greatest;
use pliant::scene::{Body, Integrator, Scene};

use crate::support::*;

const IMPLICIT: [Integrator; 2] = [Integrator::ImplicitEuler, Integrator::Vbd];

fn cube(name: &str, cubes: u32, size: f64, density: f64, young: f64) -> Body {
    lattice(name, [cubes; 3], [size; 3], density, fem(young, 0.3, 0.002))
}

fn scene(bodies: Vec<Body>, integrator: Integrator) -> Scene {
    let mut scene = scene_of(bodies);
    scene.world.integrator = integrator;
    scene.world.gravity = [0.0; 3];
    scene
}

/// 24 kg that hit 300 kg at 20 m/s, and 100 kg that hit 1000 kg at 2 m/s, off the middle: whatever iterations leave.
#[test]
fn bodies_that_collide_keep_their_momentum() {
    let bullet = || {
        let mut bodies =
            vec![cube("bullet", 2, 0.2, 3000.0, 2e6), cube("target", 4, 1.0, 300.0, 2e5)];
        bodies[0].position = [-0.8, 0.05, 0.02];
        bodies[0].velocity = [20.0, 0.0, 0.0];
        bodies
    };
    let light = || {
        let mut bodies =
            vec![cube("light", 3, 1.0, 100.0, 1e6), cube("heavy", 3, 1.0, 1000.0, 1e6)];
        bodies[0].velocity = [2.0, 0.0, 0.0];
        bodies[1].position = [1.1, 0.1, 0.0];
        bodies
    };
    for (bodies, wanted) in [(bullet(), 480.0), (light(), 200.0)] {
        for integrator in IMPLICIT {
            let mut world = world(&scene(bodies.clone(), integrator));
            let before = momenta(&mut world).kinetic;
            let steps = (0.3 / world.stepping().step).ceil() as u64;
            let (mut touched, mut worst) = (false, 0.0_f64);
            for _ in 0..steps {
                world.step(1).unwrap();
                let Momenta { linear, kinetic, .. } = momenta(&mut world);
                worst = greatest(worst, linear.distance(wanted * DVec3::X) / wanted);
                assert!(kinetic < before * (1.0 + 1e-5), "{integrator:?}: {kinetic} J of {before}");
                touched |= world.contacts().points > 0;
            }
            assert!(touched, "they meet");
            assert!(worst < 1e-5, "{integrator:?}: {worst}");
        }
    }
}

/// Sixty cubes in a row, numbered as they come or across each other, pushed together from both ends.
#[test]
fn long_rows_keep_their_momenta() {
    const COUNT: usize = 60;
    for (integrator, stride) in IMPLICIT.into_iter().flat_map(|i| [(i, 1), (i, 37)]) {
        let row = (0..COUNT).map(|i| {
            let mut body = cube(&format!("cube {i}"), 1, 0.1, 1000.0, 1e5);
            let place = i * stride % COUNT;
            body.position = [0.1 * place as f64, 0.003 * (place % 3) as f64, 0.0];
            body.velocity = match place {
                0 => [0.5, 0.1, 0.0],
                59 => [-0.7, 0.0, 0.1],
                _ => [0.0; 3],
            };
            body
        });
        let mut world = world(&scene(row.collect(), integrator));
        let start = momenta(&mut world);
        for _ in 0..30 {
            world.step(1).unwrap();
            let now = momenta(&mut world);
            let [linear, angular] = now.off(&start);
            let name = format!("{integrator:?}, numbered by {stride}");
            assert!(linear < 1e-5 && angular < 1e-5, "{name}: {linear:e}, {angular:e}");
            assert!(now.kinetic < 1.01 * start.kinetic, "{name}: {} J", now.kinetic);
        }
    }
}

/// Period of a plate of 4 or 8 cells that hangs from two of its points [s]: twice the time from one passage below them to the
/// next.
fn period(integrator: Integrator, cells: u32, relaxation: f64) -> f64 {
    let kind = fem(1e6, 0.3, relaxation);
    let mut body = lattice("plate", [1, cells, 1], [0.2, 1.0, 0.2], 1000.0, kind);
    body.rotation = [0.0, 0.0, 0.2];
    body.pin = vec![within([-0.11, 0.49, -1.0], [-0.09, 0.51, 1.0])];
    let mut scene = scene(vec![body], integrator);
    scene.world.gravity = [0.0, -9.81, 0.0];
    let mut world = world(&scene);
    let pinned = world.model().pinned.clone();
    assert_eq!(pinned.iter().filter(|pinned| **pinned).count(), 2);
    let mut passages = Vec::new();
    let mut before = (0.0, 0.0);
    while passages.len() < 2 && world.time() < 4.0 {
        world.step_frame().unwrap();
        let positions = world.read().unwrap().positions;
        let hinge = positions.iter().zip(&pinned).filter(|(_, pinned)| **pinned);
        let hinge: f32 = hinge.map(|(x, _)| 0.5 * x.x).sum();
        let now = (world.time(), mean(&positions).x - f64::from(hinge));
        if before.1 * now.1 < 0.0 {
            passages.push(before.0 + (now.0 - before.0) * before.1 / (before.1 - now.1));
        }
        before = now;
    }
    2.0 * (passages[1] - passages[0])
}

/// With the step that its sweeps are enough for a plate swings as fast as with Verlet; in a frame's it would take a third to
/// a half longer.
#[test]
fn hinged_plates_swing_at_their_period() {
    for (cells, relaxation) in [(4, 0.0), (8, 0.0), (4, 0.01)] {
        let [wanted, found] =
            [Integrator::Verlet, Integrator::Vbd].map(|i| period(i, cells, relaxation));
        assert!((found / wanted - 1.0).abs() < 0.01, "{found} s of {wanted}");
    }
}
