//! The gather of the elements' forces.

use glam::{DVec3, Vec4};

use super::elements::UNTOUCHED;
use crate::Result;
use crate::model::Incidence;
use crate::verify::{Bench, ErrorStats, Random};

/// Sums over each particle's slots, over its mass; particles without any are left alone.
pub fn gather(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(91);
    let mut pairs = Vec::new();
    for i in 0..bench.len() {
        for _ in 0..random.index(0, 9) {
            pairs.push((i as u32, random.vector(5.0).as_vec3().extend(3.0)));
        }
    }
    let rows = Incidence::new(bench.len(), &pairs);
    let after = bench.run_each(&[
        ("loads", &vec![UNTOUCHED; bench.len()]),
        ("fem_rows", &rows.ranges()),
        ("corner_forces", &rows.entries),
    ])?;
    for (i, got) in after.get::<Vec4>("loads").iter().enumerate() {
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
