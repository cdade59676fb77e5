//! Lines of forces and of penetration vectors.

use glam::Vec3;

use super::field::{counted, records, touching};
use crate::Result;
use crate::gpu::types::{Lines, Segment};
use crate::reference::inspect::lines as reference;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// What stands where nothing is to be written.
pub(super) const UNTOUCHED: Segment =
    Segment { start: Vec3::splat(-77.0), value: -77.0, end: Vec3::splat(-77.0), body: 77 };

/// m a of each particle of each body; scale: m times that of the acceleration.
pub fn force_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (case, scale, oracle) = (bench.case, 0.01, bench.oracle());
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let wanted = oracle.acceleration(x, v);
    for (body, ranges) in (0..).zip(&case.model.bodies) {
        let count = ranges.particles.len();
        let lines =
            Lines { first: ranges.particles.start as u32, count: count as u32, scale, body };
        let arrays: &Arrays<'_> = &[("lines", &[lines]), ("segments", &vec![UNTOUCHED; count + 1])];
        let got: Vec<Segment> = bench.run(case.sim, count, arrays)?.get("segments");
        errors.holds(got[count] == UNTOUCHED);
        for (got, i) in got.iter().zip(ranges.particles.clone()) {
            let mass = match oracle.system.pinned(i) {
                true => 0.0,
                false => oracle.system.mass(i),
            };
            let (force, rounding) = (mass * wanted.value[i], mass * wanted.scale[i]);
            errors.holds(got.start == case.particles[i].position && got.body == body);
            errors.number(got.value, force.length(), rounding);
            let end = x[i] + f64::from(scale) * force;
            errors.vector(got.end, end, x[i].length() + f64::from(scale) * rounding);
        }
    }
    Ok(())
}

/// The penetration vectors of each body's points, edges and spheres; scale: the place's and the way's lengths.
pub fn depth_lines(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(29 + bench.len() as u64);
    let (all, [less, more]) = records(bench, &mut random);
    let system = bench.oracle().system;
    let x = &system.position;
    for (body, counts) in [(0, [less, more]), (1, [more, less]), (5, [less, more])] {
        let lines = Lines { count: counts[1] as u32, scale: 10.0, body, ..Lines::default() };
        let arrays: &Arrays<'_> =
            &[("lines", &[lines]), ("segments", &vec![UNTOUCHED; all.len() + 1])];
        let after = counted(bench, &all, counts, counts[1], arrays)?;
        let got: Vec<Segment> = after.get("segments");
        errors.holds(got[counts[1]..].iter().all(|got| *got == UNTOUCHED));
        for (c, got) in got[..counts[1]].iter().enumerate() {
            errors.holds(got.body == body);
            let of_body = |i: usize| system.body[i] == body as usize;
            let known = all[c..less.max(c)].iter().take(1).flat_map(touching);
            let mut own = known.filter(|touching| of_body(touching.points[0].0));
            let Some(touching) = own.next() else {
                errors.holds(got.start == got.end && got.value == 0.0);
                continue;
            };
            let [start, end] = reference::penetration_vector(&touching, 10.0, x);
            let depth = touching.way.length();
            let reach: f64 = touching.points.iter().map(|(i, _)| x[*i].length()).sum();
            errors.vector(got.start, start, reach);
            errors.vector(got.end, end, reach + 10.0 * depth);
            errors.number(got.value, depth, depth);
        }
    }
    Ok(())
}
