//! The coarse correction of vertex block descent: what bodies feel when they move as a whole, and their moves.

use crate::extreme;
use glam::{DMat3, DVec3, Vec3, Vec4};

use super::case::Case;
use super::newton_matrix::{contact_blocks, symmetric};
use super::trial::Arrays;
use super::{Bench, ErrorStats, Random};
use crate::Result;
use crate::gpu::types::{Chunk, CoarseMotion, CoarsePart, ContactBlock, Particle, Sim};
use crate::reference::dense::{Matrix, solve as solve_dense};

pub const CHECKS: super::Checks = &[
    ("coarse_sum", super::Check::Trial(sum)),
    ("coarse_solve", super::Check::Trial(solve)),
    ("coarse_move", super::Check::Trial(moves)),
];

/// A number for each pair of the six motions: t along x, y, z, θ about x, y, z.
pub type Square = [[f64; 6]; 6];

/// The sums of one body or a part of it in f64, and the sums of the sizes of their terms.
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
    let mut whole = Matrix::zero(6);
    for k in 0..6 {
        for l in 0..6 {
            whole[(k, l)] = matrix[k][l];
        }
    }
    let turns = matrix[3][3] + matrix[4][4] + matrix[5][5];
    for k in 3..6 {
        whole[(k, k)] += (1e-12 * turns).max(f64::MIN_POSITIVE);
    }
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

/// The sums of particles `part`, of which r begins at `origin`.
fn sums(
    case: &Case,
    (bases, given): (&[Particle], &[ContactBlock]),
    part: std::ops::Range<usize>,
    origin: Vec3,
) -> Sums {
    let sim = &case.sim;
    let [h, drag] = [sim.step, sim.drag].map(f64::from);
    let mut sums = Sums {
        force: [0.0; 6],
        force_scale: [0.0; 6],
        matrix: [[0.0; 6]; 6],
        matrix_scale: [[0.0; 6]; 6],
        held: 0,
    };
    let mut points = Vec::new();
    for i in part {
        let p = &case.particles[i];
        if p.inverse_mass == 0.0 {
            sums.held += 1;
            continue;
        }
        let pace = 1.0 / (f64::from(p.inverse_mass) * h);
        let [v, start, wind] = [p.velocity, bases[i].velocity, sim.wind].map(|v| v.as_dvec3());
        let press = given[i].force.as_dvec3();
        let f = press + pace * (start - v - h * drag * (v - wind));
        let size = press.length()
            + pace * (start.length() + v.length() + h * drag * (v.length() + wind.length()));
        let inertia = pace * (1.0 / h + drag);
        let block = symmetric(given[i].diagonal, given[i].off)
            + DMat3::from_diagonal(DVec3::splat(inertia));
        let block_size = [block.x_axis, block.y_axis, block.z_axis]
            .map(|column| column.length())
            .into_iter()
            .fold(0.0, extreme::greatest);
        let [x, o] = [p.position, origin].map(|x| x.as_dvec3());
        // Of a turn the way is as uncertain as the places that r is the difference of.
        let reach = |k: usize| if k < 3 { 1.0 } else { x.length() + o.length() };
        points.push((x - o, f, block));
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

/// Where the steps started, and how contacts press.
fn given(bench: &Bench<'_>, seed: u64) -> (Vec<Particle>, Vec<ContactBlock>) {
    let mut random = Random::new(seed);
    let contact_blocks = contact_blocks(&mut random, bench.len());
    let base = |p: &Particle| Particle {
        position: p.position - bench.case.sim.step * p.velocity,
        velocity: p.velocity + random.vector(0.5).as_vec3(),
        ..*p
    };
    (
        bench.case.particles.iter().map(base).collect(),
        contact_blocks,
    )
}

/// The chunks and the first chunk of each body, none of which has more than a few.
fn chunks(bench: &Bench<'_>) -> Result<(Vec<Chunk>, Vec<u32>)> {
    let bodies = bench.buffers.bodies.read(bench.context)?;
    let firsts = bodies.iter().map(|body| body.chunk_first).collect();
    Ok((bench.buffers.chunks.read(bench.context)?, firsts))
}

/// The sums of every chunk.
fn sum(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let case = bench.case;
    let (bases, pressed) = given(bench, 101);
    let (ranges, firsts) = chunks(bench)?;
    let arrays: &Arrays<'_> = &[
        ("base", &bases),
        ("contact_blocks", &pressed),
        ("coarse_parts", &vec![CoarsePart::default(); ranges.len()]),
    ];
    let sim = Sim {
        chunk_count: ranges.len() as u32,
        ..case.sim
    };
    let after = bench.run(sim, ranges.len(), arrays)?;
    let points = bench.buffers.points.read(bench.context)?;
    for (got, range) in after.get::<CoarsePart>("coarse_parts").iter().zip(&ranges) {
        let part = range.first as usize..range.end as usize;
        if part.is_empty() {
            continue;
        }
        let body = points[part.start].body as usize;
        let first = ranges[firsts[body] as usize].first as usize;
        let origin = case.particles[first].position;
        let want = sums(case, (&bases, &pressed), part, origin);
        let (force, matrix) = columns(got);
        for k in 0..6 {
            errors.number(force[k], want.force[k], want.force_scale[k]);
            let row = want.matrix[k].iter().zip(want.matrix_scale[k]);
            for (got, (want, scale)) in matrix[k].iter().zip(row) {
                errors.number(*got, *want, scale);
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

/// The motion of every body solves its equations.
fn solve(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let case = bench.case;
    let (bases, pressed) = given(bench, 102);
    let (ranges, firsts) = chunks(bench)?;
    let body = |chunk: usize| firsts.partition_point(|first| *first as usize <= chunk) - 1;
    let origin = |b: usize| {
        let first = ranges
            .get(firsts[b] as usize)
            .map_or(0, |range| range.first);
        case.particles[first as usize].position
    };
    let part = |(c, range): (usize, &Chunk)| {
        let mut sums = sums(
            case,
            (&bases, &pressed),
            range.first as usize..range.end as usize,
            origin(body(c)),
        );
        // Few bodies of a case have no pins: those of every other one count as free particles that weigh nothing.
        if body(c).is_multiple_of(2) {
            sums.held = 0;
        }
        stored(&sums)
    };
    let given: Vec<CoarsePart> = ranges.iter().enumerate().map(part).collect();
    let none = CoarseMotion {
        shift: Vec4::NAN,
        ..CoarseMotion::default()
    };
    let arrays: &Arrays<'_> = &[
        ("coarse_parts", &given),
        ("coarse_motions", &vec![none; firsts.len()]),
    ];
    let sim = Sim {
        body_count: firsts.len() as u32,
        ..case.sim
    };
    let after = bench.run(sim, firsts.len(), arrays)?;
    for (b, got) in after
        .get::<CoarseMotion>("coarse_motions")
        .iter()
        .enumerate()
    {
        let own = given.iter().enumerate().filter(|(c, _)| body(*c) == b);
        let (mut force, mut matrix, mut held) = ([0.0; 6], [[0.0; 6]; 6], 0.0);
        let mut some = false;
        for (_, part) in own {
            some = true;
            let (f, m) = columns(part);
            held += part.force.w;
            for k in 0..6 {
                force[k] += f64::from(f[k]);
                for l in 0..6 {
                    matrix[k][l] += f64::from(m[k][l]);
                }
            }
        }
        if held > 0.0 || !some {
            errors.holds(*got == CoarseMotion::default());
            continue;
        }
        errors.holds(got.origin.truncate() == origin(b));
        let motion = [
            got.shift.x,
            got.shift.y,
            got.shift.z,
            got.turn.x,
            got.turn.y,
            got.turn.z,
        ];
        for k in 0..6 {
            let terms = (0..6).map(|l| matrix[k][l] * f64::from(motion[l]));
            let left: f64 = force[k] - terms.clone().sum::<f64>();
            // Rounding in what t leaves of the turns: with a Cholesky factor L of the matrix |L||Lᵀ| is at most √(M_kk M_ll).
            let bound = (0..6).map(|l| {
                let size: f64 = matrix[k][k] * matrix[l][l];
                size.sqrt() * f64::from(motion[l]).abs()
            });
            let scale = force[k].abs() + bound.sum::<f64>();
            errors.number(left as f32, 0.0, scale);
        }
    }
    Ok(())
}

/// Every particle moves with its body, and contacts press less by what it gave way.
fn moves(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let case = bench.case;
    let (bases, pressed) = given(bench, 103);
    let mut random = Random::new(104);
    let motions: Vec<_> = (0..case.bodies.len())
        .map(|b| CoarseMotion {
            shift: random.vector(0.1).as_vec3().extend(0.0),
            // None, a small one, and large ones.
            turn: (random.vector(1.0) * [0.0, 1e-7, 0.01, 3.0][b % 4])
                .as_vec3()
                .extend(0.0),
            origin: random.vector(1.0).as_vec3().extend(0.0),
        })
        .collect();
    let arrays: &Arrays<'_> = &[
        ("base", &bases),
        ("contact_blocks", &pressed),
        ("coarse_motions", &motions),
    ];
    let after = bench.run(case.sim, bench.len(), arrays)?;
    let h = f64::from(case.sim.step);
    let points = bench.buffers.points.read(bench.context)?;
    let left: Vec<ContactBlock> = after.get("contact_blocks");
    for (i, got) in after.particles().iter().enumerate() {
        let p = &case.particles[i];
        if p.inverse_mass == 0.0 {
            errors.holds(*got == *p && left[i] == pressed[i]);
            continue;
        }
        let motion = &motions[points[i].body as usize];
        let [t, theta, origin] =
            [motion.shift, motion.turn, motion.origin].map(|v| v.truncate().as_dvec3());
        let (x, v) = (p.position.as_dvec3(), p.velocity.as_dvec3());
        let angle = theta.length();
        let way = t + turned(theta, x - origin);
        let size = t.length() + angle * (1.0 + angle) * (x.length() + origin.length());
        let speed_scale = v.length() + size / h;
        let start = bases[i].position.as_dvec3();
        errors.vector(got.velocity, v + way / h, speed_scale);
        errors.vector(
            got.position,
            start + h * v + way,
            start.length() + h * speed_scale,
        );
        errors.holds(got.inverse_mass == p.inverse_mass);
        let (force, block) = (
            pressed[i].force.as_dvec3(),
            symmetric(pressed[i].diagonal, pressed[i].off),
        );
        let block_size = (pressed[i].diagonal.length() + pressed[i].off.length()) as f64;
        errors.vector(
            left[i].force,
            force - block * way,
            force.length() + 2.0 * block_size * size,
        );
        errors.holds(
            ContactBlock {
                force: pressed[i].force,
                ..left[i]
            } == pressed[i],
        );
    }
    Ok(())
}
