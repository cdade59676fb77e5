//! Scales of what elements compute: the scale of a deformation gradient is φ = Σ |x_c − x_a| |∇N_c|; its rounding reaches
//! the stresses by the derivatives of the laws, and a rotation over the least sum of two stretches.

use glam::{DMat3, DVec3};

use crate::family::fem::law::{symmetric, trace};
use crate::family::fem::rotation::nearest_rotation;
use crate::reference::dense::principal_axes;
use crate::reference::fem::{Element, Law, unit_matrices};

/// φ of a field's gradient.
pub fn gradient_scale(element: &Element, y: &[DVec3]) -> f64 {
    let [a, corners @ ..] = element.corners;
    let gradients = &element.gradients[1..];
    corners.iter().zip(gradients).map(|(i, g)| y[*i].distance(y[a]) * g.length()).sum()
}

/// V0 Σ |∇N_c|, which turns a stress into forces.
pub fn area(element: &Element) -> f64 {
    element.volume * element.gradients.iter().map(|g| g.length()).sum::<f64>()
}

/// |∂P/∂F|, by which errors of the deformation gradient reach the stress [Pa].
pub fn stiffness(element: &Element, x: &[DVec3]) -> f64 {
    let inverse = element.plastic.inverse();
    let f = element.elastic_gradient(x);
    let change = |unit: DMat3| {
        let change = element.law.stress_change(element.lame, &f, &(unit * inverse));
        size(&(change * inverse.transpose())).powi(2)
    };
    unit_matrices().map(change).iter().sum::<f64>().sqrt()
}

/// Scale of the elastic forces at positions `x` [N].
pub fn elastic_scale(element: &Element, x: &[DVec3]) -> f64 {
    area(element) * stiffness(element, x) * (1.0 + gradient_scale(element, x))
}

/// Scale of the viscous forces of velocities `v` [N], |F|² (λ + 2μ) τ φ_v, as F is uncertain by φ; with the velocities of a
/// `chord` [s] by half of what they change it, too.
pub fn viscous_scale(element: &Element, x: &[DVec3], v: &[DVec3], chord: f64) -> f64 {
    let modulus = element.relaxation * (element.lame.lambda.abs() + 2.0 * element.lame.mu);
    let rate = gradient_scale(element, v);
    let uncertain = gradient_scale(element, x) + 0.5 * chord * rate;
    area(element) * modulus * uncertain * size(&element.gradient(x)) * rate
}

/// Least sum of two stretches of F S_p⁻¹, with their signs.
pub fn softest(element: &Element, x: &[DVec3]) -> f64 {
    let f = element.elastic_gradient(x);
    let (r, _) = nearest_rotation(&f);
    let s = r.transpose() * f;
    principal_axes(&symmetric(&(DMat3::IDENTITY * trace(&s) - s))).0[0]
}

/// How much larger the rotation's change is than the gradient's: it divides by the least sum of two stretches once more.
pub fn turn(element: &Element, x: &[DVec3]) -> f64 {
    match element.law {
        Law::Corotated => 1.0 / softest(element, x),
        _ => 1.0,
    }
}

/// Root of the sum of a matrix's squares.
pub fn size(a: &DMat3) -> f64 {
    a.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt()
}
