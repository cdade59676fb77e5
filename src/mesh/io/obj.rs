//! Wavefront OBJ: `v`, `vt` and `f`; everything else is passed over. Without any `f` it is a point cloud.
//!
//! Read here and not by `tobj`, which names no line in its messages, keeps coordinates as f32, and overflows on some
//! negative indices.

use super::cursor::{Cursor, Words};
use super::fan;
use crate::error::Result;
use crate::mesh::{Mesh, PointCloud, Surface, TextureCoordinates};
use glam::DVec3;
use std::fmt::Write;
use std::path::Path;

/// A corner as the file gives it, resolved to indices from 0.
#[derive(Clone, Copy)]
struct Corner {
    point: u32,
    texture: Option<u32>,
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    points: Vec<DVec3>,
    textures: Vec<[f32; 2]>,
    triangles: Vec<[Corner; 3]>,
    /// The line of each triangle, for indices that turn out too large.
    lines: Vec<usize>,
}

/// Reads a file. Polygons are cut into fans; texture coordinates are kept when every corner has one.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let mut reader = Reader::default();
    let joined = join_continued(bytes);
    let mut cursor = Cursor::new(path, &joined);
    while let Some(mut words) = cursor.line() {
        match words.word() {
            Some("v") => reader.points.push(words.point()?),
            Some("vt") => {
                let u = words.float("u")?;
                let v = if words.is_finished() { 0.0 } else { words.float("v")? };
                reader.textures.push([u as f32, v as f32]);
            }
            Some("f") => reader.face(&mut words)?,
            _ => {}
        }
    }
    reader.finish(path)
}

/// A backslash at the end of a line joins it to the next; blanked out in place, so that line numbers stay close.
fn join_continued(bytes: &[u8]) -> Vec<u8> {
    let mut joined = bytes.to_vec();
    for i in 0..joined.len() {
        let end = if joined[i..].starts_with(b"\\\r\n") {
            i + 3
        } else if joined[i..].starts_with(b"\\\n") {
            i + 2
        } else {
            continue;
        };
        joined[i..end].fill(b' ');
    }
    joined
}

impl Reader {
    fn face(&mut self, words: &mut Words) -> Result<()> {
        let mut corners = Vec::new();
        while let Some(word) = words.word() {
            let word = word.to_string();
            let mut parts = word.split('/');
            let point = parts.next().and_then(|part| resolve(part, self.points.len()));
            let texture = match parts.next() {
                None | Some("") => Some(None),
                Some(part) => resolve(part, self.textures.len()).map(Some),
            };
            let (Some(point), Some(texture)) = (point, texture) else {
                let word = super::cursor::shortened(&word);
                return Err(words.error(format!(
                    "face corner `{word}`, wanted indices from 1, or negative ones that count back from the last"
                )));
            };
            corners.push(Corner { point, texture });
        }
        if corners.len() < 3 {
            let message = format!("a face has {} corners, wanted at least 3", corners.len());
            return Err(words.error(message));
        }
        self.triangles.extend(fan(&corners));
        self.lines.resize(self.triangles.len(), words.line);
        Ok(())
    }

    fn finish(self, path: &Path) -> Result<Mesh> {
        if self.triangles.is_empty() {
            return Ok(Mesh::Points(PointCloud::new(self.points)?));
        }
        for (triangle, line) in self.triangles.iter().zip(&self.lines) {
            for corner in triangle {
                let (points, textures) = (self.points.len(), self.textures.len().max(1));
                for (index, count, what) in [
                    (corner.point, points, "points"),
                    (corner.texture.unwrap_or(0), textures, "texture coordinates"),
                ] {
                    if index as usize >= count {
                        let number = u64::from(index) + 1;
                        let message = format!("a face refers to number {number} of {count} {what}");
                        return Err(crate::Error::file(path, format!("line {line}"), message));
                    }
                }
            }
        }
        let textures = |[a, b, c]: &[Corner; 3]| Some([a.texture?, b.texture?, c.texture?]);
        let corners: Option<Vec<_>> = self.triangles.iter().map(textures).collect();
        let uv = corners
            .filter(|_| !self.textures.is_empty())
            .map(|corners| TextureCoordinates { values: self.textures, corners });
        let triangles = self.triangles.iter().map(|t| t.map(|c| c.point)).collect();
        Ok(Mesh::Surface(Surface::new(self.points, triangles, uv)?))
    }
}

/// An index from 1, or from −1 backwards, as one from 0.
fn resolve(word: &str, count: usize) -> Option<u32> {
    let index: i64 = word.parse().ok()?;
    let from_zero =
        if index > 0 { index - 1 } else { i64::try_from(count).ok()?.checked_add(index)? };
    if index == 0 { None } else { u32::try_from(from_zero).ok() }
}

/// Writes a surface, with its texture coordinates; points without triangles as `p` elements.
pub fn write(surface: &Surface) -> Vec<u8> {
    let mut text = String::from("# pliant\n");
    for p in &surface.points {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    let uv = surface.uv.as_ref();
    for [u, v] in uv.map(|uv| uv.values.as_slice()).unwrap_or_default() {
        let _ = writeln!(text, "vt {u} {v}");
    }
    if surface.triangles.is_empty() {
        for i in 1..=surface.points.len() {
            let _ = writeln!(text, "p {i}");
        }
    }
    for (i, triangle) in surface.triangles.iter().enumerate() {
        text.push('f');
        for (k, point) in triangle.iter().enumerate() {
            let _ = match uv {
                Some(uv) => write!(text, " {}/{}", point + 1, uv.corners[i][k] + 1),
                None => write!(text, " {}", point + 1),
            };
        }
        text.push('\n');
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::io::tests::assert_faults;

    fn read_text(text: &str) -> Result<Mesh> {
        read(Path::new("a.obj"), text.as_bytes())
    }

    fn surface(text: &str) -> Surface {
        crate::mesh::io::tests::surface(read_text(text))
    }

    #[test]
    fn polygons_negative_indices_comments_and_continued_lines() {
        let text = "# caf\u{e9}\no thing\nv 0 0 0\r\nv 1 0 0 # corner\nv 1 1 0\nv 0 1 0\nvn 0 0 1\ns 1\nf 1//1 2//1 \\\n 3//1 -1//1\n";
        let surface = surface(text);
        assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert!(surface.uv.is_none());
    }

    #[test]
    fn texture_coordinates_are_kept_when_complete() {
        let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0.5 0\nvt 0.25\n";
        let uv = surface(&format!("{points}f 1/1 2/2 3/3\n")).uv.unwrap();
        assert_eq!(uv.values[1], [1.0, 0.5]);
        assert_eq!(uv.corners, [[0, 1, 2]]);
        assert!(surface(&format!("{points}f 1/1 2/2 3/3\nf 1 3 2\n")).uv.is_none());
    }

    #[test]
    fn faults_name_the_line() {
        let after = |text: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{text}\n");
        let faults = [
            ("v 0 x 0\n", "line 1: y is `x`"),
            ("v 0 nan 0\n", "line 1"),
            ("v 0 0\n", "z is missing"),
            (&after("f 1 2 0"), "line 4"),
            (&after("f 1 2 -4"), "line 4"),
            (&after("f 1 2 9999999999"), "line 4"),
            (&after("f 1 2"), "line 4: a face has 2 corners"),
            (&after("\nf 1 2 3\nf 1 2 4"), "line 6: a face refers to number 4 of 3 points"),
            (&after("f 1/-9223372036854775808 2 3"), "line 4"),
            (&after("f 1/1 2/1 3/2\nvt 0 0"), "number 2 of 1 texture"),
            ("# nothing\nf\n", "line 2: a face has 0 corners"),
            ("vt 0 0\n", "no points"),
            ("v 0 0 1e30\n", "point 0"),
        ];
        assert_faults(read_text, &faults);
    }

    #[test]
    fn vertices_alone_are_a_cloud() {
        let cloud = PointCloud { points: vec![DVec3::ZERO, DVec3::new(1.0, -2.0, 0.5)] };
        let text = "o dust\nv 0 0 0\nv 1 -2 0.5 0.9 0.1 0.1\np 1 2\n";
        assert_eq!(read_text(text).unwrap(), Mesh::Points(cloud));
    }
}
