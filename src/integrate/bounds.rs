//! The longest step that each integrator bears, from the rates of the bodies.

use crate::body::damping::{Budget, MAX_GATHERS, halves_reach};
use crate::scene::{DampingMode, Integrator};

/// Rates of one body that bound a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// ω [1/s]: root of the largest eigenvalue of M⁻¹K.
    pub stiffness: f64,
    /// c [1/s]: largest eigenvalue of M⁻¹C that acts explicitly, drag included.
    pub damping: f64,
    /// Least c/ω² of all vibrations [s]: how well the least damped one is damped.
    pub least_damping: f64,
    /// Least c of all motions [1/s]: the drag.
    pub drag: f64,
    /// How springs and finite elements are damped.
    pub mode: DampingMode,
    /// max σ_i + σ_j over the springs, of finite elements their largest rate [1/s]: what caps compare with h.
    pub rate: f64,
}

impl Rates {
    /// Whether something vibrates without any damping.
    fn undamped(&self) -> bool {
        self.stiffness > 0.0 && self.least_damping == 0.0 && self.drag == 0.0
    }
}

/// The longest stable step [s], 0 where every step is unstable, infinite where none is.
///
/// - Verlet, symplectic Euler: h < (√(c² + 4ω²) − c)/ω².
/// - Leapfrog with extrapolated damping: h²ω² + 4hc < 4.
/// - The others, damping explicit: |R(hλ)| ≤ 1 for both roots λ of λ² + cλ + ω² of every vibration, R the method's
///   polynomial. Capped and exact: see `capped_bound` and `split_bound`.
#[must_use]
pub fn longest_step(integrator: Integrator, rates: &Rates) -> f64 {
    let Rates {
        stiffness: w,
        damping: c,
        ..
    } = *rates;
    match integrator {
        Integrator::Verlet | Integrator::SymplecticEuler => {
            4.0 / ((c * c + 4.0 * w * w).sqrt() + c)
        }
        Integrator::Leapfrog => 2.0 / ((c * c + w * w).sqrt() + c),
        Integrator::ImplicitEuler | Integrator::Vbd => f64::INFINITY,
        _ if needs_damping(integrator) && rates.undamped() => 0.0,
        _ if rates.mode == DampingMode::Capped => capped_bound(integrator, rates),
        _ if rates.mode == DampingMode::Exact => split_bound(integrator, rates),
        Integrator::Euler => polynomial_bound(rates, &[1.0, 1.0]),
        Integrator::Midpoint => polynomial_bound(rates, &[1.0, 1.0, 0.5]),
        Integrator::Rk4 => polynomial_bound(rates, &[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]),
    }
}

/// Whether the integrator has no stable step for what vibrates undamped: of the methods of order 1 and 2 these grow on the
/// imaginary axis, however slowly. At its bound such a one undoes all the damping of some vibration: explicit Euler takes
/// h ω² from each vibration's rate c.
fn needs_damping(integrator: Integrator) -> bool {
    matches!(integrator, Integrator::Euler | Integrator::Midpoint)
}

/// Runge–Kutta methods with capped damping. With a = h²ω² and d = hc of a vibration the cap keeps d ≤ θ = 2 of Euler and
/// midpoint, whose |R| ≤ 1 is a ≤ d and (a − d)² ≤ d (4 − d) there. The weakest factor φ = min(1, θ/(h·rate)) leaves
/// d ≥ φ c_least/ω² a/h + h·drag; both conditions are convex in a along that line, so its end decides. Holds whether or not
/// stiffness and damping commute, as a and d are those of any eigenvector.
fn capped_bound(integrator: Integrator, rates: &Rates) -> f64 {
    if integrator == Integrator::Rk4 {
        return undamped_rk4(rates);
    }
    let fastest = rates.stiffness.max(rates.drag);
    bisect(2.0 / fastest, |h| {
        let air = h * rates.drag;
        let theta = Budget::of(integrator).theta(h, 0.0, rates.drag);
        let slope = share(theta, h * rates.rate) * rates.least_damping / h;
        let a = (h * rates.stiffness).powi(2).min((2.0 - air) / slope);
        let d = slope * a + air;
        match integrator {
            Integrator::Euler => a <= d,
            _ => (a - d).powi(2) <= d * (4.0 - d),
        }
    })
}

/// Runge–Kutta methods between two halves of exact damping, which leave P² of a velocity: P² ≤ max(1/(1 + hc), 0.593) of
/// Legendre's polynomials of odd degree. Rk4: a ≤ 8, proved for all bodies. Euler and midpoint multiply an undamped
/// vibration by √(1 + a) and √(1 + a²/4): that P² makes up for it proves them stable where stiffness and damping commute,
/// for a ≤ 0.688 and a ≤ 1.66; of those that do not, the worst found by search stay stable for a ≤ `SPLIT_EULER` and
/// `SPLIT_MIDPOINT`.
fn split_bound(integrator: Integrator, rates: &Rates) -> f64 {
    let (most, growth): (f64, fn(f64) -> f64) = match integrator {
        Integrator::Rk4 => return undamped_rk4(rates),
        Integrator::Euler => (SPLIT_EULER, |a| a),
        _ => (SPLIT_MIDPOINT, |a| 0.25 * a * a),
    };
    let fastest = (rates.stiffness / most.sqrt()).max(0.5 * rates.drag);
    bisect(1.0 / fastest, |h| {
        let a = (h * rates.stiffness).powi(2);
        let borne = halves_reach(f64::from(MAX_GATHERS - 1));
        let slope = share(borne, h * rates.rate) * rates.least_damping / h;
        growth(a) <= slope * a + h * rates.drag
    })
}

const SPLIT_EULER: f64 = 0.48;
const SPLIT_MIDPOINT: f64 = 1.1;

/// Rk4 without damping, or with one that is capped or split: h²ω² ≤ 8, of which drag leaves something.
fn undamped_rk4(rates: &Rates) -> f64 {
    let budget = Budget::of(Integrator::Rk4);
    let high = (8.0_f64.sqrt() / rates.stiffness).min(budget.most / rates.drag);
    if high.is_infinite() {
        return high;
    }
    let spent = |h: f64| budget.theta(h, rates.stiffness.powi(2), 0.0) >= h * rates.drag;
    bisect(high, spent)
}

/// min(1, borne/wanted).
fn share(borne: f64, wanted: f64) -> f64 {
    if wanted <= borne { 1.0 } else { borne / wanted }
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
        if stable(middle) {
            low = middle
        } else {
            high = middle
        }
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
        [
            (-half - root, 0.0),
            (-w * w / (half + root).max(f64::MIN_POSITIVE), 0.0),
        ]
    };
    let size = |(re, im): (f64, f64)| {
        let (x, y) = (h * re, h * im);
        let (a, b) = polynomial
            .iter()
            .rev()
            .fold((0.0, 0.0), |(a, b), k| (a * x - b * y + k, a * y + b * x));
        f64::hypot(a, b)
    };
    roots.into_iter().map(size).fold(0.0, f64::max)
}
