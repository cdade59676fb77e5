//! The observed order of every integrator, without damping, from its own start and with its reported velocity.

use glam::DVec3;

use super::lattice::{Random, block, vectors};
use super::oscillator::{INTEGRATORS, oscillator};
use crate::reference::{Damping, Integrator, Scheme, System};

/// Order from the distances between runs of h, h/2 and h/4 (Richardson), for positions and velocities together.
pub fn observed_order(
    integrator: Integrator,
    damping: Damping,
    system: &System,
    duration: f64,
    steps: u32,
) -> f64 {
    let run = |refinement: u32| {
        let steps = steps << refinement;
        let mut system = system.clone();
        let scheme = Scheme::new(integrator, damping, duration / f64::from(steps)).unwrap();
        scheme.start(&mut system);
        (0..steps).for_each(|_| scheme.step(&mut system));
        let mut state = system.position.clone();
        state.extend(scheme.reported_velocity(&system));
        state
    };
    let (coarse, middle, fine) = (run(0), run(1), run(2));
    let distance = |a: &[DVec3], b: &[DVec3]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| a.distance_squared(*b))
            .sum::<f64>()
            .sqrt()
    };
    (distance(&coarse, &middle) / distance(&middle, &fine)).log2()
}

fn order(integrator: Integrator) -> f64 {
    match integrator {
        Integrator::Euler | Integrator::SymplecticEuler => 1.0,
        Integrator::Verlet | Integrator::Leapfrog | Integrator::Midpoint => 2.0,
        Integrator::Rk4 => 4.0,
    }
}

#[test]
fn oscillator_converges_with_the_known_order() {
    for integrator in INTEGRATORS {
        let found = observed_order(
            integrator,
            Damping::Explicit,
            &oscillator(1.0, 0.0, 0.1, 0.05),
            5.0,
            400,
        );
        assert!(
            (found - order(integrator)).abs() < 0.1,
            "{integrator:?}: {found}"
        );
    }
}

#[test]
fn vibrating_block_converges_with_the_known_order() {
    let mut system = block(2, 0.2);
    system.velocity = vectors(&mut Random::new(31), system.position.len(), 0.5);
    system.gravity = DVec3::Y * -9.81;
    system.inverse_mass[0] = 0.0;
    for integrator in INTEGRATORS {
        let steps = if order(integrator) == 1.0 { 1600 } else { 200 };
        let found = observed_order(integrator, Damping::Explicit, &system, 0.02, steps);
        assert!(
            (found - order(integrator)).abs() < 0.1,
            "{integrator:?}: {found}"
        );
    }
}
