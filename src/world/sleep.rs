//! Bodies that sleep.

use glam::Vec3;

use super::parts::Why;
use super::rates::PowerIteration;
use super::{BodyId, World};
use crate::Result;
use crate::gpu::types::{Particle, Pose};
use crate::model::held_pose;
use crate::setup;

impl World {
    /// Holds a body as it is from now on: what touches it meets something that does not move. Its springs are not computed
    /// (finite elements and clusters are, in vain), and inspectors see no strain in it; motions of its pins end. Nothing wakes
    /// it by itself: [`Self::contact_events`] tell of what touches it. Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; a lost device.
    pub fn sleep(&mut self, id: BodyId) -> Result<()> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
        if self.model.bodies[index].asleep {
            return Ok(());
        }
        self.forget(&[index], Why::Asleep)?;
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
        if let Some(rigid) = self.model.bodies[index].rigid {
            let pose = self.read_pose(rigid.pose)?;
            self.write_pose(&rigid, held_pose(pose));
        }
        self.slots.set_asleep(index, Some(asleep));
        self.model.bodies[index].asleep = true;
        self.device.buffers.put_to_sleep(&self.context, &self.model, index);
        Ok(())
    }

    /// Lets a body go on, from rest, that has been held by [`Self::sleep`]. Waits for the last submission.
    ///
    /// # Errors
    /// A body that is not there; a lost device.
    pub fn wake(&mut self, id: BodyId) -> Result<()> {
        let index = self.body_index(id)?;
        self.wait_submission()?;
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
        if let Some(rigid) = self.model.bodies[index].rigid {
            let (pose, own) = (self.read_pose(rigid.pose)?, self.model.poses[rigid.pose]);
            let Pose { inverse_mass, inverse_inertia, .. } = own;
            self.write_pose(&rigid, Pose { inverse_mass, inverse_inertia, ..pose });
        }
        self.slots.set_asleep(index, None);
        self.model.bodies[index].asleep = false;
        let body = asleep.put(setup::body(&self.scene, &self.model, index));
        self.device.buffers.enable(&self.context, &self.model, index, body);
        self.start(index);
        self.search_again();
        Ok(())
    }

    /// Whether a body has been put to [sleep](Self::sleep).
    ///
    /// # Errors
    /// A body that is not there.
    pub fn is_asleep(&self, id: BodyId) -> Result<bool> {
        Ok(self.model.bodies[self.body_index(id)?].asleep)
    }

    /// ω² of each body at rest [1/s²].
    pub(crate) fn squares_at_rest(&self) -> Vec<f64> {
        let estimates = self.slots.estimates().into_iter();
        estimates.map(|estimate| estimate.stiffness).collect()
    }

    /// Lets those sleep that slept in the world before.
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
