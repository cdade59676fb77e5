//! The bounds of each integrator from both sides, on the oscillator.

use super::oscillator::{INTEGRATORS, oscillator};
use crate::extreme::greatest;
use crate::reference::stability::largest_step;
use crate::reference::{Damping, Integrator, Scheme};

/// The largest amplitude, relative to the start, within `steps` steps; stops at 1e4.
fn amplification(integrator: Integrator, h: f64, omega: f64, c: f64, steps: usize) -> f64 {
    let start = 1e-6;
    let mut system = oscillator(omega, c, start, 0.3 * start * omega);
    let scheme = Scheme::new(integrator, Damping::Explicit, h).unwrap();
    scheme.start(&mut system);
    let mut largest: f64 = 0.0;
    for _ in 0..steps {
        scheme.step(&mut system);
        largest = greatest(largest, (system.position[1].x - 1.0).abs() / start);
        if largest > 1e4 {
            break;
        }
    }
    largest
}

#[test]
fn bounds_hold_from_both_sides() {
    let omega = 3.0;
    for integrator in INTEGRATORS {
        for c in [0.0, 0.3, 3.0, 6.0, 30.0] {
            let bound = largest_step(integrator, omega * omega, c);
            let unstable_undamped = matches!(integrator, Integrator::Euler | Integrator::Midpoint);
            assert_eq!(
                bound == 0.0,
                c == 0.0 && unstable_undamped,
                "{integrator:?} {c}"
            );
            if bound == 0.0 {
                assert!(amplification(integrator, 0.1 / omega, omega, c, 2_000_000) >= 1e4);
                continue;
            }
            let below = amplification(integrator, 0.99 * bound, omega, c, 20_000);
            let above = amplification(integrator, 1.01 * bound, omega, c, 400_000);
            assert!(below < 50.0, "{integrator:?} c = {c}: {below}");
            assert!(above >= 1e4, "{integrator:?} c = {c}: {above}");
        }
    }
}

#[test]
fn bounds_by_hand() {
    let near =
        |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-3, "{found} {wanted}");
    near(largest_step(Integrator::Verlet, 4.0, 0.0), 1.0);
    // (√(c² + 4ω²) − c)/ω² = (5 − 3)/4
    near(largest_step(Integrator::SymplecticEuler, 4.0, 3.0), 0.5);
    near(largest_step(Integrator::Leapfrog, 4.0, 0.0), 1.0);
    near(largest_step(Integrator::Leapfrog, 0.0, 5.0), 0.2);
    near(largest_step(Integrator::Verlet, 0.0, 5.0), 0.4);
    near(largest_step(Integrator::Rk4, 1.0, 0.0), 8.0_f64.sqrt());
    near(largest_step(Integrator::Rk4, 0.0, 1.0), 2.7853);
    near(largest_step(Integrator::Midpoint, 0.0, 1.0), 2.0);
    near(largest_step(Integrator::Euler, 0.0, 1.0), 2.0);
    // Euler, underdamped: c/ω²
    near(largest_step(Integrator::Euler, 4.0, 0.5), 0.125);
    for integrator in INTEGRATORS {
        assert_eq!(largest_step(integrator, 0.0, 0.0), f64::INFINITY);
    }
}

#[test]
fn a_shorter_step_than_the_bound_is_always_stable() {
    // the bound is the first crossing: no unstable gap below it
    for integrator in INTEGRATORS {
        for c in [0.01, 0.5, 5.0, 50.0] {
            let bound = largest_step(integrator, 1.0, c);
            for k in 1..20 {
                let h = bound * f64::from(k) / 20.0;
                let found = amplification(integrator, h, 1.0, c, 3000);
                assert!(found < 20.0, "{integrator:?} c = {c}, h = {h}: {found}");
            }
        }
    }
}
