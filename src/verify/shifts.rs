//! The velocities that implicit steps give to bodies that nothing holds, and to islands of such.

use glam::{UVec2, Vec3, Vec4};

use super::momenta::{self, Mass, Motion, NUMBERS};
use super::trial::{Arrays, Written};
use super::{Bench, Check, Checks, ErrorStats, Random, TOLERANCE};
use crate::gpu::types::{
    Body, BodyMotion, FEW_PARTS, ISLAND_WORDS, MomentumPart, Sim, TIE_JOINED, WORKGROUP,
};
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
    momenta: Vec<MomentumPart>,
    /// What chunks consist of; nothing where something holds it.
    masses: Vec<Vec<Mass>>,
    origins: Vec<Vec3>,
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
            masses: Vec::new(),
            origins: Vec::new(),
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
            let origin = random.vector(2.0).as_vec3();
            given.origins.push(origin);
            for k in 0..chunk_count as usize {
                let masses = match held {
                    Some(held) if held == k => Vec::new(),
                    _ => (0..4).map(|_| mass(&mut random, origin)).collect(),
                };
                given.momenta.push(match masses.is_empty() {
                    true => momenta::held(origin),
                    false => momenta::stored(&masses, origin),
                });
                given.masses.push(masses);
            }
            // Of two bodies each, about; one that touches none has no use for its label.
            given.labels[0].push(1 + random.index(0, count.div_ceil(2)) as u32);
            given.labels[1].push(random.index(0, 9) as u32);
        }
        let body_chunks: Vec<_> =
            given.bodies.iter().map(|body| [body.chunk_first, body.chunk_count]).collect();
        given.chunks = given.momenta.len();
        given.ranges = part_ranges(&body_chunks, given.chunks);
        given.momenta.resize(given.chunks + given.long(), momenta::held(Vec3::NAN));
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

    /// The masses of a body; none where something holds it.
    fn masses(&self, body: usize) -> Option<Vec<Mass>> {
        let body = &self.bodies[body];
        let first = body.chunk_first as usize;
        let chunks = &self.masses[first..first + body.chunk_count as usize];
        chunks.iter().all(|masses| !masses.is_empty()).then(|| chunks.concat())
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
            ("body_shifts", &vec![BodyMotion { shift: Vec4::NAN, ..BodyMotion::default() }; count]),
        ];
        let sim =
            Sim { body_count: count as u32, chunk_count: self.chunks as u32, ..bench.case.sim };
        let totals = ("implicit_total", self.long() * WORKGROUP as usize);
        let mut passes: Vec<_> =
            Some(totals).filter(|(_, threads)| *threads > 0).into_iter().collect();
        passes.extend(before.iter().map(|name| (*name, count)));
        bench.run_after(&passes, sim, threads, arrays)
    }

    /// The numbers of a body about the origin of the one whose number its island's label is; none where it is held.
    fn numbers(&self, body: usize) -> Option<[[f64; 2]; NUMBERS]> {
        let label = self.labels[0][Self::first(body)] as usize;
        let origin = self.origins[label - 1].as_dvec3();
        self.masses(body).map(|masses| momenta::numbers(&masses, origin))
    }

    /// The bodies of the island with this label.
    fn labelled(&self, label: u32) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(move |k| self.labels[0][Self::first(*k)] == label)
    }

    fn doubted(&self, body: usize) -> bool {
        self.labels[1][Self::first(body)] == 0
    }
}

/// What bodies of many chunks lack in all; nothing where one of them is held.
fn implicit_total(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    if given.long() == 0 {
        return Ok(());
    }
    let after = given.run(bench, &[], given.long() * WORKGROUP as usize, &[])?;
    let got: Vec<MomentumPart> = after.get("momenta");
    errors.holds(got[..given.chunks] == given.momenta[..given.chunks]);
    let long = (0..bench.len()).filter(|body| given.bodies[*body].chunk_count > FEW_PARTS);
    for (got, body) in got[given.chunks..].iter().zip(long) {
        errors.holds(given.ranges[body].y == 1);
        match given.masses(body) {
            None => errors.holds(*got == momenta::held(given.origins[body])),
            Some(masses) => momenta::compare(got, &masses, given.origins[body], errors),
        }
    }
    Ok(())
}

/// The motion that the sums of a body's chunks ask for, or those of all that belong to its island; of some a body is held or in
/// doubt.
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
    let h = f64::from(bench.case.sim.step);
    for (i, got) in after.get::<BodyMotion>("body_shifts").into_iter().enumerate() {
        let (alone, members) = given.members(i);
        let doubted = !alone && members.iter().any(|k| given.doubted(*k));
        let masses: Option<Vec<_>> = members.iter().map(|k| given.masses(*k)).collect();
        let origin = match alone {
            true => i,
            false => given.labels[0][Islands::first(i)] as usize - 1,
        };
        match masses.filter(|_| !doubted) {
            None => errors.holds(got == BodyMotion::default()),
            Some(masses) => {
                let origin = given.origins[origin].as_dvec3();
                Motion::of(&masses.concat(), h, origin).compare(&got, errors);
            }
        }
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

/// The largest number of each kind of the island's bodies but those that are held or in doubt, and whether any is.
fn island_scale(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    let after =
        given.run(bench, &[], bench.len(), &vec![0; ISLAND_WORDS as usize * bench.len()])?;
    let got: Vec<u32> = after.get("island_sums");
    for (label, got) in (1..).zip(got.chunks_exact(ISLAND_WORDS as usize)) {
        let known: Vec<_> = given
            .labelled(label)
            .filter(|k| !given.doubted(*k))
            .filter_map(|k| given.numbers(k))
            .collect();
        for (kind, got) in got[..KINDS].iter().enumerate() {
            let numbers = || {
                known.iter().flatten().enumerate().filter(|(k, _)| self::kind(k % NUMBERS) == kind)
            };
            let most = numbers().map(|(_, [sum, _])| sum.abs()).fold(0.0, extreme::greatest);
            let scale = numbers().map(|(_, [_, scale])| *scale).fold(0.0, extreme::greatest);
            errors.number(f32::from_bits(*got), most, scale);
        }
        let spoilt = given.labelled(label).any(|k| given.doubted(k) || given.masses(k).is_none());
        errors.words(&got[KINDS..KINDS + 1], &[u32::from(spoilt)]);
        errors.holds(got[KINDS + 1..].iter().all(|word| *word == 0));
    }
    Ok(())
}

/// Kinds of numbers that have a scale of their own.
const KINDS: usize = 8;

/// What lacks of momenta and of angular momenta, moments at both ends, inertias, momenta, masses, energies.
fn kind(number: usize) -> usize {
    match (number / 4, number % 4) {
        (0, 3) => 6,
        (5, 3) => 7,
        (_, 3) => 4,
        (row, _) => row,
    }
}

/// The sums that the words stand for; scale: what they are added up from, and the largest of all, of which each part is rounded.
fn island_add(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = Islands::new(bench);
    // As an island may have them: the least power of two above is 2 to the 20 and to the 23.
    let mut sums = vec![0; ISLAND_WORDS as usize * bench.len()];
    for words in sums.chunks_exact_mut(ISLAND_WORDS as usize) {
        words[..KINDS].fill(700_000.0_f32.to_bits());
        words[4] = 8_388_608.0_f32.to_bits();
    }
    let after = given.run(bench, &[], bench.len(), &sums)?;
    let got: Vec<u32> = after.get("island_sums");
    let words = ISLAND_WORDS as usize;
    for (label, (got, before)) in (1..).zip(got.chunks_exact(words).zip(sums.chunks_exact(words))) {
        errors.words(&got[..KINDS + 1], &before[..KINDS + 1]);
        let known: Vec<_> = given.labelled(label).filter_map(|k| given.numbers(k)).collect();
        for (k, got) in got[KINDS + 1..].chunks_exact(3).enumerate() {
            let [sum, size] =
                known.iter().fold([0.0; 2], |[a, b], all| [a + all[k][0], b + all[k][1]]);
            let part = 2.0_f64.powi(if kind(k) == 4 { 23 } else { 20 } - 30);
            let high = f64::from(got[2] as i32) * 2.0_f64.powi(22);
            let parts = f64::from(got[0]) + f64::from(got[1]) * 2.0_f64.powi(11) + high;
            let scale = size + part * known.len() as f64 / TOLERANCE;
            errors.number((part * parts) as f32, sum, scale);
            let most = 0x7ff * known.len() as u32;
            errors.holds(got[0] <= most && got[1] <= most);
        }
    }
    Ok(())
}

/// A mass near an origin.
fn mass(random: &mut Random, origin: Vec3) -> Mass {
    let near = |random: &mut Random, reach| origin.as_dvec3() + random.vector(reach);
    let lack = random.vector(3.0);
    let start = near(random, 1.0);
    let (mass, end) = (random.between(0.5, 4.0), start + random.vector(0.1));
    // Some too slow for what they lack.
    let fast = [0.1, 5.0][random.index(0, 2)];
    let velocity = random.vector(fast);
    Mass::particle(mass, [start, end, velocity], (lack, lack.length()))
}
