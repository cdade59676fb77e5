//! Implicit Euler by Newton's method against closed forms and the dense solution in f64.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::scene::{Body, Fem, Law, Mass, Plasticity};

use crate::implicit_support::*;
use crate::support::*;

/// (y, v) of the oscillator after `steps` steps on the device.
fn hung([k, c]: [f64; 2], g: f64, step: f64, steps: u64) -> [f64; 2] {
    let mut scene = newton(oscillator(k, c), step);
    scene.world.gravity = [0.0, -g, 0.0];
    scene.world.tolerance = Some(1e-6);
    let mut world = world(&scene);
    world.step(steps).unwrap();
    let free = world.model().nearest(0, DVec3::ZERO);
    let [x, v] = read(&mut world);
    [x[free].y, v[free].y]
}

#[test]
fn implicit_oscillator_follows_the_discrete_solution() {
    let (g, h) = (320.0, 1.0 / 1024.0);
    for [k, c] in [[1600.0, 0.0], [1600.0, 4.0]] {
        let (mut y, mut v) = (0.0, 0.0);
        for _ in 0..400 {
            v = (v - h * (k * y + g)) / (1.0 + h * c + h * h * k);
            y += h * v;
        }
        let found = hung([k, c], g, h, 400);
        let error = [(found[0] - y) / (g / k), (found[1] - v) / (g / k.sqrt())];
        assert!(error.iter().all(|e| e.abs() < 1e-5), "{error:?}");
    }
}

#[test]
fn implicit_oscillator_converges_with_order_one() {
    let (g, k) = (320.0, 1600.0_f64);
    let time = 0.25;
    let exact = g / k * ((k.sqrt() * time).cos() - 1.0);
    let error = |steps: u64| (hung([k, 0.0], g, time / steps as f64, steps)[0] - exact).abs();
    let order = (error(512) / error(1024)).log2();
    assert!((0.8..1.2).contains(&order), "{order}");
}

#[test]
fn implicit_free_fall_follows_the_discrete_solution() {
    let (g, steps, h) = (9.81, 200, 1.0 / 1024.0);
    let mut body = block(2, 0.2, 0.02);
    body.velocity = [1.0, 2.0, -3.0];
    let mut scene = newton(body, h);
    scene.world.tolerance = Some(1e-5);
    let mut world = world(&scene);
    world.step(steps).unwrap();
    let (n, t) = (steps as f64, steps as f64 * h);
    let snapshot = world.read().unwrap();
    let position = DVec3::new(t, 2.0 * t - 0.5 * g * h * h * n * (n + 1.0), -3.0 * t);
    let velocity = DVec3::new(1.0, 2.0 - g * t, -3.0);
    let x = mean(&snapshot.positions).distance(position) / position.length();
    let v = mean(&snapshot.velocities).distance(velocity) / velocity.length();
    assert!(x < 1e-5 && v < 1e-5, "{x:e} {v:e}");
}

/// A bar of 2 × 1 × 1 cubes, held at one end, turned, stretched and thrown.
fn thrown(mut body: Body) -> Body {
    body.pin = vec![within([-0.21, -1.0, -1.0], [-0.19, 1.0, 1.0])];
    body.stretch = [1.1, 0.95, 1.0];
    body.angular_velocity = [1.0, -2.0, 1.5];
    body
}

fn bar() -> Body {
    let mut body = Body::lattice("bar", [2, 1, 1], [0.4, 0.2, 0.2]);
    body.mass = Mass::Density(1000.0);
    body
}

#[test]
fn implicit_springs_follow_the_dense_solution() {
    for (distance, volume, damping) in
        [(60.0, 0.0, 0.0), (60.0, 0.0, 1.0), (60.0, 20.0, 0.5), (600.0, 2000.0, 0.0)]
    {
        let mut body = bar();
        body.kind = constants(distance, volume, damping);
        let mut scene = newton(thrown(body), FRAME);
        scene.world.tolerance = Some(1e-5);
        scene.world.iterations = Some(30);
        scene.world.drag = 0.3;
        let mut world = world(&scene);
        let system = system(&world);
        let error = off_the_reference(&mut world, &system, 5);
        assert!(error < 1e-4, "{distance} {volume} {damping}: {error:e}");
    }
}

#[test]
fn implicit_elements_follow_the_dense_solution() {
    for law in Law::ALL {
        for (young, poisson, relaxation) in [(1e5, 0.3, 0.0), (1e5, 0.3, 0.02), (2e5, 0.45, 0.001)]
        {
            let mut body = bar();
            body.kind = Fem {
                law,
                relaxation: Some(relaxation),
                plasticity: Plasticity::default(),
                ..Fem::new(young, poisson)
            }
            .into();
            let mut scene = newton(thrown(body), FRAME);
            scene.world.tolerance = Some(1e-5);
            scene.world.iterations = Some(30);
            let mut world = world(&scene);
            let system = system(&world);
            let error = off_the_reference(&mut world, &system, 5);
            let name = law.name();
            assert!(error < 1e-4, "{name} {young} {relaxation}: {error:e}");
        }
    }
}

#[test]
fn implicit_runs_repeat_bit_for_bit_however_they_are_submitted() {
    let hash = |parts: &[u64]| {
        let mut body = block(3, 0.2, 0.2);
        body.position = [0.0, 0.4, 0.0];
        body.rotation = [0.3, 0.5, 0.1];
        let mut scene = newton(body, FRAME);
        scene.world.floor = Some(0.0);
        let mut world = world(&scene);
        for part in parts {
            world.step(*part).unwrap();
            world.wait().unwrap();
        }
        println!("{:?}", world.solve());
        world.state_hash().unwrap()
    };
    let once = hash(&[36]);
    assert_eq!(once, hash(&[36]));
    assert_eq!(once, hash(&[1, 5, 12, 18]));
}
