//! The passes that keep bodies apart, on random contacts.

use glam::{DVec3, UVec2, Vec3, Vec4};

use super::linked::{contacts, exact, impulse, in_order, lists};
use crate::Result;
use crate::gpu::types::{
    AGAIN_SPEED, Body, Collide, Impulse, LOAD_UNIT, Particle, ROW_SORTED, Sim,
};
use crate::reference::contact::impulse as reference;
use crate::reference::contact::project::{push, split_inverse_mass};
use crate::reference::contact::triangles::Contact as Wanted;
use crate::verify::touch::{Touch, push_terms};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Oracle, Random, Scaled, pushes};

/// Each particle's load, as the lists have it.
fn loads(rows: &[u32], particles: usize) -> Vec<f64> {
    let load = |row: &[u32]| f64::from(row[1] & !ROW_SORTED) / f64::from(LOAD_UNIT);
    rows[..2 * particles].chunks_exact(2).map(load).collect()
}

/// Some impulses of all records, and those of the contacts.
fn impulses(
    records: usize,
    real: &[usize],
    random: &mut Random,
) -> (Vec<Impulse>, Vec<reference::Impulse>) {
    let all: Vec<_> = (0..records).map(|c| impulse(c as u32, random)).collect();
    let exact = real.iter().map(|c| exact(&all[*c])).collect();
    (all, exact)
}

/// Velocities after impulses; scale: the sum of the magnitudes of all.
fn pushed(
    touch: &Touch,
    before: &[DVec3],
    impulses: &[reference::Impulse],
    magnitudes: &[f64],
) -> Scaled {
    let value = reference::velocities(&touch.scene, &touch.wanted, before, impulses);
    let mut scale: Vec<_> = before.iter().map(|v| v.length()).collect();
    for (contact, magnitude) in touch.wanted.iter().zip(magnitudes) {
        for (k, w) in contact.participants() {
            scale[k] += w.abs() * touch.scene.inverse_mass[k] * magnitude;
        }
    }
    Scaled { value, scale }
}

fn magnitudes(impulses: &[reference::Impulse]) -> Vec<f64> {
    impulses
        .iter()
        .map(|i| i.normal.abs() + i.tangential.length())
        .collect()
}

/// Random contacts of a case in lists, with the impulses before and after an iteration.
struct Given {
    touch: Touch,
    /// Which of the records are contacts.
    real: Vec<usize>,
    rows: Vec<u32>,
    before: Vec<Impulse>,
    old: Vec<reference::Impulse>,
    after: Vec<Impulse>,
    new: Vec<reference::Impulse>,
}

impl Given {
    fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (touch, real) = contacts(bench, &mut random);
        let rows = lists(&touch.contacts, bench.len(), &mut random);
        let (before, old) = impulses(touch.contacts.len(), &real, &mut random);
        let (after, new) = impulses(touch.contacts.len(), &real, &mut random);
        Self {
            touch,
            real,
            rows,
            before,
            old,
            after,
            new,
        }
    }
}

/// Positions pushed apart, and lists in order.
pub fn project(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    for source in [0, 1] {
        let collide = Collide {
            source,
            ..Collide::default()
        };
        let Given { touch, rows, .. } = Given::new(bench, 63);
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("rows", &rows),
            ("contacts", &touch.contacts),
        ];
        let after = bench.run(bench.case.sim, count, arrays)?;
        let x = displaced(&touch, source, &loads(&rows, count));
        let got = after.particles();
        errors.vectors(got.iter().map(|p| p.position), &x);
        for (got, before) in got.iter().zip(&bench.case.particles) {
            errors.kept(got, before, |p, got| p.position = got.position);
        }
        in_order(errors, &rows, &after.get::<u32>("rows"), count);
        // The longest way.
        after.skip("status");
    }
    Ok(())
}

/// Positions after the projection; scale: |x| and the sum of the magnitudes of the displacements, and of what these are
/// differences of.
fn displaced(touch: &Touch, source: u32, loads: &[f64]) -> Scaled {
    let scene = &touch.scene;
    let mut moved = Scaled::exact(scene.position.clone());
    for contact in &touch.wanted {
        let push = match source {
            0 => push(contact, scene.step),
            _ if contact.depth > 0.0 => contact.estimate.max(0.0),
            _ => 0.0,
        };
        let terms = if source == 0 {
            push_terms(contact, scene.step)
        } else {
            push
        };
        let inverse_mass = split_inverse_mass(contact, &scene.inverse_mass, loads);
        if inverse_mass > 0.0 {
            for (k, w) in contact.participants() {
                let share = w / inverse_mass * scene.inverse_mass[k];
                moved.value[k] += share * push * contact.direction;
                moved.scale[k] += share.abs() * terms;
            }
        }
    }
    moved
}

/// The first iteration, see [`solve`]. Further ones run where it changes a velocity much.
pub fn iterate(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    solve(bench, errors, false)
}

/// A further iteration, see [`solve`]; it keeps what it started from.
pub fn iterate_again(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    solve(bench, errors, true)
}

/// One iteration. A contact that no particle moves for, and what is no contact, stay.
fn solve(bench: &Bench<'_>, errors: &mut ErrorStats, again: bool) -> Result<()> {
    let inputs = &carried(&bench.case.particles);
    let moved = u32::from(again);
    let given = Given::new(bench, 64);
    let (touch, real, before) = (&given.touch, &given.real, &given.before);
    let loads = loads(&given.rows, bench.len());
    let lead = f64::from(moved) * f64::from(bench.case.sim.step);
    let u = free_velocities(bench, inputs, lead);
    let wanted = reference::iterate(&touch.scene, &touch.wanted, &loads, &u.value, &given.old);
    let none = vec![Impulse::default(); before.len()];
    let (warm, now) = if again {
        (&none, before)
    } else {
        (before, &none)
    };
    let collide = Collide {
        capacity: before.len() as u32,
        moved,
        particle_groups: UVec2::new(5, 6),
        record_groups: UVec2::new(7, 8),
        ..Collide::default()
    };
    let arrays: &Arrays<'_> = &[
        ("particles_in", inputs),
        ("collide", &[collide]),
        ("rows", &given.rows),
        ("contacts", &touch.contacts),
        ("impulses_warm_start", warm),
        ("impulses", now),
        ("rounds", &[0_u32; 6]),
    ];
    let after = bench.run(bench.case.sim, before.len(), arrays)?;
    let got: Vec<Impulse> = after.get("impulses");
    errors.holds(after.get::<Impulse>("impulses_warm_start") == *before);
    let much = real.iter().any(|&c| {
        let mass = inputs[touch.contacts[c].particles.x as usize].inverse_mass;
        (got[c].normal - before[c].normal).abs() * mass > AGAIN_SPEED
    });
    let rounds = if much && !again {
        [5, 6, 1, 7, 8, 1]
    } else {
        [0; 6]
    };
    errors.words(&after.get::<u32>("rounds"), &rounds);
    for (c, got) in got.iter().enumerate() {
        errors.kept(got, &before[c], |impulse, got| {
            (impulse.tangent, impulse.normal) = (got.tangent, got.normal);
            impulse.normal_change = got.normal_change;
            impulse.tangent_change = got.tangent_change;
        });
        errors.holds(real.contains(&c) || *got == before[c]);
    }
    for (k, contact) in touch.wanted.iter().enumerate() {
        let got = &got[real[k]];
        match split_inverse_mass(contact, &touch.scene.inverse_mass, &loads) {
            0.0 => errors.holds(*got == before[real[k]]),
            split => compare(got, contact, &u, split, [&given.old[k], &wanted[k]], errors),
        }
    }
    Ok(())
}

/// Compares an impulse that `was` another. Scale of λ_n: its magnitude and those of what changes it; of λ_t likewise, times
/// what the cone leaves of it, and of the cone.
fn compare(
    got: &Impulse,
    contact: &Wanted,
    u: &Scaled,
    split: f64,
    [was, wanted]: [&reference::Impulse; 2],
    errors: &mut ErrorStats,
) {
    let parts = contact.participants();
    let speeds: f64 = parts.iter().map(|(k, w)| w.abs() * u.scale[*k]).sum();
    let relative: DVec3 = parts.iter().map(|(k, w)| *w * u.value[*k]).sum();
    let normal = was.normal + (speeds + contact.target.abs()) / split;
    let before = was.tangential.length() + speeds / split;
    let along = relative.dot(contact.direction) * contact.direction;
    let free = (was.tangential - (relative - along) / split).length();
    let share = (contact.friction * wanted.normal / free.max(f64::MIN_POSITIVE)).min(1.0);
    let cone = contact.friction * normal;
    errors.number(got.normal, wanted.normal, normal);
    errors.vector(got.tangent, wanted.tangential, before * share + cone);
    let scale = was.normal_change.abs() + 2.0 * normal;
    errors.number(got.normal_change, wanted.normal_change, scale);
    let scale = was.tangential_change + 2.0 * before + cone;
    errors.number(got.tangent_change, wanted.tangential_change, scale);
}

/// The velocities of particles as the solids leave them; held ones keep theirs.
fn free_velocities(bench: &Bench<'_>, particles: &[Particle], lead: f64) -> Scaled {
    let oracle = Oracle::new(bench.case, &bench.case.sim, particles);
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    oracle.push_at(lead, x, Scaled::exact(v.clone()))
}

/// Held particles move, too.
fn carried(particles: &[Particle]) -> Vec<Particle> {
    let mut random = Random::new(67);
    let carry = |p: &Particle| {
        let velocity = random.vector(2.0).as_vec3();
        match p.inverse_mass {
            0.0 => Particle { velocity, ..*p },
            _ => *p,
        }
    };
    particles.iter().map(carry).collect()
}

/// The case's bodies, of which every second one touches.
fn touching(bench: &Bench<'_>) -> Vec<Body> {
    let touching = |(index, body): (usize, &Body)| Body {
        touching: 1 - index as u32 % 2,
        ..*body
    };
    bench.case.bodies.iter().enumerate().map(touching).collect()
}

/// Velocities with what changed of the impulses.
fn changed(
    touch: &Touch,
    v: &[DVec3],
    old: &[reference::Impulse],
    new: &[reference::Impulse],
) -> Scaled {
    let change = |(old, new): (&reference::Impulse, &reference::Impulse)| reference::Impulse {
        normal: new.normal - old.normal,
        tangential: new.tangential - old.tangential,
        ..Default::default()
    };
    let changes: Vec<_> = old.iter().zip(new).map(change).collect();
    let sizes = magnitudes(old).into_iter().zip(magnitudes(new));
    let sizes: Vec<_> = sizes.map(|(old, new)| old + new).collect();
    pushed(touch, v, &changes, &sizes)
}

/// The uniform where the integrator has moved the particles or not, and their share of the way.
fn uniform((moved, share): (u32, f64)) -> [Collide; 1] {
    [Collide {
        moved,
        share: share as f32,
        ..Collide::default()
    }]
}

/// Velocities with what the iteration changed of the impulses, and the move; bodies that do not touch stay.
pub fn advance(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (inputs, count, oracle) = (&bench.case.particles, bench.len(), bench.oracle());
    let bodies = touching(bench);
    for (moved, share) in [(0, 0.7), (1, 0.5), (1, 0.0)] {
        let mut given = Given::new(bench, 65);
        given.rows[2 * count] = given.touch.contacts.len() as u32;
        let already = pushes::random(bench, 68);
        let (collide, status) = (uniform((moved, share)), pushes::status(bench, &already));
        let arrays: &Arrays<'_> = &[
            ("collide", &collide),
            ("rows", &given.rows),
            ("contacts", &given.touch.contacts),
            ("impulses_warm_start", &given.before),
            ("impulses", &given.after),
            ("bodies", &bodies),
            ("status", &status),
        ];
        let after = bench.run(bench.case.sim, count, arrays)?;
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let lead = f64::from(moved) * oracle.h;
        let free = changed(&given.touch, v, &given.old, &given.new);
        let u = oracle.push_at(lead, x, free.clone());
        let known = if moved == 0 { &[][..] } else { &already };
        let mut wanted = pushes::wanted(&oracle, lead, x, &free, known);
        let stays = |i: usize| bodies[oracle.system.body[i]].touching == 0;
        for i in (0..count).filter(|i| stays(*i)) {
            wanted[i] = (already[i].clone(), 0.0);
        }
        pushes::compare(&after, &oracle, &wanted, errors);
        let share = f64::from(share as f32);
        let way = match moved {
            0 => u.clone(),
            _ => Scaled::exact(vec![DVec3::ZERO; count])
                .plus(share, &u)
                .plus(-share, &Scaled::exact(v.clone())),
        };
        let x = oracle.advance(x, oracle.h, &way);
        for (i, got) in after.particles().iter().enumerate() {
            if stays(i) || inputs[i].inverse_mass == 0.0 {
                errors.holds(*got == inputs[i]);
                continue;
            }
            errors.vector(got.velocity, u.value[i], u.scale[i]);
            errors.vector(got.position, x.value[i], x.scale[i]);
            errors.kept(got, &inputs[i], |p, got| {
                (p.position, p.velocity) = (got.position, got.velocity);
            });
        }
        lost(bench, errors, |sim, particles| {
            let state: &Arrays<'_> = &[("particles_in", particles), ("particles_out", particles)];
            let after = bench.run(sim, count, &[arrays, state].concat())?;
            after.skip("particles_out");
            Ok(after.status()[0])
        })?;
    }
    Ok(())
}

/// Velocities with what an iteration changed of the impulses, see [`kick`].
pub fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    kick(bench, errors, false)
}

/// Velocities with the impulses that the step starts with, see [`kick`].
pub fn warm(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    kick(bench, errors, true)
}

/// Velocities with impulses, all of those to start with or what changed of them; where the integrator has moved the
/// particles, their share of the way.
fn kick(bench: &Bench<'_>, errors: &mut ErrorStats, all: bool) -> Result<()> {
    let (inputs, oracle) = (&bench.case.particles, bench.oracle());
    for (moved, share) in [(0, 0.7), (1, 0.5)] {
        let given = Given::new(bench, 66);
        let arrays: &Arrays<'_> = &[
            ("collide", &uniform((moved, share))),
            ("rows", &given.rows),
            ("contacts", &given.touch.contacts),
            ("impulses_warm_start", &given.before),
            ("impulses", &given.after),
        ];
        let after = bench.run(bench.case.sim, bench.len(), arrays)?;
        // The longest way.
        after.skip("status");
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let u = match all {
            true => pushed(&given.touch, v, &given.old, &magnitudes(&given.old)),
            false => changed(&given.touch, v, &given.old, &given.new),
        };
        let way = Scaled::exact(vec![DVec3::ZERO; bench.len()])
            .plus(share * f64::from(moved), &u)
            .plus(-share * f64::from(moved), &Scaled::exact(v.clone()));
        let x = Scaled::exact(x.clone()).plus(oracle.h, &way);
        for (i, got) in after.particles().iter().enumerate() {
            errors.vector(got.velocity, u.value[i], u.scale[i]);
            if moved == 0 || inputs[i].inverse_mass == 0.0 {
                errors.holds(got.position == inputs[i].position);
            } else {
                errors.vector(got.position, x.value[i], x.scale[i]);
            }
        }
    }
    Ok(())
}

/// A particle that is too fast is noticed, with its step and body, where its body touches. `word`: the fault word.
fn lost(
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
    word: impl Fn(Sim, &Vec<Particle>) -> Result<u32>,
) -> Result<()> {
    let free = |i: &usize| bench.case.particles[*i].inverse_mass > 0.0;
    let sim = Sim {
        slot: 3,
        solid_count: 0,
        ..bench.case.sim
    };
    for (index, body) in bench.case.model.bodies.iter().enumerate() {
        let Some(culprit) = body.particles.clone().find(free) else {
            continue;
        };
        let noticed = match index % 2 {
            0 => sim.slot * sim.body_count + index as u32,
            _ => u32::MAX,
        };
        for speed in [2e4, f32::NAN, f32::INFINITY] {
            let mut particles = bench.case.particles.clone();
            particles[culprit].velocity = Vec3::X * speed;
            errors.holds(word(sim, &particles)? == noticed);
        }
    }
    Ok(())
}

/// v = (3 v_half − v_half_old)/2 of bodies that touch, but of what is held; scale: the sum of the magnitudes.
pub fn leapfrog_end(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (inputs, oracle) = (&bench.case.particles, bench.oracle());
    let bodies = touching(bench);
    let mut random = Random::new(66);
    let half = |_| random.vector(2.0).as_vec3().extend(0.0);
    let old: Vec<Vec4> = (0..bench.len()).map(half).collect();
    let arrays: &Arrays<'_> = &[("bodies", &bodies), ("half_velocity", &old)];
    let after = bench.run(bench.case.sim, bench.len(), arrays)?;
    let halves: Vec<Vec4> = after.get("half_velocity");
    for (i, got) in after.particles().iter().enumerate() {
        if bodies[oracle.system.body[i]].touching == 0 || inputs[i].inverse_mass == 0.0 {
            errors.holds(*got == inputs[i] && halves[i] == old[i]);
            continue;
        }
        let (half, before) = (inputs[i].velocity.as_dvec3(), old[i].truncate().as_dvec3());
        let scale = 1.5 * half.length() + before.length();
        errors.vector(got.velocity, 1.5 * half - 0.5 * before, scale);
        errors.kept(got, &inputs[i], |p, got| p.velocity = got.velocity);
        errors.holds(halves[i].truncate() == inputs[i].velocity);
    }
    Ok(())
}
