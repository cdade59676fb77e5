//! Meshes on the host, in f64: surfaces, tetrahedra, points, lattices, embedding, and the files they come from.
//!
//! It knows geometry and files; it must not know of bodies, materials or devices.

mod bind_to_tets;
mod bounding_sphere;
mod bounds;
mod cloud;
mod embed;
mod fit;
mod hull;
mod inside;
mod io;
mod lattice;
mod mass;
mod moments;
mod nearest;
mod orient;
mod overlap;
mod parts;
mod polygon;
mod shape;
mod sides;
mod surface;
mod tet;
pub mod topology;
mod winding;

pub use bind_to_tets::bind_to_tets;
pub(crate) use bind_to_tets::{nearest_tets, tet_distance, triangle_distance, triangle_foot};
pub use bounding_sphere::BoundingSphere;
pub use bounds::Bounds;
pub use cloud::PointCloud;
pub use embed::{Embedded, Embedding, MAX_CELLS, embed, embed_in_cubes};
#[cfg(test)]
pub(crate) use hull::tests::cloud;
pub use hull::{Hull, HullFace};
pub use io::{Format, read, read_bytes, write, write_bytes};
pub use lattice::{Lattice, MAX_CUBES};
pub use mass::lumped_volumes;
pub(crate) use moments::Moments;
pub use parts::Part;
pub use shape::Shape;
pub use sides::box_sides;
pub(crate) use surface::wound_unlike;
pub use surface::{Surface, TextureCoordinates};
pub use tet::TetMesh;
pub(crate) use tet::volume;
pub use winding::WindingTree;

/// The content of a mesh file.
#[derive(Clone, Debug, PartialEq)]
pub enum Mesh {
    /// Triangles, to be embedded or drawn.
    Surface(Surface),
    /// Tetrahedra, ready to simulate.
    Tets(TetMesh),
    /// Points only, for shape matching.
    Points(PointCloud),
}
