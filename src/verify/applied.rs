//! Forces of the caller's.

use glam::{Vec3, Vec4};

use super::states::bases;
use super::{Bench, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::Particle;

pub const CHECKS: super::Checks =
    &[("applied_load", super::Check::Trial(load)), ("applied_start", super::Check::Trial(start))];

/// a + f/m where elements have left a, f/m where the last pass has; scale: the sum of the magnitudes.
fn load(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let mut random = Random::new(98);
    let forces = random.fields(inputs.len(), 30.0, f32::NAN);
    let before: Vec<_> =
        (0..inputs.len()).map(|i| random.vector(20.0).as_vec3().extend((i % 2) as f32)).collect();
    let after = bench.run_each(&[("applied", &forces), ("loads", &before)])?;
    for (i, got) in after.get::<Vec4>("loads").iter().enumerate() {
        let own = match i % 2 {
            0 => before[i].truncate(),
            _ => Vec3::ZERO,
        };
        let more = f64::from(inputs[i].inverse_mass) * forces[i].truncate().as_dvec3();
        let own = own.as_dvec3();
        errors.vector(got.truncate(), own + more, own.length() + more.length());
        errors.holds(got.w == 1.0);
    }
    Ok(())
}

/// v* + h f/m; scale: the sum of the magnitudes.
fn start(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let before = bases(bench, 99);
    let forces = Random::new(100).fields(bench.len(), 30.0, f32::NAN);
    let after = bench.run_each(&[("applied", &forces), ("base", &before)])?;
    for (i, got) in after.get::<Particle>("base").iter().enumerate() {
        let p = &before[i];
        let acceleration = f64::from(p.inverse_mass) * forces[i].truncate().as_dvec3();
        let more = f64::from(bench.case.sim.step) * acceleration;
        let v = p.velocity.as_dvec3();
        errors.vector(got.velocity, v + more, v.length() + more.length());
        errors.kept(got, p, |p, got| p.velocity = got.velocity);
    }
    Ok(())
}
