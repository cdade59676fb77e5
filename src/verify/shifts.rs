//! The velocities that implicit steps give to bodies that nothing holds, and to islands of such.

use glam::{DVec3, DVec4, UVec2, Vec4};

use super::trial::{Arrays, Written};
use super::{Bench, Check, Checks, ErrorStats, Random, TOLERANCE};
use crate::gpu::types::{Body, FEW_PARTS, ISLAND_WORDS, Sim, TIE_JOINED, WORKGROUP};
use crate::model::part_ranges;
use crate::{Result, extreme};

pub const CHECKS: Checks = &[
    ("implicit_total", Check::Trial(implicit_total)),
    ("implicit_shift", Check::Trial(implicit_shift)),
    ("island_clear", Check::Trial(island_clear)),
    ("island_scale", Check::Trial(island_scale)),
    ("island_add", Check::Trial(island_add)),
    ("island_shift", Check::Trial(island_shift)),
];

/// What the kernels are given: bodies of one to eight chunks, some of as many as a workgroup has threads, and islands of them.
struct Islands {
    /// Of chunks, then of bodies that have many.
    momenta: Vec<Vec4>,
    chunks: usize,
    ranges: Vec<UVec2>,
    bodies: Vec<Body>,
    labels: [Vec<u32>; 2],
    /// Whether manifolds may join bodies, which `touching` does not count.
    poses: bool,
}

impl Islands {
    fn new(bench: &Bench<'_>) -> Self {
        let mut random = Random::new(89);
        let count = bench.len();
        let mut given = Self {
            momenta: Vec::new(),
            chunks: 0,
            ranges: Vec::new(),
            bodies: Vec::new(),
            labels: [Vec::new(), Vec::new()],
            poses: bench.case.content.poses,
        };
        for i in 0..count {
            let chunk_count = match i {
                0..10 => [9, 63, 64, 65, 255, 256, 257, 3000, 10, 64][i],
                _ => random.index(1, FEW_PARTS as usize + 1) as u32,
            };
            let held = (random.index(0, 6) == 0).then(|| random.index(0, chunk_count as usize));
            given.bodies.push(Body {
                chunk_first: given.momenta.len() as u32,
                chunk_count,
                touching: random.index(0, 2) as u32,
                ..Body::default()
            });
            for k in 0..chunk_count as usize {
                let sum = random.vector(3.0).as_vec3();
                given.momenta.push(match held {
                    Some(held) if held == k => Vec4::new(0.0, 0.0, 0.0, -1.0),
                    _ => sum.extend(random.between(0.5, 4.0) as f32),
                });
            }
            // Of two bodies each, about; one that touches none has no use for its label.
            given.labels[0].push(1 + random.index(0, count.div_ceil(2)) as u32);
            given.labels[1].push(random.index(0, 9) as u32);
        }
        let body_chunks: Vec<_> =
            given.bodies.iter().map(|body| [body.chunk_first, body.chunk_count]).collect();
        given.chunks = given.momenta.len();
        given.ranges = part_ranges(&body_chunks, given.chunks);
        given.momenta.resize(given.chunks + given.long(), Vec4::NAN);
        given
    }

    /// Bodies of many chunks.
    fn long(&self) -> usize {
        self.ranges.len() - self.bodies.len()
    }

    /// Of six bodies the first four are tied to each other.
    fn first(k: usize) -> usize {
        match k % 6 {
            0..4 => k - k % 6,
            _ => k,
        }
    }

    /// Whether a body is in no island, and those that it moves with.
    fn members(&self, i: usize) -> (bool, Vec<usize>) {
        let alone = !self.poses && self.bodies[i].touching == 0 && i % 6 > 3;
        let label = |k: usize| self.labels[0][Self::first(k)];
        let belongs = |k: &usize| match alone {
            true => *k == i,
            false => label(*k) == label(i),
        };
        (alone, (0..self.bodies.len()).filter(belongs).collect())
    }

    fn parts(&self, body: usize) -> &[Vec4] {
        let body = &self.bodies[body];
        let first = body.chunk_first as usize;
        &self.momenta[first..first + body.chunk_count as usize]
    }

    /// Runs kernels that have a thread per body, after `implicit_total`, and the bench's, which has so many.
    fn run(
        &self,
        bench: &Bench<'_>,
        before: &[&str],
        threads: usize,
        sums: &[u32],
    ) -> Result<Written> {
        let count = self.bodies.len();
        let word = |k: usize| Self::first(k) as u32 | if k % 6 < 4 { TIE_JOINED } else { 0 };
        let arrays: &Arrays<'_> = &[
            ("tie_groups", &(0..count).map(word).collect::<Vec<_>>()),
            ("part_ranges", &self.ranges),
            ("momenta", &self.momenta),
            ("bodies", &self.bodies),
            ("islands", &self.labels[0]),
            ("islands_next", &self.labels[1]),
            ("island_sums", &sums),
            ("body_shifts", &vec![Vec4::NAN; count]),
        ];
        let sim =
            Sim { body_count: count as u32, chunk_count: self.chunks as u32, ..bench.case.sim };
        let mut passes = vec![("implicit_total", self.long() * WORKGROUP as usize)];
        passes.extend(before.iter().map(|name| (*name, count)));
        bench.run_after(&passes, sim, threads, arrays)
    }

    /// The momentum and the mass of a body, and the sums of the magnitudes; none where it is held.
    fn momentum(&self, body: usize) -> Option<[DVec4; 2]> {
        let parts = self.parts(body);
        let sum: DVec4 = parts.iter().map(|part| part.as_dvec4()).sum();
        let size: DVec4 = parts.iter().map(|part| part.as_dvec4().abs()).sum();
        parts.iter().all(|part| part.w > 0.0).then_some([sum, size])
    }

    /// The bodies of the island with this label.
    fn labelled(&self, label: u32) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(move |k| self.labels[0][Self::first(*k)] == label)
    }

    fn doubted(&self, body: usize) -> bool {
        self.labels[1][Self::first(body)] == 0
    }
}

/// What bodies of many chunks have in all; nothing where one of them is held.
fn implicit_total(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    let after = given.run(bench, &[], given.long() * WORKGROUP as usize, &[])?;
    let got: Vec<Vec4> = after.get("momenta");
    errors.holds(got[..given.chunks] == given.momenta[..given.chunks]);
    let long = (0..bench.len()).filter(|body| given.bodies[*body].chunk_count > FEW_PARTS);
    for (got, body) in got[given.chunks..].iter().zip(long) {
        errors.holds(given.ranges[body].y == 1);
        let Some([sum, size]) = given.momentum(body) else {
            errors.holds(*got == Vec4::new(0.0, 0.0, 0.0, -1.0));
            continue;
        };
        (0..4).for_each(|k| errors.number(got[k], sum[k], size[k]));
    }
    Ok(())
}

/// The mean velocity that the sums of a body's chunks ask for, or those of all that belong to its island; of
/// some a body is held or in doubt.
fn implicit_shift(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    let after = given.run(bench, &[], bench.len() * WORKGROUP as usize, &[])?;
    shifts(bench, &given, &after, errors);
    Ok(())
}

/// The same from the sums over islands that the kernels before it leave.
fn island_shift(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    let sums = vec![7; ISLAND_WORDS as usize * bench.len()];
    let passes = ["island_clear", "island_scale", "island_add"];
    let after = given.run(bench, &passes, bench.len(), &sums)?;
    after.skip("island_sums");
    shifts(bench, &given, &after, errors);
    Ok(())
}

fn shifts(bench: &Bench<'_>, given: &Islands, after: &Written, errors: &mut ErrorStats) {
    let sim = bench.case.sim;
    let braking = 1.0 + f64::from(sim.step) * f64::from(sim.drag);
    for (i, got) in after.get::<Vec4>("body_shifts").into_iter().enumerate() {
        let (alone, members) = given.members(i);
        let parts = || members.iter().flat_map(|k| given.parts(*k));
        let doubted = !alone && members.iter().any(|k| given.doubted(*k));
        if doubted || parts().any(|part| part.w < 0.0) {
            errors.holds(got == Vec4::ZERO);
            continue;
        }
        let sum: DVec3 = parts().map(|part| part.truncate().as_dvec3()).sum();
        let size: DVec3 = parts().map(|part| part.truncate().as_dvec3().abs()).sum();
        let mass: f64 = parts().map(|part| f64::from(part.w)).sum();
        let scale = size.length() / (mass * braking);
        errors.vector(got.truncate(), sum / (mass * braking), scale);
        errors.holds(got.w == 1.0);
    }
}

/// Nothing is left of what stood there.
fn island_clear(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    let sums = vec![7; ISLAND_WORDS as usize * bench.len()];
    let after = given.run(bench, &[], bench.len(), &sums)?;
    errors.words(&after.get::<u32>("island_sums"), &vec![0; sums.len()]);
    Ok(())
}

/// The largest coordinate and mass of the island's bodies but those that are held or in doubt, and whether any is.
fn island_scale(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    let after =
        given.run(bench, &[], bench.len(), &vec![0; ISLAND_WORDS as usize * bench.len()])?;
    let got: Vec<u32> = after.get("island_sums");
    for (label, got) in (1..).zip(got.chunks_exact(ISLAND_WORDS as usize)) {
        let free = || given.labelled(label).filter(|k| !given.doubted(*k));
        let known = || free().filter_map(|k| given.momentum(k));
        let most = |of: fn([DVec4; 2]) -> f64| known().map(of).fold(0.0, extreme::greatest);
        let scale = most(|[_, magnitude]| magnitude.truncate().max_element());
        errors.number(
            f32::from_bits(got[0]),
            most(|[sum, _]| sum.truncate().abs().max_element()),
            scale,
        );
        let mass = most(|[sum, _]| sum.w);
        errors.number(f32::from_bits(got[1]), mass, mass);
        let spoilt = given.labelled(label).any(|k| given.doubted(k) || given.momentum(k).is_none());
        errors.words(&got[2..3], &[u32::from(spoilt)]);
        errors.holds(got[3..].iter().all(|word| *word == 0));
    }
    Ok(())
}

/// The sums of momenta and masses that the words stand for; scale: what they are added up from, and the largest of all, of
/// which each part is rounded.
fn island_add(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    // As an island may have them: the least power of two above is 2 to the 14.
    let mut sums = vec![0; ISLAND_WORDS as usize * bench.len()];
    for words in sums.chunks_exact_mut(ISLAND_WORDS as usize) {
        (words[0], words[1]) = (9000.0_f32.to_bits(), 16384.0_f32.to_bits());
    }
    let after = given.run(bench, &[], bench.len(), &sums)?;
    let part = 2.0_f64.powi(14 - 30);
    let got: Vec<u32> = after.get("island_sums");
    let words = ISLAND_WORDS as usize;
    for (label, (got, before)) in (1..).zip(got.chunks_exact(words).zip(sums.chunks_exact(words))) {
        errors.words(&got[..3], &before[..3]);
        let known = || given.labelled(label).filter_map(|k| given.momentum(k));
        let [sum, size] = known().fold([DVec4::ZERO; 2], |[a, b], [c, d]| [a + c, b + d]);
        for (axis, got) in got[3..].chunks_exact(3).enumerate() {
            let high = f64::from(got[2] as i32) * 2.0_f64.powi(22);
            let parts = f64::from(got[0]) + f64::from(got[1]) * 2.0_f64.powi(11) + high;
            let scale = size[axis] + part * known().count() as f64 / TOLERANCE;
            errors.number((part * parts) as f32, sum[axis], scale);
            let most = 0x7ff * known().count() as u32;
            errors.holds(got[0] <= most && got[1] <= most);
        }
    }
    Ok(())
}
