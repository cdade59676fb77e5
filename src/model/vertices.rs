//! What the implicit integrators solve vertex by vertex: the vertices by colour, and the finite elements around each.

use std::ops::Range;

use super::{FemElement, Incidence, Model};
use crate::Result;
use crate::gpu::types::{ColorVertex, NONE, VertexTet};
use crate::gpu::{Buffer, Context};

/// Entries of `color` to which each colour is filled up: 12 bytes each make a multiple of 256, at which bindings may begin.
const ALIGNED: usize = 64;

/// The vertices on the host.
#[derive(Clone, Debug, Default)]
pub struct VertexArrays {
    /// The vertices, colour by colour.
    pub vertices: Vec<ColorVertex>,
    /// Where each colour's lie.
    pub colors: Vec<Range<usize>>,
    /// Per vertex the elements around it, interleaved by slices.
    pub tets: Vec<VertexTet>,
}

impl VertexArrays {
    /// From a model whose particles have colours.
    pub fn new(model: &Model) -> Self {
        let corners = model.elements.iter().flat_map(|element| {
            let corner = move |c: usize| (element.corners[c], vertex_tet(element, c));
            (0..4).map(corner)
        });
        let tets = Incidence::new(model.positions.len(), &corners.collect::<Vec<_>>());
        let mut arrays = Self::default();
        let count = model.colors.iter().max().map_or(0, |most| most + 1);
        for color in 0..count {
            let first = arrays.vertices.len();
            let own = (0..model.colors.len()).filter(|&i| model.colors[i] == color);
            arrays.vertices.extend(own.map(|i| ColorVertex {
                particle: i as u32,
                tet_first: tets.first[i],
                tet_count: tets.count[i],
            }));
            let filler = ColorVertex {
                particle: NONE,
                ..ColorVertex::default()
            };
            let end = arrays.vertices.len().next_multiple_of(ALIGNED);
            arrays.vertices.resize(end, filler);
            arrays.colors.push(first..end);
        }
        arrays.tets = tets.entries;
        arrays
    }
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

/// The vertices on the device.
#[derive(Debug)]
pub struct Vertices {
    /// See [`VertexArrays::vertices`].
    pub vertices: Buffer<ColorVertex>,
    /// See [`VertexArrays::colors`].
    pub colors: Vec<Range<usize>>,
    /// See [`VertexArrays::tets`].
    pub tets: Buffer<VertexTet>,
}

impl Vertices {
    /// Uploads the vertices of a model.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, model: &Model) -> Result<Self> {
        let arrays = VertexArrays::new(model);
        Ok(Self {
            vertices: Buffer::new(context, "color", &arrays.vertices)?,
            colors: arrays.colors,
            tets: Buffer::new(context, "vertex_tets", &arrays.tets)?,
        })
    }
}
