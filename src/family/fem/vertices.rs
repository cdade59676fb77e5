//! Finite elements as each vertex sees those around it, of vertex block descent.

use super::FemElement;
use crate::gpu::types::VertexTet;
use crate::model::{Incidence, Model};

/// The elements around each vertex of a model.
pub(crate) fn vertex_tets(model: &Model) -> Incidence<VertexTet> {
    let corners = model.elements.iter().flat_map(|element| {
        let corner = move |c: usize| (element.corners[c], vertex_tet(element, c));
        (0..4).map(corner)
    });
    Incidence::new(model.positions.len(), &corners.collect::<Vec<_>>())
}

/// An element seen from its corner `own`, the others in an order in which it stays right-handed.
fn vertex_tet(element: &FemElement, own: usize) -> VertexTet {
    let [b, c, d] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]][own];
    let gradient = |corner: usize| element.gradients[corner].as_vec3();
    VertexTet {
        b: element.corners[b],
        c: element.corners[c],
        d: element.corners[d],
        volume: element.volume as f32,
        gradient_b: gradient(b),
        lambda: element.lame.lambda as f32,
        gradient_c: gradient(c),
        mu: element.lame.mu as f32,
        gradient_d: gradient(d),
        relaxation: element.relaxation as f32,
    }
}
