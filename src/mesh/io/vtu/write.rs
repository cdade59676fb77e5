//! Writing VTK unstructured grids.

use crate::mesh::Mesh;
use crate::output::vtu::{HEAD, put_array};
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
    let mut text = String::from(HEAD);
    let _ = writeln!(
        text,
        "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cells}\">",
        points.len()
    );
    if let Mesh::Tets(tets) = mesh {
        text.push_str("<CellData>\n");
        for (name, values) in &tets.cell_data {
            // XML can hold no control characters.
            let name = name.replace(char::is_control, "_");
            let name = format!("Name=\"{}\"", escape(name));
            put_array(&mut text, "Float64", &name, values);
        }
        text.push_str("</CellData>\n");
    }
    text.push_str("<Points>\n");
    let three = r#"Name="Points" NumberOfComponents="3""#;
    put_array(&mut text, "Float64", three, points);
    text.push_str("</Points>\n<Cells>\n");
    let connectivity: Vec<_> = connectivity.iter().map(|&corner| i64::from(corner)).collect();
    put_array(&mut text, "Int64", r#"Name="connectivity""#, &connectivity);
    let ends: Vec<_> = (1..=cells).map(|cell| (cell * corners) as i64).collect();
    put_array(&mut text, "Int64", r#"Name="offsets""#, &ends);
    let types = vec![kind; cells];
    put_array(&mut text, "UInt8", r#"Name="types""#, &types);
    text.push_str("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    text.into_bytes()
}
