//! Frames as pictures, drawn offscreen from the simulation's own buffers. A frame is written while the next one is
//! simulated and drawn.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use glam::Vec3;
use pliant::render::{Camera, Drawn, Image, Look, PendingImage, Renderer, write_png};
use pliant::{Error, Result, World};

/// Draws and writes pictures.
pub struct Pictures {
    folder: PathBuf,
    renderer: Renderer,
    camera: Camera,
    look: Look,
    drawing: Option<(u64, PendingImage)>,
    writing: Option<JoinHandle<Result<()>>>,
}

impl Pictures {
    /// Prepares pictures of this size [pixels], seen by the camera given or by one that has everything in view.
    pub fn new(folder: &Path, size: (u32, u32), camera: Option<&str>, world: &World) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        let renderer = Renderer::new(world.context(), size.0, size.1)?;
        let camera = match camera {
            Some(text) => Camera::parse(text)?,
            None => frame_camera(world, size.0 as f32 / size.1 as f32),
        };
        let scene = world.scene();
        let look = Look {
            floor: scene.world.floor.map(|height| height as f32),
            solids: scene.solids.iter().map(pliant::setup::gpu_solid).collect(),
            ..Look::default()
        };
        Ok(Self { folder: folder.into(), renderer, camera, look, drawing: None, writing: None })
    }

    /// Draws the present state as frame `index`.
    pub fn draw(&mut self, index: u64, world: &mut World) -> Result<()> {
        world.update_skin();
        let (skin, indices) = world.skin();
        let model = world.model();
        let bodies: Vec<_> = model
            .skin
            .bodies
            .iter()
            .map(|body| Drawn {
                positions: &skin.positions,
                normals: &skin.normals,
                indices,
                index_range: 3 * body.triangles.start as u32..3 * body.triangles.end as u32,
                color: body.color,
                closed: body.closed,
            })
            .collect();
        self.renderer.draw(&self.camera, &self.look, &bodies)?;
        let pending = self.renderer.begin_read();
        let before = self.drawing.replace((index, pending));
        self.write(before)
    }

    /// Completes the last frames.
    pub fn finish(mut self) -> Result<()> {
        let last = self.drawing.take();
        self.write(last)?;
        self.writing.take().map_or(Ok(()), join)
    }

    fn write(&mut self, drawn: Option<(u64, PendingImage)>) -> Result<()> {
        let Some((index, pending)) = drawn else { return Ok(()) };
        let image: Image = self.renderer.finish_read(pending)?;
        let path = self.folder.join(format!("frame_{index:05}.png"));
        let writing = std::thread::spawn(move || write_png(&path, &image));
        self.writing.replace(writing).map_or(Ok(()), join)
    }
}

fn join(writing: JoinHandle<Result<()>>) -> Result<()> {
    writing.join().unwrap_or_else(|_| Err(Error::Device("writing a picture failed".into())))
}

/// A camera that sees the bodies where they start and where they will come to lie on the floor.
fn frame_camera(world: &World, aspect: f32) -> Camera {
    let positions = || world.model().positions.iter().map(|x| x.as_vec3());
    let low = positions().fold(Vec3::INFINITY, Vec3::min);
    let high = positions().fold(Vec3::NEG_INFINITY, Vec3::max);
    let floor = world.scene().world.floor.map_or(low.y, |floor| low.y.min(floor as f32));
    Camera::frame(Vec3::new(low.x, floor, low.z), high, aspect)
}
