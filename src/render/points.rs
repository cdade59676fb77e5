//! Bodies of points in a picture: every particle a sphere.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use encase::ShaderType;
use glam::Vec3;

use super::painter::linear;
use crate::gpu::types::{Particle, SIM_STRIDE};
use crate::gpu::{Buffer, Context, Uniforms};
use crate::{Error, Result};

/// Spheres in a picture: a range of particles of one radius and colour.
#[derive(Clone, Debug)]
pub struct DrawnPoints<'a> {
    /// All particles, as the simulation has them.
    pub particles: &'a Buffer<Particle>,
    /// Those that are drawn.
    pub range: Range<u32>,
    /// Radius of each sphere [m].
    pub radius: f32,
    /// sRGB.
    pub color: [u8; 3],
}

impl DrawnPoints<'_> {
    /// Refuses what a draw call would refuse, and a radius that is none.
    pub(super) fn check(&self) -> Result<()> {
        let (range, count) = (&self.range, self.particles.len());
        if !range.is_empty() && range.end as usize > count {
            return Err(Error::value(
                format!("range of {}", self.particles.label()),
                format!("{range:?}"),
                format!("a range within 0..{count}"),
            ));
        }
        if !(self.radius.is_finite() && self.radius >= 0.0) {
            return Err(Error::value("radius of points", self.radius, "0 m or more"));
        }
        Ok(())
    }
}

/// How the spheres of one cloud look; a uniform.
#[derive(Clone, Copy, Debug, PartialEq, ShaderType)]
pub struct CloudLook {
    /// Linear RGB.
    pub albedo: Vec3,
    /// Of each sphere [m].
    pub radius: f32,
    /// Between corners of the polygons that throw the shadows [rad].
    pub turn: f32,
    /// Their circumscribed radius [radii]; they have the area of a disk.
    pub stretch: f32,
}

impl CloudLook {
    fn new(cloud: &DrawnPoints<'_>, texel: f32) -> Self {
        let turn = TAU / corners(cloud.radius / texel) as f32;
        Self {
            albedo: Vec3::from(cloud.color.map(linear)),
            radius: cloud.radius,
            turn,
            stretch: (turn / turn.sin()).sqrt(),
        }
    }
}

/// How far the edge of a shadow may lie from a circle [texels].
const FLATNESS: f32 = 0.3;

/// A cloud ready to be drawn.
#[derive(Debug)]
pub(super) struct Cloud {
    pub range: Range<u32>,
    /// Corners of the polygons that throw the shadows.
    pub corners: u32,
    pub group: wgpu::BindGroup,
}

/// Clouds ready to be drawn, in their order. `texel`: edge of one of the shadow map [m]; `looks` is made larger when need
/// be.
pub(super) fn prepare(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
    looks: &mut Uniforms<CloudLook>,
    texel: f32,
    clouds: &[&DrawnPoints<'_>],
) -> Vec<Cloud> {
    if looks.slots() < clouds.len() {
        *looks = Uniforms::new(context, "clouds", clouds.len());
    }
    let values: Vec<_> = clouds
        .iter()
        .map(|cloud| CloudLook::new(cloud, texel))
        .collect();
    looks.write(context, &values);
    let prepared = |(k, cloud): (usize, &&DrawnPoints<'_>)| {
        let look = wgpu::BufferBinding {
            buffer: &looks.raw,
            offset: SIM_STRIDE * k as u64,
            size: Some(CloudLook::min_size()),
        };
        let group = context
            .device()
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("cloud"),
                layout,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: cloud.particles.raw().as_entire_binding(),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::Buffer(look),
                    },
                ],
            });
        Cloud {
            range: cloud.range.clone(),
            corners: corners(cloud.radius / texel),
            group,
        }
    };
    clouds.iter().enumerate().map(prepared).collect()
}

/// Corners of a polygon that passes for a circle of this radius [texels] and has its area: it lies up to about
/// r (π/n)²/3 inside.
fn corners(radius: f32) -> u32 {
    let needed = PI * (radius / (3.0 * FLATNESS)).sqrt();
    (needed.min(64.0) as u32).next_multiple_of(2).max(6)
}
