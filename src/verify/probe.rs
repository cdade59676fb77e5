//! The kernels of the power iteration, one by one and as a whole.

use glam::{DVec3, Vec3, Vec4};

use super::bench::Bench;
use super::case::{Case, Random};
use super::errors::ErrorStats;
use super::oracle::{Oracle, longest_edge, longest_side};
use crate::Result;
use crate::body::stiffness::{Counts, StiffnessProbe};
use crate::family;
use crate::gpu::types::{Body, Chunk, PROBE_DAMPING, PROBE_MARGIN, PROBE_STIFFNESS, Particle, Sim};
use crate::gpu::{Buffer, Kernel, Recorder};
use crate::model::State;
use crate::reference::force::damping_forces;
use crate::reference::spectrum::{damping_spectrum, stiffness_product, stiffness_spectrum};
use crate::reference::springs;

pub const CHECKS: super::Checks = &[
    ("probe_start", super::Check::Case(start)),
    ("probe_apply", super::Check::Case(apply)),
    ("probe_sum", super::Check::Case(sum)),
    ("probe_body", super::Check::Case(body)),
];

/// Worlds up to this size have their spectra computed from dense matrices.
const DENSE: usize = 65;

fn vectors(bench: &Bench<'_>, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(seed);
    let free = |p: &Particle| f32::from(u8::from(p.inverse_mass > 0.0));
    bench
        .case
        .particles
        .iter()
        .map(|p| random.vector(1.0).as_vec3() * free(p))
        .collect()
}

fn extended(vectors: &[Vec3]) -> Vec<Vec4> {
    vectors.iter().map(|w| w.extend(0.0)).collect()
}

/// Hashed numbers in [−1, 1) of the PCG permutation RXS-M-XS (O'Neill 2014), 0 where the particle is held.
pub fn start(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let out = Buffer::new(bench.context, "probe_out", &extended(&vectors(bench, 21)))?;
    bench.write(inputs, inputs);
    bench.dispatch(
        kernel,
        bench.case.sim,
        bench.len(),
        &[out.bind("probe_out")],
    );
    errors.case();
    for (i, got) in out.read(bench.context)?.iter().enumerate() {
        let number = |axis: u32| match inputs[i].inverse_mass {
            0.0 => 0.0,
            _ => f64::from(permuted(3 * i as u32 + axis) >> 8) / f64::from(1 << 23) - 1.0,
        };
        errors.vector(
            got.truncate(),
            DVec3::new(number(0), number(1), number(2)),
            1.0,
        );
        errors.holds(got.w == 0.0);
    }
    Ok(())
}

fn permuted(seed: u32) -> u32 {
    let state = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// M⁻¹K w and M⁻¹C w, times the body's factor.
pub fn apply(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let w = vectors(bench, 22);
    let exact = super::oracle::exact(w.iter().copied());
    for probe in [PROBE_STIFFNESS, PROBE_DAMPING] {
        let sim = Sim {
            probe,
            ..bench.case.sim
        };
        let oracle = Oracle::new(bench.case, &sim, inputs);
        let (system, x) = (&oracle.system, &oracle.system.position);
        let whole = vec![1.0; system.springs.len()];
        let (wanted, scale): (Vec<_>, _) = if probe == PROBE_STIFFNESS {
            (
                stiffness_product(system, x, &exact),
                stiffness_scale(&oracle, &exact),
            )
        } else {
            let force = damping_forces(system, x, &exact, &whole);
            (
                force.iter().map(|f| -*f).collect(),
                oracle.damping_scale(x, &exact, &whole),
            )
        };
        let loaded = |i: usize| bench.case.bodies[system.body[i]].loaded != family::springs::LOADED;
        let probe_in = Buffer::new(bench.context, "probe_in", &extended(&w))?;
        let probe_out = Buffer::zeroed(bench.context, "probe_out", w.len())?;
        bench.write(inputs, inputs);
        bench.dispatch(
            kernel,
            sim,
            bench.len(),
            &[
                probe_in.bind("probe_in"),
                Buffer::<Vec4>::bind(&probe_out, "probe_out"),
            ],
        );
        errors.case();
        for (i, got) in probe_out.read(bench.context)?.iter().enumerate() {
            let factor = f64::from(bench.case.bodies[system.body[i]].probe_scale);
            let mass = system.inverse_mass[i];
            let (wanted, scale) = match loaded(i) {
                true => (-system.loads[i], system.loads[i].length()),
                false => (mass * wanted[i], mass * scale[i]),
            };
            errors.vector(got.truncate(), factor * wanted, factor * scale);
        }
    }
    Ok(())
}

/// Scale of K w [N]: of a spring k/l0² (1 + |1 − l0/l|) |w_j − w_i|, of a tetrahedron with longest edge L and largest
/// difference of w the two terms of its derivative.
fn stiffness_scale(oracle: &Oracle<'_>, w: &[DVec3]) -> Vec<f64> {
    let (system, x) = (&oracle.system, &oracle.system.position);
    let mut scale = vec![0.0; w.len()];
    for (s, spring) in system.springs.iter().enumerate() {
        let [i, j] = spring.points;
        let (_, length) = springs::direction(spring, x);
        let across = if length > 0.0 {
            1.0 + spring.rest / length
        } else {
            0.0
        };
        let stiffness = system.distance(s) / spring.rest.powi(2);
        for point in [i, j] {
            scale[point] += stiffness * (1.0 + across) * w[i].distance(w[j]);
        }
    }
    for (t, tet) in system.tets.iter().enumerate() {
        let (edge, inverse_rest) = (longest_edge(tet, x), 1.0 / (6.0 * tet.rest_volume));
        let apart = longest_edge(tet, w);
        let (area, area_change) = (edge.powi(2), 2.0 * edge * apart);
        let value = edge.powi(3) * inverse_rest + 1.0;
        let value_change = (apart * area + edge * area_change) * inverse_rest;
        let force = system.volume(t) * inverse_rest;
        for i in tet.corners {
            scale[i] += force * (value_change * area + value * area_change);
        }
    }
    for area in &system.areas {
        let (edge, apart) = (
            longest_side(&area.corners, x),
            longest_side(&area.corners, w),
        );
        let [a, b, c] = area.corners.map(|i| x[i]);
        let flatness = edge.powi(2) / (b - a).cross(c - a).length();
        let change = edge * apart / area.rest;
        let value = edge.powi(2) / area.rest + 1.0;
        let force = system.material(area.corners[0]).area / area.rest;
        for i in area.corners {
            scale[i] += force * (change * edge + value * apart * (1.0 + 2.0 * flatness));
        }
    }
    scale
}

/// Σ m |A w|² of arbitrary ranges of particles. All terms are positive: a sum of n is as exact as √n roundings.
pub fn sum(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let mut random = Random::new(23);
    let count = bench.len();
    let chunk = |_| {
        let first = random.index(0, count);
        Chunk {
            first: first as u32,
            end: (first + random.index(0, 257)).min(count) as u32,
        }
    };
    let ranges: Vec<_> = (0..count).map(chunk).collect();
    let w = vectors(bench, 24);
    let out = Buffer::new(bench.context, "probe_out", &extended(&w))?;
    let chunks = Buffer::new(bench.context, "chunks", &ranges)?;
    let partials = Buffer::<f32>::zeroed(bench.context, "partials", count)?;
    let others = [
        out.bind("probe_out"),
        chunks.bind("chunks"),
        partials.bind("partials"),
    ];
    bench.write(inputs, inputs);
    bench.dispatch(
        kernel,
        Sim {
            chunk_count: count as u32,
            ..bench.case.sim
        },
        count,
        &others,
    );
    errors.case();
    for (got, range) in partials.read(bench.context)?.into_iter().zip(ranges) {
        let square = |i: u32| match inputs[i as usize].inverse_mass {
            0.0 => 0.0,
            inverse_mass => w[i as usize].as_dvec3().length_squared() / f64::from(inverse_mass),
        };
        let wanted: f64 = (range.first..range.end).map(square).sum();
        errors.number(got, wanted, wanted);
    }
    Ok(())
}

/// The norm from the sums, as estimate and inverse as factor, which is 1 where there is none; then the whole iteration.
pub fn body(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    let mut random = Random::new(25);
    let sums: Vec<f32> = (0..3 * count)
        .map(|_| random.between(0.0, 50.0) as f32)
        .collect();
    let before: Vec<_> = (0..count)
        .map(|i| Body {
            chunk_first: 3 * i as u32,
            chunk_count: (i % 4) as u32,
            stiffness_rate: 7.0,
            ..Body::default()
        })
        .collect();
    for probe in [PROBE_STIFFNESS, PROBE_DAMPING] {
        let bodies = Buffer::new(bench.context, "bodies", &before)?;
        let partials = Buffer::new(bench.context, "partials", &sums)?;
        let status = Buffer::<u32>::zeroed(bench.context, "status", 1 + count)?;
        let others = [
            bodies.bind("bodies"),
            partials.bind("partials"),
            status.bind("status"),
        ];
        let sim = Sim {
            probe,
            body_count: count as u32,
            ..bench.case.sim
        };
        bench.dispatch(kernel, sim, count, &others);
        let words = status.read(bench.context)?;
        errors.case();
        errors.holds(words[0] == 0);
        for (i, got) in bodies.read(bench.context)?.into_iter().enumerate() {
            let partial = &sums[3 * i..3 * i + before[i].chunk_count as usize];
            let norm = partial
                .iter()
                .map(|sum| f64::from(*sum))
                .sum::<f64>()
                .sqrt();
            errors.number(f32::from_bits(words[1 + i]), norm, norm);
            let inverse = if norm > 0.0 { 1.0 / norm } else { 1.0 };
            errors.number(got.probe_scale, inverse, inverse);
            let rate = if probe == PROBE_STIFFNESS {
                f64::from(PROBE_MARGIN).powi(2) * norm
            } else {
                7.0
            };
            errors.number(got.stiffness_rate, rate, rate);
            let (probe_scale, stiffness_rate) = (got.probe_scale, got.stiffness_rate);
            errors.holds(
                got == Body {
                    probe_scale,
                    stiffness_rate,
                    ..before[i]
                },
            );
        }
    }
    if (1..=DENSE).contains(&count) {
        estimates(bench, errors)
    } else {
        Ok(())
    }
}

/// The engine's estimates of the largest eigenvalues at rest: at most 5 % below the true ones, and never above.
fn estimates(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let context = bench.context;
    let case = Case::relaxed(bench.len(), 26 + bench.len() as u64, bench.case.content);
    let bench = Bench::new(context, &case)?;
    let state = State::new(context, &case.model)?;
    state.present().write(context, 0, &case.particles);
    let partials = Buffer::zeroed(context, "partials", bench.buffers.chunks.len())?;
    let counts = Counts {
        chunks: bench.buffers.chunks.len(),
        bodies: case.bodies.len(),
    };
    let probe = StiffnessProbe::new(&bench.arrays(&state), &partials);
    let sim = Sim {
        chunk_count: counts.chunks as u32,
        ..case.sim
    };
    let system = Oracle::new(&case, &sim, &case.particles).system;
    for slot in [0, 1] {
        bench.set(&StiffnessProbe::fill(sim));
        let mut recorder = Recorder::new(context);
        probe.estimate(&mut recorder, &state, &counts, slot);
        recorder.submit();
        let words = bench.status.read(context)?;
        errors.case();
        for body in 0..counts.bodies {
            let spectrum = if slot == 0 {
                damping_spectrum
            } else {
                stiffness_spectrum
            };
            let largest = spectrum(&system, &system.position, body)
                .last()
                .copied()
                .unwrap_or(0.0);
            let estimate = f64::from(f32::from_bits(words[1 + body]));
            errors
                .holds((0.95 * largest..=1.0001 * largest + f64::MIN_POSITIVE).contains(&estimate));
        }
    }
    Ok(())
}
