//! Tetrahedral meshes.

use crate::extreme;
use serde::Serialize;

use super::bounds::{Bounds, check_indices, check_points};
use super::lattice::Lattice;
use super::topology;
use crate::error::{Error, Result};
use glam::DVec3;
use std::collections::BTreeMap;

/// The smallest volume of a tetrahedron that can be simulated, relative to the cube of its longest edge. Below it
/// the volume's sign is lost in the f32 positions of the GPU.
const MIN_RELATIVE_VOLUME: f64 = 1e-9;

/// A tetrahedral mesh whose tetrahedra (i, j, k, l) all have positive volume x_ij · (x_ik × x_il) / 6.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TetMesh {
    /// Positions (m).
    pub points: Vec<DVec3>,
    /// Four point indices per tetrahedron.
    pub tets: Vec<[u32; 4]>,
    /// Named fields with one number per tetrahedron, such as a material's. See [`Self::with_cell_data`].
    pub cell_data: BTreeMap<String, Vec<f64>>,
}

impl TetMesh {
    /// Checks a mesh and brings it into order: tetrahedra of negative volume are turned by exchanging their last two
    /// corners, points that no tetrahedron uses are dropped. The others and the tetrahedra keep their order.
    ///
    /// # Errors
    /// [`Error::Mesh`] names the point or tetrahedron: no tetrahedra, a coordinate that is not finite, an index out of
    /// range, a repeated corner, or a volume that is zero to rounding.
    pub fn new(mut points: Vec<DVec3>, mut tets: Vec<[u32; 4]>) -> Result<Self> {
        if tets.is_empty() {
            return Err(Error::Mesh("holds no tetrahedra, wanted at least one".into()));
        }
        check_points(&points)?;
        check_indices(&tets, points.len(), "tetrahedron")?;
        for (i, tet) in tets.iter_mut().enumerate() {
            let corners = *tet;
            if topology::TET_EDGES.iter().any(|&[a, b]| corners[a] == corners[b]) {
                return Err(Error::Mesh(format!(
                    "tetrahedron {i} has the corners {corners:?}, wanted four different ones"
                )));
            }
            let x = corners.map(|c| points[c as usize]);
            let volume = volume(x);
            let longest = topology::TET_EDGES
                .iter()
                .map(|&[a, b]| x[a].distance(x[b]))
                .fold(0.0, extreme::greatest);
            if volume.abs() <= MIN_RELATIVE_VOLUME * longest.powi(3) {
                return Err(Error::Mesh(format!(
                    "tetrahedron {i} (corners {corners:?}) is flat: its volume is {:e} m³ and its longest edge {longest:e} m",
                    volume.abs()
                )));
            }
            if volume < 0.0 {
                tet.swap(2, 3);
            }
        }
        topology::drop_unused(&mut points, &mut tets);
        let cell_data = BTreeMap::new();
        Ok(Self { points, tets, cell_data })
    }

    /// The same mesh with these fields, in the order of the tetrahedra.
    ///
    /// # Errors
    /// [`Error::Mesh`] names the field: not as many numbers as tetrahedra, or a number that is not finite.
    pub fn with_cell_data(mut self, cell_data: BTreeMap<String, Vec<f64>>) -> Result<Self> {
        for (name, values) in &cell_data {
            if values.len() != self.tets.len() {
                return Err(Error::Mesh(format!(
                    "cell data `{name}` has {} numbers, wanted {}, one per tetrahedron",
                    values.len(),
                    self.tets.len()
                )));
            }
            if let Some(i) = values.iter().position(|x| !x.is_finite()) {
                return Err(Error::Mesh(format!(
                    "cell data `{name}` is {} in tetrahedron {i}, wanted a finite number",
                    values[i]
                )));
            }
        }
        self.cell_data = cell_data;
        Ok(self)
    }

    /// A box of `cubes` cubes and edge lengths `size` (m), centred on the origin, five tetrahedra per cube.
    ///
    /// # Errors
    /// [`Error::Value`]: no cubes along an axis, more than [`MAX_CUBES`](super::MAX_CUBES) in all, or a size that is
    /// not positive and finite.
    pub fn lattice(cubes: [u32; 3], size: DVec3) -> Result<Self> {
        let lattice = Lattice::new(cubes, -0.5 * size, size)?;
        let points = lattice.points().collect();
        let tets = lattice.cubes().flat_map(|cube| lattice.tets(cube)).collect();
        Self::new(points, tets)
    }

    /// The edges: lower point first, sorted, each once.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        topology::edges(&self.tets)
    }

    /// The faces of exactly one tetrahedron, wound outward.
    pub fn surface_triangles(&self) -> Vec<[u32; 3]> {
        topology::surface_triangles(&self.tets)
    }

    /// The volume of tetrahedron `i` (m³).
    ///
    /// # Panics
    /// When there is no such tetrahedron.
    pub fn volume(&self, i: usize) -> f64 {
        volume(self.tets[i].map(|c| self.points[c as usize]))
    }

    /// The volume of the whole mesh (m³).
    pub fn total_volume(&self) -> f64 {
        (0..self.tets.len()).map(|i| self.volume(i)).sum()
    }

    /// The mean length of the edges (m).
    pub fn mean_edge(&self) -> f64 {
        let edges = self.edges();
        let sum: f64 = edges
            .iter()
            .map(|&[i, j]| self.points[i as usize].distance(self.points[j as usize]))
            .sum();
        sum / edges.len() as f64
    }

    /// The box around all points.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.points.iter().copied())
    }
}

/// x_01 · (x_02 × x_03) / 6 of a tetrahedron (m³).
pub fn volume(x: [DVec3; 4]) -> f64 {
    (x[1] - x[0]).dot((x[2] - x[0]).cross(x[3] - x[0])) / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Vec<DVec3> {
        vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
    }

    #[test]
    fn the_lattice_has_the_counts_of_the_thesis() {
        let small = TetMesh::lattice([5, 5, 5], DVec3::ONE).unwrap();
        assert_eq!(small.points.len(), 216);
        assert_eq!(small.edges().len(), 990);
        assert_eq!(small.surface_triangles().len(), 300);
        assert_eq!(small.tets.len(), 625);
        let large = TetMesh::lattice([10, 10, 10], DVec3::ONE).unwrap();
        assert_eq!((large.points.len(), large.tets.len()), (1331, 5000));
    }

    #[test]
    fn negative_tets_are_turned() {
        let mesh = TetMesh::new(unit(), vec![[0, 2, 1, 3]]).unwrap();
        assert!(mesh.volume(0) > 0.0);
    }

    #[test]
    fn outward_faces_enclose_the_volume() {
        let mesh = TetMesh::lattice([2, 3, 1], DVec3::new(1.0, 2.0, 3.0)).unwrap();
        let enclosed: f64 = mesh
            .surface_triangles()
            .iter()
            .map(|t| t.map(|i| mesh.points[i as usize]))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        assert!((enclosed - 6.0).abs() < 1e-12);
        assert!((mesh.total_volume() - 6.0).abs() < 1e-12);
    }

    #[test]
    fn unused_points_are_dropped() {
        let mut points = unit();
        points.insert(0, DVec3::splat(9.0));
        let mesh = TetMesh::new(points, vec![[1, 2, 3, 4]]).unwrap();
        assert_eq!(mesh.points, unit());
        assert_eq!(mesh.tets, [[0, 1, 2, 3]]);
    }

    #[test]
    fn cell_data_has_a_finite_number_per_tetrahedron() {
        let mesh = || TetMesh::new(unit(), vec![[0, 2, 1, 3], [0, 1, 2, 3]]).unwrap();
        let with = |values: &[f64]| {
            mesh().with_cell_data(BTreeMap::from([("E".to_string(), values.to_vec())]))
        };
        assert_eq!(with(&[1.0, 2.0]).unwrap().cell_data["E"], [1.0, 2.0]);
        for values in [&[1.0][..], &[1.0; 3], &[1.0, f64::NAN], &[f64::INFINITY, 1.0]] {
            let message = with(values).unwrap_err().to_string();
            assert!(message.contains("cell data `E`"), "{message}");
        }
    }

    #[test]
    fn bad_meshes_are_refused_by_name() {
        let refused = |points: Vec<DVec3>, tets: Vec<[u32; 4]>, word: &str| {
            let message = TetMesh::new(points, tets).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        };
        refused(unit(), vec![], "no tetrahedra");
        refused(unit(), vec![[0, 1, 2, 3], [0, 1, 2, 4]], "tetrahedron 1");
        refused(unit(), vec![[0, 1, 2, 2]], "tetrahedron 0");
        refused(vec![DVec3::NAN; 4], vec![[0, 1, 2, 3]], "point 0");
        refused(
            vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.3, 0.3, 1e-13)],
            vec![[0, 1, 2, 3]],
            "flat",
        );
        refused(vec![DVec3::splat(1e300); 4], vec![[0, 1, 2, 3]], "point 0");
    }

    #[test]
    fn bad_lattices_are_refused() {
        for (cubes, size) in [
            ([0, 1, 1], DVec3::ONE),
            ([u32::MAX; 3], DVec3::ONE),
            ([1; 3], DVec3::new(1.0, -1.0, 1.0)),
            ([1; 3], DVec3::new(1.0, f64::NAN, 1.0)),
            ([1; 3], DVec3::new(1.0, 1e30, 1.0)),
        ] {
            assert!(TetMesh::lattice(cubes, size).is_err(), "{cubes:?} {size}");
        }
    }
}
