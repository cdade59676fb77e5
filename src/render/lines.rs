//! Lines in a picture: edges between particles, and segments in space.

use std::ops::Range;

use glam::UVec2;

use super::values::Values;
use crate::gpu::Buffer;
use crate::gpu::types::{Particle, Segment};
use crate::{Error, Result, World};

/// The edges of the coarse meshes of all bodies.
#[derive(Debug)]
pub struct Wires {
    /// The particles at the ends of each edge, body after body; each edge once.
    pub pairs: Buffer<UVec2>,
    /// Each body's edges, as a range of `pairs`; clouds have none.
    pub ranges: Vec<Range<u32>>,
}

impl Wires {
    /// Those of a world, on its device.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when one buffer of this device cannot hold them.
    pub fn new(world: &World) -> Result<Self> {
        let (context, model) = (world.context(), world.model());
        let pairs: Vec<_> =
            (model.springs.iter()).map(|spring| UVec2::from(spring.points)).collect();
        let ranges = (model.bodies.iter())
            .map(|body| body.springs.start as u32..body.springs.end as u32)
            .collect();
        Ok(Self { pairs: Buffer::new(context, "wires", &pairs)?, ranges })
    }

    /// One body's edges, with lines of 1.5 points.
    ///
    /// # Panics
    /// When there is no such body.
    #[must_use]
    pub fn drawn<'a>(
        &'a self,
        body: usize,
        particles: &'a Buffer<Particle>,
        color: [u8; 3],
    ) -> DrawnWires<'a> {
        DrawnWires {
            particles,
            pairs: &self.pairs,
            range: self.ranges[body].clone(),
            color,
            width: 1.5,
            values: None,
        }
    }
}

/// Edges between particles in a picture: lines of constant width. Light does not change them, and they throw no
/// shadows.
#[derive(Clone, Debug)]
pub struct DrawnWires<'a> {
    /// All particles, as the simulation has them.
    pub particles: &'a Buffer<Particle>,
    /// The ends of edges.
    pub pairs: &'a Buffer<UVec2>,
    /// Those of `pairs` that are drawn.
    pub range: Range<u32>,
    /// sRGB.
    pub color: [u8; 3],
    /// Width [points].
    pub width: f32,
    /// Colours by values of the particles, instead of `color`.
    pub values: Option<Values<'a>>,
}

/// Lines in space, of constant width. What is hidden by bodies shows faintly.
#[derive(Clone, Debug)]
pub struct DrawnSegments<'a> {
    /// The lines.
    pub segments: &'a Buffer<Segment>,
    /// Those that are drawn.
    pub range: Range<u32>,
    /// sRGB.
    pub color: [u8; 3],
    /// Width [points].
    pub width: f32,
    /// Whether they have an arrow's head at their ends.
    pub arrow: bool,
}

impl DrawnWires<'_> {
    /// Refuses what a draw call would refuse.
    pub(super) fn check(&self) -> Result<()> {
        check_range(self.pairs, &self.range)?;
        check_width("width of wires", self.width)?;
        let count = self.particles.len();
        self.values.map_or(Ok(()), |values| values.check(count))
    }
}

impl DrawnSegments<'_> {
    /// Refuses what a draw call would refuse.
    pub(super) fn check(&self) -> Result<()> {
        check_range(self.segments, &self.range)?;
        check_width("width of segments", self.width)
    }
}

/// Refuses a range that goes past its buffer.
pub(super) fn check_range<T>(buffer: &Buffer<T>, range: &Range<u32>) -> Result<()> {
    let count = buffer.len();
    if range.is_empty() || range.end as usize <= count {
        return Ok(());
    }
    Err(Error::value(
        format!("range of {}", buffer.label()),
        format!("{range:?}"),
        format!("a range within 0..{count}"),
    ))
}

fn check_width(what: &str, width: f32) -> Result<()> {
    if width > 0.0 && width <= 100.0 {
        return Ok(());
    }
    Err(Error::value(what, width, "more than 0 and at most 100 points"))
}
