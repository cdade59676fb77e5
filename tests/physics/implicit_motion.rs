//! How free bodies move in implicit steps: momentum, what implicit Euler takes of a spin, and the order of the error.

use glam::DVec3;
use pliant::World;
use pliant::internals::{Inside as _, extreme};
use pliant::report::Measure;
use pliant::scene::{Body, Fem, Integrator, Kind, Mode, Pull, Scene, ShapeMatching};

use crate::implicit_support::*;
use crate::shape_support::grid;
use crate::support::*;

/// Springs, elements and clusters without damping.
fn kinds() -> Vec<(&'static str, Kind)> {
    let shape = ShapeMatching {
        pull: Pull::Frequency(15.0),
        beta: 0.5,
        mode: Mode::Linear,
        relaxation: 0.0,
        clusters: grid([2, 1, 1]),
        ..ShapeMatching::default()
    };
    let (springs, fem) = (constants(300.0, 100.0, 0.0), Fem::undamped(1e5, 0.3).into());
    vec![("springs", springs), ("fem", fem), ("shape", shape.into())]
}

/// A bar of 3 × 2 × 2 cubes, stretched.
fn bar(kind: Kind) -> Body {
    let body = lattice("bar", [3, 2, 2], [0.6, 0.4, 0.4], 1000.0, kind);
    Body { stretch: [1.1, 0.95, 1.0], ..body }
}

fn scene(body: Body, integrator: Integrator, step: f64) -> Scene {
    let mut scene = newton(body, step);
    scene.world.integrator = integrator;
    scene
}

/// The momentum of a spinning, stretched body over some hundred steps: rounding is all that changes it. With gravity each velocity
/// takes the same rounding in every step of a time in which it keeps its exponent, at most 2⁻²⁴ of itself.
#[test]
fn implicit_steps_keep_the_momentum_of_free_bodies() {
    const STEPS: u64 = 400;
    let cases = kinds().into_iter().flat_map(|(name, kind)| {
        let integrators = [Integrator::ImplicitEuler, Integrator::Vbd].into_iter();
        integrators.flat_map(move |i| [0.0, 9.81].map(|gravity| (name, kind.clone(), i, gravity)))
    });
    for (name, kind, integrator, gravity) in cases {
        let [swept, falls] = [integrator == Integrator::Vbd, gravity > 0.0];
        if (swept && name == "shape") || (falls && name != "fem") {
            continue;
        }
        let mut body = bar(kind);
        body.velocity = [1.0, 2.0, -0.5];
        body.angular_velocity = [1.0, 2.0, 3.0];
        let h = 1.0 / 256.0;
        let mut scene = scene(body, integrator, h);
        scene.world.gravity = [0.0, -gravity, 0.0];
        let mut world = world(&scene);
        let before = momenta(&mut world).linear;
        let mass: f64 = world.model().masses.iter().sum();
        world.step(STEPS).unwrap();
        let after = momenta(&mut world);
        let wanted = before - mass * STEPS as f64 * h * gravity * DVec3::Y;
        let off = after.linear.distance(wanted) / after.speed;
        let name = format!("{integrator:?} {name} {gravity} m/s²");
        let most = if falls { STEPS as f64 / 16_777_216.0 } else { 1e-5 };
        assert!(off < most, "{name}: {off:e}");
    }
}

/// Σ m x × v about the centre and Σ m v_n × v.
fn spin(world: &World, [x, v]: [&[DVec3]; 2], last: &[DVec3]) -> [DVec3; 2] {
    let m = &world.model().masses;
    let mass: f64 = m.iter().sum();
    let centre = (0..x.len()).map(|i| m[i] * x[i]).sum::<DVec3>() / mass;
    let sum = |f: &dyn Fn(usize) -> DVec3| (0..x.len()).map(|i| m[i] * f(i)).sum::<DVec3>();
    [sum(&|i| (x[i] - centre).cross(v[i])), sum(&|i| last[i].cross(v[i]))]
}

/// Forces within a body have no torque at x⁺: Σ m x⁺ × (v⁺ − v) = 0, so that each step takes h Σ m v × v⁺ of the angular
/// momentum, and of a rigid body's L h²ω²/(1 + h²ω²).
#[test]
fn implicit_euler_takes_of_a_spin_what_theory_says() {
    for (name, kind) in kinds() {
        let mut body = bar(kind);
        body.stretch = [1.02, 1.0, 1.0];
        body.angular_velocity = [0.0, 0.0, 4.0];
        let h = FRAME;
        let mut scene = scene(body, Integrator::ImplicitEuler, h);
        scene.world.gravity = [0.0; 3];
        let mut world = world(&scene);
        let [mut x, mut v] = read(&mut world);
        let [first, _] = spin(&world, [&x, &v], &v);
        let (mut taken, mut rigid) = (DVec3::ZERO, first.length());
        let rate = 4.0 / rigid;
        for _ in 0..250 {
            let last = v;
            world.step(1).unwrap();
            [x, v] = read(&mut world);
            let [_, cross] = spin(&world, [&x, &v], &last);
            taken += h * cross;
            rigid /= 1.0 + (h * rate * rigid).powi(2);
        }
        let [end, _] = spin(&world, [&x, &v], &v);
        let off = (end - (first - taken)).length() / first.length();
        let of_rigid = end.length() / rigid - 1.0;
        let left = end.length() / first.length();
        assert!(left < 0.7 && off < 2e-3, "{name}: {left} {off:e}");
        assert!(of_rigid.abs() < 0.05, "{name}: {of_rigid:e}");
    }
}

/// Rates of strain are changes over a step, not along its chords.
#[test]
fn viscous_bodies_are_not_crushed_as_they_spin() {
    let damped = |kind: &Kind, part: f64| match kind.clone() {
        Kind::Springs(_) => constants(3000.0, 1000.0, 100.0 * part),
        Kind::Fem(fem) => Fem { young: Some(1e6), relaxation: Some(0.2 * part), ..fem }.into(),
        other => other,
    };
    // Shape matching has its damping from a rigid motion, not from a strain.
    for (name, kind) in kinds().into_iter().filter(|(name, _)| *name != "shape") {
        for integrator in [Integrator::ImplicitEuler, Integrator::Vbd] {
            for part in [0.05, 1.0] {
                let mut body = bar(damped(&kind, part));
                body.stretch = [1.0; 3];
                body.angular_velocity = [0.0, 3.0, 10.0];
                let mut scene = scene(body, integrator, FRAME);
                scene.world.gravity = [0.0; 3];
                let mut world = world(&scene);
                let measured = |world: &mut World| {
                    let state = world.read().unwrap();
                    let found = Measure::new(world, &state).unwrap();
                    (found.energy.kinetic + found.energy.elastic, found.bodies[0].volume)
                };
                let (energy, volume) = measured(&mut world);
                let (mut most, mut least) = (0.0, f64::INFINITY);
                for _ in 0..120 {
                    world.step(1).unwrap();
                    let (now, size) = measured(&mut world);
                    most = extreme::greatest(most, now / energy);
                    least = extreme::least(least, size / volume);
                }
                let name = format!("{name} {integrator:?} {part}");
                println!("{name}: {most} of its energy, {least} of its volume");
                assert!(most < 1.001, "{name}: {most} of its energy");
                assert!(least > 0.99, "{name}: {least} of its volume");
            }
        }
    }
}

/// The differences of halved steps of a vibrating, spinning lattice halve.
#[test]
fn implicit_lattices_converge_with_order_one() {
    for (name, kind) in kinds() {
        let after = |steps: u64| {
            let mut body = bar(kind.clone());
            body.angular_velocity = [1.0, -2.0, 3.0];
            let mut scene = scene(body, Integrator::ImplicitEuler, 0.03 / steps as f64);
            scene.world.tolerance = Some(1e-6);
            let mut world = world(&scene);
            world.step(steps).unwrap();
            places(&mut world)
        };
        let [a, b, c] = [96, 192, 384].map(after);
        let order = (apart(&a, &b) / apart(&b, &c)).log2();
        assert!((0.8..1.2).contains(&order), "{name}: {order}");
    }
}
