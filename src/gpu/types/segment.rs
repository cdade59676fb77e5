//! Lines in space, to be drawn.

use encase::ShaderType;
use glam::Vec3;

/// A line in space: a force, a way out. One of zero length is not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Segment {
    /// Where it begins [m].
    pub start: Vec3,
    /// Its magnitude [N or m].
    pub value: f32,
    /// Where it ends [m].
    pub end: Vec3,
    /// The body that it belongs to.
    pub body: u32,
}
