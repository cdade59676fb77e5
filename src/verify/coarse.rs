//! The coarse correction of vertex block descent: what bodies feel when they move as a whole, and their moves.

use crate::extreme::greatest;
use glam::{DMat3, DVec3, Vec3, Vec4};

use super::states::{bases, contact_blocks};
use super::trial::Arrays;
use super::{Bench, Check, Checks, ErrorStats, Oracle, Random};
use crate::Result;
use crate::gpu::types::{Chunk, CoarseMotion, CoarsePart, ContactBlock, Particle, Sim};
use crate::reference::dense::{Matrix, solve as solve_dense};

pub const CHECKS: Checks = &[
    ("coarse_sum", Check::Trial(sum)),
    ("coarse_solve", Check::Trial(solve)),
    ("coarse_move", Check::Trial(moves)),
];

/// A number for each pair of the six motions: t along x, y, z, θ about x, y, z.
pub type Square = [[f64; 6]; 6];

/// The sums of a part of a body in f64, and the sums of the sizes of their terms.
#[derive(Default)]
struct Sums {
    force: [f64; 6],
    force_scale: [f64; 6],
    matrix: Square,
    matrix_scale: Square,
    held: usize,
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
    let turns = (1e-12 * (matrix[3][3] + matrix[4][4] + matrix[5][5])).max(f64::MIN_POSITIVE);
    let whole = Matrix::of(6, |k, l| matrix[k][l] + if k == l && k > 2 { turns } else { 0.0 });
    let Some(motion) = solve_dense(whole, force.to_vec()) else {
        return DVec3::ZERO;
    };
    let [t, theta] = [&motion[..3], &motion[3..]].map(DVec3::from_slice);
    t + turned(theta, r)
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
    chunks: Vec<Chunk>,
}

impl<'a> Steps<'a> {
    fn new(bench: &'a Bench<'a>, seed: u64) -> Result<Self> {
        Ok(Self {
            bench,
            oracle: bench.oracle(),
            bases: bases(bench, seed),
            pressed: contact_blocks(&mut Random::new(seed), bench.len()),
            chunks: bench.model().chunks.read(bench.context)?,
        })
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
            let given = &self.pressed[i];
            let (left, left_scale) = oracle.left(i, self.bases[i].velocity.as_dvec3());
            let press = given.force.as_dvec3();
            let force = press + left / oracle.h;
            let size = press.length() + left_scale / oracle.h;
            let block = given.matrix() + DMat3::IDENTITY * oracle.inertia(i);
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
    let steps = Steps::new(bench, 101)?;
    let count = steps.chunks.len();
    let arrays: &Arrays<'_> = &[
        ("base", &steps.bases),
        ("contact_blocks", &steps.pressed),
        ("coarse_parts", &vec![CoarsePart::default(); count]),
    ];
    let sim = Sim { chunk_count: count as u32, ..bench.case.sim };
    let after = bench.run(sim, count, arrays)?;
    for (chunk, got) in after.get::<CoarsePart>("coarse_parts").iter().enumerate() {
        let want = steps.sums(chunk);
        let (force, matrix) = columns(got);
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

/// The sums as six numbers and a matrix of six rows.
fn columns(part: &CoarsePart) -> ([f32; 6], [[f32; 6]; 6]) {
    let whole = |d: Vec4, o: Vec4| [[d.x, o.z, o.y], [o.z, d.y, o.x], [o.y, o.x, d.z]];
    let straight = whole(part.diagonal, part.off);
    let turn = whole(part.turn, part.turn_off);
    let mixed = [part.mixed_x, part.mixed_y, part.mixed_z];
    let mut matrix = [[0.0; 6]; 6];
    for k in 0..3 {
        for l in 0..3 {
            matrix[k][l] = straight[k][l];
            matrix[k + 3][l + 3] = turn[k][l];
            matrix[k][l + 3] = mixed[l][k];
            matrix[l + 3][k] = mixed[l][k];
        }
    }
    let (f, t) = (part.force, part.torque);
    ([f.x, f.y, f.z, t.x, t.y, t.z], matrix)
}

/// What the sums are, as a kernel would store them.
fn stored(sums: &Sums) -> CoarsePart {
    let pick = |k: [[usize; 2]; 3]| -> Vec4 {
        Vec3::from_array(k.map(|[i, j]| sums.matrix[i][j] as f32)).extend(0.0)
    };
    let [force, torque] = [0, 3]
        .map(|k| Vec3::from_array([k, k + 1, k + 2].map(|k| sums.force[k] as f32)).extend(0.0));
    let column = |l: usize| pick([[0, l], [1, l], [2, l]]);
    CoarsePart {
        force: force.truncate().extend(sums.held as f32),
        torque,
        diagonal: pick([[0, 0], [1, 1], [2, 2]]),
        off: pick([[1, 2], [2, 0], [0, 1]]),
        mixed_x: column(3),
        mixed_y: column(4),
        mixed_z: column(5),
        turn: pick([[3, 3], [4, 4], [5, 5]]),
        turn_off: pick([[4, 5], [5, 3], [3, 4]]),
    }
}

/// The sums of a body's parts.
fn total<'a>(parts: impl Iterator<Item = &'a CoarsePart>) -> ([f64; 6], Square, f32) {
    let (mut force, mut matrix, mut held) = ([0.0; 6], Square::default(), 0.0);
    for part in parts {
        let (f, m) = columns(part);
        held += part.force.w;
        for k in 0..6 {
            force[k] += f64::from(f[k]);
            for l in 0..6 {
                matrix[k][l] += f64::from(m[k][l]);
            }
        }
    }
    (force, matrix, held)
}

/// The motion of every body solves its equations.
fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let steps = Steps::new(bench, 102)?;
    let part = |chunk: usize| {
        let mut sums = steps.sums(chunk);
        // Few bodies of a case have no pins: those of every other one count as free particles that weigh nothing.
        if steps.body(chunk).is_multiple_of(2) {
            sums.held = 0;
        }
        stored(&sums)
    };
    let parts: Vec<_> = (0..steps.chunks.len()).map(part).collect();
    let none = CoarseMotion { shift: Vec4::NAN, ..CoarseMotion::default() };
    let count = bench.case.bodies.len();
    let arrays: &Arrays<'_> = &[("coarse_parts", &parts), ("coarse_motions", &vec![none; count])];
    let sim = Sim { body_count: count as u32, ..bench.case.sim };
    let after = bench.run(sim, count, arrays)?;
    for (b, got) in after.get::<CoarseMotion>("coarse_motions").iter().enumerate() {
        let own = || (0..parts.len()).filter(|chunk| steps.body(*chunk) == b);
        let (force, matrix, held) = total(own().map(|chunk| &parts[chunk]));
        if held > 0.0 || own().count() == 0 {
            errors.holds(*got == CoarseMotion::default());
            continue;
        }
        errors.holds(got.origin.truncate() == steps.origin(b));
        let [t, theta] = [got.shift, got.turn].map(|v| v.truncate().as_dvec3().to_array());
        let motion = [t, theta].concat();
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

/// Every particle moves with its body, and contacts press less by what it gave way.
fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let steps = Steps::new(bench, 103)?;
    let mut random = Random::new(104);
    let motion = |b: usize| CoarseMotion {
        shift: random.vector(0.1).as_vec3().extend(0.0),
        // None, a small one, and large ones.
        turn: (random.vector(1.0) * [0.0, 1e-7, 0.01, 3.0][b % 4]).as_vec3().extend(0.0),
        origin: random.vector(1.0).as_vec3().extend(0.0),
    };
    let motions: Vec<_> = (0..bench.case.bodies.len()).map(motion).collect();
    let after = bench.run_each(&[
        ("base", &steps.bases),
        ("contact_blocks", &steps.pressed),
        ("coarse_motions", &motions),
    ])?;
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
        let way = t + turned(theta, x - origin);
        let size = t.length() + angle * (1.0 + angle) * (x.length() + origin.length());
        let speed = v.length() + size / h;
        let start = steps.bases[i].position.as_dvec3();
        errors.vector(got.velocity, v + way / h, speed);
        errors.vector(got.position, start + h * v + way, start.length() + h * speed);
        errors.holds(got.inverse_mass == p.inverse_mass);
        let (force, block) = (pressed.force.as_dvec3(), pressed.matrix());
        let block_size = f64::from(pressed.diagonal.length() + pressed.off.length());
        let scale = force.length() + 2.0 * block_size * size;
        errors.vector(left[i].force, force - block * way, scale);
        errors.kept(&left[i], pressed, |press, got| press.force = got.force);
    }
    Ok(())
}
