//! Held particles that the caller moves while the world runs.

use glam::Vec3;

use super::World;
use super::trajectory::{LARGEST, RigidMotion, Trajectory, check, vector};
use crate::gpu::Recorder;
use crate::gpu::types::{Pin, SPEED_LIMIT};
use crate::{Error, Result};

/// How the held particles of a body move.
#[derive(Clone, Debug)]
pub(super) struct Pins {
    /// All together.
    pub trajectory: Trajectory,
    /// Each from where it is on that course, with a velocity of its own for as long.
    pub places: Vec<Pin>,
}

/// How the held points of a body move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PinMotion<'a> {
    /// Together: rotated about `position` by `rotation` at once, then moving with these velocities.
    Rigid(RigidMotion),
    /// Each along a straight line to its target, where it stays.
    Targets {
        /// One per held point, in the order of [`World::pins`] [m].
        targets: &'a [Vec3],
        /// Number of steps until they arrive; with adaptive steps, of the longest ones.
        steps: u64,
    },
}

impl From<RigidMotion> for PinMotion<'_> {
    fn from(motion: RigidMotion) -> Self {
        Self::Rigid(motion)
    }
}

impl World {
    /// The held points of a body by their numbers in its mesh, ascending.
    ///
    /// # Errors
    /// No such body.
    pub fn pins(&self, body: usize) -> Result<Vec<usize>> {
        self.check_body(body)?;
        let ranges = &self.model.bodies[body];
        let held = |point: &usize| {
            self.model.pinned[ranges.particles.start + ranges.device_index[*point] as usize]
        };
        Ok((0..ranges.device_index.len()).filter(held).collect())
    }

    /// Moves the held points of a body from now on, until they are moved again: together ([`RigidMotion`], by default at rest),
    /// or each to its own target. Not saved; survives a [change](Self::change). Waits for the last submission.
    ///
    /// # Errors
    /// No such body, or nothing of it is held; a body that [sleeps](Self::sleep); as [`Self::move_solid`]; a number of targets
    /// other than that of the held points; zero steps.
    pub fn move_pins<'a>(&mut self, body: usize, motion: impl Into<PinMotion<'a>>) -> Result<()> {
        match motion.into() {
            PinMotion::Rigid(motion) => self.carry(body, &motion),
            PinMotion::Targets { steps: 0, .. } => {
                Err(Error::value("move_pins: steps", 0, "at least 1"))
            }
            PinMotion::Targets { targets, steps } => {
                let ticks = steps as f64 * f64::from(self.choice.stepping.ticks);
                self.guide(body, targets, ticks * self.clock.tick)
            }
        }
    }

    /// Moves them as one.
    fn carry(&mut self, body: usize, motion: &RigidMotion) -> Result<()> {
        self.wait_submission()?;
        let held = self.held(body)?;
        check("move_pins", motion)?;
        let place = |(particle, position): (usize, Vec3)| Pin {
            anchor: position - motion.position,
            particle: particle as u32,
            ..Pin::default()
        };
        let places: Vec<_> = match self.model.bodies[body].rigid {
            Some(rigid) => {
                let pose = self.read_pose(rigid.pose)?;
                vec![place((self.model.positions.len() + rigid.pose, pose.position))]
            }
            None => {
                let particles = self.device.state.present().read(&self.context)?;
                held.iter().map(|i| place((*i, particles[*i].position))).collect()
            }
        };
        let pins = Pins { trajectory: Trajectory::new(self.time(), f64::INFINITY, motion), places };
        self.set_pins(body, pins)
    }

    /// Moves each to its target in a time [s].
    pub(super) fn guide(&mut self, body: usize, targets: &[Vec3], lasts: f64) -> Result<()> {
        self.wait_submission()?;
        let held = self.held(body)?;
        if self.model.bodies[body].rigid.is_some() {
            let want = "a rigid motion, as the body is rigid";
            return Err(Error::value("move_pins: targets", targets.len(), want));
        }
        if targets.len() != held.len() {
            let want = format!("{}, one for each held point", held.len());
            return Err(Error::value("move_pins: targets", targets.len(), want));
        }
        let particles = self.device.state.present().read(&self.context)?;
        let mut places = Vec::with_capacity(held.len());
        for (particle, target) in held.iter().zip(targets) {
            vector("move_pins: a target", *target, LARGEST)?;
            let start = particles[*particle].position;
            let way = (target.as_dvec3() - start.as_dvec3()) / lasts;
            let velocity = way.as_vec3();
            vector("move_pins: the velocity to a target", velocity, SPEED_LIMIT)?;
            places.push(Pin {
                anchor: start,
                particle: *particle as u32,
                velocity,
                ..Pin::default()
            });
        }
        let pins = Pins {
            trajectory: Trajectory::new(self.time(), lasts, &RigidMotion::default()),
            places,
        };
        self.set_pins(body, pins)
    }

    /// Takes on a motion, and gives the held points its velocities.
    fn set_pins(&mut self, body: usize, pins: Pins) -> Result<()> {
        self.motions.pins.insert(body, pins);
        self.bind_motions()?;
        self.place_pins();
        Ok(())
    }

    /// Held points that move are where they should be, and as fast.
    pub(super) fn place_pins(&mut self) {
        self.write_waypoints(&[[self.progress.ticks, 0]]);
        self.device.sim.write(&self.context, &[self.present_waypoint_sim()]);
        let mut recorder = Recorder::new(&self.context);
        if let Some(moved) = self.stepper.moved() {
            moved.pins(&mut recorder, &self.device.state, 0);
        }
        recorder.submit();
        self.search_again();
    }

    /// Leaves the held points of some bodies where they are.
    pub(super) fn end_pins(&mut self, bodies: &[usize]) -> Result<()> {
        let before = self.motions.pins.len();
        self.motions.pins.retain(|body, _| !bodies.contains(body));
        if self.motions.pins.len() < before {
            self.stop_poses(bodies)?;
        }
        match self.motions.pins.len() < before {
            true => self.bind_motions(),
            false => Ok(()),
        }
    }

    /// The held particles of a body that is awake, of which there are some, in the order of its mesh.
    pub(super) fn held(&self, body: usize) -> Result<Vec<usize>> {
        let points = self.pins(body)?;
        let ranges = &self.model.bodies[body];
        let at = format!("body \"{}\"", ranges.name);
        if points.is_empty() {
            return Err(Error::value(at, "without pins", "a body with pins"));
        }
        let free =
            ranges.rigid.is_some_and(|rigid| self.model.poses[rigid.pose].inverse_mass > 0.0);
        if free {
            return Err(Error::value(at, "a free rigid body", "one with held = true"));
        }
        if ranges.asleep {
            return Err(Error::value(at, "asleep", "a body that is awake"));
        }
        let particle = |point: usize| ranges.particles.start + ranges.device_index[point] as usize;
        Ok(points.into_iter().map(particle).collect())
    }
}
