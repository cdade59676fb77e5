//! Each integrator against its own discrete solution, and its order.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::internals::reference::Damping;
use pliant::scene::{Body, DampingMode, Integrator, Step};

use crate::support::*;

/// 1/1024 s, exact in f32.
const STEP: f64 = 0.000_976_562_5;

/// The oscillator with its damping as the force law says, whatever the integrator.
fn oscillator(stiffness: f64, damping: f64) -> Body {
    Body {
        damping_mode: Some(DampingMode::Explicit),
        ..crate::support::oscillator(stiffness, damping)
    }
}

/// (y, v) of the oscillator after `steps` steps on the device, hung at rest under gravity `g`.
fn device_oscillator(
    integrator: Integrator,
    rates: [f64; 2],
    g: f64,
    step: f64,
    steps: u64,
) -> [f64; 2] {
    let mut scene = floating(oscillator(rates[0], rates[1]), integrator, Step::Fixed(step));
    scene.world.gravity = [0.0, -g, 0.0];
    let mut world = world(&solved_well(scene));
    world.step(steps).unwrap();
    let snapshot = world.read().unwrap();
    let free = world.model().nearest(0, DVec3::ZERO);
    [f64::from(snapshot.positions[free].y), f64::from(snapshot.velocities[free].y)]
}

/// The same by each method's recurrence for y'' = a(y, v) = −k y − c v − g, as the spec's table has it.
fn recurrence(integrator: Integrator, [k, c]: [f64; 2], g: f64, h: f64, steps: u64) -> [f64; 2] {
    let a = |y: f64, v: f64| -k * y - c * v - g;
    let (mut y, mut v) = (0.0, 0.0);
    let mut half = 0.5 * h * g;
    if integrator == Integrator::Verlet {
        v = half;
    }
    for _ in 0..steps {
        (y, v) = match integrator {
            Integrator::Euler => (y + h * v, v + h * a(y, v)),
            Integrator::SymplecticEuler | Integrator::Verlet => {
                let u = v + h * a(y, v);
                (y + h * u, u)
            }
            Integrator::Leapfrog => {
                let old = half;
                half += h * a(y, v);
                (y + h * half, 1.5 * half - 0.5 * old)
            }
            Integrator::Midpoint => {
                let middle = v + 0.5 * h * a(y, v);
                (y + h * middle, v + h * a(y + 0.5 * h * v, middle))
            }
            Integrator::ImplicitEuler | Integrator::Vbd => {
                let v = (v - h * (k * y + g)) / (1.0 + h * c + h * h * k);
                (y + h * v, v)
            }
            Integrator::Rk4 => {
                let (y2, v2) = (y + 0.5 * h * v, v + 0.5 * h * a(y, v));
                let (y3, v3) = (y + 0.5 * h * v2, v + 0.5 * h * a(y2, v2));
                let (y4, v4) = (y + h * v3, v + h * a(y3, v3));
                let slope = a(y, v) + 2.0 * a(y2, v2) + 2.0 * a(y3, v3) + a(y4, v4);
                (y + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * slope)
            }
        };
    }
    match integrator {
        Integrator::Verlet => [y, v + 0.5 * h * a(y, v)],
        Integrator::Leapfrog => [y, half + 0.5 * h * a(y, v)],
        _ => [y, v],
    }
}

#[test]
fn oscillator_follows_the_discrete_solution() {
    // ω = 40/s, ωh = 0.04, 16 radians; undamped and with c = 4/s. Amplitude g/ω² = 0.2 m.
    let g = 320.0;
    for integrator in Integrator::ALL {
        for rates in [[1600.0, 0.0], [1600.0, 4.0]] {
            let found = device_oscillator(integrator, rates, g, STEP, 400);
            let wanted = recurrence(integrator, rates, g, STEP, 400);
            let scale = [g / rates[0], g / rates[0].sqrt()];
            for k in 0..2 {
                let error = (found[k] - wanted[k]).abs() / scale[k];
                assert!(error < 1e-5, "{integrator:?} {rates:?}: {found:?}, wanted {wanted:?}");
            }
        }
    }
}

#[test]
fn verlet_follows_the_cosine_of_its_own_frequency() {
    // y + g/ω² = g/ω² cos(nθ), sin(θ/2) = ωh/2 [Hairer, Lubich & Wanner 2003]; far from the continuous solution.
    let (g, k, steps) = (320.0_f64, 1600.0_f64, 200_u32);
    let h = 16.0 * STEP;
    let theta = 2.0 * (0.5 * h * k.sqrt()).asin();
    let wanted = g / k * ((f64::from(steps) * theta).cos() - 1.0);
    for integrator in [Integrator::Verlet, Integrator::Leapfrog] {
        let [found, _] = device_oscillator(integrator, [k, 0.0], g, h, u64::from(steps));
        assert!((found - wanted).abs() < 1e-5 * g / k, "{integrator:?}: {found}, wanted {wanted}");
    }
}

#[test]
fn free_fall_follows_the_discrete_solution() {
    let (g, steps) = (9.81, 200_u64);
    let (n, h) = (steps as f64, STEP);
    for integrator in Integrator::ALL {
        let mut body = block(2, 0.2, 0.0);
        body.kind = constants(1.0, 0.5, 0.02);
        body.velocity = [1.0, 2.0, -3.0];
        body.angular_velocity = [3.0, -2.0, 5.0];
        let mut scene = floating(body, integrator, Step::Fixed(STEP));
        scene.world.gravity = [0.0, -g, 0.0];
        let mut world = world(&solved_well(scene));
        world.step(steps).unwrap();
        let snapshot = world.read().unwrap();
        let fallen = match integrator {
            Integrator::Euler => n * (n - 1.0),
            Integrator::SymplecticEuler | Integrator::ImplicitEuler | Integrator::Vbd => {
                n * (n + 1.0)
            }
            _ => n * n,
        };
        let t = n * h;
        let position = DVec3::new(t, 2.0 * t - 0.5 * g * h * h * fallen, -3.0 * t);
        let velocity = DVec3::new(1.0, 2.0 - g * t, -3.0);
        let error = mean(&snapshot.positions).distance(position) / position.length();
        let error_v = mean(&snapshot.velocities).distance(velocity) / velocity.length();
        assert!(error < 1e-5 && error_v < 1e-5, "{integrator:?}: {error:e}, {error_v:e}");
    }
}

/// A block swung about a pinned corner: it falls, turns and vibrates.
fn swung(integrator: Integrator, step: f64) -> pliant::Scene {
    let mut body = block(2, 0.2, 0.0);
    body.pin = vec![within([-0.3; 3], [-0.1; 3])];
    body.angular_velocity = [10.0, -20.0, 15.0];
    let mut scene = floating(body, integrator, Step::Fixed(step));
    scene.world.gravity = [0.0, -9.81, 0.0];
    scene
}

#[test]
fn vibrating_block_follows_the_discrete_solution() {
    for integrator in EXPLICIT {
        let mut world = world(&swung(integrator, STEP / 16.0));
        let mut reference = system(&world);
        let scheme = explicit(&world);
        scheme.start(&mut reference);
        world.step(200).unwrap();
        (0..200).for_each(|_| scheme.step(&mut reference));
        let snapshot = world.read().unwrap();
        let found = doubles(&snapshot.positions);
        let distance = |a: &[DVec3], b: &[DVec3]| {
            let (difference, size) = a.iter().zip(b).fold((0.0, 0.0), |(d, s), (a, b)| {
                (d + a.distance_squared(*b), s + b.length_squared())
            });
            (difference / size).sqrt()
        };
        let x = distance(&found, &reference.position);
        let v = distance(&doubles(&snapshot.velocities), &scheme.reported_velocity(&reference));
        assert!(x < 1e-5 && v < 1e-5, "{integrator:?}: {x:e}, {v:e}");
    }
}

#[test]
fn oscillator_converges_with_the_known_order() {
    let (g, k) = (320.0, 1600.0_f64);
    let time = 256.0 * STEP;
    let exact = [g / k * ((k.sqrt() * time).cos() - 1.0), -g / k.sqrt() * (k.sqrt() * time).sin()];
    for integrator in Integrator::ALL {
        // Steps so long that rounding is far below the error: ωh = 0.01, 0.16 or 0.63.
        let steps: u64 = match order(integrator) {
            1 => 256,
            2 => 64,
            _ => 16,
        };
        let error = |steps: u64| {
            let [y, v] = device_oscillator(integrator, [k, 0.0], g, time / steps as f64, steps);
            (y - exact[0]).hypot((v - exact[1]) / k.sqrt())
        };
        let found = (error(steps) / error(2 * steps)).log2();
        assert!((found - f64::from(order(integrator))).abs() < 0.2, "{integrator:?}: {found}");
    }
}

#[test]
fn vibrating_block_converges_with_the_known_order() {
    let time = 20.0 * STEP;
    let fine = {
        let world = world(&swung(Integrator::Rk4, STEP));
        let mut system = system(&world);
        let scheme = scheme(Integrator::Rk4, Damping::Explicit, time / 2000.0);
        scheme.start(&mut system);
        (0..2000).for_each(|_| scheme.step(&mut system));
        in_mesh_order(&world, &system.position)
    };
    for integrator in Integrator::ALL {
        let steps: u64 = match order(integrator) {
            // Rounding of the positions is more of a force than shorter steps are off by.
            1 if integrator.is_implicit() => 320,
            1 => 640,
            2 => 80,
            _ => 10,
        };
        let error = |steps: u64| {
            let mut world = world(&solved_well(swung(integrator, time / steps as f64)));
            world.step(steps).unwrap();
            let found = places(&mut world);
            found.iter().zip(&fine).map(|(a, b)| a.distance_squared(*b)).sum::<f64>().sqrt()
        };
        let found = (error(steps) / error(2 * steps)).log2();
        assert!((found - f64::from(order(integrator))).abs() < 0.2, "{integrator:?}: {found}");
    }
}
