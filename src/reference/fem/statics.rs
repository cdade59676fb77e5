//! Equilibrium under dead loads: Newton's method with a factorised band matrix (Nocedal & Wright 2006, §3.3 and alg.
//! 3.3).

use crate::extreme;
use glam::DVec3;

use super::{Element, energy, force_changes, forces};

/// Newton steps after which there is no solution.
const MOST_STEPS: usize = 60;
/// Halvings of one Newton step.
const MOST_HALVINGS: i32 = 40;

/// Elements under loads. Points should be numbered so that those of one element are near each other: the time grows
/// with the square of the largest distance.
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// The elements.
    pub elements: Vec<Element>,
    /// Where the search starts \[m\].
    pub start: Vec<DVec3>,
    /// Points that stay there.
    pub held: Vec<bool>,
    /// Force on every point \[N\], the same wherever it moves.
    pub load: Vec<DVec3>,
}

/// Positions \[m\] at which no force on a free point is larger than `tolerance` \[N\]; None where none were found.
pub fn equilibrium(problem: &Problem, tolerance: f64) -> Option<Vec<DVec3>> {
    let mut x = problem.start.clone();
    for _ in 0..MOST_STEPS {
        let residual = residual(problem, &x);
        let worst = residual.iter().map(|r| r.length()).fold(0.0, extreme::greatest);
        if worst <= tolerance {
            return Some(x);
        }
        let step = newton_step(problem, &x, &residual)?;
        x = search(problem, &x, &step, &residual)?;
    }
    None
}

/// Forces of elements and loads on the free points \[N\].
fn residual(problem: &Problem, x: &[DVec3]) -> Vec<DVec3> {
    let mut sum = problem.load.clone();
    for element in &problem.elements {
        for (corner, force) in element.corners.into_iter().zip(forces(element, x)) {
            sum[corner] += force;
        }
    }
    for (force, held) in sum.iter_mut().zip(&problem.held) {
        if *held {
            *force = DVec3::ZERO;
        }
    }
    sum
}

/// K⁻¹ r, or where K is not positive (K + s I)⁻¹ r with an s that makes it so.
fn newton_step(problem: &Problem, x: &[DVec3], residual: &[DVec3]) -> Option<Vec<DVec3>> {
    let stiffness = assemble(problem, x);
    let right: Vec<_> = residual.iter().flat_map(DVec3::to_array).collect();
    let largest = stiffness.rows.iter().map(|row| row[0].abs());
    let largest = largest.fold(0.0, extreme::greatest);
    let mut shift = 0.0;
    let solution = loop {
        if let Some(solution) = stiffness.clone().solve(shift, &right) {
            break solution;
        }
        shift = f64::max(10.0 * shift, 1e-6 * largest);
        if shift > 1e3 * largest {
            return None;
        }
    };
    Some(solution.chunks_exact(3).map(DVec3::from_slice).collect())
}

/// The first of x + d, x + d/2, … that lowers the energy enough (Armijo 1966).
fn search(
    problem: &Problem,
    x: &[DVec3],
    step: &[DVec3],
    residual: &[DVec3],
) -> Option<Vec<DVec3>> {
    let total = |x: &[DVec3]| {
        let inner: f64 = problem.elements.iter().map(|e| energy(e, x)).sum();
        let outer: f64 = problem.load.iter().zip(x).map(|(f, x)| f.dot(*x)).sum();
        inner - outer
    };
    let slope: f64 = residual.iter().zip(step).map(|(r, d)| r.dot(*d)).sum();
    let start = total(x);
    // Terms of the size of the moduli cancel in the energies.
    let terms = problem.elements.iter();
    let terms = terms.map(|e| e.volume * (e.lame.lambda.abs() + e.lame.mu));
    let rounding = 1e-15 * terms.sum::<f64>() + 1e-13 * start.abs();
    let shares = (0..MOST_HALVINGS).map(|halvings| 0.5_f64.powi(halvings));
    let tried = shares.map(|share| {
        let next: Vec<_> = x.iter().zip(step).map(|(x, d)| *x + share * *d).collect();
        (share, next)
    });
    let mut tried =
        tried.filter(|(share, next)| total(next) <= start - 1e-4 * share * slope + rounding);
    tried.next().map(|(_, next)| next)
}

/// A symmetric band matrix: row i holds its diagonal and what lies to the left of it, nearest first.
#[derive(Clone)]
struct Band {
    rows: Vec<Vec<f64>>,
}

/// K, column by column from the change of each element's forces along its corners' axes; of points that are held I.
fn assemble(problem: &Problem, x: &[DVec3]) -> Band {
    let apart = |element: &Element| {
        let corners = element.corners.iter();
        corners.clone().max().zip(corners.min()).map_or(0, |(a, b)| a - b)
    };
    let width = 3 * (problem.elements.iter().map(apart).max().unwrap_or(0) + 1);
    let mut rows: Vec<_> = (0..3 * x.len()).map(|i| vec![0.0; width.min(i + 1)]).collect();
    for (three, held) in rows.chunks_exact_mut(3).zip(&problem.held) {
        three.iter_mut().for_each(|row| row[0] = f64::from(u8::from(*held)));
    }
    let free = |corner: &usize| !problem.held[*corner];
    let mut direction = vec![DVec3::ZERO; x.len()];
    for element in &problem.elements {
        for (moved, axis) in
            element.corners.into_iter().filter(free).flat_map(|c| [(c, 0), (c, 1), (c, 2)])
        {
            direction[moved][axis] = 1.0;
            let changes = element.corners.into_iter().zip(force_changes(element, x, &direction));
            direction[moved][axis] = 0.0;
            let column = 3 * moved + axis;
            for (corner, change) in changes.filter(|(corner, _)| free(corner)) {
                for (row, change) in (3 * corner..).zip(change.to_array()) {
                    if row >= column {
                        rows[row][row - column] -= change;
                    }
                }
            }
        }
    }
    Band { rows }
}

impl Band {
    /// (A + shift I)⁻¹ b by Cholesky's factorisation; None where that matrix is not positive.
    fn solve(mut self, shift: f64, right: &[f64]) -> Option<Vec<f64>> {
        let rows = &mut self.rows;
        for i in 0..rows.len() {
            let (above, below) = rows.split_at_mut(i);
            let row = &mut below[0];
            row[0] += shift;
            // Columns left of the diagonal from the farthest on: L_ij = (A_ij − Σ_k L_ik L_jk)/L_jj.
            for back in (1..row.len()).rev() {
                let other = &above[i - back];
                let common = (row.len() - 1 - back).min(other.len() - 1);
                let sum: f64 = row[back + 1..=back + common]
                    .iter()
                    .zip(&other[1..=common])
                    .map(|(a, b)| a * b)
                    .sum();
                row[back] = (row[back] - sum) / other[0];
            }
            let square = row[0] - row[1..].iter().map(|e| e * e).sum::<f64>();
            if square.is_nan() || square <= 0.0 {
                return None;
            }
            row[0] = square.sqrt();
        }
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let row = &rows[i];
            let sum: f64 = (1..row.len()).map(|back| row[back] * x[i - back]).sum();
            x[i] = (x[i] - sum) / row[0];
        }
        for i in (0..x.len()).rev() {
            let row = &rows[i];
            x[i] /= row[0];
            for back in 1..row.len() {
                x[i - back] -= row[back] * x[i];
            }
        }
        Some(x)
    }
}
