//! Pictures off screen, and their way back to the host.

use std::sync::mpsc;

use super::targets::texture;
use super::{Camera, Drawn, Image, Look, Painter, Parts};
use crate::gpu::Context;
use crate::{Error, Result};

/// Plain, because software then encodes sRGB once per pixel and not once per sample, a quarter of a picture's time.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Draws pictures of one size off screen.
///
/// To keep the device busy, call [`Renderer::begin_read`] after drawing, simulate on, and call
/// [`Renderer::finish_read`] when the next picture is due.
#[derive(Debug)]
pub struct Renderer {
    context: Context,
    painter: Painter,
    picture: wgpu::Texture,
    view: wgpu::TextureView,
    /// Staging buffers that no read is using.
    spare: Vec<wgpu::Buffer>,
}

/// A picture on its way to the host.
#[derive(Debug)]
#[must_use = "the picture arrives with Renderer::finish_read"]
pub struct PendingImage {
    staging: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
    mapped: mpsc::Receiver<std::result::Result<(), wgpu::BufferAsyncError>>,
}

impl Renderer {
    /// Pictures of `width` × `height` pixels.
    ///
    /// # Errors
    /// When a side is 0 or more than 8192 or the device's limit; when the device has no room.
    pub fn new(context: &Context, width: u32, height: u32) -> Result<Self> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let picture = texture(context, "picture", [width, height], 1, FORMAT, usage)?;
        Ok(Self {
            context: context.clone(),
            painter: Painter::new(context, FORMAT)?,
            view: picture.create_view(&Default::default()),
            picture,
            spare: Vec::new(),
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
    pub(crate) fn draw_parts(
        &mut self,
        camera: &Camera,
        look: &Look,
        bodies: &[Drawn<'_>],
        parts: Parts,
    ) -> Result<()> {
        let size = [self.picture.width(), self.picture.height()];
        let painter = &mut self.painter;
        painter.draw_parts(&self.view, size, camera, look, bodies, parts)
    }

    /// Starts copying the last picture drawn; work submitted later does not delay it.
    pub fn begin_read(&mut self) -> PendingImage {
        let device = self.context.device();
        let stride = self.stride();
        let staging = self.spare.pop().unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("picture"),
                size: u64::from(stride) * u64::from(self.picture.height()),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            self.picture.size(),
        );
        let submission = self.context.queue().submit([encoder.finish()]);
        let (sender, mapped) = mpsc::channel();
        // The receiver may be gone: then nobody wants the picture any more.
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            drop(sender.send(result))
        });
        PendingImage {
            staging,
            submission,
            mapped,
        }
    }

    /// Waits for a picture of this renderer. Pictures may be finished in any order.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn finish_read(&mut self, pending: PendingImage) -> Result<Image> {
        let PendingImage {
            staging,
            submission,
            mapped,
        } = pending;
        let lost = |what: String| Error::Device(format!("reading a picture: {what}"));
        let wait = wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: None,
        };
        self.context
            .device()
            .poll(wait)
            .map_err(|error| lost(error.to_string()))?;
        mapped
            .recv()
            .map_err(|error| lost(error.to_string()))?
            .map_err(|error| lost(error.to_string()))?;
        let (width, height) = (self.picture.width(), self.picture.height());
        let mut pixels = Vec::with_capacity(4 * width as usize * height as usize);
        {
            let rows = staging
                .get_mapped_range(..)
                .map_err(|error| lost(error.to_string()))?;
            for row in rows.chunks_exact(self.stride() as usize) {
                pixels.extend_from_slice(&row[..4 * width as usize]);
            }
        }
        staging.unmap();
        self.spare.push(staging);
        Ok(Image {
            width,
            height,
            pixels,
        })
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

    /// Bytes from one row of a staging buffer to the next.
    fn stride(&self) -> u32 {
        (4 * self.picture.width()).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }
}
