//! Frames as pictures, drawn off screen once the run is over: only then is it known what has to be in view, and how far a
//! field reaches. A file is written while the next picture is drawn.

use std::path::PathBuf;
use std::thread::JoinHandle;

use pliant::inspect::Inspector;
use pliant::render::{Camera, Image, Look, PendingImage, Renderer, Wires, write_png};
use pliant::{Error, Result, World};

use super::frames::{ANIMATION, PICTURE, frame_name};
use super::{Files, Format};
#[cfg(feature = "viewer")]
use crate::drawing::legend::Legend;
use crate::drawing::{Animation, Extent, Style, Subject, Track, look};

/// Draws and writes pictures.
pub struct Pictures {
    renderer: Renderer,
    inspector: Inspector,
    wires: Wires,
    style: Style,
    look: Look,
    /// Given on the command line; else what matters is in view.
    camera: Option<Camera>,
    /// [pixels]
    size: [u32; 2],
    track: Track,
    extent: Extent,
    sink: Sink,
}

/// Where pictures go.
struct Sink {
    folder: PathBuf,
    /// Whether each is a file.
    single: bool,
    /// Whether all are one, too.
    animated: bool,
    fps: f64,
    /// What lies over each picture.
    #[cfg(feature = "viewer")]
    legend: Option<Legend>,
    animation: Option<Animation>,
    writing: Option<JoinHandle<Result<()>>>,
}

impl Pictures {
    /// Prepares pictures of this size [pixels].
    ///
    /// # Errors
    /// A size that cannot be drawn; a body to follow that is not there.
    pub(super) fn new(files: &Files<'_>, size: (u32, u32), world: &World) -> Result<Self> {
        let style = files.style.style();
        Ok(Self {
            renderer: Renderer::new(world.context(), size.0, size.1)?,
            inspector: Inspector::new(world),
            wires: Wires::new(world)?,
            style,
            look: look(world, style.background),
            camera: files.style.camera()?,
            size: [size.0, size.1],
            track: Track::new(world, files.style.follow(world)?),
            extent: Extent::default(),
            sink: Sink {
                folder: files.folder.clone(),
                single: files.has(Format::Png),
                animated: files.has(Format::Apng),
                fps: world.scene().world.fps,
                #[cfg(feature = "viewer")]
                legend: None,
                animation: None,
                writing: None,
            },
        })
    }

    /// Takes note of a frame of the run: where bodies are, and how far the field reaches.
    ///
    /// # Errors
    /// A lost device.
    pub fn watch(&mut self, world: &World) -> Result<()> {
        if let Some(field) = self.style.coloring.field() {
            self.inspector.field(world, field)?;
        }
        let sums = self.inspector.sums(world)?;
        if let Some(Extent(own)) = Extent::of(&sums, self.style.coloring) {
            self.extent.0 = self.extent.0.max(own);
        }
        world.show_moved(&mut self.look);
        self.track.push(world, &sums, &self.look);
        Ok(())
    }

    /// The field that the colours show, and the largest magnitude that has a colour of its own.
    pub fn legend(&self) -> Option<String> {
        let field = self.style.coloring.field()?;
        let high = self.style.scale(self.extent).high;
        Some(
            format!("colours: {} up to {high:.3e} {}", field.name(), field.unit())
                .trim_end()
                .into(),
        )
    }

    /// Draws the frames that were watched, which have these numbers, while `go_on` says so before each; returns how
    /// many it drew. `enter` puts the world into a frame's state.
    ///
    /// # Errors
    /// A lost device, a file that cannot be written, and those of `enter`.
    pub fn draw(
        &mut self,
        world: &mut World,
        frames: &[u64],
        mut go_on: impl FnMut() -> bool,
        enter: impl Fn(&mut World, u64) -> Result<()>,
    ) -> Result<usize> {
        let [width, height] = self.size.map(|side| side as f32);
        let cameras = self.track.cameras(self.camera, width / height);
        #[cfg(feature = "viewer")]
        {
            let colors = self.style.scale(self.extent);
            self.sink.legend =
                Legend::new(world.context(), self.size, self.style.coloring, colors)?;
        }
        let (mut drawing, mut drawn) = (None, 0);
        for (frame, camera) in frames.iter().zip(&cameras) {
            if !go_on() {
                break;
            }
            drawn += 1;
            enter(world, *frame)?;
            let pending = self.draw_one(world, camera)?;
            let before = drawing.replace((*frame, pending));
            self.take(before, frames.len())?;
        }
        self.take(drawing, frames.len())?;
        self.sink.finish(drawn == frames.len())?;
        Ok(drawn)
    }

    fn draw_one(&mut self, world: &mut World, camera: &Camera) -> Result<PendingImage> {
        world.show_moved(&mut self.look);
        world.update_skin();
        Subject::inspect(world, &mut self.inspector, &self.style)?;
        let subject = Subject {
            world,
            inspector: &self.inspector,
            wires: &self.wires,
            style: self.style,
            scale: self.style.scale(self.extent),
        };
        self.renderer.draw(camera, &self.look, &subject.bodies(|_| true, None))?;
        Ok(self.renderer.begin_read())
    }

    fn take(&mut self, drawn: Option<(u64, PendingImage)>, count: usize) -> Result<()> {
        match drawn {
            Some((frame, pending)) => {
                let image = self.renderer.finish_read(pending)?;
                self.sink.add(frame, image, count)
            }
            None => Ok(()),
        }
    }
}

impl Sink {
    /// Writes a picture of `count`.
    fn add(&mut self, frame: u64, image: Image, count: usize) -> Result<()> {
        #[cfg(feature = "viewer")]
        let image = match &self.legend {
            Some(legend) => legend.over(image),
            None => image,
        };
        if self.animated {
            let animation = match &mut self.animation {
                Some(animation) => animation,
                none => {
                    let path = self.folder.join(ANIMATION);
                    none.insert(Animation::create(&path, &image, count as u32, self.fps)?)
                }
            };
            animation.push(image.clone())?;
        }
        if !self.single {
            return Ok(());
        }
        let path = self.folder.join(frame_name(frame, PICTURE));
        let writing = std::thread::spawn(move || write_png(&path, &image));
        self.writing.replace(writing).map_or(Ok(()), join)
    }

    /// Completes the last files; an animation only of the `whole`.
    fn finish(&mut self, whole: bool) -> Result<()> {
        let last = self.writing.take().map_or(Ok(()), join);
        let animation = self.animation.take().filter(|_| whole);
        animation.map_or(Ok(()), Animation::finish).and(last)
    }
}

fn join(writing: JoinHandle<Result<()>>) -> Result<()> {
    writing.join().unwrap_or_else(|_| Err(Error::Device("writing a picture failed".into())))
}
