//! Derivatives of the stresses P = ∂W/∂F of the laws.

use glam::{DMat3, DVec3};

use crate::family::fem::law::{
    Lame, cofactor, contract, green_strain, hooke, stable, symmetric, trace,
};
use crate::family::fem::rotation::nearest_rotation;
use crate::scene::Law;

impl Law {
    /// dP along `df`, to first order \[Pa\].
    pub(crate) fn stress_change(self, lame: Lame, f: &DMat3, df: &DMat3) -> DMat3 {
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

    /// ∂P/∂F \[Pa\]: the changes of P along each entry of F, column by column.
    pub(crate) fn tangent(self, lame: Lame, f: &DMat3) -> [[f64; 9]; 9] {
        unit_matrices().map(|unit| self.stress_change(lame, f, &unit).to_cols_array())
    }
}

/// The matrices of one entry 1, column by column.
pub(crate) fn unit_matrices() -> [DMat3; 9] {
    std::array::from_fn(|unit| {
        let mut matrix = DMat3::ZERO;
        matrix.col_mut(unit / 3)[unit % 3] = 1.0;
        matrix
    })
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
    let axis =
        if matrix.determinant().abs() > 0.0 { matrix.inverse() * axial } else { DVec3::ZERO };
    let cross = DMat3::from_cols(axis.cross(DVec3::X), axis.cross(DVec3::Y), axis.cross(DVec3::Z));
    *r * cross
}
