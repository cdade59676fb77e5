//! Pictures of deforming surfaces, of points and of lines, drawn straight from the buffers that the simulation writes.
//!
//! It knows buffers of positions and corners; it must not know what moves them, or what bodies are made of.
//!
//! [`Painter`] draws into any texture view; [`Renderer`] draws off screen and hands pixels back. [`MeshBuffers`] hands the
//! surfaces over to renderers of your own.

mod camera;
pub(crate) mod color;
mod frame;
mod groups;
mod image;
mod layouts;
mod lines;
mod look;
mod mesh_buffers;
mod orbit;
mod painter;
mod picture;
mod pipelines;
mod points;
mod renderer;
mod shadow;
pub(crate) mod solids;
mod sorted;
mod surfaces;
mod targets;
#[cfg(test)]
mod tests;
mod values;

pub use crate::body::skin::SkinBuffers;
pub use crate::gpu::types::{MeshVertex, Segment, Solid};
pub use camera::Camera;
pub use image::{Image, write_png};
pub use lines::{DrawnSegments, DrawnWires, Wires};
pub use look::{Background, Look};
pub use mesh_buffers::{BodyMesh, MeshBuffers};
pub use orbit::Orbit;
pub use painter::{Drawn, Painter, Parts};
pub use picture::{PendingImage, Picture};
pub use points::DrawnPoints;
pub use renderer::Renderer;
pub use surfaces::{DrawnSurface, SurfaceStyle};
pub use values::{ColorMap, ColorScale, Values};
