//! Begin and end of implicit steps.

use glam::{DVec3, Vec4};

use super::momenta::{self, Mass};
use super::oracle::positions;
use super::press::places;
use super::states::bases;
use super::trial::Arrays;
use super::{Bench, Check, Checks, ErrorStats, Oracle, Random, Scaled, faults, pushes};
use crate::Result;
use crate::gpu::types::{
    Body, BodyMotion, Chunk, MAX_TOUCHING, MomentumPart, Particle, Sim, TIE_HELD, WORKGROUP,
};

pub const CHECKS: Checks = &[
    ("implicit_start", Check::Trial(start)),
    ("implicit_begin", Check::Trial(begin)),
    ("implicit_momentum", Check::Trial(momentum)),
    ("implicit_end", Check::Trial(end)),
];

/// Velocities of the step before, and shares of gravity, near those of the case.
fn kept(bench: &Bench<'_>, seed: u64) -> Vec<Vec4> {
    let mut random = Random::new(seed);
    let own = |p: &Particle| {
        let share = random.between(0.0, 1.0) as f32;
        (p.velocity + random.vector(0.1).as_vec3()).extend(share)
    };
    bench.case.particles.iter().map(own).collect()
}

/// v and the whole of gravity.
fn start(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let halves = vec![Vec4::NAN; bench.len()];
    let after = bench.run_each(&[("half_velocity", &halves)])?;
    let got: Vec<Vec4> = after.get("half_velocity");
    for (got, p) in got.iter().zip(&bench.case.particles) {
        let v = p.velocity.as_dvec3();
        errors.vector(got.truncate(), v, f64::from(p.velocity.length()));
        errors.number(got.w, 1.0, 1.0);
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

/// v* and the guess, which is carried on from x_n.
fn begin(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (oracle, inputs) = (bench.oracle(), &bench.case.particles);
    let system = &oracle.system;
    let halves = kept(bench, 81);
    let after = bench.run_each(&[
        ("half_velocity", &halves),
        ("base", &vec![Particle::default(); bench.len()]),
    ])?;
    let bases: Vec<Particle> = after.get("base");
    for (i, (base, guess)) in bases.iter().zip(&after.particles()).enumerate() {
        errors.holds(base.position == inputs[i].position);
        errors.holds([base.inverse_mass, guess.inverse_mass] == [inputs[i].inverse_mass; 2]);
        if system.pinned(i) {
            errors.holds(*base == inputs[i] && *guess == inputs[i]);
            continue;
        }
        let begun = begun(&oracle, i, f64::from(halves[i].w));
        let scale = begun.scale;
        errors.vector(base.velocity, begun.start, scale);
        errors.vector(guess.velocity, begun.guess, scale);
        errors.holds(guess.position == inputs[i].position);
    }
    Ok(())
}

/// What `implicit_momentum` is given.
struct Momentum {
    chunks: Vec<Chunk>,
    impulses: Vec<Vec4>,
    bases: Vec<Particle>,
    /// One body of four is tied to a place.
    groups: Vec<u32>,
}

impl Momentum {
    fn new(bench: &Bench<'_>) -> Self {
        let (mut random, count) = (Random::new(87), bench.len());
        let chunk = |random: &mut Random| {
            // Short ones, too: something holds most of the long ones.
            let most = [8, 257][random.index(0, 2)];
            random.range(count, most)
        };
        let impulse = |random: &mut Random| {
            // Of those that a solid may touch few press.
            let number = match random.index(0, 60) {
                0 => 3.0,
                k => -((k % 3) as f32),
            };
            random.vector(1.0).as_vec3().extend(number)
        };
        let word = |k: u32| k | if k % 4 == 1 { TIE_HELD } else { 0 };
        let places = count * MAX_TOUCHING as usize;
        Self {
            chunks: (0..count).map(|_| chunk(&mut random)).collect(),
            impulses: (0..places).map(|_| impulse(&mut random)).collect(),
            bases: bases(bench, 88),
            groups: (0..bench.case.bodies.len() as u32).map(word).collect(),
        }
    }
}

/// What is left of the equations of momenta in random chunks, some of them with particles that are held.
fn momentum(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (oracle, count) = (bench.oracle(), bench.len());
    let (given, mut random) = (Momentum::new(bench), Random::new(92));
    let firsts = (0..bench.case.bodies.len()).map(|_| random.index(0, count) as u32);
    let bodies: Vec<_> =
        firsts.map(|chunk_first| Body { chunk_first, ..Body::default() }).collect();
    let arrays: &Arrays<'_> = &[
        ("tie_groups", &given.groups),
        ("bodies", &bodies),
        ("base", &given.bases),
        ("chunks", &given.chunks),
        ("solid_impulses", &given.impulses),
        ("momenta", &vec![MomentumPart::default(); count]),
    ];
    let sim = Sim { chunk_count: count as u32, ..bench.case.sim };
    let after = bench.run(sim, count * WORKGROUP as usize, arrays)?;
    let own = |(i, base): (usize, &Particle)| {
        lack(&oracle, i, base.position.as_dvec3(), base.velocity.as_dvec3())
    };
    let masses: Vec<_> = given.bases.iter().enumerate().map(own).collect();
    for (got, range) in after.get::<MomentumPart>("momenta").iter().zip(&given.chunks) {
        let part = range.first as usize..range.end as usize;
        let pressed = |i: usize| {
            let solids = &given.impulses[places(i)];
            bench.case.content.solids && solids.iter().any(|j| j.w > 0.0)
        };
        let held = |i: usize| oracle.system.pinned(i) || pressed(i);
        let body = oracle.system.body[range.first as usize];
        let first = given.chunks[bodies[body].chunk_first as usize].first as usize;
        let origin = given.bases[first].position;
        if given.groups[body] >= TIE_HELD || part.clone().any(held) {
            errors.holds(*got == momenta::held(origin));
        } else {
            momenta::compare(got, &masses[part], origin, errors);
        }
    }
    Ok(())
}

/// What a particle lacks of the momentum of its step, which begins at a place with v*.
pub fn lack(oracle: &Oracle<'_>, i: usize, start: DVec3, target: DVec3) -> Mass {
    let mass = oracle.system.mass(i) * (1.0 + oracle.h * oracle.system.drag);
    let (x, v) = (oracle.system.position[i], oracle.system.velocity[i]);
    Mass::particle(mass, [start, x, v], oracle.left(i, target))
}

/// The velocities that solids without friction leave of `v`, and x_n + h times these without the `turns`, projected, from
/// `starts` x_n.
pub fn ended(oracle: &Oracle<'_>, starts: &[DVec3], v: Scaled, turns: &Scaled) -> (Scaled, Scaled) {
    let v = oracle.slippery().push(starts, v);
    let x = oracle.advance(starts, oracle.h, &v.clone().plus(-1.0, turns));
    (v, x)
}

/// What the end leaves of velocities and of those that bodies are given, and which bodies are free.
fn end(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (oracle, inputs) = (bench.oracle(), &bench.case.particles);
    let (bases, halves) = (bases(bench, 82), kept(bench, 83));
    let starts = positions(&bases);
    let mut random = Random::new(90);
    let shifts: Vec<_> = (0..bench.case.bodies.len())
        .map(|k| match k % 2 {
            0 => BodyMotion {
                shift: random.vector(0.1).as_vec3().extend(1.0),
                turn: random.vector(0.3).as_vec3().extend(0.0),
                origin: random.vector(1.0).as_vec3().extend(0.0),
            },
            _ => BodyMotion::default(),
        })
        .collect();
    let shift = |i: usize| shifts[oracle.system.body[i]];
    let mut shifted = Scaled::exact(oracle.system.velocity.clone());
    let mut turns = Scaled::exact(vec![DVec3::ZERO; inputs.len()]);
    for i in (0..inputs.len()).filter(|i| !oracle.system.pinned(*i)) {
        let BodyMotion { shift, turn, origin } = shift(i);
        let [shift, turn, origin] = [shift, turn, origin].map(|row| row.truncate().as_dvec3());
        let x = oracle.system.position[i];
        turns.value[i] = turn.cross(x - origin);
        turns.scale[i] = turn.length() * (x.length() + origin.length());
        shifted.value[i] += shift + turns.value[i];
        shifted.scale[i] += shift.length() + turns.scale[i];
    }
    let already = pushes::random(bench, 91);
    let after = bench.run_each(&[
        ("base", &bases),
        ("body_shifts", &shifts),
        ("half_velocity", &halves),
        ("status", &pushes::status(bench, &already)),
    ])?;
    let slippery = oracle.slippery();
    let wanted = pushes::wanted(&slippery, &starts, &shifted, &already);
    pushes::compare(&after, &oracle, &wanted, errors);
    let (v, x) = ended(&oracle, &starts, shifted, &turns);
    let (got, kept): (_, Vec<Vec4>) = (after.particles(), after.get("half_velocity"));
    errors.vectors(got.iter().map(|p| p.velocity), &v);
    errors.vectors(got.iter().map(|p| p.position), &x);
    errors.vectors(kept.iter().map(|p| p.truncate()), &v);
    for (i, got) in got.iter().enumerate() {
        errors.holds(got.inverse_mass == inputs[i].inverse_mass);
        errors.holds(kept[i].w == shift(i).shift.w);
    }
    faults::check(bench, errors)?;
    faults::jumps(bench, errors)
}
