//! Dense matrices, as large as a test needs, and the eigenvalues of symmetric ones.

use std::ops::{Index, IndexMut};

use glam::{DMat3, DVec3};

use crate::extreme;
use crate::family::fem::rotation::symmetric_eigen;

/// A square matrix, rows first.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// The zero matrix of `size` rows and columns.
    pub fn zero(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    /// A matrix by its entries at (row, column).
    pub fn of(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        Self { size, entries: (0..size * size).map(|k| entry(k / size, k % size)).collect() }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.size
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }
}

/// All eigenvalues of a symmetric matrix, ascending, to about 1e-14 of the largest one: reduction to tridiagonal form
/// by reflections (Householder 1958), then bisection on the count of negative pivots (Givens 1954; Golub & Van Loan
/// 2013, §8.3.1 and §8.4.1). Only symmetric matrices have the eigenvalues found here.
pub fn symmetric_eigenvalues(matrix: Matrix) -> Vec<f64> {
    let (diagonal, beside) = tridiagonal(matrix);
    let n = diagonal.len();
    let reach = |i: usize| {
        let left = if i > 0 { beside[i - 1].abs() } else { 0.0 };
        let right = if i + 1 < n { beside[i].abs() } else { 0.0 };
        left + right
    };
    let low = (0..n).map(|i| diagonal[i] - reach(i)).fold(f64::INFINITY, extreme::least);
    let high = (0..n).map(|i| diagonal[i] + reach(i)).fold(f64::NEG_INFINITY, extreme::greatest);
    let eigenvalue = |rank| bisect(low, high, |x| count_below(&diagonal, &beside, x) <= rank);
    (0..n).map(eigenvalue).collect()
}

/// Where between two numbers a statement that holds below ceases to, by 60 halvings.
pub fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// Eigenvalues of a symmetric matrix, ascending, and the axes that belong to them.
pub fn principal_axes(a: &DMat3) -> ([f64; 3], [DVec3; 3]) {
    let (values, vectors) = symmetric_eigen(a.to_cols_array_2d());
    (values, vectors.map(DVec3::from))
}

/// The diagonal and the entries beside it of a tridiagonal matrix with the eigenvalues of the symmetric `a`.
fn tridiagonal(mut a: Matrix) -> (Vec<f64>, Vec<f64>) {
    let n = a.size();
    for k in 0..n.saturating_sub(2) {
        let norm = (k + 1..n).map(|i| a[(i, k)].powi(2)).sum::<f64>().sqrt();
        if norm == 0.0 {
            continue;
        }
        let mut v = vec![0.0; n];
        for i in k + 1..n {
            v[i] = a[(i, k)];
        }
        v[k + 1] += norm.copysign(v[k + 1]);
        let length = v.iter().map(|e| e * e).sum::<f64>().sqrt();
        v.iter_mut().for_each(|e| *e /= length);
        // (I − 2vvᵀ) A (I − 2vvᵀ) = A − 2vwᵀ − 2wvᵀ, w = Av − (v·Av)v
        let mut w = vec![0.0; n];
        for i in k..n {
            w[i] = (k + 1..n).map(|j| a[(i, j)] * v[j]).sum();
        }
        let projection: f64 = v.iter().zip(&w).map(|(a, b)| a * b).sum();
        w.iter_mut().zip(&v).for_each(|(w, v)| *w -= projection * v);
        for i in k..n {
            for j in k..n {
                a[(i, j)] -= 2.0 * (v[i] * w[j] + w[i] * v[j]);
            }
        }
    }
    let diagonal = (0..n).map(|i| a[(i, i)]).collect();
    let beside = (1..n).map(|i| a[(i, i - 1)]).collect();
    (diagonal, beside)
}

/// How many eigenvalues of the tridiagonal matrix lie below `x`: the negative pivots of T − xI (Sylvester's law of
/// inertia).
fn count_below(diagonal: &[f64], beside: &[f64], x: f64) -> usize {
    let mut count = 0;
    let mut pivot = 1.0;
    for i in 0..diagonal.len() {
        let coupling = if i > 0 { beside[i - 1] * beside[i - 1] / pivot } else { 0.0 };
        pivot = diagonal[i] - x - coupling;
        if pivot == 0.0 {
            pivot = f64::MIN_POSITIVE.sqrt();
        }
        if pivot < 0.0 {
            count += 1;
        }
    }
    count
}

/// The solution of a linear system, by elimination with row pivoting; none where the matrix is singular.
pub fn solve(mut matrix: Matrix, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = matrix.size();
    for k in 0..n {
        let pivot =
            (k..n).max_by(|a, b| matrix[(*a, k)].abs().total_cmp(&matrix[(*b, k)].abs()))?;
        if matrix[(pivot, k)].abs() < f64::MIN_POSITIVE {
            return None;
        }
        for j in k..n {
            let (a, b) = (matrix[(k, j)], matrix[(pivot, j)]);
            (matrix[(k, j)], matrix[(pivot, j)]) = (b, a);
        }
        right.swap(k, pivot);
        for i in k + 1..n {
            let factor = matrix[(i, k)] / matrix[(k, k)];
            if factor != 0.0 {
                for j in k..n {
                    matrix[(i, j)] -= factor * matrix[(k, j)];
                }
                right[i] -= factor * right[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[(k, j)] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[(k, k)];
    }
    Some(right)
}
