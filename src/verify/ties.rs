//! Ties between bodies, and to what moves and what does not.

use glam::{DMat3, DVec3, UVec4, Vec3, Vec4};

use super::bench::Bench;
use super::case::Random;
use super::motion::{COUNT, SLOT, poses};
use super::newton_matrix::{contact_blocks, directions, symmetric};
use super::oracle::exact;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{Block, NONE, Sim, TIE_TO_BODY, TIE_TO_PLACE, Tie, TieEnd, TieRow};
use crate::gpu::{Binding, Buffer, Kernel};
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

fn constants(tie: &Tie) -> reference::Tie {
    reference::Tie {
        stiffness: tie.stiffness.into(),
        damping: tie.damping.into(),
        length: tie.length.into(),
    }
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
        let constants = constants(tie);
        let want = reference::force(&constants, x, v, y, w);
        let far = x.length() + v.length() + y.length() + w.length() + reach;
        let scale = (constants.stiffness + constants.damping) * (far + constants.length);
        tally.vector(got.truncate(), want, scale);
        let (apart, far) = (x.distance(y), x.length() + y.length() + reach);
        let across = match constants.length > 0.0 {
            true => (1.0 - constants.length / apart).max(0.0),
            false => 1.0,
        };
        tally.number(
            got.w,
            across,
            1.0 + constants.length * far / (apart * apart),
        );
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
        rows.push(TieRow {
            particle: particle as u32,
            first,
            end: ends.len() as u32,
        });
    }
    (rows, ends)
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
    let (rows, ends) = rows(inputs.len(), TIES, &mut random);
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

/// Random ties with the forces that stand for them at an iterate, their blocks, and what they are tied to; some are as long as at
/// rest and have none.
struct Stretched {
    ties: Vec<Tie>,
    forces: Vec<Vec4>,
    blocks: Vec<DMat3>,
    rows: Vec<TieRow>,
    ends: Vec<TieEnd>,
    given: (Buffer<Tie>, Buffer<Vec4>, Buffer<TieRow>, Buffer<TieEnd>),
}

impl Stretched {
    fn new(bench: &Bench<'_>, random: &mut Random) -> Result<Self> {
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
            let across = match tie.length > 0.0 {
                true => (1.0 - constants.length / d.length()).max(0.0),
                false => 1.0,
            };
            forces.push(force.as_vec3().extend(across as f32));
            blocks.push(reference::block(&constants, d, h));
        }
        let (rows, ends) = rows(bench.len(), ties.len(), random);
        Ok(Self {
            given: (
                Buffer::new(bench.context, "ties", &ties)?,
                Buffer::new(bench.context, "tie_forces", &forces)?,
                Buffer::new(bench.context, "tie_rows", &rows)?,
                Buffer::new(bench.context, "tie_ends", &ends)?,
            ),
            ties,
            forces,
            blocks,
            rows,
            ends,
        })
    }

    fn bind(&self) -> [Binding<'_>; 4] {
        let (ties, forces, rows, ends) = &self.given;
        [
            ties.bind("ties"),
            forces.bind("tie_forces"),
            rows.bind("tie_rows"),
            ends.bind("tie_ends"),
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
pub fn hold(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(133);
    let stretched = Stretched::new(bench, &mut random)?;
    let given = contact_blocks(&mut random, bench.len());
    let pressed = Buffer::new(bench.context, "contact_blocks", &given)?;
    let [ties, forces, rows, ends] = stretched.bind();
    let others = [ties, forces, rows, ends, pressed.bind("contact_blocks")];
    bench.run(kernel, bench.case.sim, stretched.rows.len(), &others);
    tally.case();
    let got = pressed.read(bench.context)?;
    for row in &stretched.rows {
        let i = row.particle as usize;
        let mut force = given[i].force.as_dvec3();
        let mut block = symmetric(given[i].diagonal, given[i].off);
        let mut scales = [force.length(), 700.0];
        for end in stretched.of(row) {
            let (k, w) = (end.tie as usize, f64::from(end.weight));
            let one = stretched.forces[k].truncate().as_dvec3();
            // All that the force acts on: the point, and with their weights the corners that it is tied to.
            let corners = stretched.ties[k].weights.as_dvec4().to_array();
            let whole = match stretched.ties[k].pose {
                TIE_TO_BODY => 1.0 + corners.iter().map(|w| w.abs()).sum::<f64>(),
                _ => 1.0,
            };
            force += w * one;
            block += w.abs() * whole * stretched.blocks[k];
            scales[0] += w.abs() * one.length();
            scales[1] += w.abs() * whole * size(&stretched.blocks[k]);
        }
        tally.vector(got[i].force, force, scales[0]);
        let found = symmetric(got[i].diagonal, got[i].off);
        for k in 0..3 {
            tally.vector(found.col(k).as_vec3(), block.col(k), scales[1]);
        }
        tally.holds(got[i].stiffness == given[i].stiffness);
    }
    for i in (0..bench.len()).filter(|i| i % 3 != 0) {
        tally.holds(got[i] == given[i]);
    }
    Ok(())
}

/// The change of each tie's force along random directions.
pub fn change(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(134);
    let stretched = Stretched::new(bench, &mut random)?;
    let inputs = directions(bench, 135);
    let z = exact(inputs.iter().map(|p| p.velocity));
    let directions = Buffer::new(bench.context, "directions", &inputs)?;
    let none = vec![Vec4::NAN; stretched.ties.len()];
    let changes = Buffer::new(bench.context, "tie_changes", &none)?;
    let [ties, forces, ..] = stretched.bind();
    let others = [
        ties,
        forces,
        directions.bind("directions"),
        changes.bind("tie_changes"),
    ];
    bench.run(kernel, bench.case.sim, stretched.ties.len(), &others);
    tally.case();
    for (k, got) in changes.read(bench.context)?.iter().enumerate() {
        let tie = &stretched.ties[k];
        let own = z[tie.particle as usize];
        let (mut apart, mut far) = (own, own.length());
        if tie.pose == TIE_TO_BODY {
            let corners = tie.corners.to_array().map(|i| z[i as usize]);
            let weights = tie.weights.as_dvec4().to_array();
            apart -= reference::held(weights, corners);
            far += (0..4)
                .map(|j| weights[j].abs() * (corners[j].length() + own.length()))
                .sum::<f64>();
        }
        let block = &stretched.blocks[k];
        tally.vector(got.truncate(), -(*block * apart), size(block) * far);
    }
    Ok(())
}

/// What the ties of a particle add to its own block.
pub fn block(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let mut random = Random::new(136);
    let stretched = Stretched::new(bench, &mut random)?;
    let given: Vec<_> = (0..bench.len())
        .map(|_| Block {
            diagonal: random.vector(100.0).as_vec3(),
            off: random.vector(100.0).as_vec3(),
        })
        .collect();
    let blocks = Buffer::new(bench.context, "blocks", &given)?;
    let [ties, forces, rows, ends] = stretched.bind();
    let others = [ties, forces, rows, ends, blocks.bind("blocks")];
    bench.run(kernel, bench.case.sim, stretched.rows.len(), &others);
    tally.case();
    let got = blocks.read(bench.context)?;
    for row in &stretched.rows {
        let i = row.particle as usize;
        let mut block = symmetric(given[i].diagonal, given[i].off);
        let mut scale = 300.0;
        for end in stretched.of(row) {
            let (one, w) = (stretched.blocks[end.tie as usize], f64::from(end.weight));
            block += w * w * one;
            scale += w * w * size(&one);
        }
        let found = symmetric(got[i].diagonal, got[i].off);
        for k in 0..3 {
            tally.vector(found.col(k).as_vec3(), block.col(k), scale);
        }
    }
    for i in (0..bench.len()).filter(|i| i % 3 != 0) {
        tally.holds(got[i] == given[i]);
    }
    Ok(())
}
