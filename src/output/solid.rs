//! Solids as triangles.

use std::collections::HashMap;

use glam::{Quat, Vec3, Vec4};

use super::Placement;
use crate::render::solids::Mesh;

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
    /// For each position the number of its point: at edges several are at the same one.
    pub points: Vec<usize>,
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
        let positions: Vec<Vec3> = mesh.positions.iter().map(|x| x.truncate()).collect();
        Self {
            points: points(&positions),
            positions,
            normals: mesh.normals.iter().map(|n| n.truncate()).collect(),
            triangles: mesh.indices.as_chunks().0.to_vec(),
        }
    }

    /// Its points where it is.
    pub fn points_at(&self, place: &Placement) -> impl Iterator<Item = Vec3> {
        let mut seen = 0;
        let is_first = move |point: usize| {
            let first = point == seen;
            seen += usize::from(first);
            first
        };
        let at = self.at(place).map(|(position, _)| position).zip(self.points.iter().copied());
        at.scan(is_first, |is_first, (position, point)| Some(is_first(point).then_some(position)))
            .flatten()
    }

    /// How many points there are.
    pub fn point_count(&self) -> usize {
        self.points.iter().max().map_or(0, |last| last + 1)
    }

    /// Its positions and normals where it is.
    pub fn at(&self, place: &Placement) -> impl Iterator<Item = (Vec3, Vec3)> {
        let pairs = self.positions.iter().zip(&self.normals);
        pairs.map(|(x, n)| (place.centre + place.rotation * *x, place.rotation * *n))
    }
}

/// The number of each position's point, in the order in which they are first met; what is as near as rounding is one.
fn points(positions: &[Vec3]) -> Vec<usize> {
    let size = positions.iter().fold(0.0, |size: f32, x| size.max(x.abs().max_element()));
    let mut known = HashMap::new();
    let numbers = positions.iter().map(|x| {
        let cell = (*x / (1e-6 * size.max(1e-30))).round().as_i64vec3();
        let next = known.len();
        *known.entry(cell).or_insert(next)
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn points_close_boxes_and_spheres() {
        let size = [0.3, 2.0, 17.0];
        for (shape, points) in [
            (SolidShape::Box { size }, Some(8)),
            (SolidShape::Sphere { radius: 0.7 }, None),
            (SolidShape::Plane { middle: [5.0, 3.0], size: 2.0 }, Some(4)),
        ] {
            let mesh = SolidMesh::new(shape);
            assert!(points.is_none_or(|points| points == mesh.point_count()), "{shape:?}");
            let place = Placement { centre: Vec3::X, ..Placement::default() };
            assert_eq!(mesh.points_at(&place).count(), mesh.point_count(), "{shape:?}");
            if matches!(shape, SolidShape::Plane { .. }) {
                continue;
            }
            let corners = mesh.triangles.iter().map(|t| t.map(|i| mesh.points[i as usize]));
            let edges = corners.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
            // Triangles at the poles have two corners in one place.
            let edges: HashSet<_> = edges.filter(|[a, b]| a != b).collect();
            assert!(edges.iter().all(|[a, b]| edges.contains(&[*b, *a])), "{shape:?}");
        }
    }
}
