//! Distance constraints: C = (|x_ij| − l0)/l0, E = ½ k_D C², damping along the spring.

use glam::DVec3;

use super::Spring;

/// Unit vector from the first point to the second and the spring's length \[m\]; the vector is 0 where the ends
/// coincide, so that such a spring exerts no force.
pub fn direction(spring: &Spring, x: &[DVec3]) -> (DVec3, f64) {
    let [i, j] = spring.points;
    let edge = x[j] - x[i];
    let length = edge.length();
    if length > 0.0 { (edge / length, length) } else { (DVec3::ZERO, 0.0) }
}

/// Energy ½ k C² \[J\]; `stiffness` k_D \[J\].
pub fn energy(spring: &Spring, stiffness: f64, x: &[DVec3]) -> f64 {
    let (_, length) = direction(spring, x);
    let c = (length - spring.rest) / spring.rest;
    0.5 * stiffness * c * c
}

/// Elastic force on the second point \[N\], −k C ∂C/∂x_j; the first point gets the opposite.
pub fn elastic_force(spring: &Spring, stiffness: f64, x: &[DVec3]) -> DVec3 {
    let (n, length) = direction(spring, x);
    let c = (length - spring.rest) / spring.rest;
    -stiffness * c * n / spring.rest
}

/// The damping coefficient c_s = d_C/l0² \[kg/s\]; `damping` d_C \[J s\].
pub fn damping_coefficient(spring: &Spring, damping: f64) -> f64 {
    damping / (spring.rest * spring.rest)
}

/// Damping force on the second point \[N\], −coefficient n nᵀ (v_j − v_i); the first point gets the opposite.
/// `coefficient` in kg/s: c_s, or c_s φ_s when it is capped.
pub fn damping_force(spring: &Spring, coefficient: f64, x: &[DVec3], v: &[DVec3]) -> DVec3 {
    let [i, j] = spring.points;
    let (n, _) = direction(spring, x);
    -coefficient * (v[j] - v[i]).dot(n) * n
}

/// Change of the elastic force on the second point when the points move by `w`, to first order \[N per unit of w\]:
/// −k/l0² (n nᵀ + (1 − l0/|x_ij|)(I − n nᵀ)) (w_j − w_i).
pub fn elastic_force_change(spring: &Spring, stiffness: f64, x: &[DVec3], w: &[DVec3]) -> DVec3 {
    let [i, j] = spring.points;
    let (n, length) = direction(spring, x);
    if length == 0.0 {
        return DVec3::ZERO;
    }
    let change = w[j] - w[i];
    let along = n * n.dot(change);
    let across = change - along;
    -stiffness / (spring.rest * spring.rest) * (along + (1.0 - spring.rest / length) * across)
}
