//! One mass on a spring, and free fall: every integrator against its own discrete solution.

use glam::DVec3;

use super::lattice::points;
use crate::reference::{Damping, Integrator, Material, Scheme, Spring, System};

/// All integrators.
pub const INTEGRATORS: [Integrator; 6] = [
    Integrator::Euler,
    Integrator::SymplecticEuler,
    Integrator::Verlet,
    Integrator::Leapfrog,
    Integrator::Midpoint,
    Integrator::Rk4,
];

/// A mass of 1 kg on a spring of unit length whose other end is pinned: x'' = −ω²x − c x' along X, x the second point's
/// distance from (1, 0, 0), starting at `x` with velocity `v`. The motion along X is linear as long as x > −1.
pub fn oscillator(omega: f64, c: f64, x: f64, v: f64) -> System {
    let mut system = points(
        &[DVec3::ZERO, DVec3::X * (1.0 + x)],
        &[DVec3::ZERO, DVec3::X * v],
        1.0,
    );
    system.inverse_mass[0] = 0.0;
    system.springs = vec![Spring {
        points: [0, 1],
        rest: 1.0,
    }];
    system.bodies = vec![Material {
        distance: omega * omega,
        damping: c,
        ..Material::default()
    }];
    system
}

/// Complex product.
fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// x and v of the undamped oscillator of frequency 1 after n steps, in closed form, from x = amplitude, v = 0.
fn discrete_solution(integrator: Integrator, h: f64, n: i32, amplitude: f64) -> (f64, f64) {
    let runge_kutta = |r: (f64, f64)| {
        // z = x − iv turns by R(ih) in each step
        let z = (0..n).fold((amplitude, 0.0), |z, _| times(z, r));
        (z.0, -z.1)
    };
    match integrator {
        Integrator::Euler => runge_kutta((1.0, h)),
        Integrator::Midpoint => runge_kutta((1.0 - h * h / 2.0, h)),
        Integrator::Rk4 => runge_kutta((1.0 - h * h / 2.0 + h.powi(4) / 24.0, h - h.powi(3) / 6.0)),
        // x_{n+1} − 2 cos φ x_n + x_{n−1} = 0, cos φ = 1 − h²/2
        Integrator::Verlet | Integrator::Leapfrog => {
            let angle = (1.0 - h * h / 2.0).acos();
            let phase = f64::from(n) * angle;
            // (x_{n+1} − x_{n−1})/2h
            (
                amplitude * phase.cos(),
                -amplitude * phase.sin() * angle.sin() / h,
            )
        }
        // the same recurrence with x_1 = (1 − h²) x_0, so that x_{−1} = x_0
        Integrator::SymplecticEuler => {
            let angle = (1.0 - h * h / 2.0).acos();
            let x = |n: i32| amplitude * ((f64::from(n) + 0.5) * angle).cos() / (0.5 * angle).cos();
            (x(n), (x(n) - x(n - 1)) / h)
        }
    }
}

#[test]
fn oscillator_follows_the_discrete_solution() {
    let (h, n, amplitude) = (0.05, 200, 0.01);
    for integrator in INTEGRATORS {
        let mut system = oscillator(1.0, 0.0, amplitude, 0.0);
        let scheme = Scheme::new(integrator, Damping::Explicit, h).unwrap();
        scheme.start(&mut system);
        (0..n).for_each(|_| scheme.step(&mut system));
        let (x, v) = discrete_solution(integrator, h, n, amplitude);
        let found = (
            system.position[1].x - 1.0,
            scheme.reported_velocity(&system)[1].x,
        );
        assert!(
            (found.0 - x).abs() < 1e-11 * amplitude,
            "{integrator:?} {found:?} {x}"
        );
        assert!(
            (found.1 - v).abs() < 1e-11 * amplitude,
            "{integrator:?} {found:?} {v}"
        );
    }
}

#[test]
fn free_fall_follows_the_discrete_solution() {
    let (h, n) = (0.01, 300);
    let (x0, v0, g) = (
        DVec3::new(1.0, 50.0, -2.0),
        DVec3::new(0.5, 3.0, 1.0),
        DVec3::new(0.3, -9.81, 0.0),
    );
    let t = h * f64::from(n);
    for integrator in INTEGRATORS {
        let mut system = points(&[x0, DVec3::ZERO], &[v0, v0], 0.3);
        system.inverse_mass[1] = 0.0;
        system.gravity = g;
        let scheme = Scheme::new(integrator, Damping::Explicit, h).unwrap();
        scheme.start(&mut system);
        (0..n).for_each(|_| scheme.step(&mut system));
        let lag = match integrator {
            Integrator::Euler => -1.0,
            Integrator::SymplecticEuler => 1.0,
            _ => 0.0,
        };
        let x = x0 + v0 * t + 0.5 * g * (t * t + lag * h * t);
        assert!(
            (system.position[0] - x).length() < 1e-12 * x.length(),
            "{integrator:?}"
        );
        let v = scheme.reported_velocity(&system);
        assert!(
            (v[0] - (v0 + g * t)).length() < 1e-12 * v[0].length(),
            "{integrator:?}"
        );
        assert_eq!((system.position[1], v[1]), (DVec3::ZERO, DVec3::ZERO));
    }
}

#[test]
fn drag_slows_by_its_own_discrete_factor() {
    // u' = (1 − hγ) u of every first-order kick; Verlet starts from u_0 = v_0 (1 + hγ/2)
    let (h, gamma, n) = (0.01, 2.0, 100);
    for integrator in [
        Integrator::Euler,
        Integrator::SymplecticEuler,
        Integrator::Verlet,
    ] {
        let mut system = points(&[DVec3::ZERO], &[DVec3::X], 1.0);
        system.drag = gamma;
        let scheme = Scheme::new(integrator, Damping::Explicit, h).unwrap();
        scheme.start(&mut system);
        let start = system.velocity[0].x;
        (0..n).for_each(|_| scheme.step(&mut system));
        let wanted = start * (1.0 - h * gamma).powi(n);
        assert!((system.velocity[0].x - wanted).abs() < 1e-13);
        if integrator == Integrator::Verlet {
            assert!((start - 1.01).abs() < 1e-15);
        }
    }
}

#[test]
fn pinned_points_do_not_move_and_come_to_rest() {
    for integrator in INTEGRATORS {
        let mut system = oscillator(3.0, 0.5, 0.1, 0.0);
        system.gravity = DVec3::Y;
        let scheme = Scheme::new(integrator, Damping::Explicit, 0.01).unwrap();
        scheme.start(&mut system);
        system.velocity[0] = DVec3::ONE;
        system.half_velocity[0] = DVec3::ONE;
        scheme.step(&mut system);
        let state = (
            system.position[0],
            system.velocity[0],
            system.half_velocity[0],
        );
        assert_eq!(
            state,
            (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO),
            "{integrator:?}"
        );
    }
}
