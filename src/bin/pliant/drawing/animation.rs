//! Animated PNG files.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use pliant::render::Image;
use pliant::{Error, Result};

/// Pictures of one size in one file that repeats for ever: each as the rectangle in which it differs from the one before.
/// The file has its name once it is complete.
pub struct Animation {
    path: PathBuf,
    part: PathBuf,
    /// None once the file is complete.
    writer: Option<png::Writer<BufWriter<File>>>,
    before: Option<Image>,
}

impl Animation {
    /// An animation of `count` pictures like the `first`, `fps` of them a second.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn create(path: &Path, first: &Image, count: u32, fps: f64) -> Result<Self> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part).map_err(|error| Error::io(&part, error))?;
        let begun = begin(BufWriter::new(file), first, count, fps);
        let writer = begun.map_err(|error| Error::io(path, error.into()))?;
        Ok(Self { path: path.into(), part, writer: Some(writer), before: None })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// A file that cannot be written; more pictures than were announced.
    pub fn push(&mut self, image: Image) -> Result<()> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let written = add(writer, self.before.as_ref(), &image);
        self.before = Some(image);
        written.map_err(|error| Error::io(&self.path, error.into()))
    }

    /// Completes the file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(mut self) -> Result<()> {
        let failed = |error: std::io::Error| Error::io(&self.path, error);
        if let Some(writer) = self.writer.take() {
            writer.finish().map_err(|error| failed(error.into()))?;
        }
        std::fs::rename(&self.part, &self.path).map_err(failed)
    }
}

impl Drop for Animation {
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // What is not complete is of no use.
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

fn begin<W: std::io::Write>(
    out: W,
    first: &Image,
    count: u32,
    fps: f64,
) -> std::result::Result<png::Writer<W>, png::EncodingError> {
    let mut encoder = png::Encoder::new(out, first.width, first.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_animated(count, 0)?;
    let (numerator, denominator) = fraction(1.0 / fps);
    encoder.set_frame_delay(numerator, denominator)?;
    encoder.write_header()
}

fn add<W: std::io::Write>(
    writer: &mut png::Writer<W>,
    before: Option<&Image>,
    image: &Image,
) -> std::result::Result<(), png::EncodingError> {
    let whole = [0, 0, image.width, image.height];
    let [left, top, right, bottom] = before.map_or(whole, |before| changed(before, image));
    if before.is_some() {
        writer.reset_frame_position()?;
        writer.set_frame_dimension(right - left, bottom - top)?;
        writer.set_frame_position(left, top)?;
    }
    let rows = (top..bottom).flat_map(|y| (left..right).map(move |x| image.pixel(x, y)));
    let pixels: Vec<u8> = rows.flat_map(|[r, g, b, _]| [r, g, b]).collect();
    writer.write_image_data(&pixels)
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
    use crate::folder::Folder;

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
        let folder = Folder::new("animation");
        let path = folder.path("movie.png");
        let mut animation = Animation::create(&path, &images[0], 4, 24.0).unwrap();
        for image in &images {
            assert!(!path.exists());
            animation.push(image.clone()).unwrap();
        }
        animation.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        drop(Animation::create(&path, &images[0], 4, 24.0).unwrap());
        assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1);
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
