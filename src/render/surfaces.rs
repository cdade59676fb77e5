//! Bodies of triangles in a picture.

use std::ops::Range;

use glam::Vec4;

use super::values::Values;
use crate::gpu::Buffer;
use crate::{Error, Result};

/// How triangles look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurfaceStyle {
    /// Round: normals are interpolated between vertices.
    #[default]
    Smooth,
    /// One normal per triangle.
    Flat,
    /// The same, with the triangles' sides as thin dark lines, which fade where triangles become as small as they are
    /// wide.
    Edges,
}

/// Triangles in a picture: a range of an index buffer into arrays that bodies may share.
/// All three come from [`Buffer::drawable`].
#[derive(Clone, Debug)]
pub struct DrawnSurface<'a> {
    /// x [m]; w is unused.
    pub positions: &'a Buffer<Vec4>,
    /// Normals of any length; w is unused. They must lie on the side from which triangles run counterclockwise.
    pub normals: &'a Buffer<Vec4>,
    /// Corners of triangles.
    pub indices: &'a Buffer<u32>,
    /// The body's part of `indices`, three per triangle.
    pub index_range: Range<u32>,
    /// sRGB.
    pub color: [u8; 3],
    /// The triangles bound a volume and run counterclockwise seen from outside: the inner side need not be drawn,
    /// which saves a third of the time in software. Other surfaces, such as shells, are drawn and lit on both sides.
    pub closed: bool,
    /// How they look.
    pub style: SurfaceStyle,
    /// Colours by values of the vertices, instead of `color`.
    pub values: Option<Values<'a>>,
    /// The body that is chosen: it glows at its outline.
    pub active: bool,
}

/// Width of the lines of [`SurfaceStyle::Edges`] [points].
const LINE: f32 = 1.2;

impl DrawnSurface<'_> {
    /// Refuses a body that a draw call would refuse.
    pub(super) fn check(&self) -> Result<()> {
        let range = &self.index_range;
        if !range.is_empty() && range.end as usize > self.indices.len() {
            let want = format!("a range within 0..{}", self.indices.len());
            let at = format!("index range into {}", self.indices.label());
            return Err(Error::value(at, format!("{range:?}"), want));
        }
        let buffers = [
            (self.positions.is_drawable(), self.positions.label()),
            (self.normals.is_drawable(), self.normals.label()),
            (self.indices.is_drawable(), self.indices.label()),
        ];
        if let Some((_, label)) = buffers.iter().find(|(drawable, _)| !drawable) {
            let got = "a buffer for computing only";
            return Err(Error::value(*label, got, "one from Buffer::drawable"));
        }
        let count = self.positions.len();
        self.values.map_or(Ok(()), |values| values.check(count))
    }

    /// What the shaders know of the lines: their width at `scale` pixels per point, and by how much the range begins
    /// past a multiple of three.
    pub(super) fn lines(&self, scale: f32) -> Vec4 {
        let width = match self.style {
            SurfaceStyle::Edges => LINE * scale,
            SurfaceStyle::Smooth | SurfaceStyle::Flat => 0.0,
        };
        Vec4::new(width, (self.index_range.start % 3) as f32, 0.0, 0.0)
    }

    /// Whether a smooth surface is drawn with the same arrays and pipeline.
    pub(super) fn is_drawn_like(&self, other: &Self) -> bool {
        std::ptr::eq(self.positions, other.positions)
            && std::ptr::eq(self.normals, other.normals)
            && std::ptr::eq(self.indices, other.indices)
            && self.closed == other.closed
    }

    /// Whole triangles of the range.
    pub(super) fn corners(&self) -> Range<u32> {
        let Range { start, end } = self.index_range;
        start..end - end.saturating_sub(start) % 3
    }
}
