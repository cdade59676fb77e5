//! How much of the viscosity acts: the decay of one mode. At rest the viscous moduli are the relaxation time τ times
//! the elastic ones, so that a mode of angular frequency ω decays like e^(−τω²t/2).

use pliant::World;
use pliant::internals::reference::damping::{damping_stages, factors};
use pliant::internals::reference::{Damping, System};
use pliant::scene::{DampingMode, Fem, Integrator, Law, Step};

use crate::damping;
use crate::support::*;

/// A block of 5³ cubes of 0.2 m whose ends turn about y against each other.
fn twisted(mode: DampingMode, relaxation: f64, step: Step) -> (World, System) {
    let fem = Fem { relaxation: Some(relaxation), law: Law::Corotated, ..Fem::new(1e5, 0.3) };
    let block = lattice("block", [5; 3], [1.0; 3], 1000.0, fem.into());
    damping::twisted(block, mode, step, 0.02)
}

/// λ and ω [1/s] of the twist on the device.
fn measured(mode: DampingMode, relaxation: f64, step: Step) -> (f64, f64) {
    damping::device_decay(twisted(mode, relaxation, step), 0.2, 0.01, 14)
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
    let longest = twisted(DampingMode::Exact, 0.0, Step::Auto).0.stepping().step;
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
        let stages = world.stepping().damping_stages;
        let scheme = scheme(Integrator::Verlet, Damping::Exact { damping_stages: stages }, step);
        let wanted = damping_stages(&system, &scheme.theta(&system), step);
        assert_eq!(stages, wanted, "τ {relaxation} s");
        assert!(stages > 1);
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
    let factors = factors(&system, &x, &theta, 1, step);
    let elements = &factors[system.springs.len()..];
    let wanted = elements.iter().sum::<f64>() / elements.len() as f64;
    let share = world.damping_share(&end).unwrap();
    assert!(share < 0.5 && (share / wanted - 1.0).abs() < 0.03, "{share} {wanted}");
}
