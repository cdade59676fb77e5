//! How much of d_C each damping mode keeps: the decay of a block's slow vibration.

use glam::DVec3;
use pliant::World;
use pliant::internals::reference::{Damping, System};
use pliant::scene::{Body, DampingMode, Integrator, Step};

use crate::support::*;

/// A block whose ends turn about y against each other, Σ m v = 0, by so much of [`twist`] a second.
pub fn twisted(body: Body, mode: DampingMode, step: Step, rate: f64) -> (World, System) {
    let body = Body { damping_mode: Some(mode), ..body };
    let mut world = world(&floating(body, Integrator::Verlet, step));
    let mut system = system_with_stiffness(&mut world);
    system.velocity = system.position.iter().map(|x| twist(*x) * rate).collect();
    start_from(&world, &mut system);
    (world, system)
}

fn twist(x: DVec3) -> DVec3 {
    DVec3::new(x.z, 0.0, -x.x) * (std::f64::consts::PI * x.y).sin()
}

/// λ and ω [1/s] of q(t) = e^(−λt) cos(√(ω² − λ²) t + …), from samples at equal intervals: q₂ = a q₁ − b q₀ with
/// b = e^(−2λT) and a = 2 √b cos(…T), by least squares.
fn decay(samples: &[f64], interval: f64) -> (f64, f64) {
    let [mut aa, mut ab, mut bb, mut ar, mut br] = [0.0; 5];
    for q in samples.windows(3) {
        aa += q[1] * q[1];
        ab -= q[1] * q[0];
        bb += q[0] * q[0];
        ar += q[1] * q[2];
        br -= q[0] * q[2];
    }
    let determinant = aa * bb - ab * ab;
    let (a, b) = ((ar * bb - br * ab) / determinant, (br * aa - ar * ab) / determinant);
    let rate = -0.5 * b.ln() / interval;
    let turning = (0.5 * a / b.sqrt()).clamp(-1.0, 1.0).acos() / interval;
    (rate, rate.hypot(turning))
}

/// λ and ω [1/s] of the twist on the device: so many samples that lie `interval` [s] apart, from `start` [s] on, when faster
/// modes are gone.
pub fn device_decay(
    (mut world, system): (World, System),
    start: f64,
    interval: f64,
    count: usize,
) -> (f64, f64) {
    let step = world.stepping().step;
    let per_sample = (interval / step).round().max(1.0) as u64;
    world.step((start / step).round() as u64).unwrap();
    let mut samples = Vec::new();
    for _ in 0..count {
        samples.push(amplitude(&system, &doubles(&world.read().unwrap().positions)));
        world.step(per_sample).unwrap();
    }
    decay(&samples, per_sample as f64 * step)
}

/// Of positions beside the system's own.
fn amplitude(system: &System, x: &[DVec3]) -> f64 {
    let rest = &system.position;
    (0..rest.len()).map(|i| system.mass(i) * twist(rest[i]).dot(x[i] - rest[i])).sum()
}

/// The spec's block: 5³ cubes of 0.2 m, d_C = 2 J s.
fn of_the_spec(mode: DampingMode, step: f64) -> (World, System) {
    twisted(block(5, 0.2, 2.0), mode, Step::Fixed(step), 0.05)
}

const INTERVALS: usize = 12;

/// Decay [1/s] in f64 with explicit damping and a tenth of its largest step.
fn reference_decay() -> f64 {
    let (step, interval) = (3e-5, 0.003);
    let (_, rest) = of_the_spec(DampingMode::Explicit, step);
    let mut system = rest.clone();
    system.velocity = rest.position.iter().map(|x| twist(*x) * 0.05).collect();
    let scheme = scheme(Integrator::Verlet, Damping::Explicit, step);
    scheme.start(&mut system);
    let steps = |time: f64| 0..(time / step).round() as u64;
    steps(0.01).for_each(|_| scheme.step(&mut system));
    let mut samples = Vec::new();
    for _ in 0..INTERVALS {
        samples.push(amplitude(&rest, &system.position));
        steps(interval).for_each(|_| scheme.step(&mut system));
    }
    decay(&samples, interval).0
}

#[test]
fn exact_damping_keeps_the_whole_of_it() {
    let wanted = reference_decay();
    for step in [3e-4, 1e-3, 2e-3, 2.45e-3] {
        let twisted = of_the_spec(DampingMode::Exact, step);
        let (exact, _) = device_decay(twisted, 0.01, 0.003, INTERVALS);
        assert!((exact / wanted - 1.0).abs() < 0.03, "h {step} s: {exact}/s, wanted {wanted}/s");
    }
}

#[test]
fn capped_damping_keeps_what_its_table_says() {
    // Decay [1/s] by spec/damping, with the largest eigenvalue of a point's springs; its closed bound leaves some 8 % less.
    for (step, wanted) in [(3e-4, 12.5), (1e-3, 3.7), (2e-3, 1.9)] {
        let twisted = of_the_spec(DampingMode::Capped, step);
        let (capped, _) = device_decay(twisted, 0.2, 0.003, INTERVALS);
        assert!((0.88..1.0).contains(&(capped / wanted)), "h {step} s: {capped}/s, not {wanted}/s");
    }
}
