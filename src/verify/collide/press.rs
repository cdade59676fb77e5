//! Contacts within the iterations of implicit steps.

use glam::{DMat3, DVec3};

use super::super::bench::Bench;
use super::super::case::Random;
use super::super::newton_matrix::{contact_blocks, symmetric};
use super::super::oracle::Oracle;
use super::super::tally::Tally;
use super::super::touch::{push_terms, uniform};
use super::linked::{contacts, impulse, in_order, lists};
use crate::Result;
use crate::gpu::types::{Augmented, Collide, Impulse, Sim};
use crate::gpu::{Buffer, Kernel};
use crate::reference::contact::press::{Target, felt, next};
use crate::reference::contact::project::push;

/// λ_n r + λ_t
fn whole(impulse: &Impulse, n: DVec3) -> DVec3 {
    f64::from(impulse.normal) * n + impulse.tangent.as_dvec3()
}

/// What a contact does in an iteration: at the first one, at others, and where multipliers wait.
pub fn press(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs, count) = (bench.context, &bench.case.particles, bench.len());
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
        let rows = Buffer::new(context, "rows", &rows)?;
        let contact_buffer = Buffer::new(context, "contacts", &touch.contacts)?;
        let warm_buffer = Buffer::new(context, "impulses_warm_start", &warm)?;
        let impulses = Buffer::new(context, "impulses", &now)?;
        let pressed = Buffer::new(context, "contact_blocks", &given)?;
        // Every other one acted in the last iteration.
        let held = |c: usize| Augmented {
            stiffness: (c % 2) as f32,
            ..Augmented::default()
        };
        let held: Vec<_> = (0..records).map(held).collect();
        let augmented = Buffer::new(context, "augmented", &held)?;
        let hold = 0.3;
        let collide = Collide {
            capacity: records as u32,
            hold,
            ..Collide::default()
        };
        let collide = uniform(context, collide);
        let others = [
            collide.bind("collide"),
            rows.bind("rows"),
            contact_buffer.bind("contacts"),
            warm_buffer.bind("impulses_warm_start"),
            impulses.bind("impulses"),
            pressed.bind("contact_blocks"),
            augmented.bind("augmented"),
        ];
        let sim = Sim {
            first_stage,
            ..bench.case.sim
        };
        bench.write(inputs, inputs);
        bench.run(kernel, sim, records, &others);
        tally.case();
        let (kept, got) = (impulses.read(context)?, augmented.read(context)?);
        let oracle = Oracle::new(bench.case, &sim, inputs);
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
                tally.holds(kept[*c] == warm[*c] && got[*c].stiffness == 0.0);
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
            tally.vector(found.1.impulse, impulse, 2.0 * scale);
            tally.vector(whole(found.0, n).as_vec3(), last, 2.0 * scale);
            tally.number(found.0.normal_change, change.dot(n), 2.0 * scale);
            let tangent = (change - change.dot(n) * n).length();
            tally.number(found.0.tangent_change, tangent, 2.0 * scale);
            tally.vector(found.1.normal, n, 1.0);
            let acts = impulse.dot(n) > 0.0;
            tally.number(
                found.1.stiffness,
                if acts { stiffness } else { 0.0 },
                stiffness,
            );
            if acts {
                let wanted = (impulse - impulse.dot(n) * n).length() / share.max(1e-6);
                tally.number(found.1.share, share, 1.0 + scale / wanted.max(1e-3 * scale));
            }
        }
    }
    Ok(())
}

/// Force and block of a particle's contacts beside what it has, and its list in order.
pub fn hold(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let (context, inputs, count) = (bench.context, &bench.case.particles, bench.len());
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
    let rows = Buffer::new(context, "rows", &before)?;
    let contacts = Buffer::new(context, "contacts", &touch.contacts)?;
    let pressed = Buffer::new(context, "contact_blocks", &given)?;
    let grip_buffer = Buffer::new(context, "augmented", &augmented)?;
    let collide = uniform(context, Collide::default());
    let others = [
        collide.bind("collide"),
        rows.bind("rows"),
        contacts.bind("contacts"),
        pressed.bind("contact_blocks"),
        grip_buffer.bind("augmented"),
    ];
    bench.write(inputs, inputs);
    bench.run(kernel, bench.case.sim, count, &others);
    tally.case();
    let h = f64::from(bench.case.sim.step);
    let mut force: Vec<_> = given.iter().map(|p| p.force.as_dvec3()).collect();
    let mut block: Vec<_> = given.iter().map(|p| symmetric(p.diagonal, p.off)).collect();
    let mut scales = vec![(50.0, 700.0); count];
    for (contact, c) in touch.wanted.iter().zip(&real) {
        let grip = &augmented[*c];
        let (n, share) = (grip.normal.as_dvec3(), f64::from(grip.share));
        let square = DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        let shape = square * (1.0 - share) + DMat3::IDENTITY * share;
        for (k, w) in contact.participants() {
            let hold = 2.0 * w.abs() * f64::from(grip.stiffness);
            force[k] += w / h * grip.impulse.as_dvec3();
            block[k] += hold * shape;
            scales[k].0 += w.abs() / h * f64::from(grip.impulse.length());
            scales[k].1 += 2.0 * hold;
        }
    }
    for (i, got) in pressed.read(context)?.iter().enumerate() {
        tally.vector(got.force, force[i], scales[i].0);
        let found = symmetric(got.diagonal, got.off);
        for k in 0..3 {
            tally.vector(found.col(k).as_vec3(), block[i].col(k), scales[i].1);
        }
        tally.holds(got.stiffness == given[i].stiffness);
    }
    in_order(tally, &before, &rows.read(context)?, count);
    Ok(())
}
