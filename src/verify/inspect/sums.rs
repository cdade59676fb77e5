//! Energies and sums.

use crate::extreme;
use glam::{DMat3, UVec2, Vec2};

use crate::Result;
use crate::family;
use crate::gpu::types::{Chunk, ChunkSums, SLICE, Sim};
use crate::gpu::{Buffer, Kernel};
use crate::reference::fem::{self, Element};
use crate::reference::inspect::sums as reference;
use crate::reference::{areas, springs, tets};
use crate::verify::bench::Bench;
use crate::verify::case::Random;
use crate::verify::errors::ErrorStats;
use crate::verify::fem::{Elements, gradient_scale, sorts};
use crate::verify::oracle::{Oracle, longest_edge, longest_side};

/// What stands where nothing is to be written.
const UNTOUCHED: f32 = -77.0;

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
            let size = norm(&f);
            errors.number(
                share.x,
                growth,
                element.volume * uncertain * (1.0 + size.powi(3)),
            );
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
    let (size, uncertain) = (norm(&elastic), uncertain * norm(&inverse));
    let strain = norm(&((elastic.transpose() * elastic - DMat3::IDENTITY) * 0.5));
    let growth = (elastic.determinant() - 1.0).abs();
    let modulus = element.lame.lambda.abs() + 2.0 * element.lame.mu;
    let rounding = (strain * size.powi(2) + growth * size.powi(3)) * uncertain;
    element.volume * modulus * (rounding + strain.powi(2) + strain.powi(3) + growth.powi(2))
}

fn norm(a: &DMat3) -> f64 {
    a.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt()
}

/// Each particle's share of the energies at it. With C = (l − l0)/l0 and r = l/l0 + 1 the scale of C, that of ½ k C² is
/// k (C² + |C| r); likewise for volumes, whose r is L³/(6V0) + 1, and areas, L²/A0 + 1.
pub fn energy(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(37 + bench.len() as u64);
    let oracle = Oracle::new(bench.case, &bench.case.sim, &bench.case.particles);
    let row = |i: usize| UVec2::new(i as u32, i as u32 % 4);
    let rows: Vec<_> = (0..bench.len()).map(row).collect();
    let shares: Vec<_> = (0..bench.len() + 4 * SLICE as usize)
        .map(|_| random.vector(1.0).as_vec3().truncate())
        .collect();
    let untouched = vec![UNTOUCHED; bench.len() + 1];
    let energies = Buffer::new(bench.context, "energies", &untouched)?;
    let buffers = (
        Buffer::new(bench.context, "fem_rows", &rows)?,
        Buffer::new(bench.context, "fem_shares", &shares)?,
    );
    let others = [
        energies.bind("energies"),
        buffers.0.bind("fem_rows"),
        buffers.1.bind("fem_shares"),
    ];
    bench.write(&bench.case.particles, &bench.case.particles);
    bench.dispatch(kernel, bench.case.sim, bench.len(), &others);
    let got = energies.read(bench.context)?;
    let scales = energy_scales(&oracle);
    for i in 0..bench.len() {
        match bench.case.bodies[oracle.system.body[i]].loaded {
            family::springs::LOADED => {
                let wanted = reference::elastic_share(i, &oracle.system);
                errors.number(got[i], wanted, scales[i]);
            }
            family::fem::LOADED => {
                let own = |e: u32| f64::from(shares[(rows[i].x + e * SLICE) as usize].y);
                let own = || (0..rows[i].y).map(own);
                errors.number(got[i], own().sum(), own().map(f64::abs).sum());
            }
            _ => errors.number(got[i], 0.0, 0.0),
        }
    }
    errors.holds(got[bench.len()] == UNTOUCHED);
    Ok(())
}

fn energy_scales(oracle: &Oracle<'_>) -> Vec<f64> {
    let (system, x) = (&oracle.system, &oracle.system.position);
    let mut scales = vec![0.0; x.len()];
    let mut add = |points: &[usize], stiffness: f64, strain: f64, rounding: f64| {
        let energy = stiffness * (strain * strain + strain.abs() * rounding);
        for i in points {
            scales[*i] += energy / points.len() as f64;
        }
    };
    for (s, spring) in system.springs.iter().enumerate() {
        let ratio = springs::direction(spring, x).1 / spring.rest;
        add(&spring.points, system.distance(s), ratio - 1.0, ratio + 1.0);
    }
    for (t, tet) in system.tets.iter().enumerate() {
        let strain = tets::volume(tet.corners, x) / tet.rest_volume - 1.0;
        let rounding = longest_edge(tet, x).powi(3) / (6.0 * tet.rest_volume) + 1.0;
        add(&tet.corners, system.volume(t), strain, rounding);
    }
    for area in &system.areas {
        let strain = areas::area(area.corners, x) / area.rest - 1.0;
        let rounding = longest_side(&area.corners, x).powi(2) / area.rest + 1.0;
        let stiffness = system.material(area.corners[0]).area;
        add(&area.corners, stiffness, strain, rounding);
    }
    scales
}

/// Random numbers of each particle: mass, energy, value of a field.
fn numbers(bench: &Bench<'_>, random: &mut Random) -> [Vec<f32>; 3] {
    [(0.5, 2.0), (-0.5, 3.0), (-2.0, 1.0)].map(|(low, high)| {
        (0..bench.len())
            .map(|_| random.between(low, high) as f32)
            .collect()
    })
}

/// The sums of each chunk: masses and energies to the sum of their sizes, the moment to that of m |x − origin|, extremes to
/// the bit.
pub fn chunk(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(41 + bench.len() as u64);
    let [masses, energies, values] = numbers(bench, &mut random);
    let chunks = bench.buffers.chunks.read(bench.context)?;
    let chunk_sums = Buffer::<ChunkSums>::zeroed(bench.context, "chunk_sums", chunks.len() + 1)?;
    let buffers = [
        Buffer::new(bench.context, "masses", &masses)?,
        Buffer::new(bench.context, "energies", &energies)?,
        Buffer::new(bench.context, "particle_values", &values)?,
    ];
    let others = [
        bench.buffers.chunks.bind("chunks"),
        chunk_sums.bind("chunk_sums"),
        buffers[0].bind("masses"),
        buffers[1].bind("energies"),
        buffers[2].bind("particle_values"),
    ];
    let sim = Sim {
        chunk_count: chunks.len() as u32,
        ..bench.case.sim
    };
    bench.write(&bench.case.particles, &bench.case.particles);
    bench.dispatch(kernel, sim, chunks.len(), &others);
    let got = chunk_sums.read(bench.context)?;
    errors.holds(got[chunks.len()] == ChunkSums::default());
    let oracle = Oracle::new(bench.case, &sim, &bench.case.particles);
    let exact: Vec<_> = masses.iter().map(|m| f64::from(*m)).collect();
    for (chunk, got) in chunks.iter().zip(&got) {
        let points: Vec<_> = (chunk.first as usize..chunk.end as usize).collect();
        let wanted = reference::sums(&points, &exact, &oracle.system);
        let origin = bench.case.particles[points[0]].position;
        errors.holds(got.origin == origin);
        let origin = origin.as_dvec3();
        let moment = |i: &usize| exact[*i] * oracle.system.position[*i].distance(origin);
        errors.number(got.mass, wanted.mass, wanted.mass);
        let about = wanted.moment - wanted.mass * origin;
        errors.vector(got.moment, about, points.iter().map(moment).sum());
        errors.number(got.kinetic, wanted.kinetic, wanted.kinetic);
        let momentum = |i: &usize| exact[*i] * oracle.system.velocity[*i].length();
        errors.vector(
            got.momentum,
            wanted.momentum,
            points.iter().map(momentum).sum(),
        );
        errors.number(got.speed, wanted.speed, wanted.speed);
        let bounds = wanted.bounds.map(|x| x.as_vec3());
        errors.holds([got.low, got.high] == bounds);
        let own = |of: &[f32]| points.iter().map(|i| of[*i]).collect::<Vec<_>>();
        let energy = own(&energies);
        let sum = energy.iter().map(|e| f64::from(*e)).sum();
        let size = energy.iter().map(|e| f64::from(e.abs())).sum();
        errors.number(got.elastic, sum, size);
        let values = own(&values);
        errors.holds(got.least == values.iter().copied().fold(f32::INFINITY, extreme::least));
        errors.holds(
            got.greatest
                == values
                    .iter()
                    .copied()
                    .fold(f32::NEG_INFINITY, extreme::greatest),
        );
    }
    Ok(())
}

/// The sums of ranges of chunks; scales likewise, of the moment with m |origin − first origin|.
pub fn block(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    errors.case();
    let mut random = Random::new(43 + bench.len() as u64);
    let chunk = |random: &mut Random| {
        let mut vector = || random.vector(2.0).as_vec3();
        let (origin, moment, low, high) = (vector(), vector(), vector(), vector());
        let momentum = vector();
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
    };
    let all: Vec<_> = (0..bench.len()).map(|_| chunk(&mut random)).collect();
    let mut blocks = Vec::new();
    let mut first = 0;
    while first < all.len() {
        let end = (first + 1 + random.index(0, 70)).min(all.len());
        let (first_word, end_word) = (first as u32, end as u32);
        blocks.push(Chunk {
            first: first_word,
            end: end_word,
        });
        first = end;
    }
    let totals = Buffer::<ChunkSums>::zeroed(bench.context, "totals", blocks.len() + 1)?;
    let buffers = (
        Buffer::new(bench.context, "chunk_sums", &all)?,
        Buffer::new(bench.context, "sum_blocks", &blocks)?,
    );
    let others = [
        buffers.0.bind("chunk_sums"),
        buffers.1.bind("sum_blocks"),
        totals.bind("totals"),
    ];
    let sim = Sim {
        chunk_count: blocks.len() as u32,
        ..bench.case.sim
    };
    bench.dispatch(kernel, sim, blocks.len(), &others);
    let got = totals.read(bench.context)?;
    errors.holds(got[blocks.len()] == ChunkSums::default());
    for (block, got) in blocks.iter().zip(&got) {
        let own = &all[block.first as usize..block.end as usize];
        let sum = |part: fn(&ChunkSums) -> f32| own.iter().map(|c| f64::from(part(c))).sum::<f64>();
        let size =
            |part: fn(&ChunkSums) -> f32| own.iter().map(|c| f64::from(part(c).abs())).sum::<f64>();
        let parts: [fn(&ChunkSums) -> f32; 3] = [|c| c.mass, |c| c.kinetic, |c| c.elastic];
        for part in parts {
            errors.number(part(got), sum(part), size(part));
        }
        let origin = own[0].origin.as_dvec3();
        let away = |c: &ChunkSums| f64::from(c.mass) * (c.origin.as_dvec3() - origin);
        let moment = own.iter().map(|c| c.moment.as_dvec3() + away(c)).sum();
        let scale = own
            .iter()
            .map(|c| c.moment.as_dvec3().length() + away(c).length());
        errors.vector(got.moment, moment, scale.sum());
        let momentum = || own.iter().map(|c| c.momentum.as_dvec3());
        errors.vector(
            got.momentum,
            momentum().sum(),
            momentum().map(|p| p.length()).sum(),
        );
        let least = own.iter().map(|c| c.low).reduce(|a, b| a.min(b));
        let greatest = own.iter().map(|c| c.high).reduce(|a, b| a.max(b));
        errors.holds((Some(got.low), Some(got.high)) == (least, greatest));
        let most =
            |part: fn(&ChunkSums) -> f32| own.iter().map(part).fold(f32::MIN, extreme::greatest);
        errors.holds((got.speed, got.greatest) == (most(|c| c.speed), most(|c| c.greatest)));
        errors.holds(-got.least == most(|c| -c.least) && got.origin == own[0].origin);
    }
    Ok(())
}
