//! What is drawn: a fine surface that follows the tetrahedra it is embedded in.

use glam::DVec3;

/// Where a fine vertex is attached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The corners of its tetrahedron.
    pub corners: [usize; 4],
    /// Its barycentric coordinates there; they sum to 1.
    pub weights: [f64; 4],
}

/// Deformed positions Σ b_k x_k of the fine vertices \[m\]; `x` are the points' positions.
pub fn positions(anchors: &[Anchor], x: &[DVec3]) -> Vec<DVec3> {
    anchors
        .iter()
        .map(|a| (0..4).map(|k| a.weights[k] * x[a.corners[k]]).sum())
        .collect()
}

/// Unit vertex normals: the sum of the face normals weighted by area, which is the sum of the edge cross products.
/// Triangles are wound counter-clockwise seen from outside. A vertex without area around it gets 0.
pub fn normals(vertices: &[DVec3], triangles: &[[usize; 3]]) -> Vec<DVec3> {
    let mut normal = vec![DVec3::ZERO; vertices.len()];
    for &[a, b, c] in triangles {
        let area = (vertices[b] - vertices[a]).cross(vertices[c] - vertices[a]);
        for corner in [a, b, c] {
            normal[corner] += area;
        }
    }
    normal.into_iter().map(DVec3::normalize_or_zero).collect()
}
