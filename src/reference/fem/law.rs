//! Energy densities W(F), their stresses P = ∂W/∂F and the stresses' derivatives.

use glam::{DMat3, DVec3};

use super::{contract, symmetric, trace};
use crate::reference::rotation::nearest_rotation;

/// Lamé's constants of an isotropic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lame {
    /// λ \[Pa\]
    pub lambda: f64,
    /// μ \[Pa\], the shear modulus.
    pub mu: f64,
}

impl Lame {
    /// From Young's modulus \[Pa\] and Poisson's ratio, above −1 and below 0.5.
    pub fn new(young: f64, poisson: f64) -> Self {
        Self {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }
}

/// How stress follows from strain. All agree with Hooke's law to first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Stable neo-Hookean: finite everywhere, and without forces only at rest and at F = 0.
    NeoHookean,
    /// Hooke's law in the frame of the nearest rotation.
    Corotated,
    /// Hooke's law in Green's strain; softens under compression and collapses below 1/√3 of the length.
    StVenant,
}

impl Law {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::NeoHookean, Self::Corotated, Self::StVenant];

    /// W(F) \[J/m³\].
    pub fn energy(self, lame: Lame, f: &DMat3) -> f64 {
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

    /// P = ∂W/∂F \[Pa\].
    pub fn stress(self, lame: Lame, f: &DMat3) -> DMat3 {
        let Lame { lambda, mu } = lame;
        match self {
            Self::NeoHookean => {
                let (lambda, mu, alpha) = stable(lame);
                let share = 1.0 - 1.0 / (contract(f, f) + 1.0);
                *f * (mu * share) + cofactor(f) * (lambda * (f.determinant() - alpha))
            }
            Self::Corotated => {
                let (r, _) = nearest_rotation(f);
                let stretch = trace(&(r.transpose() * *f)) - 3.0;
                (*f - r) * (2.0 * mu) + r * (lambda * stretch)
            }
            Self::StVenant => *f * hooke(lame, &green_strain(f)),
        }
    }

    /// dP along `df`, to first order \[Pa\].
    pub fn stress_change(self, lame: Lame, f: &DMat3, df: &DMat3) -> DMat3 {
        let Lame { lambda, mu } = lame;
        match self {
            Self::NeoHookean => {
                let (lambda, mu, alpha) = stable(lame);
                let square = contract(f, f) + 1.0;
                let area = cofactor(f);
                *df * (mu * (1.0 - 1.0 / square))
                    + *f * (2.0 * mu * contract(f, df) / (square * square))
                    + area * (lambda * contract(&area, df))
                    + cofactor_change(f, df) * (lambda * (f.determinant() - alpha))
            }
            Self::Corotated => {
                let (r, _) = nearest_rotation(f);
                let turn = rotation_change(f, df, &r);
                let stretch = trace(&(r.transpose() * *f)) - 3.0;
                (*df - turn) * (2.0 * mu)
                    + r * (lambda * contract(&r, df))
                    + turn * (lambda * stretch)
            }
            Self::StVenant => {
                let change = symmetric(&(f.transpose() * *df));
                *df * hooke(lame, &green_strain(f)) + *f * hooke(lame, &change)
            }
        }
    }
}

/// λ, μ and α of W = μ/2 (|F|² − 3 − ln(|F|² + 1)) + λ/2 (det F − α)² and a constant that makes it 0 at rest (Smith, de
/// Goes & Kim 2018, eq. 14), so that W at rest is stationary and agrees to second order with Hooke's law of the given
/// constants (there §3.4).
pub(super) fn stable(lame: Lame) -> (f64, f64, f64) {
    let mu = 4.0 / 3.0 * lame.mu;
    let lambda = lame.lambda + 5.0 / 6.0 * lame.mu;
    (lambda, mu, 1.0 + 0.75 * mu / lambda)
}

/// E = (FᵀF − I)/2
pub(super) fn green_strain(f: &DMat3) -> DMat3 {
    (f.transpose() * *f - DMat3::IDENTITY) * 0.5
}

/// λ tr(ε) I + 2μ ε \[Pa\]
pub(super) fn hooke(lame: Lame, strain: &DMat3) -> DMat3 {
    DMat3::IDENTITY * (lame.lambda * trace(strain)) + *strain * (2.0 * lame.mu)
}

/// ∂ det F/∂F
pub(super) fn cofactor(f: &DMat3) -> DMat3 {
    let (a, b, c) = (f.x_axis, f.y_axis, f.z_axis);
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

/// Its change along `df`, to first order.
fn cofactor_change(f: &DMat3, df: &DMat3) -> DMat3 {
    let [a, b, c] = [0, 1, 2].map(|k| f.col(k));
    let [da, db, dc] = [0, 1, 2].map(|k| df.col(k));
    DMat3::from_cols(
        db.cross(c) + b.cross(dc),
        dc.cross(a) + c.cross(da),
        da.cross(b) + a.cross(db),
    )
}

/// The change R W of the rotation nearest to F along `df`, to first order: W is skew, its axis ω solves
/// (tr(S) I − S) ω = axial vector of Rᵀ dF − dFᵀ R, with S = RᵀF (derivative of the polar decomposition). Where two
/// singular values cancel each other R is not differentiable; ω is then 0.
fn rotation_change(f: &DMat3, df: &DMat3, r: &DMat3) -> DMat3 {
    let stretch = symmetric(&(r.transpose() * *f));
    let skew = r.transpose() * *df;
    let axial = DVec3::new(
        skew.y_axis.z - skew.z_axis.y,
        skew.z_axis.x - skew.x_axis.z,
        skew.x_axis.y - skew.y_axis.x,
    );
    let matrix = DMat3::IDENTITY * trace(&stretch) - stretch;
    let axis = if matrix.determinant().abs() > 0.0 {
        matrix.inverse() * axial
    } else {
        DVec3::ZERO
    };
    let cross = DMat3::from_cols(
        axis.cross(DVec3::X),
        axis.cross(DVec3::Y),
        axis.cross(DVec3::Z),
    );
    *r * cross
}
