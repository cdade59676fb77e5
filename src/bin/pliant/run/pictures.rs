//! Frames as pictures, drawn offscreen from the simulation's own buffers. A frame is written while the next one is
//! simulated and drawn.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use glam::{DVec3, Vec3};
use pliant::internals::Inside as _;
use pliant::render::{Camera, Image, Look, PendingImage, Renderer, write_png};
use pliant::scene::{Scene, SolidShape};
use pliant::world::Snapshot;
use pliant::{Error, Result, World};

/// Draws and writes pictures.
pub struct Pictures {
    folder: PathBuf,
    renderer: Renderer,
    /// Given on the command line; else everything seen so far is kept in view.
    camera: Option<Camera>,
    low: Vec3,
    high: Vec3,
    aspect: f32,
    look: Look,
    drawing: Option<(u64, PendingImage)>,
    writing: Option<JoinHandle<Result<()>>>,
}

impl Pictures {
    /// Prepares pictures of this size [pixels], seen by the camera given or by one that has everything in view.
    pub fn new(
        folder: &Path,
        size: (u32, u32),
        camera: Option<Camera>,
        world: &World,
    ) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        let renderer = Renderer::new(world.context(), size.0, size.1)?;
        let scene = world.scene();
        let (low, high) = standing(scene);
        let look = Look {
            floor: scene.world.floor.map(|height| height as f32),
            solids: scene.solids.iter().map(pliant::internals::setup::gpu_solid).collect(),
            ..Look::default()
        };
        let aspect = size.0 as f32 / size.1 as f32;
        Ok(Self {
            folder: folder.into(),
            renderer,
            camera,
            low,
            high,
            aspect,
            look,
            drawing: None,
            writing: None,
        })
    }

    /// Draws the present state as frame `index`.
    pub fn draw(&mut self, index: u64, world: &mut World, state: &Snapshot) -> Result<()> {
        let floor = world.scene().world.floor.map_or(f32::INFINITY, |floor| floor as f32);
        for body in &world.model().bodies {
            let radius = body.radius as f32;
            for x in &state.positions[body.particles.clone()] {
                let (low, high) = (*x - radius, *x + radius);
                self.low = self.low.min(low).min(Vec3::new(x.x, floor, x.z));
                self.high = self.high.max(high);
            }
        }
        let camera = self.camera.unwrap_or_else(|| Camera::frame(self.low, self.high, self.aspect));
        world.show_moved(&mut self.look);
        world.update_skin();
        self.renderer.draw(&camera, &self.look, &world.drawn())?;
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
        let Some((index, pending)) = drawn else {
            return Ok(());
        };
        let image: Image = self.renderer.finish_read(pending)?;
        let path = self.folder.join(format!("frame_{index:05}.png"));
        let writing = std::thread::spawn(move || write_png(&path, &image));
        self.writing.replace(writing).map_or(Ok(()), join)
    }
}

fn join(writing: JoinHandle<Result<()>>) -> Result<()> {
    writing.join().unwrap_or_else(|_| Err(Error::Device("writing a picture failed".into())))
}

/// The box around the solids that have an end.
fn standing(scene: &Scene) -> (Vec3, Vec3) {
    let nothing = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    scene.solids.iter().fold(nothing, |(low, high), solid| {
        let radius = match solid.shape {
            SolidShape::Plane { .. } => return (low, high),
            SolidShape::Sphere { radius } => radius,
            SolidShape::Box { size } => 0.5 * DVec3::from(size).length(),
        };
        let (centre, radius) = (DVec3::from(solid.position).as_vec3(), Vec3::splat(radius as f32));
        (low.min(centre - radius), high.max(centre + radius))
    })
}
