//! Implicit Euler by brute force: v⁺ = v + h a(x⁺, v⁺), x⁺ = x + h v⁺, solved by Newton's method with a dense matrix of
//! differences.

use crate::extreme;
use glam::DVec3;

use super::System;
use super::dense::{Matrix, solve};
use super::force::acceleration;
use crate::error::{Error, Result};

/// Newton iterations.
const ITERATIONS: usize = 100;
/// Times that a change is halved.
const HALVINGS: i32 = 30;
/// What positions are moved by for a derivative \[m\].
const REACH: f64 = 1e-6;

/// The system after a step of `h` \[s\], without solids and plastic flow: no velocity is further than `tolerance` \[m/s\] from
/// v + h a(x⁺, v⁺). Pinned points stay. Where there are several solutions, one to which Newton's method comes from the
/// velocities that the points have.
///
/// # Errors
/// When it comes to none.
pub fn step(system: &System, h: f64, tolerance: f64) -> Result<System> {
    let given = system;
    let system = &System { chord: h, ..given.clone() };
    let mut velocity = system.velocity.clone();
    for (i, v) in velocity.iter_mut().enumerate() {
        if system.pinned(i) {
            *v = DVec3::ZERO;
        }
    }
    let start = velocity.clone();
    let mut left = residual(system, h, &start, &velocity);
    for _ in 0..ITERATIONS {
        if largest(&left) <= tolerance {
            let mut next = given.clone();
            next.position = moved(system, h, &velocity);
            next.velocity = velocity;
            return Ok(next);
        }
        let right = left.iter().flat_map(|r| (-*r).to_array()).collect();
        let Some(change) = solve(jacobian(system, h, &start, &velocity), right) else {
            break;
        };
        let tried = |halvings: i32| -> Vec<DVec3> {
            let changes = change.chunks_exact(3).map(DVec3::from_slice);
            let pairs = velocity.iter().zip(changes);
            pairs.map(|(v, change)| *v + 0.5_f64.powi(halvings) * change).collect()
        };
        let better = |next: &Vec<DVec3>| size(&residual(system, h, &start, next)) < size(&left);
        velocity = (0..HALVINGS).map(tried).find(better).unwrap_or_else(|| tried(HALVINGS));
        left = residual(system, h, &start, &velocity);
    }
    let got = format!("{:e} m/s left", largest(&left));
    Err(Error::value("implicit step", got, "a shorter one, or another start"))
}

/// x + h v
fn moved(system: &System, h: f64, velocity: &[DVec3]) -> Vec<DVec3> {
    let pairs = system.position.iter().zip(velocity);
    pairs.map(|(x, v)| *x + h * *v).collect()
}

/// v − v_n − h a(x + h v, v) \[m/s\]; 0 of pinned points.
fn residual(system: &System, h: f64, start: &[DVec3], velocity: &[DVec3]) -> Vec<DVec3> {
    let a = acceleration(system, &moved(system, h, velocity), velocity);
    let left = |i: usize| velocity[i] - start[i] - h * a[i];
    (0..velocity.len()).map(left).collect()
}

fn jacobian(system: &System, h: f64, start: &[DVec3], velocity: &[DVec3]) -> Matrix {
    let reach = REACH / h;
    let mut matrix = Matrix::zero(3 * velocity.len());
    for column in 0..matrix.size() {
        let (point, axis) = (column / 3, column % 3);
        if system.pinned(point) {
            matrix[(column, column)] = 1.0;
            continue;
        }
        let [above, below] = [reach, -reach].map(|change| {
            let mut velocity = velocity.to_vec();
            velocity[point][axis] += change;
            residual(system, h, start, &velocity)
        });
        for (i, (above, below)) in above.iter().zip(&below).enumerate() {
            for k in 0..3 {
                matrix[(3 * i + k, column)] = (above[k] - below[k]) / (2.0 * reach);
            }
        }
    }
    matrix
}

fn largest(left: &[DVec3]) -> f64 {
    left.iter().map(|r| r.length()).fold(0.0, extreme::greatest)
}

fn size(left: &[DVec3]) -> f64 {
    left.iter().map(|r| r.length_squared()).sum::<f64>().sqrt()
}
