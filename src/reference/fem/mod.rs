//! Finite elements: linear tetrahedra whose energy density depends on the deformation gradient
//! F = ∂x/∂X = Σ_c x_c ⊗ ∇N_c, constant over each.
//!
//! Corner c gets the force −V0 P ∇N_c, P = ∂W/∂F the first Piola–Kirchhoff stress (O'Brien & Hodgins 1999, §3; Sifakis
//! & Barbič 2012, §4). A plastic stretch S_p deforms the rest shape: the laws see F S_p⁻¹.

mod damping;
mod law;
mod plastic;
mod statics;
mod stiffness;

use glam::{DMat3, DMat4, DVec3};

pub use crate::family::fem::law::Lame;
pub(super) use crate::family::fem::law::{contract, outer, symmetric, trace};
pub use crate::scene::Law;

pub(crate) use law::unit_matrices;

pub use damping::{damping_forces, damping_rate, shape_rate};
pub use plastic::{Plasticity, flow};
pub use statics::{Problem, equilibrium};
pub use stiffness::stiffness_rate;

/// A tetrahedron of one material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// The corners.
    pub corners: [usize; 4],
    /// ∇N_c of each corner in the rest shape \[1/m\].
    pub gradients: [DVec3; 4],
    /// Rest volume V0 \[m³\].
    pub volume: f64,
    /// How stress follows from strain.
    pub law: Law,
    /// Its constants.
    pub lame: Lame,
    /// τ \[s\]: the viscous moduli are τ times the elastic ones.
    pub relaxation: f64,
    /// S_p: what the rest shape has been stretched by; symmetric, of determinant 1.
    pub plastic: DMat3,
}

impl Element {
    /// An element without viscosity and plastic stretch, from its corners' places at rest \[m\]; either orientation.
    pub fn new(corners: [usize; 4], rest: &[DVec3], law: Law, lame: Lame) -> Self {
        let at = corners.map(|i| rest[i]);
        Self {
            corners,
            gradients: gradients(at),
            volume: ((at[1] - at[0]).dot((at[2] - at[0]).cross(at[3] - at[0])) / 6.0).abs(),
            law,
            lame,
            relaxation: 0.0,
            plastic: DMat3::IDENTITY,
        }
    }

    /// Σ_c y_c ⊗ ∇N_c: the gradient of a field given at all points by its values at the corners.
    pub fn gradient(&self, y: &[DVec3]) -> DMat3 {
        (0..4).map(|c| outer(y[self.corners[c]], self.gradients[c])).sum()
    }

    /// F S_p⁻¹ at positions `x` \[m\].
    pub fn elastic_gradient(&self, x: &[DVec3]) -> DMat3 {
        self.gradient(x) * self.plastic.inverse()
    }

    /// Forces of a first Piola–Kirchhoff stress \[Pa\] on the corners: −V0 P ∇N_c \[N\].
    fn corner_forces(&self, stress: DMat3) -> [DVec3; 4] {
        self.gradients.map(|g| -self.volume * (stress * g))
    }
}

/// ∇N_c of the four corners `at` \[1/m\]. N_c is the linear function that is 1 at corner c and 0 at the others: the
/// rows of the inverse of the matrix whose columns are (x_c, 1) hold its coefficients (O'Brien & Hodgins 1999, eq. 15).
fn gradients(at: [DVec3; 4]) -> [DVec3; 4] {
    let [a, b, c, d] = at.map(|x| x.extend(1.0));
    let coefficients = DMat4::from_cols(a, b, c, d).inverse();
    [0, 1, 2, 3].map(|corner| coefficients.row(corner).truncate())
}

/// Elastic energy V0 W(F S_p⁻¹) \[J\] at positions `x` \[m\].
pub fn energy(element: &Element, x: &[DVec3]) -> f64 {
    let f = element.elastic_gradient(x);
    element.volume * element.law.energy(element.lame, &f)
}

/// ∂W(F S_p⁻¹)/∂F = P S_p⁻ᵀ \[Pa\] at positions `x` \[m\].
pub fn stress(element: &Element, x: &[DVec3]) -> DMat3 {
    let f = element.elastic_gradient(x);
    element.law.stress(element.lame, &f) * element.plastic.inverse().transpose()
}

/// Elastic forces on the corners \[N\] at positions `x` \[m\].
pub fn forces(element: &Element, x: &[DVec3]) -> [DVec3; 4] {
    element.corner_forces(stress(element, x))
}

/// Change of the forces when the points move by `w`, to first order \[N per unit of w\].
pub fn force_changes(element: &Element, x: &[DVec3], w: &[DVec3]) -> [DVec3; 4] {
    let inverse = element.plastic.inverse();
    let (f, change) = (element.gradient(x) * inverse, element.gradient(w) * inverse);
    let stress = element.law.stress_change(element.lame, &f, &change);
    element.corner_forces(stress * inverse.transpose())
}
