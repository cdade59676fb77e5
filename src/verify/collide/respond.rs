//! The passes that keep bodies apart, on random contacts.

use glam::{DVec3, UVec2};

use super::linked::{Linked, exact, in_order};
use crate::Result;
use crate::gpu::types::{AGAIN_SPEED, Collide, Impulse, LOAD_UNIT, Particle, ROW_SORTED};
use crate::reference::contact::impulse as reference;
use crate::reference::contact::project::{push, split_inverse_mass};
use crate::reference::contact::triangles::Contact as Wanted;
use crate::verify::touch::{Touch, push_terms};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Oracle, Random, Scaled};

/// Each particle's load, as the lists have it.
fn loads(rows: &[u32], particles: usize) -> Vec<f64> {
    let load = |row: &[u32]| f64::from(row[1] & !ROW_SORTED) / f64::from(LOAD_UNIT);
    rows[..2 * particles].chunks_exact(2).map(load).collect()
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
    impulses.iter().map(|i| i.normal.abs() + i.tangential.length()).collect()
}

/// Random contacts of a case in lists, with the impulses before and after an iteration.
pub(super) struct Given {
    pub linked: Linked,
    pub before: Vec<Impulse>,
    pub old: Vec<reference::Impulse>,
    pub after: Vec<Impulse>,
    pub new: Vec<reference::Impulse>,
}

impl Given {
    pub fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let linked = Linked::new(bench, &mut random);
        let (before, after) = (linked.impulses(&mut random), linked.impulses(&mut random));
        let of_contacts = |all: &[Impulse]| linked.real.iter().map(|c| exact(&all[*c])).collect();
        Self { old: of_contacts(&before), new: of_contacts(&after), linked, before, after }
    }

    /// Velocities with the impulses before the iteration.
    pub fn begun(&self, v: &[DVec3]) -> Scaled {
        pushed(&self.linked.touch, v, &self.old, &magnitudes(&self.old))
    }

    /// Velocities with what changed of the impulses.
    pub fn changed(&self, v: &[DVec3]) -> Scaled {
        let change = |(old, new): (&reference::Impulse, &reference::Impulse)| reference::Impulse {
            normal: new.normal - old.normal,
            tangential: new.tangential - old.tangential,
            ..Default::default()
        };
        let changes: Vec<_> = self.old.iter().zip(&self.new).map(change).collect();
        let sizes = magnitudes(&self.old).into_iter().zip(magnitudes(&self.new));
        let sizes: Vec<_> = sizes.map(|(old, new)| old + new).collect();
        pushed(&self.linked.touch, v, &changes, &sizes)
    }
}

/// Positions pushed apart, and lists in order.
pub fn project(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    for source in [0, 1] {
        let collide = Collide { source, ..Collide::default() };
        let linked = Linked::new(bench, &mut Random::new(63));
        let arrays: &Arrays<'_> = &[("collide", &[collide])];
        let after = linked.run(bench, bench.case.sim, count, arrays)?;
        let x = displaced(&linked.touch, source, &loads(&linked.rows, count));
        let got = after.particles();
        errors.vectors(got.iter().map(|p| p.position), &x);
        for (got, before) in got.iter().zip(&bench.case.particles) {
            errors.kept(got, before, |p, got| p.position = got.position);
        }
        in_order(errors, &linked.rows, &after.get::<u32>("rows"), count);
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
        let terms = if source == 0 { push_terms(contact, scene.step) } else { push };
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

/// One iteration, the first or a further one, which keeps what it started from; further ones run where the first changes a
/// velocity much. A contact that no particle moves for, and what is no contact, stay.
pub fn solve(bench: &Bench<'_>, errors: &mut ErrorStats, again: bool) -> Result<()> {
    let inputs = &carried(&bench.case.particles);
    let moved = u32::from(again);
    let given = Given::new(bench, 64);
    let Linked { touch, real, rows } = &given.linked;
    let (before, loads) = (&given.before, loads(rows, bench.len()));
    let lead = f64::from(moved) * f64::from(bench.case.sim.step);
    let u = free_velocities(bench, inputs, lead);
    let wanted = reference::iterate(&touch.scene, &touch.wanted, &loads, &u.value, &given.old);
    let none = vec![Impulse::default(); before.len()];
    let (warm, now) = match again {
        true => (&none, before),
        false => (before, &none),
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
        ("impulses_warm_start", warm),
        ("impulses", now),
        ("rounds", &[0_u32; 6]),
    ];
    let after = given.linked.run(bench, bench.case.sim, before.len(), arrays)?;
    let got: Vec<Impulse> = after.get("impulses");
    errors.holds(after.get::<Impulse>("impulses_warm_start") == *before);
    let much = real.iter().any(|&c| {
        let mass = inputs[touch.contacts[c].particles.x as usize].inverse_mass;
        (got[c].normal - before[c].normal).abs() * mass > AGAIN_SPEED
    });
    let rounds = match much && !again {
        true => [5, 6, 1, 7, 8, 1],
        false => [0; 6],
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
