//! Solids that the caller moves while the world runs, whatever they push; what is in motion, and where it is in each step.

use std::collections::BTreeMap;

use glam::Vec3;

use super::batch::MAX_BATCH;
use super::pins::Pins;
use super::trajectory::{RigidMotion, Trajectory, at_rest, check};
use super::{Origin, World};
use crate::gpu::types::{Pin, SOLID_PLANE, Sim, Solid as GpuSolid, Waypoint};
use crate::integrate::moved::Moved;
use crate::render::Look;
use crate::{Error, Result};

/// What the caller has set in motion.
#[derive(Debug, Default)]
pub(super) struct Motions {
    pub solids: BTreeMap<usize, Trajectory>,
    /// By body.
    pub pins: BTreeMap<usize, Pins>,
}

impl Motions {
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty() && self.pins.is_empty()
    }

    /// Waypoints of what moves by itself.
    pub fn len(&self) -> usize {
        self.solids.len() + self.pins.len()
    }

    /// Whether a solid moves.
    pub fn moves(&self, solid: usize) -> bool {
        self.solids.contains_key(&solid)
    }
}

impl World {
    /// Moves a solid from now on (kinematically): nothing stops it, friction carries along what touches it, and contacts act by
    /// the relative velocity. It starts at the given position and keeps its velocities until it is moved again. Solids count from
    /// 0, the floor first if there is one. The rotation of a box is that of its axes, of a plane the one that takes +Y to its
    /// normal; a plane rotates about its position. If the position differs from the present one, the solid jumps, and bodies that
    /// are then inside it are moved out as slowly as from any solid. The motion is not saved; it survives a
    /// [change](Self::change) that does not alter the solid. Waits for the last submission.
    ///
    /// # Errors
    /// No such solid, or contact is off; numbers that are not finite, no rotation, speeds from [`SPEED_LIMIT`] on; a lost
    /// device.
    pub fn move_solid(&mut self, index: usize, motion: RigidMotion) -> Result<()> {
        self.wait_submission()?;
        self.check_solid(index)?;
        check("move_solid", &motion)?;
        let trajectory = Trajectory::new(self.time(), f64::INFINITY, &motion);
        if self.motions.solids.insert(index, trajectory).is_none() {
            self.bind_motions()?;
        }
        Ok(())
    }

    /// The present pose and velocities of a solid; the position of a plane is a point on its surface.
    ///
    /// # Errors
    /// No such solid.
    pub fn solid(&self, index: usize) -> Result<RigidMotion> {
        self.check_solid(index)?;
        if let Some(trajectory) = self.motions.solids.get(&index) {
            return Ok(trajectory.motion(self.time()));
        }
        Ok(at_rest(&self.obstacles.solids[index]))
    }

    /// All solids as kernels and pictures have them, at the present time, the floor first if there is one; none without contact.
    #[must_use]
    pub fn solids(&self) -> Vec<GpuSolid> {
        let count = self.common.solid_count as usize;
        let mut solids = self.obstacles.solids[..count].to_vec();
        for (index, trajectory) in &self.motions.solids {
            let solid = &mut solids[*index];
            let waypoint = trajectory.solid_waypoint(
                self.time(),
                self.choice.stepping.step,
                *index,
                solid.kind,
            );
            (solid.centre, solid.velocity, solid.spin) =
                (waypoint.centre, waypoint.velocity, waypoint.spin);
            match solid.kind {
                SOLID_PLANE => solid.extent = waypoint.rotation.truncate(),
                _ => solid.rotation = waypoint.rotation,
            }
        }
        solids
    }

    /// Puts moving solids of a picture where they are at the present time: a level floor as such, other floors as planes. Leaves
    /// the picture as it is if nothing moves.
    pub fn show_moved(&self, look: &mut Look) {
        if self.motions.solids.is_empty() {
            return;
        }
        let mut solids = self.solids();
        look.floor = None;
        if self.scene.world.floor.is_some() && solids[0].extent == Vec3::Y {
            look.floor = Some(solids.remove(0).centre.y);
        }
        look.solids = solids;
    }

    pub(super) fn present_waypoint_sim(&self) -> Sim {
        Sim { slot: 0, ..self.common }
    }

    /// Binds the passes for what moves now, and for what is tied to it.
    pub(super) fn bind_motions(&mut self) -> Result<()> {
        let waypoints = self.waypoints([self.progress.ticks, 0]);
        let mut pins = Vec::new();
        for (index, body) in self.motions.pins.values().enumerate() {
            let waypoint = (self.motions.solids.len() + index) as u32;
            pins.extend(body.places.iter().map(|place| Pin { waypoint, ..*place }));
        }
        let moved = Moved::new(&self.arrays(), &waypoints, &pins, MAX_BATCH)?;
        self.stepper.set_moved(Some(moved));
        self.common.waypoint_count = waypoints.len() as u32;
        self.bind_ties()
    }

    /// Waypoints in a step of so many ticks that begins at a tick: of solids at its start, of held points at its end, of solids that
    /// something is tied to where the integrator takes forces, at its start or, implicit ones, at its end, planes like all others.
    fn waypoints(&self, [tick, ticks]: [u64; 2]) -> Vec<Waypoint> {
        let solids = self.motions.solids.iter().map(|(index, trajectory)| {
            let kind = self.obstacles.solids[*index].kind;
            let step = ticks as f64 * self.clock.tick;
            trajectory.solid_waypoint(self.clock.time(tick), step, *index, kind)
        });
        let pins = self.motions.pins.values().map(|pins| {
            let step = ticks as f64 * self.clock.tick;
            pins.trajectory.pin_waypoint(self.clock.time(tick), step)
        });
        let ahead = self.scene.world.integrator.forces_after(ticks);
        let tied = self.tied_solids().map(|solid| {
            let trajectory = &self.motions.solids[&solid];
            trajectory.waypoint(self.clock.time(tick + ahead))
        });
        solids.chain(pins).chain(tied).collect()
    }

    /// Writes the waypoints of the steps of the submission to come: the tick that each begins at, and how many ticks it has.
    pub(super) fn write_waypoints(&self, steps: &[[u64; 2]]) {
        if let Some(moved) = self.stepper.moved() {
            let waypoints: Vec<_> = steps.iter().flat_map(|step| self.waypoints(*step)).collect();
            moved.write(&self.context, &waypoints);
        }
    }

    /// The motions that the scene says.
    fn motions_of_scene(&self) -> Motions {
        Motions::of_scene(&self.scene, &self.model, self.obstacles.solids.as_slice())
    }

    /// Motions of pins that the scene says, by body, and that the caller has ended.
    pub(super) fn ended_motions(&self) -> impl Iterator<Item = (usize, Trajectory)> {
        let all = self.motions_of_scene().pins.into_iter();
        let ended = all.filter(|(body, _)| {
            let present = self.motions.pins.get(body);
            present.is_none_or(|pins| !pins.trajectory.of_scene)
        });
        ended.map(|(body, pins)| (body, pins.trajectory))
    }

    /// Of each body whether the caller has ended the motion of its pins that the scene says.
    pub(crate) fn ended_pins(&self) -> Vec<bool> {
        let mut ended = vec![false; self.model.bodies.len()];
        for (body, _) in self.ended_motions() {
            ended[body] = true;
        }
        ended
    }

    /// Takes on the motions that the scene says, but for those of pins that have `ended`.
    fn begin_motions(&mut self, ended: impl Fn(usize, &Trajectory) -> bool) -> Result<()> {
        self.motions = self.motions_of_scene();
        let pins = &mut self.motions.pins;
        pins.retain(|body, pins| !ended(*body, &pins.trajectory));
        if self.motions.is_empty() {
            self.stepper.set_moved(None);
            self.common.waypoint_count = 0;
            return self.bind_ties();
        }
        self.bind_motions()
    }

    /// Takes on the motions and the attachments that the scene says, where the world begins.
    pub(super) fn begin(mut self, origin: Origin<'_>) -> Result<Self> {
        let ended = match origin {
            Origin::Other(other) => &other.moving.ended[..],
            Origin::Scene | Origin::Save(_) => &[],
        };
        self.begin_motions(|body, trajectory| ended.contains(&(body, trajectory.clone())))?;
        self.begin_attachments()?;
        if !self.motions.pins.is_empty() {
            self.place_pins();
        }
        Ok(self)
    }

    /// Nothing moves but what the scene says, without the pins of some bodies, and what else is held rests where it is.
    pub(super) fn drop_motions(&mut self, ended_pins: &[bool]) -> Result<()> {
        self.begin_motions(|body, _| ended_pins[body])?;
        let of_scene = |i: usize| {
            let moves = |body: &usize| self.model.bodies[*body].particles.contains(&i);
            self.motions.pins.keys().any(moves)
        };
        // What a free pose carries is held by nothing.
        let free = |i: usize| {
            let pose = self.model.carried.get(i).map(|place| place.w.to_bits() as usize);
            let pose = pose.and_then(|pose| self.model.poses.get(pose));
            pose.is_some_and(|pose| pose.inverse_mass > 0.0)
        };
        let obstacles = std::slice::from_ref(&self.obstacles);
        self.device.externals.write(&self.context, obstacles);
        let mut particles = self.device.state.present().read(&self.context)?;
        let mut halves = self.device.state.half_velocity.read(&self.context)?;
        let mut moves = false;
        for (i, (particle, half)) in particles.iter_mut().zip(&mut halves).enumerate() {
            let held = particle.inverse_mass <= 0.0 && !of_scene(i) && !free(i);
            if held && particle.velocity != Vec3::ZERO {
                moves = true;
                particle.velocity = Vec3::ZERO;
                *half = Vec3::ZERO.extend(half.w);
            }
        }
        if moves {
            self.device.state.present().write(&self.context, 0, &particles);
            self.device.state.half_velocity.write(&self.context, 0, &halves);
        }
        Ok(())
    }

    /// Refuses a number that is no body's, and a body that was removed.
    pub(crate) fn check_body(&self, body: usize) -> Result<()> {
        let count = self.model.bodies.len();
        match self.model.bodies.get(body) {
            Some(ranges) if ranges.absent => {
                let got = format!("{body}, which was removed");
                Err(Error::value("body", got, "one that is in the world"))
            }
            Some(_) => Ok(()),
            None => {
                let want = format!("one of {count} bodies, from 0 on");
                Err(Error::value("body", body, want))
            }
        }
    }

    fn check_solid(&self, index: usize) -> Result<()> {
        let count = self.common.solid_count as usize;
        if index < count {
            return Ok(());
        }
        let want = match self.scene.world.contact {
            true => format!("one of {count} solids, from 0 on, the floor first"),
            false => "a world with contact".into(),
        };
        Err(Error::value("solid", index, want))
    }
}
