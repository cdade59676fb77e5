//! Lumped masses.

use super::TetMesh;

/// The volume that belongs to every point (m³): a quarter of each of its tetrahedra. Times the density it is the
/// lumped mass; the sum is the volume of the mesh.
pub fn lumped_volumes(mesh: &TetMesh) -> Vec<f64> {
    let mut volumes = vec![0.0; mesh.points.len()];
    for (i, tet) in mesh.tets.iter().enumerate() {
        let quarter = 0.25 * mesh.volume(i);
        for &corner in tet {
            volumes[corner as usize] += quarter;
        }
    }
    volumes
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn lumped_volumes_sum_to_the_box() {
        let mesh = TetMesh::lattice([3, 2, 4], DVec3::new(0.3, 2.0, 5.0)).expect("a good lattice");
        let volumes = lumped_volumes(&mesh);
        assert!((volumes.iter().sum::<f64>() - 3.0).abs() < 1e-12);
        assert!(volumes.iter().all(|&v| v > 0.0));
    }

    #[test]
    fn a_single_tet_is_shared_equally() {
        let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let mesh = TetMesh::new(points, vec![[0, 1, 2, 3]]).expect("a good tet");
        assert_eq!(lumped_volumes(&mesh), [1.0 / 24.0; 4]);
    }
}
