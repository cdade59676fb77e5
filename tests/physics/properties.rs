//! Random bodies: no mesh and no material may break what always holds.

use pliant::World;
use pliant::internals::Inside as _;
use pliant::scene::{Body, DampingMode, Integrator, Mass, Step};

use crate::support::*;

/// A jittered lattice with holes, of a modulus of about 1e2 to 1e6 Pa, moving and turning.
fn body(random: &mut Random) -> Body {
    let cubes = [(); 3].map(|()| random.index(1, 4) as u32);
    let (jitter, left_out) = (random.between(0.0, 0.22), random.between(0.0, 0.5));
    let seed = random.index(0, 1 << 32) as u64;
    let scale = random.between(0.02, 0.5);
    let mut power = |low, high| 10.0_f64.powf(random.between(low, high));
    let distance = power(2.0, 6.0) * f64::powi(scale, 3);
    let volume = distance * power(-2.0, 1.0);
    let damping = distance * power(-4.0, -0.5) * scale;
    let mut body = from_mesh(random_mesh(cubes, jitter, left_out, seed));
    body.scale = [scale, scale, 0.7 * scale];
    body.mass = Mass::Density(1000.0);
    body.kind = constants(distance, volume, damping);
    body.damping_mode = Some(DampingMode::ALL[random.index(0, 3)]);
    body.velocity = [0.3, 0.2, -0.1];
    body.angular_velocity = [0.5, -0.2, 0.4];
    body
}

#[test]
fn random_bodies_keep_momentum_and_stay_finite() {
    let integrators = [Integrator::Verlet, Integrator::SymplecticEuler, Integrator::Leapfrog];
    let mut run = 0;
    for case in 1..=24 {
        let mut random = Random::new(case);
        let scene = floating(body(&mut random), integrators[random.index(0, 3)], Step::Auto);
        let mut world = match World::new(context(), &scene) {
            Ok(world) => world,
            // So stiff for their size that a frame would take too many steps.
            Err(error) => {
                assert!(error.to_string().contains("softer"), "{case}: {error}");
                continue;
            }
        };
        run += 1;
        let before = momenta(&mut world);
        world.step(100).unwrap();
        let [x, v] = read(&mut world);
        assert!(x.iter().all(|x| x.is_finite()), "{case}");
        let [drift, _] = momenta(&mut world).off(&before);
        assert!(drift < 1e-5, "{case}: momentum drifts by {drift:e}");
        let (now, start) = (longest(&v), longest(&world.model().velocities));
        assert!(now < 1.5 * start, "{case}: {start} -> {now} m/s");
    }
    assert!(run > 12, "{run} of 24 have a step");
}
