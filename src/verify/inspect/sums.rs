//! Energies and sums.

use glam::{DMat3, DVec3, Vec2, Vec3};

use super::field::{Shares, UNTOUCHED};
use crate::Result;
use crate::extreme::{greatest, least};
use crate::family;
use crate::family::fem::law::green_strain;
use crate::gpu::types::{Chunk, ChunkSums, PoseSums, Sim, WORKGROUP};
use crate::reference::fem::{self, Element};
use crate::reference::inspect::sums::{self as reference, Sums};
use crate::verify::fem::{Elements, gradient_scale, size, sorts};
use crate::verify::oracle::terms;
use crate::verify::poses;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Oracle, Random};

/// Of every law, plastic or not: V − V0 and a quarter of the energy in the slots of each element, near rest too.
pub fn fem_measure(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for (k, (law, plastic)) in sorts().enumerate() {
        for still in [false, true] {
            let mut elements = Elements::new(bench, law, plastic && !still, 61 + k as u64);
            if still {
                elements.straighten(bench, 1e-3, 7 + k as u64);
            }
            measured(bench, &elements, errors)?;
        }
    }
    Ok(())
}

fn measured(bench: &Bench<'_>, elements: &Elements, errors: &mut ErrorStats) -> Result<()> {
    let untouched = vec![Vec2::splat(UNTOUCHED); elements.slots];
    let after = elements.run(bench, bench.case.sim, &[("fem_shares", &untouched)])?;
    let got: Vec<Vec2> = after.get("fem_shares");
    let x = &bench.oracle().system.position;
    let mut written = vec![false; got.len()];
    for (tet, element) in elements.tets.iter().zip(&elements.wanted) {
        let f = element.gradient(x);
        let uncertain = 1.0 + gradient_scale(element, x);
        let growth = element.volume * (f.determinant() - 1.0);
        let energy = 0.25 * fem::energy(element, x);
        for slot in tet.slots.to_array() {
            written[slot as usize] = true;
            let share = got[slot as usize];
            let size = size(&f);
            errors.number(share.x, growth, element.volume * uncertain * (1.0 + size.powi(3)));
            errors.number(share.y, energy, 0.25 * energy_scale(element, &f, uncertain));
        }
    }
    let others = got.iter().zip(written).filter(|(_, written)| !written);
    errors.holds(others.into_iter().all(|(got, _)| got.x == UNTOUCHED));
    Ok(())
}

/// Scale of an element's energy, V0 (λ + 2μ)(|E| s² u + j s³ u + |E|² + |E|³ + j²), with s = |F S_p⁻¹|, u its uncertainty, E
/// Green's strain and j = det F − 1: each is rounded as its terms are, and the energy is a sum of squares of them.
fn energy_scale(element: &Element, f: &DMat3, uncertain: f64) -> f64 {
    let inverse = element.plastic.inverse();
    let elastic = *f * inverse;
    let strain = size(&green_strain(&elastic));
    let (size, uncertain) = (size(&elastic), uncertain * size(&inverse));
    let growth = (elastic.determinant() - 1.0).abs();
    let modulus = element.lame.lambda.abs() + 2.0 * element.lame.mu;
    let rounding = (strain * size.powi(2) + growth * size.powi(3)) * uncertain;
    element.volume * modulus * (rounding + strain.powi(2) + strain.powi(3) + growth.powi(2))
}

/// Each particle's share of the energies at it. With C = (l − l0)/l0 and r = l/l0 + 1 the scale of C, that of ½ k C² is
/// k (C² + |C| r); likewise for volumes, whose r is L³/(6V0) + 1, and areas, L²/A0 + 1.
pub fn energy(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let shares = Shares::random(bench.len(), &mut Random::new(37 + bench.len() as u64));
    let got = shares.run(bench, "energies", &[])?;
    let oracle = bench.oracle();
    let scales = energy_scales(&oracle);
    for i in 0..bench.len() {
        let (wanted, scale) = match bench.case.bodies[oracle.system.body[i]].loaded {
            family::springs::LOADED => (reference::elastic_share(i, &oracle.system), scales[i]),
            family::fem::LOADED => shares.sum(i, 1).into(),
            _ => (0.0, 0.0),
        };
        errors.number(got[i], wanted, scale);
    }
    errors.holds(got[bench.len()] == UNTOUCHED);
    Ok(())
}

fn energy_scales(oracle: &Oracle<'_>) -> Vec<f64> {
    let (system, x) = (&oracle.system, &oracle.system.position);
    let mut scales = vec![0.0; x.len()];
    for constraint in system.constraints() {
        let (strain, [_, rounding]) = (constraint.value(x).abs(), terms(&constraint, x));
        let energy = constraint.stiffness * strain * (strain + rounding);
        for i in constraint.points() {
            scales[*i] += energy / constraint.points().len() as f64;
        }
    }
    scales
}

/// Ranges one behind the other, some as long as a workgroup has threads or as a chunk, or one more or less.
fn parts(count: usize) -> Vec<Chunk> {
    let mut first = 0;
    let lengths = [1, 63, 64, 65, 2, 255, 256, 257].into_iter().cycle();
    let parts = lengths.map(|length| {
        let range = Chunk { first: first as u32, end: (first + length).min(count) as u32 };
        first = range.end as usize;
        range
    });
    parts.take_while(|part| part.first < part.end).collect()
}

/// The sums of ranges of particles, some of them held, some of those a pose's and without mass: masses and energies to the sum of their sizes, the moment to that of m |x − origin|,
/// extremes to the bit.
pub fn chunk(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(41 + bench.len() as u64);
    let chunks = parts(bench.len());
    let [mut masses, energies, values] = [(0.5, 2.0), (-0.5, 3.0), (-2.0, 1.0)]
        .map(|(low, high)| random.numbers(bench.len(), low, high));
    let mut particles = bench.case.particles.clone();
    let mut system = bench.oracle().system;
    for (i, particle) in particles.iter_mut().enumerate().filter(|(i, _)| i % 5 > 2) {
        // They move: what is held and what a pose carries.
        masses[i] *= if i % 5 == 3 { 0.0 } else { 1.0 };
        particle.velocity = random.vector(4.0).as_vec3();
        particle.inverse_mass = 0.0;
        (system.velocity[i], system.inverse_mass[i]) = (particle.velocity.as_dvec3(), 0.0);
    }
    let arrays: &Arrays<'_> = &[
        ("particles_in", &particles),
        ("chunks", &chunks),
        ("chunk_sums", &vec![ChunkSums::default(); chunks.len() + 1]),
        ("masses", &masses),
        ("energies", &energies),
        ("particle_values", &values),
    ];
    let sim = Sim { chunk_count: chunks.len() as u32, ..bench.case.sim };
    let after = bench.run(sim, chunks.len() * WORKGROUP as usize, arrays)?;
    let got: Vec<ChunkSums> = after.get("chunk_sums");
    errors.holds(got[chunks.len()] == ChunkSums::default());
    let exact: Vec<_> = masses.iter().map(|m| f64::from(*m)).collect();
    for (chunk, got) in chunks.iter().zip(&got) {
        let range = chunk.first as usize..chunk.end as usize;
        let points: Vec<_> = range.clone().collect();
        let wanted = reference::sums(&points, &exact, &system);
        let origin = system.position[range.start];
        let size = |of: &dyn Fn(usize) -> f64| range.clone().map(|i| exact[i] * of(i)).sum();
        let sizes = [
            size(&|i| system.position[i].distance(origin)),
            size(&|i| system.velocity[i].length()),
        ];
        errors.holds(got.origin.as_dvec3() == origin);
        compare(got, &wanted, sizes, errors);
        let elastic = energies[range.clone()].iter().map(|e| f64::from(*e));
        let sizes = elastic.clone().map(f64::abs).sum();
        errors.number(got.elastic, elastic.sum(), sizes);
        let values = || values[range.clone()].iter().copied();
        errors.holds(got.least == values().fold(f32::INFINITY, least));
        errors.holds(got.greatest == values().fold(f32::NEG_INFINITY, greatest));
    }
    Ok(())
}

/// Compares all but the elastic energy and the values; scales of moment and momentum.
fn compare(got: &ChunkSums, wanted: &Sums, [moment, momentum]: [f64; 2], errors: &mut ErrorStats) {
    let origin = got.origin.as_dvec3();
    errors.number(got.mass, wanted.mass, wanted.mass);
    errors.vector(got.moment, wanted.moment - wanted.mass * origin, moment);
    errors.number(got.kinetic, wanted.kinetic, wanted.kinetic);
    errors.vector(got.momentum, wanted.momentum, momentum);
    errors.number(got.speed, wanted.speed, wanted.speed);
    errors.holds([got.low, got.high] == wanted.bounds.map(|x| x.as_vec3()));
}

/// Sums of a chunk, of no particles in particular.
fn random_sums(random: &mut Random) -> ChunkSums {
    let [origin, moment, low, high, momentum] = [(); 5].map(|()| random.vector(2.0).as_vec3());
    let mut number = |low: f64| random.between(low, 3.0) as f32;
    ChunkSums {
        origin,
        mass: number(0.1),
        moment,
        kinetic: number(0.0),
        low,
        elastic: number(-1.0),
        high,
        speed: number(0.0),
        momentum,
        least: number(-3.0),
        greatest: number(-3.0),
    }
}

/// The sums of ranges of chunks; scales likewise, of the moment with m |origin − first origin|.
pub fn block(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(43 + bench.len() as u64);
    let all: Vec<_> = (0..bench.len()).map(|_| random_sums(&mut random)).collect();
    let blocks = parts(all.len());
    let arrays: &Arrays<'_> = &[
        ("chunk_sums", &all),
        ("sum_blocks", &blocks),
        ("totals", &vec![ChunkSums::default(); blocks.len() + 1]),
    ];
    let sim = Sim { chunk_count: blocks.len() as u32, ..bench.case.sim };
    let got: Vec<ChunkSums> =
        bench.run(sim, blocks.len() * WORKGROUP as usize, arrays)?.get("totals");
    errors.holds(got[blocks.len()] == ChunkSums::default());
    for (block, got) in blocks.iter().zip(&got) {
        let own = &all[block.first as usize..block.end as usize];
        let origin = own[0].origin.as_dvec3();
        let sum = |of: fn(&ChunkSums) -> f32| own.iter().map(|c| f64::from(of(c))).sum::<f64>();
        let most = |of: fn(&ChunkSums) -> f32| own.iter().map(of).fold(f32::MIN, greatest);
        let mass = |c: &ChunkSums| f64::from(c.mass);
        let moment = |c: &ChunkSums| c.moment.as_dvec3() + mass(c) * c.origin.as_dvec3();
        let around = |c: &ChunkSums| {
            c.moment.as_dvec3().length() + mass(c) * c.origin.as_dvec3().distance(origin)
        };
        let [low, high] = [0, 1].map(|k| {
            let bounds = own.iter().map(|c| [c.low, c.high][k].as_dvec3());
            let least = |a: DVec3, b: DVec3| [a.min(b), a.max(b)][k];
            bounds.reduce(least).expect("a block of some")
        });
        let wanted = Sums {
            mass: sum(|c| c.mass),
            moment: own.iter().map(moment).sum(),
            kinetic: sum(|c| c.kinetic),
            momentum: own.iter().map(|c| c.momentum.as_dvec3()).sum(),
            bounds: [low, high],
            speed: most(|c| c.speed).into(),
        };
        let momentum = |c: &ChunkSums| f64::from(c.momentum.length());
        let sizes = [own.iter().map(around).sum(), own.iter().map(momentum).sum()];
        errors.holds(got.origin == own[0].origin && f64::from(got.speed) == wanted.speed);
        compare(got, &wanted, sizes, errors);
        errors.number(got.elastic, sum(|c| c.elastic), sum(|c| c.elastic.abs()));
        errors.holds((got.least, got.greatest) == (-most(|c| -c.least), most(|c| c.greatest)));
    }
    Ok(())
}

/// Where poses are, how fast, and their kinetic energies; scale: m v² + |ω|² times the largest moment of inertia.
pub fn pose(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let given = poses::random(&mut Random::new(47));
    let untouched = PoseSums { kinetic: UNTOUCHED, ..PoseSums::default() };
    let arrays: &Arrays<'_> =
        &[("poses", &given), ("pose_sums", &vec![untouched; given.len() + 1])];
    let after = bench.run(poses::with_poses(&bench.case.sim), given.len(), arrays)?;
    let got: Vec<PoseSums> = after.get("pose_sums");
    errors.holds(got[given.len()] == untouched);
    for (got, pose) in got.iter().zip(&given) {
        let (exact, spin) = (poses::exact(pose), pose.spin.as_dvec3());
        let free = pose.inverse_mass > 0.0;
        errors.holds(got.centre == pose.position);
        errors.holds(got.velocity == if free { pose.velocity } else { Vec3::ZERO });
        let kinetic = exact.kinetic(spin);
        let turning = spin.length_squared() / exact.inverse_inertia.min_element();
        let moving = exact.velocity.length_squared() / exact.inverse_mass;
        errors.number(got.kinetic, kinetic, if free { moving + turning } else { 0.0 });
    }
    Ok(())
}
