//! Longest stable steps from both sides, the device's estimate of the stiffness, and the automatic step.

use glam::DVec3;
use pliant::World;
use pliant::internals::extreme;
use pliant::internals::integrate::bounds::{Rates, longest_step};
use pliant::internals::reference::spectrum::stiffness_spectrum;
use pliant::internals::reference::stability::largest_step;
use pliant::scene::{Body, DampingMode, Integrator, Mass, Scene, Step};

use crate::fields_steps::heterogeneous;
use crate::shell;
use crate::support::*;

/// Kicks every free point by up to `speed` along each axis; positions stay.
fn shake(world: &World, speed: f64) {
    let mut system = system(world);
    let mut random = Random::new(17);
    system.velocity.iter_mut().for_each(|v| *v += speed * random.vector(1.0));
    start_from(world, &mut system);
}

/// Whether a body's vibration of 0.1 mm/s stays below ten times that for 3000 steps of `step`.
pub fn stays_small(body: &Body, integrator: Integrator, step: f64) -> bool {
    let mut body = body.clone();
    if integrator == Integrator::Leapfrog {
        // Its own start from a spin, whose pull inward vibrates the body.
        body.angular_velocity = [0.02, 0.05, -0.03];
    }
    let mut world = world(&floating(body, integrator, Step::Fixed(step)));
    if integrator != Integrator::Leapfrog {
        shake(&world, 1e-4);
    }
    let start = rms(&world.read().unwrap().velocities);
    for _ in 0..10 {
        if world.step(300).and_then(|()| world.wait()).is_err() {
            return false;
        }
        if rms(&world.read().unwrap().velocities) > 10.0 * start {
            return false;
        }
    }
    true
}

/// All ω² [1/s²] of a body at rest, ascending.
fn spectrum(body: &Body) -> Vec<f64> {
    let world = world(&floating(body.clone(), Integrator::Verlet, Step::Fixed(1e-6)));
    let system = system(&world);
    stiffness_spectrum(&system, &system.position, 0)
}

/// Largest ω [1/s] of a body at rest.
pub fn omega(body: &Body) -> f64 {
    spectrum(body).last().copied().unwrap().sqrt()
}

/// Springs alone: then C = d_C/k_D K, the stiffest vibration is the most damped, and the bounds are exact.
fn of_springs(damping: f64) -> Body {
    let mut body = block(2, 0.2, 0.0);
    body.kind = constants(60.0, 0.0, damping);
    body.damping_mode = Some(DampingMode::Explicit);
    body
}

#[test]
fn bounds_hold_from_both_sides() {
    for damping in [0.0, 0.05, 0.5] {
        let body = of_springs(damping);
        let modes = spectrum(&body);
        let relaxation = damping / 60.0;
        let largest = modes.last().copied().unwrap();
        let rates = Rates {
            stiffness: largest.sqrt(),
            damping: relaxation * largest,
            least_damping: relaxation,
            drag: 0.0,
        };
        for integrator in EXPLICIT {
            let chosen = longest_step(integrator, &rates);
            let of_mode = |square: &f64| largest_step(integrator, *square, relaxation * square);
            // Without the six rigid motions, which Euler drifts in by rounding.
            let bound = modes[6..].iter().map(of_mode).fold(f64::INFINITY, extreme::least);
            let never =
                matches!(integrator, Integrator::Euler | Integrator::Midpoint) && damping == 0.0;
            let name = format!("{integrator:?} d_C {damping}: {chosen:e}, true {bound:e}");
            assert_eq!((chosen == 0.0, bound == 0.0), (never, never), "{name}");
            if never {
                continue;
            }
            assert!(chosen < 1.0001 * bound && chosen > 0.8 * bound, "{name}");
            let small = [0.95, 1.05].map(|share| stays_small(&body, integrator, share * bound));
            assert_eq!(small, [true, false], "{integrator:?} d_C {damping}: beside {bound:e} s");
        }
    }
}

#[test]
fn freed_damping_leaves_the_undamped_bound() {
    for integrator in [Integrator::SymplecticEuler, Integrator::Verlet, Integrator::Leapfrog] {
        for mode in [DampingMode::Capped, DampingMode::Exact] {
            for damping in [0.1, 2.0, 20.0] {
                let mut body = block(2, 0.2, damping);
                body.damping_mode = Some(mode);
                let bound = 2.0 / omega(&body);
                let small = [0.8, 1.05].map(|share| stays_small(&body, integrator, share * bound));
                let name = format!("{integrator:?} {} d_C {damping}", mode.name());
                assert_eq!(small, [true, false], "{name}: beside {bound:e} s");
            }
        }
    }
}

/// Bodies of all kinds: lattices, random meshes, slivers.
fn bodies() -> Vec<(String, Body)> {
    let mut bodies =
        vec![("lattice 4".to_owned(), block(4, 0.2, 2.0)), ("cube".to_owned(), block(1, 1.0, 0.1))];
    let flat = lattice("flat", [5, 1, 3], [1.0, 0.05, 0.6], 1000.0, springs(1e5, 0.01));
    bodies.push(("flat lattice".into(), flat));
    for seed in 0..4 {
        let mut body = from_mesh(random_mesh([3, 4, 3], 0.22, 0.3, seed));
        body.mass = if seed % 2 == 0 { Mass::Point(0.1) } else { Mass::Density(1000.0) };
        body.scale = [0.1, 0.2, 0.1];
        bodies.push((format!("random {seed}"), body));
    }
    for name in ["bar.node", "bar.msh", "bar.vtu", "bar22.msh"] {
        let (mass, kind) = (Mass::Density(1000.0), springs(1e5, 0.01));
        bodies.push((name.into(), Body { mass, kind, ..asset(name) }));
    }
    bodies
}

#[test]
fn estimated_stiffness_is_close_below_the_true_one() {
    let others = heterogeneous().into_iter().chain(shell::bodies());
    let others = others.map(|(name, body)| (name.to_owned(), body));
    for (name, body) in bodies().into_iter().chain(others) {
        let omega = omega(&body);
        let mut world = world(&floating(body, Integrator::Verlet, Step::Fixed(1e-6)));
        let ratio = world.report().unwrap().stiffness[0] / omega;
        assert!((0.95..=1.001).contains(&ratio), "{name}: {ratio}");
    }
}

/// Runs a scene's automatic step on a shaken body for a second, 4000 steps at the most: its energy may not grow.
fn survives(name: &str, scene: &Scene, speed: f64) {
    let mut world = world(scene);
    shake(&world, speed);
    let system = system(&world);
    let start = energies(&system, &world.read().unwrap()).total();
    let steps = ((1.0 / world.stepping().step) as u64).min(4000);
    world.step(steps).and_then(|()| world.wait()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let energy = energies(&system, &world.read().unwrap()).total();
    assert!(energy < 1.001 * start, "{name}: {start:e} J -> {energy:e} J");
}

#[test]
fn automatic_step_is_stable_on_every_mesh() {
    for (name, body) in bodies() {
        for mode in DampingMode::ALL {
            let mut body = body.clone();
            body.damping_mode = Some(mode);
            let scene = floating(body, Integrator::Verlet, Step::Auto);
            survives(&format!("{name} {}", mode.name()), &scene, 0.2);
        }
    }
}

fn cube_of(young: f64) -> Body {
    lattice("block", [2; 3], [0.2; 3], 1000.0, springs(young, 0.02 / young.sqrt()))
}

#[test]
fn automatic_step_is_stable_over_five_decades() {
    let chosen = Integrator::ALL.into_iter();
    let chosen = chosen.filter(|i| *i != Integrator::Leapfrog && automatic(*i) == Step::Auto);
    let chosen: Vec<_> = chosen.flat_map(|i| modes(i).iter().map(move |mode| (i, *mode))).collect();
    for exponent in 2..=7 {
        let young = 10.0_f64.powi(exponent);
        for &(integrator, mode) in &chosen {
            let body = Body { damping_mode: Some(mode), ..cube_of(young) };
            let scene = floating(body, integrator, Step::Auto);
            let label = format!("young 1e{exponent} {integrator:?} {}", mode.name());
            survives(&label, &scene, 0.05);
        }
    }
}

#[test]
fn automatic_leapfrog_is_stable() {
    for young in [1e2, 1e4, 1e7] {
        let body = Body { angular_velocity: [0.5, 1.0, -0.5], ..cube_of(young) };
        let mut world = world(&floating(body, Integrator::Leapfrog, Step::Auto));
        let start = rms(&world.read().unwrap().velocities);
        world.step(3000).unwrap();
        assert!(rms(&world.read().unwrap().velocities) < 1.01 * start);
    }
}

/// Explicit Euler and midpoint have an automatic step where the least damping is known, and no other is called good.
#[test]
fn what_needs_damping_has_a_step_where_that_is_known() {
    for integrator in [Integrator::Euler, Integrator::Midpoint] {
        for mut body in [of_springs(0.0), block(2, 0.2, 2.0)] {
            body.name = "bare".into();
            let mut scene = floating(body, integrator, Step::Auto);
            let error = World::new(context(), &scene)
                .map(|world| world.stepping().step)
                .expect_err("no step is known to be stable")
                .to_string();
            assert!(error.contains("wanted a number [s]") && error.contains("\"bare\""), "{error}");
            scene.world.step = Step::Fixed(1e-4);
            let warnings = world(&scene).warnings().to_vec();
            assert!(warnings.len() == 1 && warnings[0].contains("may be unstable"), "{warnings:?}");
        }
        let mut elements = block(2, 0.2, 0.0);
        elements.mass = Mass::Density(1000.0);
        elements.kind = fem(1e5, 0.3, 0.01);
        for body in [of_springs(0.5), elements] {
            let automatic = world(&floating(body.clone(), integrator, Step::Auto));
            assert!(automatic.warnings().is_empty());
            let step = automatic.stepping().step;
            assert!(stays_small(&body, integrator, step));
        }
    }
}

#[test]
fn fixed_step_above_the_bound_is_warned_of_once() {
    let body = block(2, 0.2, 0.0);
    let omega = omega(&body);
    let mut stable = floating(body.clone(), Integrator::Verlet, Step::Fixed(1.7 / omega));
    stable.bodies.push(Body { name: "soft".into(), position: DVec3::X.to_array(), ..body });
    stable.bodies[1].kind = constants(1.0, 1.0, 0.0);
    stable.world.contact = false;
    assert!(world(&stable).warnings().is_empty());
    stable.world.step = Step::Fixed(2.05 / omega);
    let warnings = world(&stable).warnings().to_vec();
    assert!(warnings.len() == 1 && warnings[0].contains("\"block\""), "{warnings:?}");
}
