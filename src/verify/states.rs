//! Random fields and states beside those of a case.

use glam::{Vec3, Vec4};

use super::{Bench, Random};
use crate::gpu::types::{ContactBlock, Particle};

/// Particles of which those that are not held are changed at random.
fn changed(
    particles: &[Particle],
    seed: u64,
    change: impl Fn(&Particle, &mut Random) -> Particle,
) -> Vec<Particle> {
    let mut random = Random::new(seed);
    let change = |p: &Particle| match p.inverse_mass {
        0.0 => *p,
        _ => change(p, &mut random),
    };
    particles.iter().map(change).collect()
}

/// The case's particles with random velocities of this size, 0 where they are held.
fn moving(bench: &Bench<'_>, seed: u64, speed: f64) -> Vec<Particle> {
    changed(&bench.case.particles, seed, |p, random| Particle {
        velocity: random.vector(speed).as_vec3(),
        ..*p
    })
}

/// Velocities \[m/s\], 0 where the particle is held.
pub fn field(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    moving(bench, seed, 2.0).iter().map(|p| p.velocity.extend(0.0)).collect()
}

/// A random direction beside the positions, 0 where particles are held.
pub fn directions(bench: &Bench<'_>, seed: u64) -> Vec<Particle> {
    moving(bench, seed, 0.01)
}

/// Positions and velocities near those of the case, for kernels that read two states; held particles stay.
pub fn shifted(case: &[Particle], seed: u64) -> Vec<Particle> {
    changed(case, seed, |p, random| Particle {
        position: p.position + random.vector(0.05).as_vec3(),
        velocity: p.velocity + random.vector(0.5).as_vec3(),
        ..*p
    })
}

/// A particle of `base` for each of the case: where it was a step before, roughly.
pub fn bases(bench: &Bench<'_>, seed: u64) -> Vec<Particle> {
    let h = bench.case.sim.step;
    changed(&bench.case.particles, seed, |p, random| Particle {
        position: p.position - h * p.velocity + random.vector(1e-3).as_vec3(),
        velocity: p.velocity + random.vector(0.5).as_vec3(),
        ..*p
    })
}

/// What contacts do to each particle.
pub fn contact_blocks(random: &mut Random, count: usize) -> Vec<ContactBlock> {
    let press = |_| ContactBlock {
        force: random.vector(50.0).as_vec3(),
        stiffness: random.between(10.0, 1000.0) as f32,
        diagonal: random.vector(100.0).as_vec3() + Vec3::splat(300.0),
        off: random.vector(100.0).as_vec3(),
    };
    (0..count).map(press).collect()
}
