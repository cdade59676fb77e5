//! The largest stable step of each integrator on the oscillator x'' = −ω²x − c x'.

use super::dense::bisect;
use super::integrate::Integrator;

/// The largest stable step \[s\] for ω² = `omega_squared` \[1/s²\] and c = `damping` \[1/s\], both at least 0; infinite
/// where every step is stable, 0 where none is.
///
/// Symplectic Euler and Störmer–Verlet: h²ω² + 2hc ≤ 4. Leapfrog with its extrapolated velocity: the characteristic
/// polynomial z³ + (A − 2 + 3D/2) z² + (1 − 2D) z + D/2, A = h²ω², D = hc, has its roots in the unit disc exactly where
/// A + 4D ≤ 4 (Jury's criterion; the root −1 is the first to leave), which contains the condition hc ≤ 1. The
/// Runge–Kutta methods: |R(hλ)| ≤ 1 for both roots λ of λ² + cλ + ω².
pub fn largest_step(integrator: Integrator, omega_squared: f64, damping: f64) -> f64 {
    match integrator {
        Integrator::SymplecticEuler | Integrator::Verlet => step_below(omega_squared, damping),
        Integrator::Leapfrog => step_below(omega_squared, 2.0 * damping),
        Integrator::Euler => runge_kutta(&[1.0, 1.0], omega_squared, damping),
        Integrator::Midpoint => runge_kutta(&[2.0, 2.0, 1.0], omega_squared, damping),
        Integrator::Rk4 => runge_kutta(&[24.0, 24.0, 12.0, 4.0, 1.0], omega_squared, damping),
        Integrator::ImplicitEuler | Integrator::Vbd => f64::INFINITY,
    }
}

/// The positive root of h²ω² + 2hc = 4, (√(c² + 4ω²) − c)/ω², in a form that also holds for ω = 0.
fn step_below(omega_squared: f64, c: f64) -> f64 {
    4.0 / (c + (c * c + 4.0 * omega_squared).sqrt())
}

/// The largest step of the Runge–Kutta method whose stability polynomial R has the given coefficients, up to a common
/// factor that makes them whole numbers: sums of them are exact, so that an undamped oscillator lies exactly on the
/// imaginary axis.
fn runge_kutta(coefficients: &[f64], omega_squared: f64, c: f64) -> f64 {
    let omega = omega_squared.sqrt();
    if c < 2.0 * omega {
        return ray_length(coefficients, -0.5 * c / omega) / omega;
    }
    let fastest = 0.5 * (c + (c * c - 4.0 * omega_squared).sqrt());
    // The slower root lies on the same ray, nearer to 0.
    if fastest > 0.0 { ray_length(coefficients, -1.0) / fastest } else { f64::INFINITY }
}

/// How far along the ray z = r exp(iφ), `cosine` = cos φ ≤ 0, |R(z)| ≤ 1 holds.
///
/// |R|² = Σ_jk a_j a_k r^{j+k} cos((j−k)φ) is a polynomial in r; its first crossing of |R(0)|² is bracketed from 1e-9
/// on in steps of 0.1 % and bisected.
fn ray_length(a: &[f64], cosine: f64) -> f64 {
    let mut cosines = vec![1.0, cosine];
    for k in 2..a.len() {
        cosines.push(2.0 * cosine * cosines[k - 1] - cosines[k - 2]);
    }
    // excess[m − 1] is the coefficient of r^m: (|R|² − |R(0)|²)/r.
    let mut excess = vec![0.0; 2 * a.len() - 2];
    for (j, aj) in a.iter().enumerate() {
        for (k, ak) in a.iter().enumerate().filter(|(k, _)| j + k > 0) {
            excess[j + k - 1] += aj * ak * cosines[j.abs_diff(k)];
        }
    }
    let unstable = |r: f64| excess.iter().rev().fold(0.0, |sum, e| sum * r + e) > 0.0;
    let mut inside = 0.0;
    let mut outside = 1e-9;
    while !unstable(outside) {
        inside = outside;
        outside *= 1.001;
    }
    if inside == 0.0 {
        return 0.0;
    }
    bisect(inside, outside, |r| !unstable(r))
}
