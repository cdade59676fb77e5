//! Wavefront OBJ: `v`, `vt`, `vn`, `s` and `f`; everything else is passed over. Without any `f` it is a point cloud.
//!
//! Read here and not by `tobj`, which names no line in its messages, keeps coordinates as f32, and overflows on some
//! negative indices.

use super::cursor::{Cursor, Words};
use super::cut;
use crate::error::Result;
use crate::mesh::{Mesh, PointCloud, Surface, TextureCoordinates, polygon};
use glam::{DVec3, Vec3};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// A corner as the file gives it, resolved to indices from 0.
#[derive(Clone, Copy)]
struct Corner {
    point: u32,
    texture: Option<u32>,
    normal: Option<u32>,
}

/// A polygon.
struct Face {
    /// For indices that turn out too large.
    line: usize,
    /// The smoothing group, 0 for none; nothing where the file has not said.
    group: Option<u32>,
    corners: Vec<Corner>,
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    points: Vec<DVec3>,
    textures: Vec<[f32; 2]>,
    normals: Vec<Vec3>,
    faces: Vec<Face>,
    /// Of the faces that follow.
    group: Option<u32>,
}

/// Reads a file. Polygons are cut into triangles; texture coordinates are kept when every corner has one. Normals and
/// smoothing groups are kept as normals.
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
            Some("vn") => {
                // A word that is no number makes a normal that says nothing.
                let normal = [(); 3].map(|()| words.word().and_then(|word| word.parse().ok()));
                reader.normals.push(Vec3::from(normal.map(|x| x.unwrap_or(f32::NAN))));
            }
            Some("s") => {
                reader.group = words.word().and_then(|word| match word {
                    "off" => Some(0),
                    number => number.parse().ok(),
                });
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
            // A normal that does not exist says nothing.
            let normal = parts.next().and_then(|part| resolve(part, self.normals.len()));
            let (Some(point), Some(texture)) = (point, texture) else {
                let word = super::cursor::shortened(&word);
                return Err(words.error(format!(
                    "face corner `{word}`, wanted indices from 1, or negative ones that count back from the last"
                )));
            };
            corners.push(Corner { point, texture, normal });
        }
        if corners.len() < 3 {
            let message = format!("a face has {} corners, wanted at least 3", corners.len());
            return Err(words.error(message));
        }
        self.faces.push(Face { line: words.line, group: self.group, corners });
        Ok(())
    }

    fn finish(self, path: &Path) -> Result<Mesh> {
        if self.faces.is_empty() {
            return Ok(Mesh::Points(PointCloud::new(self.points)?));
        }
        for Face { line, corners, .. } in &self.faces {
            for corner in corners {
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
        let groups = self.groups();
        let (mut triangles, mut normals) = (Vec::new(), Vec::new());
        for face in &self.faces {
            let given: Vec<_> =
                face.corners.iter().map(|c| self.normal(face, *c, &groups)).collect();
            let numbers: Vec<_> = (0..given.len()).collect();
            for triangle in cut(&numbers, |k| self.place(face.corners[k])) {
                triangles.push(triangle.map(|k| face.corners[k]));
                normals.push(triangle.map(|k| given[k]));
            }
        }
        let textures = |[a, b, c]: &[Corner; 3]| Some([a.texture?, b.texture?, c.texture?]);
        let corners: Option<Vec<_>> = triangles.iter().map(textures).collect();
        let uv = corners
            .filter(|_| !self.textures.is_empty())
            .map(|corners| TextureCoordinates { values: self.textures, corners });
        let triangles = triangles.iter().map(|t| t.map(|c| c.point)).collect();
        let mut surface = Surface::new(self.points, triangles, uv)?;
        if normals.as_flattened().iter().any(|normal| *normal != Vec3::ZERO) {
            surface.corner_normals = normals;
        }
        Ok(Mesh::Surface(surface))
    }

    fn place(&self, corner: Corner) -> DVec3 {
        self.points[corner.point as usize]
    }

    /// A place, smoothing group by smoothing group: points are doubled along seams of textures.
    fn key(&self, group: u32, corner: Corner) -> (u32, [u64; 3]) {
        (group, (self.place(corner) + DVec3::ZERO).to_array().map(f64::to_bits))
    }

    /// The normals of a face's plane.
    fn facet(&self, face: &Face) -> DVec3 {
        let places: Vec<_> = face.corners.iter().map(|corner| self.place(*corner)).collect();
        polygon::normal(&places)
    }

    /// Of each smoothing group the normals at its points.
    fn groups(&self) -> HashMap<(u32, [u64; 3]), DVec3> {
        let mut groups = HashMap::new();
        for face in &self.faces {
            if let Some(group @ 1..) = face.group {
                let facet = self.facet(face);
                for corner in &face.corners {
                    *groups.entry(self.key(group, *corner)).or_default() += facet;
                }
            }
        }
        groups
    }

    /// What the file says of a corner's normal: its own, or that of the smoothing group; 0 where it says nothing.
    fn normal(
        &self,
        face: &Face,
        corner: Corner,
        groups: &HashMap<(u32, [u64; 3]), DVec3>,
    ) -> Vec3 {
        let own = corner.normal.and_then(|i| self.normals.get(i as usize));
        let of_group = |group| match group {
            0 => self.facet(face),
            group => groups[&self.key(group, corner)],
        };
        let of_group = || face.group.map_or(DVec3::ZERO, of_group).as_vec3();
        own.map_or_else(of_group, |normal| *normal).normalize_or_zero()
    }
}

/// An index from 1, or from −1 backwards, as one from 0.
fn resolve(word: &str, count: usize) -> Option<u32> {
    let index: i64 = word.parse().ok()?;
    let from_zero =
        if index > 0 { index - 1 } else { i64::try_from(count).ok()?.checked_add(index)? };
    if index == 0 { None } else { u32::try_from(from_zero).ok() }
}

/// Writes a surface, with its texture coordinates and normals; points without triangles as `p` elements.
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
    let mut numbers = HashMap::new();
    for normal in surface.corner_normals.as_flattened() {
        let number = numbers.len() + 1;
        numbers.entry(normal.to_array().map(f32::to_bits)).or_insert_with(|| {
            let _ = writeln!(text, "vn {} {} {}", normal.x, normal.y, normal.z);
            number
        });
    }
    for (i, triangle) in surface.triangles.iter().enumerate() {
        text.push('f');
        for (k, point) in triangle.iter().enumerate() {
            let coordinate = uv.map(|uv| (uv.corners[i][k] + 1).to_string()).unwrap_or_default();
            let normal =
                surface.corner_normals.get(i).map(|n| numbers[&n[k].to_array().map(f32::to_bits)]);
            let _ = match (coordinate.as_str(), normal) {
                ("", None) => write!(text, " {}", point + 1),
                (_, None) => write!(text, " {}/{coordinate}", point + 1),
                (_, Some(normal)) => write!(text, " {}/{coordinate}/{normal}", point + 1),
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

    /// An arrowhead, whose notch is the last corner: a fan from the first would cover ground outside of it.
    #[test]
    fn a_face_that_is_not_convex_is_cut_inside() {
        let points = "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\n";
        let surface = surface(&format!("{points}f 1 2 3 4\n"));
        let areas: Vec<_> = surface
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| surface.points[i as usize]);
                (b - a).cross(c - a).z
            })
            .collect();
        assert_eq!(areas, [1.0, 1.0]);
    }

    /// Two squares at a right angle about the edge from 2 to 3.
    const FOLD: &str =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 -1\nv 1 1 -1\nvn 0 0 3\nvn 1 0 0\nvn x\n";

    #[test]
    fn normals_and_smoothing_groups_are_those_of_corners() {
        let read = |faces: &str| surface(&format!("{FOLD}{faces}")).corner_normals;
        let diagonal = Vec3::new(1.0, 0.0, 1.0).normalize();
        // Those of the corners 1, 2 and 3, and 2, 5 and 6.
        let both = |normals: Vec<[Vec3; 3]>| [normals[0], normals[2]];
        let (square, side) = (" 1 2 3 4\n", " 2 5 6 3\n");
        let given = "f 1//1 2//1 3//1 4//1\nf 2//2 5//2 6//3 3//9\n";
        assert_eq!(both(read(given)), [[Vec3::Z; 3], [Vec3::X, Vec3::X, Vec3::ZERO]]);
        for hard in [format!("s off\nf{square}f{side}"), format!("s 1\nf{square}s 2\nf{side}")] {
            assert_eq!(both(read(&hard)), [[Vec3::Z; 3], [Vec3::X; 3]]);
        }
        let smooth = both(read(&format!("s 1\nf{square}f{side}")));
        assert_eq!(smooth[0], [Vec3::Z, diagonal, diagonal]);
        assert_eq!(smooth[1], [diagonal, Vec3::X, Vec3::X]);
        assert!(read(&format!("f{square}f{side}")).is_empty());
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
