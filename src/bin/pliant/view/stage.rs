//! Draws a viewer's picture and its panel into a texture.

use egui_wgpu::ScreenDescriptor;
use pliant::inspect::Lines;
use pliant::internals::Inside as _;
use pliant::render::{Drawn, DrawnSegments, Painter};
use pliant::{Context, Result, World};

use super::gui::{Layer, Painted};
use super::viewer::Viewer;
use crate::drawing::Subject;

/// Of a body's mean edges: how long the normals of contacts are.
const NORMAL_EDGES: f64 = 0.25;
/// Of a body's mean edges: how long the line of a force is that is as large as the weight of one of its points.
const FORCE_EDGES: f64 = 0.1;
/// How much longer penetration vectors are drawn than they are.
const ENLARGED: f32 = 100.0;
const FORCE_COLOR: [u8; 3] = [0x58, 0xb0, 0xff];
const WAY_COLOR: [u8; 3] = [0xff, 0x50, 0x50];
const PULL_COLOR: [u8; 3] = [0xff, 0xc8, 0x30];
const PIN_COLOR: [u8; 3] = [0xff, 0x90, 0x20];
const TIE_COLOR: [u8; 3] = [0x40, 0xe0, 0xc0];

/// Pipelines for targets of one format.
pub struct Stage {
    device: wgpu::Device,
    queue: wgpu::Queue,
    painter: Painter,
    gui: egui_wgpu::Renderer,
}

impl Stage {
    /// # Errors
    /// As [`Painter::new`].
    pub fn new(context: &Context, format: wgpu::TextureFormat) -> Result<Self> {
        let options = egui_wgpu::RendererOptions::default();
        let (device, queue) = context.graphics()?;
        Ok(Self {
            device: device.clone(),
            queue: queue.clone(),
            painter: Painter::new(context, format)?,
            gui: egui_wgpu::Renderer::new(device, format, options),
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
        inspect(viewer)?;
        let things = Vec::from_iter(bodies(viewer).into_iter().chain(lines(viewer)));
        self.painter.draw(view, size, &camera, &viewer.look, &things)
    }

    /// Takes over the textures that egui made, such as its font; to be called for each output, drawn or not.
    pub fn take_textures(&mut self, painted: &mut Painted) {
        let (device, queue) = (&self.device, &self.queue);
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
        let (device, queue) = (&self.device, &self.queue);
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: layer.scale };
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut commands =
            self.gui.update_buffers(device, queue, &mut encoder, layer.jobs, &screen);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
            self.gui.render(&mut pass.forget_lifetime(), layer.jobs, &screen);
        }
        commands.push(encoder.finish());
        queue.submit(commands);
    }
}

/// Has the device make what is shown beside the bodies themselves.
fn inspect(viewer: &mut Viewer) -> Result<()> {
    viewer.world.update_skin();
    viewer.world.update_pointer_spring();
    let (active, options) = (viewer.active, &viewer.options);
    let (world, inspector) = (&viewer.world, &mut viewer.inspector);
    let shown = viewer.visible.get(active) == Some(&true);
    if options.forces && shown {
        inspector.forces(world, active, force_length(world, active))?;
        inspector.forces_on_skin(world, active)?;
    }
    if options.penetrations && shown {
        inspector.penetrations(world, active, ENLARGED)?;
        let edge = world.model().bodies[active].edge;
        inspector.normals(world, active, (NORMAL_EDGES * edge) as f32)?;
    }
    if options.holds {
        inspector.marks(world)?;
    }
    if viewer.held.is_some() {
        inspector.pull_on_skin(world)?;
    }
    Subject::inspect(world, inspector, &options.style)
}

/// The bodies that are visible, as the options have them.
fn bodies(viewer: &Viewer) -> Vec<Drawn<'_>> {
    let subject = Subject {
        world: &viewer.world,
        inspector: &viewer.inspector,
        wires: &viewer.wires,
        style: viewer.options.style,
        scale: viewer.color_scale(),
    };
    let stands_out = viewer.options.label && viewer.visible.len() > 1;
    subject.bodies(|body| viewer.visible[body], stands_out.then_some(viewer.active))
}

/// Forces, penetration vectors and contact normals of the active body, the pointer's pull, and marks at what is held.
fn lines(viewer: &Viewer) -> impl Iterator<Item = Drawn<'_>> {
    let options = &viewer.options;
    let shown = viewer.visible.get(viewer.active) == Some(&true);
    let [forces, ways, normals] = viewer.inspector.lines();
    let forces = forces.filter(|_| options.forces && shown);
    let ways = [ways, normals].map(|lines| lines.filter(|_| options.penetrations && shown));
    let pull = viewer
        .world
        .pointer_spring_segment()
        .map(|segments| Lines { segments, count: segments.len() as u32 });
    let forces = forces.map(|lines| segments(lines, FORCE_COLOR, true));
    let ways = ways.into_iter().flatten().map(|lines| segments(lines, WAY_COLOR, true));
    let pull = pull.map(|lines| segments(lines, PULL_COLOR, false));
    let marks = viewer.inspector.present_marks().filter(|_| options.holds);
    let marks = marks.into_iter().flat_map(|marks| {
        [(marks.pins, PIN_COLOR), (marks.ties, TIE_COLOR)].map(|(range, color)| {
            Drawn::Segments(DrawnSegments {
                segments: marks.segments,
                range,
                color,
                width: 2.0,
                arrow: false,
            })
        })
    });
    forces.into_iter().chain(ways).chain(pull).chain(marks)
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
