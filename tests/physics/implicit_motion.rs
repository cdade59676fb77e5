//! How free bodies move in implicit steps: momentum, spin, and the order of the error.

use glam::{DQuat, DVec3};
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

/// These with the implicit integrators that they have.
fn cases() -> impl Iterator<Item = (&'static str, Kind, Integrator)> {
    let both = |(name, kind): (&'static str, Kind)| {
        let swept = (name != "shape").then_some(Integrator::Vbd);
        let integrators = [Some(Integrator::ImplicitEuler), swept].into_iter().flatten();
        integrators.map(move |integrator| (name, kind.clone(), integrator))
    };
    kinds().into_iter().flat_map(both)
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
    let cases = cases().flat_map(|(name, kind, integrator)| {
        [0.0, 9.81].map(|gravity| (name, kind.clone(), integrator, gravity))
    });
    for (name, kind, integrator, gravity) in cases {
        let falls = gravity > 0.0;
        if falls && name != "fem" {
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

/// A spinning body keeps its angular momentum, of which a step of implicit Euler would take h²ω²/(1 + h²ω²), and its energy; it
/// turns by atan(hω) in a step, as the step itself does.
#[test]
fn implicit_steps_keep_a_spin() {
    const STEPS: i32 = 250;
    for (name, kind, integrator) in cases() {
        let mut body = bar(kind);
        body.stretch = [1.0; 3];
        let name = format!("{integrator:?} {name}");
        body.angular_velocity = [0.0, 0.0, 4.0];
        let mut scene = scene(body, integrator, FRAME);
        scene.world.gravity = [0.0; 3];
        let mut world = world(&scene);
        let energy = |world: &mut World| {
            let state = world.read().unwrap();
            let found = Measure::new(world, &state).unwrap().energy;
            found.kinetic + found.elastic
        };
        let (start, full) = (momenta(&mut world), energy(&mut world));
        let across = |x: &[DVec3]| x[x.len() - 1] - x[0];
        let before = across(&read(&mut world)[0]);
        world.step(STEPS as u64).unwrap();
        let [linear, angular] = momenta(&mut world).off(&start);
        assert!(linear < 1e-5 && angular < 1e-5, "{name}: {linear:e}, {angular:e}");
        let gain = energy(&mut world) / full - 1.0;
        assert!((-0.01..0.002).contains(&gain), "{name}: {gain}");
        // Modulo whole turns.
        let angle = f64::from(STEPS) * (4.0 * FRAME).atan();
        let wanted = DQuat::from_rotation_z(angle) * before;
        let off = wanted.angle_between(across(&read(&mut world)[0]));
        println!("{name}: {gain:e} of its energy, {off} rad of {angle}");
        assert!(off < 0.02 * angle, "{name}: {off} rad of {angle}");
    }
}

/// Strain changes over a step, not along its chords: what is viscous, however much, is not crushed as it spins, keeps its angular
/// momentum, and gains no energy but that of a chord's velocity, (hω)²/4.
#[test]
fn viscous_bodies_are_not_crushed_as_they_spin() {
    let damped = |kind: &Kind, part: f64| match kind.clone() {
        Kind::Springs(_) => constants(3000.0, 1000.0, 100.0 * part),
        Kind::Fem(fem) => Fem { young: Some(1e6), relaxation: Some(0.2 * part), ..fem }.into(),
        Kind::Shape(shape) => ShapeMatching { relaxation: 0.2 * part, ..shape }.into(),
        other => other,
    };
    for (name, kind, integrator) in cases() {
        for part in [0.05, 1.0] {
            let mut body = bar(damped(&kind, part));
            body.stretch = [1.0; 3];
            let spin = [0.0, 3.0, 10.0];
            body.angular_velocity = spin;
            let mut scene = scene(body, integrator, FRAME);
            scene.world.gravity = [0.0; 3];
            let mut world = world(&scene);
            let measured = |world: &mut World| {
                let state = world.read().unwrap();
                let found = Measure::new(world, &state).unwrap();
                (found.energy.kinetic + found.energy.elastic, found.bodies[0].volume)
            };
            let (start, (energy, volume)) = (momenta(&mut world), measured(&mut world));
            let (mut most, mut least) = (0.0, f64::INFINITY);
            for _ in 0..120 {
                world.step(1).unwrap();
                let (now, size) = measured(&mut world);
                most = extreme::greatest(most, now / energy);
                least = extreme::least(least, size / volume);
            }
            let off = momenta(&mut world).off(&start);
            let name = format!("{name} {integrator:?} {part}");
            println!("{name}: {most} of its energy, {least} of its volume, {off:?}");
            assert!(off[0] < 1e-5 && off[1] < 1e-5, "{name}: {off:?}");
            let chord = (FRAME * DVec3::from(spin).length()).powi(2) / 4.0;
            assert!(most < 1.0 + 1.1 * chord, "{name}: {most} of its energy");
            assert!(least > 0.99, "{name}: {least} of its volume");
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
