//! What is moved by motions that the caller gives.

use crate::extreme::greatest;
use glam::{DQuat, Quat, Vec3};

use super::bench::Bench;
use super::case::Random;
use super::errors::ErrorStats;
use crate::Result;
use crate::gpu::types::{Externals, MAX_SOLIDS, NONE, Pin, Pose, SOLID_PLANE, Sim, TALLY_TRAVEL};
use crate::gpu::{Buffer, Kernel};
use crate::reference::motion as reference;

pub const CHECKS: super::Checks = &[
    ("solid_move", super::Check::Case(solid)),
    ("pin_move", super::Check::Case(pin)),
];

/// Poses of a step.
pub const COUNT: usize = 5;
/// The step of a submission that is looked at, of two.
pub const SLOT: usize = 1;

/// Random poses of two steps, of the solids given.
pub fn poses(solids: [u32; COUNT], random: &mut Random) -> Vec<Pose> {
    let pose = |k: usize| Pose {
        centre: random.vector(1.0).as_vec3(),
        solid: solids[k % COUNT],
        rotation: DQuat::from_scaled_axis(random.vector(2.0)).as_quat().into(),
        velocity: random.vector(2.0).as_vec3(),
        elapsed: random.between(0.0, 2.0) as f32,
        spin: random.vector(3.0).as_vec3(),
        going: (k % 2) as f32,
    };
    (0..2 * COUNT).map(pose).collect()
}

fn sim(bench: &Bench<'_>) -> Sim {
    Sim {
        slot: SLOT as u32,
        pose_count: COUNT as u32,
        ..bench.case.sim
    }
}

/// The solids stand as the poses of the step say, all others as they did.
pub fn solid(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let solids = [0, 2, NONE, 1, MAX_SOLIDS - 1];
    let poses = poses(solids, &mut Random::new(95));
    let before = &bench.case.externals;
    let externals =
        Buffer::<Externals>::new(bench.context, "externals", std::slice::from_ref(&**before))?;
    let table = Buffer::new(bench.context, "poses", &poses)?;
    let others = [externals.bind("externals_out"), table.bind("poses")];
    bench.dispatch(kernel, sim(bench), COUNT, &others);
    errors.case();
    let got = externals.read(bench.context)?.remove(0);
    let mut wanted = before.clone();
    for pose in poses[SLOT * COUNT..]
        .iter()
        .filter(|pose| pose.solid != NONE)
    {
        let (got, solid) = (
            &got.solids[pose.solid as usize],
            &mut wanted.solids[pose.solid as usize],
        );
        let vectors = [
            (got.centre, pose.centre),
            (got.velocity, pose.velocity),
            (got.spin, pose.spin),
        ];
        for (got, wanted) in vectors {
            let wanted = wanted.as_dvec3();
            errors.vector(got, wanted, wanted.length());
        }
        (solid.centre, solid.velocity, solid.spin) = (pose.centre, pose.velocity, pose.spin);
        match solid.kind {
            SOLID_PLANE => solid.extent = pose.rotation.truncate(),
            _ => solid.rotation = pose.rotation,
        }
    }
    errors.holds(got == *wanted);
    Ok(())
}

/// Place and velocity of every third particle, the velocity beside it, too, the longest way, and a place or a speed that is
/// none; scale: the sum of the magnitudes.
pub fn pin(kernel: &Kernel, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    if inputs.is_empty() {
        errors.case();
        return Ok(());
    }
    let mut random = Random::new(96);
    let poses = poses([NONE; COUNT], &mut random);
    let pin = |particle: usize| Pin {
        anchor: random.vector(1.0).as_vec3(),
        particle: particle as u32,
        velocity: random.vector(2.0).as_vec3(),
        pose: (particle % COUNT) as u32,
    };
    let pins: Vec<_> = (0..inputs.len()).step_by(3).map(pin).collect();
    let halves = vec![Vec3::ONE.extend(0.25); inputs.len()];
    let table = Buffer::new(bench.context, "poses", &poses)?;
    let places = Buffer::new(bench.context, "pins", &pins)?;
    let others = [table.bind("poses"), places.bind("pins")];
    bench.state.half_velocity.write(bench.context, 0, &halves);
    bench
        .status
        .write(bench.context, bench.tally_word(), &[0; 8]);
    bench.write(inputs, inputs);
    bench.dispatch(kernel, sim(bench), pins.len(), &others);
    errors.case();
    let (written, kept) = (
        bench.written()?,
        bench.state.half_velocity.read(bench.context)?,
    );
    let mut longest = 0.0_f32;
    for (i, got) in written.iter().enumerate() {
        let Some(pin) = pins.iter().find(|pin| pin.particle as usize == i) else {
            errors.holds(*got == inputs[i] && kept[i] == halves[i]);
            continue;
        };
        let pose = &poses[SLOT * COUNT + pin.pose as usize];
        let exact = reference::Pose {
            centre: pose.centre.as_dvec3(),
            rotation: Quat::from_vec4(pose.rotation).as_dquat(),
            velocity: pose.velocity.as_dvec3(),
            spin: pose.spin.as_dvec3(),
        };
        let (anchor, own) = (pin.anchor.as_dvec3(), pin.velocity.as_dvec3());
        let elapsed = f64::from(pose.elapsed);
        let (x, v) = exact.carried(anchor, own, elapsed, pose.going > 0.0);
        let reach = exact.centre.length() + 4.0 * anchor.length() + elapsed * own.length();
        let speed =
            exact.velocity.length() + 4.0 * exact.spin.length() * anchor.length() + own.length();
        errors.vector(got.position, x, reach);
        errors.vector(got.velocity, v, speed);
        errors.holds(got.inverse_mass == inputs[i].inverse_mass);
        errors.holds(got.damping_rate == inputs[i].damping_rate);
        errors.holds(kept[i] == got.velocity.extend(halves[i].w));
        longest = greatest(
            longest,
            (got.position - inputs[i].position).length_squared(),
        );
    }
    let status = bench.status.read(bench.context)?;
    let travel = f32::from_bits(status[bench.tally_word() + TALLY_TRAVEL as usize]);
    errors.number(travel, f64::from(longest), f64::from(longest));
    errors.holds(status[0] == u32::MAX);
    Ok(())
}
