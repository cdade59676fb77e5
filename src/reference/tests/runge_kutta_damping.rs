//! Capped and exact damping of Runge–Kutta methods: their bounds, and what is left of their orders.

use glam::DVec3;

use super::lattice::{Random, block, scattered_block};
use super::orders::observed_order;
use super::oscillator::oscillator;
use crate::integrate::bounds::{Rates, longest_step};
use crate::reference::damping::{
    half_damped, half_gathers, legendre, legendre_reach, rate_bounds, theta,
};
use crate::reference::dense::{Matrix, symmetric_eigenvalues};
use crate::reference::spectrum::stiffness_spectrum;
use crate::reference::{Damping, Integrator, Scheme, System};
use crate::scene::{DampingMode, Integrator as Chosen};

const RUNGE_KUTTA: [(Integrator, Chosen); 3] = [
    (Integrator::Euler, Chosen::Euler),
    (Integrator::Midpoint, Chosen::Midpoint),
    (Integrator::Rk4, Chosen::Rk4),
];

/// max |R(z)| over the roots z of z² + d z + a.
fn growth_of(coefficients: &[f64], a: f64, d: f64) -> f64 {
    let square = 0.25 * d * d - a;
    let root = square.abs().sqrt();
    let roots = match square < 0.0 {
        true => [(-0.5 * d, root), (-0.5 * d, -root)],
        false => [(-0.5 * d - root, 0.0), (-0.5 * d + root, 0.0)],
    };
    let size = |(x, y): (f64, f64)| {
        let value = coefficients.iter().rev().fold((0.0, 0.0), |(re, im), c| {
            (re * x - im * y + c, re * y + im * x)
        });
        f64::hypot(value.0, value.1)
    };
    roots.map(size).into_iter().fold(0.0, f64::max)
}

#[test]
fn theta_of_rk4_is_within_its_region_and_nearly_all_of_it() {
    let r = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];
    let mut tightest = f64::INFINITY;
    for i in 0..=800 {
        let h_omega = (0.01 * f64::from(i)).sqrt();
        let theta = theta(Integrator::Rk4, 1.0, h_omega, 0.0).unwrap();
        for k in 0..=400 {
            let d = theta * f64::from(k) / 400.0;
            // A stiffness below the largest has the larger θ.
            let growth = growth_of(&r, h_omega * h_omega, d);
            assert!(
                growth < 1.0 + 1e-12,
                "a = {}, d = {d}: {growth}",
                h_omega * h_omega
            );
        }
        let beyond = (1..=100).map(|k| theta * (1.0 + 0.01 * f64::from(k)));
        let lost = beyond
            .into_iter()
            .find(|d| growth_of(&r, h_omega * h_omega, *d) > 1.0);
        tightest = lost.map_or(tightest, |d| tightest.min(d / theta));
    }
    assert!(tightest < 1.02, "{tightest}");
}

/// The largest amplitude over that at the start within `steps` steps; stops at 1e4.
fn amplification(scheme: Scheme, omega: f64, c: f64, steps: usize) -> f64 {
    let start = 1e-6;
    let mut system = oscillator(omega, c, start, 0.3 * start * omega);
    system.bodies[0].omega = omega;
    scheme.start(&mut system);
    let mut largest: f64 = 0.0;
    for _ in 0..steps {
        scheme.step(&mut system);
        largest = largest.max((system.position[1].x - 1.0).abs() / start);
        if largest > 1e4 {
            break;
        }
    }
    largest
}

/// What the bounds are made of, of the oscillator: there the rate is c itself.
fn rates(omega: f64, c: f64, mode: DampingMode) -> Rates {
    Rates {
        stiffness: omega,
        damping: 0.0,
        least_damping: c / (omega * omega),
        drag: 0.0,
        mode,
        rate: c,
    }
}

/// The bounds of Euler and midpoint are exact on the oscillator. Rk4's is exact without damping, which helps it there.
#[test]
fn capped_bounds_hold_from_both_sides() {
    let omega = 3.0;
    for (integrator, chosen) in RUNGE_KUTTA {
        for c in [0.0, 0.3, 3.0, 30.0, 3000.0] {
            let bound = longest_step(chosen, &rates(omega, c, DampingMode::Capped));
            if c == 0.0 && integrator != Integrator::Rk4 {
                assert_eq!(bound, 0.0);
                continue;
            }
            let at = |part: f64, steps| {
                let scheme = Scheme::new(integrator, Damping::Capped, part * bound).unwrap();
                amplification(scheme, omega, c, steps)
            };
            let below = at(0.98, 20_000);
            assert!(below < 50.0, "{integrator:?} c = {c}: {below} at {bound}");
            if integrator != Integrator::Rk4 || c == 0.0 {
                let above = at(1.05, 100_000);
                assert!(above >= 1e4, "{integrator:?} c = {c}: {above} at {bound}");
            }
        }
    }
}

#[test]
fn exact_bounds_are_stable_up_to_the_undamped_one() {
    let omega = 3.0;
    for (integrator, chosen) in RUNGE_KUTTA {
        for c in [0.3, 3.0, 30.0, 3000.0] {
            let bound = longest_step(chosen, &rates(omega, c, DampingMode::Exact));
            for part in [0.1, 0.5, 0.98] {
                let gathers = half_gathers(&rated(omega, c), part * bound);
                let damping = Damping::Exact { gathers };
                let scheme = Scheme::new(integrator, damping, part * bound).unwrap();
                let found = amplification(scheme, omega, c, 20_000);
                assert!(
                    found < 50.0,
                    "{integrator:?} c = {c}: {found} at {part} of {bound}"
                );
            }
        }
    }
}

fn rated(omega: f64, c: f64) -> System {
    let mut system = oscillator(omega, c, 0.0, 0.0);
    system.damping_rate = rate_bounds(&system, &system.position);
    system
}

/// Blocks whose stiffness and damping do not commute: volumes have stiffness only, masses differ. Rk4 bears every d_C up to
/// √8/ω, and without damping no longer step.
#[test]
fn rk4_bears_every_damping_up_to_the_undamped_bound() {
    let mut rest = block(2, 0.2);
    let mut random = Random(51);
    for w in &mut rest.inverse_mass {
        *w *= 1.2 + random.signed();
    }
    let omega = stiffness_spectrum(&rest, &rest.position, 0)
        .pop()
        .unwrap()
        .sqrt();
    let bound = 8.0_f64.sqrt() / omega;
    let mut grown = |damping, d_c: f64, part: f64| {
        let mut system = rest.clone();
        (system.bodies[0].damping, system.bodies[0].omega) = (d_c, omega);
        system.velocity = random.vectors(system.position.len(), 1e-6);
        let scheme = Scheme::new(Integrator::Rk4, damping, part * bound).unwrap();
        scheme.start(&mut system);
        for _ in 0..800 {
            scheme.step(&mut system);
            if system.velocity.iter().any(|v| v.length() > 1.0) {
                return f64::INFINITY;
            }
        }
        system
            .velocity
            .iter()
            .map(|v| v.length())
            .fold(0.0, f64::max)
            / 1e-6
    };
    for d_c in [0.01, 0.5, 20.0, 500.0] {
        for damping in [Damping::Capped, Damping::Exact { gathers: 5 }] {
            let found = grown(damping, d_c, 0.98);
            assert!(found < 2.0, "{damping:?} {d_c}: {found}");
        }
    }
    for damping in [Damping::Capped, Damping::Exact { gathers: 5 }] {
        assert_eq!(grown(damping, 0.0, 1.05), f64::INFINITY);
    }
    assert_eq!(grown(Damping::Explicit, 20.0, 0.98), f64::INFINITY);
}

#[test]
fn legendre_polynomials_of_one_number() {
    for w in [-1.0, -0.6, 0.1, 0.9, 1.0_f64] {
        let b = |v: &[DVec3]| vec![v[0] * w];
        let of = |degree| legendre(b, degree, &[DVec3::X])[0].x;
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-14);
        near(of(1), w);
        near(of(2), 0.5 * (3.0 * w * w - 1.0));
        near(of(3), 0.5 * (5.0 * w.powi(3) - 3.0 * w));
        near(
            of(5),
            (63.0 * w.powi(5) - 70.0 * w.powi(3) + 15.0 * w) / 8.0,
        );
    }
}

/// P over the free points of a scattered block, in the inner product of the masses.
fn half_operator(system: &System, gathers: u32, h: f64) -> Matrix {
    let free: Vec<usize> = (0..system.body.len())
        .filter(|&i| !system.pinned(i))
        .collect();
    let mut matrix = Matrix::zero(3 * free.len());
    for column in 0..matrix.size() {
        let mut v = vec![DVec3::ZERO; system.body.len()];
        v[free[column / 3]][column % 3] = 1.0;
        let after = half_damped(system, &system.position, &v, gathers, h);
        for row in 0..matrix.size() {
            let (i, j) = (free[row / 3], free[column / 3]);
            let scale = (system.inverse_mass[j] / system.inverse_mass[i]).sqrt();
            matrix[(row, column)] = scale * after[i][row % 3];
        }
    }
    matrix
}

/// 0 ≤ P ≤ I for every d_C, and what is not slow loses a fifth at least.
#[test]
fn half_damping_takes_from_every_motion_that_is_not_slow() {
    for d_c in [2.0, 200.0] {
        let mut system = scattered_block(2, 0.3, 52);
        system.bodies[0].damping = d_c;
        system.inverse_mass[4] = 0.0;
        system.damping_rate = rate_bounds(&system, &system.position);
        for gathers in [3, 7] {
            let h = 2e-3;
            let eigenvalues = symmetric_eigenvalues(half_operator(&system, gathers, h));
            let [least, most] = [eigenvalues[0], eigenvalues[eigenvalues.len() - 1]];
            assert!(least > -1e-12 && most < 1.0 + 1e-12, "{least} {most}");
        }
        let whole = half_gathers(&system, 2e-3);
        assert!(whole % 2 == 1 && legendre_reach(whole) > legendre_reach(whole - 2));
    }
    for degree in [3, 5, 9, 21] {
        let reach = legendre_reach(degree);
        let s = f64::from(degree);
        for k in 1..=2000 {
            let d = reach * f64::from(k) / 2000.0;
            if d < 0.75 {
                continue;
            }
            let b = |v: &[DVec3]| vec![v[0] * (1.0 - 2.0 * d / reach)];
            let share = reach / (s * (s + 1.0));
            let p = 1.0 - share + share * legendre(b, degree, &[DVec3::X])[0].x;
            assert!((0.0..0.77).contains(&p), "s = {degree}, D = {d}: {p}");
        }
    }
}

fn damped_block() -> System {
    let mut system = block(2, 0.2);
    system.velocity = Random(31).vectors(system.position.len(), 0.5);
    system.gravity = DVec3::Y * -9.81;
    system.inverse_mass[0] = 0.0;
    system.bodies[0].damping = 0.5;
    system.bodies[0].omega = 700.0;
    system
}

/// Exact damping by halves is of order 2, that of the methods but rk4; one gather, where steps are short, keeps all orders.
#[test]
fn exact_damping_is_of_order_2() {
    for (integrator, gathers, steps, wanted) in [
        (Integrator::Euler, 3, 1600, 1.0),
        (Integrator::Midpoint, 3, 400, 2.0),
        (Integrator::Rk4, 3, 400, 2.0),
        (Integrator::Midpoint, 1, 400, 2.0),
        (Integrator::Rk4, 1, 400, 4.0),
    ] {
        let damping = Damping::Exact { gathers };
        let found = observed_order(integrator, damping, &damped_block(), 0.02, steps);
        println!("{integrator:?}, {gathers} gathers: order {found:.3}");
        assert!(
            (found - wanted).abs() < 0.1,
            "{integrator:?} {gathers}: {found}"
        );
    }
}
