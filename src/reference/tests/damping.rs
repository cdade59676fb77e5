//! The cap, the Chebyshev polynomial, and the bounds they promise.

use glam::DVec3;

use super::lattice::{Random, off, scattered_block, vectors};
use crate::family::fem::law::{eigenvalue_bound, outer};
use crate::reference::damping::{
    damping_stages, factor, factors, largest_eigenvalue, polynomial_change, rate_bounds, rates,
    theta,
};
use crate::reference::force::{acceleration, damping_forces, per_mass};
use crate::reference::spectrum::spectrum;
use crate::reference::{Damping, Integrator, Scheme, System};

/// A scattered block with unequal masses, one pinned point, d_C and its own rates.
fn damped(d_c: f64) -> System {
    let mut system = scattered_block(2, 0.3, 21);
    let mut random = Random::new(22);
    system.springs.iter_mut().for_each(|spring| spring.damping = d_c);
    system.inverse_mass.iter_mut().for_each(|w| *w *= 1.5 + random.between(-1.0, 1.0));
    system.inverse_mass[4] = 0.0;
    system.velocity = vectors(&mut random, system.position.len(), 1.0);
    system.damping_rate = rate_bounds(&system, &system.position);
    system
}

/// The eigenvalues of a linear function of the velocities over the free points.
fn eigenvalues(system: &System, image: impl Fn(&[DVec3]) -> Vec<DVec3>) -> Vec<f64> {
    spectrum(system, 0, |v| (0..).zip(image(v)).map(|(i, image)| system.mass(i) * image).collect())
}

/// Those of D, D v = −polynomial_change(v).
fn of_damping(system: &System, theta: f64, damping_stages: u32, h: f64) -> Vec<f64> {
    let change =
        |v: &[DVec3]| polynomial_change(system, &system.position, v, &[theta], damping_stages, h);
    eigenvalues(system, |v| change(v).iter().map(|change| -*change).collect())
}

#[test]
fn closed_bound_is_above_the_exact_rate_and_touches_it() {
    let mut random = Random::new(23);
    for _ in 0..200 {
        let (a, b) = (random.vector(1.0), random.vector(1.0));
        let g = outer(a, a) + outer(b, b) * random.between(-1.0, 1.0).abs();
        let (exact, bound) = (largest_eigenvalue(&g), eigenvalue_bound(&g));
        assert!(bound >= exact * (1.0 - 1e-14) && bound <= 1.5 * exact);
        let axial = outer(a, a);
        assert!((eigenvalue_bound(&axial) - largest_eigenvalue(&axial)).abs() < 1e-13);
        assert!((largest_eigenvalue(&axial) - a.length_squared()).abs() < 1e-13);
    }
    let system = damped(2.0);
    let exact = rates(&system, &system.position);
    let bound = rate_bounds(&system, &system.position);
    assert!(exact.iter().zip(&bound).all(|(e, b)| *e <= b * (1.0 + 1e-14)));
    assert_eq!((exact[4], bound[4]), (0.0, 0.0));
}

#[test]
fn capped_damping_stays_below_theta_for_every_damping() {
    for d_c in [0.01, 2.0, 200.0] {
        let mut system = damped(d_c);
        // the proof needs σ_i ≥ λmax(G_i)/m_i only: try the exact rates, the smallest that qualify
        system.damping_rate = rates(&system, &system.position);
        for s in [1, 2, 5] {
            let eigenvalues = of_damping(&system, 0.72, s, 2.45e-3);
            assert!(eigenvalues[0] > -1e-12);
            assert!(*eigenvalues.last().unwrap() <= 0.72 + 1e-12);
        }
    }
}

#[test]
fn dense_polynomial_is_the_cosine_of_the_eigenvalues() {
    let (system, theta, h) = (damped(2.0), 0.72, 2.45e-3);
    for s in [1, 2, 3, 6] {
        let factors = factors(&system, &system.position, &[theta], s, h);
        let scale = 2.0 * h / (theta * f64::from(s * s));
        let b = |w: &[DVec3]| {
            let a = per_mass(&system, &damping_forces(&system, &system.position, w, &factors));
            w.iter().zip(a).map(|(w, a)| *w + scale * a).collect()
        };
        let mut wanted: Vec<f64> = eigenvalues(&system, b)
            .into_iter()
            .map(|e| 0.5 * theta * (1.0 - (f64::from(s) * e.clamp(-1.0, 1.0).acos()).cos()))
            .collect();
        wanted.sort_by(f64::total_cmp);
        let found = of_damping(&system, theta, s, h);
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "s = {s}: {found} {wanted}");
        }
    }
}

#[test]
fn enough_gathers_keep_the_whole_damping() {
    let system = damped(2.0);
    let h = 2e-3;
    let s = damping_stages(&system, &[0.8], h);
    assert!(s > 2);
    assert!(factors(&system, &system.position, &[0.8], s, h).iter().all(|&f| f == 1.0));
    assert!(factors(&system, &system.position, &[0.8], s - 1, h).iter().any(|&f| f < 1.0));
    assert_eq!(damping_stages(&system, &[0.0], h), 1);
}

#[test]
fn small_steps_keep_the_whole_damping_force() {
    let mut system = damped(2.0);
    system.bodies[0].omega = 600.0;
    let increment =
        |damping, h| Scheme::new(Integrator::Verlet, damping, h).unwrap().increment(&system);
    let h = 1e-6;
    let explicit = increment(Damping::Explicit, h);
    assert!(off(&explicit, &increment(Damping::Capped, h)) < 1e-13);
    let a = acceleration(&system, &system.position, &system.velocity);
    assert!(off(&explicit, &a.iter().map(|a| h * *a).collect::<Vec<_>>()) < 1e-15);
    // exact damping differs from the force by O(h) only
    for h in [1e-5, 1e-6] {
        let exact = increment(Damping::Exact { damping_stages: 3 }, h);
        assert!(off(&increment(Damping::Explicit, h), &exact) < 2e3 * h, "{h}");
    }
}

#[test]
fn theta_by_hand() {
    // h = 0.8 h0: 2 (1 − 0.64) = 0.72, 1 − 0.64 = 0.36
    let (h, omega) = (0.8, 2.0);
    let [verlet, leapfrog] =
        [Integrator::Verlet, Integrator::Leapfrog].map(Integrator::damping_share);
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-15);
    near(theta(verlet, h, omega, 0.0), 0.72);
    near(theta(verlet, h, omega, 0.1), 0.64);
    near(theta(leapfrog, h, omega, 0.0), 0.36);
    near(theta(verlet, 0.1, omega, 0.0), 1.0);
    near(theta(verlet, 2.0, omega, 0.0), 0.0);
    assert_eq!(factor(0.5, 1, 0.1, 4.0), 1.0);
    assert_eq!(factor(0.5, 1, 0.5, 4.0), 0.25);
    assert_eq!(factor(0.5, 2, 0.5, 4.0), 1.0);
    assert_eq!(factor(0.0, 1, 0.5, 0.0), 1.0);
}

#[test]
fn unsupported_combinations_are_refused() {
    assert!(Scheme::new(Integrator::Verlet, Damping::Exact { damping_stages: 0 }, 1e-3).is_err());
    for integrator in [Integrator::Euler, Integrator::Midpoint, Integrator::Rk4] {
        for damping in [Damping::Capped, Damping::Exact { damping_stages: 2 }] {
            assert!(Scheme::new(integrator, damping, 1e-3).is_err());
        }
        assert!(Scheme::new(integrator, Damping::Explicit, 1e-3).is_ok());
    }
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Scheme::new(Integrator::Verlet, Damping::Explicit, h).is_err());
    }
}
