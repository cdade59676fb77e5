//! Eigenvalues, the Hessian, and spectra known in closed form.

use glam::DVec3;

use super::lattice::{Random, block, points};
use crate::reference::Spring;
use crate::reference::dense::{Matrix, symmetric_eigenvalues};
use crate::reference::force::{damping_forces, whole};
use crate::reference::spectrum::{
    damping_spectrum, spectrum, stiffness_product, stiffness_spectrum,
};

#[test]
fn eigenvalues_of_the_second_difference_are_known() {
    for n in [1, 2, 3, 10, 40] {
        let matrix = Matrix::of(n, |i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        for (k, found) in symmetric_eigenvalues(matrix).iter().enumerate() {
            let angle = (k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
            assert!((found - (2.0 - 2.0 * angle.cos())).abs() < 1e-13);
        }
    }
    assert!(symmetric_eigenvalues(Matrix::zero(0)).is_empty());
    assert_eq!(symmetric_eigenvalues(Matrix::zero(3)), vec![0.0; 3]);
}

#[test]
fn eigenvalues_survive_a_rotation() {
    // Q diag Qᵀ with Q a product of reflections.
    let (n, mut random) = (12, Random::new(11));
    let wanted: Vec<f64> = (0..n).map(|k| (k as f64 - 4.0).powi(3)).collect();
    let mut matrix = Matrix::of(n, |i, j| if i == j { wanted[i] } else { 0.0 });
    for _ in 0..4 {
        let v: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let norm: f64 = v.iter().map(|e| e * e).sum();
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
        let reflection = Matrix::of(n, |i, j| unit(i, j) - 2.0 * v[i] * v[j] / norm);
        matrix = product(&reflection, &product(&matrix, &reflection));
    }
    for (found, wanted) in symmetric_eigenvalues(matrix).iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-11, "{found} {wanted}");
    }
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::of(a.size(), |i, j| (0..a.size()).map(|k| a[(i, k)] * b[(k, j)]).sum())
}

#[test]
fn one_spring_has_one_frequency_and_one_rate() {
    let mut system = points(&[DVec3::ZERO, DVec3::new(0.0, 0.3, 0.4)], &[DVec3::ZERO; 2], 0.2);
    system.springs = vec![Spring { points: [0, 1], rest: 0.5, stiffness: 60.0, damping: 2.0 }];
    // ω² = k/l0² (1/m + 1/m)
    let omega_squared = stiffness_spectrum(&system, &system.position, 0);
    assert!((omega_squared[5] - 2400.0).abs() < 1e-9 && omega_squared[4].abs() < 1e-9);
    let rates = damping_spectrum(&system, &system.position, 0);
    assert!((rates[5] - 80.0).abs() < 1e-10 && rates[4].abs() < 1e-10);
    system.inverse_mass[0] = 0.0;
    let pinned = stiffness_spectrum(&system, &system.position, 0);
    assert!(pinned.len() == 3 && (pinned[2] - 1200.0).abs() < 1e-9);
}

#[test]
fn block_has_six_rigid_motions_and_the_published_undamped_step() {
    // damping.md: 2/ω = 3.24 ms for n = 3
    let mut system = block(3, 0.2);
    let omega_squared = stiffness_spectrum(&system, &system.position, 0);
    let top = omega_squared[omega_squared.len() - 1];
    assert!(omega_squared[5] < 1e-9 * top && omega_squared[6] > 1e-4 * top);
    assert!((2.0 / top.sqrt() - 3.24e-3).abs() < 0.005e-3);
    // damping resists no rigid motion either, wherever the points are, and takes energy from all others
    system.springs.iter_mut().for_each(|spring| spring.damping = 2.0);
    let mut random = Random::new(5);
    let x: Vec<_> = system.position.iter().map(|x| *x + random.vector(0.04)).collect();
    let rates = damping_spectrum(&system, &x, 0);
    let fastest = rates[rates.len() - 1];
    assert!(rates[0] > -1e-9 * fastest && rates[5] < 1e-9 * fastest && rates[6] > 1e-4 * fastest);
}

/// damping.md, n = 3: explicit damping is stable while λmax(h²K + 2hC) < 4.
#[test]
fn explicit_damping_has_the_published_steps() {
    for (d_c, below, above) in
        [(0.1, 2.58e-3, 2.60e-3), (2.0, 0.345e-3, 0.355e-3), (20.0, 0.035e-3, 0.045e-3)]
    {
        let mut system = block(3, 0.2);
        system.springs.iter_mut().for_each(|spring| spring.damping = d_c);
        let (x, whole) = (&system.position, whole(&system));
        let largest = |h: f64| {
            let image = |w: &[DVec3]| {
                let damping = damping_forces(&system, x, w, &whole);
                let elastic = stiffness_product(&system, x, w).into_iter();
                elastic.zip(damping).map(|(k, c)| h * h * k - 2.0 * h * c).collect()
            };
            spectrum(&system, 0, image).last().copied().unwrap()
        };
        assert!(largest(below) < 4.0 && largest(above) > 4.0, "{d_c}");
    }
}
