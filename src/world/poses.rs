//! Rigid bodies of a running world: their poses, and how a program moves them.

use glam::{DVec3, Quat, Vec3, Vec4};

use super::parts::Why;
use super::trajectory::{RigidMotion, vector};
use super::{PoseState, World};
use crate::gpu::types::{Particle, Pose, SPEED_LIMIT};
use crate::model::RigidBody;
use crate::{Error, Result};

impl World {
    /// The pose and velocities of a rigid body. Waits for the last submission.
    ///
    /// # Errors
    /// No such body, or a deformable one; a lost device.
    pub fn pose(&mut self, body: usize) -> Result<PoseState> {
        let rigid = self.rigid("pose", body)?;
        self.wait()?;
        Ok(PoseState::new(&self.present_poses()?[rigid.pose], &rigid))
    }

    /// Sets the velocity of the centre of mass [m/s] and the angular velocity [rad/s] of a rigid body. Waits for the last
    /// submission.
    ///
    /// # Errors
    /// No such body, a deformable or a held one; numbers that are not finite, speeds of 10 km/s or more; a fault, a lost device.
    pub fn set_velocity(&mut self, body: usize, velocity: Vec3, angular: Vec3) -> Result<()> {
        let rigid = self.free("set_velocity", body)?;
        vector("set_velocity: velocity", velocity, SPEED_LIMIT)?;
        vector("set_velocity: angular velocity", angular, SPEED_LIMIT)?;
        self.wait()?;
        let now = self.present_poses()?[rigid.pose];
        let pose = self.awake_pose(&rigid)?;
        // What pulls at it stays as far ahead.
        let velocity = velocity + (pose.velocity - now.velocity);
        let spin = angular + (pose.spin - now.spin);
        self.write_pose(&rigid, Pose { velocity, spin, ..pose });
        self.search_again();
        Ok(())
    }

    /// Applies an impulse [N s] to a rigid body at a point in world coordinates [m]. Waits for the last submission.
    ///
    /// # Errors
    /// As [`Self::set_velocity`].
    pub fn push_at(&mut self, body: usize, impulse: Vec3, point: Vec3) -> Result<()> {
        let rigid = self.free("push_at", body)?;
        vector("push_at: impulse", impulse, f32::INFINITY)?;
        vector("push_at: point", point, f32::INFINITY)?;
        self.wait()?;
        let pose = self.read_pose(rigid.pose)?;
        let turn = (point - pose.position).cross(impulse);
        let own = Quat::from_vec4(pose.rotation);
        let velocity = pose.velocity + pose.inverse_mass * impulse;
        let spin = pose.spin + own * (pose.inverse_inertia * (own.inverse() * turn));
        vector("push_at: the velocity after it", velocity, SPEED_LIMIT)?;
        vector("push_at: the angular velocity after it", spin, SPEED_LIMIT)?;
        let pose = self.awake_pose(&rigid)?;
        self.write_pose(&rigid, Pose { velocity, spin, ..pose });
        self.search_again();
        Ok(())
    }

    /// Moves a held rigid body from now on (kinematically). It does not jump: from its present pose it rotates about the motion's
    /// position and moves with the motion's velocities until it is moved again; otherwise as [`Self::move_pins`].
    ///
    /// # Errors
    /// As [`Self::move_pins`]; a deformable body.
    pub fn move_body(&mut self, body: usize, motion: RigidMotion) -> Result<()> {
        self.rigid("move_body", body)?;
        self.move_pins(body, motion)
    }

    /// Puts the centre of mass of a rigid body at the motion's position, turned by its rotation from how it is.
    pub(super) fn teleport_pose(&mut self, body: usize, motion: &RigidMotion) -> Result<()> {
        let rigid = self.rigid("teleport", body)?;
        let pose = self.read_pose(rigid.pose)?;
        let own = Quat::from_vec4(pose.rotation).as_dquat();
        let turned = (motion.rotation.as_dquat().normalize() * own).normalize();
        let free = if pose.inverse_mass > 0.0 { 1.0 } else { 0.0 };
        let pose = Pose {
            position: motion.position,
            rotation: Vec4::from(turned.as_quat()),
            velocity: free * motion.velocity,
            spin: free * motion.angular_velocity,
            ..pose
        };
        self.write_pose(&rigid, pose);
        self.carry_particles(body, &pose);
        self.forget(&[body], Why::Moved { far: true })
    }

    /// What a body is as a rigid one; an error of `at` where it deforms.
    fn rigid(&self, at: &str, body: usize) -> Result<RigidBody> {
        self.check_body(body)?;
        let ranges = &self.model.bodies[body];
        ranges.rigid.ok_or_else(|| {
            let got = format!("body \"{}\", which is deformable", ranges.name);
            Error::value(at, got, "a rigid body")
        })
    }

    /// The same of one that is not held.
    fn free(&self, at: &str, body: usize) -> Result<RigidBody> {
        let rigid = self.rigid(at, body)?;
        match self.model.poses[rigid.pose].inverse_mass > 0.0 {
            true => Ok(rigid),
            false => {
                let got = format!("body \"{}\", which is held", self.model.bodies[body].name);
                Err(Error::value(at, got, "a rigid body that is not held"))
            }
        }
    }

    /// Refuses what moves the particles of a rigid body one by one.
    pub(super) fn refuse_rigid(&self, at: &str, body: usize) -> Result<()> {
        let ranges = &self.model.bodies[body];
        match ranges.rigid {
            None => Ok(()),
            Some(_) => {
                let got = format!("body \"{}\", which is rigid", ranges.name);
                let want =
                    "a deformable body; use teleport, set_velocity and push_at for rigid ones";
                Err(Error::value(at, got, want))
            }
        }
    }

    pub(super) fn read_pose(&self, pose: usize) -> Result<Pose> {
        Ok(self.device.state.poses.read_part(&self.context, pose..pose + 1)?[0])
    }

    /// Writes a pose whose velocities count: its angular momentum follows from them.
    pub(super) fn write_pose(&self, rigid: &RigidBody, pose: Pose) {
        let own = Quat::from_vec4(pose.rotation).as_dquat();
        let spin = own.inverse() * pose.spin.as_dvec3();
        let momentum = (own * (rigid.moments * spin)).as_vec3();
        let pose = Pose { momentum, ..pose };
        self.device.state.poses.write(&self.context, rigid.pose, &[pose]);
    }

    /// The particles of a rigid body are where its pose has them.
    pub(super) fn carry_particles(&self, body: usize, pose: &Pose) {
        let range = self.model.bodies[body].particles.clone();
        let turn = Quat::from_vec4(pose.rotation).as_dquat();
        let arm = |i: usize| turn * self.model.carried[i].truncate().as_dvec3();
        let particles: Vec<_> = range.clone().map(|i| carried(pose, arm(i))).collect();
        self.device.state.begin_at(&self.context, range.start, &particles);
    }

    /// Rigid ones among these bodies stop where they are held.
    pub(super) fn stop_poses(&self, bodies: &[usize]) -> Result<()> {
        for body in bodies {
            let Some(rigid) = self.model.bodies[*body].rigid else {
                continue;
            };
            let pose = self.read_pose(rigid.pose)?;
            if pose.inverse_mass == 0.0 {
                let still = Pose { velocity: Vec3::ZERO, spin: Vec3::ZERO, ..pose };
                self.write_pose(&rigid, still);
            }
        }
        Ok(())
    }
}

/// A particle at this arm from the centre of a pose [m].
fn carried(pose: &Pose, arm: DVec3) -> Particle {
    let velocity = pose.velocity.as_dvec3() + pose.spin.as_dvec3().cross(arm);
    Particle {
        position: (pose.position.as_dvec3() + arm).as_vec3(),
        velocity: velocity.as_vec3(),
        ..Particle::default()
    }
}
