//! Ties between bodies, and to what moves and what does not.

mod carried;

use glam::{DMat3, DVec3, UVec4, Vec3, Vec4};

use super::motion::{self, COUNT, SLOT, waypoints};
use super::oracle::velocities;
use super::states::{contact_blocks, directions};
use super::trial::{Array, Arrays};
use super::{Bench, ErrorStats, Random, poses};
use crate::Result;
use crate::gpu::types::{
    Block, ContactBlock, NONE, Particle, Pose, Sim, TIE_TO_BODY, TIE_TO_PLACE, Tie, TieEnd, TieRow,
    Waypoint,
};
use crate::reference::ties as reference;

pub const CHECKS: super::Checks = &[
    ("newton_tie_block", super::Check::Trial(block)),
    ("newton_tie", super::Check::Trial(change)),
    ("tie_force", super::Check::Trial(force)),
    ("tie_gather", super::Check::Trial(gather)),
    ("tie_hold", super::Check::Trial(hold)),
    ("tie_kick", super::Check::Trial(kick)),
    ("tie_carry", super::Check::Trial(carried::carry)),
    ("newton_tie_carry", super::Check::Trial(carried::carry_direction)),
    ("tie_pose_hold", super::Check::Trial(carried::pose_hold)),
    ("newton_tie_pose", super::Check::Trial(carried::pose_change)),
];

/// Ties of a case.
const TIES: usize = 90;

/// Random ties to bodies, places and waypoints, every other with a length.
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
            waypoint: match k % 3 {
                0 => TIE_TO_BODY,
                1 => TIE_TO_PLACE,
                _ => (k % COUNT) as u32,
            },
        }
    };
    // A world may be without particles.
    (0..TIES.min(count)).map(tie).collect()
}

fn constants(tie: &Tie) -> reference::Tie {
    reference::Tie {
        stiffness: tie.stiffness.into(),
        damping: tie.damping.into(),
        length: tie.length.into(),
    }
}

/// Place and velocity of what a tie leads to, and what these are added up from.
fn end(tie: &Tie, inputs: &[Particle], waypoints: &[Waypoint]) -> (DVec3, DVec3, f64) {
    match tie.waypoint {
        TIE_TO_BODY => {
            let p = &inputs[tie.particle as usize];
            let corners = tie.corners.to_array().map(|i| &inputs[i as usize]);
            let weights = tie.weights.as_dvec4().to_array();
            let far = |c: &Particle| {
                (c.position - p.position).length() + (c.velocity - p.velocity).length()
            };
            let reach = (0..4).map(|j| weights[j].abs() * f64::from(far(corners[j])));
            (
                reference::held(weights, corners.map(|c| c.position.as_dvec3())),
                reference::held(weights, corners.map(|c| c.velocity.as_dvec3())),
                reach.sum(),
            )
        }
        TIE_TO_PLACE => (tie.anchor.as_dvec3(), DVec3::ZERO, 0.0),
        waypoint => {
            let waypoint = motion::exact(&waypoints[SLOT * COUNT + waypoint as usize]);
            let arm = waypoint.rotation * tie.anchor.as_dvec3();
            let spin = waypoint.spin.cross(arm);
            let far = arm.length() + spin.length() + waypoint.velocity.length();
            (waypoint.centre + arm, waypoint.velocity + spin, far)
        }
    }
}

/// The force of each tie of a list, and where poses feel it; scale: the sum of the magnitudes that it is made of.
fn force(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let mut random = Random::new(131);
    let ties = ties(bench, &mut random);
    let waypoints = waypoints([NONE; COUNT], &mut random);
    // Those of a list, in any order; all others keep what they have.
    let list: Vec<_> = (0..ties.len() as u32).rev().filter(|k| k % 4 != 1).collect();
    let before = vec![Vec4::ONE; ties.len()];
    let arrays: &Arrays<'_> = &[
        ("ties", &ties),
        ("tie_list", &list),
        ("waypoints", &waypoints),
        ("tie_forces", &before),
        ("tie_points", &before),
    ];
    let after = bench.run(motion::sim(bench), list.len(), arrays)?;
    let found: [Vec<Vec4>; 2] = ["tie_forces", "tie_points"].map(|name| after.get(name));
    for (k, tie) in ties.iter().enumerate() {
        let [got, point] = [0, 1].map(|j| found[j][k]);
        if !list.contains(&(k as u32)) {
            errors.holds(got == Vec4::ONE && point == Vec4::ONE);
            continue;
        }
        let p = &inputs[tie.particle as usize];
        let (x, v) = (p.position.as_dvec3(), p.velocity.as_dvec3());
        let (y, w, reach) = end(tie, inputs, &waypoints);
        let constants = constants(tie);
        let want = reference::force(&constants, x, v, y, w);
        let far = x.length() + v.length() + y.length() + w.length() + reach;
        let scale = (constants.stiffness + constants.damping) * (far + constants.length);
        errors.vector(got.truncate(), want, scale);
        let (apart, far) = (x.distance(y), x.length() + y.length() + reach);
        let wanted = if p.inverse_mass == 0.0 { y } else { x };
        errors.vector(point.truncate(), wanted, far);
        let scale = 1.0 + constants.length * far / (apart * apart);
        errors.number(got.w, reference::across(&constants, x - y), scale);
    }
    Ok(())
}

/// Up to four of some ties at every third particle.
fn rows(particles: usize, ties: usize, random: &mut Random) -> (Vec<TieRow>, Vec<TieEnd>) {
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    for particle in (0..particles).step_by(3) {
        let first = ends.len() as u32;
        for _ in 0..random.index(1, 5) {
            ends.push(TieEnd {
                tie: random.index(0, ties) as u32,
                weight: random.between(-1.0, 1.0) as f32,
            });
        }
        rows.push(TieRow { dof: particle as u32, first, end: ends.len() as u32 });
    }
    (rows, ends)
}

/// Particles without rows keep what they have.
fn others_stay<T: PartialEq>(got: &[T], before: &[T], errors: &mut ErrorStats) {
    let others = got.iter().zip(before).enumerate().filter(|(i, _)| i % 3 != 0);
    others.for_each(|(_, (got, before))| errors.holds(got == before));
}

/// What the ties of a particle do to it, beside what elements have left; scale: the sum of the magnitudes.
fn gather(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let inputs = &bench.case.particles;
    let mut random = Random::new(132);
    let forces = random.fields(TIES, 30.0, f32::NAN);
    let before: Vec<_> = (0..inputs.len())
        .map(|i| random.vector(20.0).as_vec3().extend((i % 3) as f32 - 1.0))
        .collect();
    let (rows, ends) = rows(inputs.len(), TIES, &mut random);
    let arrays: &Arrays<'_> =
        &[("tie_forces", &forces), ("tie_rows", &rows), ("tie_ends", &ends), ("loads", &before)];
    let after = bench.run(bench.case.sim, rows.len(), arrays)?;
    let got: Vec<Vec4> = after.get("loads");
    for row in &rows {
        let i = row.dof as usize;
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
        errors.vector(got[i].truncate(), want, scale);
        errors.holds(got[i].w == -1.0);
    }
    others_stay(&got, &before, errors);
    Ok(())
}

/// What the ties of a pose do to its velocities in a time: v += t f/m, ω += t I⁻¹ r × f for each; it has not been at rest. An island
/// that sleeps is disturbed, and stays.
fn kick(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(137);
    let forces = random.fields(TIES, 30.0, f32::NAN);
    let before = poses::random(&mut random);
    let (rows, ends) = rows(before.len(), TIES, &mut random);
    let points = random.fields(TIES, 2.0, f32::NAN);
    let undisturbed = vec![0_u32; before.len()];
    let arrays: &Arrays<'_> = &[
        ("tie_forces", &forces),
        ("tie_pose_rows", &rows),
        ("tie_pose_ends", &ends),
        ("tie_points", &points),
        ("poses", &before),
        ("disturbed", &undisturbed),
    ];
    let time = 0.03;
    let sim = Sim { kick: time, ..poses::with_poses(&bench.case.sim) };
    let after = bench.run(sim, rows.len(), arrays)?;
    let got: Vec<Pose> = after.get("poses");
    let mut disturbed = undisturbed.clone();
    for row in &rows {
        let (got, before) = (&got[row.dof as usize], &before[row.dof as usize]);
        if before.island > 0 {
            disturbed[before.island as usize - 1] = 1;
            errors.holds(got == before);
            continue;
        }
        let at = poses::exact(before);
        let [mut velocity, mut spin] = [before.velocity, before.spin].map(|v| v.as_dvec3());
        let mut scales = [velocity.length(), spin.length()];
        for end in &ends[row.first as usize..row.end as usize] {
            let force = forces[end.tie as usize].truncate().as_dvec3();
            let impulse = f64::from(time) * f64::from(end.weight) * force;
            let point = points[end.tie as usize].truncate().as_dvec3();
            let arm = point - at.position;
            let [dv, dw] = at.pushed(arm, impulse);
            (velocity, spin) = (velocity + dv, spin + dw);
            scales[0] += at.inverse_mass * impulse.length();
            let largest = at.inverse_inertia.max_element();
            let far = point.length() + at.position.length();
            scales[1] += 2.0 * largest * far * impulse.length();
        }
        errors.vector(got.velocity, velocity, scales[0]);
        errors.vector(got.spin, spin, scales[1]);
        errors.kept(got, before, |pose, got| {
            (pose.velocity, pose.spin, pose.still) = (got.velocity, got.spin, 0.0);
        });
    }
    others_stay(&got, &before, errors);
    errors.words(&after.get::<u32>("disturbed"), &disturbed);
    Ok(())
}

/// Random ties with the forces that stand for them at an iterate, their blocks, and what they are tied to; some are as long as at
/// rest and have none.
struct Stretched {
    ties: Vec<Tie>,
    forces: Vec<Vec4>,
    blocks: Vec<DMat3>,
    rows: Vec<TieRow>,
    ends: Vec<TieEnd>,
}

impl Stretched {
    fn new(bench: &Bench<'_>, random: &mut Random) -> Self {
        let ties = ties(bench, random);
        let h = f64::from(bench.case.sim.step);
        let (mut forces, mut blocks) = (Vec::new(), Vec::new());
        for (k, tie) in ties.iter().enumerate() {
            let constants = constants(tie);
            let d = match k % 9 {
                // Hardly pulled: no force to tell the direction by.
                1 => DVec3::ZERO,
                _ => random.vector(1.0),
            };
            let u = random.vector(1.0);
            if d == DVec3::ZERO && tie.length > 0.0 {
                forces.push(Vec4::ZERO);
                let along = constants.stiffness + constants.damping / h;
                blocks.push(DMat3::from_diagonal(DVec3::splat(along)));
                continue;
            }
            let force = reference::force(&constants, d, u, DVec3::ZERO, DVec3::ZERO);
            forces.push(force.as_vec3().extend(reference::across(&constants, d) as f32));
            blocks.push(reference::block(&constants, d, h));
        }
        let (rows, ends) = rows(bench.len(), ties.len(), random);
        Self { ties, forces, blocks, rows, ends }
    }

    fn arrays(&self) -> [(&str, &dyn Array); 4] {
        [
            ("ties", &self.ties),
            ("tie_forces", &self.forces),
            ("tie_rows", &self.rows),
            ("tie_ends", &self.ends),
        ]
    }

    /// The ends of a row.
    fn of(&self, row: &TieRow) -> &[TieEnd] {
        &self.ends[row.first as usize..row.end as usize]
    }
}

/// The size of a matrix.
fn size(block: &DMat3) -> f64 {
    block.to_cols_array().iter().map(|a| a.abs()).sum()
}

/// What the ties of a particle add to what presses on it: their forces, and the blocks that bear all ends moving at once.
fn hold(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(133);
    let stretched = Stretched::new(bench, &mut random);
    let given = contact_blocks(&mut random, bench.len());
    let pressed: &Arrays<'_> = &[("contact_blocks", &given)];
    let arrays = [&stretched.arrays(), pressed].concat();
    let after = bench.run(bench.case.sim, stretched.rows.len(), &arrays)?;
    let got: Vec<ContactBlock> = after.get("contact_blocks");
    for row in &stretched.rows {
        let i = row.dof as usize;
        let mut force = given[i].force.as_dvec3();
        let mut block = given[i].matrix();
        let mut scales = [force.length(), 700.0];
        for end in stretched.of(row) {
            let (k, w) = (end.tie as usize, f64::from(end.weight));
            let one = stretched.forces[k].truncate().as_dvec3();
            // All that the force acts on: the point, and with their weights the corners that it is tied to.
            let corners = stretched.ties[k].weights.as_dvec4().to_array();
            let whole = match stretched.ties[k].waypoint {
                TIE_TO_BODY => 1.0 + corners.iter().map(|w| w.abs()).sum::<f64>(),
                _ => 1.0,
            };
            force += w * one;
            block += w.abs() * whole * stretched.blocks[k];
            scales[0] += w.abs() * one.length();
            scales[1] += w.abs() * whole * size(&stretched.blocks[k]);
        }
        errors.vector(got[i].force, force, scales[0]);
        let found = got[i].matrix();
        errors.matrix(&found, &block, scales[1]);
        errors.holds(got[i].stiffness == given[i].stiffness);
    }
    others_stay(&got, &given, errors);
    Ok(())
}

/// The change of each tie's force along random directions.
fn change(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(134);
    let stretched = Stretched::new(bench, &mut random);
    let inputs = directions(bench, 135);
    let z = velocities(&inputs);
    let none = vec![Vec4::NAN; stretched.ties.len()];
    let along: &Arrays<'_> = &[("directions", &inputs), ("tie_changes", &none)];
    let arrays = [&stretched.arrays(), along].concat();
    let after = bench.run(bench.case.sim, stretched.ties.len(), &arrays)?;
    for (k, got) in after.get::<Vec4>("tie_changes").iter().enumerate() {
        let tie = &stretched.ties[k];
        let own = z[tie.particle as usize];
        let (mut apart, mut far) = (own, own.length());
        if tie.waypoint == TIE_TO_BODY {
            let corners = tie.corners.to_array().map(|i| z[i as usize]);
            let weights = tie.weights.as_dvec4().to_array();
            apart -= reference::held(weights, corners);
            far += (0..4)
                .map(|j| weights[j].abs() * (corners[j].length() + own.length()))
                .sum::<f64>();
        }
        let block = &stretched.blocks[k];
        errors.vector(got.truncate(), -(*block * apart), size(block) * far);
    }
    Ok(())
}

/// What the ties of a particle add to its own block.
fn block(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(136);
    let stretched = Stretched::new(bench, &mut random);
    let given: Vec<_> = (0..bench.len())
        .map(|_| Block {
            diagonal: random.vector(100.0).as_vec3(),
            off: random.vector(100.0).as_vec3(),
        })
        .collect();
    let blocks: &Arrays<'_> = &[("blocks", &given)];
    let arrays = [&stretched.arrays(), blocks].concat();
    let after = bench.run(bench.case.sim, stretched.rows.len(), &arrays)?;
    let got: Vec<Block> = after.get("blocks");
    for row in &stretched.rows {
        let i = row.dof as usize;
        let mut block = given[i].matrix();
        let mut scale = 300.0;
        for end in stretched.of(row) {
            let (one, w) = (stretched.blocks[end.tie as usize], f64::from(end.weight));
            block += w * w * one;
            scale += w * w * size(&one);
        }
        let found = got[i].matrix();
        errors.matrix(&found, &block, scale);
    }
    others_stay(&got, &given, errors);
    Ok(())
}
