//! Bodies of points in a picture: every particle a sphere.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use encase::ShaderType as _;
use glam::Vec3;

use super::color::linear;
use super::groups::Groups;
use super::lines::check_range;
use super::values::Values;
use crate::gpu::types::{CloudLook, Particle, SIM_STRIDE};
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
    /// Colours by values of the particles, instead of `color`.
    pub values: Option<Values<'a>>,
    /// The body that is chosen: it glows at its outlines.
    pub active: bool,
}

impl DrawnPoints<'_> {
    /// Refuses what a draw call would refuse, and a radius that is none.
    pub(super) fn check(&self) -> Result<()> {
        check_range(self.particles, &self.range)?;
        if !(self.radius.is_finite() && self.radius >= 0.0) {
            return Err(Error::value("radius of points", self.radius, "0 m or more"));
        }
        let count = self.particles.len();
        self.values.map_or(Ok(()), |values| values.check(count))
    }

    fn look(&self, texel: f32) -> CloudLook {
        let turn = TAU / corners(self.radius / texel) as f32;
        CloudLook {
            albedo: Vec3::from(self.color.map(linear)),
            radius: self.radius,
            turn,
            stretch: (turn / turn.sin()).sqrt(),
            glow: f32::from(u8::from(self.active)),
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
    /// Values that colour them.
    pub values: wgpu::BindGroup,
}

/// Clouds ready to be drawn, in their order. `texel`: edge of one of the shadow map [m]; `looks` is made larger when
/// need be; `values`: a bind group for each.
pub(super) fn prepare(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
    looks: &mut Uniforms<CloudLook>,
    texel: f32,
    clouds: &[&DrawnPoints<'_>],
    values: &[wgpu::BindGroup],
) -> Vec<Cloud> {
    if looks.slots() < clouds.len() {
        *looks = Uniforms::new(context, "clouds", clouds.len());
    }
    let own: Vec<_> = clouds.iter().map(|cloud| cloud.look(texel)).collect();
    looks.write(context, &own);
    let device = context.executor.device();
    let looks_at = looks.at(device);
    let mut groups = Groups::new(context, "cloud", layout);
    let prepared = |(k, (cloud, values)): (usize, (&&DrawnPoints<'_>, &wgpu::BindGroup))| {
        let look = wgpu::BufferBinding {
            buffer: &looks_at,
            offset: SIM_STRIDE * k as u64,
            size: Some(CloudLook::min_size()),
        };
        Cloud {
            range: cloud.range.clone(),
            corners: corners(cloud.radius / texel),
            group: groups.of(&[cloud.particles.at(device).as_entire_buffer_binding(), look]),
            values: values.clone(),
        }
    };
    clouds.iter().zip(values).enumerate().map(prepared).collect()
}

/// Corners of a polygon that passes for a circle of this radius [texels] and has its area: it lies up to about
/// r (π/n)²/3 inside.
fn corners(radius: f32) -> u32 {
    let needed = PI * (radius / (3.0 * FLATNESS)).sqrt();
    (needed.min(64.0) as u32).next_multiple_of(2).max(6)
}
