//! Writing Gmsh files.

use crate::mesh::{Mesh, TetMesh};
use std::fmt::Write;

/// Writes version 2.2 as text, which every reader of the format knows.
pub fn write(mesh: &Mesh) -> Vec<u8> {
    let single: Vec<[u32; 1]>;
    let (points, kind, elements): (_, _, Vec<&[u32]>) = match mesh {
        Mesh::Surface(surface) => (&surface.points, 2, slices(&surface.triangles)),
        Mesh::Tets(tets) => (&tets.points, 4, slices(&tets.tets)),
        Mesh::Points(cloud) => {
            single = (0..cloud.points.len() as u32).map(|i| [i]).collect();
            (&cloud.points, 15, slices(&single))
        }
    };
    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", points.len());
    for (i, p) in points.iter().enumerate() {
        let _ = writeln!(text, "{} {} {} {}", i + 1, p.x, p.y, p.z);
    }
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", elements.len());
    for (i, corners) in elements.iter().enumerate() {
        // Two tags, the physical and the geometrical entity, as Gmsh itself writes.
        let _ = write!(text, "{} {kind} 2 1 1", i + 1);
        for corner in *corners {
            let _ = write!(text, " {}", corner + 1);
        }
        text.push('\n');
    }
    text.push_str("$EndElements\n");
    if let Mesh::Tets(tets) = mesh {
        element_data(&mut text, tets);
    }
    text.into_bytes()
}

fn slices<const N: usize>(elements: &[[u32; N]]) -> Vec<&[u32]> {
    elements.iter().map(|corners| corners.as_slice()).collect()
}

/// Time 0, step 0, one number per tetrahedron. A name cannot hold what ends it.
fn element_data(text: &mut String, mesh: &TetMesh) {
    for (name, values) in &mesh.cell_data {
        let name = name.replace(|c: char| c == '"' || c.is_control(), "_");
        let count = values.len();
        let _ = writeln!(text, "$ElementData\n1\n\"{name}\"\n1\n0\n3\n0\n1\n{count}");
        for (i, value) in values.iter().enumerate() {
            let _ = writeln!(text, "{} {value}", i + 1);
        }
        text.push_str("$EndElementData\n");
    }
}
