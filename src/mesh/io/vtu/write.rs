//! Writing VTK unstructured grids.

use crate::mesh::Mesh;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

/// Writes a file with its arrays in place as base64.
pub fn write(mesh: &Mesh) -> Vec<u8> {
    let (points, kind, corners, connectivity) = match mesh {
        Mesh::Surface(surface) => (&surface.points, 5u8, 3, surface.triangles.as_flattened()),
        Mesh::Tets(tets) => (&tets.points, 10, 4, tets.tets.as_flattened()),
    };
    let cells = connectivity.len() / corners;
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
    );
    let _ = writeln!(
        text,
        "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cells}\">\n<Points>",
        points.len()
    );
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

fn data_array(text: &mut String, kind: &str, name: &str, data: &[u8]) {
    let bytes = [&(data.len() as u64).to_le_bytes(), data].concat();
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">\n{}\n</DataArray>",
        STANDARD.encode(bytes)
    );
}
