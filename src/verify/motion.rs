//! What is moved by motions that the caller gives.

use crate::extreme::greatest;
use glam::{DQuat, DVec3, Quat, Vec3, Vec4};

use super::trial::Arrays;
use super::{Bench, Check, Checks, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{
    Externals, MAX_SOLIDS, NONE, Pin, Pose, SOLID_PLANE, STATUS_TRAVEL, Sim, Waypoint,
};
use crate::reference::motion as reference;

pub const CHECKS: Checks = &[("solid_move", Check::Trial(solid)), ("pin_move", Check::Trial(pin))];

/// Waypoints of a step.
pub const COUNT: usize = 5;
/// The step of a submission that is looked at, of two.
pub const SLOT: usize = 1;

/// Random waypoints of two steps, of the solids given.
pub fn waypoints(solids: [u32; COUNT], random: &mut Random) -> Vec<Waypoint> {
    let waypoint = |k: usize| Waypoint {
        centre: random.vector(1.0).as_vec3(),
        solid: solids[k % COUNT],
        rotation: DQuat::from_scaled_axis(random.vector(2.0)).as_quat().into(),
        velocity: random.vector(2.0).as_vec3(),
        elapsed: random.between(0.0, 2.0) as f32,
        spin: random.vector(3.0).as_vec3(),
        going: (k % 2) as f32,
        turn: random.vector(3.0).as_vec3(),
    };
    (0..2 * COUNT).map(waypoint).collect()
}

/// The case's uniform at that step.
pub fn sim(bench: &Bench<'_>) -> Sim {
    Sim { slot: SLOT as u32, waypoint_count: COUNT as u32, ..bench.case.sim }
}

/// The solids stand as the waypoints of the step say, all others as they did.
fn solid(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let solids = [0, 2, NONE, 1, MAX_SOLIDS - 1];
    let waypoints = waypoints(solids, &mut Random::new(95));
    let before = std::slice::from_ref(&*bench.case.externals);
    let arrays: &Arrays<'_> = &[("externals_out", &before), ("waypoints", &waypoints)];
    let after = bench.run(sim(bench), COUNT, arrays)?;
    let got = after.get::<Externals>("externals_out").remove(0);
    let mut wanted = bench.case.externals.clone();
    for waypoint in waypoints[SLOT * COUNT..].iter().filter(|waypoint| waypoint.solid != NONE) {
        let k = waypoint.solid as usize;
        let (got, solid) = (&got.solids[k], &mut wanted.solids[k]);
        let vectors = [
            (got.centre, waypoint.centre),
            (got.velocity, waypoint.velocity),
            (got.spin, waypoint.spin),
        ];
        for (got, wanted) in vectors {
            let wanted = wanted.as_dvec3();
            errors.vector(got, wanted, wanted.length());
        }
        (solid.centre, solid.velocity, solid.spin) =
            (waypoint.centre, waypoint.velocity, waypoint.spin);
        match solid.kind {
            SOLID_PLANE => solid.extent = waypoint.rotation.truncate(),
            _ => solid.rotation = waypoint.rotation,
        }
    }
    errors.holds(got == *wanted);
    Ok(())
}

/// A waypoint in f64.
pub fn exact(waypoint: &Waypoint) -> reference::Waypoint {
    reference::Waypoint {
        centre: waypoint.centre.as_dvec3(),
        rotation: Quat::from_vec4(waypoint.rotation).as_dquat(),
        velocity: waypoint.velocity.as_dvec3(),
        spin: waypoint.spin.as_dvec3(),
    }
}

/// Place and velocity of every third particle, the velocity beside it, too, the longest way, and a place or a speed that is
/// none; scale: the sum of the magnitudes.
fn pin(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    if inputs.is_empty() {
        return Ok(());
    }
    let mut random = Random::new(96);
    let waypoints = waypoints([NONE; COUNT], &mut random);
    let pin = |particle: usize| Pin {
        anchor: random.vector(1.0).as_vec3(),
        particle: particle as u32,
        velocity: random.vector(2.0).as_vec3(),
        waypoint: (particle % COUNT) as u32,
    };
    let mut pins: Vec<_> = (0..inputs.len()).step_by(3).map(pin).collect();
    // Held poses behind them.
    let held = Pose { rotation: Vec4::W, body: 1, bound: 2.0, ..Pose::default() };
    let poses = [1.0, 2.0, 3.0].map(|x| Pose { position: Vec3::splat(x), ..held });
    if bench.case.content.poses {
        let moved = pins.iter().take(2).zip(1..);
        let moved: Vec<_> = moved
            .map(|(pin, k)| Pin {
                particle: (inputs.len() + k) as u32,
                velocity: Vec3::ZERO,
                ..*pin
            })
            .collect();
        pins.extend(moved);
    }
    let halves = vec![Vec3::ONE.extend(0.25); inputs.len()];
    let arrays: &Arrays<'_> = &[
        ("waypoints", &waypoints),
        ("pins", &pins),
        ("half_velocity", &halves),
        ("poses", &poses),
    ];
    let sim = Sim { pose_count: poses.len() as u32, ..sim(bench) };
    let after = bench.run(sim, pins.len(), arrays)?;
    for (k, (got, before)) in after.get::<Pose>("poses").iter().zip(&poses).enumerate() {
        let Some(pin) = pins.iter().find(|pin| pin.particle as usize == inputs.len() + k) else {
            errors.holds(got == before);
            continue;
        };
        let waypoint = &waypoints[SLOT * COUNT + pin.waypoint as usize];
        let goal = exact(waypoint).carried(pin.anchor.as_dvec3(), DVec3::ZERO, 0.0, false).0;
        let h = f64::from(sim.step);
        let way = goal - before.position.as_dvec3();
        errors.vector(
            got.velocity,
            way / h,
            (goal.length() + f64::from(before.position.length())) / h,
        );
        errors.vector(got.spin, waypoint.turn.as_dvec3(), 0.0);
        errors.kept(got, before, |p, got| (p.velocity, p.spin) = (got.velocity, got.spin));
    }
    let (particles, kept) = (after.particles(), after.get::<Vec4>("half_velocity"));
    let mut longest = 0.0_f32;
    for (i, (got, kept)) in particles.iter().zip(kept).enumerate() {
        let before = &inputs[i];
        let Some(pin) = pins.iter().find(|pin| pin.particle as usize == i) else {
            errors.holds(got == before && kept == halves[i]);
            continue;
        };
        let waypoint = &waypoints[SLOT * COUNT + pin.waypoint as usize];
        let (exact, elapsed) = (exact(waypoint), f64::from(waypoint.elapsed));
        let (anchor, own) = (pin.anchor.as_dvec3(), pin.velocity.as_dvec3());
        let (x, v) = exact.carried(anchor, own, elapsed, waypoint.going > 0.0);
        let [far, own] = [anchor, own].map(|v| v.length());
        let reach = exact.centre.length() + 4.0 * far + elapsed * own;
        let speed = exact.velocity.length() + 4.0 * exact.spin.length() * far + own;
        errors.vector(got.position, x, reach);
        errors.vector(got.velocity, v, speed);
        errors.kept(got, before, |p, got| {
            (p.position, p.velocity) = (got.position, got.velocity);
        });
        errors.holds(kept == got.velocity.extend(halves[i].w));
        longest = greatest(longest, (got.position - before.position).length_squared());
    }
    let travel = f32::from_bits(bench.told(&after, STATUS_TRAVEL, errors));
    errors.number(travel, f64::from(longest), f64::from(longest));
    Ok(())
}
