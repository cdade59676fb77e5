//! Draws one picture: shadow map first, then bodies, solids, planes, sky and lines.

mod draw;

use glam::Vec4;

use super::frame::frame;
use super::groups::Groups;
use super::lines::{DrawnSegments, DrawnWires};
use super::pipelines::Pipelines;
use super::points::{Cloud, DrawnPoints, prepare};
use super::shadow::shadow_map;
use super::solids::{Solids, upload};
use super::sorted::Sorted;
use super::surfaces::{DrawnSurface, SurfaceStyle};
use super::targets::Targets;
use super::values::Scales;
use super::{Camera, Look, color};
use crate::gpu::types::{CloudLook, Frame};
use crate::gpu::{Buffer, Context, Uniforms};
use crate::{Error, Result};

/// One body in a picture, or lines of one look.
#[derive(Clone, Debug)]
pub enum Drawn<'a> {
    /// Triangles.
    Surface(DrawnSurface<'a>),
    /// Spheres.
    Points(DrawnPoints<'a>),
    /// Edges between particles.
    Wires(DrawnWires<'a>),
    /// Lines in space.
    Segments(DrawnSegments<'a>),
}

/// What of a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Everything.
    All,
    /// The shadow map.
    Shadow,
    /// What is seen, with the shadow map as it was left.
    Picture,
}

/// Draws into texture views of one format, of any size.
#[derive(Debug)]
pub struct Painter {
    context: Context,
    format: wgpu::TextureFormat,
    pipelines: Pipelines,
    frame: Buffer<Frame>,
    frame_group: wgpu::BindGroup,
    shadow_view: wgpu::TextureView,
    shadow_group: wgpu::BindGroup,
    solids: Solids,
    cloud_looks: Uniforms<CloudLook>,
    scales: Scales,
    /// Two per draw call, of solids, surfaces, wires and segments in this order: a linear colour with the wrap and glow
    /// of the light (see `light.wgsl`) or a width in pixels, and what `draw_facets` and `draw_segments` say.
    looks: Buffer<Vec4>,
    targets: Option<Targets>,
}

/// The bind groups of bodies, in the order of [`Sorted`].
struct Prepared {
    surface_values: Vec<wgpu::BindGroup>,
    /// None: drawn from vertex buffers.
    facets: Vec<Option<wgpu::BindGroup>>,
    clouds: Vec<Cloud>,
    wires: Vec<wgpu::BindGroup>,
    wire_values: Vec<wgpu::BindGroup>,
    segments: Vec<wgpu::BindGroup>,
}

impl Painter {
    /// Compiles the shaders for targets of this format. Formats that encode sRGB get linear values; eight-bit formats
    /// that do not get encoded ones.
    ///
    /// # Errors
    /// When nothing draws on this machine; when the device cannot draw smooth edges in this format.
    pub fn new(context: &Context, format: wgpu::TextureFormat) -> Result<Self> {
        let context = context.drawing()?;
        let device = &context.executor.device().device;
        let needed = wgpu::TextureFormatFeatureFlags::MULTISAMPLE_X4
            | wgpu::TextureFormatFeatureFlags::MULTISAMPLE_RESOLVE
            | wgpu::TextureFormatFeatureFlags::BLENDABLE;
        if !format.guaranteed_format_features(device.features()).flags.contains(needed) {
            let want = "a color format with multisampling, resolving and blending";
            return Err(Error::value("picture format", format!("{format:?}"), want));
        }
        context.catch_loss(|| Self::make(context, format))
    }

    fn make(context: &Context, format: wgpu::TextureFormat) -> Result<Self> {
        let pipelines = Pipelines::new(&context.executor.device().device, format);
        let frame: Buffer<Frame> = Buffer::zeroed(context, "frame", 1)?;
        let frame_group = Groups::new(context, "frame", &pipelines.layouts.frame)
            .of(&[frame.at(context.executor.device()).as_entire_buffer_binding()]);
        let (shadow_view, shadow_group) = shadow_map(context, &pipelines.layouts.shadow)?;
        Ok(Self {
            context: context.clone(),
            format,
            pipelines,
            frame,
            frame_group,
            shadow_view,
            shadow_group,
            solids: Solids::new(context, &Look::default())?,
            cloud_looks: Uniforms::new(context, "clouds", 1),
            scales: Scales::new(context)?,
            looks: Buffer::drawable(context, "looks", 2)?,
            targets: None,
        })
    }

    /// Records and submits one picture of `size` (width, height) into `view`, which must be of that size, of the
    /// painter's format, and a render attachment. Work submitted before is seen. Software draws faster into formats
    /// that do not encode sRGB.
    ///
    /// # Errors
    /// When the size is out of range or the view is not as said above, when there is no room on the device, when a body's
    /// range goes past its indices, particles, edges or segments, when its buffers are not drawable, when there are fewer
    /// values than vertices, or when a radius, a width or a scale of colours is not usable.
    pub fn draw(
        &mut self,
        view: &wgpu::TextureView,
        size: [u32; 2],
        camera: &Camera,
        look: &Look,
        bodies: &[Drawn<'_>],
    ) -> Result<()> {
        self.draw_parts(view, size, camera, look, bodies, Parts::All)
    }

    /// The same of a part of the picture, to measure it.
    pub(crate) fn draw_parts(
        &mut self,
        view: &wgpu::TextureView,
        size: [u32; 2],
        camera: &Camera,
        look: &Look,
        bodies: &[Drawn<'_>],
        parts: Parts,
    ) -> Result<()> {
        let context = self.context.clone();
        context.catch_loss(|| {
            let bodies = Sorted::new(bodies)?;
            if self.targets.as_ref().map(|targets| targets.size) != Some(size) {
                self.targets = None;
                self.targets = Some(Targets::new(&context, size, self.format)?);
            }
            if !self.solids.show(look) {
                self.solids = Solids::new(&context, look)?;
            }
            let solids = self.solids.surfaces(look.background);
            let looks = bodies.looks(look, &solids);
            self.write_looks(&looks)?;
            let frame = frame(camera, look, look.area(size), self.encodes());
            self.frame.write(&context, 0, &[frame]);
            let prepared = self.prepare(&bodies, frame.shadow_texel);

            let mut encoder =
                context.executor.device().device.create_command_encoder(&Default::default());
            if parts != Parts::Picture {
                self.draw_shadow(&mut encoder, look, &bodies, &prepared);
            }
            if parts != Parts::Shadow {
                self.draw_picture(&mut encoder, view, look, &bodies, &prepared);
            }
            context.executor.device().queue.submit([encoder.finish()]);
            Ok(())
        })
    }

    /// The target does not turn linear into sRGB itself.
    fn encodes(&self) -> bool {
        self.format.add_srgb_suffix() != self.format
    }

    /// A colour [sRGB] as a value for the target.
    fn stored(&self, color: [u8; 3]) -> wgpu::Color {
        let [r, g, b] = color.map(|channel| match self.encodes() {
            true => f64::from(channel) / 255.0,
            false => f64::from(color::linear(channel)),
        });
        wgpu::Color { r, g, b, a: 1.0 }
    }

    fn write_looks(&mut self, looks: &[Vec4]) -> Result<()> {
        if self.looks.len() < looks.len() {
            self.looks = upload(&self.context, "looks", looks)?;
        } else {
            self.looks.write(&self.context, 0, looks);
        }
        Ok(())
    }

    /// `texel`: edge of one of the shadow map [m].
    fn prepare(&mut self, bodies: &Sorted<'_, '_>, texel: f32) -> Prepared {
        let (context, layouts) = (&self.context, &self.pipelines.layouts);
        let surfaces = bodies.surfaces.iter().map(|surface| surface.values);
        let clouds = bodies.clouds.iter().map(|cloud| cloud.values);
        let wires = bodies.wires.iter().map(|wires| wires.values);
        let wanted: Vec<_> = surfaces.chain(clouds).chain(wires).collect();
        let mut values = self.scales.prepare(context, &layouts.values, &wanted);
        let wire_values = values.split_off(bodies.surfaces.len() + bodies.clouds.len());
        let cloud_values = values.split_off(bodies.surfaces.len());
        let mut pairs = Groups::new(context, "two arrays", &layouts.pair);
        let device = context.executor.device();
        let mut pair = |first: wgpu::Buffer, second: wgpu::Buffer| {
            pairs.of(&[first.as_entire_buffer_binding(), second.as_entire_buffer_binding()])
        };
        let facets = |surface: &&DrawnSurface<'_>| {
            let arrays = (surface.positions.at(device), surface.indices.at(device));
            (surface.style != SurfaceStyle::Smooth).then(|| pair(arrays.0, arrays.1))
        };
        let facets = bodies.surfaces.iter().map(facets).collect();
        let wires = (bodies.wires.iter())
            .map(|wires| pair(wires.particles.at(device), wires.pairs.at(device)))
            .collect();
        let mut singles = Groups::new(context, "segments", &layouts.single);
        let segments = (bodies.segments.iter())
            .map(|lines| singles.of(&[lines.segments.at(device).as_entire_buffer_binding()]))
            .collect();
        let looks = &mut self.cloud_looks;
        Prepared {
            surface_values: values,
            facets,
            clouds: prepare(context, &layouts.cloud, looks, texel, &bodies.clouds, &cloud_values),
            wires,
            wire_values,
            segments,
        }
    }
}
