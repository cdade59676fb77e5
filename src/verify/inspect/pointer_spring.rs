//! The pull of a user.

use glam::Vec3;

use crate::Result;
use crate::gpu::types::{Externals, PULL_ROOM, PointerSpring, Segment};
use crate::gpu::{Buffer, Kernel, Uniforms};
use crate::reference::inspect::pointer_spring as reference;
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::errors::ErrorStats;

/// rate (goal − x) − damping v in one entry, all others as they were; scale: rate (|goal| + |x|) + damping |v|.
pub fn pointer_spring(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(91 + bench.len() as u64);
    for entry in [0, 3, PULL_ROOM - 1] {
        errors.case();
        if bench.len() == 0 {
            continue;
        }
        let pointer_spring = PointerSpring {
            goal: random.vector(2.0).as_vec3(),
            rate: random.between(1.0, 100.0) as f32,
            particle: random.index(0, bench.len()) as u32,
            body: 5,
            entry,
            damping: random.between(0.0, 50.0) as f32,
            most: if entry == 3 { 0.5 } else { 1e4 },
        };
        let uniform = Uniforms::new(bench.context, "pointer_spring", 1);
        uniform.write(bench.context, &[pointer_spring]);
        let before = std::slice::from_ref(&*bench.case.externals);
        let externals = Buffer::<Externals>::new(bench.context, "externals", before)?;
        let segments = Buffer::<Segment>::zeroed(bench.context, "segments", 1)?;
        let others = [
            uniform.bind("pointer_spring"),
            externals.bind("externals_out"),
            segments.bind("segments"),
        ];
        bench.write(&bench.case.particles, &bench.case.particles);
        bench.dispatch(kernel, bench.case.sim, 1, &others);
        let mut got = externals.read(bench.context)?.remove(0);
        let p = &bench.case.particles[pointer_spring.particle as usize];
        let [x, goal, v] = [p.position, pointer_spring.goal, p.velocity].map(|v| v.as_dvec3());
        let [rate, damping] = [pointer_spring.rate, pointer_spring.damping].map(f64::from);
        let wanted = reference::force(rate, [x, goal], damping, v, f64::from(pointer_spring.most));
        let scale = rate * (x.length() + goal.length()) + damping * v.length();
        let pull = &mut got.pulls[entry as usize];
        errors.vector(pull.force, wanted, scale);
        pull.force = bench.case.externals.pulls[entry as usize].force;
        errors.holds(got == *bench.case.externals);
        let segment = segments.read(bench.context)?[0];
        errors.number(segment.value, wanted.length(), scale);
        errors.holds(
            (segment.start, segment.end, segment.body) == (p.position, pointer_spring.goal, 5),
        );
        errors.holds(segment.start != Vec3::ZERO);
    }
    Ok(())
}
