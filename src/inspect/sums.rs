//! Sums over the bodies of a state, computed on the device.

use std::ops::Range;

use glam::{DVec3, Vec3};

use super::Shared;
use super::field::{Field, Fields};
use crate::gpu::types::{CHUNK, Chunk, ChunkSums, PoseSums, WORKGROUP};
use crate::gpu::{Buffer, Bytes, Kernel, Pending, Recorder, elements};
use crate::model::Model;
use crate::{Result, World};

/// Chunks that one workgroup adds up.
const BLOCK: usize = CHUNK as usize;

/// Sums over each body of one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Steps since the scene's start.
    pub steps: u64,
    /// Time since the scene's start [s].
    pub time: f64,
    /// Whether the steps they belong to were undone afterwards, see [`Reading::undone`](crate::world::Reading::undone).
    pub undone: bool,
    /// The field whose extremes are known.
    pub field: Option<Field>,
    /// One entry per body; all zero for absent ones.
    pub bodies: Vec<BodySums>,
}

/// The sums of one body; for a rigid one they follow from its pose, except the bounds, the speed and the field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodySums {
    /// ½ Σ m v² [J] with the velocities that the integrator keeps, for rigid bodies ½ (m v² + ω·Iω); held particles and bodies
    /// have none.
    pub kinetic: f64,
    /// Elastic energy of springs, volumes, areas and finite elements [J]; shape matching has none.
    pub elastic: f64,
    /// −Σ m g·x [J]; 0 for held rigid bodies.
    pub gravity: f64,
    /// Σ m [kg]
    pub mass: f64,
    /// Centre of mass [m].
    pub centroid: DVec3,
    /// Σ m v/Σ m [m/s] with the velocities that the integrator keeps; held particles have none.
    pub velocity: DVec3,
    /// Least and greatest coordinates of its particles [m].
    pub bounds: [Vec3; 2],
    /// Speed of its fastest particle [m/s].
    pub max_speed: f32,
    /// Least and greatest value of the field at its particles.
    pub field: [f32; 2],
}

impl Sums {
    /// Kinetic, elastic and gravitational energy of all bodies [J].
    #[must_use]
    pub fn energies(&self) -> [f64; 3] {
        let sum = |part: fn(&BodySums) -> f64| self.bodies.iter().map(part).sum();
        [sum(|b| b.kinetic), sum(|b| b.elastic), sum(|b| b.gravity)]
    }

    /// Several bodies as one, for example those of a replica ([`Scene::replica_bodies`](crate::Scene::replica_bodies)). All zero
    /// if there are none.
    #[must_use]
    pub fn together(&self, bodies: Range<usize>) -> BodySums {
        let all = self.bodies.get(bodies).unwrap_or_default().iter();
        let mut all = all.filter(|body| body.mass > 0.0);
        let Some(first) = all.next() else {
            return BodySums::default();
        };
        all.fold(*first, |a, b| {
            let mass = a.mass + b.mass;
            let mean = |x: DVec3, y: DVec3| (a.mass * x + b.mass * y) / mass;
            BodySums {
                kinetic: a.kinetic + b.kinetic,
                elastic: a.elastic + b.elastic,
                gravity: a.gravity + b.gravity,
                mass,
                centroid: mean(a.centroid, b.centroid),
                velocity: mean(a.velocity, b.velocity),
                bounds: [a.bounds[0].min(b.bounds[0]), a.bounds[1].max(b.bounds[1])],
                max_speed: a.max_speed.max(b.max_speed),
                field: [a.field[0].min(b.field[0]), a.field[1].max(b.field[1])],
            }
        })
    }
}

/// A range of chunks of one body.
#[derive(Clone, Copy, Debug)]
struct Block {
    body: usize,
    /// Of its particles [kg].
    mass: f64,
}

/// A body whose mass is its pose's.
#[derive(Clone, Copy, Debug)]
struct Posed {
    pose: usize,
    body: usize,
    /// [kg]
    mass: f64,
    /// Whether it is held, so that its weight does not count.
    held: bool,
}

/// What blocks of some bodies become.
#[derive(Clone, Debug)]
struct Bodies {
    blocks: Vec<Block>,
    posed: Vec<Posed>,
    count: usize,
    gravity: DVec3,
}

/// The passes that sum.
#[derive(Debug)]
pub(super) struct SumPasses {
    masses: Buffer<f32>,
    energies: Buffer<f32>,
    chunk_sums: Buffer<ChunkSums>,
    sum_blocks: Buffer<Chunk>,
    totals: Buffer<ChunkSums>,
    pose_sums: Buffer<PoseSums>,
    bodies: Bodies,
    energy: Kernel,
    chunk: Kernel,
    block: Kernel,
    pose: Kernel,
    /// What [`Inspector::begin_sums`](super::Inspector::begin_sums) has under way.
    pending: Option<Pending<Sums>>,
    /// The last of these that has arrived.
    pub last: Option<Sums>,
}

impl SumPasses {
    /// For a world's bodies.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(world: &World) -> Result<Self> {
        let (context, model) = (world.context(), world.model());
        let masses = particle_masses(model);
        let (chunks, blocks, ranges) = blocks(world, &masses)?;
        let masses: Vec<_> = masses.iter().map(|mass| *mass as f32).collect();
        let posed = model.bodies.iter().enumerate().filter_map(|(body, ranges)| {
            let rigid = ranges.rigid?;
            Some(Posed { pose: rigid.pose, body, mass: rigid.mass, held: model.is_held(body) })
        });
        Ok(Self {
            masses: Buffer::new(context, "masses", &masses)?,
            energies: Buffer::zeroed(context, "energies", masses.len())?,
            chunk_sums: Buffer::zeroed(context, "chunk_sums", chunks)?,
            sum_blocks: Buffer::new(context, "sum_blocks", &ranges)?,
            totals: Buffer::zeroed(context, "totals", blocks.len())?,
            pose_sums: Buffer::zeroed(context, "pose_sums", model.poses.len())?,
            bodies: Bodies {
                blocks,
                posed: posed.collect(),
                count: model.bodies.len(),
                gravity: DVec3::from(world.scene().world.gravity),
            },
            energy: Kernel::for_content(context, "sum_energy", world.content()),
            chunk: Kernel::new(context, "sum_chunk"),
            block: Kernel::new(context, "sum_block"),
            pose: Kernel::new(context, "sum_pose"),
            pending: None,
            last: None,
        })
    }

    /// Submits the passes and a copy.
    pub fn read(
        &self,
        world: &World,
        shared: &Shared,
        fields: Option<&Fields>,
    ) -> Result<Pending<Sums>> {
        let context = world.context();
        let sim = world.present_sim();
        let mut of_blocks = sim;
        of_blocks.chunk_count = self.totals.len() as u32;
        shared.sim.write(context, &[sim, of_blocks]);
        let field = fields.and_then(|fields| fields.present);
        // Any array of numbers will do where there is no field.
        let values = match fields {
            Some(fields) => &fields.particle_values,
            None => &self.energies,
        };
        let others = [
            self.masses.binding(),
            self.energies.binding(),
            values.bind("particle_values"),
            self.chunk_sums.binding(),
            self.sum_blocks.binding(),
            self.totals.binding(),
            self.pose_sums.binding(),
        ];
        let mut recorder = Recorder::new(context);
        shared.measure(world, &mut recorder);
        let pass = |kernel| shared.bind(world, kernel, &others);
        recorder.dispatch(&pass(&self.energy), self.masses.len(), 0);
        recorder.dispatch(&pass(&self.chunk), self.chunk_sums.len() * WORKGROUP as usize, 0);
        recorder.dispatch(&pass(&self.block), self.totals.len() * WORKGROUP as usize, 1);
        recorder.dispatch(&pass(&self.pose), self.pose_sums.len(), 0);
        let pending = self.arrival(world, field, &mut recorder);
        recorder.submit();
        Ok(pending)
    }

    /// What becomes of the totals when they arrive.
    fn arrival(
        &self,
        world: &World,
        field: Option<Field>,
        recorder: &mut Recorder,
    ) -> Pending<Sums> {
        let doubt = world.doubt();
        let status = &world.arrays().status;
        let words = match doubt {
            Some(_) => 4 * status.len() as u64,
            None => 0,
        };
        let parts: [(&dyn Bytes, _); 3] = [
            (&self.totals, 0..self.totals.size()),
            (&self.pose_sums, 0..self.pose_sums.size()),
            (*status, 0..words),
        ];
        let (bodies, count) = (self.bodies.clone(), self.totals.len());
        let (poses, of_blocks) = (self.pose_sums.len(), self.totals.size() as usize);
        let ranges = world.model().bodies.iter();
        let absent: Vec<_> = ranges.map(|body| body.absent).collect();
        let (steps, time) = (world.steps(), world.time());
        Pending::record(recorder, &parts, move |bytes| {
            let (sums, words) = bytes.split_at(bytes.len() - words as usize);
            let (totals, of_poses) = sums.split_at(of_blocks);
            let (totals, of_poses) = (elements(totals, count)?, elements(of_poses, poses)?);
            let mut bodies = bodies.sums(&totals, &of_poses, field.is_some());
            for (body, absent) in bodies.iter_mut().zip(&absent) {
                if *absent {
                    *body = BodySums::default();
                }
            }
            Ok(Sums {
                steps,
                time,
                undone: doubt.is_some_and(|doubt| doubt.undone(words)),
                field,
                bodies,
            })
        })
    }

    /// Begins to sum, unless something is under way.
    pub fn begin(&mut self, world: &World, shared: &Shared, fields: Option<&Fields>) -> Result<()> {
        self.poll()?;
        if self.pending.is_none() {
            self.pending = Some(self.read(world, shared, fields)?);
        }
        Ok(())
    }

    /// Takes what has arrived.
    pub fn poll(&mut self) -> Result<()> {
        let Some(pending) = &mut self.pending else {
            return Ok(());
        };
        if let Some(sums) = pending.poll()? {
            (self.pending, self.last) = (None, Some(sums));
        }
        Ok(())
    }
}

impl Bodies {
    fn sums(&self, totals: &[ChunkSums], poses: &[PoseSums], field_known: bool) -> Vec<BodySums> {
        let nothing = BodySums {
            bounds: [Vec3::INFINITY, Vec3::NEG_INFINITY],
            field: [f32::INFINITY, f32::NEG_INFINITY],
            ..BodySums::default()
        };
        let mut bodies = vec![nothing; self.count];
        let mut moments = vec![[DVec3::ZERO; 2]; self.count];
        for (block, total) in self.blocks.iter().zip(totals) {
            let body = &mut bodies[block.body];
            let (bounds, field) = ([total.low, total.high], [total.least, total.greatest]);
            body.bounds = [body.bounds[0].min(bounds[0]), body.bounds[1].max(bounds[1])];
            body.field = [body.field[0].min(field[0]), body.field[1].max(field[1])];
            body.mass += block.mass;
            body.kinetic += f64::from(total.kinetic);
            body.elastic += f64::from(total.elastic);
            body.max_speed = body.max_speed.max(total.speed);
            let [moment, momentum] = &mut moments[block.body];
            *moment += block.mass * total.origin.as_dvec3() + total.moment.as_dvec3();
            *momentum += total.momentum.as_dvec3();
        }
        for Posed { pose, body, mass, .. } in &self.posed {
            let pose = &poses[*pose];
            let [moment, momentum] = &mut moments[*body];
            bodies[*body].mass += mass;
            bodies[*body].kinetic += f64::from(pose.kinetic);
            *moment += mass * pose.centre.as_dvec3();
            *momentum += mass * pose.velocity.as_dvec3();
        }
        for (body, [moment, momentum]) in bodies.iter_mut().zip(moments) {
            body.gravity = -self.gravity.dot(moment);
            body.centroid = moment / body.mass;
            body.velocity = momentum / body.mass;
            if !field_known {
                body.field = [0.0; 2];
            }
        }
        for posed in self.posed.iter().filter(|posed| posed.held) {
            bodies[posed.body].gravity = 0.0;
        }
        bodies
    }
}

/// Mass of each particle [kg]: 0 where it is a pose's.
fn particle_masses(model: &Model) -> Vec<f64> {
    let mut masses = model.masses.clone();
    for body in model.bodies.iter().filter(|body| body.rigid.is_some()) {
        masses[body.particles.clone()].fill(0.0);
    }
    masses
}

/// The number of chunks of all bodies; ranges of them that one thread adds up.
fn blocks(world: &World, masses: &[f64]) -> Result<(usize, Vec<Block>, Vec<Chunk>)> {
    let buffers = world.arrays().model;
    let chunks = buffers.chunks.read(world.context())?;
    let bodies = buffers.bodies.read(world.context())?;
    let (mut blocks, mut ranges) = (Vec::new(), Vec::new());
    for (index, body) in bodies.iter().enumerate() {
        let first = body.chunk_first as usize;
        let all = first..first + body.chunk_count as usize;
        for first in all.clone().step_by(BLOCK) {
            let end = (first + BLOCK).min(all.end);
            let particles = chunks[first].first as usize..chunks[end - 1].end as usize;
            blocks.push(Block { body: index, mass: masses[particles].iter().sum() });
            ranges.push(Chunk { first: first as u32, end: end as u32 });
        }
    }
    Ok((chunks.len(), blocks, ranges))
}
