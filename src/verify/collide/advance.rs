//! The passes that move particles by what contacts do, on random contacts.

use glam::{DVec3, Vec3, Vec4};

use super::respond::Given;
use crate::Result;
use crate::gpu::types::{Body, Collide, NONE, Particle, Sim};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random, Scaled, pushes};

/// The case's bodies, of which every second one touches.
fn touching(bench: &Bench<'_>) -> Vec<Body> {
    let touching = |(index, body): (usize, &Body)| Body { touching: 1 - index as u32 % 2, ..*body };
    bench.case.bodies.iter().enumerate().map(touching).collect()
}

/// The uniform where the integrator has moved the particles or not, and their share of the way.
fn uniform((moved, share): (u32, f64)) -> [Collide; 1] {
    [Collide { moved, share: share as f32, ..Collide::default() }]
}

/// share (u − v)
fn way(share: f64, u: &Scaled, v: &[DVec3]) -> Scaled {
    let none = Scaled::exact(vec![DVec3::ZERO; v.len()]);
    none.plus(share, u).plus(-share, &Scaled::exact(v.to_vec()))
}

/// Velocities with what the iteration changed of the impulses, and the move; bodies that do not touch stay.
pub fn advance(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (inputs, count, oracle) = (&bench.case.particles, bench.len(), bench.oracle());
    let bodies = touching(bench);
    for (moved, share) in [(0, 0.7), (1, 0.5), (1, 0.0)] {
        let given = Given::new(bench, 65);
        let already = pushes::random(bench, 68);
        let (collide, status) = (uniform((moved, share)), pushes::status(bench, &already));
        let arrays: &Arrays<'_> = &[
            ("collide", &collide),
            ("rows", &given.rows),
            ("bodies", &bodies),
            ("status", &status),
        ];
        let after = given.linked.run(bench, bench.case.sim, count, arrays)?;
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let lead = f64::from(moved) * oracle.h;
        let free = given.pushed(v);
        let u = oracle.push_at(lead, x, free.clone());
        let known = if moved == 0 { &[][..] } else { &already };
        let mut wanted = pushes::wanted(&oracle, lead, x, &free, known);
        let stays = |i: usize| bodies[oracle.system.body[i]].touching == 0;
        for i in (0..count).filter(|i| stays(*i)) {
            wanted[i] = (already[i].clone(), 0.0);
        }
        pushes::compare(&after, &oracle, &wanted, errors);
        let share = f64::from(share as f32);
        let way = if moved == 0 { u.clone() } else { way(share, &u, v) };
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
            let arrays = [arrays, state].concat();
            let after = given.linked.run(bench, sim, count, &arrays)?;
            after.skip("particles_out");
            Ok(after.status()[0])
        })?;
    }
    Ok(())
}

/// Velocities with what contacts give, and those as solids leave them; where the integrator has moved the particles, their
/// share of the way.
pub fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (inputs, oracle) = (&bench.case.particles, bench.oracle());
    let unseen = vec![Vec4::splat(7.0); bench.len()];
    for (moved, share) in [(0, 0.7), (1, 0.5)] {
        let given = Given::new(bench, 66);
        let arrays: &Arrays<'_> = &[
            ("collide", &uniform((moved, share))),
            ("rows", &given.rows),
            ("contact_velocities", &unseen),
        ];
        let after = given.linked.run(bench, bench.case.sim, bench.len(), arrays)?;
        // The longest way.
        after.skip("status");
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let u = given.pushed(v);
        let way = way(share * f64::from(moved), &u, v);
        let x = Scaled::exact(x.clone()).plus(oracle.h, &way);
        let seen = oracle.push_at(f64::from(moved) * oracle.h, &x.value, u.clone());
        let got_seen: Vec<Vec4> = after.get("contact_velocities");
        for (i, got) in after.particles().iter().enumerate() {
            errors.vector(got.velocity, u.value[i], u.scale[i]);
            if given.linked.lists[2 * i] == NONE {
                errors.holds(*got == inputs[i] && got_seen[i] == unseen[i]);
                continue;
            }
            errors.holds(got_seen[i].w == inputs[i].inverse_mass);
            errors.vector(got_seen[i].truncate(), seen.value[i], seen.scale[i]);
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
    let sim = Sim { slot: 3, solid_count: 0, ..bench.case.sim };
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
    let old = Random::new(66).fields(bench.len(), 2.0, 0.0);
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
