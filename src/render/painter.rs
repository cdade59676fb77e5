//! Draws one picture: shadow map first, then bodies, solids, planes, sky and lines.

use std::ops::Range;

use glam::Vec4;

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

/// How much of a segment shows through what hides it.
const HIDDEN: f64 = 0.3;

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
    /// When the device cannot draw smooth edges in this format.
    pub fn new(context: &Context, format: wgpu::TextureFormat) -> Result<Self> {
        let device = context.device();
        let needed = wgpu::TextureFormatFeatureFlags::MULTISAMPLE_X4
            | wgpu::TextureFormatFeatureFlags::MULTISAMPLE_RESOLVE
            | wgpu::TextureFormatFeatureFlags::BLENDABLE;
        if !format
            .guaranteed_format_features(device.features())
            .flags
            .contains(needed)
        {
            let want = "a color format with multisampling, resolving and blending";
            return Err(Error::value("picture format", format!("{format:?}"), want));
        }
        context.catch_loss(|| Self::make(context, format))
    }

    fn make(context: &Context, format: wgpu::TextureFormat) -> Result<Self> {
        let pipelines = Pipelines::new(context.device(), format);
        let frame: Buffer<Frame> = Buffer::zeroed(context, "frame", 1)?;
        let frame_group = Groups::new(context, "frame", &pipelines.layouts.frame)
            .of(&[frame.raw().as_entire_buffer_binding()]);
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
        context.catch_loss(|| self.paint(view, size, camera, look, bodies, parts))
    }

    fn paint(
        &mut self,
        view: &wgpu::TextureView,
        size: [u32; 2],
        camera: &Camera,
        look: &Look,
        bodies: &[Drawn<'_>],
        parts: Parts,
    ) -> Result<()> {
        let bodies = Sorted::new(bodies)?;
        if self
            .targets
            .as_ref()
            .is_none_or(|targets| targets.size != size)
        {
            self.targets = None;
            self.targets = Some(Targets::new(&self.context, size, self.format)?);
        }
        if !self.solids.show(look) {
            self.solids = Solids::new(&self.context, look)?;
        }
        self.write_looks(&bodies.looks(look))?;
        let frame = Frame::new(camera, look, look.area(size), self.encodes());
        self.frame.write(&self.context, 0, &[frame]);
        let prepared = self.prepare(&bodies, frame.shadow_texel);

        let mut encoder = self
            .context
            .device()
            .create_command_encoder(&Default::default());
        if parts != Parts::Picture {
            self.draw_shadow(&mut encoder, &bodies, &prepared);
        }
        if parts != Parts::Shadow {
            self.draw_picture(&mut encoder, view, look, &bodies, &prepared);
        }
        self.context.queue().submit([encoder.finish()]);
        Ok(())
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
        let mut pair = |first: &wgpu::Buffer, second: &wgpu::Buffer| {
            pairs.of(&[
                first.as_entire_buffer_binding(),
                second.as_entire_buffer_binding(),
            ])
        };
        let facets = |surface: &&DrawnSurface<'_>| {
            let arrays = (surface.positions.raw(), surface.indices.raw());
            (surface.style != SurfaceStyle::Smooth).then(|| pair(arrays.0, arrays.1))
        };
        let facets = bodies.surfaces.iter().map(facets).collect();
        let wires = (bodies.wires.iter())
            .map(|wires| pair(wires.particles.raw(), wires.pairs.raw()))
            .collect();
        let mut singles = Groups::new(context, "segments", &layouts.single);
        let segments = (bodies.segments.iter())
            .map(|lines| singles.of(&[lines.segments.raw().as_entire_buffer_binding()]))
            .collect();
        let looks = &mut self.cloud_looks;
        Prepared {
            surface_values: values,
            facets,
            clouds: prepare(
                context,
                &layouts.cloud,
                looks,
                texel,
                &bodies.clouds,
                &cloud_values,
            ),
            wires,
            wire_values,
            segments,
        }
    }

    fn draw_shadow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        bodies: &Sorted<'_, '_>,
        prepared: &Prepared,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(depth_attachment(
                &self.shadow_view,
                1.0,
                wgpu::StoreOp::Store,
            )),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        // Neighbours differ in nothing that a shadow shows: many bodies are one draw call.
        let solids = self.solids.surface();
        let mut runs: Vec<(&DrawnSurface<'_>, Range<u32>)> = Vec::new();
        for mesh in std::iter::once(&solids).chain(bodies.surfaces.iter().copied()) {
            let next = mesh.index_range.clone();
            match runs.last_mut() {
                Some((first, run)) if first.is_drawn_like(mesh) && run.end == next.start => {
                    run.end = next.end;
                }
                _ => runs.push((mesh, next)),
            }
        }
        for (mesh, run) in runs {
            if !run.is_empty() {
                pass.set_pipeline(&self.pipelines.shadow[usize::from(mesh.closed)]);
                pass.set_vertex_buffer(0, mesh.positions.raw().slice(..));
                pass.set_index_buffer(mesh.indices.raw().slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(run, 0, 0..1);
            }
        }
        pass.set_pipeline(&self.pipelines.points_shadow);
        for cloud in &prepared.clouds {
            pass.set_bind_group(1, &cloud.group, &[]);
            pass.draw(0..cloud.corners, cloud.range.clone());
        }
    }

    fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        look: &Look,
        bodies: &Sorted<'_, '_>,
        prepared: &Prepared,
    ) {
        let targets = self.targets.as_ref().expect("draw made them");
        let [width, height] = look.area(targets.size);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target: Some(view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(self.stored(look.left_color)),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(depth_attachment(
                &targets.depth,
                0.0,
                wgpu::StoreOp::Discard,
            )),
            ..Default::default()
        });
        let left = targets.size[0] - width;
        pass.set_viewport(left as f32, 0.0, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(left, 0, width, height);
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, &self.shadow_group, &[]);
        pass.set_vertex_buffer(2, self.looks.raw().slice(..));
        self.draw_smooth(&mut pass, 0, &self.solids.surface(), None, None);
        let mut before = None;
        for (k, surface) in bodies.surfaces.iter().enumerate() {
            if surface.index_range.is_empty() {
                continue;
            }
            let (look, values) = (1 + k as u32, &prepared.surface_values[k]);
            if let Some(group) = &prepared.facets[k] {
                pass.set_pipeline(&self.pipelines.facets[usize::from(surface.closed)]);
                pass.set_bind_group(2, group, &[]);
                pass.set_bind_group(3, values, &[]);
                pass.set_vertex_buffer(0, self.looks.raw().slice(..));
                pass.draw(surface.corners(), look..look + 1);
                before = None;
            } else {
                let values = surface.values.is_some().then_some(values);
                self.draw_smooth(&mut pass, look, surface, values, before);
                before = Some(*surface);
            }
        }
        pass.set_pipeline(&self.pipelines.points);
        for cloud in &prepared.clouds {
            pass.set_bind_group(2, &cloud.group, &[]);
            pass.set_bind_group(3, &cloud.values, &[]);
            pass.draw(0..3, cloud.range.clone());
        }
        let planes = 0..self.solids.plane_origins.len() as u32;
        pass.set_vertex_buffer(0, self.solids.plane_origins.raw().slice(..));
        pass.set_vertex_buffer(1, self.solids.plane_normals.raw().slice(..));
        pass.set_pipeline(&self.pipelines.ground);
        pass.draw(0..4, planes.clone());
        pass.set_pipeline(&self.pipelines.far_ground);
        pass.draw(0..10, planes);
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        self.draw_lines(&mut pass, bodies, prepared);
    }

    /// `before`: the surface that was drawn last. What is set already is not set again: in software that costs more than
    /// the triangles of a small body.
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

    fn draw_smooth(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        look: u32,
        mesh: &DrawnSurface<'_>,
        values: Option<&wgpu::BindGroup>,
        before: Option<&DrawnSurface<'_>>,
    ) {
        let is_plain = |mesh: &DrawnSurface<'_>| mesh.values.is_none();
        let is_set = before
            .is_some_and(|before| before.is_drawn_like(mesh) && is_plain(before) && is_plain(mesh));
        if is_set {
            pass.draw_indexed(mesh.index_range.clone(), 0, look..look + 1);
            return;
        }
        if mesh.index_range.is_empty() {
            return;
        }
        let pipelines = match values {
            Some(values) => {
                pass.set_bind_group(3, values, &[]);
                &self.pipelines.surface_values
            }
            None => &self.pipelines.surface,
        };
        pass.set_pipeline(&pipelines[usize::from(mesh.closed)]);
        pass.set_vertex_buffer(0, mesh.positions.raw().slice(..));
        pass.set_vertex_buffer(1, mesh.normals.raw().slice(..));
        pass.set_index_buffer(mesh.indices.raw().slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(mesh.index_range.clone(), 0, look..look + 1);
    }

    /// Last, because they are blended with what is behind.
    fn draw_lines(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bodies: &Sorted<'_, '_>,
        prepared: &Prepared,
    ) {
        let times = |range: &Range<u32>, count: u32| count * range.start..count * range.end;
        let first = 1 + bodies.surfaces.len() as u32;
        pass.set_vertex_buffer(0, self.looks.raw().slice(..));
        pass.set_pipeline(&self.pipelines.wires);
        for (k, wires) in bodies.wires.iter().enumerate() {
            let look = first + k as u32;
            pass.set_bind_group(2, &prepared.wires[k], &[]);
            pass.set_bind_group(3, &prepared.wire_values[k], &[]);
            pass.draw(times(&wires.range, 6), look..look + 1);
        }
        let first = first + bodies.wires.len() as u32;
        pass.set_blend_constant(wgpu::Color {
            r: HIDDEN,
            g: HIDDEN,
            b: HIDDEN,
            a: HIDDEN,
        });
        for pipeline in [&self.pipelines.hidden_segments, &self.pipelines.segments] {
            pass.set_pipeline(pipeline);
            for (k, lines) in bodies.segments.iter().enumerate() {
                let look = first + k as u32;
                pass.set_bind_group(2, &prepared.segments[k], &[]);
                pass.draw(times(&lines.range, 9), look..look + 1);
            }
        }
    }
}

fn depth_attachment(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(clear),
            store,
        }),
        stencil_ops: None,
    }
}
