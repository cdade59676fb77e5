//! Random bodies: no mesh and no material may break what always holds.

use pliant::reference::force::linear_momentum;
use pliant::scene::{DampingMode, Integrator, Mass, Springs, Step};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::*;

fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn random_bodies_keep_momentum_and_stay_finite() {
    let mesh = (
        (1_u32..4, 1_u32..4, 1_u32..4),
        0.0..0.22,
        0.0..0.5,
        any::<u64>(),
    );
    let material = (
        2.0..6.0,
        -2.0..1.0,
        -4.0..-0.5,
        0..3_usize,
        0..3_usize,
        0.02..0.5,
    );
    runner(24)
        .run(
            &(mesh, material),
            |(
                ((a, b, c), jitter, left_out, seed),
                (stiffness, ratio, damping, mode, integrator, scale),
            )| {
                let mut body = from_mesh(random_mesh([a, b, c], jitter, left_out, seed));
                // Moduli of about 1e2 to 1e6 Pa.
                let distance = 10.0_f64.powf(stiffness) * f64::powi(scale, 3);
                body.scale = [scale, scale, 0.7 * scale];
                body.mass = Mass::Density(1000.0);
                body.material = Springs::Constants {
                    distance,
                    volume: distance * 10.0_f64.powf(ratio),
                    damping: distance * 10.0_f64.powf(damping) * scale,
                };
                body.damping_mode = Some(DampingMode::ALL[mode]);
                body.velocity = [0.3, 0.2, -0.1];
                body.angular_velocity = [0.5, -0.2, 0.4];
                let integrator = [
                    Integrator::Verlet,
                    Integrator::SymplecticEuler,
                    Integrator::Leapfrog,
                ][integrator];
                let mut world =
                    match pliant::World::new(context(), &floating(body, integrator, Step::Auto)) {
                        Ok(world) => world,
                        // So stiff for their size that a frame would take too many steps.
                        Err(error) => {
                            prop_assert!(error.to_string().contains("softer"), "{error}");
                            return Ok(());
                        }
                    };
                let system = system(&world);
                let before = linear_momentum(&system, &system.velocity);
                world.step(100).unwrap();
                let after = world.read().unwrap();
                let velocities = doubles(&after.velocities);
                prop_assert!(after.positions.iter().all(|x| x.is_finite()));
                let sum: f64 = (0..velocities.len())
                    .map(|i| system.mass(i) * velocities[i].length())
                    .sum();
                let drift = linear_momentum(&system, &velocities).distance(before) / sum;
                if !(drift < 1e-5) {
                    println!(
                        "stiffness 1e{stiffness:.1} scale {scale:.3} step {:.1e}: {drift:.1e}",
                        world.stepping().step
                    );
                }
                prop_assert!(drift < 1e-5, "momentum drifts by {drift:e}");
                let fastest = velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
                let at_start = system
                    .velocity
                    .iter()
                    .map(|v| v.length())
                    .fold(0.0, f64::max);
                prop_assert!(fastest < 1.5 * at_start, "{at_start} -> {fastest} m/s");
                Ok(())
            },
        )
        .unwrap();
}
