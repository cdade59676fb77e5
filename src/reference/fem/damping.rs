//! Viscosity: a Kelvin–Voigt stress of the rate of Green's strain (O'Brien & Hodgins 1999, eq. 7, whose ν is twice this
//! rate). Rigid motion has none, so it is not damped.

use glam::DVec3;

use super::{Element, Lame, symmetric};
use crate::family::fem::law::{eigenvalue_bound, green_strain, hooke};
use crate::reference::dense::{Matrix, symmetric_eigenvalues};

/// φ = τ λ and ψ = τ μ \[Pa s\].
fn viscous(element: &Element) -> Lame {
    Lame {
        lambda: element.relaxation * element.lame.lambda,
        mu: element.relaxation * element.lame.mu,
    }
}

/// Forces −V0 F (φ tr(Ė) I + 2ψ Ė) ∇N_c on the corners \[N\], Ė = sym(Fᵀ Ḟ), at positions `x` \[m\] with velocities `v`
/// \[m/s\]; with a `chord` \[s\] Ė is the change of E since x − chord v, over it.
pub fn damping_forces(element: &Element, x: &[DVec3], v: &[DVec3], chord: f64) -> [DVec3; 4] {
    let (f, speed) = (element.gradient(x), element.gradient(v));
    let rate = match chord > 0.0 {
        true => (green_strain(&f) - green_strain(&(f - speed * chord))) * (1.0 / chord),
        false => symmetric(&(f.transpose() * speed)),
    };
    element.corner_forces(f * hooke(viscous(element), &rate))
}

/// Largest eigenvalue \[1/(kg m)\] of ∇N_c·∇N_d √(Ω_c Ω_d/(m_c m_d)), Ω_c the volume of all elements around corner c
/// \[m³\]: V0 |Ḟ|² is at most this times Σ m'_c |v_c|², m'_c = m_c V0/Ω_c the element's share of its corners' masses.
/// A held corner has an infinite mass.
pub fn shape_rate(element: &Element, volume: &[f64], inverse_mass: &[f64]) -> f64 {
    let weight = element.corners.map(|i| (volume[i] * inverse_mass[i]).sqrt());
    let weighted: [_; 4] = std::array::from_fn(|c| element.gradients[c] * weight[c]);
    symmetric_eigenvalues(Matrix::of(4, |c, d| weighted[c].dot(weighted[d])))[3]
}

/// A bound \[1/s\] of the largest eigenvalue of the element's damping matrix over its share of its corners' masses:
/// vᵀC v = V0 (φ tr(Ė)² + 2ψ |Ė|²) ≤ V0 (3φ + 2ψ) |F|₂² |Ḟ|², where |F|₂² is at most the closed [`eigenvalue_bound`] of
/// FᵀF. `shape` is [`shape_rate`].
pub fn damping_rate(element: &Element, x: &[DVec3], shape: f64) -> f64 {
    let Lame { lambda, mu } = viscous(element);
    let f = element.gradient(x);
    let square = eigenvalue_bound(&(f.transpose() * f));
    (2.0 * mu).max(3.0 * lambda + 2.0 * mu) * square * shape
}
