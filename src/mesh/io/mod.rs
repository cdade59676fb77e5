//! Mesh files, one format each.

mod cursor;
mod gltf;
mod gmsh;
mod obj;
mod ply;
mod stl;
mod tetgen;
mod vtu;
mod xyz;

use super::{Mesh, Surface, polygon, topology};
use crate::error::{Error, Result};
use crate::file::replace;
use glam::{DVec3, Vec3};
use std::path::Path;

/// A mesh file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront, `.obj`.
    Obj,
    /// Stanford polygons, `.ply`.
    Ply,
    /// Stereolithography, `.stl`.
    Stl,
    /// glTF 2.0, `.gltf` and `.glb`; read only.
    Gltf,
    /// TetGen, `.node` and `.ele` of the same name.
    TetGen,
    /// Gmsh 2.2 and 4.1, `.msh`.
    Gmsh,
    /// VTK unstructured grid, `.vtu`.
    Vtu,
    /// Points as lines of text, `.xyz`.
    Xyz,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Obj,
        Self::Ply,
        Self::Stl,
        Self::Gltf,
        Self::TetGen,
        Self::Gmsh,
        Self::Vtu,
        Self::Xyz,
    ];

    /// The format by a file's extension, in either case.
    ///
    /// # Errors
    /// [`Error::File`] for any other extension.
    pub fn from_path(path: &Path) -> Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let extension = extension.to_ascii_lowercase();
        let format = EXTENSIONS.iter().find(|(known, _)| *known == extension);
        format.map(|(_, format)| *format).ok_or_else(|| {
            let want = Self::extensions();
            Error::file(path, "extension", format!("is `{extension}`, wanted {want}"))
        })
    }

    /// The extensions of all of them, as messages list them.
    pub(crate) fn extensions() -> String {
        let [others @ .., last] = EXTENSIONS.map(|(known, _)| known);
        format!("{} or {last}", others.join(", "))
    }
}

/// The ends of files' names.
const EXTENSIONS: [(&str, Format); 10] = [
    ("obj", Format::Obj),
    ("ply", Format::Ply),
    ("stl", Format::Stl),
    ("gltf", Format::Gltf),
    ("glb", Format::Gltf),
    ("node", Format::TetGen),
    ("ele", Format::TetGen),
    ("msh", Format::Gmsh),
    ("vtu", Format::Vtu),
    ("xyz", Format::Xyz),
];

/// Reads a mesh file; the extension tells the format. Of a TetGen pair either name will do.
///
/// # Errors
/// [`Error::Io`] when a file cannot be read, [`Error::File`] with the line or element when it is not what it should be.
pub fn read(path: &Path) -> Result<Mesh> {
    let format = Format::from_path(path)?;
    if format == Format::TetGen {
        return tetgen::read_pair(path).map_err(|error| error.in_file(path));
    }
    let bytes = std::fs::read(path).map_err(|source| Error::io(path, source))?;
    read_bytes(format, &bytes, path)
}

/// Reads a mesh from a file's contents. `name` stands in messages, and buffers beside a glTF file are looked for next
/// to it. Of a TetGen pair the two texts are given in one, the points first.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(format: Format, bytes: &[u8], name: &Path) -> Result<Mesh> {
    let mesh = match format {
        Format::Obj => obj::read(name, bytes),
        Format::Ply => ply::read(name, bytes),
        Format::Stl => stl::read(name, bytes),
        Format::Gltf => gltf::read(name, bytes),
        Format::TetGen => tetgen::read_joined(name, bytes),
        Format::Gmsh => gmsh::read(name, bytes),
        Format::Vtu => vtu::read(name, bytes),
        Format::Xyz => xyz::read(name, bytes),
    };
    mesh.map_err(|error| error.in_file(name))
}

/// Writes a mesh; the extension tells the format. Surface formats get the surface triangles of a tetrahedral mesh, `.xyz`
/// the points of any. Each file is written under a temporary name beside it and then renamed.
///
/// # Errors
/// [`Error::File`] when the format cannot hold the mesh or is not written, [`Error::Io`] when writing fails.
pub fn write(path: &Path, mesh: &Mesh) -> Result<()> {
    let format = Format::from_path(path)?;
    match (format, mesh) {
        (Format::TetGen, Mesh::Tets(tets)) => {
            for (path, bytes) in tetgen::pair(path).iter().zip(tetgen::write(tets)) {
                replace(path, &bytes)?;
            }
            Ok(())
        }
        _ => replace(path, &write_bytes(format, mesh, path)?),
    }
}

/// The contents of a file of `format` that holds `mesh`; of a TetGen pair both texts in one. `name` stands in messages.
///
/// # Errors
/// [`Error::File`] when the format cannot hold the mesh or is not written.
pub fn write_bytes(format: Format, mesh: &Mesh, name: &Path) -> Result<Vec<u8>> {
    let refused = |message: &str| Err(Error::file(name, "extension", message));
    match (format, mesh) {
        (Format::Gltf, _) => {
            refused("glTF can only be read; wanted obj, ply, stl, msh, vtu or xyz")
        }
        (Format::Xyz, Mesh::Points(cloud)) => Ok(xyz::write(&cloud.points)),
        (Format::Xyz, Mesh::Surface(surface)) => Ok(xyz::write(&surface.points)),
        (Format::Xyz, Mesh::Tets(tets)) => Ok(xyz::write(&tets.points)),
        (Format::Stl, Mesh::Points(_)) => refused(
            "holds triangles, but the mesh has points only; wanted obj, ply, msh, vtu or xyz",
        ),
        (Format::TetGen, Mesh::Tets(tets)) => Ok(tetgen::write(tets).concat()),
        (Format::TetGen, Mesh::Surface(_) | Mesh::Points(_)) => refused(
            "holds tetrahedra only, but the mesh has none; wanted obj, ply, vtu or the like",
        ),
        (Format::Obj, _) => Ok(obj::write(&drawn(mesh))),
        (Format::Ply, _) => Ok(ply::write(&drawn(mesh))),
        (Format::Stl, _) => Ok(stl::write(&drawn(mesh))),
        (Format::Gmsh, _) => Ok(gmsh::write(mesh)),
        (Format::Vtu, _) => Ok(vtu::write(mesh)),
    }
}

/// What a surface format holds of a mesh: points without triangles of a cloud, the outer surface of tetrahedra.
fn drawn(mesh: &Mesh) -> Surface {
    match mesh {
        Mesh::Surface(surface) => surface.clone(),
        Mesh::Tets(tets) => {
            let (mut points, mut triangles) = (tets.points.clone(), tets.surface_triangles());
            topology::drop_unused(&mut points, &mut triangles);
            Surface { points, triangles, ..Surface::default() }
        }
        Mesh::Points(cloud) => Surface { points: cloud.points.clone(), ..Surface::default() },
    }
}

/// The triangles of a polygon with three or more corners, which lie at these places.
fn cut<T: Copy>(corners: &[T], place: impl Fn(T) -> DVec3) -> Vec<[T; 3]> {
    let places: Vec<_> = corners.iter().map(|corner| place(*corner)).collect();
    let triangles = polygon::triangles(&places).into_iter();
    triangles.map(|triangle| triangle.map(|i| corners[i as usize])).collect()
}

/// A surface with the normals that a file gives its points, which is where it doubles points along hard edges.
fn with_normals(mut surface: Surface, normals: &[Vec3]) -> Surface {
    if normals.iter().any(|normal| *normal != Vec3::ZERO) {
        let of_corners = surface.triangles.iter().map(|t| t.map(|i| normals[i as usize]));
        surface.corner_normals = of_corners.collect();
    }
    surface
}

/// What went wrong in a part of a file that does not know its place.
type Told<T> = std::result::Result<T, String>;

#[cfg(test)]
mod tests;
