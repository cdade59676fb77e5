//! The integrators' kernels: one evaluation of the forces, and the faults that the state may have.

use crate::extreme;
use glam::{DVec3, Vec3, Vec4};

use super::oracle::{positions, velocities};
use super::states::shifted;
use super::trial::{Arrays, Written};
use super::{Bench, Check, Checks, ErrorStats, Oracle, Scaled, advance, faults, pushes};
use crate::Result;
use crate::gpu::types::{Particle, STATUS_ERROR, Sim};
use crate::integrate::doubling;
use crate::reference::doubling as reference;

pub const CHECKS: Checks = &[
    ("euler", Check::Trial(euler)),
    ("verlet", Check::Trial(verlet)),
    ("half_back", Check::Trial(half_back)),
    ("half_take", Check::Trial(half_take)),
    ("leapfrog", Check::Trial(leapfrog)),
    ("midpoint_half", Check::Trial(midpoint_half)),
    ("midpoint", Check::Trial(midpoint)),
    ("rk4_stage", Check::Trial(rk4_stage)),
    ("rk4", Check::Trial(rk4)),
    ("leapfrog_end", Check::Trial(advance::leapfrog_end)),
    ("step_error", Check::Trial(step_error)),
];

/// Compares what a pass leaves behind.
fn compare(
    after: &Written,
    oracle: &Oracle<'_>,
    position: &Scaled,
    velocity: &Scaled,
    errors: &mut ErrorStats,
) {
    let (got, system) = (after.particles(), &oracle.system);
    errors.vectors(got.iter().map(|p| p.position), position);
    errors.vectors(got.iter().map(|p| p.velocity), velocity);
    let rates = oracle.rates(&system.position);
    for (i, got) in got.iter().enumerate() {
        errors.number(got.damping_rate, rates[i].0, rates[i].1);
        errors.holds(f64::from(got.inverse_mass) == system.inverse_mass[i]);
    }
}

/// Compares what a pass leaves of a step from `x`: moved by `mean` as the solids leave it, with the velocity as these leave it,
/// or where contacts follow with these velocities where it was. Leapfrog's own velocity is extrapolated from that.
fn ends(
    bench: &Bench<'_>,
    after: &Written,
    oracle: &Oracle<'_>,
    ([mean, free], old): ([&Scaled; 2], Option<&Scaled>),
    x: &[DVec3],
    errors: &mut ErrorStats,
) {
    if bench.case.content.contact {
        compare(after, oracle, &Scaled::exact(x.to_vec()), free, errors);
        return;
    }
    // How far the fastest goes is noted.
    pushes::compare(after, oracle, &pushes::wanted(oracle, x, free, &[]), errors);
    let velocity = oracle.push(x, free.clone());
    let position = oracle.advance(x, oracle.h, &oracle.push(x, mean.clone()));
    let kept = old.map(|old| velocity.plus(0.5, &velocity).plus(-0.5, old));
    compare(after, oracle, &position, kept.as_ref().unwrap_or(&velocity), errors);
}

/// The uniform of a step whose mean velocity moves particles.
fn by_mean(sim: &Sim) -> Sim {
    Sim { contact_share: 0.5, ..*sim }
}

/// Compares the ways that a pass leaves for contacts; the rest of the increments stays.
fn ways(
    after: &Written,
    oracle: &Oracle<'_>,
    mean: &Scaled,
    before: &[Particle],
    errors: &mut ErrorStats,
) {
    let got: Vec<Particle> = after.get("increments");
    let way = Scaled::exact(vec![DVec3::ZERO; got.len()]).plus(oracle.h, mean);
    errors.vectors(got.iter().map(|p| p.position), &way);
    for (got, before) in got.iter().zip(before) {
        errors.kept(got, before, |p, got| p.position = got.position);
    }
}

/// Checks what the kernel notes.
fn faults(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.contact {
        faults::check(bench, errors)?;
    }
    faults::jumps(bench, errors)?;
    faults::stiffness(bench, errors)
}

fn fields(particles: &[Particle]) -> Vec<Vec4> {
    particles.iter().map(|p| p.velocity.extend(0.0)).collect()
}

/// With one gather and, as after the sweeps of exact damping, with several.
fn both_gathers(bench: &Bench<'_>) -> [Sim; 2] {
    [1, 3].map(|damping_stages| Sim { damping_stages, ..bench.case.sim })
}

/// x += h v; v += h a(x_old, v_old).
fn euler(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (oracle, sums) = (bench.oracle(), shifted(&bench.case.particles, 11));
    let start = oracle.speed();
    let sim = by_mean(&bench.case.sim);
    let after = bench.run(sim, bench.len(), &[("increments", &sums)])?;
    ways(&after, &oracle, &start, &sums, errors);
    let velocity = start.plus(oracle.h, &oracle.slope());
    ends(bench, &after, &oracle, ([&start, &velocity], None), &oracle.system.position, errors);
    faults(bench, errors)
}

/// u += h a(x, u); x += h u.
fn verlet(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let undamped = shifted(&bench.case.particles, 1);
    for sim in both_gathers(bench) {
        let oracle = bench.oracle_of(&sim);
        let u = oracle.speed().plus(oracle.h, &oracle.slope());
        let after = bench.run(sim, bench.len(), &[("particles_out", &undamped)])?;
        ends(bench, &after, &oracle, ([&u, &u], None), &oracle.system.position, errors);
    }
    faults(bench, errors)
}

/// v(−τ) = v − τ a(x, v), of half a step and of the change to a longer one.
fn half_back(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let h = bench.case.sim.step;
    for stage_step in [0.5 * h, -0.25 * h] {
        let sim = Sim { stage_step, ..bench.case.sim };
        let oracle = bench.oracle_of(&sim);
        let back = -f64::from(stage_step);
        let wanted = oracle.speed().plus(back, &oracle.slope());
        let after = bench.run(sim, bench.len(), &[])?;
        let halves: Vec<Vec4> = after.get("half_velocity");
        errors.vectors(halves.iter().map(|v| v.truncate()), &wanted);
    }
    Ok(())
}

/// The particles with the velocities of `half_velocity`.
fn half_take(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let halves = shifted(inputs, 2);
    let after =
        bench.run_each(&[("half_velocity", &fields(&halves)), ("particles_in", &halves)])?;
    for (i, got) in after.particles().iter().enumerate() {
        let velocity = halves[i].velocity.as_dvec3();
        errors.vector(got.velocity, velocity, velocity.length());
        errors.kept(got, &inputs[i], |p, got| p.velocity = got.velocity);
    }
    Ok(())
}

/// v½ += h a(x, v), after sweeps also by what they changed; x += h v½; v = (3 v½ − v½_old)/2. Where it does not move, v½ is
/// left for the velocity.
fn leapfrog(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let (halves, undamped) = (shifted(inputs, 3), shifted(inputs, 4));
    for sim in both_gathers(bench).map(|sim| Sim { theta_scale: 1.0, ..sim }) {
        let oracle = bench.oracle_of(&sim);
        let x = &oracle.system.position;
        let old = Scaled::exact(velocities(&halves));
        let mut kicked = old.plus(oracle.h, &oracle.slope());
        if sim.damping_stages > 1 {
            let before = Scaled::exact(velocities(&undamped));
            kicked = kicked.plus(1.0, &oracle.speed()).plus(-1.0, &before);
        }
        let arrays: &Arrays<'_> =
            &[("half_velocity", &fields(&halves)), ("particles_out", &undamped)];
        let after = bench.run(sim, bench.len(), arrays)?;
        ends(bench, &after, &oracle, ([&kicked, &kicked], Some(&old)), x, errors);
        let pushed = oracle.push(x, kicked);
        let kept = if bench.case.content.contact { &old } else { &pushed };
        let halves: Vec<Vec4> = after.get("half_velocity");
        errors.vectors(halves.iter().map(|v| v.truncate()), kept);
    }
    faults(bench, errors)
}

/// x_m = x + h/2 v; v_m = v + h/2 a(x, v), pushed.
fn midpoint_half(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let oracle = bench.oracle();
    let x = &oracle.system.position;
    let (start, half) = (oracle.speed(), 0.5 * oracle.h);
    let position = Scaled::exact(x.clone()).plus(half, &start);
    let velocity = oracle.push(x, start.plus(half, &oracle.slope()));
    let after = bench.run_each(&[])?;
    compare(&after, &oracle, &position, &velocity, errors);
    Ok(())
}

/// x += h v_m; v += h a(x_m, v_m).
fn midpoint(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let oracle = bench.oracle();
    let [starts, sums] = [5, 12].map(|seed| shifted(&bench.case.particles, seed));
    let (x, v) = (positions(&starts), velocities(&starts));
    let (mean, velocity) = (oracle.speed(), Scaled::exact(v).plus(oracle.h, &oracle.slope()));
    let arrays: &Arrays<'_> = &[("particles_out", &starts), ("increments", &sums)];
    let after = bench.run(by_mean(&bench.case.sim), bench.len(), arrays)?;
    ways(&after, &oracle, &mean, &sums, errors);
    ends(bench, &after, &oracle, ([&mean, &velocity], None), &x, errors);
    faults(bench, errors)
}

/// increments += weight (v_s, a(x_s, v_s)); the next stage is (x + τ v_s, v + τ a(x_s, v_s)), its velocity pushed.
fn rk4_stage(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let stage = &bench.case.particles;
    let (starts, sums) = (shifted(stage, 6), shifted(stage, 7));
    let (x, v) = (positions(&starts), velocities(&starts));
    let h = bench.case.sim.step;
    for (first_stage, stage_step, stage_weight) in [(1, 0.5 * h, h / 6.0), (0, h, h / 3.0)] {
        let sim = Sim { first_stage, stage_step, stage_weight, ..bench.case.sim };
        let (step, weight) = (f64::from(stage_step), f64::from(stage_weight));
        let oracle = bench.oracle_of(&sim);
        let slope = oracle.slope();
        let way = oracle.speed();
        let none = Scaled::exact(vec![DVec3::ZERO; x.len()]);
        let sum = |old: Vec<DVec3>, more: &Scaled| {
            let kept = f64::from(1 - first_stage);
            none.plus(kept, &Scaled::exact(old)).plus(weight, more)
        };
        let next = Scaled::exact(x.clone()).plus(step, &way);
        let speed = oracle.push(&x, Scaled::exact(v.clone()).plus(step, &slope));
        let arrays: &Arrays<'_> = &[("base", &starts), ("increments", &sums)];
        let after = bench.run(sim, bench.len(), arrays)?;
        compare(&after, &oracle, &next, &speed, errors);
        let got: Vec<Particle> = after.get("increments");
        let position = sum(positions(&sums), &way);
        errors.vectors(got.iter().map(|p| p.position), &position);
        let velocity = sum(velocities(&sums), &slope);
        errors.vectors(got.iter().map(|p| p.velocity), &velocity);
    }
    Ok(())
}

/// (x, v) += increments + h/6 (v_4, a(x_4, v_4)).
fn rk4(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let stage = &bench.case.particles;
    let starts = shifted(stage, 8);
    let h = bench.case.sim.step;
    let sim = Sim { stage_weight: h / 6.0, ..by_mean(&bench.case.sim) };
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
    let oracle = bench.oracle_of(&sim);
    let (x, v) = (positions(&starts), velocities(&starts));
    let slope = oracle.slope();
    let none = Scaled::exact(vec![DVec3::ZERO; x.len()]);
    let last = oracle.speed();
    let way = Scaled::exact(positions(&sums)).plus(weight, &last);
    let mean = none.plus(1.0 / oracle.h, &way);
    let change = Scaled::exact(velocities(&sums)).plus(weight, &slope);
    let velocity = Scaled::exact(v).plus(1.0, &change);
    let arrays: &Arrays<'_> = &[("particles_out", &starts), ("increments", &sums)];
    let after = bench.run(sim, bench.len(), arrays)?;
    ways(&after, &oracle, &mean, &sums, errors);
    ends(bench, &after, &oracle, ([&mean, &velocity], None), &x, errors);
    faults(bench, errors)
}

/// The largest |x_a − x_b|², and what is no number as the largest of all; smaller errors do not take its place.
fn step_error(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let present = &bench.case.particles;
    let mut before = bench.status();
    let place = STATUS_ERROR as usize;
    let known = 1e-12_f32;
    before[place] = known.to_bits();
    let mut doubled = shifted(present, 10);
    for lost in [false, true] {
        if let Some(last) = doubled.last_mut().filter(|_| lost) {
            last.position.y = f32::NAN;
        }
        let arrays: &Arrays<'_> = &[("doubled", &doubled), ("status", &before)];
        let word = bench.run_each(arrays)?.status()[place];
        if lost && bench.len() > 0 {
            errors.holds(doubling::error(word) == f64::INFINITY);
            continue;
        }
        let (a, b) = (positions(&doubled), positions(present));
        let wanted = reference::step_error(&a, &b).max(f64::from(known).sqrt());
        let reach = a.iter().chain(&b).map(|x| x.length());
        let reach = reach.fold(0.0, extreme::greatest);
        errors.number(doubling::error(word) as f32, wanted, wanted + reach);
    }
    Ok(())
}
