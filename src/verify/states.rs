//! Random fields and states beside those of a case.

use glam::{Vec3, Vec4};

use super::{Bench, Random};
use crate::gpu::types::{ContactBlock, Particle};

/// Velocities \[m/s\], 0 where the particle is held.
pub fn field(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let free = |p: &Particle| f32::from(u8::from(p.inverse_mass > 0.0));
    let vector = |p: &Particle| random.vector(2.0).as_vec3().extend(0.0) * free(p);
    bench.case.particles.iter().map(vector).collect()
}

/// Positions and velocities near those of the case, for kernels that read two states; held particles stay.
pub fn shifted(case: &[Particle], seed: u64) -> Vec<Particle> {
    let mut random = Random::new(seed);
    let shift = |p: &Particle| {
        let (dx, dv) = (random.vector(0.05).as_vec3(), random.vector(0.5).as_vec3());
        match p.inverse_mass {
            0.0 => *p,
            _ => Particle { position: p.position + dx, velocity: p.velocity + dv, ..*p },
        }
    };
    case.iter().map(shift).collect()
}

/// A particle of `base` for each of the case: where it was a step before, roughly.
pub fn bases(bench: &Bench<'_>, seed: u64) -> Vec<Particle> {
    let mut random = Random::new(seed);
    let h = bench.case.sim.step;
    let base = |p: &Particle| match p.inverse_mass {
        0.0 => *p,
        _ => Particle {
            position: p.position - h * p.velocity + random.vector(1e-3).as_vec3(),
            velocity: p.velocity + random.vector(0.5).as_vec3(),
            ..*p
        },
    };
    bench.case.particles.iter().map(base).collect()
}

/// A random direction beside the positions, 0 where particles are held.
pub fn directions(bench: &Bench<'_>, seed: u64) -> Vec<Particle> {
    let mut random = Random::new(seed);
    let direction = |p: &Particle| Particle {
        velocity: match p.inverse_mass > 0.0 {
            true => random.vector(0.01).as_vec3(),
            false => Vec3::ZERO,
        },
        ..*p
    };
    bench.case.particles.iter().map(direction).collect()
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
