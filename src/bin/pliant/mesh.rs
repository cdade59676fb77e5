//! `pliant mesh`: what a mesh file holds, and conversion.

use std::path::PathBuf;

use pliant::Result;
use pliant::mesh::{self, Mesh, PointCloud, Surface, TetMesh};

use crate::Outcome;

/// Options of `pliant mesh`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Mesh file: obj, ply, stl, gltf, glb (surface); node, ele, msh, vtu (tetrahedra); xyz, obj, ply (points)
    input: PathBuf,
    /// File to convert to; its extension gives the format
    output: Option<PathBuf>,
    /// Embed the surface in a lattice with this many cubes along its longest side, and describe or write the lattice
    #[arg(long, value_name = "N")]
    cells: Option<u32>,
    /// Describe the mesh (default without OUTPUT)
    #[arg(long)]
    info: bool,
}

/// Describes and converts.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut mesh = mesh::read(&arguments.input)?;
    let describe = arguments.info || arguments.output.is_none();
    if describe {
        print(&mesh);
    }
    if let Some(cells) = arguments.cells {
        if let Mesh::Surface(surface) = &mesh {
            let embedded = mesh::embed(surface, cells);
            let embedded = embedded.map_err(|error| error.in_file(&arguments.input))?;
            mesh = Mesh::Tets(embedded.mesh);
            if describe {
                say!(
                    "embedded         {} skin points in a lattice of {cells} cubes along the longest side",
                    embedded.embedding.tets.len()
                );
                print(&mesh);
            }
        } else {
            let want = match mesh {
                Mesh::Points(_) => "a surface to embed; this file has points only",
                _ => "a surface to embed; this file has tetrahedra",
            };
            return Err(pliant::Error::value("--cells", cells, want));
        }
    }
    if let Some(output) = &arguments.output {
        mesh::write(output, &mesh)?;
        say!("wrote {}", output.display());
    }
    Ok(Outcome::Done)
}

fn print(mesh: &Mesh) {
    match mesh {
        Mesh::Surface(surface) => print_surface(surface),
        Mesh::Tets(tets) => print_tets(tets),
        Mesh::Points(cloud) => print_points(cloud),
    }
}

fn print_surface(surface: &Surface) {
    let (bounds, welded) = (surface.bounds(), surface.welded());
    say!("kind             surface");
    say!("points           {} ({} after welding)", surface.points.len(), welded.points.len());
    say!("triangles        {}", surface.triangles.len());
    say!("open edges       {}", welded.open_edges());
    if let Some([one, other]) = welded.turned_over() {
        say!(
            "faces            triangles {one} and {other} look to different sides: one of them is turned over"
        );
    }
    say!("texture          {}", if surface.uv.is_some() { "yes" } else { "no" });
    say!("box              {} to {} m", bounds.min, bounds.max);
    say!("volume           {:.6e} m³", surface.volume());
    if surface.volume() < 0.0 && welded.open_edges() == 0 {
        say!(
            "faces            point inwards; bodies that deform turn them over, rigid ones refuse them: flip them in the program that"
        );
        say!("                 made them (Blender: Mesh > Normals > Recalculate Outside)");
    }
}

fn print_tets(mesh: &TetMesh) {
    let (bounds, edges) = (mesh.bounds(), mesh.edges());
    let lengths =
        edges.iter().map(|&[a, b]| mesh.points[a as usize].distance(mesh.points[b as usize]));
    let (shortest, longest) = range(lengths);
    say!("kind             tetrahedra");
    say!("points           {}", mesh.points.len());
    say!("edges            {}", edges.len());
    say!("triangles        {} on the surface", mesh.surface_triangles().len());
    say!("tetrahedra       {}", mesh.tets.len());
    say!("edge length      {:.6e} to {:.6e} m, mean {:.6e} m", shortest, longest, mesh.mean_edge());
    say!("box              {} to {} m", bounds.min, bounds.max);
    say!("volume           {:.6e} m³", mesh.total_volume());
    for (name, values) in &mesh.cell_data {
        let (low, high) = range(values.iter().copied());
        say!("cell data        {name}: {low:.6e} to {high:.6e}");
    }
}

fn print_points(cloud: &PointCloud) {
    let bounds = cloud.bounds();
    say!("kind             points");
    say!("points           {}", cloud.points.len());
    match cloud.spacing() {
        Some(spacing) => {
            say!("spacing          {spacing:.6e} m, mean distance to the nearest point")
        }
        None => say!("spacing          none: all points coincide"),
    }
    say!("box              {} to {} m", bounds.min, bounds.max);
}

/// The least and the largest number.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}
