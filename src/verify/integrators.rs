//! The integrators' kernels: one evaluation of the forces, the solids, and the faults that the state may have.

use crate::extreme;
use glam::{DVec3, Vec3};

use super::bench::Bench;
use super::case::Random;
use super::faults;
use super::oracle::{Oracle, Scaled, exact};
use super::pushes;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{Particle, Sim};
use crate::gpu::{Buffer, Kernel};
use crate::integrate::doubling;
use crate::reference::doubling as reference;

/// What a pass should leave behind.
struct Wanted {
    position: Scaled,
    velocity: Scaled,
    rates: Vec<(f64, f64)>,
}

impl Wanted {
    fn compare(&self, got: &[Particle], inputs: &[Particle], tally: &mut Tally) {
        tally.case();
        tally.holds(got.len() == self.position.value.len());
        for (i, got) in got.iter().enumerate() {
            tally.vector(got.position, self.position.value[i], self.position.scale[i]);
            tally.vector(got.velocity, self.velocity.value[i], self.velocity.scale[i]);
            tally.number(got.damping_rate, self.rates[i].0, self.rates[i].1);
            tally.holds(got.inverse_mass == inputs[i].inverse_mass);
        }
    }
}

/// Positions and velocities near those of the case, for kernels that read two states; held particles stay.
fn shifted(case: &[Particle], seed: u64) -> Vec<Particle> {
    let mut random = Random::new(seed);
    let shift = |p: &Particle| {
        let (dx, dv) = (random.vector(0.05).as_vec3(), random.vector(0.5).as_vec3());
        match p.inverse_mass {
            0.0 => *p,
            _ => Particle {
                position: p.position + dx,
                velocity: p.velocity + dv,
                ..*p
            },
        }
    };
    case.iter().map(shift).collect()
}

fn velocities(particles: &[Particle]) -> Vec<DVec3> {
    exact(particles.iter().map(|p| p.velocity))
}

fn positions(particles: &[Particle]) -> Vec<DVec3> {
    exact(particles.iter().map(|p| p.position))
}

/// With one gather and, as after the sweeps of exact damping, with several.
fn both_gathers(bench: &Bench<'_>) -> [Sim; 2] {
    [1, 3].map(|damping_gathers| Sim {
        damping_gathers,
        ..bench.case.sim
    })
}

/// x += h v; v += h a(x_old, v_old), pushed at the new x.
pub fn euler(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let start = Scaled::exact(v.clone());
    let position = oracle.advance(x, oracle.h, &start);
    let free = start.plus(oracle.h, &oracle.acceleration(x, v));
    let velocity = oracle.push_at(oracle.h, &position.value, free.clone());
    bench.write(inputs, inputs);
    bench.run(kernel, sim, bench.len(), &[]);
    let wanted = pushes::wanted(&oracle, oracle.h, &position.value, &free, &[]);
    pushes::compare(bench, &oracle, &wanted, tally)?;
    let wanted = Wanted {
        position,
        velocity,
        rates: oracle.rates(x),
    };
    wanted.compare(&bench.written()?, inputs, tally);
    faults::check(kernel, bench, tally)?;
    faults::watch(kernel, bench, true, tally)
}

/// u += h a(x, u), pushed; x += h u.
pub fn verlet(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let undamped = shifted(inputs, 1);
    for sim in both_gathers(bench) {
        let oracle = Oracle::new(bench.case, &sim, inputs);
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let kicked = Scaled::exact(v.clone()).plus(oracle.h, &oracle.acceleration(x, v));
        let velocity = oracle.push(x, kicked.clone());
        let position = oracle.advance(x, oracle.h, &velocity);
        bench.write(inputs, &undamped);
        bench.run(kernel, sim, bench.len(), &[]);
        let wanted = pushes::wanted(&oracle, 0.0, x, &kicked, &[]);
        pushes::compare(bench, &oracle, &wanted, tally)?;
        let wanted = Wanted {
            position,
            velocity,
            rates: oracle.rates(x),
        };
        wanted.compare(&bench.written()?, inputs, tally);
    }
    faults::check(kernel, bench, tally)?;
    faults::watch(kernel, bench, true, tally)
}

/// v(−τ) = v − τ a(x, v), of half a step and of the change to a longer one.
pub fn half_back(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let h = bench.case.sim.step;
    [0.5 * h, -0.25 * h]
        .into_iter()
        .try_for_each(|back| half_back_by(back, kernel, bench, tally))
}

fn half_back_by(back: f32, kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let sim = Sim {
        stage_step: back,
        ..bench.case.sim
    };
    let oracle = Oracle::new(bench.case, &sim, inputs);
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let wanted = Scaled::exact(v.clone()).plus(-f64::from(back), &oracle.acceleration(x, v));
    bench.write(inputs, inputs);
    bench.run(kernel, sim, bench.len(), &[]);
    tally.case();
    for (i, got) in bench
        .state
        .half_velocity
        .read(bench.context)?
        .iter()
        .enumerate()
    {
        tally.vector(got.truncate(), wanted.value[i], wanted.scale[i]);
    }
    Ok(())
}

/// The particles with the velocities of `half_velocity`.
pub fn half_take(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let halves = shifted(inputs, 2);
    let fields: Vec<_> = halves.iter().map(|p| p.velocity.extend(0.0)).collect();
    bench.state.half_velocity.write(bench.context, 0, &fields);
    bench.write(&halves, inputs);
    bench.run(kernel, bench.case.sim, bench.len(), &[]);
    tally.case();
    for (i, got) in bench.written()?.iter().enumerate() {
        let velocity = halves[i].velocity.as_dvec3();
        tally.vector(got.velocity, velocity, velocity.length());
        tally.holds(
            *got == Particle {
                velocity: got.velocity,
                ..inputs[i]
            },
        );
    }
    Ok(())
}

/// v½ += h a(x, v), after sweeps also by what they changed, pushed; x += h v½; v = (3 v½ − v½_old)/2.
pub fn leapfrog(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let (halves, undamped) = (shifted(inputs, 3), shifted(inputs, 4));
    let fields: Vec<_> = halves.iter().map(|p| p.velocity.extend(0.0)).collect();
    for sim in both_gathers(bench).map(|sim| Sim {
        theta_scale: 1.0,
        ..sim
    }) {
        let oracle = Oracle::new(bench.case, &sim, inputs);
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let old = Scaled::exact(velocities(&halves));
        let mut kicked = old.plus(oracle.h, &oracle.acceleration(x, v));
        if sim.damping_gathers > 1 {
            let before = Scaled::exact(velocities(&undamped));
            kicked = kicked
                .plus(1.0, &Scaled::exact(v.clone()))
                .plus(-1.0, &before);
        }
        let half = oracle.push(x, kicked.clone());
        let position = oracle.advance(x, oracle.h, &half);
        let velocity = half.plus(0.5, &half).plus(-0.5, &old);
        bench.state.half_velocity.write(bench.context, 0, &fields);
        bench.write(inputs, &undamped);
        bench.run(kernel, sim, bench.len(), &[]);
        let wanted = pushes::wanted(&oracle, 0.0, x, &kicked, &[]);
        pushes::compare(bench, &oracle, &wanted, tally)?;
        let wanted = Wanted {
            position,
            velocity,
            rates: oracle.rates(x),
        };
        wanted.compare(&bench.written()?, inputs, tally);
        for (i, got) in bench
            .state
            .half_velocity
            .read(bench.context)?
            .iter()
            .enumerate()
        {
            tally.vector(got.truncate(), half.value[i], half.scale[i]);
        }
    }
    faults::check(kernel, bench, tally)?;
    faults::watch(kernel, bench, true, tally)
}

/// x_m = x + h/2 v; v_m = v + h/2 a(x, v), pushed.
pub fn midpoint_half(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let start = Scaled::exact(v.clone());
    let position = Scaled::exact(x.clone()).plus(0.5 * oracle.h, &start);
    let velocity = oracle.push(x, start.plus(0.5 * oracle.h, &oracle.acceleration(x, v)));
    bench.write(inputs, inputs);
    bench.run(kernel, sim, bench.len(), &[]);
    let wanted = Wanted {
        position,
        velocity,
        rates: oracle.rates(x),
    };
    wanted.compare(&bench.written()?, inputs, tally);
    Ok(())
}

/// x += h v_m; v += h a(x_m, v_m), pushed.
pub fn midpoint(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, middle) = (bench.case.sim, &bench.case.particles);
    let starts = shifted(middle, 5);
    let oracle = Oracle::new(bench.case, &sim, middle);
    let (x, v) = (positions(&starts), velocities(&starts));
    let slope = oracle.acceleration(&oracle.system.position, &oracle.system.velocity);
    let free = Scaled::exact(v.clone()).plus(oracle.h, &slope);
    let velocity = oracle.push(&x, free.clone());
    let position = oracle.advance(&x, oracle.h, &Scaled::exact(oracle.system.velocity.clone()));
    bench.write(middle, &starts);
    bench.run(kernel, sim, bench.len(), &[]);
    let wanted = pushes::wanted(&oracle, 0.0, &x, &free, &[]);
    pushes::compare(bench, &oracle, &wanted, tally)?;
    let wanted = Wanted {
        position,
        velocity,
        rates: oracle.rates(&oracle.system.position),
    };
    wanted.compare(&bench.written()?, middle, tally);
    faults::check(kernel, bench, tally)?;
    faults::watch(kernel, bench, true, tally)
}

/// increments += weight (v_s, a(x_s, v_s)); the next stage is (x + τ v_s, v + τ a(x_s, v_s)), its velocity pushed.
pub fn rk4_stage(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let stage = &bench.case.particles;
    let (starts, sums) = (shifted(stage, 6), shifted(stage, 7));
    let h = bench.case.sim.step;
    for (first_stage, stage_step, stage_weight) in [(1, 0.5 * h, h / 6.0), (0, h, h / 3.0)] {
        let sim = Sim {
            first_stage,
            stage_step,
            stage_weight,
            ..bench.case.sim
        };
        let (step, weight) = (f64::from(stage_step), f64::from(stage_weight));
        let oracle = Oracle::new(bench.case, &sim, stage);
        let (x, v) = (positions(&starts), velocities(&starts));
        let slope = oracle.acceleration(&oracle.system.position, &oracle.system.velocity);
        let way = Scaled::exact(oracle.system.velocity.clone());
        let kept = f64::from(1 - first_stage);
        let none = Scaled::exact(vec![DVec3::ZERO; x.len()]);
        let sum_x = none
            .plus(kept, &Scaled::exact(positions(&sums)))
            .plus(weight, &way);
        let sum_v = none
            .plus(kept, &Scaled::exact(velocities(&sums)))
            .plus(weight, &slope);
        let position = Scaled::exact(x.clone()).plus(step, &way);
        let velocity = oracle.push(&x, Scaled::exact(v.clone()).plus(step, &slope));
        let base = Buffer::new(bench.context, "base", &starts)?;
        let increments = Buffer::new(bench.context, "increments", &sums)?;
        bench.write(stage, stage);
        bench.run(
            kernel,
            sim,
            bench.len(),
            &[base.bind("base"), increments.bind("increments")],
        );
        let wanted = Wanted {
            position,
            velocity,
            rates: oracle.rates(&oracle.system.position),
        };
        wanted.compare(&bench.written()?, stage, tally);
        for (i, got) in increments.read(bench.context)?.iter().enumerate() {
            tally.vector(got.position, sum_x.value[i], sum_x.scale[i]);
            tally.vector(got.velocity, sum_v.value[i], sum_v.scale[i]);
        }
    }
    Ok(())
}

/// (x, v) += increments + h/6 (v_4, a(x_4, v_4)), the mean velocity and the new one pushed.
pub fn rk4(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let stage = &bench.case.particles;
    let starts = shifted(stage, 8);
    let h = bench.case.sim.step;
    let sim = Sim {
        stage_weight: h / 6.0,
        ..bench.case.sim
    };
    let weight = f64::from(sim.stage_weight);
    let sum = |p: &Particle| match p.inverse_mass {
        0.0 => Particle::default(),
        _ => Particle {
            position: 0.8 * h * p.velocity,
            velocity: h * (p.position - Vec3::Y),
            ..Particle::default()
        },
    };
    let sums: Vec<_> = shifted(stage, 9).iter().map(sum).collect();
    let oracle = Oracle::new(bench.case, &sim, stage);
    let (x, v) = (positions(&starts), velocities(&starts));
    let slope = oracle.acceleration(&oracle.system.position, &oracle.system.velocity);
    let none = Scaled::exact(vec![DVec3::ZERO; x.len()]);
    let way = Scaled::exact(positions(&sums))
        .plus(weight, &Scaled::exact(oracle.system.velocity.clone()));
    let mean = oracle.push(&x, none.plus(1.0 / oracle.h, &way));
    let change = Scaled::exact(velocities(&sums)).plus(weight, &slope);
    let free = Scaled::exact(v.clone()).plus(1.0, &change);
    let velocity = oracle.push(&x, free.clone());
    let position = oracle.advance(&x, oracle.h, &mean);
    let increments = Buffer::new(bench.context, "increments", &sums)?;
    bench.write(stage, &starts);
    bench.run(kernel, sim, bench.len(), &[increments.bind("increments")]);
    let wanted = pushes::wanted(&oracle, 0.0, &x, &free, &[]);
    pushes::compare(bench, &oracle, &wanted, tally)?;
    let wanted = Wanted {
        position,
        velocity,
        rates: oracle.rates(&oracle.system.position),
    };
    wanted.compare(&bench.written()?, stage, tally);
    faults::check(kernel, bench, tally)?;
    faults::watch(kernel, bench, true, tally)
}

/// The largest |x_a − x_b|², and what is no number as the largest of all; smaller errors do not take its place.
pub fn step_error(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let present = &bench.case.particles;
    let place = bench.status.len() - 1 - crate::gpu::types::NEWTON_WORDS as usize;
    let mut doubled = shifted(present, 10);
    for lost in [false, true] {
        if let Some(last) = doubled.last_mut().filter(|_| lost) {
            last.position.y = f32::NAN;
        }
        let known = 1e-12_f32;
        bench.status.write(bench.context, place, &[known.to_bits()]);
        let held = Buffer::new(bench.context, "doubled", &doubled)?;
        bench.write(present, present);
        bench.run(kernel, bench.case.sim, bench.len(), &[held.bind("doubled")]);
        tally.case();
        let word = bench.status.read(bench.context)?[place];
        if lost && bench.len() > 0 {
            tally.holds(doubling::error(word) == f64::INFINITY);
            continue;
        }
        let (a, b) = (positions(&doubled), positions(present));
        let wanted = reference::step_error(&a, &b).max(f64::from(known).sqrt());
        let reach = a
            .iter()
            .chain(&b)
            .map(|x| x.length())
            .fold(0.0, extreme::greatest);
        tally.number(doubling::error(word) as f32, wanted, wanted + reach);
    }
    bench.status.write(bench.context, place, &[0]);
    Ok(())
}
