//! Contacts within the iterations of implicit steps.

use glam::{DMat3, DVec3, Vec4};

use super::linked::{Linked, room};
use crate::Result;
use crate::gpu::types::{
    Augmented, Collide, Contact, ContactBlock, IMPLICIT_NOT, IMPLICIT_STEP, Impulse, NONE, Side,
    Sim,
};
use crate::reference::contact::press::{Target, felt, next};
use crate::reference::contact::triangles::Contact as Wanted;
use crate::verify::oracle::velocities;
use crate::verify::press::along;
use crate::verify::states::{contact_blocks, directions};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Oracle, Random};

/// λ_n r + λ_t
pub fn whole(impulse: &Impulse, n: DVec3) -> DVec3 {
    f64::from(impulse.normal) * n + impulse.tangent.as_dvec3()
}

/// The velocity of a contact, what that is added up from, and the compliance that its participants' blocks leave it.
fn motion(oracle: &Oracle<'_>, contact: &Wanted, blocks: &[ContactBlock]) -> (DVec3, f64, f64) {
    let (system, h) = (&oracle.system, oracle.h);
    let (mut v, mut speeds, mut compliance) = (DVec3::ZERO, 0.0, 0.0);
    for (k, w) in contact.participants() {
        v += w * system.velocity[k];
        speeds += w.abs() * system.velocity[k].length();
        if !system.pinned(k) {
            let inertia = system.mass(k) / (h * h);
            compliance += w.abs() / f64::from(blocks[k].stiffness).max(inertia);
        }
    }
    (v, speeds, compliance)
}

/// The velocities of a contact's sides along its normal, one of which is the other's negative where they move as one.
fn sides(oracle: &Oracle<'_>, contact: &Contact) -> [f64; 2] {
    let velocity = &oracle.system.velocity;
    let along = |side: &Side| {
        let points = side.dofs.to_array().into_iter().zip(side.weights.to_array());
        let parts = points
            .filter(|(i, _)| *i != NONE)
            .map(|(i, w)| f64::from(w) * velocity[i as usize].dot(contact.normal.as_dvec3()));
        parts.sum()
    };
    [along(&contact.a), along(&contact.b)]
}

/// What a contact does in an iteration: at the first one, at others, and where multipliers wait; in sweeps, and in Newton's
/// method.
pub fn press(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for first_stage in [1, 2, 0] {
        for implicit in [IMPLICIT_NOT, IMPLICIT_STEP] {
            press_by(bench, Sim { first_stage, implicit, ..bench.case.sim }, errors)?;
        }
    }
    Ok(())
}

fn press_by(bench: &Bench<'_>, sim: Sim, errors: &mut ErrorStats) -> Result<()> {
    let (hold, oracle) = (0.3, bench.oracle());
    let h = oracle.h;
    let mut random = Random::new(71);
    let mut linked = Linked::new(bench, &mut random);
    for row in &mut linked.touch.rows {
        row.delta = random.vector(2.0).as_vec3();
    }
    let now = linked.impulses(&mut random);
    let given = contact_blocks(&mut random, bench.len());
    // Every other one acted in the last iteration.
    let held = |c: usize| Augmented {
        stiffness: (c % 2) as f32,
        way: random.vector(2.0).as_vec3(),
        ..Augmented::default()
    };
    let held: Vec<_> = (0..linked.len()).map(held).collect();
    let [room] = room(linked.len());
    let arrays: &Arrays<'_> = &[
        ("collide", &[Collide { hold, ..room }]),
        ("contact_velocities", &[Vec4::ZERO; 1]),
        ("impulses", &now),
        ("contact_blocks", &given),
        ("augmented", &held),
    ];
    let after = linked.run(bench, sim, linked.len(), arrays)?;
    let kept: Vec<Impulse> = after.get("impulses");
    let got: Vec<Augmented> = after.get("augmented");
    for (contact, &c) in linked.touch.wanted.iter().zip(&linked.real) {
        let (v, speeds, compliance) = motion(&oracle, contact, &given);
        let begun = linked.touch.rows[c].delta.as_dvec3();
        errors.holds(kept[c].feature_b == linked.touch.contacts[c].feature_b);
        if compliance == 0.0 {
            compare(&kept[c], [begun; 2], contact.direction, begun.length(), errors);
            errors.holds(got[c].stiffness == 0.0);
            continue;
        }
        let given = Given {
            hold: f64::from(hold) / compliance,
            normal: contact.direction,
            velocity: v,
            speeds,
            sides: sides(&oracle, &linked.touch.contacts[c]),
            // one of them is 0: sides that are apart may close in, others are pushed
            target: contact.target,
            push: f64::from(linked.touch.rows[c].push) / h,
            friction: contact.friction,
            begun,
            was: whole(&now[c], contact.direction),
            before: held[c],
        };
        given.compare(&kept[c], &got[c], &sim, errors);
    }
    Ok(())
}

/// What an iteration has of a contact.
pub struct Given {
    /// k [N/m]
    pub hold: f64,
    /// The contact's direction.
    pub normal: DVec3,
    /// Of side a less that of b \[m/s\], and the sum of the terms' magnitudes.
    pub velocity: DVec3,
    pub speeds: f64,
    /// The sides' velocities along the direction, b's negative \[m/s\].
    pub sides: [f64; 2],
    /// The least of the velocity along the direction, negative where the sides may close in, and what pushes them \[m/s\].
    pub target: f64,
    pub push: f64,
    pub friction: f64,
    /// The impulses of the step's start and of the last iteration \[kg m/s\].
    pub begun: DVec3,
    pub was: DVec3,
    /// What the last iteration left.
    pub before: Augmented,
}

impl Given {
    /// Compares the impulse that is kept and what is felt.
    pub fn compare(&self, kept: &Impulse, got: &Augmented, sim: &Sim, errors: &mut ErrorStats) {
        let (h, swept) = (f64::from(sim.step), sim.implicit == IMPLICIT_NOT);
        let (n, gain) = (self.normal, h * h * self.hold);
        // in a sweep each side may come half of the way
        let closing = if swept && self.target < 0.0 { 0.5 } else { 1.0 };
        let asked = Target {
            normal: n,
            velocity: self.velocity,
            speed: closing * self.target + self.push,
            gain,
            slide_gain: gain,
            friction: self.friction,
        };
        let (now, before) = (self.sides, self.before.way.as_dvec3());
        let alone = match swept {
            true => ((now[0] - before.x) - (now[1] - before.y)).abs(),
            false => 0.0,
        };
        let last = match sim.first_stage {
            1 => self.begun,
            0 => {
                let along = Target { velocity: self.velocity + alone * n, ..asked };
                let followed = next(self.was, &along).0;
                let acted = self.before.stiffness > 0.0;
                if acted || followed.dot(n) < self.was.dot(n) { followed } else { self.was }
            }
            _ => self.was,
        };
        errors.vector(got.way, DVec3::new(now[0], now[1], 0.0), self.speeds);
        let target_scale = self.target.abs() + asked.speed.abs() + before.length();
        let changes = 2.0 * gain * (2.0 * self.speeds + target_scale);
        let friction = 1.0 + self.friction;
        let scale = (self.begun.length() + self.was.length() + changes) * friction;
        compare(kept, [self.begun, last], n, scale, errors);
        compare_felt(got, felt(last, &asked), n, [self.hold, scale], errors);
    }
}

/// The impulse that an iteration keeps, and how far it is from the one that the step began with.
fn compare(
    got: &Impulse,
    [begun, last]: [DVec3; 2],
    n: DVec3,
    scale: f64,
    errors: &mut ErrorStats,
) {
    let change = last - begun;
    let tangent = (change - change.dot(n) * n).length();
    errors.vector(whole(got, n).as_vec3(), last, 2.0 * scale);
    errors.number(got.normal_change, change.dot(n), 2.0 * scale);
    errors.number(got.tangent_change, tangent, 2.0 * scale);
}

/// What particles feel of a contact: an impulse with its stiffness, and the share of that across r.
fn compare_felt(
    got: &Augmented,
    (impulse, share): (DVec3, f64),
    n: DVec3,
    [stiffness, scale]: [f64; 2],
    errors: &mut ErrorStats,
) {
    let acts = impulse.dot(n) > 0.0;
    let wanted = if acts { stiffness } else { 0.0 };
    errors.vector(got.impulse, impulse, 2.0 * scale);
    errors.vector(got.normal, n, 1.0);
    errors.number(got.stiffness, wanted, stiffness);
    if acts {
        let across = (impulse - impulse.dot(n) * n).length() / share.max(1e-6);
        errors.number(got.share, share, 1.0 + scale / across.max(1e-3 * scale));
    }
}

/// What an iteration may have left of contacts, some of which do not act.
fn grips(linked: &Linked, random: &mut Random) -> Vec<Augmented> {
    let grip = |_| Augmented {
        impulse: random.vector(3.0).as_vec3(),
        stiffness: random.between(-100.0, 500.0).max(0.0) as f32,
        normal: random.vector(1.0).normalize().as_vec3(),
        share: random.between(0.0, 1.0) as f32,
        way: random.vector(400.0).as_vec3(),
    };
    linked.touch.contacts.iter().map(grip).collect()
}

/// k (r rᵀ + s (1 − r rᵀ))
pub fn stiffness(grip: &Augmented) -> DMat3 {
    f64::from(grip.stiffness) * along(grip.normal.as_dvec3(), f64::from(grip.share))
}

/// Force and block of a particle's contacts beside what it has: where only it moves, and where a solver lets all move at once
/// without the others' part.
pub fn hold(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let own_part: fn(f64) -> f64 = |w| w * w;
    hold_by(bench, IMPLICIT_STEP, own_part, errors)?;
    hold_by(bench, IMPLICIT_NOT, |w| 2.0 * w.abs(), errors)
}

fn hold_by(
    bench: &Bench<'_>,
    implicit: u32,
    share: impl Fn(f64) -> f64,
    errors: &mut ErrorStats,
) -> Result<()> {
    let count = bench.len();
    let mut random = Random::new(72);
    let linked = Linked::new(bench, &mut random);
    let given = contact_blocks(&mut random, count);
    let augmented = grips(&linked, &mut random);
    let sim = Sim { implicit, ..bench.case.sim };
    let arrays: &Arrays<'_> = &[
        ("collide", &[Collide::default()]),
        ("contact_blocks", &given),
        ("augmented", &augmented),
    ];
    let after = linked.run(bench, sim, count, arrays)?;
    let h = f64::from(sim.step);
    let mut force: Vec<_> = given.iter().map(|p| p.force.as_dvec3()).collect();
    let mut block: Vec<_> = given.iter().map(|p| p.matrix()).collect();
    let mut scales = vec![(50.0, 700.0); count];
    for (contact, c) in linked.touch.wanted.iter().zip(&linked.real) {
        let grip = &augmented[*c];
        for (k, w) in contact.participants() {
            force[k] += w / h * grip.impulse.as_dvec3();
            block[k] += share(w) * stiffness(grip);
            scales[k].0 += w.abs() / h * f64::from(grip.impulse.length());
            scales[k].1 += 2.0 * share(w) * f64::from(grip.stiffness);
        }
    }
    let got: Vec<ContactBlock> = after.get("contact_blocks");
    for (i, got) in got.iter().enumerate() {
        errors.vector(got.force, force[i], scales[i].0);
        let found = got.matrix();
        errors.matrix(&found, &block[i], scales[i].1);
        errors.holds(got.stiffness == given[i].stiffness);
    }
    Ok(())
}

/// How contacts follow a direction: K Σ w z, with K = k (r rᵀ + s (1 − r rᵀ)).
pub fn follow(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(73);
    let linked = Linked::new(bench, &mut random);
    let augmented = grips(&linked, &mut random);
    let inputs = directions(bench, 74);
    let [room] = room(linked.len());
    let arrays: &Arrays<'_> = &[
        ("collide", &[room]),
        ("contact_velocities", &[Vec4::ZERO; 1]),
        ("directions", &inputs),
        ("augmented", &augmented),
    ];
    let after = linked.run(bench, bench.case.sim, linked.len(), arrays)?;
    let z = velocities(&inputs);
    let got: Vec<Augmented> = after.get("augmented");
    for (contact, &c) in linked.touch.wanted.iter().zip(&linked.real) {
        let sides = contact.participants();
        let moved: DVec3 = sides.iter().map(|(k, w)| *w * z[*k]).sum();
        let size: f64 = sides.iter().map(|(k, w)| w.abs() * z[*k].length()).sum();
        let scale = 2.0 * f64::from(augmented[c].stiffness) * size;
        errors.vector(got[c].way, stiffness(&augmented[c]) * moved, scale);
        errors.kept(&got[c], &augmented[c], |kept, got| kept.way = got.way);
    }
    Ok(())
}

/// What contacts do to each particle along a direction beside what they do where it moves alone: w (Δ − w K z), added to H z
/// and z·H z.
pub fn couple(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(75);
    let linked = Linked::new(bench, &mut random);
    let augmented = grips(&linked, &mut random);
    let inputs = directions(bench, 76);
    let given: Vec<_> = inputs.iter().map(|_| random.vector(300.0).as_vec3().extend(2.0)).collect();
    let arrays: &Arrays<'_> = &[
        ("collide", &[Collide::default()]),
        ("directions", &inputs),
        ("augmented", &augmented),
        ("products", &given),
    ];
    let after = linked.run(bench, bench.case.sim, bench.len(), arrays)?;
    let z = velocities(&inputs);
    let system = &bench.oracle().system;
    let mut wanted = vec![(DVec3::ZERO, 300.0); bench.len()];
    for (contact, &c) in linked.touch.wanted.iter().zip(&linked.real) {
        let way = augmented[c].way.as_dvec3();
        for (k, w) in contact.participants() {
            let own = w * (stiffness(&augmented[c]) * z[k]);
            wanted[k].0 += w * (way - own);
            wanted[k].1 += w.abs() * (way.length() + 2.0 * own.length());
        }
    }
    for (i, got) in after.get::<Vec4>("products").iter().enumerate() {
        if system.pinned(i) {
            errors.holds(*got == given[i]);
            continue;
        }
        let (sum, scale) = wanted[i];
        let before = given[i].as_dvec4();
        errors.vector(got.truncate(), before.truncate() + sum, scale);
        errors.number(got.w, before.w + sum.dot(z[i]), 2.0 + scale * z[i].length());
    }
    Ok(())
}
