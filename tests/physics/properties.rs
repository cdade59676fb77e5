//! Random bodies: no mesh and no material may break what always holds.

use pliant::World;
use pliant::internals::extreme;
use pliant::internals::reference::force::linear_momentum;
use pliant::scene::{Body, DampingMode, Integrator, Mass, Springs, Step};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::*;

/// Cases that are the same in every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Jittered lattices with holes, of moduli of about 1e2 to 1e6 Pa, moving and turning.
fn bodies() -> impl Strategy<Value = Body> {
    let mesh = (
        [1_u32..4, 1_u32..4, 1_u32..4],
        0.0..0.22,
        0.0..0.5,
        any::<u64>(),
    );
    let material = (2.0..6.0, -2.0..1.0, -4.0..-0.5, 0..3_usize);
    (mesh, material, 0.02..0.5).prop_map(|(mesh, material, scale)| {
        let (cubes, jitter, left_out, seed) = mesh;
        let (stiffness, ratio, damping, mode) = material;
        let power = |exponent: f64| 10.0_f64.powf(exponent);
        let distance = power(stiffness) * f64::powi(scale, 3);
        let mut body = from_mesh(random_mesh(cubes, jitter, left_out, seed));
        body.scale = [scale, scale, 0.7 * scale];
        body.mass = Mass::Density(1000.0);
        body.kind = Springs::Constants {
            distance,
            volume: distance * power(ratio),
            damping: distance * power(damping) * scale,
        }
        .into();
        body.damping_mode = Some(DampingMode::ALL[mode]);
        body.velocity = [0.3, 0.2, -0.1];
        body.angular_velocity = [0.5, -0.2, 0.4];
        body
    })
}

fn check(body: Body, integrator: Integrator) -> Result<(), TestCaseError> {
    let mut world = match World::new(context(), &floating(body, integrator, Step::Auto)) {
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
    prop_assert!(after.positions.iter().all(|x| x.is_finite()));
    let velocities = doubles(&after.velocities);
    let sum: f64 = (0..velocities.len())
        .map(|i| system.mass(i) * velocities[i].length())
        .sum();
    let drift = linear_momentum(&system, &velocities).distance(before) / sum;
    prop_assert!(drift < 1e-5, "momentum drifts by {drift:e}");
    let fastest = |v: &[glam::DVec3]| v.iter().map(|v| v.length()).fold(0.0, extreme::greatest);
    let (now, start) = (fastest(&velocities), fastest(&system.velocity));
    prop_assert!(now < 1.5 * start, "{start} -> {now} m/s");
    Ok(())
}

#[test]
fn random_bodies_keep_momentum_and_stay_finite() {
    let integrators = [
        Integrator::Verlet,
        Integrator::SymplecticEuler,
        Integrator::Leapfrog,
    ];
    runner(24)
        .run(
            &(bodies(), prop::sample::select(integrators.to_vec())),
            |(body, integrator)| check(body, integrator),
        )
        .unwrap();
}
