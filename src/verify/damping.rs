//! The kernels of exact damping: σ, single sweeps with arbitrary fields, and whole chains of sweeps.

use crate::extreme;
use glam::{DVec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::oracle::{Oracle, Scaled, exact};
use super::tally::Tally;
use crate::Result;
use crate::body::damping::DampingSweeps;
use crate::gpu::types::{Body, DAMPING_EXACT, KIND_FEM, Particle, Sim};
use crate::gpu::{Binding, Buffer, Kernel, Recorder};
use crate::model::State;
use crate::reference::damping as reference;

/// Gathers of the single sweeps.
const GATHERS: u32 = 3;
/// Gathers of the chains.
const CHAINS: [u32; 3] = [2, 3, 6];

/// σ at the present positions, the rest untouched.
pub fn rate(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    bench.write(inputs, inputs);
    bench.run(kernel, sim, bench.len(), &[]);
    tally.case();
    let wanted = oracle.present_rates(&oracle.system.position);
    for (i, got) in bench.written()?.iter().enumerate() {
        tally.number(got.damping_rate, wanted[i].0, wanted[i].1);
        tally.holds(
            *got == Particle {
                damping_rate: got.damping_rate,
                ..inputs[i]
            },
        );
    }
    Ok(())
}

/// The uniform of a sweep; `first`: of the first two.
fn sim(bench: &Bench<'_>, first: bool) -> Sim {
    Sim {
        damping_gathers: GATHERS,
        first_stage: first.into(),
        ..bench.case.sim
    }
}

/// The case with one exactly damped body, the last, made of finite elements where the case may have such: its viscosity
/// stands in `loads`.
struct Loaded {
    bodies: Buffer<Body>,
    loads: Buffer<Vec4>,
    /// Per particle of that body, 0 where it is held.
    given: Vec<Option<DVec3>>,
}

impl Loaded {
    fn new(bench: &Bench<'_>) -> Result<Self> {
        let mut bodies = bench.case.bodies.clone();
        let mut given = vec![None; bench.len()];
        let loads = bench.case.content.loads;
        let exact = |body: &Body| loads && body.damping_mode == DAMPING_EXACT;
        if let Some(chosen) = bodies.iter().rposition(exact) {
            bodies[chosen].kind = KIND_FEM;
            let mut random = Random::new(17);
            for i in bench.case.model.bodies[chosen].particles.clone() {
                let free = bench.case.particles[i].inverse_mass > 0.0;
                let load = random.vector(300.0).as_vec3().as_dvec3();
                given[i] = Some(if free { load } else { DVec3::ZERO });
            }
        }
        let loads: Vec<_> = given
            .iter()
            .map(|load| load.unwrap_or(DVec3::NAN).as_vec3().extend(0.0))
            .collect();
        Ok(Self {
            bodies: Buffer::new(bench.context, "bodies", &bodies)?,
            loads: Buffer::new(bench.context, "loads", &loads)?,
            given,
        })
    }

    fn bindings(&self) -> [Binding<'_>; 2] {
        [self.bodies.bind("bodies"), self.loads.bind("loads")]
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

/// A random field of velocities, 0 where the particle is held.
fn field(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let free = |p: &Particle| f32::from(u8::from(p.inverse_mass > 0.0));
    bench
        .case
        .particles
        .iter()
        .map(|p| random.vector(2.0).as_vec3().extend(0.0) * free(p))
        .collect()
}

fn compare(got: &[Vec4], wanted: &Scaled, tally: &mut Tally) {
    tally.case();
    for (i, got) in got.iter().enumerate() {
        tally.vector(got.truncate(), wanted.value[i], wanted.scale[i]);
    }
}

/// P_1 = B v.
pub fn first(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (sim(bench, true), &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    let fields = Buffer::new(bench.context, "sweep_out", &field(bench, 11))?;
    let loaded = Loaded::new(bench)?;
    let [bodies, loads] = loaded.bindings();
    bench.write(inputs, inputs);
    let others = [bodies, loads, fields.bind("sweep_out")];
    bench.run(kernel, sim, bench.len(), &others);
    compare(
        &fields.read(bench.context)?,
        &iteration(&oracle, &oracle.system.velocity, &loaded),
        tally,
    );
    Ok(())
}

/// One sweep from random fields.
struct Sweep<'a> {
    oracle: Oracle<'a>,
    loaded: Loaded,
    /// What it leaves in `sweep_out`, if it writes that.
    got: Vec<Vec4>,
    /// P_(k+1)
    wanted: Scaled,
}

impl<'a> Sweep<'a> {
    /// Runs the kernel with P_k and P_(k−1) of these seeds; P_(k−1) is v where it is the second sweep.
    fn run(
        kernel: &Kernel,
        bench: &'a Bench<'_>,
        seeds: [u64; 2],
        from_start: bool,
    ) -> Result<Self> {
        let (sim, inputs) = (sim(bench, from_start), &bench.case.particles);
        let oracle = Oracle::new(bench.case, &sim, inputs);
        let [present, before] = seeds.map(|seed| field(bench, seed));
        let sweep_in = Buffer::new(bench.context, "sweep_in", &present)?;
        let sweep_out = Buffer::new(bench.context, "sweep_out", &before)?;
        let loaded = Loaded::new(bench)?;
        let [bodies, loads] = loaded.bindings();
        bench.write(inputs, inputs);
        let others = [
            bodies,
            loads,
            sweep_in.bind("sweep_in"),
            sweep_out.bind("sweep_out"),
        ];
        bench.run(kernel, sim, bench.len(), &others);
        let present = exact(present.iter().map(|w| w.truncate()));
        let product = iteration(&oracle, &present, &loaded);
        let before = match from_start {
            true => oracle.system.velocity.clone(),
            false => exact(before.iter().map(|w| w.truncate())),
        };
        let wanted = product
            .plus(1.0, &product)
            .plus(-1.0, &Scaled::exact(before));
        Ok(Self {
            oracle,
            got: sweep_out.read(bench.context)?,
            loaded,
            wanted,
        })
    }
}

/// P_(k+1) = 2 B P_k − P_(k−1), and from the start 2 B P_1 − v.
pub fn sweep(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    for from_start in [true, false] {
        let sweep = Sweep::run(kernel, bench, [12, 13], from_start)?;
        compare(&sweep.got, &sweep.wanted, tally);
    }
    Ok(())
}

/// v − θ/2 (v − P_s) with P_s = 2 B P_(s−1) − P_(s−2), and present σ, where sweeps are at work; then whole chains.
pub fn end(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    for from_start in [true, false] {
        let Sweep {
            oracle,
            loaded,
            wanted,
            ..
        } = Sweep::run(kernel, bench, [14, 15], from_start)?;
        let rates = oracle.present_rates(&oracle.system.position);
        tally.case();
        for (i, got) in bench.written()?.iter().enumerate() {
            if !oracle.swept(i) || oracle.system.pinned(i) {
                tally.holds(*got == inputs[i]);
                continue;
            }
            let v = oracle.system.velocity[i];
            let half = 0.5 * oracle.theta[oracle.system.body[i]];
            let scale = v.length() + half * (v.length() + wanted.scale[i]);
            tally.vector(got.velocity, v - half * (v - wanted.value[i]), scale);
            let (rate, scale) = loaded.given[i].map_or(rates[i], |_| (0.0, 0.0));
            tally.number(got.damping_rate, rate, scale);
            tally.holds(
                *got == Particle {
                    velocity: got.velocity,
                    damping_rate: got.damping_rate,
                    ..inputs[i]
                },
            );
        }
    }
    CHAINS
        .into_iter()
        .try_for_each(|damping_stages| chain(bench, damping_stages, tally))
}

/// The engine's own sequence of sweeps with true σ, compared with the polynomial. An error of one sweep grows like
/// s in those that follow; scale: s times the largest speed of the body.
fn chain(bench: &Bench<'_>, damping_stages: u32, tally: &mut Tally) -> Result<()> {
    let common = Sim {
        damping_gathers: damping_stages,
        ..bench.case.sim
    };
    let rates = Oracle::new(bench.case, &common, &bench.case.particles);
    let rates = reference::rate_bounds(&rates.system, &rates.system.position);
    let renewed = |(p, rate): (&Particle, f64)| Particle {
        damping_rate: rate as f32,
        ..*p
    };
    let inputs: Vec<_> = bench
        .case
        .particles
        .iter()
        .zip(rates)
        .map(renewed)
        .collect();
    let oracle = Oracle::new(bench.case, &common, &inputs);
    let system = &oracle.system;
    let (x, v) = (&system.position, &system.velocity);
    let change =
        reference::polynomial_change(system, x, v, &oracle.theta, damping_stages, oracle.h);

    let mut state = State::new(bench.context, &bench.case.model)?;
    state.present().write(bench.context, 0, &inputs);
    let sweeps = DampingSweeps::new(&bench.arrays(&state), damping_stages)?;
    bench.set(&DampingSweeps::fill(common));
    let mut recorder = Recorder::new(bench.context);
    sweeps.sweep(&mut recorder, &mut state, 0);
    recorder.submit();
    tally.case();
    for (i, got) in state.present().read(bench.context)?.iter().enumerate() {
        if oracle.swept(i) && !system.pinned(i) {
            let body = bench.case.model.bodies[system.body[i]].particles.clone();
            let fastest = system.velocity[body]
                .iter()
                .map(|v| v.length())
                .fold(0.0, extreme::greatest);
            tally.vector(
                got.velocity,
                v[i] + change[i],
                f64::from(damping_stages) * fastest,
            );
        } else {
            tally.holds(*got == inputs[i]);
        }
    }
    Ok(())
}
