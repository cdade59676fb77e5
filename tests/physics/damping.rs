//! How much of d_C each damping mode keeps: the decay of a block's slow vibration.

use pliant::internals::reference::{Damping, System};
use pliant::scene::{DampingMode, Integrator, Step};

use crate::support::*;

/// The spec's block: 5³ cubes of 0.2 m, d_C = 2 J s, twisted.
fn twisted(mode: DampingMode, step: f64) -> (pliant::World, System) {
    let mut body = block(5, 0.2, 2.0);
    body.damping_mode = Some(mode);
    let mut world = world(&floating(body, Integrator::Verlet, Step::Fixed(step)));
    let mut system = system_with_stiffness(&mut world);
    for (x, v) in system.position.iter().zip(&mut system.velocity) {
        *v = twist(*x) * 0.05;
    }
    start_from(&world, &mut system);
    (world, system)
}

/// The two ends turn about y against each other; Σ m v = 0.
fn twist(x: glam::DVec3) -> glam::DVec3 {
    glam::DVec3::new(x.z, 0.0, -x.x) * (std::f64::consts::PI * x.y).sin()
}

/// Decay rate λ [1/s] of q(t) = e^(−λt) cos(…), from samples at equal intervals: q₂ = a q₁ − e^(−2λT) q₀, by least squares.
fn decay(samples: &[f64], interval: f64) -> f64 {
    let mut normal = [[0.0; 3]; 2];
    for q in samples.windows(3) {
        let row = [q[1], -q[0], q[2]];
        for i in 0..2 {
            for k in 0..3 {
                normal[i][k] += row[i] * row[k];
            }
        }
    }
    let [[aa, ab, ar], [_, bb, br]] = normal;
    let b = (br * aa - ar * ab) / (bb * aa - ab * ab);
    -0.5 * b.ln() / interval
}

fn amplitude(system: &System, positions: &[glam::DVec3], rest: &[glam::DVec3]) -> f64 {
    (0..rest.len()).map(|i| system.mass(i) * twist(rest[i]).dot(positions[i] - rest[i])).sum()
}

const INTERVALS: usize = 12;

/// Decay of the twist on the device; samples some 3 ms apart, once the faster modes are gone.
fn device_decay(mode: DampingMode, step: f64, start: f64) -> f64 {
    let (mut world, system) = twisted(mode, step);
    let rest = system.position.clone();
    let per_sample = (0.003 / step).round().max(1.0) as u64;
    world.step((start / step).round() as u64).unwrap();
    let mut samples = Vec::new();
    for _ in 0..INTERVALS {
        samples.push(amplitude(&system, &doubles(&world.read().unwrap().positions), &rest));
        world.step(per_sample).unwrap();
    }
    decay(&samples, per_sample as f64 * step)
}

/// The same in f64 with explicit damping and a tenth of its largest step.
fn reference_decay() -> f64 {
    let (step, interval) = (3e-5, 0.003);
    let (_, mut system) = twisted(DampingMode::Explicit, step);
    let rest = system.position.clone();
    system.velocity = rest.iter().map(|x| twist(*x) * 0.05).collect();
    let scheme = scheme(Integrator::Verlet, Damping::Explicit, step);
    scheme.start(&mut system);
    let steps = |time: f64| 0..(time / step).round() as u64;
    steps(0.01).for_each(|_| scheme.step(&mut system));
    let mut samples = Vec::new();
    for _ in 0..INTERVALS {
        samples.push(amplitude(&system, &system.position, &rest));
        steps(interval).for_each(|_| scheme.step(&mut system));
    }
    decay(&samples, interval)
}

#[test]
fn exact_damping_keeps_the_whole_of_it() {
    let wanted = reference_decay();
    for step in [3e-4, 1e-3, 2e-3, 2.45e-3] {
        let exact = device_decay(DampingMode::Exact, step, 0.01);
        assert!((exact / wanted - 1.0).abs() < 0.03, "h {step} s: {exact}/s, wanted {wanted}/s");
    }
}

#[test]
fn capped_damping_keeps_what_its_table_says() {
    // Decay [1/s] by spec/damping, with the largest eigenvalue of a point's springs; its closed bound leaves some 8 % less.
    for (step, wanted) in [(3e-4, 12.5), (1e-3, 3.7), (2e-3, 1.9)] {
        let capped = device_decay(DampingMode::Capped, step, 0.2);
        assert!(
            capped < wanted && capped > 0.88 * wanted,
            "h {step} s: {capped}/s, table {wanted}/s"
        );
    }
}
