//! The coarse correction of vertex block descent: what bodies feel when they move as a whole, and their moves.

pub mod parts;

use crate::extreme::greatest;
use glam::{DMat3, DVec3, Vec3, Vec4};

use self::parts::{columns, part, rows, stored, total};
use super::states::{bases, contact_blocks};
use super::trial::Arrays;
use super::{Bench, Check, Checks, ErrorStats, Oracle, Random};
use crate::Result;
use crate::gpu::types::{
    Body, BodyMotion, COARSE_ROWS, Chunk, CoarsePart, ContactBlock, FEW_PARTS, IMPLICIT_GUESS,
    IMPLICIT_NOT, Particle, Sim, WORKGROUP,
};
use crate::model::part_ranges;
use crate::reference::dense::{Matrix, solve as solve_dense};

pub const CHECKS: Checks = &[
    ("coarse_sum", Check::Trial(sum)),
    ("coarse_total", Check::Trial(totals)),
    ("coarse_solve", Check::Trial(solve)),
    ("coarse_move", Check::Trial(moves)),
];

/// `implicit` of sweeps, and of their first iterate.
const MODES: [u32; 2] = [IMPLICIT_NOT, IMPLICIT_GUESS];

/// A number for each pair of the six motions: t along x, y, z, θ about x, y, z.
pub type Square = [[f64; 6]; 6];

/// The sums of a part of a body in f64, and the sums of the sizes of their terms.
#[derive(Default)]
pub struct Sums {
    pub force: [f64; 6],
    force_scale: [f64; 6],
    pub matrix: Square,
    matrix_scale: Square,
    held: usize,
}

impl Sums {
    /// These, of which no scales are known.
    pub fn of((force, matrix): ([f64; 6], Square)) -> Self {
        Self { force, matrix, ..Self::default() }
    }

    fn and(mut self, other: Self) -> Self {
        for k in 0..6 {
            self.force[k] += other.force[k];
            for l in 0..6 {
                self.matrix[k][l] += other.matrix[k][l];
            }
        }
        self
    }
}

/// The velocity per unit of motion `k` at r.
fn unit(k: usize, r: DVec3) -> DVec3 {
    match k {
        0..3 => DVec3::AXES[k],
        _ => DVec3::AXES[k - 3].cross(r),
    }
}

/// F, T and the matrix of the points with these places r from the origin, forces f and blocks H.
pub fn felt(points: impl Iterator<Item = (DVec3, DVec3, DMat3)>) -> ([f64; 6], Square) {
    let (mut force, mut matrix) = ([0.0; 6], [[0.0; 6]; 6]);
    for (r, f, block) in points {
        for k in 0..6 {
            force[k] += unit(k, r).dot(f);
            for (l, entry) in matrix[k].iter_mut().enumerate() {
                *entry += unit(k, r).dot(block * unit(l, r));
            }
        }
    }
    (force, matrix)
}

/// Where the motion that solves its equations takes a point at r from the origin \[m\]. A turn that moves no point is none.
pub fn moved(force: [f64; 6], matrix: Square, r: DVec3) -> DVec3 {
    motion((force, matrix)).map_or(DVec3::ZERO, |[t, theta]| t + turned(theta, r))
}

/// t and θ of that motion.
fn motion((force, matrix): ([f64; 6], Square)) -> Option<[DVec3; 2]> {
    let turns = (1e-12 * (matrix[3][3] + matrix[4][4] + matrix[5][5])).max(f64::MIN_POSITIVE);
    let whole = Matrix::of(6, |k, l| matrix[k][l] + if k == l && k > 2 { turns } else { 0.0 });
    let motion = solve_dense(whole, force.to_vec())?;
    Some([&motion[..3], &motion[3..]].map(DVec3::from_slice))
}

/// Velocities of the points with these masses \[kg\], places and velocities, turned about that of their centre by what their motion as
/// a rigid body turns in `h` \[s\].
pub fn carried(points: &[(f64, DVec3, DVec3)], h: f64) -> Vec<DVec3> {
    let mass: f64 = points.iter().map(|(m, ..)| m).sum();
    let mean = |of: &dyn Fn(&(f64, DVec3, DVec3)) -> DVec3| {
        points.iter().map(|point| of(point) * point.0).sum::<DVec3>() / mass
    };
    let (centre, pace) = (mean(&|(_, x, _)| *x), mean(&|(.., v)| *v));
    let about = |(m, x, v): &(f64, DVec3, DVec3)| (*x - centre, *m * *v, DMat3::IDENTITY * *m);
    let spin = motion(felt(points.iter().map(about))).map_or(DVec3::ZERO, |[_, spin]| spin);
    points.iter().map(|(.., v)| *v + turned(spin * h, *v - pace)).collect()
}

/// (R(θ) − 1) r
fn turned(theta: DVec3, r: DVec3) -> DVec3 {
    match theta.length() {
        angle if angle > 0.0 => DMat3::from_axis_angle(theta / angle, angle) * r - r,
        _ => DVec3::ZERO,
    }
}

/// Steps under way.
struct Steps<'a> {
    bench: &'a Bench<'a>,
    oracle: Oracle<'a>,
    /// Where they started, and v*.
    bases: Vec<Particle>,
    /// How contacts press.
    pressed: Vec<ContactBlock>,
    /// Parts of the bodies' particles, and the bodies with the places of theirs.
    chunks: Vec<Chunk>,
    bodies: Vec<Body>,
    /// `IMPLICIT_GUESS` where they begin.
    implicit: u32,
}

impl<'a> Steps<'a> {
    /// With chunks of these lengths by turns.
    fn new(bench: &'a Bench<'a>, seed: u64, lengths: &[usize], implicit: u32) -> Self {
        let (mut chunks, mut bodies) = (Vec::new(), bench.case.bodies.clone());
        let mut lengths = lengths.iter().cycle();
        for (body, ranges) in bodies.iter_mut().zip(&bench.case.model.bodies) {
            body.chunk_first = chunks.len() as u32;
            let (mut first, last) = (ranges.particles.start, ranges.particles.end);
            while first < last {
                let end = last.min(first + lengths.next().expect("some lengths"));
                chunks.push(Chunk { first: first as u32, end: end as u32 });
                first = end;
            }
            body.chunk_count = chunks.len() as u32 - body.chunk_first;
        }
        Self {
            bench,
            oracle: bench.oracle(),
            bases: bases(bench, seed),
            pressed: contact_blocks(&mut Random::new(seed), bench.len()),
            chunks,
            bodies,
            implicit,
        }
    }

    fn guess(&self) -> bool {
        self.implicit == IMPLICIT_GUESS
    }

    fn body(&self, chunk: usize) -> usize {
        self.oracle.system.body[self.chunks[chunk].first as usize]
    }

    /// Where r begins in a body.
    fn origin(&self, body: usize) -> Vec3 {
        let first = self.bench.case.model.bodies[body].particles.start;
        self.bench.case.particles[first].position
    }

    /// What the particles of a chunk feel.
    fn sums(&self, chunk: usize) -> Sums {
        let (oracle, range) = (&self.oracle, &self.chunks[chunk]);
        let origin = self.origin(self.body(chunk)).as_dvec3();
        let mut sums = Sums::default();
        let mut points = Vec::new();
        for i in range.first as usize..range.end as usize {
            if oracle.system.pinned(i) {
                sums.held += 1;
                continue;
            }
            let (given, mass) = (&self.pressed[i], oracle.system.mass(i));
            let (force, size, block) = if self.guess() {
                let force = mass / oracle.h * oracle.system.velocity[i];
                (force, force.length(), DMat3::IDENTITY * (mass / oracle.h.powi(2)))
            } else {
                let (left, left_scale) = oracle.left(i, self.bases[i].velocity.as_dvec3());
                let press = given.force.as_dvec3();
                let block = given.matrix() + DMat3::IDENTITY * oracle.inertia(i);
                (press + left / oracle.h, press.length() + left_scale / oracle.h, block)
            };
            let columns = [0, 1, 2].map(|k| block.col(k).length());
            let block_size = columns.into_iter().fold(0.0, greatest);
            let x = oracle.system.position[i];
            // Of a turn the way is as uncertain as the places that r is the difference of.
            let far = x.length() + origin.length();
            let reach = |k: usize| if k < 3 { 1.0 } else { far };
            points.push((x - origin, force, block));
            for k in 0..6 {
                sums.force_scale[k] += reach(k) * size;
                for l in 0..6 {
                    sums.matrix_scale[k][l] += reach(k) * reach(l) * block_size;
                }
            }
        }
        (sums.force, sums.matrix) = felt(points.into_iter());
        sums
    }
}

/// The sums of every chunk.
fn sum(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    MODES.into_iter().try_for_each(|implicit| sums_of(implicit, bench, errors))
}

fn sums_of(implicit: u32, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let steps = Steps::new(bench, 101, &[1, 63, 64, 65, 128, 255, 256], implicit);
    let count = steps.chunks.len();
    let arrays: &Arrays<'_> = &[
        ("chunks", &steps.chunks),
        ("bodies", &steps.bodies),
        ("base", &steps.bases),
        ("contact_blocks", &steps.pressed),
        ("coarse_parts", &vec![Vec4::ZERO; COARSE_ROWS as usize * count]),
    ];
    let sim = Sim { chunk_count: count as u32, implicit, ..bench.case.sim };
    let after = bench.run(sim, count * WORKGROUP as usize, arrays)?;
    for (chunk, got) in after.get::<Vec4>("coarse_parts").as_chunks().0.iter().enumerate() {
        let got = part(got);
        let want = steps.sums(chunk);
        let (force, matrix) = columns(&got);
        for k in 0..6 {
            errors.number(force[k], want.force[k], want.force_scale[k]);
            for (l, entry) in matrix[k].into_iter().enumerate() {
                errors.number(entry, want.matrix[k][l], want.matrix_scale[k][l]);
            }
        }
        errors.holds(got.force.w == want.held as f32);
    }
    Ok(())
}

/// Bodies of 1 to 3000 parts, of random numbers; the sums of those with many.
fn totals(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let mut random = Random::new(105);
    let mut bodies = Vec::new();
    let mut chunks = 0;
    for count in [1, 8, 9, 63, 64, 65, 7, 255, 256, 257, 3000] {
        bodies.push([chunks, count]);
        chunks += count;
    }
    let ranges = part_ranges(&bodies, chunks as usize);
    let long = ranges.len() - bodies.len();
    let row = |_| random.vector(3.0).as_vec3().extend(random.between(-5.0, 5.0) as f32);
    let given: Vec<Vec4> = (0..COARSE_ROWS * chunks).map(row).collect();
    let room = vec![Vec4::NAN; COARSE_ROWS as usize * long];
    let arrays: &Arrays<'_> =
        &[("part_ranges", &ranges), ("coarse_parts", &[given.clone(), room].concat())];
    let sim = Sim { body_count: bodies.len() as u32, chunk_count: chunks, ..bench.case.sim };
    let after = bench.run(sim, long * WORKGROUP as usize, arrays)?;
    let got: Vec<Vec4> = after.get("coarse_parts");
    let got = got.as_chunks::<{ COARSE_ROWS as usize }>().0;
    let given = given.as_chunks::<{ COARSE_ROWS as usize }>().0;
    errors.holds(got[..chunks as usize] == *given);
    for (body, range) in bodies.iter().zip(&ranges) {
        let own = &given[body[0] as usize..(body[0] + body[1]) as usize];
        if body[1] <= FEW_PARTS {
            errors.holds(range.to_array() == *body);
            continue;
        }
        errors.holds(range.y == 1);
        for (row, got) in got[range.x as usize].iter().enumerate() {
            for k in 0..4 {
                let terms = own.iter().map(|rows| f64::from(rows[row][k]));
                errors.number(got[k], terms.clone().sum(), terms.map(f64::abs).sum());
            }
        }
    }
    Ok(())
}

/// The motion of every body solves its equations.
fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    MODES.into_iter().try_for_each(|implicit| solved(implicit, bench, errors))
}

fn solved(implicit: u32, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let steps = Steps::new(bench, 102, &[1, 2], implicit);
    let part = |chunk: usize| {
        let mut sums = steps.sums(chunk);
        // Few bodies of a case have no pins: those of every other one count as free particles that weigh nothing.
        if steps.body(chunk).is_multiple_of(2) {
            sums.held = 0;
        }
        stored(&sums)
    };
    let mut parts: Vec<_> = (0..steps.chunks.len()).map(part).collect();
    let count = bench.case.bodies.len();
    let body_chunks: Vec<_> =
        steps.bodies.iter().map(|body| [body.chunk_first, body.chunk_count]).collect();
    let ranges = part_ranges(&body_chunks, parts.len());
    // What bodies of many chunks have in all.
    let mut long = Vec::new();
    for range in &ranges[count..] {
        let own = (range.x..range.x + range.y).map(|chunk| steps.sums(chunk as usize));
        let sums = own.fold(Sums::default(), Sums::and);
        let held = |chunk: u32| parts[chunk as usize].force.w;
        let held: f32 = (range.x..range.x + range.y).map(held).sum();
        let part = stored(&sums);
        long.push(CoarsePart { force: part.force.truncate().extend(held), ..part });
    }
    parts.extend(long);
    let none = BodyMotion { shift: Vec4::NAN, ..BodyMotion::default() };
    let arrays: &Arrays<'_> = &[
        ("part_ranges", &ranges),
        ("chunks", &steps.chunks),
        ("bodies", &steps.bodies),
        ("coarse_parts", &parts.iter().flat_map(rows).collect::<Vec<_>>()),
        ("coarse_motions", &vec![none; count]),
    ];
    let sim = Sim { body_count: count as u32, implicit, ..bench.case.sim };
    let after = bench.run(sim, count, arrays)?;
    for (b, got) in after.get::<BodyMotion>("coarse_motions").iter().enumerate() {
        let own = &parts[ranges[b].x as usize..(ranges[b].x + ranges[b].y) as usize];
        let (force, matrix, held) = total(own.iter());
        if held > 0.0 || own.is_empty() {
            errors.holds(*got == BodyMotion::default());
            continue;
        }
        errors.holds(got.origin.truncate() == steps.origin(b));
        let [mut t, theta] = [got.shift, got.turn].map(|v| v.truncate().as_dvec3());
        if steps.guess() {
            // That of the centre, which is Σ H r, crosswise for t and θ, over H from where r begins.
            let [x, y, z] = [matrix[2][4], matrix[0][5], matrix[1][3]].map(|moment| -moment);
            t -= theta.cross(DVec3::new(x, y, z) / matrix[0][0]);
        }
        let motion = [t.to_array(), theta.to_array()].concat();
        for k in 0..6 {
            let terms = (0..6).map(|l| matrix[k][l] * motion[l]);
            let left = force[k] - terms.sum::<f64>();
            // Rounding in what t leaves of the turns: with a Cholesky factor L of the matrix |L||Lᵀ| is at most √(M_kk M_ll).
            let bound = (0..6).map(|l| (matrix[k][k] * matrix[l][l]).sqrt() * motion[l].abs());
            let scale = force[k].abs() + bound.sum::<f64>();
            errors.number(left as f32, 0.0, scale);
        }
    }
    Ok(())
}

/// Every particle moves with its body, and contacts press less by what it gave way; a first iterate is turned as well.
fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    MODES.into_iter().try_for_each(|implicit| moved_by(implicit, bench, errors))
}

fn moved_by(implicit: u32, bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let steps = Steps::new(bench, 103, &[256], implicit);
    let mut random = Random::new(104);
    let motion = |b: usize| BodyMotion {
        shift: random.vector(0.1).as_vec3().extend(0.0),
        // None, a small one, and large ones.
        turn: (random.vector(1.0) * [0.0, 1e-7, 0.01, 3.0][b % 4]).as_vec3().extend(0.0),
        origin: random.vector(1.0).as_vec3().extend(0.0),
    };
    let motions: Vec<_> = (0..bench.case.bodies.len()).map(motion).collect();
    let sim = Sim { implicit, ..bench.case.sim };
    let arrays: &Arrays<'_> =
        &[("base", &steps.bases), ("contact_blocks", &steps.pressed), ("coarse_motions", &motions)];
    let after = bench.run(sim, bench.len(), arrays)?;
    let (system, h) = (&steps.oracle.system, steps.oracle.h);
    let left: Vec<ContactBlock> = after.get("contact_blocks");
    for (i, got) in after.particles().iter().enumerate() {
        let (p, pressed) = (&bench.case.particles[i], &steps.pressed[i]);
        if system.pinned(i) {
            errors.holds(*got == *p && left[i] == *pressed);
            continue;
        }
        let motion = &motions[system.body[i]];
        let [t, theta, origin] =
            [motion.shift, motion.turn, motion.origin].map(|v| v.truncate().as_dvec3());
        let (x, v) = (system.position[i], system.velocity[i]);
        let angle = theta.length();
        let mut way = t + turned(theta, x - origin);
        let mut size = t.length() + angle * (1.0 + angle) * (x.length() + origin.length());
        if steps.guess() {
            way = turned(theta, h * v - t);
            size = angle * (1.0 + angle) * (h * v.length() + t.length());
        }
        let speed = v.length() + size / h;
        let start = steps.bases[i].position.as_dvec3();
        errors.vector(got.velocity, v + way / h, speed);
        errors.vector(got.position, start + h * v + way, start.length() + h * speed);
        errors.holds(got.inverse_mass == p.inverse_mass);
        if steps.guess() {
            errors.holds(left[i] == *pressed);
            continue;
        }
        let (force, block) = (pressed.force.as_dvec3(), pressed.matrix());
        let block_size = f64::from(pressed.diagonal.length() + pressed.off.length());
        let scale = force.length() + 2.0 * block_size * size;
        errors.vector(left[i].force, force - block * way, scale);
        errors.kept(&left[i], pressed, |press, got| press.force = got.force);
    }
    Ok(())
}
