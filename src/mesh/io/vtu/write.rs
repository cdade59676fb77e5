//! Writing VTK unstructured grids.

use crate::mesh::{Mesh, TetMesh};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use quick_xml::escape::escape;
use std::fmt::Write;

/// Writes a file with its arrays in place as base64.
pub fn write(mesh: &Mesh) -> Vec<u8> {
    let single: Vec<u32>;
    let (points, kind, corners, connectivity) = match mesh {
        Mesh::Surface(surface) => (&surface.points, 5u8, 3, surface.triangles.as_flattened()),
        Mesh::Tets(tets) => (&tets.points, 10, 4, tets.tets.as_flattened()),
        Mesh::Points(cloud) => {
            single = (0..cloud.points.len() as u32).collect();
            (&cloud.points, 1, 1, single.as_slice())
        }
    };
    let cells = connectivity.len() / corners;
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
    );
    let _ = writeln!(
        text,
        "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cells}\">",
        points.len()
    );
    if let Mesh::Tets(tets) = mesh {
        cell_data(&mut text, tets);
    }
    text.push_str("<Points>\n");
    let coordinates: Vec<u8> = points
        .iter()
        .flat_map(|p| p.to_array())
        .flat_map(f64::to_le_bytes)
        .collect();
    data_array(
        &mut text,
        "Float64",
        "Points\" NumberOfComponents=\"3",
        &coordinates,
    );
    text.push_str("</Points>\n<Cells>\n");
    let bytes: Vec<u8> = connectivity
        .iter()
        .flat_map(|&c| u64::from(c).to_le_bytes())
        .collect();
    data_array(&mut text, "Int64", "connectivity", &bytes);
    let bytes: Vec<u8> = (1..=cells as u64)
        .flat_map(|i| (i * corners as u64).to_le_bytes())
        .collect();
    data_array(&mut text, "Int64", "offsets", &bytes);
    data_array(&mut text, "UInt8", "types", &vec![kind; cells]);
    text.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    text.into_bytes()
}

/// The fields of the tetrahedra. XML can hold no control characters.
fn cell_data(text: &mut String, mesh: &TetMesh) {
    text.push_str("<CellData>\n");
    for (name, values) in &mesh.cell_data {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let name = name.replace(char::is_control, "_");
        data_array(text, "Float64", &escape(name), &bytes);
    }
    text.push_str("</CellData>\n");
}

fn data_array(text: &mut String, kind: &str, name: &str, data: &[u8]) {
    let bytes = [&(data.len() as u64).to_le_bytes(), data].concat();
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">\n{}\n</DataArray>",
        STANDARD.encode(bytes)
    );
}
