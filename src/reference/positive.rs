//! What Newton's method of implicit steps takes for the derivative of the forces: as much of it as is positive.

use glam::{DMat3, DVec3};

use super::System;
use super::fem::{Element, unit_matrices};
use super::springs;
use crate::family::fem::law::{hooke, symmetric};
use crate::family::fem::rotation::symmetric_eigen;

/// (K + C/h) w \[N\] of springs, volumes and areas at positions `x` \[m\], without what may be negative. Of a spring
/// k/l0² + d/(h l0²) along it, and across it its tension over its length where that pulls: of the elastic force, and of the
/// damping force at velocities `v` \[m/s\], too, where they are given. Of volumes and areas k g (g·w), g the gradient of the
/// strain, and of areas that are stretched k C/A0 Σ_b A ∇N_a·∇N_b n (n·w_b), n their normal.
pub fn product(
    system: &System,
    x: &[DVec3],
    v: Option<&[DVec3]>,
    h: f64,
    w: &[DVec3],
) -> Vec<DVec3> {
    let mut sum = vec![DVec3::ZERO; x.len()];
    for spring in &system.springs {
        let [i, j] = spring.points;
        let (n, length) = springs::direction(spring, x);
        let damping = springs::damping_coefficient(spring);
        let mut tension = spring.stiffness * (length - spring.rest) / (spring.rest * spring.rest);
        if let Some(v) = v {
            tension += damping * springs::length_rate(spring, x, v, system.chord);
        }
        let along = spring.stiffness / (spring.rest * spring.rest) + damping / h;
        let change = w[i] - w[j];
        let part = n * n.dot(change);
        let across = match length > 0.0 {
            true => (change - part) * (tension.max(0.0) / length),
            false => DVec3::ZERO,
        };
        let force = along * part + across;
        sum[i] += force;
        sum[j] -= force;
    }
    for constraint in system.constraints().skip(system.springs.len()) {
        let change = constraint.stiffness * constraint.change(x, w);
        for (i, gradient) in constraint.points().iter().zip(constraint.gradients(x)) {
            sum[*i] += change * gradient;
        }
    }
    for area in &system.areas {
        let [a, b, c] = area.corners.map(|i| x[i]);
        let normal = (b - a).cross(c - a);
        let size = 0.5 * normal.length();
        let n = normal.normalize_or_zero();
        let opposite = [c - b, a - c, b - a];
        let tension = (size / area.rest - 1.0).max(0.0) * area.stiffness / area.rest;
        for k in 0..3 {
            let bend = |m: usize| opposite[k].dot(opposite[m]) * n.dot(w[area.corners[m]]);
            let bend: f64 = (0..3).map(bend).sum::<f64>() / (4.0 * size).max(f64::MIN_POSITIVE);
            sum[area.corners[k]] += tension * bend * n;
        }
    }
    sum
}

/// The derivative of an element's stress in F S_p⁻¹ at positions `x` \[m\] without its negative eigenvalues, and that of its
/// viscous stress in F' over h, both \[Pa\]: entry (3 i + k, 3 j + l) of row k, column i by row l, column j. S_p counts as
/// part of the rest shape for both.
pub fn tangent(element: &Element, x: &[DVec3], h: f64) -> [[f64; 9]; 9] {
    let f = element.elastic_gradient(x);
    let (values, vectors) = symmetric_eigen(element.law.tangent(element.lame, &f));
    let viscous = |d: DMat3| {
        let strain = hooke(element.lame, &symmetric(&(f.transpose() * d)));
        (f * strain * (element.relaxation / h)).to_cols_array()
    };
    let mut sum = unit_matrices().map(viscous);
    for (value, vector) in values.iter().zip(&vectors) {
        for i in 0..9 {
            for j in 0..9 {
                sum[i][j] += value.max(0.0) * vector[i] * vector[j];
            }
        }
    }
    sum
}
