//! Wavefront OBJ: what is drawn, one object per body or solid, and their colours in one MTL; bodies of points as `p`
//! elements. Vertices at one point are one here, with a normal for each side of its creases.

use super::file::frame_path;
use super::solid::SolidMesh;
use super::text::{line, prim_names, put, put_vector, seconds};
use super::{BodyTopology, Frame, FrameWriter, Topology};
use crate::error::Result;
use crate::file::write_whole;
use glam::Vec3;
use std::path::{Path, PathBuf};

/// The file of the materials.
const MATERIALS: &str = "scene.mtl";

/// One file per frame. Names, texture coordinates and faces are the same in all and formatted once.
pub struct ObjWriter {
    folder: PathBuf,
    bodies: Vec<Fixed>,
    /// Each solid with its `o` and `usemtl` lines and its `f` lines.
    solids: Vec<(SolidMesh, String, String)>,
    text: String,
}

/// What does not change of a body.
struct Fixed {
    /// The lines `o` and `usemtl`.
    head: String,
    /// The `vt` lines.
    coordinates: String,
    /// The `f` or `p` lines.
    faces: String,
}

/// How many lines of each kind there are so far.
#[derive(Default)]
struct Counts {
    vertices: usize,
    coordinates: usize,
    normals: usize,
}

impl ObjWriter {
    pub fn new(folder: &Path, topology: &Topology) -> Result<Self> {
        let bodies = topology.bodies.iter().map(|body| (body.name.as_str(), body.color));
        let solids = topology.solids.iter().map(|solid| (solid.name.as_str(), solid.color));
        let things: Vec<_> = bodies.chain(solids).collect();
        let names = prim_names(things.iter().map(|(name, _)| *name), &[]);
        write_materials(folder, &names, things.iter().map(|(_, color)| *color))?;
        let mut heads = things
            .iter()
            .zip(&names)
            .map(|((name, _), material)| format!("o {}\nusemtl {material}\n", line(name)));
        let mut counts = Counts::default();
        let bodies = topology.bodies.iter().zip(heads.by_ref());
        let bodies = bodies.map(|(body, head)| fixed(head, body, &mut counts)).collect();
        let solids = topology.solids.iter().zip(heads).map(|(solid, head)| {
            let mesh = SolidMesh::new(solid.shape);
            let faces = face_lines(&mesh, &counts);
            counts.vertices += mesh.point_count();
            counts.normals += mesh.positions.len();
            (mesh, head, faces)
        });
        Ok(Self { folder: folder.into(), bodies, solids: solids.collect(), text: String::new() })
    }
}

impl FrameWriter for ObjWriter {
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        let text = &mut self.text;
        text.clear();
        put(
            text,
            format_args!(
                "# frame {}, {} s\nmtllib {MATERIALS}\n",
                frame.index,
                seconds(frame.time)
            ),
        );
        for (body, fixed) in topology.bodies.iter().zip(&self.bodies) {
            text.push_str(&fixed.head);
            let (positions, normals) = frame.shown(body);
            let is_first = |i: &usize| *i == 0 || body.point(*i) != body.point(i - 1);
            put_vectors(text, "v ", (0..positions.len()).filter(is_first).map(|i| positions[i]));
            text.push_str(&fixed.coordinates);
            put_vectors(text, "vn ", normals.iter().copied());
            text.push_str(&fixed.faces);
        }
        for ((mesh, head, faces), place) in self.solids.iter().zip(frame.solids) {
            text.push_str(head);
            put_vectors(text, "v ", mesh.points_at(place));
            put_vectors(text, "vn ", mesh.at(place).map(|(_, normal)| normal));
            text.push_str(faces);
        }
        let path = frame_path(&self.folder, frame.index, "obj");
        write_whole(&path, |out| out.write_all(text.as_bytes()))
    }
}

/// Writes the materials: diffuse colours, in sRGB as most programs read them.
fn write_materials(
    folder: &Path,
    names: &[String],
    colors: impl Iterator<Item = [u8; 3]>,
) -> Result<()> {
    let mut text = String::from("# sRGB\n");
    for (name, color) in names.iter().zip(colors) {
        let [red, green, blue] = color.map(|channel| f32::from(channel) / 255.0);
        put(&mut text, format_args!("newmtl {name}\nKd {red:?} {green:?} {blue:?}\n"));
    }
    write_whole(&folder.join(MATERIALS), |out| out.write_all(text.as_bytes()))
}

/// Appends a line for each vector.
fn put_vectors(text: &mut String, keyword: &str, vectors: impl Iterator<Item = Vec3>) {
    for vector in vectors {
        text.push_str(keyword);
        put_vector(text, vector, " ");
        text.push('\n');
    }
}

/// The `f` lines of a solid behind so many vertices and normals.
fn face_lines(mesh: &SolidMesh, counts: &Counts) -> String {
    let mut text = String::new();
    for triangle in &mesh.triangles {
        text.push('f');
        for corner in triangle.map(|i| i as usize) {
            let vertex = counts.vertices + mesh.points[corner] + 1;
            let normal = counts.normals + corner + 1;
            put(&mut text, format_args!(" {vertex}//{normal}"));
        }
        text.push('\n');
    }
    text
}

/// What does not change of a body behind so many lines, to which its own are added. Indices count from one through the
/// whole file.
fn fixed(head: String, body: &BodyTopology, counts: &mut Counts) -> Fixed {
    let (mut coordinates, mut faces) = (String::new(), String::new());
    if body.is_cloud() {
        for i in 0..body.shown_count() {
            put(&mut faces, format_args!("p {}\n", counts.vertices + i + 1));
        }
        counts.vertices += body.shown_count();
        return Fixed { head, coordinates, faces };
    }
    for [u, v] in body.uv.iter().flat_map(|uv| &uv.values) {
        put(&mut coordinates, format_args!("vt {u:?} {v:?}\n"));
    }
    for (i, triangle) in body.triangles.iter().enumerate() {
        faces.push('f');
        for (k, &corner) in triangle.iter().enumerate() {
            let corner = corner as usize - body.vertices.start;
            let vertex = counts.vertices + body.point(corner) + 1;
            let normal = counts.normals + corner + 1;
            match &body.uv {
                Some(uv) => {
                    let coordinate = counts.coordinates + uv.corners[i][k] as usize + 1;
                    put(&mut faces, format_args!(" {vertex}/{coordinate}/{normal}"));
                }
                None => put(&mut faces, format_args!(" {vertex}//{normal}")),
            }
        }
        faces.push('\n');
    }
    let vertices = body.shown_count();
    counts.vertices += vertices.checked_sub(1).map_or(0, |last| body.point(last) + 1);
    counts.coordinates += body.uv.as_ref().map_or(0, |uv| uv.values.len());
    counts.normals += vertices;
    Fixed { head, coordinates, faces }
}
