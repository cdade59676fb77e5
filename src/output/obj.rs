//! Wavefront OBJ: what is drawn, one object per body or solid; bodies of points as `p` elements.

use super::file::frame_path;
use super::solid::SolidMesh;
use super::text::{line, put, put_vector};
use super::{BodyTopology, Frame, FrameWriter, Topology};
use crate::error::Result;
use crate::file::write_whole;
use glam::Vec3;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One file per frame. Texture coordinates and faces are the same in all and formatted once.
pub struct ObjWriter {
    folder: PathBuf,
    /// Per body its `vt` and its `f` or `p` lines.
    fixed: Vec<(String, String)>,
    /// Each solid with its `f` lines.
    solids: Vec<(SolidMesh, String)>,
    text: String,
}

impl ObjWriter {
    pub fn new(folder: &Path, topology: &Topology) -> Self {
        let mut coordinates = 0;
        let bodies = topology.bodies.iter().zip(topology.shown());
        let fixed =
            bodies.map(|(body, shown)| fixed_lines(body, shown, &mut coordinates)).collect();
        let mut vertices = topology.shown().last().map_or(0, |shown| shown.end);
        let mut normals = topology.vertex_count();
        let solids = topology.solids.iter().map(|solid| {
            let mesh = SolidMesh::new(solid.shape);
            let faces = face_lines(&mesh, vertices, normals);
            vertices += mesh.positions.len();
            normals += mesh.positions.len();
            (mesh, faces)
        });
        Self { folder: folder.into(), fixed, solids: solids.collect(), text: String::new() }
    }
}

impl FrameWriter for ObjWriter {
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        let text = &mut self.text;
        text.clear();
        put(text, format_args!("# frame {}, {} s\n", frame.index, frame.time));
        for (body, (coordinates, faces)) in topology.bodies.iter().zip(&self.fixed) {
            put(text, format_args!("o {}\n", line(&body.name)));
            let (positions, normals) = frame.shown(body);
            put_vectors(text, "v ", positions.iter().copied());
            text.push_str(coordinates);
            put_vectors(text, "vn ", normals.iter().copied());
            text.push_str(faces);
        }
        let solids = topology.solids.iter().zip(frame.solids).zip(&self.solids);
        for ((solid, place), (mesh, faces)) in solids {
            put(text, format_args!("o {}\n", line(&solid.name)));
            put_vectors(text, "v ", mesh.at(place).map(|(position, _)| position));
            put_vectors(text, "vn ", mesh.at(place).map(|(_, normal)| normal));
            text.push_str(faces);
        }
        let path = frame_path(&self.folder, frame.index, "obj");
        write_whole(&path, |out| out.write_all(text.as_bytes()))
    }
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
fn face_lines(mesh: &SolidMesh, vertices: usize, normals: usize) -> String {
    let mut text = String::new();
    for triangle in &mesh.triangles {
        text.push('f');
        for corner in triangle.map(|i| i as usize + 1) {
            put(&mut text, format_args!(" {}//{}", vertices + corner, normals + corner));
        }
        text.push('\n');
    }
    text
}

/// The `vt` and the `f` or `p` lines of a body. Indices count from one through the whole file; `shown` are those of its
/// `v` lines, from zero, and `coordinates` is the number of `vt` lines so far.
fn fixed_lines(
    body: &BodyTopology,
    shown: Range<usize>,
    coordinates: &mut usize,
) -> (String, String) {
    let (mut vt, mut f) = (String::new(), String::new());
    if body.is_cloud() {
        for i in shown {
            put(&mut f, format_args!("p {}\n", i + 1));
        }
        return (vt, f);
    }
    for [u, v] in body.uv.iter().flat_map(|uv| &uv.values) {
        put(&mut vt, format_args!("vt {u:?} {v:?}\n"));
    }
    for (i, triangle) in body.triangles.iter().enumerate() {
        f.push('f');
        for (k, &corner) in triangle.iter().enumerate() {
            // Points of clouds before it have no normals.
            let normal = corner as usize + 1;
            let vertex = normal - body.vertices.start + shown.start;
            match &body.uv {
                Some(uv) => {
                    let coordinate = *coordinates + uv.corners[i][k] as usize + 1;
                    put(&mut f, format_args!(" {vertex}/{coordinate}/{normal}"));
                }
                None => put(&mut f, format_args!(" {vertex}//{normal}")),
            }
        }
        f.push('\n');
    }
    *coordinates += body.uv.as_ref().map_or(0, |uv| uv.values.len());
    (vt, f)
}
