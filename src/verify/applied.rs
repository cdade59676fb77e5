//! Forces of the caller's.

use glam::{Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::implicit::bases;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::Particle;
use crate::gpu::{Buffer, Kernel};
use crate::reference::force::applied as reference;

/// Random forces [N].
fn forces(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let force = |_: &Particle| random.vector(30.0).as_vec3().extend(f32::NAN);
    bench.case.particles.iter().map(force).collect()
}

/// a + f/m where elements have left a, f/m where the last pass has; scale: the sum of the magnitudes.
pub fn load(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let forces = forces(bench, 97);
    let mut random = Random::new(98);
    let before: Vec<_> = (0..inputs.len())
        .map(|i| random.vector(20.0).as_vec3().extend((i % 2) as f32))
        .collect();
    let applied = Buffer::new(bench.context, "applied", &forces)?;
    let loads = Buffer::new(bench.context, "loads", &before)?;
    bench.write(inputs, inputs);
    let others = [applied.bind("applied"), loads.bind("loads")];
    bench.run(kernel, bench.case.sim, inputs.len(), &others);
    tally.case();
    for (i, got) in loads.read(bench.context)?.iter().enumerate() {
        let own = match i % 2 {
            0 => before[i].truncate(),
            _ => Vec3::ZERO,
        };
        let more = reference(
            f64::from(inputs[i].inverse_mass),
            forces[i].truncate().as_dvec3(),
        );
        let own = own.as_dvec3();
        tally.vector(got.truncate(), own + more, own.length() + more.length());
        tally.holds(got.w == 1.0);
    }
    Ok(())
}

/// v* + h f/m; scale: the sum of the magnitudes.
pub fn start(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (before, forces) = (bases(bench, 99), forces(bench, 100));
    let applied = Buffer::new(bench.context, "applied", &forces)?;
    let base = Buffer::new(bench.context, "base", &before)?;
    let others = [applied.bind("applied"), base.bind("base")];
    bench.run(kernel, bench.case.sim, before.len(), &others);
    tally.case();
    for (i, got) in base.read(bench.context)?.iter().enumerate() {
        let p = &before[i];
        let acceleration = reference(f64::from(p.inverse_mass), forces[i].truncate().as_dvec3());
        let more = f64::from(bench.case.sim.step) * acceleration;
        let v = p.velocity.as_dvec3();
        tally.vector(got.velocity, v + more, v.length() + more.length());
        tally.holds(
            *got == Particle {
                velocity: got.velocity,
                ..*p
            },
        );
    }
    Ok(())
}
