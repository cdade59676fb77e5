//! Linear and angular momentum of a free body.

use pliant::scene::{Body, DampingMode, Fem, Integrator, Kind, Law, Mass, Step};

use crate::support::*;

/// Drift of the momenta over 1000 steps of a spinning, shaken block: |ΔP|/Σ m|v| and |ΔL|/|L|, from one read-back to
/// another. `None` where the step is above the bound.
fn drift(integrator: Integrator, mode: DampingMode, step: f64) -> Option<[f64; 2]> {
    let mut body = block(3, 0.2, 0.5);
    body.damping_mode = Some(mode);
    body.angular_velocity = [3.0, 5.0, -2.0];
    let scene = floating(body, integrator, Step::Fixed(step));
    let mut world = world(&solved_well(scene));
    if world.warnings().iter().any(|w| w.contains("above")) {
        return None;
    }
    if integrator != Integrator::Leapfrog {
        let (mut start, mut random) = (system(&world), Random::new(3));
        start.velocity.iter_mut().for_each(|v| *v += 0.3 * random.vector(1.0));
        start_from(&world, &mut start);
    }
    let start = momenta(&mut world);
    world.step(1000).unwrap();
    Some(momenta(&mut world).off(&start))
}

fn check(integrator: Integrator, mode: DampingMode, step: f64) -> bool {
    let Some([linear, angular]) = drift(integrator, mode, step) else {
        return false;
    };
    assert!(linear < 1e-5, "{integrator:?} {} {step} s: linear {linear:e}", mode.name());
    assert!(angular < 5e-4, "{integrator:?} {} {step} s: angular {angular:e}", mode.name());
    true
}

#[test]
fn verlet_keeps_momentum_at_every_step_and_damping() {
    for mode in DampingMode::ALL {
        for step in [1e-3, 3e-4, 1e-4, 3e-5] {
            let checked = check(Integrator::Verlet, mode, step);
            let above = mode == DampingMode::Explicit && step > 9e-4;
            assert!(checked || above, "{} at {step} s", mode.name());
        }
    }
}

#[test]
fn every_integrator_keeps_momentum() {
    for integrator in Integrator::ALL {
        assert!(check(integrator, DampingMode::Explicit, 1e-4), "{integrator:?} at 1e-4 s");
    }
}

/// A stiff block of each law that spins freely for 3 s: what rounding leaves in the rotations of corotated elements braked it.
#[test]
fn elements_of_every_law_keep_their_spin() {
    for law in [Law::Corotated, Law::NeoHookean, Law::StVenant] {
        for integrator in [Integrator::Verlet, Integrator::Rk4] {
            let fem = Fem { law, relaxation: Some(0.001), ..Fem::new(2e6, 0.3) };
            let body = Body {
                kind: Kind::Fem(fem),
                mass: Mass::Body(1.0),
                angular_velocity: [3.0, 2.0, -4.0],
                ..Body::lattice("block", [3; 3], [0.3; 3])
            };
            let mut world = world(&floating(body, integrator, Step::Auto));
            let start = momenta(&mut world);
            advance(&mut world, 3.0);
            let [linear, angular] = momenta(&mut world).off(&start);
            println!("{law:?}, {integrator:?}: {linear:e}, {angular:e}");
            assert!(linear < 1e-5 && angular < 1e-4, "{law:?}, {integrator:?}: {angular:e}");
        }
    }
}
