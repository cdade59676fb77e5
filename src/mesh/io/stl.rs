//! STL, text and binary. Corners in exactly the same place become one point.
//!
//! Read here and not by `stl_io`, which takes binary files that begin with `solid` (many do) for text, and names no
//! line in its messages.

use super::cursor::Cursor;
use crate::error::{Error, Result};
use crate::mesh::{Mesh, Surface};
use glam::{DVec3, Vec3};
use std::collections::HashMap;
use std::path::Path;

/// The length of a binary header with the count of triangles, and of one triangle.
const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads a file. It is binary when its length is that of the count of triangles in its header.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let count = bytes.first_chunk::<HEADER>().and_then(|header| header.last_chunk());
    let length = |count| HEADER as u64 + RECORD as u64 * u64::from(u32::from_le_bytes(count));
    let binary_length = count.map(|count| length(*count));
    let header = |message| Error::file(path, "header", message);
    let word = bytes.trim_ascii_start().get(..5);
    // A binary file that was cut off may begin with it, too.
    let text = word.is_some_and(|w| w.eq_ignore_ascii_case(b"solid")) && !bytes.contains(&0);
    let corners = match binary_length {
        Some(length) if length == bytes.len() as u64 => binary(path, bytes)?,
        _ if text => ascii(path, bytes)?,
        // Some programs pad the end.
        Some(length) if length < bytes.len() as u64 => binary(path, &bytes[..length as usize])?,
        Some(length) => {
            let had = bytes.len();
            return Err(header(format!(
                "the file has {had} bytes, but its header announces {length}"
            )));
        }
        None => {
            let wanted = format!("neither `solid` nor the {HEADER} bytes of a binary header");
            return Err(header(format!("{wanted}: {} bytes", bytes.len())));
        }
    };
    Ok(Mesh::Surface(merged(&corners)?))
}

fn binary(path: &Path, bytes: &[u8]) -> Result<Vec<DVec3>> {
    let mut corners = Vec::with_capacity(bytes.len() / RECORD * 3);
    for (i, record) in bytes[HEADER..].chunks_exact(RECORD).enumerate() {
        // Twelve bytes of normal, three corners, two bytes of attributes.
        for corner in record[12..48].chunks_exact(12) {
            let numbers: [[u8; 4]; 3] = bytemuck::pod_read_unaligned(corner);
            let corner = Vec3::from(numbers.map(f32::from_le_bytes));
            if !corner.is_finite() {
                let message = format!("a corner is at {corner}, wanted finite coordinates");
                return Err(Error::file(path, format!("triangle {i}"), message));
            }
            corners.push(corner.as_dvec3());
        }
    }
    Ok(corners)
}

fn ascii(path: &Path, bytes: &[u8]) -> Result<Vec<DVec3>> {
    let mut cursor = Cursor::new(path, bytes);
    let mut corners = Vec::new();
    while let Some(mut words) = cursor.line() {
        let keyword = words.word().unwrap_or_default().to_ascii_lowercase();
        match keyword.as_str() {
            "vertex" => corners.push(words.point()?),
            "endloop" if corners.len() % 3 != 0 => {
                return Err(words.error("a loop does not have 3 corners; STL holds triangles only"));
            }
            "solid" | "endsolid" | "facet" | "endfacet" | "outer" | "endloop" => {}
            _ => {
                let word = super::cursor::shortened(&keyword);
                let wanted = "facet, outer loop, vertex, endloop or endfacet";
                return Err(words.error(format!("`{word}`, wanted {wanted}")));
            }
        }
    }
    match corners.len() % 3 {
        0 => Ok(corners),
        _ => Err(cursor.error("the file ends in the middle of a triangle")),
    }
}

/// A surface from three corners per triangle.
fn merged(corners: &[DVec3]) -> Result<Surface> {
    let mut seen: HashMap<[u64; 3], u32> = HashMap::new();
    let mut points = Vec::new();
    let mut indices = Vec::with_capacity(corners.len());
    for &corner in corners {
        // + 0.0 makes one zero of two.
        let index = *seen.entry((corner + 0.0).to_array().map(f64::to_bits)).or_insert_with(|| {
            points.push(corner);
            points.len() as u32 - 1
        });
        indices.push(index);
    }
    Surface::new(points, indices.as_chunks::<3>().0.to_vec(), None)
}

/// Writes a binary file; coordinates become f32. A surface without triangles gives an empty file of 84 bytes.
pub fn write(surface: &Surface) -> Vec<u8> {
    let mut bytes = vec![0u8; HEADER - 4];
    bytes[..6].copy_from_slice(b"pliant");
    bytes.extend((surface.triangles.len() as u32).to_le_bytes());
    for i in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(i);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for x in [normal, a, b, c].iter().flat_map(|v| v.to_array()) {
            bytes.extend((x as f32).to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::io::tests::{assert_faults, surface};

    const TEXT: &str = "SOLID\nfacet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n\
        facet normal 0 0 1\n outer loop\n vertex 1 0 0\n vertex 1 1 0\n vertex 0 1 -0\n endloop\nendfacet\nendsolid\n";

    #[test]
    fn text_and_binary_agree_even_when_binary_begins_with_solid() {
        let text = surface(read(Path::new("a.stl"), TEXT.as_bytes()));
        assert_eq!((text.points.len(), text.triangles.len()), (4, 2));
        let mut bytes = write(&text);
        bytes[..6].copy_from_slice(b"solid ");
        let cut = read(Path::new("cut.stl"), &bytes[..bytes.len() - 7]).unwrap_err().to_string();
        assert!(cut.contains("its header announces"), "{cut}");
        assert_eq!(read(Path::new("a.stl"), &bytes).unwrap(), Mesh::Surface(text.clone()));
        bytes[..6].copy_from_slice(b"binary");
        bytes.extend([0; 7]);
        assert_eq!(read(Path::new("a.stl"), &bytes).unwrap(), Mesh::Surface(text));
    }

    #[test]
    fn faults_name_the_place() {
        let fault = |bytes: &[u8]| read(Path::new("a.stl"), bytes).unwrap_err().to_string();
        assert!(fault(b"").contains("header"));
        let cut = &TEXT[..TEXT.find(" vertex 0 1 0").unwrap()];
        let faults = [
            (&*TEXT.replacen("1 0 0", "1 nan 0", 1), "line 5"),
            (&TEXT.replacen("vertex 0 0 0\n", "", 1), "line 6: a loop"),
            (cut, "middle of a triangle"),
        ];
        assert_faults(|text| read(Path::new("a.stl"), text.as_bytes()), &faults);
        let mut huge = vec![0u8; HEADER];
        huge[80..].fill(0xff);
        assert!(fault(&huge).contains("its header announces 214748364834"));
        let mut bytes = write(&surface(read(Path::new("a.stl"), TEXT.as_bytes())));
        bytes[HEADER + RECORD + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(fault(&bytes).contains("triangle 1"));
    }
}
