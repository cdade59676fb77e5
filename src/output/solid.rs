//! Solids as triangles.

use super::Placement;
use crate::render::solids::Mesh;
use glam::{Quat, Vec3, Vec4};

/// A solid of a [`Topology`](super::Topology).
#[derive(Clone, Debug, Default)]
pub struct SolidTopology {
    /// The name, any text.
    pub name: String,
    /// Red, green and blue (sRGB).
    pub color: [u8; 3],
    /// Its shape and size.
    pub shape: SolidShape,
}

/// The shape of a [`SolidTopology`], in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolidShape {
    /// The half-space y < 0. A square of its surface is written.
    Plane {
        /// x and z of the centre of the square [m].
        middle: [f32; 2],
        /// Edge length of the square [m].
        size: f32,
    },
    /// A ball around the origin.
    Sphere {
        /// Its radius [m].
        radius: f32,
    },
    /// A box around the origin.
    Box {
        /// Its edge lengths [m].
        size: [f32; 3],
    },
}

impl Default for SolidShape {
    /// A ball of radius 1 m.
    fn default() -> Self {
        Self::Sphere { radius: 1.0 }
    }
}

/// Triangles of a solid in its own axes.
pub(super) struct SolidMesh {
    pub positions: Vec<Vec3>,
    /// Of unit length, one per position.
    pub normals: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl SolidMesh {
    pub fn new(shape: SolidShape) -> Self {
        let mut mesh = Mesh::default();
        match shape {
            SolidShape::Plane { middle: [x, z], size } => {
                for (a, b) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)] {
                    mesh.positions.push(Vec4::new(x + a * size, 0.0, z + b * size, 1.0));
                    mesh.normals.push(Vec4::Y);
                }
                mesh.indices.extend([0, 1, 2, 0, 2, 3]);
            }
            SolidShape::Sphere { radius } => mesh.add_sphere(Vec3::ZERO, radius),
            SolidShape::Box { size } => {
                mesh.add_box(Vec3::ZERO, 0.5 * Vec3::from(size), Quat::IDENTITY);
            }
        }
        Self {
            positions: mesh.positions.iter().map(|x| x.truncate()).collect(),
            normals: mesh.normals.iter().map(|n| n.truncate()).collect(),
            triangles: mesh.indices.as_chunks().0.to_vec(),
        }
    }

    /// Its positions and normals where it is.
    pub fn at(&self, place: &Placement) -> impl Iterator<Item = (Vec3, Vec3)> {
        let pairs = self.positions.iter().zip(&self.normals);
        pairs.map(|(x, n)| (place.centre + place.rotation * *x, place.rotation * *n))
    }
}
