//! Pictures without a window: one, or an animated PNG.

use std::path::Path;

use pliant::render::Image;
use pliant::{Error, Result};

use super::Arguments;
use super::capture::{Capture, Shown};
use super::gui::{Figures, Gui, Painted, aspect};
use super::playback::Playback;
use super::stage::Stage;
use super::viewer::Viewer;
use crate::Outcome;
use crate::drawing::{Animation, legend};
use crate::run::writable;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Everything that makes a picture.
struct Studio {
    viewer: Viewer,
    gui: Gui,
    stage: Stage,
    capture: Capture,
    size: [u32; 2],
    panel: bool,
}

/// Writes what the arguments ask for.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let time = arguments.time()?;
    let plays = arguments.cache.is_some() || arguments.file.is_dir();
    if let (Some(path), None, false) = (&arguments.record, arguments.time, plays) {
        let want = "--time as well, which says when the recording ends";
        return Err(Error::value("--record", path.display(), want));
    }
    for (option, path, ends) in [
        ("--screenshot", &arguments.screenshot, ["png"].as_slice()),
        ("--record", &arguments.record, &["png", "apng"]),
    ] {
        if let Some(path) = path {
            named(option, path, ends)?;
            writable(option, path)?;
        }
    }
    let mut studio = Studio::new(arguments)?;
    let end = studio.viewer.playback.as_ref().map(Playback::end);
    let time = match (arguments.time, end) {
        (None, Some(end)) => end,
        (Some(time), Some(end)) if time > end + 1e-6 => {
            let want = format!("at most {end:.3} s, the end of the run");
            return Err(Error::value("--time", time, want));
        }
        _ => time,
    };
    if let Some(path) = &arguments.screenshot {
        let ran = studio.run_to(time);
        studio.frame_all(arguments);
        studio.viewer.look_afresh()?;
        // Where the world was stopped there is a last good state.
        let image = studio.image()?;
        pliant::render::write_png(path, &image)?;
        ran?;
    }
    if let Some(path) = &arguments.record {
        studio.frame_all(arguments);
        studio.record(path, time)?;
    }
    Ok(Outcome::Done)
}

/// The name of a picture's file says what is written; what exists and is no file may have any name.
fn named(option: &str, path: &Path, ends: &[&str]) -> Result<()> {
    let end = path.extension().and_then(|end| end.to_str());
    let fits = end.is_some_and(|end| ends.iter().any(|other| end.eq_ignore_ascii_case(other)));
    if fits || path.exists() && !path.is_file() {
        return Ok(());
    }
    let want = format!("a file name that ends in .{}", ends.join(" or ."));
    Err(Error::value(option, path.display(), want))
}

impl Studio {
    fn new(arguments: &Arguments) -> Result<Self> {
        let context = arguments.executor.context()?;
        let size = [arguments.size.0, arguments.size.1];
        let mut viewer = arguments.open(&context, size)?;
        viewer.show_panel(arguments.panel);
        viewer.options.label = arguments.panel;
        viewer.options.holds = arguments.panel;
        viewer.paused = false;
        for warning in viewer.world.warnings() {
            tell!("warning: {warning}");
        }
        Ok(Self {
            viewer,
            gui: Gui::default(),
            stage: Stage::new(&context, FORMAT)?,
            capture: Capture::new(&context, Path::new("."), FORMAT),
            size,
            panel: arguments.panel,
        })
    }

    /// Runs to a time [s], with a look at each frame on the way.
    fn run_to(&mut self, time: f64) -> Result<()> {
        let fps = self.viewer.fps;
        // The last of them is the time itself.
        let first = (self.viewer.world.time() * fps) as u64 + 1;
        let frames = (first..).map(|frame| frame as f64 / fps);
        for frame in frames.take_while(|frame| *frame < time - 1e-9) {
            self.frame(frame)?;
        }
        self.frame(time)
    }

    /// Takes the steps up to a time [s].
    fn frame(&mut self, time: f64) -> Result<()> {
        self.viewer.set_now(self.viewer.world.time());
        self.viewer.run_to(time);
        self.observe()?;
        match self.viewer.fault() {
            Some(fault) => Err(fault),
            None => Ok(()),
        }
    }

    /// The plots have every frame of a picture with a panel.
    fn observe(&mut self) -> Result<()> {
        if self.panel || self.viewer.follow || self.viewer.options.style.coloring.field().is_some()
        {
            self.viewer.look_closely()?;
        }
        Ok(())
    }

    /// Everything in view, as it is now, where no camera was asked for.
    fn frame_all(&mut self, arguments: &Arguments) {
        if arguments.style.camera.is_none() {
            // The layout says where the picture is.
            self.paint();
            let area = self.viewer.look.area(self.size);
            self.viewer.frame_all(aspect(area));
        }
    }

    /// The picture of the world as it is, with what lies over it.
    fn image(&mut self) -> Result<Image> {
        self.observe()?;
        // The first layout is for sizes alone.
        self.paint();
        let painted = self.paint();
        self.capture.image(&mut Shown {
            stage: &mut self.stage,
            viewer: &mut self.viewer,
            size: self.size,
            painted: &painted,
        })
    }

    fn paint(&mut self) -> Painted {
        let time = Some(self.viewer.world.time());
        let input = egui::RawInput { time, ..legend::input(self.size) };
        let figures = Figures::default();
        let (mut painted, _) = self.gui.run(input, &mut self.viewer, &figures, self.size, |_| {});
        self.stage.take_textures(&mut painted);
        painted
    }

    /// Writes an animated PNG that repeats for ever; where the world was stopped, of what came before.
    fn record(&mut self, path: &Path, end: f64) -> Result<()> {
        let fps = self.viewer.fps;
        let (mut images, mut ran) = (Vec::new(), Ok(()));
        for frame in 0..=(end * fps + 1e-9) as u32 {
            ran = self.run_to(f64::from(frame) / fps);
            if ran.is_err() {
                break;
            }
            images.push(self.image()?);
        }
        if let Some(first) = images.first() {
            let mut animation = Animation::create(path, first, images.len() as u32, fps)?;
            images.into_iter().try_for_each(|image| animation.push(image))?;
            animation.finish()?;
        }
        ran
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// Frames do not move the end.
    #[test]
    fn pictures_are_of_the_time_that_was_asked_for() {
        let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/soft_cube.toml");
        let line = ["view", scene, "--fps", "70", "--size", "64x48"];
        let Line { arguments } = clap::Parser::parse_from(line);
        let mut studio = Studio::new(&arguments).unwrap();
        let step = studio.viewer.world.stepping().step;
        for time in [0.001, 0.7, 0.71] {
            studio.run_to(time).unwrap();
            let reached = studio.viewer.world.time();
            assert!((reached - time).abs() < 0.51 * step, "{time}: {reached}");
        }
    }
}
