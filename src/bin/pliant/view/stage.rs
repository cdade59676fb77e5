//! Draws a viewer's picture and its panel into a texture.

use egui_wgpu::ScreenDescriptor;
use pliant::inspect::Lines;
use pliant::internals::Inside as _;
use pliant::render::{Drawn, DrawnSegments, Painter, Values};
use pliant::{Context, Result, World};

use super::gui::{Layer, Painted};
use super::options::Coloring;
use super::viewer::Viewer;

/// Of a body's mean edges: how long the line of a force is that is as large as the weight of one of its points.
const FORCE_EDGES: f64 = 0.1;
/// How much longer ways out are drawn than they are.
const ENLARGED: f32 = 100.0;
const FORCE_COLOR: [u8; 3] = [0x58, 0xb0, 0xff];
const WAY_COLOR: [u8; 3] = [0xff, 0x50, 0x50];
const PULL_COLOR: [u8; 3] = [0xff, 0xc8, 0x30];

/// Of bodies that have no field to be coloured by.
const NO_FIELD: [u8; 3] = [0x90, 0x90, 0x90];

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

    /// Draws the world as it is now, and over it what egui painted.
    ///
    /// # Errors
    /// As [`Painter::draw`]; a lost device.
    pub fn draw(
        &mut self,
        viewer: &mut Viewer,
        view: &wgpu::TextureView,
        size: [u32; 2],
        layer: Layer<'_>,
    ) -> Result<()> {
        self.draw_world(viewer, view, size)?;
        self.draw_gui(view, size, layer);
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
        viewer.world.update_pointer_spring();
        let (active, options) = (viewer.active, &viewer.options);
        let (world, inspector) = (&viewer.world, &mut viewer.inspector);
        let shown = viewer.visible.get(active) == Some(&true);
        if options.forces && shown {
            inspector.forces(world, active, force_length(world, active))?;
        }
        if options.penetrations && shown {
            inspector.penetrations(world, active, ENLARGED)?;
        }
        if let Some(field) = options.coloring.field() {
            inspector.field(world, field)?;
        }
        let inspector = &viewer.inspector;
        let scale = viewer.color_scale();
        let colored = |body| {
            let field = viewer.options.coloring.field()?;
            let available = !inspector.unavailable(world, field, body);
            let (_, buffers) = inspector.present_field()?;
            available.then_some(buffers)
        };
        let mut things = Vec::new();
        for (body, mut drawn) in world.drawn().into_iter().enumerate() {
            if !viewer.visible[body] {
                continue;
            }
            let field = colored(body);
            let values = |values| Values { values, scale };
            let edges = !viewer.wires.ranges[body].is_empty();
            match &mut drawn {
                Drawn::Surface(surface) => {
                    if options.wireframe && edges {
                        let mut wires = viewer.wires.drawn(body, world.particles(), surface.color);
                        wires.values = field.map(|field| values(field.particle_values));
                        things.push(Drawn::Wires(wires));
                        continue;
                    }
                    surface.style = options.surface;
                    surface.values = field.map(|field| values(field.skin_values));
                    // Of colours that mean something none is changed.
                    let plain = options.label && options.coloring == Coloring::Body;
                    surface.active = plain && viewer.visible.len() > 1 && body == active;
                    if options.coloring != Coloring::Body && field.is_none() {
                        surface.color = NO_FIELD;
                    }
                }
                Drawn::Points(points) => {
                    points.values = field.map(|field| values(field.particle_values));
                    if options.coloring != Coloring::Body && field.is_none() {
                        points.color = NO_FIELD;
                    }
                }
                Drawn::Wires(_) | Drawn::Segments(_) => {}
            }
            things.push(drawn);
        }
        let [forces, ways] = inspector.lines();
        for (lines, on, color) in [
            (forces, options.forces, FORCE_COLOR),
            (ways, options.penetrations, WAY_COLOR),
        ] {
            if let Some(lines) = lines.filter(|_| on && shown) {
                things.push(segments(lines, color, true));
            }
        }
        if let Some(pull) = world.pointer_spring_segment() {
            let count = pull.len() as u32;
            let pull = Lines {
                segments: pull,
                count,
            };
            things.push(segments(pull, PULL_COLOR, false));
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

    fn draw_gui(&mut self, view: &wgpu::TextureView, size: [u32; 2], layer: Layer<'_>) {
        let (device, queue) = (self.context.device(), self.context.queue());
        let screen = ScreenDescriptor {
            size_in_pixels: size,
            pixels_per_point: layer.scale,
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut commands =
            self.gui
                .update_buffers(device, queue, &mut encoder, layer.jobs, &screen);
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
                .render(&mut pass.forget_lifetime(), layer.jobs, &screen);
        }
        commands.push(encoder.finish());
        queue.submit(commands);
    }
}

/// How long a force's line is [m/N]: for each body its own, so that those of light points are seen, too.
fn force_length(world: &World, body: usize) -> f32 {
    let model = world.model();
    let mass = model.mass(body);
    let body = &model.bodies[body];
    let gravity = glam::DVec3::from(world.scene().world.gravity).length();
    let weight = mass / body.particles.len() as f64 * gravity.max(1.0);
    (FORCE_EDGES * body.edge / weight) as f32
}

fn segments(lines: Lines<'_>, color: [u8; 3], arrow: bool) -> Drawn<'_> {
    Drawn::Segments(DrawnSegments {
        segments: lines.segments,
        range: 0..lines.count,
        color,
        width: 1.5,
        arrow,
    })
}
