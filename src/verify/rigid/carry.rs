//! What follows poses, and poses that follow obstacles.

use glam::{DQuat, DVec3, UVec4, Vec3, Vec4};

use super::crowd::loose;
use crate::Result;
use crate::extreme;
use crate::gpu::types::{
    Collide, Contact, NONE, Particle, Pose, SOLID_BOX, SOLID_PLANE, SOLID_SPHERE, STATUS_TRAVEL,
    Side, Sim, Solid,
};
use crate::verify::poses::{COUNT, exact, with_poses};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// Obstacles' poses are where these are, and move as they do; a half space's y is its normal. Those of bodies stay.
pub fn obstacles(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(800);
    let poses = loose(801);
    let mut externals = *bench.case.externals;
    let normals = [
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::new(1e-4, -1.0, 2e-4),
        DVec3::new(0.0, -1.0, 1e-8),
        random.vector(1.0),
        DVec3::X,
    ];
    for (k, solid) in externals.solids.iter_mut().take(COUNT / 2).enumerate() {
        let turn = DQuat::from_scaled_axis(random.vector(2.0));
        *solid = Solid {
            kind: [SOLID_PLANE, SOLID_SPHERE, SOLID_BOX][k % 3],
            centre: random.vector(3.0).as_vec3(),
            extent: normals[k / 3 % normals.len()].normalize().as_vec3(),
            rotation: Vec4::from(turn.as_quat()),
            velocity: random.vector(2.0).as_vec3(),
            spin: random.vector(2.0).as_vec3(),
            ..Solid::default()
        };
    }
    for count in [COUNT / 2, 1, 0] {
        let sim = Sim { solid_count: count as u32, ..with_poses(&bench.case.sim) };
        let arrays: &Arrays<'_> = &[("poses", &poses), ("externals", &[externals])];
        let after = bench.run(sim, count, arrays)?;
        let first = COUNT - count;
        for (p, (got, before)) in after.get::<Pose>("poses").iter().zip(&poses).enumerate() {
            let Some(k) = p.checked_sub(first) else {
                errors.holds(got == before);
                continue;
            };
            let solid = &externals.solids[k];
            let wanted = match solid.kind {
                SOLID_PLANE => {
                    DQuat::from_rotation_arc(DVec3::Y, solid.extent.as_dvec3().normalize())
                }
                SOLID_BOX => DQuat::from_array(solid.rotation.to_array().map(f64::from)),
                _ => DQuat::IDENTITY,
            };
            let turn = DQuat::from_array(got.rotation.to_array().map(f64::from));
            errors.number(turn.length() as f32, 1.0, 1.0);
            if solid.kind == SOLID_PLANE {
                errors.vector((turn * DVec3::Y).as_vec3(), solid.extent.as_dvec3(), 4.0);
            }
            // Of half a turn any axis will do.
            if solid.extent.y > -0.999 || solid.kind != SOLID_PLANE {
                let sign = turn.dot(wanted).signum();
                errors.number((turn * sign - wanted).length() as f32, 0.0, 4.0);
            }
            errors.kept(got, before, |p, got| {
                (p.position, p.rotation) = (got.position, got.rotation);
                (p.velocity, p.spin) = (got.velocity, got.spin);
            });
            let place = (got.position, got.velocity, got.spin);
            errors.holds(place == (solid.centre, solid.velocity, solid.spin));
        }
    }
    Ok(())
}

/// Where particles are on poses, three of four; the others are no pose's.
fn carried(bench: &Bench<'_>, random: &mut Random) -> Vec<Vec4> {
    let place = |i: usize| {
        let pose = if i % 4 == 1 { NONE } else { (i / 3 % COUNT) as u32 };
        random.vector(1.0).as_vec3().extend(f32::from_bits(pose))
    };
    (0..bench.len()).map(place).collect()
}

/// x = X + R a, v = V + ω × R a; the longest way. What sleeps and stands still has been carried.
pub fn particles(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let carried = carried(bench, &mut Random::new(810));
    let poses = loose(811);
    let arrays: &Arrays<'_> = &[("poses", &poses), ("carried", &carried)];
    let after = bench.run(with_poses(&bench.case.sim), bench.len(), arrays)?;
    let (mut longest, mut scale) = (0.0, 0.0);
    for (i, (got, before)) in after.particles().iter().zip(&bench.case.particles).enumerate() {
        let Some(pose) = poses.get(carried[i].w.to_bits() as usize) else {
            errors.holds(got == before);
            continue;
        };
        if pose.island > 0 && before.velocity == Vec3::ZERO {
            errors.holds(got == before);
            continue;
        }
        let at = exact(pose);
        let arm = at.rotation * carried[i].truncate().as_dvec3();
        let (x, size) = (at.position + arm, at.position.length() + 2.0 * arm.length());
        errors.vector(got.position, x, size);
        let spin = pose.spin.as_dvec3();
        let turning = 2.0 * spin.length() * arm.length();
        errors.vector(got.velocity, at.velocity + spin.cross(arm), at.velocity.length() + turning);
        errors.kept(got, before, |p: &mut Particle, got| {
            (p.position, p.velocity) = (got.position, got.velocity);
        });
        let way = x.distance(before.position.as_dvec3());
        longest = extreme::greatest(longest, way);
        scale = extreme::greatest(scale, size + way);
    }
    let told = bench.told(&after, STATUS_TRAVEL, errors);
    errors.number(f32::from_bits(told).sqrt(), longest, scale);
    Ok(())
}

/// A side of particles that a pose has is the mean of their places on it, by their weights; all others, contacts of what is no
/// particle's or edge's, and records of none stay.
pub fn contacts(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(820);
    let carried = carried(bench, &mut random);
    let (particles, records) = (bench.len(), bench.len() + 9);
    let contacts: Vec<_> =
        (0..records).map(|c| random_contact(particles, c, &mut random)).collect();
    for (end, room) in [(records - 5, records), (records - 5, records / 2)] {
        let mut first = vec![0; particles + 3];
        first[particles + 2] = end as u32;
        let collide = Collide { edge_count: 2, capacity: room as u32, ..Collide::default() };
        let arrays: &Arrays<'_> = &[
            ("collide", &[collide]),
            ("record_first", &first),
            ("contacts", &contacts),
            ("carried", &carried),
        ];
        let after = bench.run(with_poses(&bench.case.sim), records, arrays)?;
        for (c, (got, before)) in after.get::<Contact>("contacts").iter().zip(&contacts).enumerate()
        {
            if c >= end.min(room) || !before.is_contact() {
                errors.holds(got == before);
                continue;
            }
            compare_side(particles, &carried, [&got.a, &before.a], errors);
            compare_side(particles, &carried, [&got.b, &before.b], errors);
            errors.holds(*got == Contact { a: got.a, b: got.b, ..*before });
        }
    }
    Ok(())
}

fn random_contact(particles: usize, c: usize, random: &mut Random) -> Contact {
    let pose = Side {
        weights: Vec4::new(0.1, 0.2, 0.3, 0.0),
        ..Side::of(&[((particles + c % COUNT) as u32, 0.0)])
    };
    let nothing = Side { dofs: UVec4::splat(NONE), ..Side::default() };
    let mut side = |sign: f32| {
        if particles == 0 || random.index(0, 8) == 0 {
            return pose;
        }
        let i = random.index(0, particles);
        let [u, v] = [random.between(0.0, 0.5), random.between(0.0, 0.5)].map(|w| w as f32);
        // Those of one body are all of one pose, which four in a row and every twelfth are not.
        let weights = [u, v, 1.0 - u - v].map(|w| sign * w);
        let corners = [0, 1, 2].map(|k| ((i + 12 * k) % particles) as u32);
        let parts: Vec<_> = corners.into_iter().zip(weights).collect();
        Side::of(&parts[..random.index(1, 4)])
    };
    let (a, b) = (side(1.0), side(-1.0));
    Contact {
        a: if c % 7 == 3 { nothing } else { a },
        b,
        normal: Vec3::new(0.0, 1.0, c as f32),
        feature_a: c as u32,
        ..Contact::default()
    }
}

/// Compares a side with what was there before.
fn compare_side(
    particles: usize,
    carried: &[Vec4],
    [got, before]: [&Side; 2],
    errors: &mut ErrorStats,
) {
    let pose = carried.get(before.dofs.x as usize).map_or(NONE, |place| place.w.to_bits());
    if before.dofs.x as usize >= particles || pose == NONE {
        errors.holds(got == before);
        return;
    }
    errors.holds(got.dofs == UVec4::new(particles as u32 + pose, NONE, NONE, NONE));
    let own = |(i, w): (u32, f32)| (carried[i as usize].truncate().as_dvec3(), f64::from(w));
    let parts: Vec<_> = before.parts().map(own).collect();
    let whole: f64 = parts.iter().map(|(_, w)| w).sum();
    let sum: DVec3 = parts.iter().map(|(x, w)| *w * *x).sum();
    let size: f64 = parts.iter().map(|(x, w)| (*w * *x).length()).sum();
    errors.vector(got.weights.truncate(), sum / whole, 2.0 * size / whole.abs());
    errors.holds(got.weights.w == 0.0);
}
