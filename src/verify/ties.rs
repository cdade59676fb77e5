//! Ties between bodies, and to what moves and what does not.

use glam::{DVec3, UVec4, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::motion::{COUNT, SLOT, poses};
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{NONE, Sim, TIE_TO_BODY, TIE_TO_PLACE, Tie, TieEnd, TieRow};
use crate::gpu::{Buffer, Kernel};
use crate::reference::ties as reference;

/// Ties of a case.
const TIES: usize = 90;

/// Random ties to bodies, places and poses, every other with a length.
fn ties(bench: &Bench<'_>, random: &mut Random) -> Vec<Tie> {
    let count = bench.len();
    let tie = |k: usize| {
        let [a, b, c] = [(); 3].map(|()| random.between(-0.5, 1.0) as f32);
        let particle = random.index(0, count) as u32;
        Tie {
            corners: UVec4::from_array([(); 4].map(|()| random.index(0, count) as u32)),
            weights: Vec4::new(a, b, c, 1.0 - a - b - c),
            anchor: random.vector(1.0).as_vec3(),
            particle,
            stiffness: random.between(10.0, 1000.0) as f32,
            damping: random.between(0.0, 20.0) as f32,
            length: (k % 2) as f32 * random.between(0.1, 1.0) as f32,
            pose: match k % 3 {
                0 => TIE_TO_BODY,
                1 => TIE_TO_PLACE,
                _ => (k % COUNT) as u32,
            },
        }
    };
    // A world may be without particles.
    (0..TIES.min(count)).map(tie).collect()
}

/// The force of each tie; scale: the sum of the magnitudes that it is made of.
pub fn force(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let mut random = Random::new(131);
    let ties = ties(bench, &mut random);
    let poses = poses([NONE; COUNT], &mut random);
    let arrays = (
        Buffer::new(bench.context, "ties", &ties)?,
        Buffer::new(bench.context, "poses", &poses)?,
        Buffer::<Vec4>::zeroed(bench.context, "tie_forces", ties.len())?,
    );
    bench.write(inputs, inputs);
    let others = [
        arrays.0.bind("ties"),
        arrays.1.bind("poses"),
        arrays.2.bind("tie_forces"),
    ];
    let sim = Sim {
        slot: SLOT as u32,
        pose_count: COUNT as u32,
        ..bench.case.sim
    };
    bench.run(kernel, sim, ties.len(), &others);
    tally.case();
    for (tie, got) in ties.iter().zip(arrays.2.read(bench.context)?) {
        let p = &inputs[tie.particle as usize];
        let (x, v) = (p.position.as_dvec3(), p.velocity.as_dvec3());
        let (y, w, reach) = match tie.pose {
            TIE_TO_BODY => {
                let corners = tie.corners.to_array().map(|i| &inputs[i as usize]);
                let weights = tie.weights.as_dvec4().to_array();
                let reach = (0..4).map(|j| {
                    let far = (corners[j].position - p.position).length()
                        + (corners[j].velocity - p.velocity).length();
                    weights[j].abs() * f64::from(far)
                });
                (
                    reference::held(weights, corners.map(|c| c.position.as_dvec3())),
                    reference::held(weights, corners.map(|c| c.velocity.as_dvec3())),
                    reach.sum::<f64>(),
                )
            }
            TIE_TO_PLACE => (tie.anchor.as_dvec3(), DVec3::ZERO, 0.0),
            pose => {
                let pose = &poses[SLOT * COUNT + pose as usize];
                let turn = glam::Quat::from_vec4(pose.rotation).as_dquat();
                let arm = turn * tie.anchor.as_dvec3();
                let spin = pose.spin.as_dvec3().cross(arm);
                let (y, w) = (
                    pose.centre.as_dvec3() + arm,
                    pose.velocity.as_dvec3() + spin,
                );
                (
                    y,
                    w,
                    arm.length() + spin.length() + pose.velocity.length() as f64,
                )
            }
        };
        let constants = reference::Tie {
            stiffness: tie.stiffness.into(),
            damping: tie.damping.into(),
            length: tie.length.into(),
        };
        let want = reference::force(&constants, x, v, y, w);
        let far = x.length() + v.length() + y.length() + w.length() + reach;
        let scale = (constants.stiffness + constants.damping) * (far + constants.length);
        tally.vector(got.truncate(), want, scale);
    }
    Ok(())
}

/// What the ties of a particle do to it, beside what elements have left; scale: the sum of the magnitudes.
pub fn gather(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let inputs = &bench.case.particles;
    let mut random = Random::new(132);
    let forces: Vec<_> = (0..TIES)
        .map(|_| random.vector(30.0).as_vec3().extend(f32::NAN))
        .collect();
    let before: Vec<_> = (0..inputs.len())
        .map(|i| random.vector(20.0).as_vec3().extend((i % 3) as f32 - 1.0))
        .collect();
    // Every third particle has up to four of them.
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    for particle in (0..inputs.len()).step_by(3) {
        let first = ends.len() as u32;
        for _ in 0..random.index(1, 5) {
            ends.push(TieEnd {
                tie: random.index(0, TIES) as u32,
                weight: random.between(-1.0, 1.0) as f32,
            });
        }
        rows.push(TieRow {
            particle: particle as u32,
            first,
            end: ends.len() as u32,
            reserved: 0,
        });
    }
    let loads = Buffer::new(bench.context, "loads", &before)?;
    let arrays = (
        Buffer::new(bench.context, "tie_forces", &forces)?,
        Buffer::new(bench.context, "tie_rows", &rows)?,
        Buffer::new(bench.context, "tie_ends", &ends)?,
    );
    bench.write(inputs, inputs);
    let others = [
        arrays.0.bind("tie_forces"),
        arrays.1.bind("tie_rows"),
        arrays.2.bind("tie_ends"),
        loads.bind("loads"),
    ];
    bench.run(kernel, bench.case.sim, rows.len(), &others);
    tally.case();
    let got = loads.read(bench.context)?;
    for row in &rows {
        let i = row.particle as usize;
        let own = match before[i].w.abs() > 0.5 {
            true => Vec3::ZERO,
            false => before[i].truncate(),
        };
        let inverse_mass = f64::from(inputs[i].inverse_mass);
        let mut want = own.as_dvec3();
        let mut scale = want.length();
        for end in &ends[row.first as usize..row.end as usize] {
            let force = forces[end.tie as usize].truncate().as_dvec3();
            let more = inverse_mass * f64::from(end.weight) * force;
            want += more;
            scale += more.length();
        }
        tally.vector(got[i].truncate(), want, scale);
        tally.holds(got[i].w == -1.0);
    }
    let others = (0..inputs.len()).filter(|i| i % 3 != 0);
    for i in others {
        tally.holds(got[i] == before[i]);
    }
    Ok(())
}
