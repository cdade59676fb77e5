//! How much of the viscosity acts: the decay of one mode. At rest the viscous moduli are the relaxation time τ times
//! the elastic ones, so that a mode of angular frequency ω decays like e^(−τω²t/2).

use glam::DVec3;
use pliant::internals::reference::{Damping, System};
use pliant::scene::{DampingMode, Fem, Integrator, Law, Step};

use crate::support::*;

/// A block of 5³ cubes of 0.2 m whose ends turn about y against each other.
fn twisted(mode: DampingMode, relaxation: f64, step: Step) -> (pliant::World, System) {
    let mut body = lattice(
        "block",
        [5; 3],
        [1.0; 3],
        1000.0,
        Fem { relaxation: Some(relaxation), law: Law::Corotated, ..Fem::new(1e5, 0.3) }.into(),
    );
    body.damping_mode = Some(mode);
    let mut world = world(&floating(body, Integrator::Verlet, step));
    let mut system = system_with_stiffness(&mut world);
    for (x, v) in system.position.iter().zip(&mut system.velocity) {
        *v = twist(*x) * 0.02;
    }
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

/// λ and ω [1/s] of the twist on the device.
fn measured(mode: DampingMode, relaxation: f64, step: Step) -> (f64, f64) {
    let (mut world, system) = twisted(mode, relaxation, step);
    let step = world.stepping().step;
    let rest = system.position.clone();
    let per_sample = (0.01 / step).round().max(1.0) as u64;
    // Faster modes die first.
    world.step((0.2 / step).round() as u64).unwrap();
    let mut samples = Vec::new();
    for _ in 0..14 {
        let x = doubles(&world.read().unwrap().positions);
        let way = (0..rest.len()).map(|i| system.mass(i) * twist(rest[i]).dot(x[i] - rest[i]));
        samples.push(way.sum::<f64>());
        world.step(per_sample).unwrap();
    }
    let (rate, omega) = decay(&samples, per_sample as f64 * step);
    (rate, omega)
}

/// ω of the twist [1/s], found with explicit damping at a short step, and the share of the viscosity that acts there.
fn explicit() -> (f64, f64) {
    let (rate, omega) = measured(DampingMode::Explicit, 2e-2, Step::Fixed(2e-4));
    (omega, rate / (0.5 * 2e-2 * omega * omega))
}

#[test]
fn fem_exact_damping_is_whole_at_every_step() {
    let (omega, share) = explicit();
    assert!((share - 1.0).abs() < 0.03, "explicit: {share}");
    let longest = {
        let (world, _) = twisted(DampingMode::Exact, 0.0, Step::Auto);
        world.stepping().step
    };
    for relaxation in [2e-2, 6e-2] {
        for part in [0.1, 0.5, 1.0] {
            let step = Step::Fixed(part * longest);
            let (rate, _) = measured(DampingMode::Exact, relaxation, step);
            let share = rate / (0.5 * relaxation * omega * omega);
            assert!((share - 1.0).abs() < 0.03, "τ {relaxation} s at {part}: {share}");
        }
    }
}

#[test]
fn fem_capped_damping_is_whole_at_short_steps_and_weak_at_long_ones() {
    let (omega, _) = explicit();
    let (short, _) = measured(DampingMode::Capped, 2e-2, Step::Fixed(2e-4));
    let share = short / (0.5 * 2e-2 * omega * omega);
    assert!((share - 1.0).abs() < 0.03, "{share}");
    let (long, _) = measured(DampingMode::Capped, 6e-2, Step::Auto);
    let share = long / (0.5 * 6e-2 * omega * omega);
    assert!(share > 0.0 && share < 0.5, "{share}");
}

/// The number of gathers that the host chooses is the reference's.
#[test]
fn fem_gathers_are_those_of_the_reference() {
    for (relaxation, part) in [(2e-2, 0.7), (0.1, 0.9)] {
        let (world, _) = twisted(DampingMode::Exact, relaxation, Step::Auto);
        let step = part * world.stepping().step;
        let (world, system) = twisted(DampingMode::Exact, relaxation, Step::Fixed(step));
        let damping_stages = world.stepping().damping_stages;
        let scheme = scheme(Integrator::Verlet, Damping::Exact { damping_stages }, step);
        let theta = scheme.theta(&system);
        let wanted = pliant::internals::reference::damping::damping_stages(&system, &theta, step);
        assert_eq!(damping_stages, wanted, "τ {relaxation} s");
        assert!(damping_stages > 1);
    }
}

/// The share of the damping that the report names is the mean of the reference's factors.
#[test]
fn fem_share_of_capped_damping_is_reported() {
    let (mut world, system) = twisted(DampingMode::Capped, 6e-2, Step::Auto);
    world.step(20).unwrap();
    let end = world.read().unwrap();
    let step = world.stepping().step;
    let scheme = scheme(Integrator::Verlet, Damping::Capped, step);
    let theta = scheme.theta(&system);
    let x = doubles(&end.positions);
    let factors = pliant::internals::reference::damping::factors(&system, &x, &theta, 1, step);
    let elements = &factors[system.springs.len()..];
    let wanted = elements.iter().sum::<f64>() / elements.len() as f64;
    let share = world.damping_share(&end).unwrap();
    assert!(share < 0.5 && (share / wanted - 1.0).abs() < 0.03, "{share} {wanted}");
}
