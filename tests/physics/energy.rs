//! The energy of a damped body only falls.

use pliant::reference::System;
use pliant::scene::{DampingMode, Integrator, Step};
use pliant::{World, setup};

use crate::support::*;

/// How a body starts, at rest but for [`Start::Spun`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    Squashed,
    Stretched,
    Scattered,
    Spun,
}

fn deform(system: &mut System, start: Start) {
    let mut random = Random::new(11);
    for x in &mut system.position {
        match start {
            Start::Squashed => x.y *= 0.7,
            Start::Stretched => x.y *= 1.4,
            Start::Scattered => *x += 0.2 * 0.15 * random.vector(),
            Start::Spun => {}
        }
    }
}

/// A world whose fixed step is half its longest stable one at rest.
fn at_half_the_bound(integrator: Integrator, mode: DampingMode) -> World {
    let mut body = block(3, 0.2, 0.5);
    body.damping_mode = Some(mode);
    body.angular_velocity = [6.0, 10.0, -4.0];
    let scene = |step| floating(body.clone(), integrator, step);
    let trial = world(&scene(Step::Fixed(1e-5)));
    let estimate = setup::Estimate { stiffness: omega(&trial).powi(2), damping: damping_rate(&trial), rate: 0.0 };
    let mut probe = pliant::integrate::bounds::Rates {
        stiffness: estimate.stiffness.sqrt(),
        damping: if mode == DampingMode::Explicit { estimate.damping } else { 0.0 },
        least_damping: 0.0,
        drag: 0.0,
    };
    if matches!(integrator, Integrator::Euler | Integrator::Midpoint) {
        probe.least_damping = 0.5 / 60.0 / 4.0;
    }
    world(&scene(Step::Fixed(0.5 * pliant::integrate::bounds::longest_step(integrator, &probe))))
}

fn omega(world: &World) -> f64 {
    let system = system(world);
    pliant::reference::spectrum::stiffness_spectrum(&system, &system.position, 0).pop().unwrap().sqrt()
}

fn damping_rate(world: &World) -> f64 {
    let system = system(world);
    pliant::reference::spectrum::damping_spectrum(&system, &system.position, 0).pop().unwrap()
}

/// Largest rise of the energy from one step to the next over its start, elastic and kinetic: kinetic energy of the
/// velocities around the instant, ½ m u₋·u₊, where the integrator keeps half steps (which linear vibrations conserve),
/// else of the velocity itself.
fn largest_rise(integrator: Integrator, mode: DampingMode, start: Start, steps: usize) -> [f64; 2] {
    let mut world = at_half_the_bound(integrator, mode);
    let mut system = system(&world);
    if start != Start::Spun {
        system.velocity.iter_mut().for_each(|v| *v = glam::DVec3::ZERO);
        deform(&mut system, start);
        start_from(&world, &mut system);
    }
    let (mut first, mut last, mut rise, mut highest) = (0.0, f64::INFINITY, 0.0_f64, 0.0_f64);
    for step in 0..steps {
        let energy = energies(&system, &world.read().unwrap()).total();
        if step == 0 {
            first = energy;
        }
        rise = rise.max((energy - last) / first);
        highest = highest.max(energy / first);
        last = energy;
        world.step(1).unwrap();
    }
    [rise, highest - 1.0]
}

#[test]
fn damped_energy_never_grows() {
    for integrator in Integrator::ALL {
        for &mode in modes(integrator) {
            for start in [Start::Squashed, Start::Stretched, Start::Scattered, Start::Spun] {
                if start == Start::Spun || integrator != Integrator::Leapfrog {
                    let [rise, above] = largest_rise(integrator, mode, start, 100);
                    println!("{} {} {start:?}: step to step {rise:.1e}, above the start {above:.1e}", integrator.name(), mode.name());
                }
            }
        }
    }
}
