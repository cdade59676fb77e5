//! Pictures off screen, and their way back to the host.

use super::{Camera, Drawn, Image, Look, Painter, Parts, PendingImage, Picture};
use crate::Result;
use crate::gpu::Context;

/// Plain, because software then encodes sRGB once per pixel and not once per sample, a quarter of a picture's time.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Draws pictures of one size off screen.
///
/// To keep the device busy, call [`Renderer::begin_read`] after drawing, simulate on, and call
/// [`Renderer::finish_read`] when the next picture is due.
#[derive(Debug)]
pub struct Renderer {
    painter: Painter,
    picture: Picture,
}

impl Renderer {
    /// Pictures of `width` × `height` pixels.
    ///
    /// # Errors
    /// When a side is 0 or more than 8192 or the device's limit; when the device has no room.
    pub fn new(context: &Context, width: u32, height: u32) -> Result<Self> {
        Ok(Self {
            painter: Painter::new(context, FORMAT)?,
            picture: Picture::new(context, [width, height], FORMAT)?,
        })
    }

    /// Records and submits one picture.
    ///
    /// # Errors
    /// As [`Painter::draw`].
    pub fn draw(&mut self, camera: &Camera, look: &Look, bodies: &[Drawn<'_>]) -> Result<()> {
        self.draw_parts(camera, look, bodies, Parts::All)
    }

    /// The same of a part of the picture, to measure it.
    ///
    /// # Errors
    /// As [`Painter::draw`].
    pub fn draw_parts(
        &mut self,
        camera: &Camera,
        look: &Look,
        bodies: &[Drawn<'_>],
        parts: Parts,
    ) -> Result<()> {
        let size = self.picture.size();
        let painter = &mut self.painter;
        painter.draw_parts(self.picture.view(), size, camera, look, bodies, parts)
    }

    /// Starts copying the last picture drawn; work submitted later does not delay it.
    pub fn begin_read(&mut self) -> PendingImage {
        self.picture.begin_read()
    }

    /// Waits for a picture of this renderer. Pictures may be finished in any order.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn finish_read(&mut self, pending: PendingImage) -> Result<Image> {
        self.picture.finish_read(pending)
    }

    /// Draws one picture and waits for it.
    ///
    /// # Errors
    /// As [`Renderer::draw`] and [`Renderer::finish_read`].
    pub fn render_to_image(
        &mut self,
        camera: &Camera,
        look: &Look,
        bodies: &[Drawn<'_>],
    ) -> Result<Image> {
        self.draw(camera, look, bodies)?;
        let pending = self.begin_read();
        self.finish_read(pending)
    }
}
