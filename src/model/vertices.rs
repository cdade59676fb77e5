//! What the implicit integrators solve vertex by vertex: the vertices by colour, and the finite elements around each.

use std::ops::Range;

use super::Model;
use crate::Result;
use crate::family::fem::vertex_tets;
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
        let tets = vertex_tets(model);
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
            let filler = ColorVertex { particle: NONE, ..ColorVertex::default() };
            let end = arrays.vertices.len().next_multiple_of(ALIGNED);
            arrays.vertices.resize(end, filler);
            arrays.colors.push(first..end);
        }
        arrays.tets = tets.entries;
        arrays
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
