//! Volume, centre and inertia, and points that are to have them.

use glam::{DMat3, DVec3};

/// A point keeps at least this part of what it had.
const LEAST: f64 = 0.5;

/// How much dearer it is to miss an entry of the inertia than to change masses, which matters only where there are too few
/// points for it.
const STRICT: f64 = 1e7;

/// Points that would get less than [`LEAST`] are held there, and the others found again, this often at most.
const ROUNDS: usize = 40;

/// ∫ 1, ∫ x and ∫ x xᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    pub volume: f64,
    pub first: DVec3,
    pub second: DMat3,
}

impl Moments {
    /// Of nothing.
    pub const ZERO: Self = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Adds a point of this volume.
    pub fn add(&mut self, volume: f64, x: DVec3) {
        self.volume += volume;
        self.first += volume * x;
        self.second += volume * outer(x);
    }

    /// Of what a closed surface encloses, its faces wound outwards: the sum over the tetrahedra between the faces and the
    /// origin (divergence theorem).
    pub fn enclosed(faces: impl Iterator<Item = [DVec3; 3]>) -> Self {
        let mut sum = Self::ZERO;
        for [a, b, c] in faces {
            let (volume, corners) = (a.dot(b.cross(c)) / 6.0, a + b + c);
            sum.volume += volume;
            sum.first += 0.25 * volume * corners;
            sum.second += 0.05 * volume * (outer(a) + outer(b) + outer(c) + outer(corners));
        }
        sum
    }

    /// Where the middle is.
    pub fn centre(&self) -> DVec3 {
        self.first / self.volume
    }

    /// ∫ r rᵀ with r from the middle.
    pub fn about_centre(&self) -> DMat3 {
        let c = self.centre();
        self.second - self.volume * outer(c)
    }
}

/// x xᵀ
fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}

/// Factors of the volumes of points that give them the wanted moments and are the nearest to 1 (weighted least
/// squares, Σ m (f − 1)²): 1 + q(x), q a quadratic polynomial. None is below [`LEAST`]; where these would be needed,
/// as with a few points, volume and centre are kept and the inertia missed.
pub fn factors(points: &[DVec3], volumes: &[f64], wanted: &Moments) -> Vec<f64> {
    let (centre, second) = (wanted.centre(), wanted.about_centre());
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let scale = (wanted.volume / trace).sqrt();
    let row = |x: &DVec3| {
        let r = (*x - centre) * scale;
        let (squares, mixed) = (r * r, r * DVec3::new(r.y, r.z, r.x));
        [1.0, r.x, r.y, r.z, squares.x, squares.y, squares.z, mixed.x, mixed.y, mixed.z]
    };
    let rows: Vec<[f64; 10]> = points.iter().map(row).collect();
    let about = |i: usize, j: usize| second.col(j)[i] * scale * scale;
    let mut goal = [0.0; 10];
    goal[0] = wanted.volume;
    goal[4..].copy_from_slice(&[
        about(0, 0),
        about(1, 1),
        about(2, 2),
        about(0, 1),
        about(1, 2),
        about(2, 0),
    ]);
    let mut factors = vec![1.0; points.len()];
    let mut held = vec![false; points.len()];
    for _ in 0..ROUNDS {
        let q = polynomial(&rows, volumes, &held, goal);
        let mut all_free = true;
        for (i, row) in rows.iter().enumerate() {
            if held[i] {
                continue;
            }
            factors[i] = 1.0 + row.iter().zip(q).map(|(r, q)| r * q).sum::<f64>();
            if factors[i] < LEAST {
                factors[i] = LEAST;
                held[i] = true;
                all_free = false;
            }
        }
        if all_free {
            break;
        }
    }
    factors
}

/// The coefficients of q by which the points that are not held reach the goal, whose first entry is the volume.
fn polynomial(rows: &[[f64; 10]], volumes: &[f64], held: &[bool], goal: [f64; 10]) -> [f64; 10] {
    let mut matrix = [[0.0; 10]; 10];
    let mut missing = goal;
    for ((row, volume), held) in rows.iter().zip(volumes).zip(held) {
        for a in 0..10 {
            missing[a] -= volume * row[a] * if *held { LEAST } else { 1.0 };
            for b in 0..10 {
                matrix[a][b] += if *held { 0.0 } else { volume * row[a] * row[b] };
            }
        }
    }
    for (a, row) in matrix.iter_mut().enumerate() {
        row[a] += if a < 4 { 1e-12 } else { STRICT.recip() } * goal[0];
    }
    solve(matrix, missing)
}

/// Solves a symmetric positive definite system by elimination.
fn solve(mut matrix: [[f64; 10]; 10], mut right: [f64; 10]) -> [f64; 10] {
    for k in 0..10 {
        let pivot = matrix[k];
        for row in k + 1..10 {
            let factor = matrix[row][k] / pivot[k];
            for column in k..10 {
                matrix[row][column] -= factor * pivot[column];
            }
            right[row] -= factor * right[k];
        }
    }
    for k in (0..10).rev() {
        let known: f64 = (k + 1..10).map(|j| matrix[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k][k];
    }
    right
}
