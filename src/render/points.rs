//! Bodies of points in a picture: every particle a sphere.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use glam::Vec4;

use super::painter::linear;
use crate::gpu::types::Particle;
use crate::gpu::{Buffer, Context};
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

/// Elements of [`Vec4`] from one cloud's uniform to the next: as far as offsets must lie apart.
const STRIDE: usize = 256 / size_of::<Vec4>();

/// How far the edge of a shadow may lie from a circle [texels].
const FLATNESS: f32 = 0.3;

/// The uniforms of the clouds of one picture.
#[derive(Debug)]
pub(super) struct Clouds {
    /// Per cloud its linear colour, its radius, turn and stretch (see `cloud.wgsl`), then nothing up to the stride.
    looks: Buffer<Vec4>,
}

/// A cloud ready to be drawn.
#[derive(Debug)]
pub(super) struct Cloud {
    pub range: Range<u32>,
    /// Corners of the polygons that throw the shadows.
    pub corners: u32,
    pub group: wgpu::BindGroup,
}

impl Clouds {
    pub fn new(context: &Context) -> Result<Self> {
        let looks = Buffer::zeroed(context, "clouds", STRIDE)?;
        Ok(Self { looks })
    }

    /// These clouds, in their order. `texel`: edge of one of the shadow map [m].
    pub fn prepare(
        &mut self,
        context: &Context,
        layout: &wgpu::BindGroupLayout,
        texel: f32,
        clouds: &[&DrawnPoints<'_>],
    ) -> Result<Vec<Cloud>> {
        let mut looks = vec![Vec4::ZERO; STRIDE * clouds.len().max(1)];
        for (k, cloud) in clouds.iter().enumerate() {
            let [r, g, b] = cloud.color.map(linear);
            let turn = TAU / corners(cloud.radius / texel) as f32;
            let stretch = (turn / turn.sin()).sqrt();
            looks[STRIDE * k] = Vec4::new(r, g, b, cloud.radius);
            looks[STRIDE * k + 1] = Vec4::new(turn, stretch, 0.0, 0.0);
        }
        if self.looks.len() < looks.len() {
            self.looks = Buffer::zeroed(context, "clouds", looks.len())?;
        }
        self.looks.write(context, 0, &looks);
        let prepared = |(k, cloud): (usize, &&DrawnPoints<'_>)| {
            let look = wgpu::BufferBinding {
                buffer: self.looks.raw(),
                offset: 256 * k as u64,
                size: wgpu::BufferSize::new(2 * size_of::<Vec4>() as u64),
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
        Ok(clouds.iter().enumerate().map(prepared).collect())
    }
}

/// Corners of a polygon that passes for a circle of this radius [texels] and has its area: it lies up to about
/// r (π/n)²/3 inside.
fn corners(radius: f32) -> u32 {
    let needed = PI * (radius / (3.0 * FLATNESS)).sqrt();
    (needed.min(64.0) as u32).next_multiple_of(2).max(6)
}
