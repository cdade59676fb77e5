//! Volume constraints: C = (V − V0)/V0, E = ½ k_V C², undamped.

use glam::DVec3;

use super::Tet;

/// Signed volume (x_ij · (x_ik × x_il)) / 6 \[m³\]; negative when the tetrahedron is inverted.
pub fn volume(corners: [usize; 4], x: &[DVec3]) -> f64 {
    let [i, j, k, l] = corners;
    (x[j] - x[i]).dot((x[k] - x[i]).cross(x[l] - x[i])) / 6.0
}

/// ∂C/∂x for the corners i, j, k, l \[1/m\].
pub fn gradients(tet: &Tet, x: &[DVec3]) -> [DVec3; 4] {
    let [i, j, k, l] = tet.corners;
    let (a, b, c) = (x[j] - x[i], x[k] - x[i], x[l] - x[i]);
    let scale = 1.0 / (6.0 * tet.rest_volume);
    let (gj, gk, gl) = (b.cross(c) * scale, c.cross(a) * scale, a.cross(b) * scale);
    [-(gj + gk + gl), gj, gk, gl]
}

/// Their changes when the points move by `w`, to first order.
pub fn gradient_changes(tet: &Tet, x: &[DVec3], w: &[DVec3]) -> [DVec3; 4] {
    let [i, j, k, l] = tet.corners;
    let (a, b, c) = (x[j] - x[i], x[k] - x[i], x[l] - x[i]);
    let (da, db, dc) = (w[j] - w[i], w[k] - w[i], w[l] - w[i]);
    let scale = 1.0 / (6.0 * tet.rest_volume);
    let dgj = (db.cross(c) + b.cross(dc)) * scale;
    let dgk = (dc.cross(a) + c.cross(da)) * scale;
    let dgl = (da.cross(b) + a.cross(db)) * scale;
    [-(dgj + dgk + dgl), dgj, dgk, dgl]
}
