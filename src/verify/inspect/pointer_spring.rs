//! The pull of a user.

use super::lines::UNTOUCHED;
use crate::Result;
use crate::gpu::types::{Externals, PULL_ROOM, PointerSpring, Segment};
use crate::reference::inspect::pointer_spring as reference;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// rate (goal − x) − damping v in one entry, all others as they were; scale: rate (|goal| + |x|) + damping |v|.
pub fn force(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(91 + bench.len() as u64);
    if bench.len() == 0 {
        return Ok(());
    }
    for entry in [0, 3, PULL_ROOM - 1] {
        let spring = PointerSpring {
            goal: random.vector(2.0).as_vec3(),
            rate: random.between(1.0, 100.0) as f32,
            particle: random.index(0, bench.len()) as u32,
            body: 5,
            entry,
            damping: random.between(0.0, 50.0) as f32,
            most: if entry == 3 { 0.5 } else { 1e4 },
        };
        let before = std::slice::from_ref(&*bench.case.externals);
        let arrays: &Arrays<'_> = &[
            ("pointer_spring", &[spring]),
            ("externals_out", &before),
            ("segments", &[UNTOUCHED]),
        ];
        let after = bench.run(bench.case.sim, 1, arrays)?;
        let p = &bench.case.particles[spring.particle as usize];
        let [x, goal, v] = [p.position, spring.goal, p.velocity].map(|v| v.as_dvec3());
        let [rate, damping] = [spring.rate, spring.damping].map(f64::from);
        let wanted = reference::force(rate, [x, goal], damping, v, f64::from(spring.most));
        let scale = rate * (x.length() + goal.length()) + damping * v.length();
        let got = &after.get::<Externals>("externals_out")[0];
        let pull = |externals: &Externals| externals.pulls[entry as usize].force;
        errors.vector(pull(got), wanted, scale);
        errors.kept(got, &before[0], |externals, got| {
            externals.pulls[entry as usize].force = pull(got);
        });
        let segment = after.get::<Segment>("segments")[0];
        errors.number(segment.value, wanted.length(), scale);
        let line = (segment.start, segment.end, segment.body);
        errors.holds(line == (p.position, spring.goal, 5));
    }
    Ok(())
}
