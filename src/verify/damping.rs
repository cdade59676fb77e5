//! The kernels of exact damping: σ, single sweeps with arbitrary fields, and whole chains of sweeps.

use crate::extreme;
use glam::{DVec3, Vec4};

use super::oracle::exact;
use super::states::field;
use super::trial::{Arrays, Written};
use super::{Bench, Check, Checks, ErrorStats, Oracle, Random, Scaled};
use crate::Result;
use crate::body::damping::DampingSweeps;
use crate::family;
use crate::gpu::Recorder;
use crate::gpu::types::{Body, DAMPING_EXACT, Particle, Sim};
use crate::model::State;
use crate::reference::damping as reference;

pub const CHECKS: Checks = &[
    ("damping_rate", Check::Trial(rate)),
    ("damping_first", Check::Trial(first)),
    ("damping_sweep", Check::Trial(sweep)),
    ("damping_end", Check::Trial(end)),
];

/// Gathers of the single sweeps.
const GATHERS: u32 = 3;
/// Gathers of the chains.
const CHAINS: [u32; 3] = [2, 3, 6];

/// σ at the present positions, the rest untouched.
fn rate(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let oracle = bench.oracle();
    let wanted = oracle.present_rates(&oracle.system.position);
    let after = bench.run_each(&[])?;
    for (i, got) in after.particles().iter().enumerate() {
        errors.number(got.damping_rate, wanted[i].0, wanted[i].1);
        errors.kept(got, &bench.case.particles[i], |p, got| {
            p.damping_rate = got.damping_rate;
        });
    }
    Ok(())
}

/// The uniform of a sweep; `first`: of the first two.
fn sim(bench: &Bench<'_>, first: bool) -> Sim {
    Sim { damping_stages: GATHERS, first_stage: first.into(), ..bench.case.sim }
}

/// The case with one exactly damped body, the last, made of finite elements where the case may have such: its viscosity
/// stands in `loads`.
struct Loaded {
    bodies: Vec<Body>,
    loads: Vec<Vec4>,
    /// Per particle of that body, 0 where it is held.
    given: Vec<Option<DVec3>>,
}

impl Loaded {
    fn new(bench: &Bench<'_>) -> Self {
        let mut bodies = bench.case.bodies.clone();
        let mut given = vec![None; bench.len()];
        let loads = bench.case.content.loads;
        let exact = |body: &Body| loads && body.damping_mode == DAMPING_EXACT;
        if let Some(chosen) = bodies.iter().rposition(exact) {
            bodies[chosen].loaded = family::fem::LOADED;
            let mut random = Random::new(17);
            for i in bench.case.model.bodies[chosen].particles.clone() {
                let free = bench.case.particles[i].inverse_mass > 0.0;
                let load = random.vector(300.0).as_vec3().as_dvec3();
                given[i] = Some(if free { load } else { DVec3::ZERO });
            }
        }
        let load = |load: &Option<DVec3>| load.unwrap_or(DVec3::NAN).as_vec3().extend(0.0);
        Self { bodies, loads: given.iter().map(load).collect(), given }
    }
}

/// B w; its scale is |w| and the sum of the magnitudes of what the springs add, or the load.
fn iteration(oracle: &Oracle<'_>, w: &[DVec3], loaded: &Loaded) -> Scaled {
    let mut sum = iteration_of_springs(oracle, w);
    let scales = reference::iteration_scales(&oracle.theta, oracle.damping_stages, oracle.h);
    for (i, load) in loaded.given.iter().enumerate() {
        if let Some(load) = load {
            let added = scales[oracle.system.body[i]] * *load;
            sum.value[i] = w[i] + added;
            sum.scale[i] = w[i].length() + added.length();
        }
    }
    sum
}

fn iteration_of_springs(oracle: &Oracle<'_>, w: &[DVec3]) -> Scaled {
    let system = &oracle.system;
    let mut factors = reference::factors(
        system,
        &system.position,
        &oracle.theta,
        oracle.damping_stages,
        oracle.h,
    );
    for (factor, spring) in factors.iter_mut().zip(&system.springs) {
        *factor *= f64::from(u8::from(oracle.swept(spring.points[0])));
    }
    let scales = reference::iteration_scales(&oracle.theta, oracle.damping_stages, oracle.h);
    let added = oracle.damping_scale(&system.position, w, &factors);
    let scale =
        |i: usize| w[i].length() + scales[system.body[i]] * system.inverse_mass[i] * added[i];
    Scaled {
        value: reference::iteration(system, &system.position, &factors, &scales, w),
        scale: (0..w.len()).map(scale).collect(),
    }
}

fn compare(got: &[Vec4], wanted: &Scaled, errors: &mut ErrorStats) {
    errors.vectors(got.iter().map(|w| w.truncate()), wanted);
}

/// P_1 = B v.
fn first(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (sim, loaded) = (sim(bench, true), Loaded::new(bench));
    let oracle = bench.oracle_of(&sim);
    let arrays: &Arrays<'_> =
        &[("bodies", &loaded.bodies), ("loads", &loaded.loads), ("sweep_out", &field(bench, 11))];
    let after = bench.run(sim, bench.len(), arrays)?;
    let wanted = iteration(&oracle, &oracle.system.velocity, &loaded);
    compare(&after.get("sweep_out"), &wanted, errors);
    Ok(())
}

/// One sweep from random fields.
struct Sweep<'a> {
    oracle: Oracle<'a>,
    loaded: Loaded,
    after: Written,
    /// P_(k+1)
    wanted: Scaled,
}

impl<'a> Sweep<'a> {
    /// Runs the kernel with P_k and P_(k−1) of these seeds; P_(k−1) is v where it is the second sweep.
    fn run(bench: &Bench<'a>, seeds: [u64; 2], from_start: bool) -> Result<Self> {
        let (sim, loaded) = (sim(bench, from_start), Loaded::new(bench));
        let oracle = bench.oracle_of(&sim);
        let [present, before] = seeds.map(|seed| field(bench, seed));
        let arrays: &Arrays<'_> = &[
            ("bodies", &loaded.bodies),
            ("loads", &loaded.loads),
            ("sweep_in", &present),
            ("sweep_out", &before),
        ];
        let after = bench.run(sim, bench.len(), arrays)?;
        let present = exact(present.iter().map(|w| w.truncate()));
        let product = iteration(&oracle, &present, &loaded);
        let before = match from_start {
            true => oracle.system.velocity.clone(),
            false => exact(before.iter().map(|w| w.truncate())),
        };
        Ok(Self {
            wanted: product.plus(1.0, &product).plus(-1.0, &Scaled::exact(before)),
            oracle,
            loaded,
            after,
        })
    }
}

/// P_(k+1) = 2 B P_k − P_(k−1), and from the start 2 B P_1 − v.
fn sweep(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for from_start in [true, false] {
        let sweep = Sweep::run(bench, [12, 13], from_start)?;
        compare(&sweep.after.get("sweep_out"), &sweep.wanted, errors);
    }
    Ok(())
}

/// v − θ/2 (v − P_s) with P_s = 2 B P_(s−1) − P_(s−2), and present σ, where sweeps are at work; then whole chains.
fn end(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    for from_start in [true, false] {
        let sweep = Sweep::run(bench, [14, 15], from_start)?;
        let (oracle, wanted) = (&sweep.oracle, &sweep.wanted);
        let rates = oracle.present_rates(&oracle.system.position);
        for (i, got) in sweep.after.particles().iter().enumerate() {
            if !oracle.swept(i) || oracle.system.pinned(i) {
                errors.holds(*got == inputs[i]);
                continue;
            }
            let v = oracle.system.velocity[i];
            let half = 0.5 * oracle.theta[oracle.system.body[i]];
            let scale = v.length() + half * (v.length() + wanted.scale[i]);
            errors.vector(got.velocity, v - half * (v - wanted.value[i]), scale);
            let (rate, scale) = sweep.loaded.given[i].map_or(rates[i], |_| (0.0, 0.0));
            errors.number(got.damping_rate, rate, scale);
            errors.kept(got, &inputs[i], |p, got| {
                (p.velocity, p.damping_rate) = (got.velocity, got.damping_rate);
            });
        }
    }
    CHAINS.into_iter().try_for_each(|damping_stages| chain(bench, damping_stages, errors))
}

/// The engine's own sequence of sweeps with true σ, compared with the polynomial. An error of one sweep grows like
/// s in those that follow; scale: s times the largest speed of the body.
fn chain(bench: &Bench<'_>, damping_stages: u32, errors: &mut ErrorStats) -> Result<()> {
    let common = Sim { damping_stages, ..bench.case.sim };
    let rates = bench.oracle_of(&common);
    let rates = reference::rate_bounds(&rates.system, &rates.system.position);
    let renewed = |(p, rate): (&Particle, f64)| Particle { damping_rate: rate as f32, ..*p };
    let inputs: Vec<_> = (bench.case.particles.iter().zip(rates)).map(renewed).collect();
    let oracle = Oracle::new(bench.case, &common, &inputs);
    let system = &oracle.system;
    let (x, v) = (&system.position, &system.velocity);
    let change =
        reference::polynomial_change(system, x, v, &oracle.theta, damping_stages, oracle.h);

    let mut state = State::new(bench.context, &bench.case.model, false)?;
    state.present().write(bench.context, 0, &inputs);
    let sweeps = DampingSweeps::new(&bench.arrays(&state), damping_stages)?;
    bench.set(&DampingSweeps::fill(common));
    let mut recorder = Recorder::new(bench.context);
    sweeps.sweep(&mut recorder, &mut state, 0);
    recorder.submit();
    for (i, got) in state.present().read(bench.context)?.iter().enumerate() {
        if oracle.swept(i) && !system.pinned(i) {
            let body = bench.case.model.bodies[system.body[i]].particles.clone();
            let fastest = system.velocity[body].iter().map(|v| v.length());
            let fastest = fastest.fold(0.0, extreme::greatest);
            errors.vector(got.velocity, v[i] + change[i], f64::from(damping_stages) * fastest);
        } else {
            errors.holds(*got == inputs[i]);
        }
    }
    Ok(())
}
