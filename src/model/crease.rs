//! Vertices of a coarse surface, doubled along its creases so that each side keeps its own normal.

use glam::DVec3;

/// Cosine of the angle between two triangles above which their common edge is a crease: 40°.
const SMOOTH: f64 = 0.766;

/// The drawn vertices of a surface: for each the point it lies at, and the triangles over these vertices. Triangles
/// around a point share a vertex where they are joined by edges that are no creases.
pub fn creased(points: &[DVec3], surface: &[[u32; 3]]) -> (Vec<u32>, Vec<[u32; 3]>) {
    let normals: Vec<_> = surface.iter().map(|t| normal(t.map(|i| points[i as usize]))).collect();
    let mut fans = vec![Vec::new(); points.len()];
    for (index, triangle) in surface.iter().enumerate() {
        for (corner, &point) in triangle.iter().enumerate() {
            fans[point as usize].push((index, corner));
        }
    }
    let mut vertices = Vec::new();
    let mut triangles = vec![[u32::MAX; 3]; surface.len()];
    for (point, fan) in fans.iter().enumerate() {
        let mut group = vec![None; fan.len()];
        for start in 0..fan.len() {
            if group[start].is_some() {
                continue;
            }
            let vertex = vertices.len() as u32;
            vertices.push(point as u32);
            group[start] = Some(vertex);
            let mut reached = vec![start];
            while let Some(a) = reached.pop() {
                for b in 0..fan.len() {
                    let ([i, j], smooth) =
                        ([fan[a].0, fan[b].0], normals[fan[a].0].dot(normals[fan[b].0]) > SMOOTH);
                    if group[b].is_none() && smooth && share_edge(surface[i], surface[j]) {
                        group[b] = Some(vertex);
                        reached.push(b);
                    }
                }
            }
        }
        for (&(triangle, corner), vertex) in fan.iter().zip(group) {
            triangles[triangle][corner] = vertex.unwrap_or_default();
        }
    }
    (vertices, triangles)
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

fn share_edge(a: [u32; 3], b: [u32; 3]) -> bool {
    a.iter().filter(|i| b.contains(i)).count() == 2
}

#[cfg(test)]
mod tests {
    use super::creased;
    use crate::mesh::TetMesh;
    use glam::DVec3;

    #[test]
    fn a_box_has_six_smooth_faces() {
        let mesh = TetMesh::lattice([3, 3, 3], DVec3::ONE).expect("a lattice");
        let surface = mesh.surface_triangles();
        let (vertices, triangles) = creased(&mesh.points, &surface);
        assert_eq!(vertices.len(), 6 * 16);
        for (drawn, coarse) in triangles.iter().zip(&surface) {
            assert_eq!(drawn.map(|i| vertices[i as usize]), *coarse);
        }
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
        assert_eq!(creased(&points, &cone).0.len(), 13);
    }
}
