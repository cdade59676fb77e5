//! What a mean velocity that moves particles makes of the poses that they push.

use glam::{DVec3, Vec3, Vec4};

use super::soft::{Given, parts_of_poses, pose_rows};
use crate::Result;
use crate::gpu::types::{POSE_ROWS, Pose, Sim, WORKGROUP};
use crate::verify::poses::{COUNT, carried, exact, kicked, with_poses};
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random};

/// x back by (1 − s) h k: of the change u of its velocity in the step, k = u clamp(d·u/u², 0, 1) with d the part that the impulses of
/// particles and the kick have. Those that no particle pushes stay, and those that sleep.
pub fn mean(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Given::new(bench, 130);
    let mut random = Random::new(131);
    let carried = carried(bench, &mut random);
    let (rows, _) = parts_of_poses(&given.poses, &mut random);
    let mut velocities = vec![Vec4::splat(7.0); bench.len()];
    velocities.extend(rows);
    // The velocity that contacts have changed since the kick: by what particles do; by a part of it more or less; against it; at random.
    let mut impulses = [(DVec3::ZERO, 0.0); COUNT];
    for (c, contact) in given.contacts[..given.first].iter().enumerate() {
        let of = &given.impulses[c];
        let impulse = f64::from(of.normal) * contact.normal.as_dvec3() + of.tangent.as_dvec3();
        for (sign, side) in [(1.0, &contact.a), (-1.0, &contact.b)] {
            if let Some((p, _)) = given.pose(bench, side) {
                impulses[p].0 += sign * impulse;
                impulses[p].1 += f64::from(of.normal) + of.tangent.as_dvec3().length();
            }
        }
    }
    for (p, before) in given.poses.iter().enumerate() {
        let pushed = f64::from(before.inverse_mass) * impulses[p].0;
        let change = match p % 4 {
            0 => pushed,
            1 => random.between(0.2, 1.8) * pushed,
            2 => -pushed,
            _ => random.vector(2.0),
        };
        let kicked = (before.velocity.as_dvec3() - change).as_vec3();
        for (k, of) in kicked.to_array().into_iter().enumerate() {
            velocities[bench.len() + POSE_ROWS as usize * p + 2 + k].w = of;
        }
    }
    for contact_share in [0.5, 0.0] {
        let sim = Sim { contact_share, ..with_poses(&bench.case.sim) };
        let back = (1.0 - f64::from(contact_share)) * f64::from(sim.step);
        let arrays: &Arrays<'_> = &[
            ("impulses", &given.impulses),
            ("contact_velocities", &velocities),
            ("carried", &carried),
        ];
        let after = given.run_of(bench, sim, COUNT * WORKGROUP as usize, arrays)?;
        for (p, (got, before)) in after.get::<Pose>("poses").iter().zip(&given.poses).enumerate() {
            let (impulse, magnitude) = impulses[p];
            if magnitude == 0.0 || before.island > 0 || before.inverse_mass == 0.0 {
                errors.holds(got == before);
                continue;
            }
            let rows = pose_rows(&velocities, bench.len(), p);
            let velocity = Vec3::from_array([2, 3, 4].map(|row| rows[row].w));
            let falling = Pose { velocity, ..*before };
            let of_kick = kicked(bench, &falling, (p, &carried));
            let kick = of_kick.velocity - velocity.as_dvec3();
            let inverse_mass = f64::from(before.inverse_mass);
            let change = kick + before.velocity.as_dvec3() - velocity.as_dvec3();
            let part = (kick + inverse_mass * impulse).dot(change) / change.length_squared();
            let wanted = exact(before).position - back * part.clamp(0.0, 1.0) * change;
            let given_by = of_kick.scales[0] + inverse_mass * magnitude;
            let scale = exact(before).position.length() + back * (given_by + change.length());
            errors.vector(got.position, wanted, scale);
            errors.kept(got, before, |pose, got| pose.position = got.position);
        }
    }
    Ok(())
}
