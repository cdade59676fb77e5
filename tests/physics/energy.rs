//! The energy of a damped body only falls.

use glam::DVec3;
use pliant::World;
use pliant::internals::extreme;
use pliant::internals::reference::System;
use pliant::scene::{DampingMode, Integrator, Step};

use crate::support::*;

/// \[rad/s\]
const SPIN: DVec3 = DVec3::new(6.0, 10.0, -4.0);

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
            Start::Squashed => x.y *= 0.5,
            Start::Stretched => x.y *= 1.6,
            Start::Scattered => *x += 0.2 * 0.3 * random.vector(1.0),
            Start::Spun => {}
        }
    }
}

/// A world whose fixed step is half its longest stable one at rest: an automatic step is 0.8 of that, for rates taken 1.1
/// times as large.
fn at_half_the_bound(integrator: Integrator, mode: DampingMode) -> World {
    let mut body = block(3, 0.2, 0.5);
    body.damping_mode = Some(mode);
    body.angular_velocity = SPIN.to_array();
    let mut scene = floating(body, integrator, automatic(integrator));
    // Frames so long that dividing them into whole steps hardly shortens a step.
    scene.world.fps = 1.0;
    let automatic = world(&scene).stepping().step;
    scene.world.step = Step::Fixed(0.5 * 1.1 / 0.8 * automatic);
    world(&scene)
}

/// Energies of a run, one per step, the step over the shortest swing's 1/ω, and its turn by the spin. The velocities of
/// symplectic Euler and of implicit steps belong to the half steps; taken as they are, energy would ripple by the first
/// power of the step, and that of a spin be about (hω)²/4 too large.
fn energies_of_run(
    integrator: Integrator,
    mode: DampingMode,
    start: Start,
) -> (Vec<f64>, [f64; 2]) {
    let steps = 100;
    let mut world = at_half_the_bound(integrator, mode);
    let step = world.stepping().step;
    let ratio = step * world.report().unwrap().stiffness[0];
    let mut system = system(&world);
    if start != Start::Spun {
        system.velocity.fill(DVec3::ZERO);
        deform(&mut system, start);
        start_from(&world, &mut system);
    }
    let mut snapshots = Vec::new();
    for _ in 0..=steps {
        snapshots.push(world.read().unwrap());
        world.step(1).unwrap();
    }
    let halves = [Integrator::SymplecticEuler, Integrator::ImplicitEuler, Integrator::Vbd];
    if halves.contains(&integrator) {
        for k in 0..steps {
            let next = snapshots[k + 1].velocities.clone();
            let pairs = snapshots[k].velocities.iter_mut().zip(next);
            pairs.for_each(|(v, next)| *v = 0.5 * (*v + next));
        }
    }
    let energies = snapshots[..steps].iter().map(|snapshot| energies(&system, snapshot).total());
    (energies.collect(), [ratio, step * SPIN.length()])
}

#[test]
fn damped_energy_never_grows() {
    for integrator in Integrator::ALL {
        for &mode in modes(integrator) {
            for start in [Start::Squashed, Start::Stretched, Start::Scattered, Start::Spun] {
                if start != Start::Spun && integrator == Integrator::Leapfrog {
                    continue;
                }
                let (energies, [ratio, turn]) = energies_of_run(integrator, mode, start);
                let rise = energies.windows(2).map(|e| e[1] - e[0]).fold(0.0, extreme::greatest)
                    / energies[0];
                // Explicit Euler takes the velocity of the step's start for the whole step: h² ω² E more, and as much again
                // as a part h c/2 of it, before damping takes any.
                // The first implicit step of a spin starts with the velocity of its start, not of half a step before.
                let most = match integrator {
                    Integrator::Euler => 1.2 * ratio * ratio,
                    Integrator::ImplicitEuler | Integrator::Vbd if start == Start::Spun => {
                        0.05 * turn * turn
                    }
                    _ => 5e-6,
                };
                let name = format!("{integrator:?} {} {start:?}", mode.name());
                assert!(rise < most, "{name}: {rise:e} of {most:e}");
                if start != Start::Spun {
                    assert!(energies[99] < 0.9 * energies[0], "{name}: nothing is damped");
                }
            }
        }
    }
}
