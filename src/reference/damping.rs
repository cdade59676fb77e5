//! Damping along the springs that a step can bear whatever d_C is.
//!
//! Linearised, a step multiplies the velocity by I − D. The step is stable where D ≤ θ, and the cap φ_s of each spring
//! makes it so: with C̃ = Σ c_s φ_s n nᵀ and σ_i ≥ λmax(Σ c_s n nᵀ)/m_i, Cauchy–Schwarz gives h vᵀC̃v ≤ θ Σ m_i |v_i|²
//! for any masses and mesh. *Capped* damping takes D = h M⁻¹C̃. *Exact* damping takes the Chebyshev polynomial
//! D = θ (I − T_s(I − 2hM⁻¹C̃/(θs²)))/2, which is ≈ h M⁻¹C̃ for small arguments and bears s² times as much of d_C
//! (compare the stabilised methods of van der Houwen & Sommeijer 1980).

use crate::family::fem::law::{eigenvalue_bound, outer};
use glam::{DMat3, DVec3};

use super::dense::principal_axes;
use super::force::{damping_forces, per_mass};
use super::{System, fem, springs};

/// How the springs' damping is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damping {
    /// As a force; the damping then bounds the step.
    Explicit,
    /// As a force, each spring weakened by φ_s.
    Capped,
    /// By the polynomial of degree `damping_stages`; 1 is the same as capped.
    Exact {
        /// s, at least 1: how often the damping forces are gathered. [`damping_stages`] says how many keep all of d_C.
        damping_stages: u32,
    },
}

/// G_i = Σ c_s n nᵀ over the springs of each point \[kg/s\].
pub fn point_matrices(system: &System, x: &[DVec3]) -> Vec<DMat3> {
    let mut matrices = vec![DMat3::ZERO; x.len()];
    for spring in &system.springs {
        let [i, j] = spring.points;
        let (n, _) = springs::direction(spring, x);
        let c = springs::damping_coefficient(spring);
        matrices[i] += outer(n, n) * c;
        matrices[j] += outer(n, n) * c;
    }
    matrices
}

/// The largest eigenvalue of a symmetric 3×3 matrix.
pub fn largest_eigenvalue(g: &DMat3) -> f64 {
    principal_axes(g).0[2]
}

/// σ_i = λmax(G_i)/m_i of every point \[1/s\]; 0 for pinned points.
pub fn rates(system: &System, x: &[DVec3]) -> Vec<f64> {
    let matrices = point_matrices(system, x);
    matrices.iter().zip(&system.inverse_mass).map(|(g, w)| largest_eigenvalue(g) * w).collect()
}

/// The closed bound (q + 2p)/m_i ≥ σ_i of every point \[1/s\], which the engine uses; 0 for pinned points.
pub fn rate_bounds(system: &System, x: &[DVec3]) -> Vec<f64> {
    let matrices = point_matrices(system, x);
    matrices.iter().zip(&system.inverse_mass).map(|(g, w)| eigenvalue_bound(g) * w).collect()
}

/// θ, the share of the velocity that the springs' damping may take in one step of `h` \[s\] in a body whose largest
/// angular frequency is `omega` \[1/s\].
///
/// With A = h²M⁻¹K ≤ 4(h/h0)², h0 = 2/ω: Störmer–Verlet and symplectic Euler are stable where A + 2D < 4, `share` = 2,
/// leapfrog with its extrapolated velocity where A + 4D < 4, `share` = 1; beyond 1 the damping would turn a velocity round.
/// Drag γ damps too: D there is the springs' damping plus hγ, so that hγ of the budget is already spent. Never below 0.
pub fn theta(share: f64, h: f64, omega: f64, drag: f64) -> f64 {
    let left = share * (1.0 - (0.5 * h * omega).powi(2));
    (left.min(1.0) - h * drag).max(0.0)
}

/// φ_s = min(1, θ s²/(h (σ_i + σ_j))), the part of a spring's damping that is applied; `rate_sum` = σ_i + σ_j \[1/s\].
pub fn factor(theta: f64, damping_stages: u32, h: f64, rate_sum: f64) -> f64 {
    let allowed = theta * f64::from(damping_stages).powi(2);
    let wanted = h * rate_sum;
    if wanted <= allowed { 1.0 } else { allowed / wanted }
}

/// φ of every spring, from the stored σ of its ends, then of every finite element, from its rate at positions `x`.
/// `theta` per body.
pub fn factors(
    system: &System,
    x: &[DVec3],
    theta: &[f64],
    damping_stages: u32,
    h: f64,
) -> Vec<f64> {
    let rates = rates_of_all(system, x);
    rates.map(|(point, rate)| factor(theta[system.body[point]], damping_stages, h, rate)).collect()
}

/// A point and the rate \[1/s\] of every spring, σ_i + σ_j, and then of every finite element at positions `x`.
fn rates_of_all(system: &System, x: &[DVec3]) -> impl Iterator<Item = (usize, f64)> {
    let springs = system.springs.iter().map(|spring| {
        let [i, j] = spring.points;
        (i, system.damping_rate[i] + system.damping_rate[j])
    });
    let elements = system
        .elements
        .iter()
        .zip(&system.shape_rates)
        .map(|(element, shape)| (element.corners[0], fem::damping_rate(element, x, *shape)));
    springs.chain(elements)
}

/// s = ⌈√(h max(σ_i + σ_j)/θ)⌉, at least 1, the largest over the bodies, of finite elements with their own rates: so
/// many gathers keep all of the damping. Bodies with θ = 0 bear no damping at all and are left out.
pub fn damping_stages(system: &System, theta: &[f64], h: f64) -> u32 {
    let mut most = 1;
    for (point, rate) in rates_of_all(system, &system.position) {
        let theta = theta[system.body[point]];
        if theta > 0.0 {
            most = most.max((h * rate / theta).sqrt().ceil() as u32);
        }
    }
    most
}

/// Acceleration of every point by the capped damping \[m/s²\]: force c_s φ_s v_rel along each spring. `theta` per body.
pub fn capped_acceleration(
    system: &System,
    x: &[DVec3],
    v: &[DVec3],
    theta: &[f64],
    h: f64,
) -> Vec<DVec3> {
    per_mass(system, &damping_forces(system, x, v, &factors(system, x, theta, 1, h)))
}

/// The change −D v \[m/s\] of the velocities `v` by exact damping in one step of `h`: body by body the polynomial of
/// B = I − 2hM⁻¹C̃/(θs²). `theta` per body; s = `damping_stages` = 1 is the capped damping.
pub fn polynomial_change(
    system: &System,
    x: &[DVec3],
    v: &[DVec3],
    theta: &[f64],
    damping_stages: u32,
    h: f64,
) -> Vec<DVec3> {
    let factors = factors(system, x, theta, damping_stages, h);
    let scale = iteration_scales(theta, damping_stages, h);
    let after = chebyshev(|w| iteration(system, x, &factors, &scale, w), damping_stages, v);
    let halved = |i: usize| 0.5 * theta[system.body[i]] * (after[i] - v[i]);
    (0..v.len()).map(halved).collect()
}

/// 2h/(θs²) \[s\] of every body; 0, which makes B = I, where θ = 0 leaves nothing for damping.
pub fn iteration_scales(theta: &[f64], damping_stages: u32, h: f64) -> Vec<f64> {
    let square = f64::from(damping_stages).powi(2);
    let scale = |&theta: &f64| {
        if theta > 0.0 { 2.0 * h / (theta * square) } else { 0.0 }
    };
    theta.iter().map(scale).collect()
}

/// B w = w − scale M⁻¹C̃ w at positions `x`; `scale` \[s\] per body, `factors` φ per spring.
pub fn iteration(
    system: &System,
    x: &[DVec3],
    factors: &[f64],
    scale: &[f64],
    w: &[DVec3],
) -> Vec<DVec3> {
    let a = per_mass(system, &damping_forces(system, x, w, factors));
    (0..w.len()).map(|i| w[i] + scale[system.body[i]] * a[i]).collect()
}

/// T_s(B) u by T_0 = I, T_1 = B, T_{k+1} = 2 B T_k − T_{k−1}; `degree` s ≥ 1, `b` the product with B.
fn chebyshev(b: impl Fn(&[DVec3]) -> Vec<DVec3>, degree: u32, u: &[DVec3]) -> Vec<DVec3> {
    let mut last = u.to_vec();
    let mut present = b(u);
    for _ in 1..degree {
        let next = b(&present).iter().zip(&last).map(|(p, l)| 2.0 * *p - *l).collect();
        last = std::mem::replace(&mut present, next);
    }
    present
}
