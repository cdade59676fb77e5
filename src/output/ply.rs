//! Binary PLY: what is drawn in one mesh, then the solids. Particles of bodies of points are vertices without faces and
//! normals.

use super::file::frame_path;
use super::solid::SolidMesh;
use super::text::seconds;
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
    solids: Vec<SolidMesh>,
    faces: Vec<u8>,
    face_count: usize,
    bytes: Vec<u8>,
}

impl PlyWriter {
    pub fn new(folder: &Path, topology: &Topology) -> Self {
        let mark = |[red, green, blue]: [u8; 3], body: i32| {
            let [a, b, c, d] = body.to_le_bytes();
            [red, green, blue, a, b, c, d]
        };
        let bodies = topology.body_indices(BodyTopology::shown_count).into_iter();
        let mut marks: Vec<_> =
            bodies.map(|body| mark(topology.bodies[body as usize].color, body)).collect();
        let (mut faces, mut face_count) = (Vec::new(), 0);
        let mut add = |corners: [u32; 3]| {
            faces.push(3);
            faces.extend(corners.map(u32::to_le_bytes).as_flattened());
            face_count += 1;
        };
        for (body, shown) in topology.bodies.iter().zip(topology.shown()) {
            let place = |i| (i as usize - body.vertices.start + shown.start) as u32;
            body.triangles.iter().for_each(|triangle| add(triangle.map(place)));
        }
        let solids = topology.solids.iter().map(|solid| {
            let (mesh, start) = (SolidMesh::new(solid.shape), marks.len() as u32);
            marks.resize(marks.len() + mesh.positions.len(), mark(solid.color, -1));
            mesh.triangles.iter().for_each(|triangle| add(triangle.map(|i| start + i)));
            mesh
        });
        let solids = solids.collect();
        Self { folder: folder.into(), marks, solids, faces, face_count, bytes: Vec::new() }
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
            seconds(frame.time),
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
        let bodies = topology.bodies.iter().flat_map(|body| {
            let (positions, normals) = frame.shown(body);
            let normals = normals.iter().chain(std::iter::repeat(&Vec3::ZERO));
            positions.iter().copied().zip(normals.copied())
        });
        let solids = self.solids.iter().zip(frame.solids).flat_map(|(mesh, place)| mesh.at(place));
        for ((position, normal), mark) in bodies.chain(solids).zip(&self.marks) {
            for vector in [position, normal] {
                let bytes = vector.to_array().map(f32::to_le_bytes);
                self.bytes.extend_from_slice(bytes.as_flattened());
            }
            self.bytes.extend_from_slice(mark);
        }
        self.bytes.extend_from_slice(&self.faces);
        let path = frame_path(&self.folder, frame.index, "ply");
        write_whole(&path, |out| out.write_all(&self.bytes))
    }
}
