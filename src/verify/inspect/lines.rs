//! Lines of forces and of ways out.

use glam::Vec3;

use super::field::{Records, records, touching};
use crate::Result;
use crate::gpu::types::{Lines, Segment};
use crate::gpu::{Buffer, Kernel, Uniforms};
use crate::reference::inspect::lines as reference;
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::errors::ErrorStats;
use crate::verify::oracle::Oracle;

/// What stands where nothing is to be written.
const UNTOUCHED: Segment = Segment {
    start: Vec3::splat(-77.0),
    value: -77.0,
    end: Vec3::splat(-77.0),
    body: 77,
};

/// A body's segments and one more.
fn room(bench: &Bench<'_>, count: usize) -> Result<Buffer<Segment>> {
    Buffer::new(bench.context, "segments", &vec![UNTOUCHED; count + 1])
}

/// m a of each particle of each body; scale: m times that of the acceleration.
pub fn force_lines(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let (case, scale) = (bench.case, 0.01);
    let oracle = Oracle::new(case, &case.sim, &case.particles);
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let wanted = oracle.acceleration(x, v);
    let uniform = Uniforms::new(bench.context, "lines", 1);
    bench.write(&case.particles, &case.particles);
    for (body, ranges) in case.model.bodies.iter().enumerate() {
        let count = ranges.particles.len();
        let lines = Lines {
            first: ranges.particles.start as u32,
            count: count as u32,
            scale,
            body: body as u32,
        };
        uniform.write(bench.context, &[lines]);
        let segments = room(bench, count)?;
        let others = [uniform.bind("lines"), segments.bind("segments")];
        bench.dispatch(kernel, case.sim, count, &others);
        let got = segments.read(bench.context)?;
        errors.holds(got[count] == UNTOUCHED);
        for (got, i) in got.iter().zip(ranges.particles.clone()) {
            let mass = match oracle.system.pinned(i) {
                true => 0.0,
                false => oracle.system.mass(i),
            };
            let (force, rounding) = (mass * wanted.value[i], mass * wanted.scale[i]);
            errors.holds(got.start == case.particles[i].position && got.body == body as u32);
            errors.number(got.value, force.length(), rounding);
            let end = x[i] + f64::from(scale) * force;
            errors.vector(got.end, end, x[i].length() + f64::from(scale) * rounding);
        }
    }
    Ok(())
}

/// The ways out of each body's points, edges and spheres; scale: the place's and the way's lengths.
pub fn depth_lines(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(29 + bench.len() as u64);
    let (all, [less, more]) = records(bench, &mut random);
    let case = bench.case;
    let oracle = Oracle::new(case, &case.sim, &case.particles);
    let x = &oracle.system.position;
    let uniform = Uniforms::new(bench.context, "lines", 1);
    bench.write(&case.particles, &case.particles);
    for (body, counts) in [(0, [less, more]), (1, [more, less]), (5, [less, more])] {
        errors.case();
        let lines = Lines {
            count: counts[1] as u32,
            scale: 10.0,
            body,
            ..Lines::default()
        };
        uniform.write(bench.context, &[lines]);
        let (segments, records) = (room(bench, all.len())?, Records::new(bench, &all, counts)?);
        let others = [
            records.contacts.bind("contacts"),
            records.record_first.bind("record_first"),
            records.collide.bind("collide"),
            uniform.bind("lines"),
            segments.bind("segments"),
        ];
        bench.dispatch(kernel, case.sim, counts[1], &others);
        let got = segments.read(bench.context)?;
        errors.holds(got[counts[1]..].iter().all(|got| *got == UNTOUCHED));
        for (c, got) in got[..counts[1]].iter().enumerate() {
            errors.holds(got.body == body);
            let of_body = |i: usize| oracle.system.body[i] == body as usize;
            let known = all[c..less.max(c)].iter().take(1).flat_map(touching);
            let mut own = known.filter(|touching| of_body(touching.points[0].0));
            let Some(touching) = own.next() else {
                errors.holds(got.start == got.end && got.value == 0.0);
                continue;
            };
            let [start, end] = reference::way_out(&touching, 10.0, x);
            let depth = touching.way.length();
            let reach: f64 = touching.points.iter().map(|(i, _)| x[*i].length()).sum();
            errors.vector(got.start, start, reach);
            errors.vector(got.end, end, reach + 10.0 * depth);
            errors.number(got.value, depth, depth);
        }
    }
    Ok(())
}
