//! `pliant view`: a scene or a mesh in a window, or a picture of it.

mod capture;
mod gui;
mod history;
mod keys;
mod notice;
mod offscreen;
mod options;
mod overlay;
mod pace;
mod panel;
mod playback;
mod pull;
mod screen;
mod stage;
#[cfg(test)]
mod tests;
mod timeline;
mod trace;
mod viewer;
mod window;

use std::path::PathBuf;

use pliant::render::Orbit;
use pliant::{Context, Result};

use crate::Outcome;
use crate::drawing::{StyleArguments, body};
use crate::executor::Executor;
use crate::run::parse_size;
use gui::aspect;
use options::Options;
use viewer::Viewer;

/// Options of `pliant view`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A scene file; a mesh file to be dropped on a floor as a soft body; or the folder of a finished run to play
    file: PathBuf,
    /// Folder of a finished run of this scene, to play instead of simulating
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Without a window: write a picture at --time and exit
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// Without a window: write an animated PNG (.png or .apng) of everything up to --time and exit
    #[arg(long, value_name = "FILE.png", conflicts_with = "screenshot")]
    record: Option<PathBuf>,
    /// Simulated time [s] to start at, to the nearest step; with --record, to stop at [of a finished run: its end]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time: Option<f64>,
    /// Frames per simulated second in recordings, instead of the scene's
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Size of the window or picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: (u32, u32),
    #[command(flatten)]
    style: StyleArguments,
    /// Show the forces at the points of the selected body
    #[arg(long)]
    forces: bool,
    /// Show the penetration vectors of the selected body's colliding points, enlarged 100 times, and the normals of its rigid
    /// contacts
    #[arg(long)]
    penetrations: bool,
    /// Name of the body to select
    #[arg(long, value_name = "NAME")]
    active: Option<String>,
    /// Include the panel in pictures
    #[arg(long)]
    panel: bool,
    /// Start paused
    #[arg(long)]
    paused: bool,
    /// Folder for screenshots and recordings made in the window
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    #[command(flatten)]
    executor: Executor,
    /// Write a line of JSON per frame: what is shown, where the camera is, how long things took
    #[arg(long, value_name = "FILE", hide = true)]
    trace: Option<PathBuf>,
    /// Give the device up after so many frames, as if it were lost
    #[arg(long, value_name = "FRAMES", hide = true)]
    lose_device: Option<u64>,
}

/// The longest time a picture may be asked for [s].
const LONGEST: f64 = 1e6;

/// Shows a file.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.screenshot.is_some() || arguments.record.is_some() {
        return offscreen::run(arguments);
    }
    window::run(arguments)
}

impl Arguments {
    /// The viewer of what is named, for pictures of `size` [pixels].
    fn open(&self, context: &Context, size: [u32; 2]) -> Result<Viewer> {
        let mut viewer =
            Viewer::with_cache(context, &self.file, self.cache.as_deref(), aspect(size))?;
        self.apply(&mut viewer)?;
        Ok(viewer)
    }

    /// The viewer shows what these say.
    fn apply(&self, viewer: &mut Viewer) -> Result<()> {
        viewer.options = Options {
            style: self.style.style(),
            forces: self.forces,
            penetrations: self.penetrations,
            ..viewer.options.clone()
        };
        viewer.look.background = viewer.options.style.background;
        if let Some(camera) = self.style.camera()? {
            viewer.orbit = Orbit::from(camera);
        }
        if let Some(name) = &self.active {
            viewer.activate(body("--active", name, &viewer.world)?);
        }
        if let Some(body) = self.style.follow(&viewer.world)? {
            viewer.activate(body);
            viewer.follow = true;
        }
        viewer.paused = self.paused;
        viewer.fps = self.rate(viewer)?;
        Ok(())
    }

    /// The time that pictures begin, or end, at [s].
    fn time(&self) -> Result<f64> {
        let time = self.time.unwrap_or(0.0);
        match (0.0..=LONGEST).contains(&time) {
            true => Ok(time),
            false => Err(pliant::Error::value("--time", time, "a time from 0 to 1e6 s")),
        }
    }

    /// Pictures per simulated second.
    fn rate(&self, viewer: &Viewer) -> Result<f64> {
        let fps = self.fps.unwrap_or(viewer.fps);
        if fps > 0.0 && fps <= 1000.0 {
            return Ok(fps);
        }
        Err(pliant::Error::value("--fps", fps, "more than 0 and at most 1000"))
    }
}
