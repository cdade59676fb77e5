//! What evolves: the particles, and what an integrator keeps beside them.

use glam::{Quat, Vec3, Vec4};

use super::Model;
use crate::Result;
use crate::gpu::types::{ContactBlock, MAX_TOUCHING, Particle, Pose, Searched};
use crate::gpu::{Buffer, Bytes, Context, Recorder};

/// The evolving arrays.
#[derive(Debug)]
pub struct State {
    /// Double-buffered; a pass reads one and writes the other.
    pub particles: [Buffer<Particle>; 2],
    /// Which of `particles` holds the present state.
    pub current: usize,
    /// Velocity at the last half step [m/s], of the integrators that keep one; of implicit ones that of the last step, and
    /// 1 where nothing held the particle's body in it, else 0.
    pub half_velocity: Buffer<Vec4>,
    /// Accelerations [m/s²] by finite elements and clusters, by ties and by the caller's forces, of Newton's method by springs, too;
    /// renewed before they are read.
    pub loads: Buffer<Vec4>,
    /// The power iteration's vectors; the first is the one to go on from.
    pub probe: [Buffer<Vec4>; 2],
    /// Of implicit integrators, like the two that follow: x_n, and the velocity v* [m/s] that all but forces of the
    /// solution lead to.
    pub base: Buffer<Particle>,
    /// Of explicit integrators whose mean velocity moves particles: the way and the change of velocity in a step.
    pub increments: Buffer<Particle>,
    /// Rigid degrees of freedom.
    pub poses: Buffer<Pose>,
    /// Where they were when contacts were found last.
    pub searched: Buffer<Searched>,
    /// What contacts, and ties of vertex block descent, do to each particle in the present iteration.
    pub contact_blocks: Buffer<ContactBlock>,
    /// Of the solids that each particle touches, at most [`MAX_TOUCHING`]: the impulse [kg m/s], and as bits which one.
    pub solid_impulses: Buffer<Vec4>,
    /// Of bodies: the least number, from 1, of those that press on each other with it, and the same while it is sought,
    /// in implicit steps in the end 0 where it may be less. Of bodies that are tied to each other that of the first is that of all.
    pub islands: [Buffer<u32>; 2],
    /// Of islands of rigid bodies, by the number less 1: 1 where something in the present step keeps it awake, or wakes it.
    pub disturbed: Buffer<u32>,
}

/// Where a particle is, and how it moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// x [m]
    pub position: Vec3,
    /// v [m/s]
    pub velocity: Vec3,
    /// dv/dt [m/s²], by contacts, too.
    pub acceleration: Vec3,
}

/// A copy of all that evolves, which can be returned to.
#[derive(Debug)]
pub struct Saved(Vec<Buffer<u32>>);

impl Saved {
    /// Room for a copy of these arrays.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn room(context: &Context, label: &str, arrays: &[&dyn Bytes]) -> Result<Self> {
        let room =
            |array: &&dyn Bytes| Buffer::zeroed(context, label, array.size().div_ceil(4) as usize);
        Ok(Self(arrays.iter().map(room).collect::<Result<_>>()?))
    }

    /// Bytes of each array.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(Bytes::size)
    }

    /// Records a copy of the arrays.
    pub fn keep(&self, recorder: &mut Recorder<'_>, arrays: &[&dyn Bytes]) {
        for (array, copy) in arrays.iter().zip(&self.0) {
            recorder.copy(*array, copy);
        }
    }

    /// Records the return to the copy.
    pub fn put_back(&self, recorder: &mut Recorder<'_>, arrays: &[&dyn Bytes]) {
        for (array, copy) in arrays.iter().zip(&self.0) {
            recorder.copy(copy, *array);
        }
    }
}

/// The particles of a model as they start, before the integrator's own.
pub fn particles(model: &Model) -> Vec<Particle> {
    (0..model.positions.len()).map(|i| particle(model, i)).collect()
}

fn particle(model: &Model, i: usize) -> Particle {
    Particle {
        position: model.positions[i].as_vec3(),
        inverse_mass: if model.pinned[i] { 0.0 } else { (1.0 / model.masses[i]) as f32 },
        velocity: model.velocities[i].as_vec3(),
        damping_rate: 0.0,
    }
}

/// The pose as nothing moves it.
fn held_pose(pose: Pose) -> Pose {
    Pose {
        inverse_mass: 0.0,
        inverse_inertia: Vec3::ZERO,
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        momentum: Vec3::ZERO,
        ..pose
    }
}

impl State {
    /// The model's state at the start. `by_mean`: with room for what moves particles in a step.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, model: &Model, by_mean: bool) -> Result<Self> {
        let particles = particles(model);
        let zeros = |label| Buffer::zeroed(context, label, particles.len());
        let solved = match model.colors.is_empty() {
            true => 0,
            false => particles.len(),
        };
        let moved = if by_mean { particles.len() } else { 0 };
        let touching = MAX_TOUCHING as usize * solved;
        let rigid = if model.poses.is_empty() { 0 } else { model.bodies.len() };
        let bodies = model.bodies.len().min(solved).max(rigid);
        Ok(Self {
            particles: [
                Buffer::new(context, "particles a", &particles)?,
                Buffer::new(context, "particles b", &particles)?,
            ],
            current: 0,
            half_velocity: zeros("half_velocity")?,
            loads: zeros("loads")?,
            probe: [zeros("probe a")?, zeros("probe b")?],
            base: Buffer::zeroed(context, "base", solved)?,
            poses: Buffer::new(context, "poses", &model.poses)?,
            searched: Buffer::zeroed(context, "searched", model.poses.len())?,
            increments: Buffer::zeroed(context, "increments", moved)?,
            contact_blocks: Buffer::zeroed(context, "contact_blocks", solved)?,
            solid_impulses: Buffer::zeroed(context, "solid_impulses", touching)?,
            islands: [
                Buffer::zeroed(context, "islands a", bodies)?,
                Buffer::zeroed(context, "islands b", bodies)?,
            ],
            disturbed: Buffer::zeroed(context, "disturbed", rigid)?,
        })
    }

    /// Puts the particles of one body where the model starts them; `absent`: they are held there, and nothing moves them.
    pub(crate) fn begin(&self, context: &Context, model: &Model, index: usize, absent: bool) {
        let range = model.bodies[index].particles.clone();
        let particle = |i: usize| match absent {
            true => Particle { position: model.positions[i].as_vec3(), ..Particle::default() },
            false => particle(model, i),
        };
        let particles: Vec<_> = range.clone().map(particle).collect();
        self.begin_at(context, range.start, &particles);
        if let Some(rigid) = model.bodies[index].rigid {
            let start = model.poses[rigid.pose];
            self.poses.write(context, rigid.pose, &[if absent { held_pose(start) } else { start }]);
        }
    }

    /// Puts the poses of bodies where those of another world were, whose masses they need not have.
    pub(crate) fn place_poses(&self, context: &Context, model: &Model, places: &[Option<Pose>]) {
        let mut poses = model.poses.clone();
        let rigid = model.bodies.iter().filter_map(|body| body.rigid);
        for (own, place) in rigid.zip(places) {
            if let Some(place) = place {
                let turn = Quat::from_vec4(place.rotation).as_dquat();
                let spin = turn.inverse() * place.spin.as_dvec3();
                poses[own.pose] = Pose {
                    position: place.position,
                    rotation: place.rotation,
                    velocity: place.velocity,
                    spin: place.spin,
                    momentum: (turn * (own.moments * spin)).as_vec3(),
                    ..poses[own.pose]
                };
            }
        }
        self.poses.write(context, 0, &poses);
    }

    /// Replaces the particles from index `first` on; what was kept of them is gone.
    pub(crate) fn begin_at(&self, context: &Context, first: usize, particles: &[Particle]) {
        for array in &self.particles {
            array.write(context, first, particles);
        }
        let rest = vec![Vec4::ZERO; particles.len()];
        self.half_velocity.write(context, first, &rest);
        if !self.contact_blocks.is_empty() {
            let none = vec![ContactBlock::default(); particles.len()];
            self.contact_blocks.write(context, first, &none);
            let touching = MAX_TOUCHING as usize;
            let none = vec![Vec4::ZERO; touching * particles.len()];
            self.solid_impulses.write(context, touching * first, &none);
        }
    }

    /// Moves all particles to these positions [m], with these velocities [m/s]; those that are held stay at rest.
    pub fn place(&self, context: &Context, model: &Model, places: &[Motion]) {
        let mut particles = particles(model);
        for (particle, place) in particles.iter_mut().zip(places) {
            particle.position = place.position;
            if particle.inverse_mass > 0.0 {
                particle.velocity = place.velocity;
            }
        }
        for array in &self.particles {
            array.write(context, 0, &particles);
        }
    }

    /// Sets the velocities that are kept at half steps, `beside` the particles or as theirs, from the accelerations of those
    /// that are not held: v − ½ h a, `half_step` = ½ h [s].
    ///
    /// # Errors
    /// When the device is lost.
    pub fn turn_back(
        &self,
        context: &Context,
        places: &[Motion],
        half_step: f32,
        beside: bool,
    ) -> Result<()> {
        let mut particles = self.present().read(context)?;
        for (particle, place) in particles.iter_mut().zip(places) {
            if particle.inverse_mass > 0.0 {
                particle.velocity -= half_step * place.acceleration;
            }
        }
        if beside {
            let half: Vec<_> = particles.iter().map(|p| p.velocity.extend(0.0)).collect();
            self.half_velocity.write(context, 0, &half);
        } else {
            self.present().write(context, 0, &particles);
        }
        Ok(())
    }

    /// What it keeps from step to step beside the present particles.
    pub fn kept(&self) -> Vec<&dyn Bytes> {
        let mut kept: Vec<&dyn Bytes> = vec![&self.half_velocity, &self.probe[0]];
        if !self.contact_blocks.is_empty() {
            kept.extend([&self.contact_blocks as &dyn Bytes, &self.solid_impulses]);
        }
        if !self.poses.is_empty() {
            kept.extend([&self.poses as &dyn Bytes, &self.searched]);
        }
        kept
    }

    /// What holds particles in implicit steps, with which the next step begins; nothing with other integrators.
    pub(crate) fn held(&self) -> [&dyn Bytes; 3] {
        [&self.half_velocity, &self.contact_blocks, &self.solid_impulses]
    }

    /// The present particles.
    pub fn present(&self) -> &Buffer<Particle> {
        &self.particles[self.current]
    }
}
