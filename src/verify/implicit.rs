//! Begin and end of implicit steps.

use glam::{DVec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::faults;
use super::oracle::{Oracle, Scaled, exact};
use super::pushes;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{Body, Chunk, MAX_TOUCHING, Particle, Sim, TIE_HELD, TIE_JOINED};
use crate::gpu::{Buffer, Kernel};

/// Velocities of the step before, and shares of gravity, near those of the case.
pub fn kept(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let own = |p: &Particle| {
        let share = random.between(0.0, 1.0) as f32;
        (p.velocity + random.vector(0.1).as_vec3()).extend(share)
    };
    bench.case.particles.iter().map(own).collect()
}

/// A particle of `base` for each of the case: where it was a step before, roughly.
pub fn bases(bench: &Bench<'_>, seed: u64) -> Vec<Particle> {
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

/// What a step of a point that moves begins with \[m/s\].
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    /// v* = v + h (g + f/m)
    pub start: DVec3,
    /// v + h s g
    pub guess: DVec3,
    /// Of both.
    pub scale: f64,
}

/// What point i begins with; `share`: the part s of gravity that the first iterate goes on with, 1 where nothing held the
/// body in the last step, else 0.
pub fn begun(oracle: &Oracle<'_>, i: usize, share: f64) -> Begun {
    let (system, h) = (&oracle.system, oracle.h);
    let (mut pull, mut size) = (DVec3::ZERO, 0.0);
    for own in system.pulls.iter().filter(|pull| pull.point == i) {
        pull += own.force * system.inverse_mass[i];
        size += own.force.length() * system.inverse_mass[i];
    }
    let (v, g) = (system.velocity[i], system.gravity);
    Begun {
        start: v + h * (g + pull),
        guess: v + h * share * g,
        scale: v.length() + h * (g.length() + size),
    }
}

/// v* and the guess.
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
        let begun = begun(&oracle, i, f64::from(halves[i].w));
        let scale = begun.scale;
        tally.vector(base.velocity, begun.start, scale);
        tally.vector(guess.velocity, begun.guess, scale);
        let x = system.position[i];
        tally.vector(guess.position, x + h * begun.guess, x.length() + h * scale);
    }
    Ok(())
}

/// What is left of the equation of momentum in random chunks, some of them with particles that are held.
pub fn momentum(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
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
    let places = MAX_TOUCHING as usize;
    let impulses: Vec<_> = (0..count * places)
        .map(|_| {
            // Of those that a solid may touch few press.
            let number = match random.index(0, 60) {
                0 => 3.0,
                k => -((k % 3) as f32),
            };
            random.vector(1.0).as_vec3().extend(number)
        })
        .collect();
    let bases = bases(bench, 88);
    let base = Buffer::new(bench.context, "base", &bases)?;
    let chunks = Buffer::new(bench.context, "chunks", &ranges)?;
    let kept = Buffer::new(bench.context, "solid_impulses", &impulses)?;
    let momenta = Buffer::<Vec4>::zeroed(bench.context, "momenta", count)?;
    // One body of four is tied to a place.
    let word = |k: u32| k | if k % 4 == 1 { TIE_HELD } else { 0 };
    let words: Vec<_> = (0..bench.case.bodies.len() as u32).map(word).collect();
    let tied = Buffer::new(bench.context, "tie_groups", &words)?;
    let others = [
        tied.bind("tie_groups"),
        base.bind("base"),
        chunks.bind("chunks"),
        kept.bind("solid_impulses"),
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
        let pressed = |i: usize| {
            let solids = &impulses[i * places..(i + 1) * places];
            bench.case.content.solids && solids.iter().any(|j| j.w > 0.0)
        };
        let held = |i: usize| inputs[i].inverse_mass == 0.0 || pressed(i);
        if words[oracle.system.body[range.first as usize]] >= TIE_HELD || part.clone().any(held) {
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

/// The mean velocity that the sums of a body's one to five chunks ask for, or those of all that belong to its island; of
/// some a body is held or in doubt.
pub fn shift(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let sim = bench.case.sim;
    let mut random = Random::new(89);
    let count = bench.len();
    let (mut momenta, mut bodies, mut labels) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for _ in 0..count {
        let chunk_count = random.index(1, 5) as u32;
        bodies.push(Body {
            chunk_first: momenta.len() as u32,
            chunk_count,
            touching: random.index(0, 2) as u32,
            ..Body::default()
        });
        for _ in 0..chunk_count {
            let sum = random.vector(3.0).as_vec3();
            momenta.push(match random.index(0, 19) {
                0 => Vec4::new(0.0, 0.0, 0.0, -1.0),
                _ => sum.extend(random.between(0.5, 4.0) as f32),
            });
        }
        // Of two bodies each, about; one that touches none has no use for its label.
        labels[0].push(1 + random.index(0, count.div_ceil(2)) as u32);
        labels[1].push(random.index(0, 9) as u32);
    }
    // Of six bodies the first four are tied to each other.
    let word = |k: u32| match k % 6 {
        0..4 => (k - k % 6) | TIE_JOINED,
        _ => k,
    };
    let words: Vec<_> = (0..count as u32).map(word).collect();
    let tied = Buffer::new(bench.context, "tie_groups", &words)?;
    let given = Buffer::new(bench.context, "momenta", &momenta)?;
    let material = Buffer::new(bench.context, "bodies", &bodies)?;
    let islands = Buffer::new(bench.context, "islands", &labels[0])?;
    let next = Buffer::new(bench.context, "islands_next", &labels[1])?;
    let shifts = Buffer::new(bench.context, "body_shifts", &vec![Vec4::NAN; count])?;
    let others = [
        tied.bind("tie_groups"),
        given.bind("momenta"),
        material.bind("bodies"),
        islands.bind("islands"),
        next.bind("islands_next"),
        shifts.bind("body_shifts"),
    ];
    let body_count = count as u32;
    bench.run(kernel, Sim { body_count, ..sim }, count, &others);
    tally.case();
    let braking = 1.0 + f64::from(sim.step) * f64::from(sim.drag);
    let parts = |body: &Body| {
        let first = body.chunk_first as usize;
        &momenta[first..first + body.chunk_count as usize]
    };
    for (i, got) in shifts.read(bench.context)?.into_iter().enumerate() {
        let first = |k: usize| match k % 6 {
            0..4 => k - k % 6,
            _ => k,
        };
        let alone = bodies[i].touching == 0 && i % 6 > 3;
        let belongs = |k: &usize| match alone {
            true => *k == i,
            false => labels[0][first(*k)] == labels[0][first(i)],
        };
        let members: Vec<usize> = (0..count).filter(belongs).collect();
        let parts = || members.iter().flat_map(|k| parts(&bodies[*k]));
        let doubted = !alone && members.iter().any(|k| labels[1][first(*k)] == 0);
        if doubted || parts().any(|part| part.w < 0.0) {
            tally.holds(got == Vec4::ZERO);
            continue;
        }
        let [mut sum, mut size] = [DVec3::ZERO, DVec3::ZERO];
        for part in parts() {
            sum += part.truncate().as_dvec3();
            size += part.truncate().as_dvec3().abs();
        }
        let mass: f64 = parts().map(|part| f64::from(part.w)).sum();
        tally.vector(
            got.truncate(),
            sum / (mass * braking),
            size.length() / (mass * braking),
        );
        tally.holds(got.w == 1.0);
    }
    Ok(())
}

/// The velocities that solids without friction leave of `v`, and x_n + h v projected, from `starts` x_n.
pub fn ended(oracle: &Oracle<'_>, starts: &[DVec3], v: Scaled) -> (Scaled, Scaled) {
    let v = oracle.slippery().push(starts, v);
    let x = oracle.advance(starts, oracle.h, &v);
    (v, x)
}

/// What the end leaves of velocities and of those that bodies are given, and which bodies are free.
pub fn end(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (sim, inputs) = (bench.case.sim, &bench.case.particles);
    let oracle = Oracle::new(bench.case, &sim, inputs);
    let (bases, halves) = (bases(bench, 82), kept(bench, 83));
    let starts = exact(bases.iter().map(|base| base.position));
    let mut random = Random::new(90);
    let shifts: Vec<_> = (0..bench.case.bodies.len())
        .map(|k| match k % 2 {
            0 => random.vector(0.1).as_vec3().extend(1.0),
            _ => Vec4::ZERO,
        })
        .collect();
    let shift = |i: usize| shifts[oracle.system.body[i]];
    let mut shifted = Scaled::exact(oracle.system.velocity.clone());
    for i in (0..inputs.len()).filter(|i| !oracle.system.pinned(*i)) {
        let more = shift(i).truncate().as_dvec3();
        shifted.value[i] += more;
        shifted.scale[i] += more.length();
    }
    let (v, x) = ended(&oracle, &starts, shifted.clone());
    let base = Buffer::new(bench.context, "base", &bases)?;
    let given = Buffer::new(bench.context, "body_shifts", &shifts)?;
    bench.state.half_velocity.write(bench.context, 0, &halves);
    bench.write(inputs, inputs);
    let others = [base.bind("base"), given.bind("body_shifts")];
    let already = pushes::random(bench, 91);
    pushes::write(bench, &already);
    bench.run(kernel, sim, bench.len(), &others);
    tally.case();
    let slippery = oracle.slippery();
    let wanted = pushes::wanted(&slippery, 0.0, &starts, &shifted, &already);
    pushes::compare(bench, &oracle, &wanted, tally)?;
    let kept = bench.state.half_velocity.read(bench.context)?;
    for (i, got) in bench.written()?.iter().enumerate() {
        tally.vector(got.velocity, v.value[i], v.scale[i]);
        tally.vector(got.position, x.value[i], x.scale[i]);
        tally.holds(got.inverse_mass == inputs[i].inverse_mass);
        tally.vector(kept[i].truncate(), v.value[i], v.scale[i]);
        tally.holds(kept[i].w == shift(i).w);
    }
    faults::check(kernel, bench, tally)?;
    faults::watch(kernel, bench, false, tally)
}
