//! Draws a viewer's picture and its panel into a texture.

use egui_wgpu::ScreenDescriptor;
use pliant::render::{Drawn, Painter};
use pliant::{Context, Result};

use super::gui::Painted;
use super::viewer::Viewer;

/// Forces are as long as this many mean edges for a point's weight.
const FORCE_EDGES: f64 = 1.0;
/// How much longer ways out are drawn than they are.
const ENLARGED: f32 = 100.0;
const FORCE_COLOR: [u8; 3] = [0x58, 0xb0, 0xff];
const WAY_COLOR: [u8; 3] = [0xff, 0x50, 0x50];
const PULL_COLOR: [u8; 3] = [0xff, 0xc8, 0x30];

/// Pipelines for targets of one format.
pub struct Stage {
    context: Context,
    painter: Painter,
    gui: egui_wgpu::Renderer,
}

impl Stage {
    /// # Errors
    /// As [`Painter::new`].
    pub fn new(context: &Context, format: wgpu::TextureFormat) -> Result<Self> {
        let options = egui_wgpu::RendererOptions::default();
        Ok(Self {
            context: context.clone(),
            painter: Painter::new(context, format)?,
            gui: egui_wgpu::Renderer::new(context.device(), format, options),
        })
    }

    /// Draws the world as it is now, and over it what is painted of the panel.
    ///
    /// # Errors
    /// As [`Painter::draw`]; a lost device.
    pub fn draw(
        &mut self,
        viewer: &mut Viewer,
        view: &wgpu::TextureView,
        size: [u32; 2],
        painted: Option<&Painted>,
    ) -> Result<()> {
        self.draw_world(viewer, view, size)?;
        if let Some(painted) = painted {
            self.draw_gui(view, size, painted);
        }
        Ok(())
    }

    fn draw_world(
        &mut self,
        viewer: &mut Viewer,
        view: &wgpu::TextureView,
        size: [u32; 2],
    ) -> Result<()> {
        let camera = viewer.orbit.camera();
        viewer.world.update_skin();
        viewer.world.update_tug();
        let world = &viewer.world;
        let mut things = Vec::new();
        for (body, mut drawn) in world.drawn().into_iter().enumerate() {
            if !viewer.visible[body] {
                continue;
            }
            let edges = !viewer.wires.ranges[body].is_empty();
            match &mut drawn {
                Drawn::Surface(surface) => {
                    if viewer.options.wireframe && edges {
                        let (particles, color) = (world.particles(), surface.color);
                        things.push(Drawn::Wires(viewer.wires.drawn(body, particles, color)));
                        continue;
                    }
                    surface.style = viewer.options.surface;
                    surface.active = viewer.visible.len() > 1 && body == viewer.active;
                }
                Drawn::Points(_) | Drawn::Wires(_) | Drawn::Segments(_) => {}
            }
            things.push(drawn);
        }
        self.painter
            .draw(view, size, &camera, &viewer.look, &things)
    }

    /// Takes over the textures that egui made, such as its font; to be called for each output, drawn or not.
    pub fn take_textures(&mut self, painted: &mut Painted) {
        let (device, queue) = (self.context.device(), self.context.queue());
        for (id, deltas) in std::mem::take(&mut painted.textures.set) {
            for delta in &deltas {
                self.gui.update_texture(device, queue, id, delta);
            }
        }
        for id in std::mem::take(&mut painted.textures.free) {
            self.gui.free_texture(&id);
        }
    }

    fn draw_gui(&mut self, view: &wgpu::TextureView, size: [u32; 2], painted: &Painted) {
        let (device, queue) = (self.context.device(), self.context.queue());
        let screen = ScreenDescriptor {
            size_in_pixels: size,
            pixels_per_point: painted.scale,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut commands =
            self.gui
                .update_buffers(device, queue, &mut encoder, &painted.jobs, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Load,
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            self.gui
                .render(&mut pass.forget_lifetime(), &painted.jobs, &screen);
        }
        commands.push(encoder.finish());
        queue.submit(commands);
    }
}
