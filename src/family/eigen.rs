//! Eigenvalues of small symmetric matrices.

/// Beside the largest entry of the diagonal, what is less than this is none: rounding leaves as much.
const NOTHING: f64 = 1e-17;
/// Each sweep squares what is left beside the diagonal once that is small; ten are more than any matrix takes.
const MOST_SWEEPS: usize = 30;

/// Eigenvalues and eigenvectors of a symmetric matrix, by rotations of two rows and columns at a time (Jacobi 1846).
pub(in crate::family) fn symmetric_eigen<const N: usize>(
    mut a: [[f64; N]; N],
) -> [(f64, [f64; N]); N] {
    let mut vectors: [[f64; N]; N] =
        std::array::from_fn(|k| std::array::from_fn(|i| f64::from(u8::from(i == k))));
    let largest = a.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for _ in 0..MOST_SWEEPS {
        let mut turned = false;
        for (p, q) in (0..N).flat_map(|p| (p + 1..N).map(move |q| (p, q))) {
            if a[p][q].abs() <= NOTHING * largest {
                continue;
            }
            turned = true;
            turn(&mut a, &mut vectors, p, q);
        }
        if !turned {
            break;
        }
    }
    std::array::from_fn(|k| (a[k][k], vectors[k]))
}

/// The rotation of rows and columns p and q that leaves nothing at their crossing.
fn turn<const N: usize>(a: &mut [[f64; N]; N], vectors: &mut [[f64; N]; N], p: usize, q: usize) {
    let angle = 0.5 * (2.0 * a[p][q]).atan2(a[p][p] - a[q][q]);
    let (sine, cosine) = angle.sin_cos();
    let turn = |x: f64, y: f64| (cosine * x + sine * y, cosine * y - sine * x);
    for row in a.iter_mut() {
        (row[p], row[q]) = turn(row[p], row[q]);
    }
    for k in 0..N {
        (a[p][k], a[q][k]) = turn(a[p][k], a[q][k]);
        (vectors[p][k], vectors[q][k]) = turn(vectors[p][k], vectors[q][k]);
    }
    (a[p][q], a[q][p]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(a: [[f64; N]; N]) {
        for (value, vector) in symmetric_eigen(a) {
            let length: f64 = vector.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-12);
            for (row, x) in a.iter().zip(&vector) {
                let image: f64 = row.iter().zip(&vector).map(|(a, b)| a * b).sum();
                assert!((image - value * x).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn vectors_are_only_stretched() {
        check([
            [4.0, 1.0, -2.0, 0.5],
            [1.0, 3.0, 0.0, 1.0],
            [-2.0, 0.0, 1.0, 0.0],
            [0.5, 1.0, 0.0, -2.0],
        ]);
        check([[0.0; 3]; 3]);
        check([[1.0; 9]; 9]);
        let hilbert = |i: usize, j: usize| 1.0 / (i + j + 1) as f64;
        check(std::array::from_fn::<_, 9, _>(|i| std::array::from_fn(|j| hilbert(i, j))));
    }
}
