//! The passes that keep bodies apart, on random contacts.

use glam::{DVec3, UVec2, Vec3};

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::oracle::{Oracle, Scaled};
use super::super::pushes;
use super::super::tally::Tally;
use super::super::touch::{Touch, push_terms, uniform};
use super::linked::{contacts, exact, impulse, in_order, lists};
use crate::Result;
use crate::gpu::types::{
    AGAIN_SPEED, Body, Collide, Impulse, LOAD_UNIT, Particle, ROW_SORTED, Sim,
};
use crate::gpu::{Buffer, Kernel};
use crate::reference::contact::impulse as reference;
use crate::reference::contact::project::{push, split_inverse_mass};

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

/// Positions pushed apart, and lists in order.
pub fn project(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs, count) = (bench.context, &bench.case.particles, bench.len());
    for source in [0, 1] {
        let mut random = Random::new(63);
        let (touch, _) = contacts(bench, &mut random);
        let before = lists(&touch.contacts, count, &mut random);
        let rows = Buffer::new(context, "rows", &before)?;
        let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
        let collide = uniform(
            context,
            Collide {
                source,
                ..Collide::default()
            },
        );
        let others = [
            collide.bind("collide"),
            rows.bind("rows"),
            contacts.bind("contacts"),
        ];
        bench.write(inputs, inputs);
        bench.run(kernel, bench.case.sim, count, &others);
        tally.case();
        let x = displaced(&touch, source, &loads(&before, count));
        for (i, got) in bench.written()?.iter().enumerate() {
            tally.vector(got.position, x.value[i], x.scale[i]);
            let position = got.position;
            tally.holds(
                *got == Particle {
                    position,
                    ..inputs[i]
                },
            );
        }
        in_order(tally, &before, &rows.read(context)?, count);
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
pub fn iterate(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    solve(kernel, bench, tally, false)
}

/// A further iteration, see [`solve`]; it keeps what it started from.
pub fn iterate_again(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    solve(kernel, bench, tally, true)
}

/// One iteration. Scale of λ_n: its magnitude and those of what changes it; of λ_t likewise, times what the cone leaves
/// of it, and of the cone.
fn solve(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally, again: bool) -> Result<()> {
    let (context, count) = (bench.context, bench.len());
    let inputs = &carried(&bench.case.particles);
    let moved = u32::from(again);
    let mut random = Random::new(64);
    let (touch, real) = contacts(bench, &mut random);
    let rows = lists(&touch.contacts, count, &mut random);
    let loads = loads(&rows, count);
    let (warm, exact) = impulses(touch.contacts.len(), &real, &mut random);
    let inverse_mass = |contact| split_inverse_mass(contact, &touch.scene.inverse_mass, &loads);
    let u = free_velocities(
        bench,
        inputs,
        f64::from(moved) * f64::from(bench.case.sim.step),
    );
    let wanted = reference::iterate(&touch.scene, &touch.wanted, &loads, &u.value, &exact);

    let rows = Buffer::new(context, "rows", &rows)?;
    let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
    let none = vec![Impulse::default(); warm.len()];
    let (start, other) = if again {
        (&none, &warm)
    } else {
        (&warm, &none)
    };
    let warm_buffer = Buffer::new(context, "impulses_warm_start", start)?;
    let impulses = Buffer::new(context, "impulses", other)?;
    let rounds = Buffer::new(context, "rounds", &[0_u32; 6])?;
    let collide = Collide {
        capacity: warm.len() as u32,
        moved,
        particle_groups: UVec2::new(5, 6),
        record_groups: UVec2::new(7, 8),
        ..Collide::default()
    };
    let collide = uniform(context, collide);
    let others = [
        collide.bind("collide"),
        rows.bind("rows"),
        contacts.bind("contacts"),
        warm_buffer.bind("impulses_warm_start"),
        impulses.bind("impulses"),
        rounds.bind("rounds"),
    ];
    bench.write(inputs, inputs);
    bench.run(kernel, bench.case.sim, warm.len(), &others);
    tally.case();
    let got = impulses.read(context)?;
    tally.holds(warm_buffer.read(context)? == warm);
    let much = real.iter().any(|&c| {
        let mass = inputs[touch.contacts[c].particles.x as usize].inverse_mass;
        (got[c].normal - warm[c].normal).abs() * mass > AGAIN_SPEED
    });
    let wanted_rounds = if much && !again {
        [5, 6, 1, 7, 8, 1]
    } else {
        [0; 6]
    };
    tally.words(&rounds.read(context)?, &wanted_rounds);
    for (c, got) in got.iter().enumerate() {
        tally.holds(
            *got == Impulse {
                tangent: got.tangent,
                normal: got.normal,
                normal_change: got.normal_change,
                tangent_change: got.tangent_change,
                ..warm[c]
            },
        );
        if !real.contains(&c) {
            tally.holds(*got == warm[c]);
        }
    }
    for (k, contact) in touch.wanted.iter().enumerate() {
        let (got, split) = (&got[real[k]], inverse_mass(contact));
        if split == 0.0 {
            tally.holds(*got == warm[real[k]]);
            continue;
        }
        let speeds: f64 = contact
            .participants()
            .iter()
            .map(|(k, w)| w.abs() * u.scale[*k])
            .sum();
        let normal = exact[k].normal + (speeds + contact.target.abs()) / split;
        let before = exact[k].tangential.length() + speeds / split;
        let relative: DVec3 = contact
            .participants()
            .iter()
            .map(|(k, w)| *w * u.value[*k])
            .sum();
        let along = relative.dot(contact.direction) * contact.direction;
        let free = (exact[k].tangential - (relative - along) / split).length();
        let share = (contact.friction * wanted[k].normal / free.max(f64::MIN_POSITIVE)).min(1.0);
        tally.number(got.normal, wanted[k].normal, normal);
        tally.vector(
            got.tangent,
            wanted[k].tangential,
            before * share + contact.friction * normal,
        );
        let (was, wanted) = (&exact[k], &wanted[k]);
        tally.number(
            got.normal_change,
            wanted.normal_change,
            was.normal_change.abs() + 2.0 * normal,
        );
        tally.number(
            got.tangent_change,
            wanted.tangential_change,
            was.tangential_change + 2.0 * before + contact.friction * normal,
        );
    }
    Ok(())
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

/// Velocities with what the iteration changed of the impulses, and the move; bodies that do not touch stay.
pub fn advance(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs, count) = (bench.context, &bench.case.particles, bench.len());
    let oracle = Oracle::new(bench.case, &bench.case.sim, inputs);
    let body_values = touching(bench);
    let bodies = Buffer::new(context, "bodies", &body_values)?;
    for (moved, share) in [(0, 0.7), (1, 0.5), (1, 0.0)] {
        let mut random = Random::new(65);
        let (touch, real) = contacts(bench, &mut random);
        let mut rows = lists(&touch.contacts, count, &mut random);
        rows[2 * count] = touch.contacts.len() as u32;
        let (before, old) = impulses(touch.contacts.len(), &real, &mut random);
        let (after, new) = impulses(touch.contacts.len(), &real, &mut random);
        let rows = Buffer::new(context, "rows", &rows)?;
        let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
        let warm = Buffer::new(context, "impulses_warm_start", &before)?;
        let impulses = Buffer::new(context, "impulses", &after)?;
        let collide = Collide {
            moved,
            share: share as f32,
            ..Collide::default()
        };
        let collide = uniform(context, collide);
        let others = [
            collide.bind("collide"),
            rows.bind("rows"),
            contacts.bind("contacts"),
            warm.bind("impulses_warm_start"),
            impulses.bind("impulses"),
            bodies.bind("bodies"),
        ];
        bench.write(inputs, inputs);
        let already = pushes::random(bench, 68);
        pushes::write(bench, &already);
        bench.run(kernel, bench.case.sim, count, &others);
        tally.case();
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let lead = f64::from(moved) * oracle.h;
        let free = changed(&touch, v, &old, &new);
        let u = oracle.push_at(lead, x, free.clone());
        let after = if moved == 0 { &[][..] } else { &already };
        let mut wanted = pushes::wanted(&oracle, lead, x, &free, after);
        for (i, wanted) in wanted.iter_mut().enumerate() {
            if body_values[oracle.system.body[i]].touching == 0 {
                *wanted = (already[i].clone(), 0.0);
            }
        }
        pushes::compare(bench, &oracle, &wanted, tally)?;
        let share = f64::from(share as f32);
        let way = match moved {
            0 => u.clone(),
            _ => Scaled::exact(vec![DVec3::ZERO; count])
                .plus(share, &u)
                .plus(-share, &Scaled::exact(v.clone())),
        };
        let x = oracle.advance(x, oracle.h, &way);
        for (i, got) in bench.written()?.iter().enumerate() {
            let body = &body_values[oracle.system.body[i]];
            if body.touching == 0 || inputs[i].inverse_mass == 0.0 {
                tally.holds(*got == inputs[i]);
                continue;
            }
            tally.vector(got.velocity, u.value[i], u.scale[i]);
            tally.vector(got.position, x.value[i], x.scale[i]);
            let (position, velocity) = (got.position, got.velocity);
            tally.holds(
                *got == Particle {
                    position,
                    velocity,
                    ..inputs[i]
                },
            );
        }
        tally.holds(bench.status.read(context)?[0] == u32::MAX);
        lost(kernel, bench, &others, tally)?;
    }
    Ok(())
}

/// Velocities with what an iteration changed of the impulses, see [`kick`].
pub fn apply(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    kick(kernel, bench, tally, false)
}

/// Velocities with the impulses that the step starts with, see [`kick`].
pub fn warm(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    kick(kernel, bench, tally, true)
}

/// Velocities with impulses, all of those to start with or what changed of them; where the integrator has moved the
/// particles, their share of the way.
fn kick(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally, all: bool) -> Result<()> {
    let (context, inputs, count) = (bench.context, &bench.case.particles, bench.len());
    let oracle = Oracle::new(bench.case, &bench.case.sim, inputs);
    for (moved, share) in [(0, 0.7), (1, 0.5)] {
        let mut random = Random::new(66);
        let (touch, real) = contacts(bench, &mut random);
        let rows = lists(&touch.contacts, count, &mut random);
        let (before, old) = impulses(touch.contacts.len(), &real, &mut random);
        let (after, new) = impulses(touch.contacts.len(), &real, &mut random);
        let rows = Buffer::new(context, "rows", &rows)?;
        let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
        let warm = Buffer::new(context, "impulses_warm_start", &before)?;
        let impulses = Buffer::new(context, "impulses", &after)?;
        let collide = Collide {
            moved,
            share: share as f32,
            ..Collide::default()
        };
        let collide = uniform(context, collide);
        let others = [
            collide.bind("collide"),
            rows.bind("rows"),
            contacts.bind("contacts"),
            warm.bind("impulses_warm_start"),
            impulses.bind("impulses"),
        ];
        bench.write(inputs, inputs);
        bench.run(kernel, bench.case.sim, count, &others);
        tally.case();
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let u = match all {
            true => pushed(&touch, v, &old, &magnitudes(&old)),
            false => changed(&touch, v, &old, &new),
        };
        let way = Scaled::exact(vec![DVec3::ZERO; count])
            .plus(share * f64::from(moved), &u)
            .plus(-share * f64::from(moved), &Scaled::exact(v.clone()));
        let x = Scaled::exact(x.clone()).plus(oracle.h, &way);
        for (i, got) in bench.written()?.iter().enumerate() {
            tally.vector(got.velocity, u.value[i], u.scale[i]);
            if moved == 0 || inputs[i].inverse_mass == 0.0 {
                tally.holds(got.position == inputs[i].position);
            } else {
                tally.vector(got.position, x.value[i], x.scale[i]);
            }
        }
    }
    Ok(())
}

/// A particle that is too fast is noticed, with its step and body, where its body touches.
fn lost(
    kernel: &Kernel,
    bench: &Bench<'_>,
    others: &[crate::gpu::Binding<'_>],
    tally: &mut Tally,
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
        for speed in [2e4, f32::NAN, f32::INFINITY] {
            let mut particles = bench.case.particles.clone();
            particles[culprit].velocity = Vec3::X * speed;
            bench.write(&particles, &particles);
            bench.run(kernel, sim, bench.len(), others);
            let word = bench.status.read(bench.context)?[0];
            let noticed = sim.slot * sim.body_count + index as u32;
            tally.holds(word == if index % 2 == 0 { noticed } else { u32::MAX });
        }
    }
    Ok(())
}

/// v = (3 v_half − v_half_old)/2 of bodies that touch, but of what is held; scale: the sum of the magnitudes.
pub fn leapfrog_end(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs) = (bench.context, &bench.case.particles);
    let body_values = touching(bench);
    let bodies = Buffer::new(context, "bodies", &body_values)?;
    let mut random = Random::new(66);
    let old: Vec<_> = inputs
        .iter()
        .map(|_| random.vector(2.0).as_vec3().extend(0.0))
        .collect();
    bench.state.half_velocity.write(context, 0, &old);
    bench.write(inputs, inputs);
    bench.run(
        kernel,
        bench.case.sim,
        bench.len(),
        &[bodies.bind("bodies")],
    );
    tally.case();
    let halves = bench.state.half_velocity.read(context)?;
    let body_of = bench.case.model.bodies.iter().enumerate();
    let body_of: Vec<_> = body_of
        .flat_map(|(b, body)| body.particles.clone().map(move |_| b))
        .collect();
    for (i, got) in bench.written()?.iter().enumerate() {
        if body_values[body_of[i]].touching == 0 || inputs[i].inverse_mass == 0.0 {
            tally.holds(*got == inputs[i] && halves[i] == old[i]);
            continue;
        }
        let (half, before) = (inputs[i].velocity.as_dvec3(), old[i].truncate().as_dvec3());
        let velocity = got.velocity;
        tally.vector(
            velocity,
            1.5 * half - 0.5 * before,
            1.5 * half.length() + before.length(),
        );
        tally.holds(
            *got == Particle {
                velocity,
                ..inputs[i]
            },
        );
        tally.holds(halves[i].truncate() == inputs[i].velocity);
    }
    Ok(())
}
