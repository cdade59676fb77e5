//! How stiff an element is as it deforms.

use super::Element;

/// A bound \[1/s²\] of the largest eigenvalue of the element's stiffness over its share of its corners' masses at positions
/// `x` \[m\], that of ∂P/∂F times `shape` ([`shape_rate`](super::shape_rate)).
#[must_use]
pub fn stiffness_rate(element: &Element, x: &[glam::DVec3], shape: f64) -> f64 {
    shape * element.law.stiffness_bound(element.lame, &element.elastic_gradient(x))
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::*;
    use crate::family::fem::rotation::symmetric_eigen;
    use crate::reference::fem::{Lame, Law};
    use crate::verify::Random;

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
            let bound = stiffness_rate(&element, &x, 1.0);
            let largest = symmetric_eigen(law.tangent(lame, &f)).0[8];
            assert!(largest <= bound * (1.0 + 1e-9), "{law:?}, {stretch}: {largest} above {bound}");
            worst[round % 3] = worst[round % 3].max(bound / largest);
        }
        assert!(worst[0] < 6.0 && worst[1] < 6.0, "{worst:?}");
    }
}
