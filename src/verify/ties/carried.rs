//! Ties of particles that poses carry.

use glam::{DMat3, DVec3, Vec4};

use super::{Stretched, TIES, others_stay, rows, size};
use crate::Result;
use crate::gpu::types::{
    CoarsePart, IMPLICIT_NOT, IMPLICIT_STEP, NONE, Particle, Pose, Sim, TIE_TO_BODY,
};
use crate::verify::coarse::parts::{columns, stored};
use crate::verify::coarse::{Sums, felt};
use crate::verify::states::directions;
use crate::verify::trial::Arrays;
use crate::verify::{Bench, ErrorStats, Random, poses};

/// Some particles of poses, and where these carry them.
fn carried(bench: &Bench<'_>, random: &mut Random) -> (Vec<u32>, Vec<Vec4>) {
    let carried = poses::carried(bench, random);
    let on_pose = |i: &usize| carried[*i].w.to_bits() != NONE;
    let list: Vec<_> = (0..bench.len()).rev().filter(on_pose).map(|i| i as u32).collect();
    (list.into_iter().filter(|i| i % 3 > 0).collect(), carried)
}

/// Each carried particle's pose, and its arm in the world's axes.
fn arm_of(place: Vec4, poses: &[Pose]) -> (usize, DVec3) {
    let p = place.w.to_bits() as usize;
    (p, poses::exact(&poses[p]).rotation * place.truncate().as_dvec3())
}

/// x = X + r + h (V + ω × r), and the velocity there; all others stay.
pub fn carry(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(138);
    let before = poses::random(&mut random);
    let (list, carried) = carried(bench, &mut random);
    if list.is_empty() {
        return Ok(());
    }
    let arrays: &Arrays<'_> = &[
        ("tie_carried", &list),
        ("carried", &carried),
        ("poses", &before),
        ("particles_out", &bench.case.particles),
    ];
    let after = bench.run(poses::with_poses(&bench.case.sim), list.len(), arrays)?;
    let h = f64::from(bench.case.sim.step);
    for (i, got) in after.get::<Particle>("particles_out").iter().enumerate() {
        if !list.contains(&(i as u32)) {
            errors.holds(*got == bench.case.particles[i]);
            continue;
        }
        let (p, arm) = arm_of(carried[i], &before);
        let at = poses::exact(&before[p]);
        let spin = before[p].spin.as_dvec3();
        let v = at.velocity + spin.cross(arm);
        let fast = at.velocity.length() + spin.length() * arm.length();
        errors.vector(got.velocity, v, fast);
        let far = at.position.length() + arm.length() + h * fast;
        errors.vector(got.position, at.position + arm + h * v, far);
        errors.kept(got, &bench.case.particles[i], |p, got| {
            (p.position, p.velocity) = (got.position, got.velocity);
        });
    }
    Ok(())
}

/// Random directions of particles and, behind them, of poses.
fn all_directions(
    bench: &Bench<'_>,
    poses: usize,
    seed: u64,
    random: &mut Random,
) -> Vec<Particle> {
    let mut inputs = directions(bench, seed);
    inputs.extend(
        (0..2 * poses)
            .map(|_| Particle { velocity: random.vector(0.01).as_vec3(), ..Particle::default() }),
    );
    inputs
}

/// z + ζ × r; all others stay.
pub fn carry_direction(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(139);
    let before = poses::random(&mut random);
    let (list, carried) = carried(bench, &mut random);
    if list.is_empty() {
        return Ok(());
    }
    let inputs = all_directions(bench, before.len(), 140, &mut random);
    let arrays: &Arrays<'_> = &[
        ("tie_carried", &list),
        ("carried", &carried),
        ("poses", &before),
        ("directions", &inputs),
    ];
    let after = bench.run(poses::with_poses(&bench.case.sim), list.len(), arrays)?;
    for (i, got) in after.get::<Particle>("directions").iter().enumerate() {
        if !list.contains(&(i as u32)) {
            errors.holds(*got == inputs[i]);
            continue;
        }
        let (p, arm) = arm_of(carried[i], &before);
        let [z, zeta] = [0, 1].map(|k| inputs[bench.len() + 2 * p + k].velocity.as_dvec3());
        let scale = z.length() + zeta.length() * arm.length();
        errors.vector(got.velocity, z + zeta.cross(arm), scale);
        errors.kept(got, &inputs[i], |p, got| p.velocity = got.velocity);
    }
    Ok(())
}

/// From where the iterate takes a pose's centre to a place, and what that is made of.
fn iterate_arm(pose: &Pose, place: Vec4, h: f64) -> (DVec3, f64) {
    let at = poses::exact(pose);
    let way = h * at.velocity;
    let y = place.truncate().as_dvec3();
    (y - at.position - way, y.length() + at.position.length() + way.length())
}

/// What the ties of a pose add to force, moment and matrix of its six equations: B acts on the motion t + θ × r of where each ends.
pub fn pose_hold(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    for implicit in [IMPLICIT_NOT, IMPLICIT_STEP] {
        let mut random = Random::new(141);
        let stretched = Stretched::new(bench, &mut random);
        let count = stretched.ties.len();
        let before = poses::random(&mut random);
        let (rows, ends) =
            rows(if count > 0 { before.len() } else { 0 }, count.max(1), &mut random);
        let points = random.fields(count, 2.0, f32::NAN);
        let some = |random: &mut Random| {
            let block = DMat3::from_diagonal(DVec3::splat(random.between(0.0, 300.0)));
            felt(std::iter::once((random.vector(0.5), random.vector(20.0), block)))
        };
        let given: Vec<_> = before.iter().map(|_| some(&mut random)).collect();
        let held: Vec<CoarsePart> = given.iter().map(|sums| stored(&Sums::of(*sums))).collect();
        let own: &Arrays<'_> = &[
            ("tie_pose_rows", &rows),
            ("tie_pose_ends", &ends),
            ("tie_points", &points),
            ("poses", &before),
            ("pose_holds", &held),
        ];
        let arrays = [&stretched.arrays()[..2], own].concat();
        let sim = Sim { implicit, ..poses::with_poses(&bench.case.sim) };
        let after = bench.run(sim, rows.len(), &arrays)?;
        let got: Vec<CoarsePart> = after.get("pose_holds");
        for row in &rows {
            let p = row.dof as usize;
            let (mut points_of, mut far, mut scale) = (Vec::new(), 1.0_f64, [20.0, 300.0]);
            for end in &ends[row.first as usize..row.end as usize] {
                let (k, w) = (end.tie as usize, f64::from(end.weight));
                let corners = stretched.ties[k].weights.as_dvec4().to_array();
                let whole = match stretched.ties[k].waypoint {
                    TIE_TO_BODY => 1.0 + corners.iter().map(|w| w.abs()).sum::<f64>(),
                    _ => 1.0,
                };
                let share = w.abs() * if implicit == IMPLICIT_STEP { w.abs() } else { whole };
                let (arm, reach) = iterate_arm(&before[p], points[k], f64::from(sim.step));
                let force = w * stretched.forces[k].truncate().as_dvec3();
                points_of.push((arm, force, share * stretched.blocks[k]));
                far = far.max(reach);
                scale[0] += force.length();
                scale[1] += share * size(&stretched.blocks[k]);
            }
            let (force, matrix) = felt(points_of.into_iter());
            let reach = |k: usize| if k < 3 { 1.0 } else { 2.0 * far };
            let (got_force, got_matrix) = columns(&got[p]);
            for k in 0..6 {
                errors.number(got_force[k], given[p].0[k] + force[k], reach(k) * scale[0]);
                for l in 0..6 {
                    let size = reach(k) * reach(l) * scale[1];
                    errors.number(got_matrix[k][l], given[p].1[k][l] + matrix[k][l], size);
                }
            }
        }
        others_stay(&got, &held, errors);
    }
    Ok(())
}

/// What the changes of its ties add to a pose's part of the matrix times the direction; nothing of one that nothing pushes.
pub fn pose_change(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(142);
    let before = poses::random(&mut random);
    let (rows, ends) = rows(before.len(), TIES, &mut random);
    let [points, changes] = [2.0, 30.0].map(|size| random.fields(TIES, size, f32::NAN));
    let inputs = all_directions(bench, before.len(), 143, &mut random);
    let given: Vec<Vec4> =
        inputs.iter().map(|_| random.vector(40.0).as_vec3().extend(7.0)).collect();
    let arrays: &Arrays<'_> = &[
        ("tie_pose_rows", &rows),
        ("tie_pose_ends", &ends),
        ("tie_points", &points),
        ("tie_changes", &changes),
        ("poses", &before),
        ("directions", &inputs),
        ("products", &given),
    ];
    let sim = poses::with_poses(&bench.case.sim);
    let after = bench.run(sim, rows.len(), arrays)?;
    let got: Vec<Vec4> = after.get("products");
    let mut written = vec![false; got.len()];
    for row in &rows {
        let p = row.dof as usize;
        if before[p].inverse_mass == 0.0 || before[p].island > 0 {
            continue;
        }
        let first = bench.len() + 2 * p;
        let mut wanted = [0, 1].map(|k| given[first + k].truncate().as_dvec3());
        let mut scales = wanted.map(DVec3::length);
        for end in &ends[row.first as usize..row.end as usize] {
            let k = end.tie as usize;
            let change = f64::from(end.weight) * changes[k].truncate().as_dvec3();
            let (arm, far) = iterate_arm(&before[p], points[k], f64::from(sim.step));
            wanted[0] -= change;
            wanted[1] -= arm.cross(change);
            scales[0] += change.length();
            scales[1] += 2.0 * far * change.length();
        }
        for k in 0..2 {
            written[first + k] = true;
            let (got, z) = (got[first + k], inputs[first + k].velocity.as_dvec3());
            errors.vector(got.truncate(), wanted[k], scales[k]);
            errors.number(got.w, wanted[k].dot(z), scales[k] * z.length());
        }
    }
    for (i, _) in written.iter().enumerate().filter(|(_, written)| !**written) {
        errors.holds(got[i] == given[i]);
    }
    Ok(())
}
