//! Draws one picture: shadow map first, then bodies, solids, sky and planes.

use std::ops::Range;

use glam::Vec4;

use super::frame::{Frame, SHADOW_SIZE};
use super::pipelines::Pipelines;
use super::points::{Cloud, CloudLook, DrawnPoints, prepare};
use super::solids::{Solids, upload};
use super::targets::{DEPTH, Targets, texture};
use super::{Camera, Look};
use crate::gpu::{Buffer, Context, Uniforms};
use crate::{Error, Result};

/// How far light reaches around closed surfaces, as in `light.wgsl`.
const WRAP: f32 = 0.25;

/// One body in a picture.
#[derive(Clone, Debug)]
pub enum Drawn<'a> {
    /// Triangles.
    Surface(DrawnSurface<'a>),
    /// Spheres.
    Points(DrawnPoints<'a>),
}

/// Triangles in a picture: a range of an index buffer into arrays that bodies may share.
/// All three come from [`Buffer::drawable`].
#[derive(Clone, Debug)]
pub struct DrawnSurface<'a> {
    /// x [m]; w is unused.
    pub positions: &'a Buffer<Vec4>,
    /// Normals of any length; w is unused. They must lie on the side from which triangles run counterclockwise.
    pub normals: &'a Buffer<Vec4>,
    /// Corners of triangles.
    pub indices: &'a Buffer<u32>,
    /// The body's part of `indices`, three per triangle.
    pub index_range: Range<u32>,
    /// sRGB.
    pub color: [u8; 3],
    /// The triangles bound a volume and run counterclockwise seen from outside: the inner side need not be drawn,
    /// which saves a third of the time in software. Other surfaces, such as shells, are drawn and lit on both sides.
    pub closed: bool,
}

/// What of a picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
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
    /// One linear colour and wrap of the light (see `light.wgsl`) per draw call, the solids' first.
    colors: Buffer<Vec4>,
    targets: Option<Targets>,
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
        let pipelines = Pipelines::new(device, format);
        let frame = Buffer::zeroed(context, "frame", 1)?;
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &pipelines.frame_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: frame.raw().as_entire_binding(),
            }],
        });
        let (shadow_view, shadow_group) = shadow_map(context, &pipelines.shadow_layout)?;
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
            colors: Buffer::drawable(context, "colors", 1)?,
            targets: None,
        })
    }

    /// Records and submits one picture of `size` (width, height) into `view`, which must be of that size, of the
    /// painter's format, and a render attachment. Work submitted before is seen.
    ///
    /// # Errors
    /// When the size is out of range, when there is no room on the device, when a body's range goes past its indices
    /// or particles, when its buffers are not drawable, or when a radius is not a number from 0.
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
        let (mut surfaces, mut clouds) = (Vec::new(), Vec::new());
        for body in bodies {
            match body {
                Drawn::Surface(surface) => surfaces.push(surface),
                Drawn::Points(cloud) => clouds.push(cloud),
            }
        }
        surfaces.iter().try_for_each(|surface| check(surface))?;
        clouds.iter().try_for_each(|cloud| cloud.check())?;
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
        self.write_colors(look, &surfaces)?;
        let encode = self.format.add_srgb_suffix() != self.format;
        let frame = Frame::new(camera, look, size[0] as f32 / size[1] as f32, encode);
        self.frame.write(&self.context, 0, &[frame]);
        let layout = &self.pipelines.cloud_layout;
        let looks = &mut self.cloud_looks;
        let clouds = prepare(&self.context, layout, looks, frame.shadow_texel, &clouds);

        let mut encoder = self
            .context
            .device()
            .create_command_encoder(&Default::default());
        if parts != Parts::Picture {
            self.draw_shadow(&mut encoder, &surfaces, &clouds);
        }
        if parts != Parts::Shadow {
            self.draw_picture(&mut encoder, view, &surfaces, &clouds);
        }
        self.context.queue().submit([encoder.finish()]);
        Ok(())
    }

    fn write_colors(&mut self, look: &Look, bodies: &[&DrawnSurface<'_>]) -> Result<()> {
        let solid = look.background.palette().solid;
        let bodies = bodies.iter().map(|body| (body.color, body.closed));
        let colors: Vec<_> = std::iter::once((solid, true))
            .chain(bodies)
            .map(|(color, closed)| (color.map(linear), if closed { WRAP } else { 0.0 }))
            .map(|([r, g, b], wrap)| Vec4::new(r, g, b, wrap))
            .collect();
        if self.colors.len() < colors.len() {
            self.colors = upload(&self.context, "colors", &colors)?;
        } else {
            self.colors.write(&self.context, 0, &colors);
        }
        Ok(())
    }

    fn draw_shadow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        surfaces: &[&DrawnSurface<'_>],
        clouds: &[Cloud],
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
        pass.set_pipeline(&self.pipelines.shadow);
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.each_mesh(surfaces, |_, mesh| {
            pass.set_vertex_buffer(0, mesh.positions.raw().slice(..));
            pass.set_index_buffer(mesh.indices.raw().slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(mesh.index_range, 0, 0..1);
        });
        pass.set_pipeline(&self.pipelines.points_shadow);
        for cloud in clouds {
            pass.set_bind_group(1, &cloud.group, &[]);
            pass.draw(0..cloud.corners, cloud.range.clone());
        }
    }

    fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        surfaces: &[&DrawnSurface<'_>],
        clouds: &[Cloud],
    ) {
        let targets = self.targets.as_ref().expect("draw made them");
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target: Some(view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
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
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, &self.shadow_group, &[]);
        pass.set_vertex_buffer(2, self.colors.raw().slice(..));
        self.each_mesh(surfaces, |color, mesh| {
            let pipelines = &self.pipelines;
            pass.set_pipeline(if mesh.closed {
                &pipelines.closed_surface
            } else {
                &pipelines.surface
            });
            pass.set_vertex_buffer(0, mesh.positions.raw().slice(..));
            pass.set_vertex_buffer(1, mesh.normals.raw().slice(..));
            pass.set_index_buffer(mesh.indices.raw().slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(mesh.index_range, 0, color..color + 1);
        });
        pass.set_pipeline(&self.pipelines.points);
        for cloud in clouds {
            pass.set_bind_group(2, &cloud.group, &[]);
            pass.draw(0..3, cloud.range.clone());
        }
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
        pass.set_pipeline(&self.pipelines.ground);
        pass.set_vertex_buffer(0, self.solids.plane_origins.raw().slice(..));
        pass.set_vertex_buffer(1, self.solids.plane_normals.raw().slice(..));
        pass.draw(0..4, 0..self.solids.plane_origins.len() as u32);
    }

    /// Solids, then bodies: each with the index of its colour.
    fn each_mesh<'a>(
        &'a self,
        surfaces: &[&DrawnSurface<'a>],
        mut draw: impl FnMut(u32, DrawnSurface<'a>),
    ) {
        let solids = DrawnSurface {
            positions: &self.solids.positions,
            normals: &self.solids.normals,
            indices: &self.solids.indices,
            index_range: 0..self.solids.indices.len() as u32,
            color: [0; 3],
            closed: true,
        };
        for (color, mesh) in std::iter::once(&&solids).chain(surfaces).enumerate() {
            if !mesh.index_range.is_empty() {
                draw(color as u32, (*mesh).clone());
            }
        }
    }
}

/// Refuses a body that a draw call would refuse.
fn check(body: &DrawnSurface<'_>) -> Result<()> {
    let range = &body.index_range;
    if !range.is_empty() && range.end as usize > body.indices.len() {
        let want = format!("a range within 0..{}", body.indices.len());
        return Err(Error::value(
            format!("index range into {}", body.indices.label()),
            format!("{range:?}"),
            want,
        ));
    }
    let drawable = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX;
    let buffers = [
        (body.positions.raw(), body.positions.label()),
        (body.normals.raw(), body.normals.label()),
        (body.indices.raw(), body.indices.label()),
    ];
    match buffers
        .iter()
        .find(|(raw, _)| !raw.usage().contains(drawable))
    {
        Some((_, label)) => Err(Error::value(
            *label,
            "a buffer for computing only",
            "one from Buffer::drawable",
        )),
        None => Ok(()),
    }
}

/// sRGB's transfer function, backwards (IEC 61966-2-1).
pub(super) fn linear(encoded: u8) -> f32 {
    let c = f32::from(encoded) / 255.0;
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
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

fn shadow_map(
    context: &Context,
    layout: &wgpu::BindGroupLayout,
) -> Result<(wgpu::TextureView, wgpu::BindGroup)> {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let map = texture(context, "shadow map", [SHADOW_SIZE; 2], 1, DEPTH, usage)?;
    let view = map.create_view(&Default::default());
    let sampler = context.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some("shadow map"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let group = context
        .device()
        .create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow map"),
            layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&view),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        });
    Ok((view, group))
}
