//! How stiff an element is as it deforms.

use glam::DMat3;

use super::law::{cofactor, green_strain, hooke, stable};
use super::{Element, Law, contract, trace};
use crate::reference::damping::eigenvalue_bound;
use crate::reference::rotation::nearest_rotation;

/// |A|₂² or a little more: the closed [`eigenvalue_bound`] of AᵀA.
fn norm2(a: &DMat3) -> f64 {
    eigenvalue_bound(&(a.transpose() * *a))
}

/// A bound \[1/s²\] of the largest eigenvalue of the element's stiffness over its share of its corners' masses at positions
/// `x` \[m\], that of ∂P/∂F times `shape` ([`shape_rate`](super::shape_rate)). With D a change of F of norm 1, D:dP is
/// - neo-Hookean: at most 9/8 μ' + λ' (|cof F|² + max(2 (J − α), α − J) |F|₂);
/// - corotated: at most 2μ + 3λ, and where it is stretched λ tr(S − I) 2/(s₂ + s₃) by the turn of R, s₂ + s₃ held above
///   0.05;
/// - St Venant–Kirchhoff: at most (3λ + 2μ) |F|₂² + |S|.
#[must_use]
pub fn stiffness_rate(element: &Element, x: &[glam::DVec3], shape: f64) -> f64 {
    let f = element.elastic_gradient(x);
    let (lambda, mu) = (element.lame.lambda, element.lame.mu);
    let modulus = match element.law {
        Law::NeoHookean => {
            let (lambda, mu, alpha) = stable(element.lame);
            let beyond = f.determinant() - alpha;
            let pressed = (2.0 * beyond).max(-beyond) * norm2(&f).sqrt();
            let area = cofactor(&f);
            1.125 * mu + lambda * (contract(&area, &area) + pressed)
        }
        Law::Corotated => {
            let (r, _) = nearest_rotation(&f);
            let s = super::symmetric(&(r.transpose() * f));
            let smaller = (trace(&s) - eigenvalue_bound(&s)).max(0.05);
            2.0 * mu + 3.0 * lambda + (lambda * (trace(&s) - 3.0)).max(0.0) * 2.0 / smaller
        }
        Law::StVenant => {
            let stress = hooke(element.lame, &green_strain(&f));
            (3.0 * lambda + 2.0 * mu) * norm2(&f) + norm2(&stress).sqrt()
        }
    };
    shape * modulus
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::reference::dense::{Matrix, symmetric_eigenvalues};
    use crate::reference::fem::Lame;
    use crate::verify::Random;

    /// The largest eigenvalue of ∂P/∂F, 9 × 9.
    fn largest(law: Law, lame: Lame, f: &DMat3) -> f64 {
        let unit = |k: usize| {
            let mut entries = [0.0; 9];
            entries[k] = 1.0;
            DMat3::from_cols_array(&entries)
        };
        let mut matrix = Matrix::zero(9);
        for column in 0..9 {
            let change = law.stress_change(lame, f, &unit(column));
            for row in 0..9 {
                matrix[(row, column)] = contract(&unit(row), &change);
            }
        }
        symmetric_eigenvalues(matrix)[8]
    }

    /// Of deformations from squashed to stretched no element is stiffer than its bound; of the first two laws, which stay
    /// stiff under compression, none is much less stiff.
    #[test]
    fn no_element_is_stiffer_than_its_bound() {
        let mut random = Random::new(5);
        let rest = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let mut worst = [0.0_f64; 3];
        for round in 0..3000 {
            let law = Law::ALL[round % 3];
            let lame = Lame::new(1.0, random.between(0.0, 0.45));
            let element = Element::new([0, 1, 2, 3], &rest, law, lame);
            let stretch = DVec3::from_array([(); 3].map(|()| random.between(0.3, 2.0)));
            let turn = glam::DQuat::from_scaled_axis(random.vector(3.0));
            let shear = DMat3::from_quat(glam::DQuat::from_scaled_axis(random.vector(3.0)));
            let f = DMat3::from_quat(turn) * DMat3::from_diagonal(stretch) * shear;
            let x = rest.map(|x| f * x);
            let (bound, largest) = (stiffness_rate(&element, &x, 1.0), largest(law, lame, &f));
            assert!(
                largest <= bound * (1.0 + 1e-9),
                "{law:?}, {stretch}: {largest} above {bound}"
            );
            worst[round % 3] = worst[round % 3].max(bound / largest);
        }
        assert!(worst[0] < 6.0 && worst[1] < 6.0, "{worst:?}");
    }
}
