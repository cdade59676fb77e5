//! Vertices of a drawn surface, doubled along its creases so that each side keeps its own normal.

use glam::{DVec3, Vec3};

/// Cosine of the angle between two triangles above which their common edge is a crease: 40°.
const SMOOTH: f64 = 0.766;

/// Cosine of the angle between two normals in a file below which they are the same, up to rounding: 1°.
const SAME: f32 = 0.99985;

/// The drawn vertices of a surface: for each the point it lies at, and the triangles over these vertices. Triangles
/// around a point share a vertex where they are joined by edges that are no creases: where the normals that are given for
/// their corners there agree; where none are, where the triangles' own do.
pub fn creased(
    points: &[DVec3],
    surface: &[[u32; 3]],
    given: &[[Vec3; 3]],
) -> (Vec<u32>, Vec<[u32; 3]>) {
    let normals: Vec<_> = surface.iter().map(|t| normal(t.map(|i| points[i as usize]))).collect();
    let smooth = |[a, i]: [usize; 2], [b, j]: [usize; 2]| {
        let said =
            |triangle, corner| given.get(triangle).map_or(Vec3::ZERO, |n: &[Vec3; 3]| n[corner]);
        match [said(a, i), said(b, j)].map(Vec3::try_normalize) {
            [Some(one), Some(other)] => one.dot(other) > SAME,
            _ => normals[a].dot(normals[b]) > SMOOTH,
        }
    };
    let mut fans = vec![Vec::new(); points.len()];
    for (index, triangle) in surface.iter().enumerate() {
        for (corner, &point) in triangle.iter().enumerate() {
            fans[point as usize].push([index, corner]);
        }
    }
    let mut vertices = Vec::new();
    let mut triangles = vec![[u32::MAX; 3]; surface.len()];
    for (point, fan) in fans.iter().enumerate() {
        // The edges at the point by their other ends, and the triangles at each.
        let other = |f: usize, k| surface[fan[f][0]][(fan[f][1] + k) % 3];
        let mut edges: Vec<(u32, usize)> =
            (0..fan.len()).flat_map(|f| [1, 2].map(|k| (other(f, k), f))).collect();
        edges.sort_unstable();
        let mut joined: Vec<usize> = (0..fan.len()).collect();
        for edge in edges.chunk_by(|a, b| a.0 == b.0) {
            for (k, &(_, a)) in edge.iter().enumerate() {
                for &(_, b) in edge[..k].iter().filter(|b| smooth(fan[a], fan[b.1])) {
                    let [a, b] = [a, b].map(|f| first(&mut joined, f));
                    joined[a.max(b)] = a.min(b);
                }
            }
        }
        for (f, &[triangle, corner]) in fan.iter().enumerate() {
            let [head, at] = fan[first(&mut joined, f)];
            if [head, at] == [triangle, corner] {
                triangles[triangle][corner] = vertices.len() as u32;
                vertices.push(point as u32);
            }
            triangles[triangle][corner] = triangles[head][at];
        }
    }
    (vertices, triangles)
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// The first of all that entry `i` is joined with, by way of others.
fn first(joined: &mut [usize], mut i: usize) -> usize {
    while joined[i] != i {
        joined[i] = joined[joined[i]];
        i = joined[i];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::creased;
    use crate::mesh::TetMesh;
    use glam::{DVec3, Vec3};

    #[test]
    fn a_box_has_six_smooth_faces() {
        let mesh = TetMesh::lattice([3, 3, 3], DVec3::ONE).expect("a lattice");
        let surface = mesh.surface_triangles();
        let (vertices, triangles) = creased(&mesh.points, &surface, &[]);
        assert_eq!(vertices.len(), 6 * 16);
        for (drawn, coarse) in triangles.iter().zip(&surface) {
            assert_eq!(drawn.map(|i| vertices[i as usize]), *coarse);
        }
    }

    /// What a file says of the edge of two squares goes before the angle between them; where it says nothing the angle counts.
    #[test]
    fn given_normals_decide() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE - DVec3::Z, -DVec3::Z];
        let right = [[0, 1, 2], [0, 2, 4]];
        let flat = [[0, 1, 2], [1, 3, 2]];
        let count = |surface, given: [Vec3; 2]| {
            creased(&points, surface, &given.map(|normal| [normal; 3])).0.len()
        };
        assert_eq!(count(&right, [Vec3::Z, Vec3::Z]), 4);
        assert_eq!(count(&right, [Vec3::Z, Vec3::ZERO]), 6);
        assert_eq!(count(&flat, [Vec3::X, Vec3::Z]), 6);
        assert_eq!(count(&flat, [Vec3::ZERO, Vec3::Z]), 4);
    }

    #[test]
    fn a_round_surface_is_not_split() {
        let points: Vec<DVec3> = (0..12)
            .map(|i| {
                let angle = std::f64::consts::TAU * f64::from(i) / 12.0;
                DVec3::new(angle.cos(), 0.2, angle.sin())
            })
            .chain([DVec3::Y])
            .collect();
        let cone: Vec<[u32; 3]> = (0..12).map(|i| [i, 12, (i + 1) % 12]).collect();
        assert_eq!(creased(&points, &cone, &[]).0.len(), 13);
    }
}
