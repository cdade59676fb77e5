//! What is in a picture, by kind.

use glam::Vec4;

use super::color::linear;
use super::{Drawn, DrawnPoints, DrawnSegments, DrawnSurface, DrawnWires, Look};
use crate::Result;

/// How far light reaches around closed surfaces, as in `light.wgsl`.
const WRAP: f32 = 0.25;
/// Bodies by kind, in their order.
#[derive(Default)]
pub(super) struct Sorted<'a, 'b> {
    pub surfaces: Vec<&'b DrawnSurface<'a>>,
    pub clouds: Vec<&'b DrawnPoints<'a>>,
    pub wires: Vec<&'b DrawnWires<'a>>,
    pub segments: Vec<&'b DrawnSegments<'a>>,
}

impl<'a, 'b> Sorted<'a, 'b> {
    /// Refuses what a draw call would refuse.
    pub fn new(bodies: &'b [Drawn<'a>]) -> Result<Self> {
        let mut sorted = Self::default();
        for body in bodies {
            match body {
                Drawn::Surface(surface) => {
                    surface.check()?;
                    sorted.surfaces.push(surface);
                }
                Drawn::Points(cloud) => {
                    cloud.check()?;
                    sorted.clouds.push(cloud);
                }
                Drawn::Wires(wires) => {
                    wires.check()?;
                    sorted.wires.push(wires);
                }
                Drawn::Segments(segments) => {
                    segments.check()?;
                    sorted.segments.push(segments);
                }
            }
        }
        Ok(sorted)
    }

    /// Those of all draw calls, solids first.
    pub fn looks(&self, look: &Look, solids: &[DrawnSurface<'_>]) -> Vec<Vec4> {
        let scale = look.line_scale();
        let color = |color: [u8; 3], w: f32| {
            let [r, g, b] = color.map(linear);
            Vec4::new(r, g, b, w)
        };
        let surface = |surface: &DrawnSurface<'_>| {
            let glow = if surface.active { 1.0 } else { 0.0 };
            let wrap = if surface.closed { WRAP } else { 0.0 };
            [color(surface.color, wrap + glow), surface.lines(scale)]
        };
        let wires = |wires: &&DrawnWires<'_>| [color(wires.color, scale * wires.width), Vec4::ZERO];
        let segments = |lines: &&DrawnSegments<'_>| {
            let arrow = if lines.arrow { 1.0 } else { 0.0 };
            [color(lines.color, scale * lines.width), Vec4::new(arrow, 0.0, 0.0, 0.0)]
        };
        solids
            .iter()
            .chain(self.surfaces.iter().copied())
            .map(surface)
            .chain(self.wires.iter().map(wires))
            .chain(self.segments.iter().map(segments))
            .flatten()
            .collect()
    }
}
