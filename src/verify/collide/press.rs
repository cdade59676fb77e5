//! Contacts within the iterations of implicit steps.

use glam::DVec3;

use super::linked::{contacts, impulse, in_order, lists};
use crate::Result;
use crate::gpu::types::{Augmented, Collide, ContactBlock, Impulse, Sim};
use crate::reference::contact::press::{Target, felt, next};
use crate::reference::contact::project::push;
use crate::verify::press::along;
use crate::verify::states::contact_blocks;
use crate::verify::touch::push_terms;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// λ_n r + λ_t
fn whole(impulse: &Impulse, n: DVec3) -> DVec3 {
    f64::from(impulse.normal) * n + impulse.tangent.as_dvec3()
}

/// What a contact does in an iteration: at the first one, at others, and where multipliers wait.
pub fn press(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    for first_stage in [1, 2, 0] {
        let mut random = Random::new(71);
        let (touch, real) = contacts(bench, &mut random);
        let records = touch.contacts.len();
        let mut rows = lists(&touch.contacts, count, &mut random);
        rows[2 * count] = records as u32;
        let mut some = |_| impulse(0, &mut random);
        let warm: Vec<_> = (0..records).map(&mut some).collect();
        let now: Vec<_> = (0..records).map(&mut some).collect();
        let given = contact_blocks(&mut random, count);
        // Every other one acted in the last iteration.
        let held = |c: usize| Augmented {
            stiffness: (c % 2) as f32,
            ..Augmented::default()
        };
        let held: Vec<_> = (0..records).map(held).collect();
        let hold = 0.3;
        let collide = Collide {
            capacity: records as u32,
            hold,
            ..Collide::default()
        };
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("rows", &rows),
            ("contacts", &touch.contacts),
            ("impulses_warm_start", &warm),
            ("impulses", &now),
            ("contact_blocks", &given),
            ("augmented", &held),
        ];
        let sim = Sim {
            first_stage,
            ..bench.case.sim
        };
        let after = bench.run(sim, records, arrays)?;
        let (kept, got): (Vec<Impulse>, Vec<Augmented>) =
            (after.get("impulses"), after.get("augmented"));
        let oracle = bench.oracle_of(&sim);
        let (system, h) = (&oracle.system, oracle.h);
        for (contact, c) in touch.wanted.iter().zip(&real) {
            let (mut v, mut speeds, mut compliance) = (DVec3::ZERO, 0.0, 0.0);
            for (k, w) in contact.participants() {
                v += w * system.velocity[k];
                speeds += w.abs() * system.velocity[k].length();
                if !system.pinned(k) {
                    let inertia = system.mass(k) / (h * h);
                    compliance += w.abs() / f64::from(given[k].stiffness).max(inertia);
                }
            }
            let n = contact.direction;
            let begun = whole(&warm[*c], n);
            if compliance == 0.0 {
                errors.holds(kept[*c] == warm[*c] && got[*c].stiffness == 0.0);
                continue;
            }
            let stiffness = f64::from(hold) / compliance;
            let gain = h * h * stiffness;
            let target = contact.target.max(push(contact, h) / h);
            let target_scale = contact.target.abs() + push_terms(contact, h) / h;
            let asked = Target {
                normal: n,
                velocity: v,
                speed: target,
                gain,
                slide_gain: gain,
                friction: contact.friction,
            };
            let mut last = begun;
            if first_stage != 1 {
                last = whole(&now[*c], n);
                if first_stage == 0 && c % 2 == 1 {
                    last = next(last, &asked).0;
                }
            }
            let (impulse, share) = felt(last, &asked);
            let change = last - begun;
            let scale =
                begun.length() + whole(&now[*c], n).length() + 2.0 * gain * (speeds + target_scale);
            let scale = scale * (1.0 + contact.friction);
            let found = (&kept[*c], &got[*c]);
            errors.vector(found.1.impulse, impulse, 2.0 * scale);
            errors.vector(whole(found.0, n).as_vec3(), last, 2.0 * scale);
            errors.number(found.0.normal_change, change.dot(n), 2.0 * scale);
            let tangent = (change - change.dot(n) * n).length();
            errors.number(found.0.tangent_change, tangent, 2.0 * scale);
            errors.vector(found.1.normal, n, 1.0);
            let acts = impulse.dot(n) > 0.0;
            errors.number(
                found.1.stiffness,
                if acts { stiffness } else { 0.0 },
                stiffness,
            );
            if acts {
                let wanted = (impulse - impulse.dot(n) * n).length() / share.max(1e-6);
                errors.number(found.1.share, share, 1.0 + scale / wanted.max(1e-3 * scale));
            }
        }
    }
    Ok(())
}

/// Force and block of a particle's contacts beside what it has, and its list in order.
pub fn hold(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    let mut random = Random::new(72);
    let (touch, real) = contacts(bench, &mut random);
    let before = lists(&touch.contacts, count, &mut random);
    let given = contact_blocks(&mut random, count);
    let grip = |_| Augmented {
        impulse: random.vector(3.0).as_vec3(),
        stiffness: random.between(-100.0, 500.0).max(0.0) as f32,
        normal: random.vector(1.0).normalize().as_vec3(),
        share: random.between(0.0, 1.0) as f32,
    };
    let augmented: Vec<Augmented> = touch.contacts.iter().map(grip).collect();
    let arrays: &Arrays<'_> = &[
        ("collide", &[Collide::default()]),
        ("rows", &before),
        ("contacts", &touch.contacts),
        ("contact_blocks", &given),
        ("augmented", &augmented),
    ];
    let after = bench.run(bench.case.sim, count, arrays)?;
    let h = f64::from(bench.case.sim.step);
    let mut force: Vec<_> = given.iter().map(|p| p.force.as_dvec3()).collect();
    let mut block: Vec<_> = given.iter().map(|p| p.matrix()).collect();
    let mut scales = vec![(50.0, 700.0); count];
    for (contact, c) in touch.wanted.iter().zip(&real) {
        let grip = &augmented[*c];
        let (n, share) = (grip.normal.as_dvec3(), f64::from(grip.share));
        let shape = along(n, share);
        for (k, w) in contact.participants() {
            let hold = 2.0 * w.abs() * f64::from(grip.stiffness);
            force[k] += w / h * grip.impulse.as_dvec3();
            block[k] += hold * shape;
            scales[k].0 += w.abs() / h * f64::from(grip.impulse.length());
            scales[k].1 += 2.0 * hold;
        }
    }
    for (i, got) in after
        .get::<ContactBlock>("contact_blocks")
        .iter()
        .enumerate()
    {
        errors.vector(got.force, force[i], scales[i].0);
        let found = got.matrix();
        errors.matrix(&found, &block[i], scales[i].1);
        errors.holds(got.stiffness == given[i].stiffness);
    }
    in_order(errors, &before, &after.get::<u32>("rows"), count);
    Ok(())
}
