//! Rigid degrees of freedom: the kick and the move.

use glam::{DQuat, DVec3, Vec3, Vec4};

use super::trial::Arrays;
use super::{Bench, Check, Checks, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{
    LOOK_AHEAD, NONE, Pose, STATUS_ASLEEP, STATUS_AWAKE, STATUS_SETTLED, STATUS_STRAYED, Searched,
    Sim,
};
use crate::reference::pose as reference;
use crate::reference::rigid::sleep::Rest;

pub const CHECKS: Checks = &[("pose_kick", Check::Trial(kick)), ("pose_move", Check::Trial(moves))];

/// How many there are.
pub(super) const COUNT: usize = 70;

/// Poses that turn, one in five of which nothing moves, and of the others one in seven sleeps.
pub(super) fn random(random: &mut Random) -> Vec<Pose> {
    let pose = |k: usize| {
        let free = f32::from(u8::from(k % 5 != 3));
        let axis = random.vector(1.0).normalize_or(DVec3::X);
        let rotation = DQuat::from_axis_angle(axis, random.between(-3.0, 3.0)).as_quat();
        let inverse = || Vec3::ONE + 20.0 * random.vector(0.5).abs().as_vec3();
        let inverse_inertia = free * { inverse }();
        Pose {
            position: random.vector(2.0).as_vec3(),
            inverse_mass: free * random.between(0.5, 3.0) as f32,
            rotation: Vec4::from(rotation),
            velocity: random.vector(2.0).as_vec3(),
            body: (k % 3) as u32,
            spin: random.vector(3.0).as_vec3(),
            momentum: random.vector(0.5).as_vec3(),
            inverse_inertia,
            bound: random.between(0.3, 2.0) as f32,
            margin: random.between(0.01, 0.05) as f32,
            island: if free > 0.0 && k % 7 == 2 { (k % 3) as u32 + 1 } else { 0 },
            still: 0.1 * (k % 11) as f32,
            turn: random.between(0.1, 0.5) as f32,
        }
    };
    (0..COUNT).map(pose).collect()
}

/// As the reference has it.
pub(super) fn exact(pose: &Pose) -> reference::Pose {
    reference::Pose {
        position: pose.position.as_dvec3(),
        velocity: pose.velocity.as_dvec3(),
        rotation: DQuat::from_array(pose.rotation.to_array().map(f64::from)).normalize(),
        momentum: pose.momentum.as_dvec3(),
        inverse_mass: f64::from(pose.inverse_mass),
        inverse_inertia: pose.inverse_inertia.as_dvec3(),
    }
}

/// The uniform with these.
pub(super) fn with_poses(sim: &Sim) -> Sim {
    Sim { pose_count: COUNT as u32, ..*sim }
}

/// Where particles are on poses, every other one; the others are no pose's.
pub(super) fn carried(bench: &Bench<'_>, random: &mut Random) -> Vec<Vec4> {
    let mut carried = vec![Vec4::new(0.0, 0.0, 0.0, f32::from_bits(NONE)); bench.len()];
    for (k, place) in carried.iter_mut().enumerate().step_by(2) {
        let arm = random.vector(1.0).as_vec3();
        *place = arm.extend(f32::from_bits((k % COUNT) as u32));
    }
    carried
}

/// A pose after a kick.
pub(super) struct Kicked {
    pub velocity: DVec3,
    spin: DVec3,
    /// Sums of the magnitudes of what they are of.
    pub scales: [f64; 2],
    /// Whether anything pulls at it.
    pulled: bool,
}

/// The velocities of pose p after a kick: v + h (g − drag (v − wind)), and what pulls at its particles.
pub(super) fn kicked(bench: &Bench<'_>, before: &Pose, (p, carried): (usize, &[Vec4])) -> Kicked {
    let sim = &bench.case.sim;
    let [gravity, wind] = [sim.gravity, sim.wind].map(|a| a.as_dvec3());
    let (h, drag) = (f64::from(sim.step), f64::from(sim.drag));
    let (v, at) = (before.velocity.as_dvec3(), exact(before));
    let change = h * (gravity - drag * (v - wind));
    let (mut velocity, mut spin) = (v + change, before.spin.as_dvec3());
    let mut scales = [v.length() + change.length(), spin.length()];
    let mut pulled = false;
    for pull in &bench.oracle().system.pulls {
        let place = carried[pull.point];
        if place.w.to_bits() as usize == p {
            let arm = at.rotation * place.truncate().as_dvec3();
            let turn = at.inverse_inertia_times(arm.cross(h * pull.force));
            velocity += h * at.inverse_mass * pull.force;
            spin += turn;
            scales[0] += h * at.inverse_mass * pull.force.length();
            let largest = at.inverse_inertia.max_element();
            scales[1] += 2.0 * largest * arm.length() * h * pull.force.length();
            pulled |= pull.force != DVec3::ZERO;
        }
    }
    Kicked { velocity, spin, scales, pulled }
}

/// Compares a pose after a kick; whether anything pulls at it.
pub(super) fn compare_kicked(
    bench: &Bench<'_>,
    got: &Pose,
    before: &Pose,
    place: (usize, &[Vec4]),
    errors: &mut ErrorStats,
) -> bool {
    let wanted = kicked(bench, before, place);
    errors.vector(got.velocity, wanted.velocity, wanted.scales[0]);
    errors.vector(got.spin, wanted.spin, wanted.scales[1]);
    wanted.pulled
}

/// Whether anything pulls at a pose.
fn is_pulled(bench: &Bench<'_>, p: usize, carried: &[Vec4]) -> bool {
    let own = |point: usize| carried[point].w.to_bits() as usize == p;
    let pulls = &bench.oracle().system.pulls;
    pulls.iter().any(|pull| own(pull.point) && pull.force != DVec3::ZERO)
}

/// The kick of those that are free and awake: what is pulled has not been at rest. Islands that sleep are disturbed where
/// anything pulls at them, or in a gust.
fn kick(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random_numbers = Random::new(120);
    let poses = random(&mut random_numbers);
    let carried = carried(bench, &mut random_numbers);
    for gust in [0, 1] {
        let sim = Sim { gust, ..with_poses(&bench.case.sim) };
        let undisturbed = vec![0_u32; COUNT];
        let arrays: &Arrays<'_> =
            &[("poses", &poses), ("carried", &carried), ("disturbed", &undisturbed)];
        let after = bench.run(sim, COUNT, arrays)?;
        let mut disturbed = undisturbed.clone();
        for (p, (got, before)) in after.get::<Pose>("poses").iter().zip(&poses).enumerate() {
            if before.island > 0 {
                let disturbs = gust > 0 || is_pulled(bench, p, &carried);
                disturbed[before.island as usize - 1] |= u32::from(disturbs);
            }
            if before.island > 0 || before.inverse_mass == 0.0 {
                errors.holds(got == before);
                continue;
            }
            let pulled = compare_kicked(bench, got, before, (p, &carried), errors);
            errors.kept(got, before, |pose, got| {
                (pose.velocity, pose.spin) = (got.velocity, got.spin);
                pose.still = if pulled { 0.0 } else { pose.still };
            });
        }
        errors.words(&after.get::<u32>("disturbed"), &disturbed);
    }
    Ok(())
}

/// Why contacts have to be looked for anew.
#[derive(Clone, Copy)]
enum Strays {
    Far,
    Turned,
    Late,
}

/// x += h v; L by the change of the spin; q turns by it, or of what nothing pushes by its spin; what sleeps stays. A pose has strayed
/// where a point of it may have come further than contacts were looked for.
fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut poses = random(&mut Random::new(121));
    for (k, pose) in poses.iter_mut().enumerate() {
        // Some hardly move, some spin fast, and some have been changed by no contact.
        if k % 6 == 4 {
            pose.momentum *= 15.0;
            pose.spin *= 15.0;
        }
        if k % 4 == 1 {
            pose.momentum *= 1e-3;
            (pose.velocity, pose.spin) = (1e-3 * pose.velocity, 1e-3 * pose.spin);
        }
        if k % 2 == 0 {
            let at = exact(pose);
            pose.spin = at.inverse_inertia_times(at.momentum).as_vec3();
        }
    }
    let gravity = Vec3::new(0.0, -9.0, 3.0);
    // A long step tells methods apart.
    let sim = Sim { step: 0.02, speed_limit: 1e4, gravity, ..with_poses(&bench.case.sim) };
    let h = f64::from(sim.step);
    // All are looked around for a little more than they go and turn, or one a little less or for too long.
    let kinds = [
        (1, None, None),
        (0, Some((11, Strays::Far)), Some(0)),
        (0, Some((11, Strays::Turned)), Some(0)),
        (1, Some((13, Strays::Far)), Some(1)),
        (0, Some((11, Strays::Late)), Some(0)),
    ];
    for (order, (sleep, strays, kind)) in
        [(4, kinds[0]), (4, kinds[1]), (4, kinds[2]), (1, kinds[0]), (1, kinds[3]), (4, kinds[4])]
    {
        let mut poses = poses.clone();
        for pose in poses.iter_mut().filter(|pose| pose.inverse_mass > 0.0) {
            // Those that are free sleep or not, or all of them do, or none.
            pose.island = kind.unwrap_or(pose.island);
        }
        let wanted: Vec<_> = poses.iter().map(|pose| moved(pose, h, order)).collect();
        let (mut searched, turned) = searched(&poses, &wanted, h);
        for (pose, turned) in poses.iter_mut().zip(turned) {
            pose.turn = (1.001 * turned) as f32;
        }
        for (k, (pose, searched)) in poses.iter_mut().zip(&mut searched).enumerate() {
            // What has been looked around for lately, or has hardly left its place.
            let old = 2.0 * LOOK_AHEAD + 0.01 * sim.step;
            let lately = k % 3 > 0;
            searched.age = if lately { old - 1.02 * sim.step } else { old };
            pose.margin = if lately { 0.0 } else { 2.0 * searched.reach };
        }
        match strays {
            Some((p, Strays::Turned)) => poses[p].turn *= 0.998,
            Some((p, Strays::Far)) => searched[p].reach *= 0.998,
            Some((p, Strays::Late)) => searched[p].age += 0.04 * sim.step,
            None => {}
        }
        let sim = Sim { turn_order: order, sleep, ..sim };
        let arrays: &Arrays<'_> = &[
            ("poses", &poses),
            ("status", &bench.status()),
            ("searched", &searched),
            ("disturbed", &vec![1_u32; COUNT]),
        ];
        let after = bench.run(sim, COUNT, arrays)?;
        let got: Vec<Pose> = after.get("poses");
        let aged: Vec<Searched> = after.get("searched");
        for ((got, before), pose) in aged.iter().zip(&searched).zip(&poses) {
            let age = f64::from(before.age) + if pose.island > 0 { 0.0 } else { h };
            errors.number(got.age, age, age);
            errors.kept(got, before, |searched, got| searched.age = got.age);
        }
        let [mut awake, mut asleep, mut settled] = [false; 3];
        for ((got, before), wanted) in got.iter().zip(&poses).zip(&wanted) {
            if before.island > 0 {
                asleep = true;
                errors.holds(got == before);
                continue;
            }
            compare_moved(got, before, wanted, h, errors);
            let rest = Rest::new(f64::from(gravity.length()), f64::from(before.bound));
            compare_still(got, before, (&rest, sleep > 0), h, errors);
            awake |= got.inverse_mass > 0.0 || got.velocity != Vec3::ZERO || got.spin != Vec3::ZERO;
            settled |= f64::from(got.still) > rest.time;
        }
        let words = after.status();
        errors.holds(words[0] == u32::MAX);
        let strayed = strays.is_some_and(|(p, _)| poses[p].island == 0);
        errors.words(&[words[STATUS_STRAYED as usize]], &[u32::from(strayed)]);
        errors.words(&[words[STATUS_AWAKE as usize]], &[u32::from(awake) * (sim.slot + 1)]);
        errors.words(&[words[STATUS_ASLEEP as usize]], &[u32::from(asleep)]);
        errors.words(&[words[STATUS_SETTLED as usize]], &[u32::from(settled)]);
        // None of its bodies' islands is disturbed any more; there is no other.
        let left = |p: u32| u32::from(p >= 3.min(sim.body_count));
        errors.words(
            &after.get::<u32>("disturbed"),
            &(0..COUNT as u32).map(left).collect::<Vec<_>>(),
        );
    }
    Ok(())
}

/// For how long a pose has been at rest.
fn compare_still(
    got: &Pose,
    before: &Pose,
    (rest, counts): (&Rest, bool),
    h: f64,
    errors: &mut ErrorStats,
) {
    let [speed, spin] = [got.velocity, got.spin].map(|v| v.as_dvec3().length());
    let slow = speed < rest.speed && spin < rest.spin;
    let wanted = match counts && slow && before.inverse_mass > 0.0 {
        true => f64::from(before.still) + h,
        false => 0.0,
    };
    let unsure = [speed / rest.speed, spin / rest.spin];
    if unsure.iter().all(|part| (part - 1.0).abs() > 1e-5) {
        errors.number(got.still, wanted, wanted);
    }
}

/// A pose and its spin a step later, which it turns in by a method of this order.
fn moved(before: &Pose, h: f64, order: u32) -> (reference::Pose, DVec3) {
    let at = exact(before);
    let spin = before.spin.as_dvec3();
    if before.inverse_mass == 0.0 {
        let rotation = match order {
            1 => reference::turned_by_euler(at.rotation, h * spin),
            _ => DQuat::from_scaled_axis(h * spin) * at.rotation,
        };
        return (reference::Pose { position: at.position + h * at.velocity, rotation, ..at }, spin);
    }
    let pose = pushed(before);
    let pose = match order {
        1 => pose.moved_by_euler(h),
        // Some turn by a radian.
        _ => (0..4).fold(pose, |pose, _| pose.moved(0.25 * h)),
    };
    (pose, pose.inverse_inertia_times(pose.momentum))
}

/// A pose that is free, with the angular momentum that its spin says.
pub(super) fn pushed(before: &Pose) -> reference::Pose {
    let at = exact(before);
    let changed = before.spin.as_dvec3() - at.inverse_inertia_times(at.momentum);
    reference::Pose { momentum: at.momentum + at.inertia_times(changed), ..at }
}

/// A pose that has been moved from `before` against where it should be, and its spin.
pub(super) fn compare_moved(
    got: &Pose,
    before: &Pose,
    (wanted, spin): &(reference::Pose, DVec3),
    h: f64,
    errors: &mut ErrorStats,
) {
    let at = exact(before);
    let scale = at.momentum.length() + 2.0 * at.inertia_times(before.spin.as_dvec3()).length();
    errors.vector(got.momentum, wanted.momentum, scale);
    let far = at.position.length() + h * at.velocity.length();
    errors.vector(got.position, wanted.position, far);
    // q and −q are the same.
    let q = DQuat::from_array(got.rotation.to_array().map(f64::from));
    let sign = q.dot(wanted.rotation).signum();
    let off = q * sign - wanted.rotation;
    errors.number(off.length() as f32, 0.0, 4.0);
    let fast = 4.0 * at.inverse_inertia.max_element() * scale + spin.length();
    errors.vector(got.spin, *spin, fast);
    errors.holds(before.inverse_mass > 0.0 || got.spin == before.spin);
    errors.kept(got, before, |p, got| {
        (p.position, p.rotation) = (got.position, got.rotation);
        (p.spin, p.momentum, p.still) = (got.spin, got.momentum, got.still);
    });
}

/// Where poses were as contacts were looked for, a little further around than they have come and will in the next step: their
/// centres, and a point at the bound by the chord of the turn.
fn searched(
    poses: &[Pose],
    moved: &[(reference::Pose, DVec3)],
    h: f64,
) -> (Vec<Searched>, Vec<f64>) {
    let mut random = Random::new(126);
    let place = |(pose, (now, spin)): (&Pose, &(reference::Pose, DVec3))| {
        let position = (now.position + random.vector(0.02)).as_vec3();
        // Some have hardly turned.
        let angle = [1e-4, 0.02, 0.5][random.index(0, 3)];
        let turn = DQuat::from_scaled_axis(random.vector(angle)) * now.rotation;
        let rotation = Vec4::from(turn.as_quat());
        let last = DQuat::from_array(rotation.to_array().map(f64::from)).normalize();
        let bound = f64::from(pose.bound);
        let cosine = (last.inverse() * now.rotation).normalize();
        let chord = 2.0 * DVec3::new(cosine.x, cosine.y, cosine.z).length();
        let turn = chord + h * spin.length();
        let way = now.position.distance(position.as_dvec3()) + h * now.velocity.length();
        let reach = (1.001 * (way + turn * bound)) as f32;
        (Searched { position, reach, rotation, ..Searched::default() }, turn)
    };
    poses.iter().zip(moved).map(place).unzip()
}
