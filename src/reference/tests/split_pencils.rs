//! Steps of Runge–Kutta methods between two halves of exact damping, of stiffness and damping that do not commute: two
//! vibrations whose damping is turned against their stiffness.

use glam::DVec3;

use super::lattice::Random;
use crate::reference::damping::{legendre, legendre_reach};

type Square = [[f64; 4]; 4];

fn times(a: &Square, b: &Square) -> Square {
    let entry = |i: usize, j: usize| (0..4).map(|k| a[i][k] * b[k][j]).sum();
    [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|j| entry(i, j)))
}

fn norm(a: &Square) -> f64 {
    let squares = a.iter().flatten().map(|e| e * e);
    squares.sum::<f64>().sqrt()
}

/// The largest modulus of the eigenvalues: |S^n|^(1/n), n = 2^24.
fn spectral_radius(mut s: Square) -> f64 {
    let (mut log, mut weight) = (0.0, 1.0);
    for _ in 0..24 {
        let size = norm(&s);
        log += weight * size.ln();
        s.iter_mut().flatten().for_each(|e| *e /= size);
        s = times(&s, &s);
        weight *= 0.5;
    }
    (log + weight * norm(&s).ln()).exp()
}

/// R diag(x, y) Rᵀ, R a turn by `angle`.
fn turned([x, y]: [f64; 2], angle: f64) -> [[f64; 2]; 2] {
    let (s, c) = angle.sin_cos();
    let off = (x - y) * s * c;
    [[x * c * c + y * s * s, off], [off, x * s * s + y * c * c]]
}

/// What Legendre's polynomial of degree `s` leaves of a motion over half a step of h·c = `y`.
fn left(degree: u32, y: f64) -> f64 {
    let (reach, s) = (legendre_reach(degree), f64::from(degree));
    let b = |v: &[DVec3]| vec![v[0] * (1.0 - y / reach)];
    let share = reach / (s * (s + 1.0));
    1.0 - share + share * legendre(b, degree, &[DVec3::X])[0].x
}

/// One step (x, h v): halves of damping of rates `y` turned by `angle` against the stiffness `a` = h²ω², around R.
fn step(r: &[f64], a: [f64; 2], y: [f64; 2], angle: f64, degree: u32) -> Square {
    let half = turned(y.map(|y| left(degree, y)), angle);
    let mut damped = [[0.0; 4]; 4];
    let mut j = [[0.0; 4]; 4];
    for i in 0..2 {
        damped[i][i] = 1.0;
        damped[2 + i][2..].copy_from_slice(&half[i]);
        (j[i][2 + i], j[2 + i][i]) = (1.0, -a[i]);
    }
    let mut power = [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|k| f64::from(u8::from(i == k))));
    let mut sum = [[0.0; 4]; 4];
    for coefficient in r {
        for (sum, power) in sum.iter_mut().flatten().zip(power.iter().flatten()) {
            *sum += coefficient * power;
        }
        power = times(&power, &j);
    }
    times(&damped, &times(&sum, &damped))
}

/// The least eigenvalue of C − κ K.
fn spare(a: [f64; 2], y: [f64; 2], angle: f64, kappa: f64) -> f64 {
    let c = turned(y, angle);
    let (p, q) = (c[0][0] - kappa * a[0], c[1][1] - kappa * a[1]);
    0.5 * (p + q) - (0.25 * (p - q) * (p - q) + c[0][1] * c[0][1]).sqrt()
}

const EULER: &[f64] = &[1.0, 1.0];
const MIDPOINT: &[f64] = &[1.0, 1.0, 0.5];
const RK4: &[f64] = &[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];

/// The largest spectral radius over random pencils with h²ω² = `most` and C ≥ `kappa` K.
fn worst(r: &[f64], most: f64, kappa: f64) -> f64 {
    let mut random = Random(61);
    let mut positive = || random.signed().abs();
    let mut worst: f64 = 0.0;
    let mut tried = 0;
    while tried < 4000 {
        let degree = [3, 5, 7, 11][(4.0 * positive()) as usize];
        let fastest = 2.0 * legendre_reach(degree);
        let a = [most * positive(), most];
        let y = [fastest * positive().powi(3), fastest * positive()];
        let angle = 3.2 * positive();
        if spare(a, y, angle, kappa) < 0.0 {
            continue;
        }
        tried += 1;
        worst = worst.max(spectral_radius(step(r, a, y, angle, degree)));
    }
    worst
}

/// Rk4 needs no damping and bears all of it; Euler and midpoint bear all that is not too little.
#[test]
fn no_damping_makes_a_split_step_unstable() {
    for (r, most, kappa) in [
        (EULER, 0.48, 1.0),
        (MIDPOINT, 1.1, 1.1 / 4.0),
        (RK4, 8.0, 0.0),
    ] {
        let found = worst(r, most, kappa);
        println!("degree {}: {found}", r.len() - 1);
        assert!(found < 1.0 + 1e-6, "degree {}: {found}", r.len() - 1);
    }
    assert!(worst(RK4, 8.4, 0.0) > 1.0 + 1e-3);
}

/// Where stiffness and damping commute, Euler and midpoint bear h²ω² = 0.688 and 1.659; where they do not, less.
#[test]
fn bounds_of_commuting_pencils_are_too_long_for_others() {
    let a = [0.05, 1.655];
    let y = [0.2685, 7.233];
    let (mut turned, mut straight): (f64, f64) = (0.0, 0.0);
    for k in 0..2000 {
        let angle = std::f64::consts::PI * f64::from(k) / 2000.0;
        if spare(a, y, angle, a[1] / 4.0) >= 0.0 {
            turned = turned.max(spectral_radius(step(MIDPOINT, a, y, angle, 3)));
        }
    }
    for degree in [3, 5, 7, 11] {
        for k in 0..2000 {
            let fast = 1.655 * 1.655 / 4.0 + 1e-3 * f64::from(k) * legendre_reach(degree);
            let y = [
                a[0] * a[1] / 4.0 * 1.001,
                fast.min(2.0 * legendre_reach(degree)),
            ];
            straight = straight.max(spectral_radius(step(MIDPOINT, a, y, 0.0, degree)));
        }
    }
    println!("midpoint at 1.655: {straight} where they commute, {turned} where they do not");
    assert!(
        straight < 1.0 + 1e-6 && turned > 1.02,
        "{straight} {turned}"
    );
}
