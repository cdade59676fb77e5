//! The gather of the elements' forces.

use glam::{DVec3, UVec2};

use super::elements::UNTOUCHED;
use crate::Result;
use crate::gpu::{Buffer, Kernel};
use crate::model::Incidence;
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::errors::ErrorStats;

/// Sums over each particle's slots, over its mass; particles without any are left alone.
pub fn gather(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(91);
    let mut pairs = Vec::new();
    for i in 0..bench.len() {
        for _ in 0..random.index(0, 9) {
            pairs.push((i as u32, random.vector(5.0).as_vec3().extend(3.0)));
        }
    }
    let rows = Incidence::new(bench.len(), &pairs);
    let ranges: Vec<_> = rows
        .first
        .iter()
        .zip(&rows.count)
        .map(|(first, count)| UVec2::new(*first, *count))
        .collect();
    let loads = Buffer::new(bench.context, "loads", &vec![UNTOUCHED; bench.len()])?;
    let ranges_buffer = Buffer::new(bench.context, "fem_rows", &ranges)?;
    let corner_forces = Buffer::new(bench.context, "corner_forces", &rows.entries)?;
    let others = [
        loads.bind("loads"),
        ranges_buffer.bind("fem_rows"),
        corner_forces.bind("corner_forces"),
    ];
    bench.write(&bench.case.particles, &bench.case.particles);
    bench.dispatch(kernel, bench.case.sim, bench.len(), &others);
    errors.case();
    for (i, got) in loads.read(bench.context)?.iter().enumerate() {
        let inverse_mass = f64::from(bench.case.particles[i].inverse_mass);
        let own = pairs.iter().filter(|(owner, _)| *owner as usize == i);
        let own: Vec<_> = own.map(|(_, f)| f.truncate().as_dvec3()).collect();
        if own.is_empty() {
            errors.holds(*got == UNTOUCHED);
            continue;
        }
        let scale: f64 = own.iter().map(|f| f.length()).sum();
        let sum: DVec3 = own.iter().sum();
        errors.vector(got.truncate(), inverse_mass * sum, inverse_mass * scale);
        errors.holds(got.w == 0.0);
    }
    Ok(())
}
