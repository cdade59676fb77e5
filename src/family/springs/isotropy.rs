//! How stiff each spring of a body given by its modulus is, so that the modulus is the same along all axes of its mesh.
//!
//! Springs of one k_D are stiffest along the longest edges, as relative elongation of a long spring pulls more; and those
//! on the surface hold less than inner ones. A spring along n has m w(n) k_D: m is the part of its surroundings that the body
//! fills, the sum of the dihedral angles at it over 2π, and w = exp(Σ λ_i n_i²), positive whatever λ is. λ and k_D follow
//! from the stiffness in a uniform strain, C = Σ m w k_D n⊗n⊗n⊗n/V + Σ k_V 1⊗1/V: Young's moduli along x, y and z are the
//! body's. (All points of a lattice are centres of symmetry, so that it does strain uniformly; other meshes are softer by 5
//! to 15 %.)

use std::f64::consts::TAU;

use glam::{DMat3, DVec3};

use crate::mesh::TetMesh;
use crate::mesh::topology::TET_EDGES;

/// Tetrahedra of the five-tetrahedra lattice over its springs.
const CUBE_VOLUMES: f64 = 5.0 / 6.0;
/// Part to which the moduli become the same.
const ENOUGH: f64 = 1e-4;
/// The search takes 5 to 10 rounds.
const ROUNDS: usize = 40;
/// Largest |λ|, where no λ is right: the mesh is all but flat.
const MOST: f64 = 3.0;

/// What the springs of a body have of k_D.
#[derive(Clone, Debug)]
pub struct SpringWeights {
    /// m w of each spring; w is 1 in the mean.
    pub weights: Vec<f64>,
    /// Young's modulus [Pa] of the mesh for k_D = 1 J.
    pub modulus: f64,
}

impl SpringWeights {
    /// Of a mesh of tetrahedra with these edges, ascending; none of a lattice of cubes, whose springs may all be the same.
    /// `volume_share`: k_V over k_D.
    pub fn new(mesh: &TetMesh, edges: &[[u32; 2]], volume_share: f64) -> Option<Self> {
        let shares = shares(mesh, edges);
        let squares: Vec<DVec3> = edges.iter().map(|edge| squares(mesh, edge)).collect();
        let sum: f64 = shares.iter().sum();
        let volumes = volume_share * mesh.tets.len() as f64 / sum;
        let mut lambda = DVec3::ZERO;
        let mut found = stiffness(&squares, &shares, lambda, sum);
        for round in 0..ROUNDS {
            let moduli = moduli(&(found.0 + all(volumes)));
            if round == 0 && is_of_cubes(moduli, volume_share) {
                return None;
            }
            let off = moduli.map(f64::ln);
            let off = off - off.element_sum() / 3.0;
            if !off.is_finite() || off.abs().max_element() < ENOUGH {
                break;
            }
            lambda = (lambda - 1.4 * off).clamp(DVec3::splat(-MOST), DVec3::splat(MOST));
            found = stiffness(&squares, &shares, lambda, sum);
        }
        let weights = squares.iter().zip(&shares);
        let mean = moduli(&(found.0 + all(volumes))).map(f64::ln).element_sum() / 3.0;
        Some(Self {
            weights: weights
                .map(|(square, share)| share * lambda.dot(*square).exp() / found.1)
                .collect(),
            modulus: mean.exp() * sum / mesh.total_volume(),
        })
    }
}

/// Whether moduli are those of a lattice of cubes with all springs alike.
fn is_of_cubes(moduli: DVec3, volume_share: f64) -> bool {
    let volumes = all(volume_share * CUBE_VOLUMES);
    let springs = DMat3::from_diagonal(DVec3::splat(1.0 / 4.0 - 1.0 / 24.0)) + all(1.0 / 24.0);
    let cube = self::moduli(&(springs + volumes));
    (moduli / cube - 1.0).abs().max_element() < ENOUGH
}

/// The springs' part of the stiffness of normal strains, for k_D = Σ m w = 1, and the mean of w.
fn stiffness(squares: &[DVec3], shares: &[f64], lambda: DVec3, sum: f64) -> (DMat3, f64) {
    let (mut stiffness, mut mean) = (DMat3::ZERO, 0.0);
    for (square, share) in squares.iter().zip(shares) {
        let part = share / sum * lambda.dot(*square).exp();
        stiffness +=
            DMat3::from_cols(*square * square.x, *square * square.y, *square * square.z) * part;
        mean += part;
    }
    (stiffness * (1.0 / mean), mean)
}

/// n_x², n_y² and n_z² of an edge.
fn squares(mesh: &TetMesh, edge: &[u32; 2]) -> DVec3 {
    let [a, b] = edge.map(|i| mesh.points[i as usize]);
    let d = b - a;
    d * d / d.length_squared()
}

/// Young's moduli along the axes of a stiffness of normal strains: 1 over the diagonal of its inverse.
fn moduli(stiffness: &DMat3) -> DVec3 {
    let inverse = stiffness.inverse();
    DVec3::new(inverse.x_axis.x, inverse.y_axis.y, inverse.z_axis.z).recip()
}

/// A matrix of which all entries are alike.
fn all(entry: f64) -> DMat3 {
    DMat3::from_cols_array(&[entry; 9])
}

/// The part of each edge's surroundings that the body fills: the dihedral angles at it over 2π.
fn shares(mesh: &TetMesh, edges: &[[u32; 2]]) -> Vec<f64> {
    let mut shares = vec![0.0; edges.len()];
    for corners in &mesh.tets {
        let x = corners.map(|i| mesh.points[i as usize]);
        for [i, j] in TET_EDGES {
            let along = (x[j] - x[i]).normalize();
            // The other two corners, as seen along the edge.
            let others = (0..4).filter(|k| ![i, j].contains(k));
            let arms: Vec<DVec3> =
                others.map(|k| (x[k] - x[i]).reject_from_normalized(along)).collect();
            let edge = [corners[i].min(corners[j]), corners[i].max(corners[j])];
            if let Ok(k) = edges.binary_search(&edge) {
                shares[k] += arms[0].angle_between(arms[1]) / TAU;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use crate::extreme;
    use glam::{DVec3, UVec3};

    use super::*;
    use crate::mesh::Lattice;

    fn lattice(cubes: [u32; 3], cell: [f64; 3]) -> TetMesh {
        let size = UVec3::from(cubes).as_dvec3() * DVec3::from(cell);
        let lattice = Lattice::new(cubes, DVec3::ZERO, size).unwrap();
        let tets = lattice.cubes().flat_map(|cube| lattice.tets(cube));
        TetMesh::new(lattice.points().collect(), tets.collect()).unwrap()
    }

    fn of(mesh: &TetMesh) -> Option<SpringWeights> {
        SpringWeights::new(mesh, &mesh.edges(), 0.5)
    }

    /// However few cells there are, and however large.
    #[test]
    fn springs_of_cubes_weigh_the_same() {
        for (cubes, cell) in [([1, 1, 1], 1.0), ([8, 1, 1], 0.1), ([2, 3, 4], 300.0)] {
            assert!(of(&lattice(cubes, [cell; 3])).is_none(), "{cubes:?}");
        }
    }

    #[test]
    fn shares_of_surroundings_are_those_of_a_lattice() {
        let mesh = lattice([2, 2, 2], [1.0, 2.0, 3.0]);
        let edges = mesh.edges();
        for (edge, share) in edges.iter().zip(shares(&mesh, &edges)) {
            let [a, b] = edge.map(|i| mesh.points[i as usize]);
            let size = DVec3::new(2.0, 4.0, 6.0);
            // Each side of the box that an edge lies in takes half.
            let sides = (0..3).filter(|&k| a[k] == b[k] && (a[k] == 0.0 || a[k] == size[k]));
            let want = 0.5_f64.powi(sides.count() as i32);
            assert!((share - want).abs() < 1e-12, "{a} {b}: {share}");
        }
    }

    /// Turned about by quarters, mirrored or scaled, a mesh has the same weights; and w goes to 1 with the aspect.
    #[test]
    fn weights_follow_the_mesh() {
        let base = of(&lattice([2, 3, 4], [1.0, 2.0, 3.0])).unwrap();
        let mut mesh = lattice([2, 3, 4], [1.0, 2.0, 3.0]);
        for point in &mut mesh.points {
            *point = 7.0 * DVec3::new(point.y, point.z, point.x);
        }
        let turned = of(&mesh).unwrap();
        let pairs = turned.weights.iter().zip(&base.weights);
        assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, extreme::greatest) < 1e-9);
        let mut last = 0.0;
        for aspect in [1.001, 1.1, 1.5, 2.0, 3.0] {
            let mesh = lattice([2, 3, 4], [aspect, 1.0, 1.0]);
            let found = of(&mesh).unwrap();
            let shares = shares(&mesh, &mesh.edges());
            let logs = found.weights.iter().zip(shares).map(|(w, m)| (w / m).ln().abs());
            let off = logs.fold(0.0, extreme::greatest);
            assert!(off > last && off < 1.5 * aspect.ln() + 1e-3, "{aspect}: {off}");
            last = off;
        }
    }
}
