//! A picture on the device, and its way back to the host.

use super::Image;
use super::targets::texture;
use crate::gpu::{Context, Mapping, unless_lost};
use crate::{Error, Result};

/// A texture to draw in, of a format with four bytes per pixel.
#[derive(Debug)]
pub struct Picture {
    context: Context,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// Staging buffers that no read is using.
    spare: Vec<wgpu::Buffer>,
}

/// A picture on its way to the host.
#[derive(Debug)]
#[must_use = "the picture arrives with Picture::finish_read"]
pub struct PendingImage {
    size: [u32; 2],
    staging: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
    mapped: Mapping,
}

impl Picture {
    /// A picture of `size` (width, height) [pixels]. `format`: red, green, blue, alpha or blue, green, red, alpha, in bytes
    /// that hold sRGB.
    ///
    /// # Errors
    /// Another format; a side that is 0 or more than 8192 or the device's limit; no room on the device.
    pub fn new(context: &Context, size: [u32; 2], format: wgpu::TextureFormat) -> Result<Self> {
        if !is_rgba(format) && !is_bgra(format) {
            let want = "Rgba8Unorm or Bgra8Unorm, with or without Srgb";
            return Err(Error::value("picture format", format!("{format:?}"), want));
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let context = context.drawing()?;
        context.catch_loss(|| {
            let texture = texture(context, "picture", size, 1, format, usage)?;
            Ok(Self {
                context: context.clone(),
                view: texture.create_view(&Default::default()),
                texture,
                spare: Vec::new(),
            })
        })
    }

    /// What to draw in.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Width and height [pixels].
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    /// What its pixels are.
    #[must_use]
    pub fn format(&self) -> wgpu::TextureFormat {
        self.texture.format()
    }

    /// Starts copying what was drawn; work submitted later does not delay it.
    pub fn begin_read(&mut self) -> PendingImage {
        let context = self.context.clone();
        unless_lost(&context.executor.device().device, || self.copy())
    }

    fn copy(&mut self) -> PendingImage {
        let device = &self.context.executor.device().device;
        let stride = self.stride();
        let staging = self.spare.pop().unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("picture"),
                size: u64::from(stride) * u64::from(self.texture.height()),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(stride),
                    rows_per_image: None,
                },
            },
            self.texture.size(),
        );
        let submission = self.context.executor.device().queue.submit([encoder.finish()]);
        let mapped = Mapping::default();
        staging.map_async(wgpu::MapMode::Read, .., mapped.callback());
        PendingImage { size: self.size(), staging, submission, mapped }
    }

    /// Waits for a copy of this picture. Copies may be finished in any order.
    ///
    /// # Errors
    /// When the device is lost; a copy of a picture of another size.
    pub fn finish_read(&mut self, pending: PendingImage) -> Result<Image> {
        let PendingImage { size, staging, submission, mapped } = pending;
        if size != self.size() {
            let want = format!("one of this picture's {:?}", self.size());
            return Err(Error::value("reading a picture", format!("a copy of {size:?}"), want));
        }
        let lost = |what: String| Error::Device(format!("reading a picture: {what}"));
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        self.context
            .executor
            .device()
            .device
            .poll(wait)
            .map_err(|error| lost(error.to_string()))?;
        if !mapped.wait() {
            return Err(lost("the device was lost".into()));
        }
        let (width, height) = (self.texture.width(), self.texture.height());
        let mut pixels = Vec::with_capacity(4 * width as usize * height as usize);
        {
            let rows = staging.get_mapped_range(..).map_err(|error| lost(error.to_string()))?;
            for row in rows.chunks_exact(self.stride() as usize) {
                pixels.extend_from_slice(&row[..4 * width as usize]);
            }
        }
        unless_lost(&self.context.executor.device().device, || staging.unmap());
        self.spare.push(staging);
        if is_bgra(self.format()) {
            for pixel in pixels.as_chunks_mut::<4>().0 {
                pixel.swap(0, 2);
            }
        }
        Ok(Image { width, height, pixels })
    }

    /// Bytes from one row of a staging buffer to the next.
    fn stride(&self) -> u32 {
        (4 * self.texture.width()).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }
}

fn is_rgba(format: wgpu::TextureFormat) -> bool {
    format.add_srgb_suffix() == wgpu::TextureFormat::Rgba8UnormSrgb
}

fn is_bgra(format: wgpu::TextureFormat) -> bool {
    format.add_srgb_suffix() == wgpu::TextureFormat::Bgra8UnormSrgb
}
