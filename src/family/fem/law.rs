//! The laws of finite elements: energy densities W(F) and how stiff they are at most.

use glam::{DMat3, DVec3};

use super::rotation::nearest_rotation;
use crate::scene::Law;

/// Lamé's constants of an isotropic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lame {
    /// λ [Pa]
    pub lambda: f64,
    /// μ [Pa], the shear modulus.
    pub mu: f64,
}

impl Lame {
    /// From Young's modulus [Pa] and Poisson's ratio, above −1 and below 0.5.
    pub fn new(young: f64, poisson: f64) -> Self {
        Self {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }
}

impl Law {
    /// W(F) \[J/m³\].
    pub(crate) fn energy(self, lame: Lame, f: &DMat3) -> f64 {
        let Lame { lambda, mu } = lame;
        match self {
            Self::NeoHookean => {
                let (lambda, mu, alpha) = stable(lame);
                let square = contract(f, f);
                let more = square - 3.0;
                let volume = f.determinant();
                0.5 * mu * (more - (0.25 * more).ln_1p())
                    + 0.5 * lambda * (volume - 1.0) * (volume + 1.0 - 2.0 * alpha)
            }
            Self::Corotated => {
                let (r, _) = nearest_rotation(f);
                let away = *f - r;
                let stretch = trace(&(r.transpose() * *f)) - 3.0;
                mu * contract(&away, &away) + 0.5 * lambda * stretch * stretch
            }
            Self::StVenant => {
                let strain = green_strain(f);
                0.5 * lambda * trace(&strain).powi(2) + mu * contract(&strain, &strain)
            }
        }
    }

    /// ∂W/∂F \[Pa\], the first Piola–Kirchhoff stress.
    pub(crate) fn stress(self, lame: Lame, f: &DMat3) -> DMat3 {
        match self {
            Self::NeoHookean => {
                let (lambda, mu, alpha) = stable(lame);
                let shear = mu * (1.0 - (contract(f, f) + 1.0).recip());
                *f * shear + cofactor(f) * (lambda * (f.determinant() - alpha))
            }
            Self::Corotated => {
                let (r, _) = nearest_rotation(f);
                let stretch = trace(&(r.transpose() * *f)) - 3.0;
                (*f - r) * (2.0 * lame.mu) + r * (lame.lambda * stretch)
            }
            Self::StVenant => *f * hooke(lame, &green_strain(f)),
        }
    }

    /// A bound [Pa] of the largest eigenvalue of ∂P/∂F. With D a change of F of norm 1, D:dP is
    /// - neo-Hookean: at most 9/8 μ' + λ' (|cof F|² + max(2 (J − α), α − J) |F|₂);
    /// - corotated: at most 2μ + 3λ, and where it is stretched λ tr(S − I) 2/(s₂ + s₃) by the turn of R, s₂ + s₃ held
    ///   above 0.05;
    /// - St Venant–Kirchhoff: at most (3λ + 2μ) |F|₂² + |S|.
    pub(crate) fn stiffness_bound(self, lame: Lame, f: &DMat3) -> f64 {
        let Lame { lambda, mu } = lame;
        match self {
            Self::NeoHookean => {
                let (lambda, mu, alpha) = stable(lame);
                let beyond = f.determinant() - alpha;
                let pressed = (2.0 * beyond).max(-beyond) * norm2(f).sqrt();
                let area = cofactor(f);
                1.125 * mu + lambda * (contract(&area, &area) + pressed)
            }
            Self::Corotated => {
                let (r, _) = nearest_rotation(f);
                let s = symmetric(&(r.transpose() * *f));
                let smaller = (trace(&s) - eigenvalue_bound(&s)).max(0.05);
                2.0 * mu + 3.0 * lambda + (lambda * (trace(&s) - 3.0)).max(0.0) * 2.0 / smaller
            }
            Self::StVenant => {
                let stress = hooke(lame, &green_strain(f));
                (3.0 * lambda + 2.0 * mu) * norm2(f) + norm2(&stress).sqrt()
            }
        }
    }
}

/// λ, μ and α of W = μ/2 (|F|² − 3 − ln(|F|² + 1)) + λ/2 (det F − α)² and a constant that makes it 0 at rest (Smith, de
/// Goes & Kim 2018, eq. 14), so that W at rest is stationary and agrees to second order with Hooke's law of the given
/// constants (there §3.4).
pub fn stable(lame: Lame) -> (f64, f64, f64) {
    let mu = 4.0 / 3.0 * lame.mu;
    let lambda = lame.lambda + 5.0 / 6.0 * lame.mu;
    (lambda, mu, 1.0 + 0.75 * mu / lambda)
}

/// E = (FᵀF − I)/2
pub fn green_strain(f: &DMat3) -> DMat3 {
    (f.transpose() * *f - DMat3::IDENTITY) * 0.5
}

/// λ tr(ε) I + 2μ ε \[Pa\]
pub fn hooke(lame: Lame, strain: &DMat3) -> DMat3 {
    DMat3::IDENTITY * (lame.lambda * trace(strain)) + *strain * (2.0 * lame.mu)
}

/// ∂ det F/∂F
pub fn cofactor(f: &DMat3) -> DMat3 {
    let (a, b, c) = (f.x_axis, f.y_axis, f.z_axis);
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

/// a bᵀ
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// A : B = Σ A_ij B_ij
pub fn contract(a: &DMat3, b: &DMat3) -> f64 {
    (0..3).map(|k| a.col(k).dot(b.col(k))).sum()
}

/// A₀₀ + A₁₁ + A₂₂
pub fn trace(a: &DMat3) -> f64 {
    a.x_axis.x + a.y_axis.y + a.z_axis.z
}

/// (A + Aᵀ)/2
pub fn symmetric(a: &DMat3) -> DMat3 {
    (*a + a.transpose()) * 0.5
}

/// A closed upper bound q + 2p of the largest eigenvalue: q = tr G/3, p² = |G − qI|²_F/6. The eigenvalues of a
/// symmetric 3×3 matrix are q + 2p cos(α + 2πk/3) (Smith 1961).
pub fn eigenvalue_bound(g: &DMat3) -> f64 {
    let q = (g.x_axis.x + g.y_axis.y + g.z_axis.z) / 3.0;
    let deviator = *g - DMat3::IDENTITY * q;
    let norm_squared: f64 = deviator.to_cols_array().iter().map(|e| e * e).sum();
    q + 2.0 * (norm_squared / 6.0).sqrt()
}

/// |A|₂² or a little more: the closed [`eigenvalue_bound`] of AᵀA.
fn norm2(a: &DMat3) -> f64 {
    eigenvalue_bound(&(a.transpose() * *a))
}
