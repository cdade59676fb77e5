//! The passes of a picture.

use std::ops::Range;

use super::{Painter, Prepared};
use crate::render::Look;
use crate::render::sorted::Sorted;
use crate::render::surfaces::DrawnSurface;

/// How much of a segment shows through what hides it.
const HIDDEN: f64 = 0.3;

impl Painter {
    pub(super) fn draw_shadow(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        look: &Look,
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
        let solids = self.solids.surfaces(look.background);
        let mut runs: Vec<(&DrawnSurface<'_>, Range<u32>)> = Vec::new();
        for mesh in solids.iter().chain(bodies.surfaces.iter().copied()) {
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
                pass.set_vertex_buffer(
                    0,
                    mesh.positions.at(self.context.executor.device()).slice(..),
                );
                pass.set_index_buffer(
                    mesh.indices.at(self.context.executor.device()).slice(..),
                    wgpu::IndexFormat::Uint32,
                );
                pass.draw_indexed(run, 0, 0..1);
            }
        }
        pass.set_pipeline(&self.pipelines.points_shadow);
        for cloud in &prepared.clouds {
            pass.set_bind_group(1, &cloud.group, &[]);
            pass.draw(0..cloud.corners, cloud.range.clone());
        }
    }

    pub(super) fn draw_picture(
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
        pass.set_vertex_buffer(2, self.looks.at(self.context.executor.device()).slice(..));
        let solids = self.solids.surfaces(look.background);
        let first = solids.len() as u32;
        for (k, solids) in (0..).zip(&solids) {
            self.draw_smooth(&mut pass, k, solids, None, None);
        }
        self.draw_surfaces(&mut pass, first, bodies, prepared);
        pass.set_pipeline(&self.pipelines.points);
        for cloud in &prepared.clouds {
            pass.set_bind_group(2, &cloud.group, &[]);
            pass.set_bind_group(3, &cloud.values, &[]);
            pass.draw(0..3, cloud.range.clone());
        }
        self.draw_surroundings(&mut pass);
        let first = first + bodies.surfaces.len() as u32;
        self.draw_lines(&mut pass, first, bodies, prepared);
    }

    /// `first`: the look of the first of them.
    fn draw_surfaces(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        first: u32,
        bodies: &Sorted<'_, '_>,
        prepared: &Prepared,
    ) {
        let mut before = None;
        for (k, surface) in bodies.surfaces.iter().enumerate() {
            if surface.index_range.is_empty() {
                continue;
            }
            let (look, values) = (first + k as u32, &prepared.surface_values[k]);
            if let Some(group) = &prepared.facets[k] {
                pass.set_pipeline(&self.pipelines.facets[usize::from(surface.closed)]);
                pass.set_bind_group(2, group, &[]);
                pass.set_bind_group(3, values, &[]);
                pass.set_vertex_buffer(0, self.looks.at(self.context.executor.device()).slice(..));
                pass.draw(surface.corners(), look..look + 1);
                before = None;
            } else {
                let values = surface.values.is_some().then_some(values);
                self.draw_smooth(pass, look, surface, values, before);
                before = Some(*surface);
            }
        }
    }

    /// Planes and sky.
    fn draw_surroundings(&self, pass: &mut wgpu::RenderPass<'_>) {
        let planes = 0..self.solids.plane_origins.len() as u32;
        pass.set_vertex_buffer(
            0,
            self.solids.plane_origins.at(self.context.executor.device()).slice(..),
        );
        pass.set_vertex_buffer(
            1,
            self.solids.plane_normals.at(self.context.executor.device()).slice(..),
        );
        pass.set_vertex_buffer(
            2,
            self.solids.plane_colors.at(self.context.executor.device()).slice(..),
        );
        pass.set_pipeline(&self.pipelines.ground);
        pass.draw(0..4, planes.clone());
        pass.set_pipeline(&self.pipelines.far_ground);
        pass.draw(0..10, planes);
        pass.set_pipeline(&self.pipelines.sky);
        pass.draw(0..3, 0..1);
    }

    /// `before`: the surface that was drawn last. What is set already is not set again: in software that costs more than
    /// the triangles of a small body.
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
        pass.set_vertex_buffer(0, mesh.positions.at(self.context.executor.device()).slice(..));
        pass.set_vertex_buffer(1, mesh.normals.at(self.context.executor.device()).slice(..));
        pass.set_index_buffer(
            mesh.indices.at(self.context.executor.device()).slice(..),
            wgpu::IndexFormat::Uint32,
        );
        pass.draw_indexed(mesh.index_range.clone(), 0, look..look + 1);
    }

    /// Last, because they are blended with what is behind. `first`: the look of the first of them.
    fn draw_lines(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        first: u32,
        bodies: &Sorted<'_, '_>,
        prepared: &Prepared,
    ) {
        let times = |range: &Range<u32>, count: u32| count * range.start..count * range.end;
        pass.set_vertex_buffer(0, self.looks.at(self.context.executor.device()).slice(..));
        pass.set_pipeline(&self.pipelines.wires);
        for (k, wires) in bodies.wires.iter().enumerate() {
            let look = first + k as u32;
            pass.set_bind_group(2, &prepared.wires[k], &[]);
            pass.set_bind_group(3, &prepared.wire_values[k], &[]);
            pass.draw(times(&wires.range, 6), look..look + 1);
        }
        let first = first + bodies.wires.len() as u32;
        pass.set_blend_constant(wgpu::Color { r: HIDDEN, g: HIDDEN, b: HIDDEN, a: HIDDEN });
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
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store }),
        stencil_ops: None,
    }
}
