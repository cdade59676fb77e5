//! Begin and end of implicit steps, and how solids press within them.

use glam::{DVec3, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::faults;
use super::newton_matrix::symmetric;
use super::oracle::{Oracle, Scaled, exact};
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{
    Body, Chunk, IMPLICIT_STEP, MAX_TOUCHING, Particle, Press, SOLID_SLIDE, SOLID_STIFFNESS, Sim,
};
use crate::gpu::{Buffer, Kernel};
use crate::reference::contact::press::{Target, next};
use crate::reference::solids;

/// Velocities of the step before, and shares of gravity, near those of the case.
fn kept(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let own = |p: &Particle| {
        let share = random.between(0.0, 1.0) as f32;
        (p.velocity + random.vector(0.1).as_vec3()).extend(share)
    };
    bench.case.particles.iter().map(own).collect()
}

/// A particle of `base` for each of the case: where it was a step before, roughly.
fn bases(bench: &Bench<'_>, seed: u64) -> Vec<Particle> {
    let mut random = Random::new(seed);
    let h = bench.case.sim.step;
    let base = |p: &Particle| match p.inverse_mass {
        0.0 => *p,
        _ => Particle {
            position: p.position - h * p.velocity + random.vector(1e-3).as_vec3(),
            velocity: p.velocity + random.vector(0.5).as_vec3(),
            ..*p
        },
    };
    bench.case.particles.iter().map(base).collect()
}

/// v and the whole of gravity.
pub fn start(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let halves = vec![Vec4::NAN; bench.len()];
    bench.state.half_velocity.write(bench.context, 0, &halves);
    bench.write(inputs, inputs);
    bench.run(kernel, bench.case.sim, bench.len(), &[]);
    tally.case();
    let got = bench.state.half_velocity.read(bench.context)?;
    for (got, p) in got.iter().zip(inputs) {
        tally.vector(
            got.truncate(),
            p.velocity.as_dvec3(),
            f64::from(p.velocity.length()),
        );
        tally.number(got.w, 1.0, 1.0);
    }
    Ok(())
}

/// v* = v + h (g + f/m), and the guess v + h s g.
pub fn begin(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    let (system, h) = (&oracle.system, oracle.h);
    let halves = kept(bench, 81);
    bench.state.half_velocity.write(bench.context, 0, &halves);
    let base = Buffer::<Particle>::zeroed(bench.context, "base", bench.len())?;
    bench.write(inputs, inputs);
    bench.run(kernel, sim, bench.len(), &[base.bind("base")]);
    tally.case();
    let (bases, written) = (base.read(bench.context)?, bench.written()?);
    for (i, (base, guess)) in bases.iter().zip(&written).enumerate() {
        tally.holds(base.position == inputs[i].position);
        tally.holds([base.inverse_mass, guess.inverse_mass] == [inputs[i].inverse_mass; 2]);
        if system.pinned(i) {
            tally.holds(*base == inputs[i] && *guess == inputs[i]);
            continue;
        }
        let pulls = system.pulls.iter().filter(|pull| pull.point == i);
        let (mut pull, mut size) = (DVec3::ZERO, 0.0);
        for own in pulls {
            pull += own.force * system.inverse_mass[i];
            size += own.force.length() * system.inverse_mass[i];
        }
        let (v, g) = (system.velocity[i], system.gravity);
        let scale = v.length() + h * (g.length() + size);
        tally.vector(base.velocity, v + h * (g + pull), scale);
        let guessed = v + h * f64::from(halves[i].w) * g;
        tally.vector(guess.velocity, guessed, scale);
        let x = system.position[i];
        tally.vector(guess.position, x + h * guessed, x.length() + h * scale);
    }
    Ok(())
}

/// What is left of the equation of momentum in random chunks, some of them with particles that are held.
pub fn momentum(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let mut random = Random::new(87);
    let count = bench.len();
    let ranges: Vec<_> = (0..count)
        .map(|_| {
            // Short ones, too: something holds most of the long ones.
            let most = [8, 257][random.index(0, 2)];
            let first = random.index(0, count);
            Chunk {
                first: first as u32,
                end: (first + random.index(0, most)).min(count) as u32,
            }
        })
        .collect();
    let presses: Vec<_> = (0..count)
        .map(|_| {
            let held = random.index(0, 20) == 0;
            let axis = [Vec3::X, Vec3::NEG_Y, Vec3::Z][random.index(0, 3)];
            Press {
                force: if held { 1e-3 * axis } else { Vec3::ZERO },
                stiffness: 100.0,
                ..Press::default()
            }
        })
        .collect();
    let bases = bases(bench, 88);
    let base = Buffer::new(bench.context, "base", &bases)?;
    let chunks = Buffer::new(bench.context, "chunks", &ranges)?;
    let pressed = Buffer::new(bench.context, "presses", &presses)?;
    let momenta = Buffer::<Vec4>::zeroed(bench.context, "momenta", count)?;
    let others = [
        base.bind("base"),
        chunks.bind("chunks"),
        pressed.bind("presses"),
        momenta.bind("momenta"),
    ];
    let chunk_count = count as u32;
    bench.write(inputs, inputs);
    bench.run(kernel, Sim { chunk_count, ..sim }, count, &others);
    tally.case();
    let (h, drag, wind) = (
        f64::from(sim.step),
        f64::from(sim.drag),
        sim.wind.as_dvec3(),
    );
    for (got, range) in momenta.read(bench.context)?.into_iter().zip(ranges) {
        let part = range.first as usize..range.end as usize;
        let held = |i: usize| inputs[i].inverse_mass == 0.0 || presses[i].force != Vec3::ZERO;
        if part.clone().any(held) {
            tally.holds(got == Vec4::new(0.0, 0.0, 0.0, -1.0));
            continue;
        }
        let (mut sum, mut size, mut whole) = (DVec3::ZERO, 0.0, 0.0);
        for i in part {
            let mass = 1.0 / f64::from(inputs[i].inverse_mass);
            let [v, start] = [inputs[i].velocity, bases[i].velocity].map(|v| v.as_dvec3());
            sum += mass * (start - v - h * drag * (v - wind));
            size += mass * (start.length() + v.length() + h * drag * (v.length() + wind.length()));
            whole += mass;
        }
        tally.vector(got.truncate(), sum, size);
        tally.number(got.w, whole, whole);
    }
    Ok(())
}

/// The mean velocity that chunks' sums ask for, of bodies with one to five chunks, of which some are held.
pub fn shift(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let sim = bench.case.sim;
    let mut random = Random::new(89);
    let count = bench.len();
    let (mut momenta, mut bodies) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let chunk_count = random.index(1, 5) as u32;
        bodies.push(Body {
            chunk_first: momenta.len() as u32,
            chunk_count,
            ..Body::default()
        });
        for _ in 0..chunk_count {
            let sum = random.vector(3.0).as_vec3();
            momenta.push(match random.index(0, 9) {
                0 => Vec4::new(0.0, 0.0, 0.0, -1.0),
                _ => sum.extend(random.between(0.5, 4.0) as f32),
            });
        }
    }
    let given = Buffer::new(bench.context, "momenta", &momenta)?;
    let material = Buffer::new(bench.context, "bodies", &bodies)?;
    let shifts = Buffer::new(bench.context, "body_shifts", &vec![Vec4::NAN; count])?;
    let others = [
        given.bind("momenta"),
        material.bind("bodies"),
        shifts.bind("body_shifts"),
    ];
    let body_count = count as u32;
    bench.run(kernel, Sim { body_count, ..sim }, count, &others);
    tally.case();
    let braking = 1.0 + f64::from(sim.step) * f64::from(sim.drag);
    for (got, body) in shifts.read(bench.context)?.into_iter().zip(bodies) {
        let first = body.chunk_first as usize;
        let parts = &momenta[first..first + body.chunk_count as usize];
        if parts.iter().any(|part| part.w < 0.0) {
            tally.holds(got == Vec4::ZERO);
            continue;
        }
        let [mut sum, mut size] = [DVec3::ZERO, DVec3::ZERO];
        for part in parts {
            sum += part.truncate().as_dvec3();
            size += part.truncate().as_dvec3().abs();
        }
        let mass: f64 = parts.iter().map(|part| f64::from(part.w)).sum();
        tally.vector(
            got.truncate(),
            sum / (mass * braking),
            size.length() / (mass * braking),
        );
        tally.holds(got.w == 1.0);
    }
    Ok(())
}

/// The velocity that solids without friction leave of one that its body's shift was added to, x_n + h v projected, and
/// whether the body is free.
pub fn end(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let mut oracle = Oracle::new(bench.case, &sim, inputs);
    for body in &mut oracle.system.bodies {
        body.friction = 0.0;
    }
    let (bases, halves) = (bases(bench, 82), kept(bench, 83));
    let before = exact(halves.iter().map(|half| half.truncate()));
    let starts = exact(bases.iter().map(|base| base.position));
    let mut random = Random::new(90);
    let shifts: Vec<_> = (0..bench.case.bodies.len())
        .map(|k| match k % 2 {
            0 => random.vector(0.1).as_vec3().extend(1.0),
            _ => Vec4::ZERO,
        })
        .collect();
    let shift = |i: usize| shifts[oracle.system.body[i]];
    let shifted = |i: usize| match inputs[i].inverse_mass > 0.0 {
        true => oracle.system.velocity[i] + shift(i).truncate().as_dvec3(),
        false => oracle.system.velocity[i],
    };
    let shifted = (0..inputs.len()).map(shifted).collect();
    let mut v = oracle.push(&starts, &before, Scaled::exact(shifted));
    for (i, input) in inputs.iter().enumerate() {
        v.scale[i] += input.velocity.as_dvec3().length() + shift(i).truncate().as_dvec3().length();
    }
    for (i, input) in inputs.iter().enumerate() {
        if input.inverse_mass == 0.0 {
            (v.value[i], v.scale[i]) = (input.velocity.as_dvec3(), 0.0);
        }
    }
    let x = oracle.advance(&starts, oracle.h, &v);
    let base = Buffer::new(bench.context, "base", &bases)?;
    let given = Buffer::new(bench.context, "body_shifts", &shifts)?;
    bench.state.half_velocity.write(bench.context, 0, &halves);
    bench.write(inputs, inputs);
    let others = [base.bind("base"), given.bind("body_shifts")];
    bench.run(kernel, sim, bench.len(), &others);
    tally.case();
    let kept = bench.state.half_velocity.read(bench.context)?;
    for (i, got) in bench.written()?.iter().enumerate() {
        tally.vector(got.velocity, v.value[i], v.scale[i]);
        tally.vector(got.position, x.value[i], x.scale[i]);
        tally.holds(got.inverse_mass == inputs[i].inverse_mass);
        tally.vector(kept[i].truncate(), v.value[i], v.scale[i]);
        tally.holds(kept[i].w == shift(i).w);
    }
    faults::check(kernel, bench, tally)
}

/// The impulses of solids in f64, with scales.
struct Wanted {
    impulses: Vec<(f32, DVec3, f64)>,
    force: DVec3,
    hold: glam::DMat3,
    force_scale: f64,
    hold_scale: f64,
}

fn pressed(
    oracle: &Oracle<'_>,
    i: usize,
    [start, before]: [DVec3; 2],
    [stiffness, slide]: [f64; 2],
    kept: &[(f32, DVec3)],
    first: bool,
) -> Wanted {
    let (system, h) = (&oracle.system, oracle.h);
    let (material, v) = (system.material(i), system.velocity[i]);
    let mut wanted = Wanted {
        impulses: Vec::new(),
        force: DVec3::ZERO,
        hold: glam::DMat3::ZERO,
        force_scale: 0.0,
        hold_scale: 0.0,
    };
    let gain = h * h * stiffness;
    for (k, solid) in system.solids.iter().enumerate() {
        let (depth, n) = solids::depth(solid, start);
        let depth = depth + material.radius;
        let approach = (-v.dot(n)).max(0.0);
        let place = wanted.impulses.len();
        if -depth >= material.margin + h * approach || place >= MAX_TOUCHING as usize {
            continue;
        }
        let impact = -before.dot(n);
        let mut target = depth.min(0.0) / h;
        if material.restitution > 0.0 && impact > 4.0 * h * system.gravity.length() {
            target = target.max(material.restitution * impact);
        }
        // A solid's number is kept with 1 added, negative where it did not act.
        let number = (k + 1) as f32;
        let (mut last, acted) = match kept.get(place) {
            Some((own, impulse)) if own.abs() == number => (*impulse, *own > 0.0),
            _ => (DVec3::ZERO, false),
        };
        let speeds = v.length() + target.abs() + before.length() + start.length() / h;
        let scale = last.length() + 2.0 * gain * speeds;
        let asked = Target {
            normal: n,
            velocity: v,
            speed: target,
            gain,
            slide_gain: slide * gain,
            friction: material.friction,
        };
        last = match first {
            // Of a step of half the length.
            true => 0.5 * last,
            false if acted => next(last, &asked).0,
            false => last,
        };
        let (impulse, share) = next(last, &asked);
        let sign = if impulse.dot(n) > 0.0 { 1.0 } else { -1.0 };
        wanted.impulses.push((sign * number, last, scale));
        wanted.force += impulse / h;
        wanted.force_scale += 2.0 * scale / h;
        if impulse.dot(n) > 0.0 {
            let square = glam::DMat3::from_cols(n * n.x, n * n.y, n * n.z);
            let share = slide * share;
            wanted.hold += stiffness * (square * (1.0 - share) + glam::DMat3::IDENTITY * share);
            let tangent = (last - last.dot(n) * n - slide * gain * (v - v.dot(n) * n)).length();
            wanted.hold_scale += stiffness * (1.0 + scale / tangent.max(1e-3 * scale));
        }
    }
    wanted
}

/// J', the force and the block of solids, at the first iteration of a step and at others, of both solvers.
pub fn press(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let (bases, halves) = (bases(bench, 84), kept(bench, 85));
    for (first_stage, implicit) in [(1, 0), (0, 0), (1, IMPLICIT_STEP), (0, IMPLICIT_STEP)] {
        let [factor, slide] = match implicit {
            IMPLICIT_STEP => [SOLID_STIFFNESS, SOLID_SLIDE].map(f64::from),
            _ => [1.0; 2],
        };
        let sim = Sim {
            first_stage,
            implicit,
            step_ratio: 0.5,
            ..bench.case.sim
        };
        let oracle = Oracle::new(bench.case, &sim, inputs);
        let mut random = Random::new(86);
        let presses: Vec<_> = inputs
            .iter()
            .map(|_| Press {
                force: Vec3::NAN,
                stiffness: random.between(1.0, 2e4) as f32,
                ..Press::default()
            })
            .collect();
        let impulses: Vec<Vec4> = (0..MAX_TOUCHING as usize * bench.len())
            .map(|_| {
                let solid = random.index(0, 5) as f32;
                let sign = [1.0, -1.0][random.index(0, 2)];
                random.vector(3.0).as_vec3().extend(sign * solid)
            })
            .collect();
        let base = Buffer::new(bench.context, "base", &bases)?;
        let given = Buffer::new(bench.context, "presses", &presses)?;
        let kept = Buffer::new(bench.context, "solid_impulses", &impulses)?;
        bench.state.half_velocity.write(bench.context, 0, &halves);
        bench.write(inputs, inputs);
        let others = [
            base.bind("base"),
            given.bind("presses"),
            kept.bind("solid_impulses"),
        ];
        bench.run(kernel, sim, bench.len(), &others);
        tally.case();
        let (got, left) = (given.read(bench.context)?, kept.read(bench.context)?);
        for (i, got) in got.iter().enumerate() {
            tally.holds(got.stiffness == presses[i].stiffness);
            let places = MAX_TOUCHING as usize * i..MAX_TOUCHING as usize * (i + 1);
            if oracle.system.pinned(i) || oracle.system.solids.is_empty() {
                tally.holds(got.force == Vec3::ZERO && got.diagonal == Vec3::ZERO);
                continue;
            }
            let own = impulses[places.clone()].iter();
            let own = own.map(|j| (j.w, j.truncate().as_dvec3()));
            let inertia = oracle.system.mass(i) / (oracle.h * oracle.h);
            let stiffness = f64::from(presses[i].stiffness).max(inertia);
            let wanted = pressed(
                &oracle,
                i,
                [
                    bases[i].position.as_dvec3(),
                    halves[i].truncate().as_dvec3(),
                ],
                [factor * stiffness, slide],
                &own.collect::<Vec<_>>(),
                first_stage == 1,
            );
            tally.vector(got.force, wanted.force, wanted.force_scale);
            let hold = symmetric(got.diagonal, got.off);
            for k in 0..3 {
                tally.vector(hold.col(k).as_vec3(), wanted.hold.col(k), wanted.hold_scale);
            }
            for (place, left) in left[places].iter().enumerate() {
                match wanted.impulses.get(place) {
                    Some((solid, impulse, scale)) => {
                        tally.holds(left.w == *solid);
                        tally.vector(left.truncate(), *impulse, *scale);
                    }
                    None => tally.holds(*left == Vec4::ZERO),
                }
            }
        }
    }
    Ok(())
}
