//! Volume constraints: C = (V − V0)/V0, E = ½ k_V C², undamped.

use glam::DVec3;

use super::Tet;

/// Signed volume (x_ij · (x_ik × x_il)) / 6 \[m³\]; negative when the tetrahedron is inverted.
pub fn volume(corners: [usize; 4], x: &[DVec3]) -> f64 {
    let [i, j, k, l] = corners;
    (x[j] - x[i]).dot((x[k] - x[i]).cross(x[l] - x[i])) / 6.0
}

/// C = (V − V0)/V0.
fn constraint(tet: &Tet, x: &[DVec3]) -> f64 {
    (volume(tet.corners, x) - tet.rest_volume) / tet.rest_volume
}

/// ∂C/∂x for the corners i, j, k, l \[1/m\].
pub fn gradients(tet: &Tet, x: &[DVec3]) -> [DVec3; 4] {
    let [i, j, k, l] = tet.corners;
    let (a, b, c) = (x[j] - x[i], x[k] - x[i], x[l] - x[i]);
    let scale = 1.0 / (6.0 * tet.rest_volume);
    let (gj, gk, gl) = (b.cross(c) * scale, c.cross(a) * scale, a.cross(b) * scale);
    [-(gj + gk + gl), gj, gk, gl]
}

/// Energy ½ k C² \[J\]; `stiffness` k_V \[J\].
pub fn energy(tet: &Tet, stiffness: f64, x: &[DVec3]) -> f64 {
    0.5 * stiffness * constraint(tet, x).powi(2)
}

/// Forces −k C ∂C/∂x on the corners i, j, k, l \[N\].
pub fn forces(tet: &Tet, stiffness: f64, x: &[DVec3]) -> [DVec3; 4] {
    let c = constraint(tet, x);
    gradients(tet, x).map(|g| -stiffness * c * g)
}

/// Change of the forces when the points move by `w`, to first order \[N per unit of w\]:
/// −k ((Σ ∂C/∂x_q · w_q) ∂C/∂x_p + C d(∂C/∂x_p)).
pub fn force_changes(tet: &Tet, stiffness: f64, x: &[DVec3], w: &[DVec3]) -> [DVec3; 4] {
    let [i, j, k, l] = tet.corners;
    let (a, b, c) = (x[j] - x[i], x[k] - x[i], x[l] - x[i]);
    let (da, db, dc) = (w[j] - w[i], w[k] - w[i], w[l] - w[i]);
    let scale = 1.0 / (6.0 * tet.rest_volume);
    let dgj = (db.cross(c) + b.cross(dc)) * scale;
    let dgk = (dc.cross(a) + c.cross(da)) * scale;
    let dgl = (da.cross(b) + a.cross(db)) * scale;
    let gradient_changes = [-(dgj + dgk + dgl), dgj, dgk, dgl];
    let gradients = gradients(tet, x);
    let value = constraint(tet, x);
    let value_change: f64 = (0..4).map(|p| gradients[p].dot(w[tet.corners[p]])).sum();
    std::array::from_fn(|p| {
        -stiffness * (value_change * gradients[p] + value * gradient_changes[p])
    })
}
