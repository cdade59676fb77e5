//! What is drawn: a fine surface that follows the tetrahedra it is embedded in.

use glam::DVec3;

use super::System;
use super::solids::{depth, motion};

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
    anchors.iter().map(|a| (0..4).map(|k| a.weights[k] * x[a.corners[k]]).sum()).collect()
}

/// Moves fine vertices, at their [`positions`] \[m\], out of the solids, which stand as after a step of `h` \[s\]. A vertex that is outside
/// of its tetrahedron goes along each solid's normal, at most as far as the point of the tetrahedron that has its weights without
/// the negative ones; all others stay.
pub fn press(system: &System, h: f64, anchors: &[Anchor], x: &[DVec3], vertices: &mut [DVec3]) {
    for (vertex, anchor) in vertices.iter_mut().zip(anchors) {
        let within = anchor.weights.map(|w| w.max(0.0));
        let sum: f64 = within.iter().sum();
        let held: DVec3 = (0..4).map(|k| within[k] / sum * x[anchor.corners[k]]).sum();
        for (k, solid) in system.solids.iter().enumerate() {
            let (_, seen) = motion(system, k).at(*vertex, h);
            let (depth, normal) = depth(solid, seen);
            let room = (held - *vertex).dot(normal);
            if depth > 0.0 && room > 0.0 {
                *vertex += depth.min(room) * normal;
            }
        }
    }
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
