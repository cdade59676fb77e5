//! The textures that a picture is drawn in.

use crate::gpu::Context;
use crate::{Error, Result};

/// Samples per pixel.
pub(super) const SAMPLES: u32 = 4;
/// Format of all depth textures.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Largest edge of a picture [pixels], whatever the device offers.
const LARGEST: u32 = 8192;

/// Multisampled colour and depth of one size.
#[derive(Debug)]
pub(super) struct Targets {
    pub size: [u32; 2],
    pub color: wgpu::TextureView,
    pub depth: wgpu::TextureView,
}

impl Targets {
    /// # Errors
    /// When the size is out of range or the device has no room.
    pub fn new(context: &Context, size: [u32; 2], format: wgpu::TextureFormat) -> Result<Self> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let color = texture(context, "samples", size, SAMPLES, format, usage)?;
        let depth = texture(context, "depth", size, SAMPLES, DEPTH, usage)?;
        Ok(Self {
            size,
            color: color.create_view(&Default::default()),
            depth: depth.create_view(&Default::default()),
        })
    }
}

/// A texture, with its size checked.
///
/// # Errors
/// [`Error::Value`] when a side is out of range, [`Error::Device`] when the device has no room.
pub(super) fn texture(
    context: &Context,
    label: &str,
    [width, height]: [u32; 2],
    sample_count: u32,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> Result<wgpu::Texture> {
    let device = &context.executor.device().device;
    let largest = device.limits().max_texture_dimension_2d.min(LARGEST);
    if !(1..=largest).contains(&width) || !(1..=largest).contains(&height) {
        let want = format!("1 to {largest} pixels in each direction");
        return Err(Error::value("picture size", format!("{width}x{height}"), want));
    }
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    match pollster::block_on(memory.pop()) {
        None => Ok(texture),
        Some(error) => {
            Err(Error::Device(format!("no room for a picture of {width}x{height} pixels: {error}")))
        }
    }
}
