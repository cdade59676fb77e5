//! Binary PLY: what is drawn in one mesh. Particles of bodies of points are vertices without faces and normals.

use super::file::frame_path;
use super::{BodyTopology, Frame, FrameWriter, Topology};
use crate::error::Result;
use crate::file::write_whole;
use glam::Vec3;
use std::path::{Path, PathBuf};

/// One file per frame. The faces are the same in all and encoded once.
pub struct PlyWriter {
    folder: PathBuf,
    /// Per vertex its colour and body index, as they stand in the file.
    marks: Vec<[u8; 7]>,
    faces: Vec<u8>,
    face_count: usize,
    bytes: Vec<u8>,
}

impl PlyWriter {
    pub fn new(folder: &Path, topology: &Topology) -> Self {
        let mark = |body: i32| {
            let ([red, green, blue], [a, b, c, d]) =
                (topology.bodies[body as usize].color, body.to_le_bytes());
            [red, green, blue, a, b, c, d]
        };
        let mut faces = Vec::new();
        for (body, shown) in topology.bodies.iter().zip(topology.shown()) {
            for triangle in &body.triangles {
                let corners =
                    triangle.map(|i| (i as usize - body.vertices.start + shown.start) as u32);
                faces.push(3);
                faces.extend(corners.map(u32::to_le_bytes).as_flattened());
            }
        }
        Self {
            folder: folder.into(),
            marks: topology.body_indices(BodyTopology::shown_count).into_iter().map(mark).collect(),
            faces,
            face_count: topology.bodies.iter().map(|b| b.triangles.len()).sum(),
            bytes: Vec::new(),
        }
    }

    fn header(&self, frame: &Frame<'_>) -> String {
        format!(
            "ply\nformat binary_little_endian 1.0\ncomment frame {}, {} s\n\
             element vertex {}\n\
             property float x\nproperty float y\nproperty float z\n\
             property float nx\nproperty float ny\nproperty float nz\n\
             property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int body\n\
             element face {}\nproperty list uchar int vertex_indices\nend_header\n",
            frame.index,
            frame.time,
            self.marks.len(),
            self.face_count
        )
    }
}

impl FrameWriter for PlyWriter {
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        let header = self.header(frame);
        self.bytes.clear();
        self.bytes.extend_from_slice(header.as_bytes());
        let mut marks = self.marks.iter();
        for body in &topology.bodies {
            let (positions, normals) = frame.shown(body);
            let normals = normals.iter().chain(std::iter::repeat(&Vec3::ZERO));
            for ((position, normal), mark) in positions.iter().zip(normals).zip(&mut marks) {
                for vector in [position, normal] {
                    let bytes = vector.to_array().map(f32::to_le_bytes);
                    self.bytes.extend_from_slice(bytes.as_flattened());
                }
                self.bytes.extend_from_slice(mark);
            }
        }
        self.bytes.extend_from_slice(&self.faces);
        let path = frame_path(&self.folder, frame.index, "ply");
        write_whole(&path, |out| out.write_all(&self.bytes))
    }
}
