//! Symmetric eigenproblems of a few rows, and the rotation nearest to a matrix.

use glam::{DMat3, DQuat, DVec4};

/// Eigenvalues, ascending, and the eigenvectors in the same order, of a symmetric matrix: rotations of two rows and
/// columns at a time until nothing is left beside the diagonal (Jacobi 1846; Golub & Van Loan 2013, §8.5).
pub fn symmetric_eigen<const N: usize>(mut a: [[f64; N]; N]) -> ([f64; N], [[f64; N]; N]) {
    let mut vectors = [[0.0; N]; N];
    for (k, row) in vectors.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    for _ in 0..100 {
        let beside: f64 =
            (0..N).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if beside == 0.0 {
            break;
        }
        for p in 0..N {
            for q in p + 1..N {
                turn(&mut a, &mut vectors, p, q);
            }
        }
    }
    let mut order: [usize; N] = std::array::from_fn(|k| k);
    order.sort_by(|i, j| a[*i][*i].total_cmp(&a[*j][*j]));
    (order.map(|k| a[k][k]), order.map(|k| vectors[k]))
}

/// Turns rows and columns p and q so that a_pq vanishes; row k of `vectors` is the k-th eigenvector so far.
fn turn<const N: usize>(a: &mut [[f64; N]; N], vectors: &mut [[f64; N]; N], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let cotangent = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = cotangent.signum() / (cotangent.abs() + (cotangent * cotangent + 1.0).sqrt());
    let cosine = 1.0 / (t * t + 1.0).sqrt();
    let sine = t * cosine;
    for row in a.iter_mut() {
        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
    }
    for matrix in [&mut *a, vectors] {
        let (upper, lower) = matrix.split_at_mut(q);
        for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
    }
    (a[p][q], a[q][p]) = (0.0, 0.0);
}

/// The quadratic form of tr(Rᵀ A) in R's quaternion (x, y, z, w) (Davenport 1968; Horn 1987, eq. 22).
pub fn davenport(a: &DMat3) -> [[f64; 4]; 4] {
    // m(i, j) = A_ij, row i.
    let m = |i: usize, j: usize| a.col(j)[i];
    let trace = m(0, 0) + m(1, 1) + m(2, 2);
    let axis = |i: usize| m((i + 2) % 3, (i + 1) % 3) - m((i + 1) % 3, (i + 2) % 3);
    let entry = |i: usize, j: usize| match (i, j) {
        (3, 3) => trace,
        (3, k) | (k, 3) => axis(k),
        _ => m(i, j) + m(j, i) - if i == j { trace } else { 0.0 },
    };
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// The rotation R (det R = 1) that maximises tr(Rᵀ A), the nearest to A in the sum of squares, and that maximum. Where
/// several are equally near (A of rank 1 or 0, or a mirror image with equal small stretches), one of them.
pub fn nearest_rotation(a: &DMat3) -> (DMat3, f64) {
    let (values, vectors) = symmetric_eigen(davenport(a));
    let quaternion = DQuat::from_vec4(DVec4::from(vectors[3])).normalize();
    (DMat3::from_quat(quaternion), values[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extreme;
    use glam::DVec3;

    /// A = R S with S of any signs: R is found where it is the nearest, and no rotation of many is nearer.
    #[test]
    fn no_rotation_is_nearer() {
        let rotation = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 2.0);
        let turn = DMat3::from_axis_angle(DVec3::new(-0.3, 0.2, 1.0).normalize(), 0.7);
        for stretch in [
            [1.0, 2.0, 3.0],
            [1.0, 2.0, -0.5],
            [-1.0, -2.0, -3.0],
            [1.0, 2.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
        ] {
            let s = turn * DMat3::from_diagonal(DVec3::from(stretch)) * turn.transpose();
            let a = rotation * s;
            let (found, most) = nearest_rotation(&a);
            let product = |r: &DMat3| (0..3).map(|k| r.col(k).dot(a.col(k))).sum::<f64>();
            assert!((found.determinant() - 1.0).abs() < 1e-12);
            assert!((product(&found) - most).abs() < 1e-12);
            let mut sorted = stretch.map(f64::abs);
            sorted.sort_by(f64::total_cmp);
            let sign = stretch.iter().product::<f64>();
            let want = sorted[2] + sorted[1] + if sign < 0.0 { -sorted[0] } else { sorted[0] };
            assert!((most - want).abs() < 1e-12, "{stretch:?}: {most} {want}");
            if stretch[0] > 0.0 && stretch[1] > 0.0 && stretch[2] >= -0.5 {
                let way = (0..3).map(|k| found.col(k).distance(rotation.col(k)));
                assert!(way.fold(0.0, extreme::greatest) < 1e-12, "{stretch:?}");
            }
        }
    }

    #[test]
    fn eigenvectors_make_the_matrix_again() {
        let a = [
            [4.0, 1.0, -2.0, 0.5, 0.0],
            [1.0, 3.0, 0.0, 1.0, 2.0],
            [-2.0, 0.0, 1.0, 1.0, -1.0],
            [0.5, 1.0, 1.0, -2.0, 0.3],
            [0.0, 2.0, -1.0, 0.3, 0.0],
        ];
        let (values, vectors) = symmetric_eigen(a);
        for i in 0..5 {
            for j in 0..5 {
                let sum: f64 = (0..5).map(|k| values[k] * vectors[k][i] * vectors[k][j]).sum();
                assert!((sum - a[i][j]).abs() < 1e-12);
            }
        }
    }
}
