//! Poses as unknowns of implicit steps, in sweeps and in Newton's method.

use glam::{DMat3, DVec3, Vec4};

use super::augment::{grips, with_particles};
use super::soft::{Given, met, parts_of_poses, pose_rows};
use crate::Result;
use crate::gpu::types::{Conjugate, Newton, Particle, Pose};
use crate::verify::coarse::parts::stored;
use crate::verify::coarse::{Square, Sums, felt};
use crate::verify::poses::{COUNT, exact, with_poses};
use crate::verify::states::directions;
use crate::verify::trial::{Arrays, Written};
use crate::verify::{Bench, ErrorStats, Random};

/// Iterates of poses, what contacts do to them, and what they began with.
struct Unknowns {
    poses: Vec<Pose>,
    velocities: Vec<Vec4>,
    holds: Vec<Sums>,
    conjugates: Vec<Conjugate>,
    directions: Vec<Particle>,
}

impl Unknowns {
    fn new(bench: &Bench<'_>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let poses = crate::verify::poses::random(&mut random);
        let (rows, _) = parts_of_poses(&poses, &mut random);
        let h = f64::from(bench.case.sim.step);
        let hold = |_: &Pose| {
            let count = random.index(0, 4);
            let points = (0..count).map(|_| {
                let n = random.vector(1.0).normalize_or(DVec3::X);
                let stiffness = random.between(0.0, 30.0) / (h * h);
                let block = stiffness * DMat3::from_cols(n * n.x, n * n.y, n * n.z);
                (random.vector(0.5), random.vector(5.0 / h), block)
            });
            let points: Vec<_> = points.collect();
            Sums::of(felt(points.into_iter()))
        };
        let holds = poses.iter().map(hold).collect();
        let unknowns = bench.len() + 2 * COUNT;
        let conjugate = |_| Conjugate {
            residual: random.vector(10.0).as_vec3(),
            change: random.vector(0.01).as_vec3(),
            search: random.vector(0.01).as_vec3(),
            image: random.vector(10.0).as_vec3(),
        };
        let conjugates = (0..unknowns).map(conjugate).collect();
        let mut inputs = directions(bench, seed);
        inputs.extend(pose_directions(&poses, &mut random));
        let velocities = with_particles(bench, &rows);
        Self { poses, velocities, holds, conjugates, directions: inputs }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Written> {
        let newton = Newton { alpha: 0.7, beta: 0.3, share: 0.4, ..Newton::default() };
        let holds: Vec<_> = self.holds.iter().map(stored).collect();
        let products = vec![Vec4::splat(3.0); self.conjugates.len()];
        let arrays: &Arrays<'_> = &[
            ("poses", &self.poses),
            ("contact_velocities", &self.velocities),
            ("pose_holds", &holds),
            ("conjugates", &self.conjugates),
            ("directions", &self.directions),
            ("products", &products),
            ("newton", &[newton]),
        ];
        bench.run(with_poses(&bench.case.sim), COUNT, arrays)
    }

    /// What is left of the six equations of a pose that moves, their matrix, and the sizes of what the first are made of.
    fn left(&self, bench: &Bench<'_>, p: usize) -> Option<([f64; 6], Square, [f64; 2])> {
        let pose = met(&self.poses[p]);
        if pose.inverse_mass == 0.0 {
            return None;
        }
        let (h, hold) = (f64::from(bench.case.sim.step), &self.holds[p]);
        let rows = pose_rows(&self.velocities, bench.len(), p);
        let [start, start_spin] = [rows[5], rows[6]].map(|row| row.truncate().as_dvec3());
        let [v, spin] = [pose.velocity, pose.spin].map(|a| a.as_dvec3());
        let (mass, at) = (1.0 / f64::from(pose.inverse_mass), exact(&pose));
        let linear = mass / h * (start - v);
        let angular = at.inertia_times(start_spin - spin) / h;
        let (mut force, mut matrix) = (hold.force, hold.matrix);
        let inertia = DMat3::from_cols(
            at.inertia_times(DVec3::X),
            at.inertia_times(DVec3::Y),
            at.inertia_times(DVec3::Z),
        );
        for k in 0..3 {
            force[k] += linear[k];
            force[k + 3] += angular[k];
            matrix[k][k] += mass / (h * h);
            for l in 0..3 {
                matrix[k + 3][l + 3] += inertia.col(l)[k] / (h * h);
            }
        }
        let largest = 1.0 / f64::from(pose.inverse_inertia.min_element());
        let held = |first: usize| DVec3::from_slice(&hold.force[first..first + 3]).length();
        let scales = [
            held(0) + mass / h * (start.length() + v.length()),
            held(3) + 2.0 * largest / h * (start_spin.length() + spin.length()),
        ];
        Some((force, matrix, scales))
    }

    /// Whether six numbers solve the equations with this right-hand side, to rounding.
    fn solves(
        &self,
        motion: [DVec3; 2],
        force: [f64; 6],
        matrix: &Square,
        extra: [f64; 2],
        errors: &mut ErrorStats,
    ) {
        let motion: Vec<f64> = motion.iter().flat_map(|part| part.to_array()).collect();
        for k in 0..6 {
            let terms = (0..6).map(|l| matrix[k][l] * motion[l]);
            let left = force[k] - terms.sum::<f64>();
            // As of coarse_solve.
            let bound = (0..6).map(|l| (matrix[k][k] * matrix[l][l]).sqrt() * motion[l].abs());
            errors.number(left as f32, 0.0, extra[k / 3] + bound.sum::<f64>());
        }
    }
}

/// Random directions of poses: of what does not move 0.
pub fn pose_directions(poses: &[Pose], random: &mut Random) -> Vec<Particle> {
    let mut rows = Vec::new();
    for pose in poses {
        let inverse_mass = met(pose).inverse_mass;
        for _ in 0..2 {
            let z = if inverse_mass > 0.0 { random.vector(0.01) } else { DVec3::ZERO };
            rows.push(Particle { inverse_mass, velocity: z.as_vec3(), ..Particle::default() });
        }
    }
    rows
}

/// z and ζ of pose p.
pub fn direction(rows: &[Particle], particles: usize, p: usize) -> [DVec3; 2] {
    [0, 1].map(|k| rows[particles + 2 * p + k].velocity.as_dvec3())
}

/// The six numbers as two vectors.
fn halves(force: [f64; 6]) -> [DVec3; 2] {
    [0, 3].map(|first| DVec3::from_slice(&force[first..first + 3]))
}

/// v and ω of poses in a sweep: t and θ solve their equations.
pub fn descend(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Unknowns::new(bench, 141);
    let after = given.run(bench)?;
    let h = f64::from(bench.case.sim.step);
    for (p, got) in moved(&given, bench, &after, errors) {
        let before = &given.poses[p];
        let Some((force, matrix, scales)) = given.left(bench, p) else {
            errors.holds(got == *before);
            continue;
        };
        let change = |got: glam::Vec3, before: glam::Vec3| h * (got.as_dvec3() - before.as_dvec3());
        let motion = [change(got.velocity, before.velocity), change(got.spin, before.spin)];
        // What rounding leaves of the velocities themselves.
        let kept = [before.velocity, before.spin].map(|a| h * a.as_dvec3().length());
        let rounded = |first: usize| {
            let most =
                |k: usize| (0..6).map(|l| (matrix[k][k] * matrix[l][l]).sqrt() * kept[l / 3]).sum();
            (first..first + 3).map(most).fold(0.0, crate::extreme::greatest)
        };
        let extra = [scales[0] + rounded(0), scales[1] + rounded(3)];
        given.solves(motion, force, &matrix, extra, errors);
        errors
            .kept(&got, before, |pose, got| (pose.velocity, pose.spin) = (got.velocity, got.spin));
    }
    Ok(())
}

/// Poses after a kernel that writes them and what contacts see of their velocities.
fn moved(
    given: &Unknowns,
    bench: &Bench<'_>,
    after: &Written,
    errors: &mut ErrorStats,
) -> Vec<(usize, Pose)> {
    let seen: Vec<Vec4> = after.get("contact_velocities");
    let poses: Vec<Pose> = after.get("poses");
    for (p, got) in poses.iter().enumerate() {
        let rows = pose_rows(&seen, bench.len(), p);
        let before = pose_rows(&given.velocities, bench.len(), p);
        let met = met(&given.poses[p]);
        if met.inverse_mass == 0.0 {
            errors.holds(rows == before);
            continue;
        }
        errors.holds(rows[0] == got.velocity.extend(met.inverse_mass));
        errors.holds(rows[1] == got.spin.extend(before[1].w));
        errors.holds(rows[2..] == before[2..]);
    }
    poses.into_iter().enumerate().collect()
}

/// r·d of both unknowns of each pose.
pub fn test(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Unknowns::new(bench, 142);
    let after = given.run(bench)?;
    let products: Vec<Vec4> = after.get("products");
    for p in 0..COUNT {
        let row = bench.len() + 2 * p;
        let Some((force, _, scales)) = given.left(bench, p) else {
            errors.holds(products[row..row + 2] == [Vec4::ZERO; 2]);
            continue;
        };
        for (k, left) in halves(force).into_iter().enumerate() {
            let d = given.conjugates[row + k].change.as_dvec3();
            errors.number(products[row + k].w, left.dot(d), scales[k] * d.length());
            errors.holds(products[row + k].truncate() == glam::Vec3::ZERO);
        }
    }
    Ok(())
}

/// r of both unknowns, and the parts of the sums.
pub fn residual(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Unknowns::new(bench, 143);
    let after = given.run(bench)?;
    let (products, conjugates): (Vec<Vec4>, Vec<Conjugate>) =
        (after.get("products"), after.get("conjugates"));
    let h = f64::from(bench.case.sim.step);
    let g2 = bench.case.sim.gravity.as_dvec3().length_squared();
    for p in 0..COUNT {
        let row = bench.len() + 2 * p;
        let Some((force, _, scales)) = given.left(bench, p) else {
            errors.holds(products[row..row + 2] == [Vec4::ZERO; 2]);
            errors.holds(conjugates[row..row + 2] == [Conjugate::default(); 2]);
            continue;
        };
        let rows = pose_rows(&given.velocities, bench.len(), p);
        let pose = exact(&given.poses[p]);
        let spin = given.poses[p].spin.as_dvec3();
        let [left, turned] = halves(force);
        for (k, left) in [left, turned].into_iter().enumerate() {
            let got = &conjugates[row + k];
            errors.vector(got.residual, left, scales[k]);
            errors.kept(got, &Conjugate::default(), |c, got| c.residual = got.residual);
            errors.holds(products[row + k].y == 0.0 && products[row + k].z == 0.0);
        }
        let start = (rows[5].truncate().as_dvec3() - pose.velocity) / h;
        let start_spin = (rows[6].truncate().as_dvec3() - spin) / h;
        let w = pose.inverse_mass;
        let hold = &given.holds[p];
        let is_held = (0..3).any(|k| hold.force[k] != 0.0 || hold.matrix[k][k] != 0.0);
        let fallen = start.length_squared() + if is_held { g2 } else { 0.0 };
        let size = (rows[5].truncate().as_dvec3().length() + pose.velocity.length()) / h;
        errors.number(products[row].x, fallen / w, (size * size + g2) / w);
        errors.number(products[row].w, left.length_squared() * w, scales[0] * scales[0] * w);
        let [least, most] =
            [pose.inverse_inertia.min_element(), pose.inverse_inertia.max_element()];
        let size = (rows[6].truncate().as_dvec3().length() + spin.length()) / h;
        let about = start_spin.dot(pose.inertia_times(start_spin));
        errors.number(products[row + 1].x, about, size * size / least);
        let about = turned.dot(pose.inverse_inertia_times(turned));
        errors.number(products[row + 1].w, about, scales[1] * scales[1] * most);
    }
    Ok(())
}

/// Compares (z, ζ), which solve the equations of a pose with the right-hand side r, and r·z of both.
fn compare_direction(
    given: &Unknowns,
    (r, matrix, sizes): ([f64; 6], &Square, [f64; 2]),
    got: &[Particle],
    errors: &mut ErrorStats,
) {
    let z = [0, 1].map(|k| got[k].velocity.as_dvec3());
    given.solves(z, r, matrix, sizes, errors);
    for (k, r) in halves(r).into_iter().enumerate() {
        let size = (r.length() + sizes[k]) * z[k].length();
        errors.number(got[k].damping_rate, r.dot(z[k]), size);
    }
}

/// Where conjugate gradients begin.
pub fn factor(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Unknowns::new(bench, 144);
    let after = given.run(bench)?;
    let got: Vec<Particle> = after.get("directions");
    for p in 0..COUNT {
        let row = bench.len() + 2 * p;
        let Some((force, matrix, scales)) = given.left(bench, p) else {
            errors.holds(got[row..row + 2] == [Particle::default(); 2]);
            continue;
        };
        errors.holds((0..2).all(|k| got[row + k].inverse_mass == given.poses[p].inverse_mass));
        compare_direction(&given, (force, &matrix, scales), &got[row..], errors);
    }
    Ok(())
}

/// The matrix of both equations times a direction.
pub fn apply(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let (given, mut random) = (Given::new(bench, 145), Random::new(146));
    let held = grips(&given, &mut random);
    let mut inputs = directions(bench, 147);
    inputs.extend(pose_directions(&given.poses, &mut random));
    let arrays: &Arrays<'_> = &[
        ("augmented", &held),
        ("directions", &inputs),
        ("products", &vec![Vec4::splat(3.0); inputs.len()]),
    ];
    let after = given.run(bench, COUNT, arrays)?;
    let products: Vec<Vec4> = after.get("products");
    let h = f64::from(bench.case.sim.step);
    for (p, pose) in given.poses.iter().map(met).enumerate() {
        let row = bench.len() + 2 * p;
        if pose.inverse_mass == 0.0 {
            errors.holds(products[row..row + 2] == [Vec4::ZERO; 2]);
            continue;
        }
        let at = exact(&pose);
        let [z, zeta] = direction(&inputs, bench.len(), p);
        let mut sums = [z / (at.inverse_mass * h * h), at.inertia_times(zeta) / (h * h)];
        let least = at.inverse_inertia.min_element();
        let mut sizes = [sums[0].length(), 2.0 * zeta.length() / (least * h * h)];
        for (c, held) in held.iter().enumerate().take(given.first) {
            for (sign, side) in [(1.0, &given.contacts[c].a), (-1.0, &given.contacts[c].b)] {
                if given.pose(bench, side).is_some_and(|(own, _)| own == p) {
                    let (f, x) = (sign * held.way.as_dvec3(), given.rows[c].point.as_dvec3());
                    sums[0] += f;
                    sums[1] += (x - at.position).cross(f);
                    sizes[0] += f.length();
                    sizes[1] += (x.length() + at.position.length()) * f.length();
                }
            }
        }
        for (k, z) in [z, zeta].into_iter().enumerate() {
            errors.vector(products[row + k].truncate(), sums[k], sizes[k]);
            errors.number(products[row + k].w, sums[k].dot(z), sizes[k] * z.length());
        }
    }
    Ok(())
}

/// An iteration of conjugate gradients.
pub fn update(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Unknowns::new(bench, 148);
    let after = given.run(bench)?;
    let (got, conjugates): (Vec<Particle>, Vec<Conjugate>) =
        (after.get("directions"), after.get("conjugates"));
    let (alpha, beta) = (f64::from(0.7_f32), f64::from(0.3_f32));
    for p in 0..COUNT {
        let row = bench.len() + 2 * p;
        let rows = row..row + 2;
        let Some((_, matrix, _)) = given.left(bench, p) else {
            errors.holds(got[rows.clone()] == given.directions[rows.clone()]);
            errors.holds(conjugates[rows.clone()] == given.conjugates[rows]);
            continue;
        };
        let (mut r, mut sizes) = ([0.0; 6], [0.0; 2]);
        for k in 0..2 {
            let (got, was) = (&conjugates[row + k], &given.conjugates[row + k]);
            let z = given.directions[row + k].velocity.as_dvec3();
            let search = z + beta * was.search.as_dvec3();
            let image = DVec3::splat(3.0) + beta * was.image.as_dvec3();
            let size = z.length() + was.search.as_dvec3().length();
            errors.vector(got.search, search, size);
            errors.vector(got.image, image, 6.0 + was.image.as_dvec3().length());
            let change = was.change.as_dvec3() + alpha * search;
            errors.vector(got.change, change, was.change.as_dvec3().length() + size);
            let left = was.residual.as_dvec3() - alpha * image;
            let left_size = was.residual.as_dvec3().length() + 6.0 + was.image.as_dvec3().length();
            errors.vector(got.residual, left, left_size);
            // What z solves with is what is kept.
            (0..3).for_each(|l| r[3 * k + l] = f64::from(got.residual[l]));
            sizes[k] = got.residual.as_dvec3().length();
        }
        compare_direction(&given, (r, &matrix, sizes), &got[row..], errors);
        errors.holds((0..2).all(|k| got[row + k].inverse_mass == given.poses[p].inverse_mass));
    }
    Ok(())
}

/// v + share d/h and ω + share δ/h.
pub fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if !bench.case.content.poses {
        return Ok(());
    }
    let given = Unknowns::new(bench, 149);
    let after = given.run(bench)?;
    let part = f64::from(0.4_f32) / f64::from(bench.case.sim.step);
    for (p, got) in moved(&given, bench, &after, errors) {
        let before = &given.poses[p];
        if met(before).inverse_mass == 0.0 {
            errors.holds(got == *before);
            continue;
        }
        let change = |k: usize| part * given.conjugates[bench.len() + 2 * p + k].change.as_dvec3();
        for (k, got, before) in [(0, got.velocity, before.velocity), (1, got.spin, before.spin)] {
            let (was, change) = (before.as_dvec3(), change(k));
            errors.vector(got, was + change, was.length() + change.length());
        }
        errors
            .kept(&got, before, |pose, got| (pose.velocity, pose.spin) = (got.velocity, got.spin));
    }
    Ok(())
}
