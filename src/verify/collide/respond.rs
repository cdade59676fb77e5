//! The passes that keep bodies apart, on random contacts.

use glam::{DVec3, UVec2, Vec4};

use super::linked::{Linked, exact};
use crate::Result;
use crate::gpu::types::{AGAIN_SPEED, Collide, Impulse, Row, STATUS_ROUNDS};
use crate::reference::contact::impulse as reference;
use crate::reference::contact::project::split_inverse_mass;
use crate::reference::contact::triangles::Contact as Wanted;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random, Scaled};

/// W of each record, with masses split by the loads; 0 of what is no contact.
pub(super) fn inverse_masses(linked: &Linked) -> Vec<f64> {
    let loads = linked.touch.lists.loads();
    let mut all = vec![0.0; linked.len()];
    for (contact, c) in linked.touch.wanted.iter().zip(&linked.real) {
        all[*c] = split_inverse_mass(contact, &linked.touch.scene.inverse_mass, &loads);
    }
    all
}

/// Random contacts of a case in lists, with what their participants take.
pub struct Given {
    pub linked: Linked,
    pub rows: Vec<Row>,
}

impl Given {
    pub fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let linked = Linked::crowded(bench, bench.len() + 300, &mut random);
        let row = |_| Row { delta: random.vector(2.0).as_vec3(), ..Row::default() };
        let rows: Vec<_> = (0..linked.len()).map(row).collect();
        Self { rows: linked.with_sums(&rows), linked }
    }

    /// Velocities with what these contacts give; scale: the sum of the magnitudes of all.
    pub fn pushed(&self, before: &[DVec3]) -> Scaled {
        let touch = &self.linked.touch;
        let mut pushed = Scaled::exact(before.to_vec());
        for (contact, c) in touch.wanted.iter().zip(&self.linked.real) {
            let delta = self.rows[*c].delta.as_dvec3();
            for (k, w) in contact.participants() {
                let change = w * touch.scene.inverse_mass[k] * delta;
                pushed.value[k] += change;
                pushed.scale[k] += change.length();
            }
        }
        pushed
    }
}

/// Positions pushed apart.
pub fn project(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    let mut random = Random::new(63);
    let linked = Linked::crowded(bench, bench.len() + 300, &mut random);
    let known = |(inverse_mass, row): (f64, &Row)| Row {
        inverse_mass: inverse_mass as f32,
        push: random.between(0.0, 0.1) as f32,
        ..*row
    };
    let rows: Vec<_> =
        inverse_masses(&linked).into_iter().zip(&linked.touch.rows).map(known).collect();
    let arrays: &Arrays<'_> = &[("collide", &linked.room()), ("rows", &linked.with_sums(&rows))];
    let after = linked.run(bench, bench.case.sim, count, arrays)?;
    let x = displaced(&linked, &rows);
    let got = after.particles();
    errors.vectors(got.iter().map(|p| p.position), &x);
    for (got, before) in got.iter().zip(&bench.case.particles) {
        errors.kept(got, before, |p, got| p.position = got.position);
    }
    // The longest way.
    after.skip("status");
    Ok(())
}

/// Positions after the projection; scale: |x| and the sum of the magnitudes of the displacements.
fn displaced(linked: &Linked, rows: &[Row]) -> Scaled {
    let scene = &linked.touch.scene;
    let mut moved = Scaled::exact(scene.position.clone());
    for (contact, c) in linked.touch.wanted.iter().zip(&linked.real) {
        let (push, inverse_mass) = (f64::from(rows[*c].push), f64::from(rows[*c].inverse_mass));
        if contact.depth > 0.0 && inverse_mass > 0.0 {
            for (k, w) in contact.participants() {
                let share = w / inverse_mass * scene.inverse_mass[k] * push;
                moved.value[k] += share * contact.direction;
                moved.scale[k] += share.abs();
            }
        }
    }
    moved
}

/// One iteration, the first or a further one; further ones run where the first changes a velocity much. A contact that no
/// particle moves for, and what is no contact, stay.
pub fn solve(bench: &Bench<'_>, errors: &mut ErrorStats, again: bool) -> Result<()> {
    let mut random = Random::new(64);
    let linked = Linked::new(bench, &mut random);
    let Linked { touch, real } = &linked;
    let loads = touch.lists.loads();
    let before = linked.impulses(&mut random);
    let velocity = |mass: &f64| random.vector(2.0).as_vec3().extend(*mass as f32);
    let velocities: Vec<Vec4> = touch.scene.inverse_mass.iter().map(velocity).collect();
    let u = Scaled::exact(velocities.iter().map(|u| u.truncate().as_dvec3()).collect());
    let splits = inverse_masses(&linked);
    let row = |(split, row): (&f64, &Row)| Row { inverse_mass: *split as f32, ..*row };
    let rows: Vec<_> = splits.iter().zip(&touch.rows).map(row).collect();
    let old: Vec<_> = real.iter().map(|c| exact(&before[*c])).collect();
    let wanted = reference::iterate(&touch.scene, &touch.wanted, &loads, &u.value, &old);
    let none = vec![Impulse::default(); before.len()];
    let collide = Collide {
        capacity: before.len() as u32,
        particle_groups: UVec2::new(5, 6),
        record_groups: UVec2::new(7, 8),
        ..Collide::default()
    };
    let arrays: &Arrays<'_> = &[
        ("collide", &[collide]),
        ("contact_velocities", &velocities),
        ("rows", &rows),
        ("impulses_warm_start", &before),
        ("impulses", if again { &before } else { &none }),
        ("dispatches", &[0_u32; 9]),
    ];
    let after = linked.run(bench, bench.case.sim, before.len(), arrays)?;
    let got: Vec<Impulse> = after.get("impulses");
    let much = real.iter().any(|&c| {
        let mass = velocities[touch.contacts[c].a.dofs.x as usize].w;
        (got[c].normal - before[c].normal).abs() * mass > AGAIN_SPEED
    });
    let rounds = if much && !again { [5, 6, 1, 7, 8, 1, 0, 0, 0] } else { [0; 9] };
    errors.words(&after.get::<u32>("dispatches"), &rounds);
    if !again {
        errors.words(&[after.status()[STATUS_ROUNDS as usize]], &[u32::from(much)]);
    }
    for (c, got) in got.iter().enumerate() {
        errors.kept(got, &before[c], |impulse, got| {
            (impulse.tangent, impulse.normal) = (got.tangent, got.normal);
            impulse.normal_change = got.normal_change;
            impulse.tangent_change = got.tangent_change;
        });
        errors.holds(real.contains(&c) || *got == before[c]);
    }
    changes(&linked, [&before, &got], (&rows, &after.get("rows")), errors);
    for (k, contact) in touch.wanted.iter().enumerate() {
        let got = &got[real[k]];
        match splits[real[k]] {
            0.0 => errors.holds(*got == before[real[k]]),
            split => compare(got, contact, &u, split, [&old[k], &wanted[k]], errors),
        }
    }
    Ok(())
}

/// What participants are given is what changed of the impulses; the rest of the rows stays.
fn changes(
    linked: &Linked,
    [before, after]: [&[Impulse]; 2],
    (rows, got): (&[Row], &Vec<Row>),
    errors: &mut ErrorStats,
) {
    for (c, got) in got.iter().enumerate() {
        errors.holds(*got == Row { delta: got.delta, ..rows[c] });
        if linked.real.contains(&c) {
            let normal = linked.touch.contacts[c].normal.as_dvec3();
            let whole = |i: &Impulse| f64::from(i.normal) * normal + i.tangent.as_dvec3();
            let scale = whole(&before[c]).length() + whole(&after[c]).length();
            errors.vector(got.delta, whole(&after[c]) - whole(&before[c]), scale);
        } else {
            errors.holds(got.delta == rows[c].delta);
        }
    }
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
