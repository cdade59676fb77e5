//! Eigenvalues of small symmetric matrices.

/// Eigenvalues and eigenvectors of a symmetric matrix, by rotations of two rows and columns at a time (Jacobi 1846).
pub(super) fn symmetric_eigen(mut a: Vec<Vec<f64>>) -> Vec<(f64, Vec<f64>)> {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> = (0..n)
        .map(|k| (0..n).map(|i| f64::from(u8::from(i == k))).collect())
        .collect();
    for _ in 0..60 {
        for (p, q) in (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))) {
            let beside = a[p][q];
            if beside.abs() < 1e-18 * (a[p][p].abs() + a[q][q].abs()) {
                continue;
            }
            let angle = 0.5 * (2.0 * beside).atan2(a[p][p] - a[q][q]);
            let (sine, cosine) = angle.sin_cos();
            let turn = |x: f64, y: f64| (cosine * x + sine * y, cosine * y - sine * x);
            for row in &mut a {
                (row[p], row[q]) = turn(row[p], row[q]);
            }
            for k in 0..n {
                (a[p][k], a[q][k]) = turn(a[p][k], a[q][k]);
                (vectors[p][k], vectors[q][k]) = turn(vectors[p][k], vectors[q][k]);
            }
        }
    }
    let values = (0..n).map(|k| a[k][k]).collect::<Vec<_>>();
    values.into_iter().zip(vectors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_only_stretched() {
        let a = vec![
            vec![4.0, 1.0, -2.0, 0.5],
            vec![1.0, 3.0, 0.0, 1.0],
            vec![-2.0, 0.0, 1.0, 0.0],
            vec![0.5, 1.0, 0.0, -2.0],
        ];
        for (value, vector) in symmetric_eigen(a.clone()) {
            let length: f64 = vector.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-12);
            for (row, x) in a.iter().zip(&vector) {
                let image: f64 = row.iter().zip(&vector).map(|(a, b)| a * b).sum();
                assert!((image - value * x).abs() < 1e-12);
            }
        }
    }
}
