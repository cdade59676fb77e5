//! The fault word: the first step and body of a state that is none.

use glam::{Vec3, Vec4};

use super::bench::Bench;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{Particle, Sim};
use crate::gpu::{Buffer, Kernel};

/// Velocities [m/s] that must be noticed, and the fastest that must not.
const LOST: [f32; 4] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.01e4];
const FAST: f32 = 0.99e4;

/// Checks the fault word of a kernel that writes it. Called after the kernel ran on a sound state of all particles.
pub fn check(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let word = |bench: &Bench<'_>| Ok::<_, crate::Error>(bench.status.read(bench.context)?[0]);
    tally.holds(word(bench)? == u32::MAX);
    let count = bench.len();
    if count == 0 {
        return Ok(());
    }
    let sim = Sim {
        slot: 3,
        speed_limit: 1e4,
        ..free(&bench.case.sim)
    };
    let culprit = (2 * count) / 3;
    let body = bench
        .case
        .model
        .bodies
        .iter()
        .position(|b| b.particles.contains(&culprit))
        .expect("bodies have all particles");
    let lost = sim.slot * sim.body_count + body as u32;
    let run = |particle: Particle| {
        let mut particles: Vec<_> = bench
            .case
            .particles
            .iter()
            .map(|p| Particle {
                velocity: Vec3::ZERO,
                ..*p
            })
            .collect();
        particles[culprit] = particle;
        let fields: Vec<_> = particles.iter().map(|p| p.velocity.extend(0.0)).collect();
        bench.state.half_velocity.write(bench.context, 0, &fields);
        bench.write(&particles, &particles);
        let increments = Buffer::<Particle>::zeroed(bench.context, "increments", count)?;
        let base = Buffer::new(bench.context, "base", &particles)?;
        let shifts = Buffer::<Vec4>::zeroed(bench.context, "body_shifts", bench.case.bodies.len())?;
        let others = [
            increments.bind("increments"),
            base.bind("base"),
            shifts.bind("body_shifts"),
        ];
        bench.run(kernel, sim, count, &others);
        word(bench)
    };
    let moving = |x: f32, v: f32| Particle {
        position: Vec3::X * x,
        inverse_mass: 1.0,
        velocity: Vec3::Z * v,
        damping_rate: 1.0,
    };
    for v in LOST {
        tally.holds(run(moving(0.5, v))? == lost);
    }
    for x in [f32::NAN, f32::INFINITY, 1e25] {
        tally.holds(run(moving(x, 0.0))? == lost);
    }
    tally.holds(run(moving(0.5, FAST))? == u32::MAX);
    Ok(())
}

/// A step too short for the elements to change any speed, and nothing that acts from outside.
fn free(sim: &Sim) -> Sim {
    Sim {
        step: 1e-6,
        gravity: Vec3::ZERO,
        drag: 0.0,
        solid_count: 0,
        pull_count: 0,
        ..*sim
    }
}
