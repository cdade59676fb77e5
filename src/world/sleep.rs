//! Sleeping bodies.

use std::collections::BTreeSet;

use glam::Vec3;

use super::parts::Why;
use super::rates::PowerIteration;
use super::{BodyId, World};
use crate::Result;
use crate::gpu::Telemetry;
use crate::gpu::types::{Particle, Pose, STATUS_AWAKE};
use crate::model::RigidBody;
use crate::scene::Event;
use crate::setup;

impl World {
    /// Puts a body to sleep: freezes it as it is. Until it is [woken](Self::wake), a deformable body acts as an immovable
    /// obstacle; its springs are not computed (finite elements and clusters still are), inspectors see no strain in it, and
    /// motions of its pins end. A free rigid body sleeps as if it had fallen asleep by itself
    /// ([`WorldSettings::sleep`](crate::scene::WorldSettings::sleep)), until something disturbs it. [`Self::contact_events`]
    /// report what touches either. Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; a lost device.
    pub fn sleep(&mut self, id: BodyId) -> Result<()> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
        if self.sleeps(index)? {
            return Ok(());
        }
        self.forget(&[index], Why::Asleep)?;
        if let Some(rigid) = self.free_pose(index) {
            let pose = self.read_pose(rigid.pose)?;
            self.put_particles(index, |particle| Particle { velocity: Vec3::ZERO, ..particle })?;
            let (velocity, spin, island) = (Vec3::ZERO, Vec3::ZERO, index as u32 + 1);
            self.write_pose(&rigid, Pose { velocity, spin, island, ..pose });
            return Ok(());
        }
        let range = self.model.bodies[index].particles.clone();
        let context = &self.context;
        let body = self.device.buffers.bodies.read_part(context, index..index + 1)?[0];
        let asleep = PowerIteration {
            probe: self.device.state.probe[0].read_part(context, range)?,
            stiffness_rate: body.stiffness_rate,
            probe_scale: body.probe_scale,
        };
        let held =
            |particle: Particle| Particle { inverse_mass: 0.0, velocity: Vec3::ZERO, ..particle };
        self.put_particles(index, held)?;
        self.slots.set_asleep(index, Some(asleep));
        self.model.bodies[index].asleep = true;
        self.device.buffers.put_to_sleep(&self.context, &self.model, index);
        Ok(())
    }

    /// Wakes a body, which continues from rest; a rigid one together with its sleeping island, that is all bodies connected to it
    /// by contacts. Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; a lost device.
    pub fn wake(&mut self, id: BodyId) -> Result<()> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
        if let Some(rigid) = self.free_pose(index) {
            return self.awake_pose(&rigid).map(|_| ());
        }
        let Some(asleep) = self.slots.asleep(index).cloned() else {
            return Ok(());
        };
        let first = self.model.bodies[index].particles.start;
        self.device.state.probe[0].write(&self.context, first, &asleep.probe);
        let mut masses = self.masses(index).into_iter();
        self.put_particles(index, |particle| Particle {
            inverse_mass: masses.next().unwrap_or(0.0),
            ..particle
        })?;
        self.slots.set_asleep(index, None);
        self.model.bodies[index].asleep = false;
        let body = asleep.put(setup::body(&self.scene, &self.model, index));
        self.device.buffers.enable(&self.context, &self.model, index, body);
        self.start(index);
        self.search_again();
        Ok(())
    }

    /// Whether a body sleeps, put to sleep by [`Self::sleep`] or fallen asleep by itself. Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; a lost device.
    pub fn is_asleep(&mut self, id: BodyId) -> Result<bool> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
        self.sleeps(index)
    }

    /// How many bodies sleep. Waits for the last submission.
    ///
    /// # Errors
    /// A lost device.
    pub fn asleep_count(&mut self) -> Result<usize> {
        self.wait_submission()?;
        let held = self.model.bodies.iter().filter(|body| body.asleep).count();
        let poses = self.read_all_poses()?;
        Ok(held + poses.iter().filter(|pose| pose.island > 0).count())
    }

    fn sleeps(&self, index: usize) -> Result<bool> {
        match self.free_pose(index) {
            Some(rigid) => Ok(self.read_pose(rigid.pose)?.island > 0),
            None => Ok(self.model.bodies[index].asleep),
        }
    }

    /// What a body is as a rigid one that is not held.
    fn free_pose(&self, index: usize) -> Option<RigidBody> {
        self.model.bodies[index].rigid.filter(|own| self.model.poses[own.pose].inverse_mass > 0.0)
    }

    fn read_all_poses(&self) -> Result<Vec<Pose>> {
        match self.device.state.poses.is_empty() {
            true => Ok(Vec::new()),
            false => self.device.state.poses.read(&self.context),
        }
    }

    /// A pose that goes on awake, with its island.
    pub(super) fn awake_pose(&mut self, rigid: &RigidBody) -> Result<Pose> {
        let pose = self.read_pose(rigid.pose)?;
        if pose.island > 0 {
            self.wake_islands(&BTreeSet::from([pose.island]))?;
        }
        Ok(awake(pose))
    }

    /// Wakes what sleeps with these bodies or touches them.
    pub(super) fn wake_around(&mut self, bodies: &[usize]) -> Result<()> {
        let poses = self.read_all_poses()?;
        if poses.iter().all(|pose| pose.island == 0) {
            return Ok(());
        }
        let mut around: BTreeSet<usize> = bodies.iter().copied().collect();
        if let Some(collision) = self.stepper.collision() {
            let contacts = collision.contacts(&self.context)?;
            for contact in contacts.iter().filter(|contact| contact.is_contact()) {
                let [a, b] = contact.bodies.to_array().map(|body| body as usize);
                let touched = [(a, b), (b, a)].into_iter().filter(|(own, _)| bodies.contains(own));
                around.extend(touched.map(|(_, other)| other));
            }
        }
        let rigid = around.iter().filter_map(|body| self.model.bodies.get(*body)?.rigid);
        let islands = rigid.map(|own| poses[own.pose].island).filter(|island| *island > 0);
        self.wake_islands(&islands.collect())
    }

    /// Wakes all that sleeps in some islands.
    fn wake_islands(&mut self, islands: &BTreeSet<u32>) -> Result<()> {
        self.rests = None;
        let sleeping = self.read_all_poses()?.into_iter().enumerate();
        for (p, pose) in sleeping.filter(|(_, pose)| islands.contains(&pose.island)) {
            self.device.state.poses.write(&self.context, p, &[awake(pose)]);
        }
        Ok(())
    }

    /// Notes whether anything can move after the last `steps`, unless something is done to the world.
    pub(super) fn note_rest(&mut self, told: &Telemetry, steps: u64) {
        let sleeps = !self.stepper.deforms() && u64::from(told.word(STATUS_AWAKE)) < steps;
        let rests = sleeps && !self.device.state.poses.is_empty();
        let last = || told.steps().nth(steps as usize - 1).unwrap_or_default().to_vec();
        self.rests = rests.then(last);
    }

    /// Whether nothing happens until a tick: all that is rigid sleeps, nothing deforms, moves or is pulled meanwhile, and
    /// nobody wants to know of contacts.
    pub(super) fn rests_until(&self, end: u64) -> bool {
        let pulls = &self.obstacles.pulls[..self.common.pull_count as usize];
        let [now, end] = [self.progress.ticks, end].map(setup::tick_index);
        let pulled = pulls.iter().any(|pull| pull.from_tick <= end && pull.to_tick >= now);
        let windy = self.common.drag > 0.0
            && self.scene.events.iter().any(|event| matches!(event, Event::Wind { .. }));
        let alone = !pulled && !windy && self.stepper.moved().is_none();
        self.rests.is_some() && alone && self.events.is_none()
    }

    /// Takes the steps up to a tick in which nothing happens.
    pub(super) fn rest_until(&mut self, end: u64) {
        let ticks = self.ticks_of(self.progress.pace.halvings);
        let steps = (end - self.progress.ticks).div_ceil(ticks);
        self.progress.steps += steps;
        self.progress.ticks += steps * ticks;
        self.settle_pace(&Telemetry::new(Telemetry::cleared().to_vec(), 0), steps);
        self.before = self.progress;
        if let (Some(collision), Some(last)) = (self.stepper.collision_mut(), &self.rests) {
            collision.stats_mut().add_alike(last, steps);
        }
        (self.report.steps, self.report.time) = (self.steps(), self.time());
    }

    /// ω² of each body at rest [1/s²].
    pub(crate) fn squares_at_rest(&self) -> Vec<f64> {
        let estimates = self.slots.estimates().into_iter();
        estimates.map(|estimate| estimate.stiffness).collect()
    }

    /// Lets bodies sleep that were put to sleep in the world before; what is rigid and not held is awake.
    pub(super) fn resume_sleep(&mut self, asleep: &[bool]) -> Result<()> {
        for index in (0..asleep.len()).filter(|index| asleep[*index]) {
            if let Some(id) = self.body_id(index) {
                self.sleep(id)?;
            }
        }
        Ok(())
    }

    /// Changes one body's particles, in their order.
    fn put_particles(&self, index: usize, change: impl FnMut(Particle) -> Particle) -> Result<()> {
        let range = self.model.bodies[index].particles.clone();
        let present = self.device.state.present().read_part(&self.context, range.clone())?;
        let particles: Vec<_> = present.into_iter().map(change).collect();
        self.device.state.begin_at(&self.context, range.start, &particles);
        Ok(())
    }

    /// 1/m of one body's particles; 0 of those that are pinned.
    fn masses(&self, index: usize) -> Vec<f32> {
        let particles = self.model.bodies[index].particles.clone();
        let inverse = |i: usize| match self.model.pinned[i] {
            true => 0.0,
            false => (1.0 / self.model.masses[i]) as f32,
        };
        particles.map(inverse).collect()
    }
}

/// The pose awake, from rest where it slept.
fn awake(pose: Pose) -> Pose {
    Pose { island: 0, still: 0.0, ..pose }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::scene::{Body, Scene, Shape};
    use crate::{Context, World};

    /// Two boxes that fall, come to rest, and are pushed once they sleep. Whether steps are taken or only counted while they do
    /// makes no difference, nor where submissions end.
    #[test]
    fn results_do_not_depend_on_submissions_across_sleep() {
        let mut scene = Scene::default();
        for (name, height) in [("low", 0.16), ("high", 0.5)] {
            let mut body = Body::rigid(name, Shape::Box { size: [0.3; 3] });
            body.position = [0.0, height, 0.0];
            scene.bodies.push(body);
        }
        scene.world.floor = Some(0.0);
        let context = Context::new().unwrap();
        let run = |submission: u64, listens: bool| {
            let mut world = World::new(&context, &scene).unwrap();
            world.batch.fixed = Some(submission);
            world.set_contact_events(if listens { 64 } else { 0 }).unwrap();
            world.step(1600).unwrap();
            assert_eq!(world.asleep_count().unwrap(), 2);
            assert!(!world.rests_until(1601) || !listens);
            let slept = (world.state_hash().unwrap(), world.contacts(), world.time());
            let top = world.pose(1).unwrap().centre;
            world.push_at(1, Vec3::new(20.0, 0.0, 5.0), top).unwrap();
            world.step(100).unwrap();
            let moving = world.state_hash().unwrap();
            world.step(1501).unwrap();
            assert_eq!(world.asleep_count().unwrap(), 2);
            let counted = (world.contacts().contacts, world.contacts().steps);
            (slept, moving, world.state_hash().unwrap(), counted, world.step_counts().steps)
        };
        let whole = run(256, false);
        assert_ne!(whole.1, whole.0.0);
        for (submission, listens) in [(1, false), (23, false), (256, true)] {
            let (slept, moving, end, counted, steps) = run(submission, listens);
            assert_eq!((slept.0, moving, end), (whole.0.0, whole.1, whole.2), "{submission}");
            assert_eq!((slept.2, counted, steps), (whole.0.2, whole.3, whole.4), "{submission}");
        }
    }
}
