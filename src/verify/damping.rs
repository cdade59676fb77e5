//! The kernels of exact damping: σ, single sweeps with arbitrary fields, and whole chains of sweeps.

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
use crate::scene::Integrator;

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

/// The polynomials that sweeps build up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    Chebyshev,
    Legendre,
}

const FAMILIES: [Family; 2] = [Family::Chebyshev, Family::Legendre];

impl Family {
    /// p and q of P_(k+1) = p B P_k − q P_(k−1), for k = 2.
    fn recurrence(self) -> (f64, f64) {
        match self {
            Self::Chebyshev => (2.0, 1.0),
            Self::Legendre => (5.0 / 3.0, 2.0 / 3.0),
        }
    }

    /// θ of Legendre's polynomials: 2b = (s² + s − 2)/(s² + s).
    fn theta(s: f64) -> f64 {
        (s * s + s - 2.0) / (s * s + s)
    }

    fn sim(self, bench: &Bench<'_>, first: bool) -> Sim {
        let s = f64::from(GATHERS);
        let (product, before) = self.recurrence();
        let common = Sim {
            damping_gathers: GATHERS,
            first_stage: first.into(),
            sweep_reach: (s * s) as f32,
            sweep_product: product as f32,
            sweep_before: before as f32,
            ..bench.case.sim
        };
        match self {
            Self::Chebyshev => common,
            Self::Legendre => Sim {
                drag: 0.0,
                theta_most: Self::theta(s) as f32,
                theta_scale: Self::theta(s) as f32,
                theta_slope: 0.0,
                sweep_reach: (0.5 * (s * s + s)) as f32,
                ..common
            },
        }
    }

    /// The oracle, and θ of every body in v − θ/2 (v − P_s). Its own θ/h times s² is the highest rate that stays whole: of
    /// Legendre's polynomials (s² + s − 2)/2h, their step being the half that they act for.
    fn oracle<'a>(self, bench: &'a Bench<'_>, sim: &Sim) -> (Oracle<'a>, Vec<f64>) {
        let mut oracle = Oracle::new(bench.case, sim, &bench.case.particles);
        if self == Self::Chebyshev {
            let theta = oracle.theta.clone();
            return (oracle, theta);
        }
        let s = f64::from(GATHERS);
        let bodies = oracle.theta.len();
        oracle.theta = vec![reference::legendre_reach(GATHERS) / (s * s); bodies];
        (oracle, vec![Self::theta(s); bodies])
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
    let scales = reference::iteration_scales(&oracle.theta, oracle.gathers, oracle.h);
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
        oracle.gathers,
        oracle.h,
    );
    for (factor, spring) in factors.iter_mut().zip(&system.springs) {
        *factor *= f64::from(u8::from(oracle.swept(spring.points[0])));
    }
    let scales = reference::iteration_scales(&oracle.theta, oracle.gathers, oracle.h);
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
    FAMILIES
        .iter()
        .try_for_each(|family| first_of(*family, kernel, bench, tally))
}

fn first_of(family: Family, kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (family.sim(bench, true), &bench.case.particles);
    let (oracle, _) = family.oracle(bench, &sim);
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

/// Every family of polynomials, its recurrence going on from P_0 = v and from later ones.
fn starts() -> impl Iterator<Item = (Family, bool)> {
    let both = |family| [(family, true), (family, false)];
    FAMILIES.into_iter().flat_map(both)
}

/// P_(k+1) = p B P_k − q P_(k−1), and from the start p B P_1 − q v.
pub fn sweep(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    for (family, from_start) in starts() {
        let sim = family.sim(bench, from_start);
        let (oracle, _) = family.oracle(bench, &sim);
        let (present, before) = (field(bench, 12), field(bench, 13));
        let sweep_in = Buffer::new(bench.context, "sweep_in", &present)?;
        let sweep_out = Buffer::new(bench.context, "sweep_out", &before)?;
        let loaded = Loaded::new(bench)?;
        let [bodies, loads] = loaded.bindings();
        bench.write(inputs, inputs);
        bench.run(
            kernel,
            sim,
            bench.len(),
            &[
                bodies,
                loads,
                sweep_in.bind("sweep_in"),
                sweep_out.bind("sweep_out"),
            ],
        );
        compare(
            &sweep_out.read(bench.context)?,
            &next(family, &oracle, &present, &before, from_start, &loaded),
            tally,
        );
    }
    Ok(())
}

/// p B P_k − q P_(k−1), P_(k−1) being v in the second sweep.
fn next(
    family: Family,
    oracle: &Oracle<'_>,
    present: &[Vec4],
    before: &[Vec4],
    from_start: bool,
    loaded: &Loaded,
) -> Scaled {
    let present = exact(present.iter().map(|w| w.truncate()));
    let product = iteration(oracle, &present, loaded);
    let before = if from_start {
        oracle.system.velocity.clone()
    } else {
        exact(before.iter().map(|w| w.truncate()))
    };
    let (p, q) = family.recurrence();
    product
        .plus(p - 1.0, &product)
        .plus(-q, &Scaled::exact(before))
}

/// v − θ/2 (v − P_s) with P_s = p B P_(s−1) − q P_(s−2), and present σ, where sweeps are at work; then whole chains.
pub fn end(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    for (family, from_start) in starts() {
        let sim = family.sim(bench, from_start);
        let (oracle, theta) = family.oracle(bench, &sim);
        let (present, before) = (field(bench, 14), field(bench, 15));
        let sweep_in = Buffer::new(bench.context, "sweep_in", &present)?;
        let sweep_out = Buffer::new(bench.context, "sweep_out", &before)?;
        let loaded = Loaded::new(bench)?;
        let [bodies, loads] = loaded.bindings();
        bench.write(inputs, inputs);
        bench.run(
            kernel,
            sim,
            bench.len(),
            &[
                bodies,
                loads,
                sweep_in.bind("sweep_in"),
                sweep_out.bind("sweep_out"),
            ],
        );
        let last = next(family, &oracle, &present, &before, from_start, &loaded);
        let rates = oracle.present_rates(&oracle.system.position);
        tally.case();
        for (i, got) in bench.written()?.iter().enumerate() {
            if !oracle.swept(i) || oracle.system.pinned(i) {
                tally.holds(*got == inputs[i]);
                continue;
            }
            let v = oracle.system.velocity[i];
            let half = 0.5 * theta[oracle.system.body[i]];
            let scale = v.length() + half * (v.length() + last.scale[i]);
            tally.vector(got.velocity, v - half * (v - last.value[i]), scale);
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
    for gathers in CHAINS {
        chain(bench, Integrator::Verlet, gathers, tally)?;
        chain(bench, Integrator::Rk4, gathers, tally)?;
    }
    Ok(())
}

/// The engine's own sequence of sweeps with true σ, compared with the polynomial. An error of one sweep grows like
/// s in those that follow; scale: s times the largest speed of the body.
fn chain(bench: &Bench<'_>, integrator: Integrator, gathers: u32, tally: &mut Tally) -> Result<()> {
    let common = Sim {
        damping_gathers: gathers,
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
    let damped: Vec<_> = if integrator == Integrator::Rk4 {
        reference::half_damped(system, x, v, gathers, oracle.h)
    } else {
        let change = reference::polynomial_change(system, x, v, &oracle.theta, gathers, oracle.h);
        v.iter()
            .zip(change)
            .map(|(v, change)| *v + change)
            .collect()
    };

    let mut state = State::new(bench.context, &bench.case.model)?;
    state.present().write(bench.context, 0, &inputs);
    let sweeps = DampingSweeps::new(&bench.arrays(&state), integrator, gathers)?;
    bench.set(&sweeps.fill(common));
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
                .fold(0.0, f64::max);
            tally.vector(got.velocity, damped[i], f64::from(gathers) * fastest);
        } else {
            tally.holds(*got == inputs[i]);
        }
    }
    Ok(())
}
