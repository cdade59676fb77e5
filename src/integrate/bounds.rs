//! The longest step that each integrator bears, from the rates of the bodies.

use crate::extreme;
use crate::scene::Integrator;

/// Rates of one body that bound a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// ω [1/s]: root of the largest eigenvalue of M⁻¹K.
    pub stiffness: f64,
    /// c [1/s]: largest eigenvalue of M⁻¹C that acts explicitly, drag included.
    pub damping: f64,
    /// Least c/ω² of all vibrations [s], as far as it is known: how well the least damped one is damped.
    pub least_damping: f64,
    /// Least c of all motions [1/s]: the drag.
    pub drag: f64,
}

/// The longest stable step [s], 0 where none is known to be stable, infinite where all are.
///
/// - Verlet, symplectic Euler: h < (√(c² + 4ω²) − c)/ω².
/// - Leapfrog with extrapolated damping: h²ω² + 4hc < 4.
/// - The others: |R(hλ)| ≤ 1 for both roots λ of λ² + cλ + ω² of every vibration, R the method's polynomial.
#[must_use]
pub fn longest_step(integrator: Integrator, rates: &Rates) -> f64 {
    let Rates { stiffness: w, damping: c, .. } = *rates;
    match integrator {
        Integrator::Verlet | Integrator::SymplecticEuler => {
            4.0 / ((c * c + 4.0 * w * w).sqrt() + c)
        }
        Integrator::Leapfrog => 2.0 / ((c * c + w * w).sqrt() + c),
        Integrator::ImplicitEuler | Integrator::Vbd => f64::INFINITY,
        _ if integrator.needs_damping() && w > 0.0 && rates.least_damping == 0.0 => 0.0,
        Integrator::Euler => polynomial_bound(rates, &[1.0, 1.0]),
        Integrator::Midpoint => polynomial_bound(rates, &[1.0, 1.0, 0.5]),
        Integrator::Rk4 => polynomial_bound(rates, &[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]),
    }
}

/// Vibrations tried per decade of their rates: ω over 4 decades below the largest, c from its least to its largest.
const SAMPLES: usize = 48;

/// The largest h for which the polynomial is stable for every sampled vibration of the body, by bisection.
fn polynomial_bound(rates: &Rates, polynomial: &[f64]) -> f64 {
    let fastest = rates.stiffness.max(rates.damping);
    if fastest == 0.0 {
        return f64::INFINITY;
    }
    let stable = |h: f64| {
        (0..=SAMPLES).all(|i| {
            let w = rates.stiffness * 1e-4_f64.powf(i as f64 / SAMPLES as f64);
            let least = (rates.least_damping * w * w + rates.drag).min(rates.damping);
            (0..=SAMPLES).all(|k| {
                let c = least + (rates.damping - least) * k as f64 / SAMPLES as f64;
                growth(w, c, h, polynomial) <= 1.0 + 1e-12
            })
        })
    };
    bisect(4.0 / fastest, stable)
}

/// The largest h up to `high` that is stable.
fn bisect(high: f64, stable: impl Fn(f64) -> bool) -> f64 {
    if stable(high) {
        return high;
    }
    let (mut low, mut high) = (0.0, high);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if stable(middle) { low = middle } else { high = middle }
    }
    low
}

/// max |R(hλ)| over the roots λ of λ² + cλ + ω².
fn growth(w: f64, c: f64, h: f64, polynomial: &[f64]) -> f64 {
    let half = 0.5 * c;
    let square = half * half - w * w;
    let root = square.abs().sqrt();
    let roots = if square < 0.0 {
        [(-half, root), (-half, -root)]
    } else {
        [(-half - root, 0.0), (-w * w / (half + root).max(f64::MIN_POSITIVE), 0.0)]
    };
    let size = |(re, im): (f64, f64)| {
        let (x, y) = (h * re, h * im);
        let (a, b) = polynomial
            .iter()
            .rev()
            .fold((0.0, 0.0), |(a, b), k| (a * x - b * y + k, a * y + b * x));
        f64::hypot(a, b)
    };
    roots.into_iter().map(size).fold(0.0, extreme::greatest)
}
