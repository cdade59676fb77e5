//! VTK XML unstructured grids: the particles and tetrahedra of all bodies with their fields; triangles of shells, and a
//! cell for every particle of a body of points.

use super::file::frame_path;
use super::text::put;
use super::{BodyTopology, Frame, FrameWriter, Topology};
use crate::error::{Error, Result};
use crate::file::write_whole;
use crate::mesh;
use base64::prelude::BASE64_STANDARD;
use base64::write::EncoderStringWriter;
use bytemuck::{NoUninit, cast_slice};
use glam::{DMat3, Vec3};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Cell types of the format.
const VERTEX: u8 = 1;
const TRIANGLE: u8 = 5;
const TETRAHEDRON: u8 = 10;

/// What opens a grid. The arrays are written as they lie in memory.
pub(crate) const HEAD: &str = if cfg!(target_endian = "big") {
    r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="BigEndian" header_type="UInt64">
"#
} else {
    r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">
"#
};

/// What opens and what closes the file `scene.pvd`.
const COLLECTION_HEAD: &str = r#"<?xml version="1.0"?>
<VTKFile type="Collection" version="1.0">
<Collection>
"#;
const COLLECTION_END: &str = "</Collection>\n</VTKFile>\n";

/// One file per frame, and the collection that gives each its time.
pub struct VtuWriter {
    folder: PathBuf,
    grid: Grid,
    /// Volume of every tetrahedron at rest [m³].
    rest_volumes: Vec<f64>,
    text: String,
    collection: Collection,
}

impl VtuWriter {
    pub fn new(folder: &Path, topology: &Topology) -> Result<Self> {
        let tets = topology.bodies.iter().flat_map(|body| &body.tets);
        Ok(Self {
            folder: folder.into(),
            grid: Grid::new(topology),
            rest_volumes: tets.map(|&tet| volume(&topology.rest_positions, tet)).collect(),
            text: String::new(),
            collection: Collection::create(folder.join("scene.pvd"))?,
        })
    }

    /// Volume over that in the undeformed shape of every cell, negative where inverted; 1 for a triangle or a vertex, and for a tetrahedron without
    /// volume at rest in f32.
    fn volume_ratios(&self, topology: &Topology, positions: &[Vec3]) -> Vec<f32> {
        let mut rest_volumes = self.rest_volumes.iter();
        let mut ratios = Vec::with_capacity(self.grid.cell_count);
        for body in &topology.bodies {
            let ratio = |(&tet, &rest)| {
                if rest == 0.0 { 1.0 } else { (volume(positions, tet) / rest) as f32 }
            };
            ratios.extend(body.tets.iter().zip(&mut rest_volumes).map(ratio));
            ratios.resize(ratios.len() + body.faces.len() + vertex_cells(body), 1.0);
        }
        ratios
    }
}

impl FrameWriter for VtuWriter {
    fn write(&mut self, topology: &Topology, frame: &Frame<'_>) -> Result<()> {
        let moved = frame.positions.iter().zip(&topology.rest_positions);
        let displacements: Vec<Vec3> = moved.map(|(&position, &rest)| position - rest).collect();
        let ratios = self.volume_ratios(topology, frame.positions);
        let Self { grid, text, .. } = self;
        text.clear();
        text.push_str(HEAD);
        text.push_str("<UnstructuredGrid>\n<FieldData>\n");
        let time = r#"Name="TimeValue" NumberOfTuples="1""#;
        put_array(text, "Float64", time, &[frame.time]);
        put(
            text,
            format_args!(
                "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                frame.positions.len(),
                grid.cell_count
            ),
        );
        put_vectors(text, "velocity", frame.velocities);
        put_vectors(text, "displacement", &displacements);
        put_array(text, "UInt8", r#"Name="contact""#, frame.contacts);
        put_vectors(text, "penetration", frame.penetrations);
        text.push_str(&grid.point_bodies);
        text.push_str("</PointData>\n<CellData>\n");
        put_array(text, "Float32", r#"Name="volume_ratio""#, &ratios);
        if !frame.stresses.is_empty() {
            let strained = Strained::new(topology, frame);
            put_tensors(text, "stress", &strained.stresses);
            put_array(text, "Float32", r#"Name="von_mises""#, &strained.von_mises);
            put_tensors(text, "strain", &strained.strains);
        }
        text.push_str(&grid.cell_bodies);
        text.push_str("</CellData>\n<Points>\n");
        put_vectors(text, "Points", frame.positions);
        text.push_str("</Points>\n<Cells>\n");
        text.push_str(&grid.cells);
        text.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        let path = frame_path(&self.folder, frame.index, "vtu");
        write_whole(&path, |out| out.write_all(text.as_bytes()))?;
        self.collection.add(frame)
    }
}

/// xx, yy, zz, xy, yz and xz of a symmetric tensor, as VTK has them.
type Symmetric = [f32; 6];

/// Stress and strain of every cell; none of what is no tetrahedron.
#[derive(Default)]
struct Strained {
    stresses: Vec<Symmetric>,
    von_mises: Vec<f32>,
    strains: Vec<Symmetric>,
}

impl Strained {
    fn new(topology: &Topology, frame: &Frame<'_>) -> Self {
        let mut all = Self::default();
        let mut stresses = frame.stresses.iter();
        for body in &topology.bodies {
            for (tet, stress) in body.tets.iter().zip(&mut stresses) {
                all.stresses.push(components(stress));
                all.von_mises.push(single(von_mises(stress)));
                all.strains.push(components(&strain(topology, frame, *tet)));
            }
            let end = all.stresses.len() + body.faces.len() + vertex_cells(body);
            all.stresses.resize(end, [0.0; 6]);
            all.von_mises.resize(end, 0.0);
            all.strains.resize(end, [0.0; 6]);
        }
        all
    }
}

/// √(3/2 s:s) [Pa], s the deviator.
fn von_mises(stress: &DMat3) -> f64 {
    let mean = (stress.x_axis.x + stress.y_axis.y + stress.z_axis.z) / 3.0;
    let deviator = *stress - DMat3::IDENTITY * mean;
    (1.5 * deviator.to_cols_array().iter().map(|s| s * s).sum::<f64>()).sqrt()
}

/// Green's strain (FᵀF − I)/2 from the undeformed shape; none of a tetrahedron without volume there.
fn strain(topology: &Topology, frame: &Frame<'_>, tet: [u32; 4]) -> DMat3 {
    let edges = |positions: &[Vec3]| {
        let [a, b, c, d] = tet.map(|i| positions[i as usize].as_dvec3());
        DMat3::from_cols(b - a, c - a, d - a)
    };
    let rest = edges(&topology.rest_positions);
    if rest.determinant() == 0.0 {
        return DMat3::ZERO;
    }
    let f = edges(frame.positions) * rest.inverse();
    (f.transpose() * f - DMat3::IDENTITY) * 0.5
}

fn components(tensor: &DMat3) -> Symmetric {
    let [x, y, z] = [tensor.x_axis, tensor.y_axis, tensor.z_axis];
    [x.x, y.y, z.z, x.y, y.z, x.z].map(single)
}

/// As f32, the largest at the most.
fn single(x: f64) -> f32 {
    x.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}

/// What is the same in all frames, encoded once.
struct Grid {
    cell_count: usize,
    point_bodies: String,
    cell_bodies: String,
    cells: String,
}

impl Grid {
    fn new(topology: &Topology) -> Self {
        let (mut corners, mut ends, mut types) =
            (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<u8>::new());
        let mut add = |cell: &[i64], kind| {
            corners.extend_from_slice(cell);
            ends.push(corners.len() as i64);
            types.push(kind);
        };
        for body in &topology.bodies {
            body.tets.iter().for_each(|tet| add(&tet.map(i64::from), TETRAHEDRON));
            body.faces.iter().for_each(|face| add(&face.map(i64::from), TRIANGLE));
            body.particles.clone().take(vertex_cells(body)).for_each(|i| add(&[i as i64], VERTEX));
        }
        let (mut point_bodies, mut cell_bodies, mut cells) =
            (String::new(), String::new(), String::new());
        let body_of_points = topology.body_indices(|body| body.particles.len());
        let cell_count = |body: &BodyTopology| body.tets.len() + body.faces.len();
        let body_of_cells = topology.body_indices(|body| cell_count(body) + vertex_cells(body));
        put_array(&mut point_bodies, "Int32", r#"Name="body""#, &body_of_points);
        put_array(&mut cell_bodies, "Int32", r#"Name="body""#, &body_of_cells);
        put_array(&mut cells, "Int64", r#"Name="connectivity""#, &corners);
        put_array(&mut cells, "Int64", r#"Name="offsets""#, &ends);
        put_array(&mut cells, "UInt8", r#"Name="types""#, &types);
        Self { cell_count: types.len(), point_bodies, cell_bodies, cells }
    }
}

/// The file `scene.pvd`. It is complete after every frame: each overwrites the closing tags.
struct Collection {
    path: PathBuf,
    file: File,
    /// Where the closing tags stand.
    end: u64,
}

impl Collection {
    fn create(path: PathBuf) -> Result<Self> {
        let mut file = File::create(&path).map_err(|error| Error::io(&path, error))?;
        write!(file, "{COLLECTION_HEAD}{COLLECTION_END}")
            .map_err(|error| Error::io(&path, error))?;
        Ok(Self { path, file, end: COLLECTION_HEAD.len() as u64 })
    }

    fn add(&mut self, frame: &Frame<'_>) -> Result<()> {
        let entry = format!(
            "<DataSet timestep=\"{}\" file=\"frame_{:05}.vtu\"/>\n",
            frame.time, frame.index
        );
        let written = self.file.seek(SeekFrom::Start(self.end));
        let written = written
            .and_then(|_| self.file.write_all(format!("{entry}{COLLECTION_END}").as_bytes()));
        written.map_err(|error| Error::io(&self.path, error))?;
        self.end += entry.len() as u64;
        Ok(())
    }
}

/// A body without tetrahedra and triangles has one cell per particle, so that programs draw it.
fn vertex_cells(body: &BodyTopology) -> usize {
    if body.tets.is_empty() && body.faces.is_empty() { body.particles.len() } else { 0 }
}

fn volume(positions: &[Vec3], tet: [u32; 4]) -> f64 {
    mesh::volume(tet.map(|i| positions[i as usize].as_dvec3()))
}

/// Appends a `DataArray` of three numbers per item.
fn put_vectors(text: &mut String, name: &str, vectors: &[Vec3]) {
    let attributes = format!("Name=\"{name}\" NumberOfComponents=\"3\"");
    put_array(text, "Float32", &attributes, vectors);
}

/// Appends a `DataArray` of symmetric tensors.
fn put_tensors(text: &mut String, name: &str, tensors: &[Symmetric]) {
    let mut attributes = format!("Name=\"{name}\" NumberOfComponents=\"6\"");
    for (k, component) in ["XX", "YY", "ZZ", "XY", "YZ", "XZ"].into_iter().enumerate() {
        put(&mut attributes, format_args!(" ComponentName{k}=\"{component}\""));
    }
    put_array(text, "Float32", &attributes, tensors);
}

/// Appends a `DataArray`: base64 of the length in bytes (u64) followed by the values.
pub(crate) fn put_array<T: NoUninit>(
    text: &mut String,
    kind: &str,
    attributes: &str,
    values: &[T],
) {
    let bytes: &[u8] = cast_slice(values);
    put(text, format_args!("<DataArray type=\"{kind}\" {attributes} format=\"binary\">"));
    let mut encoder = EncoderStringWriter::from_consumer(&mut *text, &BASE64_STANDARD);
    for part in [&(bytes.len() as u64).to_ne_bytes(), bytes] {
        encoder.write_all(part).expect("a String takes any text");
    }
    encoder.into_inner();
    text.push_str("</DataArray>\n");
}
