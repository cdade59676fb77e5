//! Copies of the state that arrive while the world continues.

use std::ops::Range;

use glam::Vec3;

use super::World;
use crate::collide::Capacity;
use crate::gpu::types::{NEWTON_SHORT, Particle};
use crate::gpu::{Buffer, Bytes, Pending, Recorder, Telemetry, elements};
use crate::{Error, Result};

/// Some particles at the time of the request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Steps since the scene's start.
    pub steps: u64,
    /// Time since the scene's start [s].
    pub time: f64,
    /// Whether the steps it belongs to were undone afterwards, because of a fault or because they had to be repeated with more
    /// room or passes. The world was then never in this state; a fault is reported by the world's next [`wait`](World::wait),
    /// [`report`](World::report) or step. After a `wait` nothing is under way.
    pub undone: bool,
    /// Positions [m].
    pub positions: Vec<Vec3>,
    /// The velocities that the integrator keeps [m/s]. Verlet and symplectic Euler keep the last step's mean velocity, that is
    /// the velocity half a step before `time`; leapfrog extrapolates it by half a step. [`World::read`] computes a step ahead
    /// instead, and must wait for it.
    pub velocities: Vec<Vec3>,
}

/// What tells whether a submission that is under way has to be taken back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubt {
    bodies: usize,
    capacity: Option<Capacity>,
    /// Whether steps that are too long are taken again.
    halves: bool,
}

impl Doubt {
    /// Whether it has, by the bytes of `status`.
    pub fn undone(self, bytes: &[u8]) -> bool {
        let told = Telemetry::new(bytemuck::pod_collect_to_vec(bytes), self.bodies);
        let short = self.capacity.and_then(|capacity| capacity.shortage(&told));
        let long = self.halves && told.first_long().is_some();
        told.fault().is_some() || told.word(NEWTON_SHORT) > 0 || short.is_some() || long
    }
}

impl World {
    /// Some particles of the present state, in device order, without waiting; any number of readings may be pending, and none
    /// delays steps.
    ///
    /// # Errors
    /// No such particles; a fault or a lost device that the world knows of.
    pub fn start_reading(&mut self, particles: Range<usize>) -> Result<Pending<Reading>> {
        let count = self.model.positions.len();
        if particles.start > particles.end || particles.end > count {
            let got = format!("{} to {}", particles.start, particles.end);
            let want = format!("a range of {count} particles, from 0 on");
            return Err(Error::value("particles", got, want));
        }
        self.report()?;
        let context = self.context.clone();
        context.catch_loss(|| Ok(self.reading(particles, None)))
    }

    /// The same of one body, in the order of its mesh's points.
    ///
    /// # Errors
    /// No such body; else as [`Self::start_reading`].
    pub fn start_reading_body(&mut self, body: usize) -> Result<Pending<Reading>> {
        self.check_body(body)?;
        let ranges = &self.model.bodies[body];
        let (particles, order) = (ranges.particles.clone(), ranges.device_index.clone());
        self.report()?;
        let context = self.context.clone();
        context.catch_loss(|| Ok(self.reading(particles, Some(order))))
    }

    /// Particles as they are now, whatever the world has heard of. `order`: the place in the range of each one that is wanted.
    pub(super) fn reading(&self, range: Range<usize>, order: Option<Vec<u32>>) -> Pending<Reading> {
        let (steps, time, doubt) = (self.steps(), self.time(), self.doubt());
        let stride = Buffer::<Particle>::STRIDE;
        let [first, end] = [range.start, range.end].map(|i| i as u64 * stride);
        let words = if doubt.is_some() { 4 * self.device.status.len() as u64 } else { 0 };
        let parts: [(&dyn Bytes, _); 2] =
            [(self.particles(), first..end), (&self.device.status, 0..words)];
        let mut recorder = Recorder::new(&self.context);
        let count = range.len();
        let pending = Pending::record(&mut recorder, &parts, move |bytes| {
            let (particles, status) = bytes.split_at((end - first) as usize);
            let particles: Vec<Particle> = elements(particles, count)?;
            let particles: Vec<_> = match order {
                Some(order) => order.iter().map(|i| particles[*i as usize]).collect(),
                None => particles,
            };
            Ok(Reading {
                steps,
                time,
                undone: doubt.is_some_and(|doubt| doubt.undone(&status[..words as usize])),
                positions: particles.iter().map(|p| p.position).collect(),
                velocities: particles.iter().map(|p| p.velocity).collect(),
            })
        });
        recorder.submit();
        pending
    }

    /// Whether the present state may have to be taken back; none where its submission has been heard of.
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        self.readback.is_pending().then(|| Doubt {
            bodies: self.model.bodies.len(),
            capacity: self.stepper.collision().map(|contacts| contacts.capacity()),
            halves: self.progress.pace.halvings < self.most_halvings(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::{Body, Scene};
    use crate::{Context, World};

    /// A block that hits the floor at 100 m/s: automatic steps are too long for that, and are taken again.
    #[test]
    fn readings_of_steps_that_are_taken_again_say_so() {
        let mut scene = Scene::default();
        let mut body = Body::lattice("soft", [3; 3], [0.3; 3]);
        body.position = [0.0, 3.0, 0.0];
        body.velocity = [0.0, -100.0, 0.0];
        scene.bodies.push(body);
        scene.world.floor = Some(0.0);
        let mut world = World::new(&Context::new().unwrap(), &scene).unwrap();
        let mut undone = 0;
        for _ in 0..20 {
            world.step_frame().unwrap();
            let before = world.step_counts().retaken;
            // Before its report is heard of.
            let reading = world.reading(0..world.particles().len(), None);
            world.wait().unwrap();
            let taken_again = world.step_counts().retaken > before;
            assert_eq!(reading.wait().unwrap().undone, taken_again);
            undone += u32::from(taken_again);
        }
        assert!(undone > 0);
    }
}
