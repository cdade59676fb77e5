//! What moves particles at the end of an explicit step, and what contacts give them before.

use glam::{DVec3, Vec3, Vec4};

use super::collide::Given;
use super::states::shifted;
use super::trial::{Arrays, Written};
use super::{Bench, ErrorStats, Random, Scaled, pushes};
use crate::Result;
use crate::gpu::types::{Particle, Sim};

/// The velocity that the step ends with moves particles; the mean velocity does, with half or nothing of a change by contacts.
const SHARES: [f32; 3] = [1.0, 0.5, 0.0];

/// See [`with_contacts`], by the velocity that the step ends with.
pub fn by_velocity(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    with_contacts(bench, errors, &SHARES[..1])
}

/// By the mean velocity.
pub fn by_mean(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    with_contacts(bench, errors, &SHARES[1..])
}

/// Velocities with what the last iteration changed of the contacts' impulses, then what solids do; the way, and what is noted.
fn with_contacts(bench: &Bench<'_>, errors: &mut ErrorStats, shares: &[f32]) -> Result<()> {
    let given = Given::new(bench, 65);
    let rows: &dyn super::trial::Array = &given.rows;
    let room: &dyn super::trial::Array = &given.linked.room();
    let run = |sim, arrays: &Arrays<'_>| {
        given.linked.run(
            bench,
            sim,
            bench.len(),
            &[&[("collide", room), ("rows", rows)], arrays].concat(),
        )
    };
    let (inputs, oracle) = (&bench.case.particles, bench.oracle());
    let (x, v) = (&oracle.system.position, &oracle.system.velocity);
    let sums = shifted(inputs, 13);
    let already = pushes::random(bench, 68);
    let status = pushes::status(bench, &already);
    let none = Scaled::exact(vec![DVec3::ZERO; x.len()]);
    for contact_share in shares.iter().copied() {
        let sim = Sim { contact_share, ..bench.case.sim };
        let after = run(sim, &[("increments", &sums), ("status", &status)])?;
        let free = given.pushed(v);
        let u = oracle.push(x, free.clone());
        pushes::compare(&after, &oracle, &pushes::wanted(&oracle, x, &free, &[]), errors);
        let share = f64::from(contact_share);
        let by_mean = || {
            let ways = Scaled::exact(sums.iter().map(|p| p.position.as_dvec3()).collect());
            let changed = none.plus(share, &free).plus(-share, &Scaled::exact(v.clone()));
            oracle.push(x, none.plus(1.0 / oracle.h, &ways).plus(1.0, &changed))
        };
        let mean = if contact_share < 1.0 { by_mean() } else { u.clone() };
        let to = oracle.advance(x, oracle.h, &mean);
        for (i, got) in after.particles().iter().enumerate() {
            if inputs[i].inverse_mass == 0.0 {
                errors.holds(*got == inputs[i]);
                continue;
            }
            errors.vector(got.velocity, u.value[i], u.scale[i]);
            errors.vector(got.position, to.value[i], to.scale[i]);
            errors.kept(got, &inputs[i], |p, got| {
                (p.position, p.velocity) = (got.position, got.velocity);
            });
        }
    }
    lost(bench, errors, run)
}

/// A particle that is too fast is noticed, with its step and body.
fn lost(
    bench: &Bench<'_>,
    errors: &mut ErrorStats,
    run: impl Fn(Sim, &Arrays<'_>) -> Result<Written>,
) -> Result<()> {
    let free = |i: &usize| bench.case.particles[*i].inverse_mass > 0.0;
    let sim = Sim { slot: 3, solid_count: 0, contact_share: 1.0, ..bench.case.sim };
    for (index, body) in bench.case.model.bodies.iter().enumerate() {
        let Some(culprit) = body.particles.clone().find(free) else {
            continue;
        };
        for speed in [2e4, f32::NAN, f32::INFINITY] {
            let mut particles = bench.case.particles.clone();
            particles[culprit].velocity = Vec3::X * speed;
            let after = run(sim, &[("particles_out", &particles), ("increments", &particles)])?;
            after.skip("particles_out");
            errors.holds(after.status()[0] == sim.slot * sim.body_count + index as u32);
        }
    }
    Ok(())
}

/// Velocities with what contacts give, and those as solids leave them; where a mean velocity moves particles, its share.
pub fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let (inputs, oracle) = (&bench.case.particles, bench.oracle());
    let (unseen, sums) = (vec![Vec4::splat(7.0); bench.len()], shifted(inputs, 14));
    for contact_share in SHARES {
        let given = Given::new(bench, 66);
        let arrays: &Arrays<'_> = &[
            ("collide", &given.linked.room()),
            ("rows", &given.rows),
            ("contact_velocities", &unseen),
            ("increments", &sums),
        ];
        let sim = Sim { contact_share, ..bench.case.sim };
        let after = given.linked.run(bench, sim, bench.len(), arrays)?;
        let (x, v) = (&oracle.system.position, &oracle.system.velocity);
        let u = given.pushed(v);
        let seen = oracle.push(x, u.clone());
        let got_seen: Vec<Vec4> = after.get("contact_velocities");
        let ways: Vec<Particle> = after.get("increments");
        let share = f64::from(contact_share) * oracle.h;
        for (i, got) in after.particles().iter().enumerate() {
            let way = sums[i].position.as_dvec3();
            let further =
                if contact_share < 1.0 { share * (u.value[i] - v[i]) } else { DVec3::ZERO };
            errors.vector(ways[i].position, way + further, way.length() + share * u.scale[i]);
            errors.kept(&ways[i], &sums[i], |p, got| p.position = got.position);
            errors.vector(got.velocity, u.value[i], u.scale[i]);
            errors.kept(got, &inputs[i], |p, got| p.velocity = got.velocity);
            if given.linked.touch.lists.counts[i] == 0 {
                errors.holds(*got == inputs[i] && got_seen[i] == unseen[i]);
                continue;
            }
            errors.holds(got_seen[i].w == inputs[i].inverse_mass);
            errors.vector(got_seen[i].truncate(), seen.value[i], seen.scale[i]);
        }
    }
    Ok(())
}

/// v = (3 v_half − v_half_old)/2, but of what is held; scale: the sum of the magnitudes.
pub fn leapfrog_end(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let old = Random::new(66).fields(bench.len(), 2.0, 0.0);
    let after = bench.run(bench.case.sim, bench.len(), &[("half_velocity", &old)])?;
    let halves: Vec<Vec4> = after.get("half_velocity");
    for (i, got) in after.particles().iter().enumerate() {
        if inputs[i].inverse_mass == 0.0 {
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
