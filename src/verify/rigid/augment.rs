//! What contacts of particles with poses do in implicit steps.

use glam::{DMat3, DVec3, Vec4};

use super::soft::{Given, parts_of_poses};
use super::unknowns::{direction, pose_directions};
use crate::Result;
use crate::gpu::types::{
    Augmented, Collide, Contact, ContactBlock, IMPLICIT_NOT, IMPLICIT_STEP, Impulse, Sim,
};
use crate::verify::coarse::parts::{columns, stored};
use crate::verify::coarse::{Sums, felt};
use crate::verify::collide::press;
use crate::verify::poses::{COUNT, with_poses};
use crate::verify::states::{contact_blocks, directions};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// What an iteration may have left of contacts, some of which do not act.
pub(super) fn grips(given: &Given, random: &mut Random) -> Vec<Augmented> {
    let grip = |contact: &Contact| Augmented {
        impulse: random.vector(3.0).as_vec3(),
        stiffness: random.between(-100.0, 500.0).max(0.0) as f32,
        normal: contact.normal,
        share: random.between(0.0, 1.0) as f32,
        way: random.vector(2.0).as_vec3(),
    };
    given.contacts.iter().map(grip).collect()
}

/// Velocities of particles, which contacts of implicit steps do not read, and the rows of poses.
pub fn with_particles(bench: &Bench<'_>, rows: &[Vec4]) -> Vec<Vec4> {
    [&vec![Vec4::NAN; bench.len()], rows].concat()
}

/// What a contact of a particle with a pose does in an iteration: at the first one, at others, and where multipliers wait; in
/// sweeps, and in Newton's method.
pub fn press(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    for first_stage in [1, 2, 0] {
        for implicit in [IMPLICIT_NOT, IMPLICIT_STEP] {
            let sim = Sim { first_stage, implicit, ..with_poses(&bench.case.sim) };
            press_by(bench, sim, errors)?;
        }
    }
    Ok(())
}

fn press_by(bench: &Bench<'_>, sim: Sim, errors: &mut ErrorStats) -> Result<()> {
    let (given, mut random) = (Given::new(bench, 131), Random::new(132));
    let oracle = bench.oracle();
    let (h, hold) = (oracle.h, 0.3);
    let (rows, parts) = parts_of_poses(&given.poses, &mut random);
    let blocks: Vec<ContactBlock> = contact_blocks(&mut random, bench.len());
    let held = grips(&given, &mut random);
    let threads = given.contacts.len();
    let arrays: &Arrays<'_> = &[
        (
            "collide",
            &[Collide { hold: hold as f32, capacity: threads as u32, ..Collide::default() }],
        ),
        ("contact_velocities", &with_particles(bench, &rows)),
        ("contact_blocks", &blocks),
        ("impulses", &given.impulses),
        ("augmented", &held),
    ];
    let after = given.run_of(bench, sim, threads, arrays)?;
    let (kept, got): (Vec<Impulse>, Vec<Augmented>) =
        (after.get("impulses"), after.get("augmented"));
    for c in given.first..threads {
        errors.holds(kept[c] == given.impulses[c] && got[c] == held[c]);
    }
    for c in 0..given.first {
        let (contact, row) = (&given.contacts[c], &given.rows[c]);
        let (n, x) = (contact.normal.as_dvec3(), row.point.as_dvec3());
        let (mut velocity, mut speeds) = (DVec3::ZERO, 0.0);
        let (mut sides, mut compliances) = ([0.0; 2], [0.0; 2]);
        for (s, side) in [&contact.a, &contact.b].into_iter().enumerate() {
            let sign = if s == 0 { 1.0 } else { -1.0 };
            if let Some(p) = (side.dofs.x as usize).checked_sub(bench.len()) {
                let part = &parts[p].0;
                let v = sign * part.velocity_at(x);
                velocity += v;
                sides[s] += v.dot(n);
                let arms = x.length() + part.position.length();
                speeds += part.velocity.length() + part.spin.length() * arms;
                compliances[1] += h * h * n.dot(part.mobility(x) * n);
                continue;
            }
            for (i, w) in side.parts() {
                let (i, w) = (i as usize, f64::from(w));
                let v = w * oracle.system.velocity[i];
                velocity += v;
                sides[s] += v.dot(n);
                speeds += v.length();
                if !oracle.system.pinned(i) {
                    let own = f64::from(blocks[i].stiffness).max(oracle.system.mass(i) / (h * h));
                    compliances[0] += w.abs() / own;
                }
            }
        }
        let begun = row.delta.as_dvec3();
        let compliance = match (sim.implicit, compliances[0] > 0.0) {
            (IMPLICIT_NOT, _) => compliances[0] + compliances[1],
            (_, true) => compliances[0],
            (_, false) => compliances[1],
        };
        if compliance == 0.0 {
            errors.holds(got[c] == Augmented::default() && kept[c].normal_change == 0.0);
            let size = begun.length();
            errors.vector(press::whole(&kept[c], n).as_vec3(), begun, 2.0 * size);
            continue;
        }
        let bias = f64::from(row.bias);
        let given = press::Given {
            hold: hold / compliance,
            normal: n,
            velocity,
            speeds,
            sides,
            target: -bias,
            push: 0.0,
            friction: f64::from(contact.friction),
            begun,
            was: press::whole(&given.impulses[c], n),
            before: held[c],
        };
        given.compare(&kept[c], &got[c], &sim, errors);
    }
    Ok(())
}

/// How contacts with poses follow a direction, of these along z + ζ × r.
pub fn follow(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let (given, mut random) = (Given::new(bench, 133), Random::new(134));
    let (rows, parts) = parts_of_poses(&given.poses, &mut random);
    let mut inputs = directions(bench, 135);
    inputs.extend(pose_directions(&given.poses, &mut random));
    let held = grips(&given, &mut random);
    let arrays: &Arrays<'_> = &[
        ("contact_velocities", &with_particles(bench, &rows)),
        ("directions", &inputs),
        ("augmented", &held),
    ];
    let after = given.run(bench, given.contacts.len(), arrays)?;
    for (c, got) in after.get::<Augmented>("augmented").iter().enumerate() {
        if c >= given.first {
            errors.holds(*got == held[c]);
            continue;
        }
        let (contact, x) = (&given.contacts[c], given.rows[c].point.as_dvec3());
        let (mut moved, mut size) = (DVec3::ZERO, 0.0);
        for (sign, side) in [(1.0, &contact.a), (-1.0, &contact.b)] {
            if let Some(p) = (side.dofs.x as usize).checked_sub(bench.len()) {
                let [z, zeta] = direction(&inputs, bench.len(), p);
                let origin = parts[p].0.position;
                moved += sign * (z + zeta.cross(x - origin));
                size += z.length() + zeta.length() * (x.length() + origin.length());
                continue;
            }
            for (i, w) in side.parts() {
                let z = f64::from(w) * inputs[i as usize].velocity.as_dvec3();
                moved += z;
                size += z.length();
            }
        }
        let scale = 2.0 * f64::from(held[c].stiffness) * size;
        errors.vector(got.way, press::stiffness(&held[c]) * moved, scale);
        errors.kept(got, &held[c], |kept, got| kept.way = got.way);
    }
    Ok(())
}

/// What poses feel of contacts with particles as they move.
pub fn hold(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    for (implicit, times) in [(IMPLICIT_STEP, 1.0), (IMPLICIT_NOT, 2.0)] {
        let (given, mut random) = (Given::new(bench, 136), Random::new(137));
        let held = grips(&given, &mut random);
        let sim = Sim { implicit, ..with_poses(&bench.case.sim) };
        let arrays: &Arrays<'_> =
            &[("augmented", &held), ("pose_holds", &vec![stored(&Sums::default()); COUNT])];
        let after = given.run_of(bench, sim, COUNT, arrays)?;
        let h = f64::from(sim.step);
        for (p, got) in after.get("pose_holds").iter().enumerate() {
            let origin = given.poses[p].position.as_dvec3();
            let (mut points, mut scale) = (Vec::<(DVec3, DVec3, DMat3)>::new(), [0.0; 2]);
            let mut far = 0.0_f64;
            for (c, held) in held.iter().enumerate().take(given.first) {
                let (contact, row) = (&given.contacts[c], &given.rows[c]);
                for (sign, side) in [(1.0, &contact.a), (-1.0, &contact.b)] {
                    if given.pose(bench, side).is_none_or(|(own, _)| own != p) {
                        continue;
                    }
                    let impulse: DVec3 = held.impulse.as_dvec3() - row.delta.as_dvec3();
                    let block: DMat3 = times * press::stiffness(held);
                    let x = row.point.as_dvec3();
                    points.push((x - origin, sign / h * impulse, block));
                    far = far.max(x.length() + origin.length());
                    let size = f64::from(held.impulse.length() + row.delta.length());
                    scale[0] += size / h;
                    scale[1] += 2.0 * times * f64::from(held.stiffness);
                }
            }
            let (force, matrix) = felt(points.into_iter());
            let reach = |k: usize| if k < 3 { 1.0 } else { far };
            let (got_force, got_matrix) = columns(got);
            for k in 0..6 {
                errors.number(got_force[k], force[k], reach(k) * scale[0]);
                for l in 0..6 {
                    let size = reach(k) * reach(l) * scale[1];
                    errors.number(got_matrix[k][l], matrix[k][l], size);
                }
            }
        }
    }
    Ok(())
}
