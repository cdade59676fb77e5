//! Pictures without a window: one, or an animated PNG.

use std::path::Path;

use pliant::render::Image;
use pliant::{Context, Error, Result};

use super::Arguments;
use super::capture::{Capture, Shown};
use super::gui::{Figures, Gui, Painted, aspect};
use super::stage::Stage;
use super::viewer::Viewer;
use crate::Outcome;
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
    for (option, path, ends) in [
        ("--screenshot", &arguments.screenshot, ["png"].as_slice()),
        ("--record", &arguments.record, &["png", "apng"]),
    ] {
        if let Some(path) = path {
            named(option, path, ends)?;
            writable(path)?;
        }
    }
    let mut studio = Studio::new(arguments)?;
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
    let want = format!("a file's name that ends in .{}", ends.join(" or ."));
    Err(Error::value(option, path.display(), want))
}

impl Studio {
    fn new(arguments: &Arguments) -> Result<Self> {
        let context = Context::choose(arguments.adapter.as_deref())?;
        let size = [arguments.size.0, arguments.size.1];
        let mut viewer = Viewer::new(&context, &arguments.file, aspect(size))?;
        arguments.apply(&mut viewer)?;
        viewer.show_panel(arguments.panel);
        viewer.options.label = arguments.panel;
        viewer.paused = false;
        for warning in viewer.world.warnings() {
            eprintln!("warning: {warning}");
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
        if self.panel || self.viewer.options.coloring.field().is_some() {
            self.viewer.look_closely()?;
        }
        Ok(())
    }

    /// Everything in view, as it is now, where no camera was asked for.
    fn frame_all(&mut self, arguments: &Arguments) {
        if arguments.camera.is_none() {
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
        let [width, height] = self.size.map(|side| side as f32);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, [width, height].into())),
            time: Some(self.viewer.world.time()),
            ..Default::default()
        };
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
        let bytes = animation(&images, fps).map_err(|error| Error::io(path, error.into()))?;
        pliant::write_file(path, &bytes)?;
        ran
    }
}

/// Pictures of one size as an animated PNG: each as the rectangle in which it differs from the one before.
fn animation(images: &[Image], fps: f64) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let Some(first) = images.first() else {
        return Ok(bytes);
    };
    let mut encoder = png::Encoder::new(&mut bytes, first.width, first.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_animated(images.len() as u32, 0)?;
    let (numerator, denominator) = fraction(1.0 / fps);
    encoder.set_frame_delay(numerator, denominator)?;
    let mut writer = encoder.write_header()?;
    let mut before: Option<&Image> = None;
    for image in images {
        let whole = [0, 0, image.width, image.height];
        let [left, top, right, bottom] = before.map_or(whole, |before| changed(before, image));
        if before.is_some() {
            writer.reset_frame_position()?;
            writer.set_frame_dimension(right - left, bottom - top)?;
            writer.set_frame_position(left, top)?;
        }
        let rows = (top..bottom).flat_map(|y| (left..right).map(move |x| image.pixel(x, y)));
        let pixels: Vec<u8> = rows.flat_map(|[r, g, b, _]| [r, g, b]).collect();
        writer.write_image_data(&pixels)?;
        before = Some(image);
    }
    writer.finish()?;
    Ok(bytes)
}

/// A number from 1/65535 on as a fraction: the last of its continued fraction's convergents that an animation can hold.
fn fraction(value: f64) -> (u16, u16) {
    let most = f64::from(u16::MAX);
    let value = value.min(most);
    let (mut before, mut last, mut rest) = ((0.0, 1.0), (1.0, 0.0), value);
    // As exact as a number of twice the digits of 65535.
    while (last.0 - value * last.1).abs() > 1e-10 * last.0 {
        let whole = rest.floor();
        let next = (whole * last.0 + before.0, whole * last.1 + before.1);
        if next.0 > most || next.1 > most {
            break;
        }
        (before, last) = (last, next);
        rest = 1.0 / (rest - whole);
    }
    (last.0 as u16, last.1 as u16)
}

/// The rectangle in which two pictures differ: left, top, right, bottom; at least one pixel.
fn changed(before: &Image, after: &Image) -> [u32; 4] {
    let mut found = [after.width, after.height, 0, 0];
    for y in 0..after.height {
        for x in 0..after.width {
            if before.pixel(x, y) != after.pixel(x, y) {
                let [left, top, right, bottom] = found;
                found = [left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)];
            }
        }
    }
    match found[2] {
        0 => [0, 0, 1, 1],
        _ => found,
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

    #[test]
    fn delays_are_exact() {
        for (fps, wanted) in [
            (1.0, (1, 1)),
            (0.4, (5, 2)),
            (23.976, (125, 2997)),
            (29.97, (100, 2997)),
            (30_000.0 / 1001.0, (1001, 30_000)),
            (60.0, (1, 60)),
            (65.5, (2, 131)),
            (70.0, (1, 70)),
            (240.0, (1, 240)),
            (999.9, (10, 9999)),
            (1000.0, (1, 1000)),
            (1e-9, (65_535, 1)),
        ] {
            assert_eq!(fraction(1.0 / fps), wanted, "{fps}");
        }
        let (numerator, denominator) = fraction(1.0 / (70.0 * std::f64::consts::PI));
        let rate = f64::from(denominator) / f64::from(numerator);
        assert!((rate / (70.0 * std::f64::consts::PI) - 1.0).abs() < 1e-7);
    }

    /// Squares that jump about, one picture like the one before.
    #[test]
    fn animations_hold_every_picture() {
        let image = |left: u32, top: u32| {
            let square = |at: u32| {
                let (x, y) = (at % 12, at / 12);
                let inside = (left..left + 3).contains(&x) && (top..top + 2).contains(&y);
                if inside { [200, 10, 30, 255] } else { [0, 0, 90, 255] }
            };
            Image { width: 12, height: 9, pixels: (0..12 * 9).flat_map(square).collect() }
        };
        let images = [image(0, 0), image(9, 7), image(9, 7), image(2, 3)];
        let bytes = animation(&images, 24.0).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let control = reader.info().animation_control.unwrap();
        assert_eq!((control.num_frames, control.num_plays), (4, 0));
        let mut shown = image(0, 0);
        for wanted in &images {
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut pixels).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            assert_eq!((frame.delay_num, frame.delay_den), (1, 24));
            for y in 0..info.height {
                for x in 0..info.width {
                    let from = 3 * (y * info.width + x) as usize;
                    let to = 4 * ((frame.y_offset + y) * 12 + frame.x_offset + x) as usize;
                    shown.pixels[to..to + 3].copy_from_slice(&pixels[from..from + 3]);
                }
            }
            assert_eq!(&shown, wanted);
        }
    }
}
