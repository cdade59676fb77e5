//! Pictures without a window: one, or an animated PNG.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use pliant::render::Image;
use pliant::{Context, Error, Result};

use super::Arguments;
use super::capture::Capture;
use super::gui::{Figures, Gui, Painted, aspect};
use super::stage::Stage;
use super::viewer::Viewer;
use crate::Outcome;

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
    let mut studio = Studio::new(arguments)?;
    if let Some(path) = &arguments.screenshot {
        while studio.viewer.world.time() < time - 1e-9 {
            studio.frame()?;
        }
        let image = studio.image()?;
        pliant::render::write_png(path, &image)?;
    }
    if let Some(path) = &arguments.record {
        studio.record(path, time)?;
    }
    Ok(Outcome::Done)
}

impl Studio {
    fn new(arguments: &Arguments) -> Result<Self> {
        let context = Context::choose(arguments.adapter.as_deref())?;
        let size = [arguments.size.0, arguments.size.1];
        let mut viewer = Viewer::new(&context, &arguments.file, aspect(size))?;
        arguments.apply(&mut viewer)?;
        viewer.show_panel(arguments.panel);
        (viewer.by_frames, viewer.paused) = (true, false);
        Ok(Self {
            viewer,
            gui: Gui::default(),
            stage: Stage::new(&context, FORMAT)?,
            capture: Capture::new(&context, Path::new("."), FORMAT),
            size,
            panel: arguments.panel,
        })
    }

    /// Takes the steps of one frame.
    fn frame(&mut self) -> Result<()> {
        self.viewer.begin(self.viewer.world.time());
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

    /// The picture of the world as it is, with what lies over it.
    fn image(&mut self) -> Result<Image> {
        self.observe()?;
        let mut painted = self.paint();
        if self.panel {
            // The first layout of a panel is for sizes alone.
            painted = self.paint();
        }
        self.capture
            .image(&mut self.stage, &mut self.viewer, self.size, Some(&painted))
    }

    fn paint(&mut self) -> Painted {
        let [width, height] = self.size.map(|side| side as f32);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(
                egui::Pos2::ZERO,
                [width, height].into(),
            )),
            time: Some(self.viewer.world.time()),
            ..Default::default()
        };
        let figures = Figures::default();
        let (mut painted, _) = self
            .gui
            .run(input, &mut self.viewer, &figures, self.size, |_| {});
        self.stage.take_textures(&mut painted);
        painted
    }

    /// Writes an animated PNG that repeats for ever.
    fn record(&mut self, path: &Path, end: f64) -> Result<()> {
        let fps = self.viewer.fps;
        let images = (0..=(end * fps + 1e-9) as u32).map(|frame| {
            while self.viewer.world.time() < f64::from(frame) / fps - 1e-9 {
                self.frame()?;
            }
            self.image()
        });
        let images = images.collect::<Result<Vec<_>>>()?;
        write_animation(path, &images, fps)
    }
}

/// Pictures of one size as an animated PNG: each as the rectangle in which it differs from the one before.
fn write_animation(path: &Path, images: &[Image], fps: f64) -> Result<()> {
    let failed = |error: png::EncodingError| Error::io(path, error.into());
    let file = File::create(path).map_err(|error| Error::io(path, error))?;
    let Some(first) = images.first() else {
        return Ok(());
    };
    let mut encoder = png::Encoder::new(BufWriter::new(file), first.width, first.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
        .set_animated(images.len() as u32, 0)
        .map_err(failed)?;
    encoder
        .set_frame_delay(1000, (1000.0 * fps).round().clamp(1.0, 65_535.0) as u16)
        .map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    let mut before: Option<&Image> = None;
    for image in images {
        let [left, top, right, bottom] = before
            .map_or([0, 0, image.width, image.height], |before| {
                changed(before, image)
            });
        if before.is_some() {
            writer
                .set_frame_dimension(right - left, bottom - top)
                .map_err(failed)?;
            writer.set_frame_position(left, top).map_err(failed)?;
        }
        let rows = (top..bottom).flat_map(|y| (left..right).map(move |x| image.pixel(x, y)));
        let bytes: Vec<u8> = rows.flat_map(|[r, g, b, _]| [r, g, b]).collect();
        writer.write_image_data(&bytes).map_err(failed)?;
        before = Some(image);
    }
    writer.finish().map_err(failed)
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
