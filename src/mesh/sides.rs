//! Texture coordinates of a box.

use std::collections::HashMap;

use glam::DVec3;

use super::{Bounds, TextureCoordinates};

/// Across and up each side of a box, seen from outside with y upward, where a side looks along x, y or z: the picture is
/// not mirrored.
const SIDES: [[DVec3; 2]; 3] =
    [[DVec3::NEG_Z, DVec3::Y], [DVec3::X, DVec3::NEG_Z], [DVec3::X, DVec3::Y]];

/// Texture coordinates of the surface of a box along the axes: each side shows the whole picture, upright, the top and the
/// bottom as one sees them who turns the box towards him from the front, which looks along z.
pub fn box_sides(points: &[DVec3], triangles: &[[u32; 3]]) -> TextureCoordinates {
    let bounds = Bounds::of(points.iter().copied());
    let (centre, size) = (bounds.centre(), bounds.size());
    let mut texture = TextureCoordinates::default();
    let mut known = HashMap::new();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| (points[i as usize] - centre) / size);
        let normal = (b - a).cross(c - a);
        let axis = normal.abs().max_position();
        let [mut right, mut up] = SIDES[axis];
        match (normal[axis] < 0.0, axis) {
            (false, _) => {}
            (true, 1) => up = -up,
            (true, _) => right = -right,
        }
        let corners = [a, b, c].map(|x| {
            let uv = [right, up].map(|way| (0.5 + way.dot(x)) as f32);
            *known.entry(uv.map(f32::to_bits)).or_insert_with(|| {
                texture.values.push(uv);
                texture.values.len() as u32 - 1
            })
        });
        texture.corners.push(corners);
    }
    texture
}

#[cfg(test)]
mod tests {
    use super::box_sides;
    use crate::mesh::TetMesh;
    use glam::{DVec2, DVec3};

    /// Each side has the whole picture, the right way round: its area in the picture is 1, counterclockwise as seen from
    /// outside. Upright: v grows with y on the four sides around.
    #[test]
    fn each_side_of_a_box_shows_the_whole_picture() {
        let size = DVec3::new(1.0, 2.0, 0.5);
        let mesh = TetMesh::lattice([3, 4, 2], size).expect("a lattice");
        let triangles = mesh.surface_triangles();
        let texture = box_sides(&mesh.points, &triangles);
        assert_eq!(texture.corners.len(), triangles.len());
        let mut areas = [0.0; 6];
        for (triangle, corners) in triangles.iter().zip(&texture.corners) {
            let x = triangle.map(|i| mesh.points[i as usize]);
            let uv = corners.map(|i| DVec2::from(texture.values[i as usize].map(f64::from)));
            let normal = (x[1] - x[0]).cross(x[2] - x[0]);
            let axis = normal.abs().max_position();
            areas[2 * axis + usize::from(normal[axis] < 0.0)] +=
                (uv[1] - uv[0]).perp_dot(uv[2] - uv[0]) / 2.0;
            for (x, uv) in x.iter().zip(uv) {
                assert!(axis == 1 || (uv.y - 0.5 - x.y / size.y).abs() < 1e-6);
                assert!(axis == 0 || ((uv.x - 0.5).abs() - (x.x / size.x).abs()).abs() < 1e-6);
            }
        }
        assert!(areas.iter().all(|area| (area - 1.0).abs() < 1e-6), "{areas:?}");
    }
}
