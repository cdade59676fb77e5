//! The kernels of the power iteration, one by one and as a whole.

use glam::{DVec3, Vec4};

use super::oracle::longest_edge;
use super::states::field;
use super::trial::Arrays;
use super::{Bench, Case, ErrorStats, Oracle, Random};
use crate::Result;
use crate::body::stiffness::{Counts, StiffnessProbe};
use crate::family;
use crate::gpu::types::{
    Body, PROBE_DAMPING, PROBE_MARGIN, PROBE_STIFFNESS, STATUS_RATES, Sim, WORKGROUP,
};
use crate::gpu::{Buffer, Recorder, Telemetry};
use crate::model::State;
use crate::reference::force::damping_forces;
use crate::reference::spectrum::{damping_spectrum, stiffness_product, stiffness_spectrum};
use crate::reference::springs;

pub const CHECKS: super::Checks = &[
    ("probe_start", super::Check::Trial(start)),
    ("probe_apply", super::Check::Trial(apply)),
    ("probe_sum", super::Check::Trial(sum)),
    ("probe_body", super::Check::Trial(body)),
];

/// Worlds up to this size have their spectra computed from dense matrices.
const DENSE: usize = 65;

/// Hashed numbers in [−1, 1) of the PCG permutation RXS-M-XS (O'Neill 2014), 0 where the particle is held.
fn start(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let before = field(bench, 21);
    let after = bench.run_each(&[("probe_out", &before)])?;
    for (i, got) in (0_u32..).zip(after.get::<Vec4>("probe_out")) {
        let number = |axis: u32| match bench.case.particles[i as usize].inverse_mass {
            0.0 => 0.0,
            _ => f64::from(permuted(3 * i + axis) >> 8) / f64::from(1 << 23) - 1.0,
        };
        let wanted = DVec3::new(number(0), number(1), number(2));
        errors.vector(got.truncate(), wanted, 1.0);
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
fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let w = field(bench, 22);
    let exact: Vec<_> = w.iter().map(|w| w.truncate().as_dvec3()).collect();
    for probe in [PROBE_STIFFNESS, PROBE_DAMPING] {
        let sim = Sim { probe, ..bench.case.sim };
        let oracle = bench.oracle_of(&sim);
        let (system, x) = (&oracle.system, &oracle.system.position);
        let whole = vec![1.0; system.springs.len()];
        let (wanted, scale): (Vec<_>, _) = if probe == PROBE_STIFFNESS {
            let scale = stiffness_scale(&oracle, &exact);
            (stiffness_product(system, x, &exact), scale)
        } else {
            let force = damping_forces(system, x, &exact, &whole);
            let scale = oracle.damping_scale(x, &exact, &whole);
            (force.iter().map(|f| -*f).collect(), scale)
        };
        let arrays: &Arrays<'_> = &[("probe_in", &w), ("probe_out", &vec![Vec4::ZERO; w.len()])];
        let after = bench.run(sim, bench.len(), arrays)?;
        for (i, got) in after.get::<Vec4>("probe_out").iter().enumerate() {
            let body = &bench.case.bodies[system.body[i]];
            let factor = f64::from(body.probe_scale);
            let mass = system.inverse_mass[i];
            let (wanted, scale) = match body.loaded == family::springs::LOADED {
                false => (-system.loads[i], system.loads[i].length()),
                true => (mass * wanted[i], mass * scale[i]),
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
    for spring in &system.springs {
        let [i, j] = spring.points;
        let (_, length) = springs::direction(spring, x);
        let across = if length > 0.0 { 1.0 + spring.rest / length } else { 0.0 };
        let stiffness = spring.stiffness / spring.rest.powi(2);
        for point in [i, j] {
            scale[point] += stiffness * (1.0 + across) * w[i].distance(w[j]);
        }
    }
    for tet in &system.tets {
        let (edge, inverse_rest) = (longest_edge(&tet.corners, x), 1.0 / (6.0 * tet.rest_volume));
        let apart = longest_edge(&tet.corners, w);
        let (area, area_change) = (edge.powi(2), 2.0 * edge * apart);
        let value = edge.powi(3) * inverse_rest + 1.0;
        let value_change = (apart * area + edge * area_change) * inverse_rest;
        let force = tet.stiffness * inverse_rest;
        for i in tet.corners {
            scale[i] += force * (value_change * area + value * area_change);
        }
    }
    for area in &system.areas {
        let (edge, apart) = (longest_edge(&area.corners, x), longest_edge(&area.corners, w));
        let [a, b, c] = area.corners.map(|i| x[i]);
        let flatness = edge.powi(2) / (b - a).cross(c - a).length();
        let change = edge * apart / area.rest;
        let value = edge.powi(2) / area.rest + 1.0;
        let force = area.stiffness / area.rest;
        for i in area.corners {
            scale[i] += force * (change * edge + value * apart * (1.0 + 2.0 * flatness));
        }
    }
    scale
}

/// Σ m |A w|² of arbitrary ranges of particles. All terms are positive: a sum of n is as exact as √n roundings.
fn sum(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    let mut random = Random::new(23);
    let ranges: Vec<_> = (0..count).map(|_| random.range(count, 257)).collect();
    let w = field(bench, 24);
    let arrays: &Arrays<'_> =
        &[("probe_out", &w), ("chunks", &ranges), ("partials", &vec![0.0_f32; count])];
    let sim = Sim { chunk_count: count as u32, ..bench.case.sim };
    let after = bench.run(sim, count * WORKGROUP as usize, arrays)?;
    for (got, range) in after.get::<f32>("partials").into_iter().zip(ranges) {
        let square = |i: usize| match bench.case.particles[i].inverse_mass {
            0.0 => 0.0,
            inverse_mass => w[i].as_dvec4().length_squared() / f64::from(inverse_mass),
        };
        let wanted: f64 = (range.first as usize..range.end as usize).map(square).sum();
        errors.number(got, wanted, wanted);
    }
    Ok(())
}

/// The norm from the sums, as estimate and inverse as factor, which is 1 where there is none; then the whole iteration.
fn body(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    let sums = Random::new(25).numbers(3 * count, 0.0, 50.0);
    let body = |i: usize| Body {
        chunk_first: 3 * i as u32,
        // Of the first bodies some have more than a workgroup's threads, one all that there are.
        chunk_count: match i {
            0..6 => [usize::MAX, 63, 64, 65, 255, 257][i].min(3 * (count - i)) as u32,
            _ => (i % 4) as u32,
        },
        stiffness_rate: 7.0,
        ..Body::default()
    };
    let before: Vec<_> = (0..count).map(body).collect();
    for probe in [PROBE_STIFFNESS, PROBE_DAMPING] {
        let arrays: &Arrays<'_> = &[
            ("bodies", &before),
            ("partials", &sums),
            ("status", &vec![0_u32; STATUS_RATES as usize + count]),
        ];
        let sim = Sim { probe, body_count: count as u32, ..bench.case.sim };
        let after = bench.run(sim, count * WORKGROUP as usize, arrays)?;
        let words: Vec<u32> = after.get("status");
        let (others, rates) = words.split_at(STATUS_RATES as usize);
        errors.words(others, &[0; STATUS_RATES as usize]);
        for (i, got) in after.get::<Body>("bodies").iter().enumerate() {
            let own = &sums[3 * i..][..before[i].chunk_count as usize];
            let norm = own.iter().map(|sum| f64::from(*sum)).sum::<f64>().sqrt();
            errors.number(f32::from_bits(rates[i]), norm, norm);
            let inverse = if norm > 0.0 { 1.0 / norm } else { 1.0 };
            errors.number(got.probe_scale, inverse, inverse);
            let rate = match probe {
                PROBE_STIFFNESS => f64::from(PROBE_MARGIN).powi(2) * norm,
                _ => 7.0,
            };
            errors.number(got.stiffness_rate, rate, rate);
            errors.kept(got, &before[i], |body, got| {
                body.probe_scale = got.probe_scale;
                body.stiffness_rate = got.stiffness_rate;
            });
        }
    }
    match count {
        1..=DENSE => estimates(bench, errors),
        _ => Ok(()),
    }
}

/// The engine's estimates of the largest eigenvalues at rest: at most 5 % below the true ones, and never above.
fn estimates(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let context = bench.context;
    let case = Case::relaxed(bench.len(), 26 + bench.len() as u64, bench.case.content);
    let bench = Bench::new(context, &case)?;
    let state = State::new(context, &case.model, false)?;
    state.present().write(context, 0, &case.particles);
    let arrays = bench.arrays(&state);
    let counts = Counts { chunks: arrays.model.chunks.len(), bodies: case.bodies.len() };
    let partials = Buffer::zeroed(context, "partials", counts.chunks)?;
    let probe = StiffnessProbe::new(&arrays, &partials);
    let sim = Sim { chunk_count: counts.chunks as u32, ..case.sim };
    let system = bench.oracle().system;
    for (slot, spectrum) in [(0, damping_spectrum as fn(&_, &_, _) -> _), (1, stiffness_spectrum)] {
        bench.set(&StiffnessProbe::fill(sim));
        let mut recorder = Recorder::new(context);
        probe.estimate(&mut recorder, &state, &counts, slot);
        recorder.submit();
        let told = Telemetry::new(arrays.status.read(context)?, counts.bodies);
        for (body, estimate) in told.rates().enumerate() {
            let largest = spectrum(&system, &system.position, body);
            let largest: f64 = largest.last().copied().unwrap_or(0.0);
            errors
                .holds((0.95 * largest..=1.0001 * largest + f64::MIN_POSITIVE).contains(&estimate));
        }
    }
    Ok(())
}
