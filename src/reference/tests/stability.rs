//! The bounds of each integrator, on the oscillator.

use glam::DVec3;

use super::lattice::{INTEGRATORS, points};
use crate::extreme::greatest;
use crate::reference::stability::largest_step;
use crate::reference::{Damping, Integrator, Scheme, Spring};

/// The largest amplitude, relative to the start, of x'' = −x − c x' within 3000 steps; stops at 1e4. x is how much further
/// the second point is from a pinned one than their spring is long: linear as long as x > −1.
fn amplification(integrator: Integrator, h: f64, c: f64) -> f64 {
    let start = 1e-6;
    let x = [DVec3::ZERO, DVec3::X * (1.0 + start)];
    let mut system = points(&x, &[DVec3::ZERO, DVec3::X * 0.3 * start], 1.0);
    system.inverse_mass[0] = 0.0;
    system.springs = vec![Spring { points: [0, 1], rest: 1.0, stiffness: 1.0, damping: c }];
    let scheme = Scheme::new(integrator, Damping::Explicit, h).unwrap();
    scheme.start(&mut system);
    let mut largest: f64 = 0.0;
    for _ in 0..3000 {
        scheme.step(&mut system);
        largest = greatest(largest, (system.position[1].x - 1.0).abs() / start);
        if largest > 1e4 {
            break;
        }
    }
    largest
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
                let found = amplification(integrator, h, c);
                assert!(found < 20.0, "{integrator:?} c = {c}, h = {h}: {found}");
            }
        }
    }
}
