//! What is asked about.

use std::ops::Range;

use glam::UVec4;

use crate::Result;
use crate::gpu::types::{Box as GpuBox, QueryPiece, SLICE};
use crate::gpu::{Buffer, Context};
use crate::model::Model;

/// What is asked about, in ranges of one body with a box each.
#[derive(Debug)]
pub(super) struct Pieces {
    pub pieces: Buffer<QueryPiece>,
    pub elements: Buffer<UVec4>,
    pub bounds: Buffer<GpuBox>,
    /// Of each body whether its pieces are spheres.
    pub spheres: Vec<bool>,
}

impl Pieces {
    /// Triangles of the coarse surfaces; of bodies without spheres.
    pub fn surfaces(context: &Context, model: &Model) -> Result<Self> {
        let corners = |[a, b, c]: &[u32; 3]| UVec4::new(*a, *b, *c, *c);
        let elements: Vec<_> = model.triangles.iter().map(corners).collect();
        let ranges = model.bodies.iter().map(|body| match body.triangles.is_empty() {
            true => (body.particles.clone(), body.radius as f32),
            false => (body.triangles.clone(), 0.0),
        });
        Self::new(context, &elements, ranges)
    }

    /// Tetrahedra; of clouds and shells spheres.
    pub fn insides(context: &Context, model: &Model) -> Result<Self> {
        let elements: Vec<_> = model.tets.iter().map(|tet| UVec4::from(tet.corners)).collect();
        let ranges = model.bodies.iter().map(|body| match body.radius > 0.0 {
            true => (body.particles.clone(), body.radius as f32),
            false => (body.tets.clone(), 0.0),
        });
        Self::new(context, &elements, ranges)
    }

    fn new(
        context: &Context,
        elements: &[UVec4],
        ranges: impl Iterator<Item = (Range<usize>, f32)>,
    ) -> Result<Self> {
        let (mut pieces, mut spheres) = (Vec::new(), Vec::new());
        for (body, (range, radius)) in ranges.enumerate() {
            spheres.push(radius > 0.0);
            let firsts = range.clone().step_by(SLICE as usize);
            pieces.extend(firsts.map(|first| QueryPiece {
                first: first as u32,
                end: (first + SLICE as usize).min(range.end) as u32,
                body: body as u32,
                radius,
            }));
        }
        Ok(Self {
            bounds: Buffer::zeroed(context, "query_bounds", pieces.len())?,
            pieces: Buffer::new(context, "query_pieces", &pieces)?,
            elements: Buffer::new(context, "query_elements", elements)?,
            spheres,
        })
    }
}
