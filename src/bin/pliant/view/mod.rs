//! `pliant view`: a scene or a mesh in a window, or a picture of it.

mod capture;
mod framing;
mod gui;
mod history;
mod keys;
mod notice;
mod offscreen;
mod options;
mod overlay;
mod pace;
mod panel;
mod pull;
mod screen;
mod stage;
#[cfg(test)]
mod tests;
mod trace;
mod viewer;
mod window;

use std::path::PathBuf;

use clap::ValueEnum;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::render::{Background, Camera, Orbit, SurfaceStyle};

use crate::Outcome;
use crate::run::parse_size;
use options::{Coloring, Options};
use viewer::Viewer;

/// Options of `pliant view`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A scene file, or a mesh file, which falls on a floor as a soft body
    file: PathBuf,
    /// Write a picture at the time given and end, without a window
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// Write the pictures until the time given as one animated PNG (.png or .apng) and end, without a window
    #[arg(long, value_name = "FILE.png", conflicts_with = "screenshot", requires = "time")]
    record: Option<PathBuf>,
    /// Simulated time [s] to begin at, to the nearest step; of --record the end
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time: Option<f64>,
    /// Pictures per simulated second in recordings, instead of the scene's
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Size of the window or picture
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: (u32, u32),
    /// Where it is seen from, each x,y,z in metres; default: everything in view
    #[arg(long, value_name = "EYE:TARGET", allow_hyphen_values = true)]
    camera: Option<String>,
    /// How surfaces are drawn
    #[arg(long, value_enum, default_value_t = Surface::Smooth)]
    surface: Surface,
    /// What bodies are coloured by
    #[arg(long, value_enum, default_value_t = Coloring::Body)]
    color: Coloring,
    /// Shade of the background
    #[arg(long, value_enum, default_value_t = Shade::Dark)]
    background: Shade,
    /// Show forces at the points of the active body
    #[arg(long)]
    forces: bool,
    /// Show the penetration vectors of the active body's colliding points, 100 times enlarged, and the normals at the points of
    /// its rigid contacts
    #[arg(long)]
    penetrations: bool,
    /// Name of the body that is the active one
    #[arg(long, value_name = "NAME")]
    active: Option<String>,
    /// Show the panel in pictures, too
    #[arg(long)]
    panel: bool,
    /// Begin paused
    #[arg(long)]
    paused: bool,
    /// Folder for screenshots and recordings made in the window
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Part of an adapter's name
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Write a line of JSON per frame: what is shown, where the camera is, how long things took
    #[arg(long, value_name = "FILE", hide = true)]
    trace: Option<PathBuf>,
    /// Give the device up after so many frames, as if it were lost
    #[arg(long, value_name = "FRAMES", hide = true)]
    lose_device: Option<u64>,
}

/// The longest time a picture may be asked for [s].
const LONGEST: f64 = 1e6;

/// How surfaces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Surface {
    /// Round
    Smooth,
    /// One normal per triangle
    Flat,
    /// Flat, with the triangles' sides
    Edges,
    /// The coarse mesh as lines; of rigid bodies what they touch by
    Wireframe,
}

/// Shade of the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shade {
    /// Near white
    Light,
    /// Dark grey
    Dark,
}

/// Shows a file.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.screenshot.is_some() || arguments.record.is_some() {
        return offscreen::run(arguments);
    }
    window::run(arguments)
}

impl Arguments {
    /// The viewer shows what these say.
    fn apply(&self, viewer: &mut Viewer) -> Result<()> {
        viewer.options = Options {
            surface: match self.surface {
                Surface::Flat => SurfaceStyle::Flat,
                Surface::Edges => SurfaceStyle::Edges,
                Surface::Smooth | Surface::Wireframe => SurfaceStyle::Smooth,
            },
            wireframe: self.surface == Surface::Wireframe,
            forces: self.forces,
            penetrations: self.penetrations,
            coloring: self.color,
            background: match self.background {
                Shade::Light => Background::Light,
                Shade::Dark => Background::Dark,
            },
            ..viewer.options.clone()
        };
        viewer.look.background = viewer.options.background;
        if let Some(camera) = &self.camera {
            viewer.orbit = Orbit::from(Camera::parse(camera)?);
        }
        if let Some(name) = &self.active {
            let mut bodies = viewer.world.model().bodies.iter();
            let found = bodies.position(|body| body.name == *name);
            viewer.activate(found.ok_or_else(|| {
                let want = "the name of a body of the scene";
                pliant::Error::value("--active", format!("\"{name}\""), want)
            })?);
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
        let fps = self.fps.unwrap_or(viewer.world.scene().world.fps);
        if fps > 0.0 && fps <= 1000.0 {
            return Ok(fps);
        }
        Err(pliant::Error::value("--fps", fps, "more than 0 and at most 1000"))
    }
}
