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

/// ∂C/∂x for both ends \[1/m\].
pub fn gradients(spring: &Spring, x: &[DVec3]) -> [DVec3; 2] {
    let gradient = direction(spring, x).0 / spring.rest;
    [-gradient, gradient]
}

/// Their changes when the points move by `w`, to first order: ±(I − n nᵀ)(w_j − w_i)/(l0 |x_ij|).
pub fn gradient_changes(spring: &Spring, x: &[DVec3], w: &[DVec3]) -> [DVec3; 2] {
    let ([i, j], (n, length)) = (spring.points, direction(spring, x));
    if length == 0.0 {
        return [DVec3::ZERO; 2];
    }
    let change = (w[j] - w[i]).reject_from_normalized(n) / (length * spring.rest);
    [-change, change]
}

/// The damping coefficient c_s = d_C/l0² \[kg/s\].
pub fn damping_coefficient(spring: &Spring) -> f64 {
    spring.damping / (spring.rest * spring.rest)
}

/// How fast the spring's length grows \[m/s\], n·(v_j − v_i); with a `chord` \[s\] its change since x − chord v, over it.
pub fn length_rate(spring: &Spring, x: &[DVec3], v: &[DVec3], chord: f64) -> f64 {
    let [i, j] = spring.points;
    let (n, length) = direction(spring, x);
    match chord > 0.0 {
        true => (length - (x[j] - x[i] - chord * (v[j] - v[i])).length()) / chord,
        false => (v[j] - v[i]).dot(n),
    }
}

/// Damping force on the second point \[N\], −coefficient n times [`length_rate`]; the first point gets the opposite.
/// `coefficient` in kg/s: c_s, or c_s φ_s when it is capped.
pub fn damping_force(
    spring: &Spring,
    coefficient: f64,
    x: &[DVec3],
    v: &[DVec3],
    chord: f64,
) -> DVec3 {
    let (n, _) = direction(spring, x);
    -coefficient * length_rate(spring, x, v, chord) * n
}
