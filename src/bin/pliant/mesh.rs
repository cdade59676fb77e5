//! `pliant mesh`: what a mesh file holds, and conversion.

use std::path::PathBuf;

use pliant::Result;
use pliant::mesh::{self, Mesh, Surface, TetMesh};

use crate::Outcome;

/// Options of `pliant mesh`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The mesh: obj, ply, stl, gltf, glb (surfaces); node, ele, msh, vtu (tetrahedra)
    input: PathBuf,
    /// Write it in the format that this name's ending says
    output: Option<PathBuf>,
    /// Embed the surface in a lattice with this many cubes along its longest side, and go on with the lattice
    #[arg(long, value_name = "N")]
    cells: Option<u32>,
    /// Describe the mesh (also done when there is no OUTPUT)
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
            let (lattice, embedding) = embedded.map_err(|error| error.in_file(&arguments.input))?;
            mesh = Mesh::Tets(lattice);
            if describe {
                say!(
                    "embedded         {} skin points in a lattice of {cells} cubes along the longest side",
                    embedding.tets.len()
                );
                print(&mesh);
            }
        } else {
            return Err(pliant::Error::value(
                "--cells",
                cells,
                "a surface to embed; this file holds tetrahedra",
            ));
        }
    }
    if let Some(output) = &arguments.output {
        mesh::write(output, &mesh)?;
    }
    Ok(Outcome::Done)
}

fn print(mesh: &Mesh) {
    match mesh {
        Mesh::Surface(surface) => print_surface(surface),
        Mesh::Tets(tets) => print_tets(tets),
    }
}

fn print_surface(surface: &Surface) {
    let (bounds, welded) = (surface.bounds(), surface.welded());
    say!("kind             surface");
    say!(
        "points           {} ({} after welding)",
        surface.points.len(),
        welded.points.len()
    );
    say!("triangles        {}", surface.triangles.len());
    say!("open edges       {}", welded.open_edges());
    say!(
        "texture          {}",
        if surface.uv.is_some() { "yes" } else { "no" }
    );
    say!("box              {} to {} m", bounds.min, bounds.max);
    say!("volume           {:.6e} m³", surface.volume());
}

fn print_tets(mesh: &TetMesh) {
    let (bounds, edges) = (mesh.bounds(), mesh.edges());
    let lengths = edges
        .iter()
        .map(|&[a, b]| mesh.points[a as usize].distance(mesh.points[b as usize]));
    let (shortest, longest) = lengths.fold((f64::INFINITY, 0.0_f64), |(low, high), l| {
        (low.min(l), high.max(l))
    });
    say!("kind             tetrahedra");
    say!("points           {}", mesh.points.len());
    say!("edges            {}", edges.len());
    say!(
        "triangles        {} on the surface",
        mesh.surface_triangles().len()
    );
    say!("tetrahedra       {}", mesh.tets.len());
    say!(
        "edge length      {:.6e} to {:.6e} m, mean {:.6e} m",
        shortest,
        longest,
        mesh.mean_edge()
    );
    say!("box              {} to {} m", bounds.min, bounds.max);
    say!("volume           {:.6e} m³", mesh.total_volume());
}
