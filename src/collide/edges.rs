//! The sharp edges of the bodies' surfaces: those that can meet others without a point inside.

use std::collections::HashMap;

use glam::{DVec3, UVec2};

use crate::gpu::types::Edge;
use crate::model::Model;

/// Cosine of the angle between two triangles at rest below which their common edge is sharp: 15°. Across flatter ones the
/// points on either side meet others first.
const SHARP: f64 = 0.966;

/// The sharp edges, body by body, by their lower and then their higher particle; none where nothing deforms: what is rigid touches
/// by its colliders.
pub fn sharp_edges(model: &Model) -> Vec<Edge> {
    if !model.deforms() {
        return Vec::new();
    }
    let normal = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|i| model.positions[i as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let mut sides: HashMap<[u32; 2], (u32, DVec3)> = HashMap::new();
    // Shells touch by their points.
    let flat = model.bodies.iter().filter(|body| body.radius == 0.0);
    for &[a, b, c] in flat.flat_map(|body| &model.triangles[body.triangles.clone()]) {
        for (ends, wing) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            sides.insert(ends, (wing, normal([a, b, c])));
        }
    }
    let mut edges: Vec<Edge> = sides
        .iter()
        .filter(|([a, b], _)| a < b)
        .filter_map(|(&[a, b], (wing, n))| {
            let (other, m) = sides.get(&[b, a])?;
            (n.dot(*m) < SHARP)
                .then_some(Edge { ends: UVec2::new(a, b), wings: UVec2::new(*wing, *other) })
        })
        .collect();
    edges.sort_unstable_by_key(|edge| edge.ends.to_array());
    edges
}
