//! Pictures in host memory and as PNG files.

use std::io::{self, Write};
use std::path::Path;

use crate::file::write_whole;
use crate::{Error, Result};

/// A picture: rows from the top, four bytes (red, green, blue, alpha; sRGB) per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub pixels: Vec<u8>,
}

impl Image {
    /// The pixel in column `x` from the left and row `y` from the top.
    ///
    /// # Panics
    /// Outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(
            x < self.width && y < self.height,
            "pixel ({x}, {y}) of {} x {}",
            self.width,
            self.height
        );
        let at = 4 * (y as usize * self.width as usize + x as usize);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2], self.pixels[at + 3]]
    }
}

/// Writes an opaque picture as an RGB PNG file: under a temporary name beside `path` first, so that `path` never holds
/// half a picture.
///
/// # Errors
/// [`Error::Io`] when the file cannot be written, [`Error::Value`] when the pixels do not fit the size.
pub fn write_png(path: &Path, image: &Image) -> Result<()> {
    let wanted = 4 * u64::from(image.width) * u64::from(image.height);
    if image.pixels.len() as u64 != wanted || wanted == 0 {
        let got =
            format!("{} bytes for {} x {} pixels", image.pixels.len(), image.width, image.height);
        let want = "four bytes per pixel, at least one pixel";
        return Err(Error::value(path.display().to_string(), got, want));
    }
    write_whole(path, |out| encode(out, image))
}

fn encode(out: &mut dyn Write, image: &Image) -> io::Result<()> {
    let opaque: Vec<u8> =
        image.pixels.as_chunks().0.iter().flat_map(|&[r, g, b, _]: &[u8; 4]| [r, g, b]).collect();
    let mut encoder = png::Encoder::new(out, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(io::Error::from)?;
    writer.write_image_data(&opaque).map_err(io::Error::from)?;
    writer.finish().map_err(io::Error::from)
}
