//! Pictures of deforming surfaces and of points, drawn straight from the buffers that the simulation writes.
//!
//! [`Painter`] draws into any texture view; [`Renderer`] draws off screen and hands pixels back.

mod camera;
mod frame;
mod image;
mod look;
mod orbit;
mod painter;
mod picture;
mod pipelines;
mod points;
mod renderer;
mod solids;
mod targets;
#[cfg(test)]
mod tests;

pub use camera::Camera;
pub use frame::Frame;
pub use image::{Image, write_png};
pub use look::{Background, Look};
pub use orbit::Orbit;
pub(crate) use painter::Parts;
pub use painter::{Drawn, DrawnSurface, Painter};
pub use picture::{PendingImage, Picture};
pub use points::{CloudLook, DrawnPoints};
pub use renderer::Renderer;
