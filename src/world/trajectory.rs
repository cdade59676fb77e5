//! Rigid motions of constant velocities, one after the other.

use glam::{DQuat, DVec3, Quat, Vec3};

use crate::gpu::types::{self, NONE, SOLID_PLANE, SPEED_LIMIT, Solid as GpuSolid, Waypoint};
use crate::{Error, Result};

/// Coordinates of what is moved are below this [m].
pub(super) const LARGEST: f32 = 1e9;

/// A rigid pose with velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// Its position, about which it rotates [m].
    pub position: Vec3,
    /// Its orientation, a unit quaternion.
    pub rotation: Quat,
    /// Velocity of its position [m/s].
    pub velocity: Vec3,
    /// Angular velocity in world axes [rad/s].
    pub angular_velocity: Vec3,
}

impl Default for RigidMotion {
    /// At rest at the origin, not rotated.
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
        }
    }
}

/// A motion of constant velocities for a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Leg {
    /// When it starts [s].
    pub from: f64,
    /// How long it lasts [s].
    pub lasts: f64,
    /// What it turns about, as it starts [m].
    pub pivot: DVec3,
    /// From there to the centre, as it starts [m].
    pub arm: DVec3,
    /// As it starts.
    pub rotation: DQuat,
    /// Of the pivot [m/s].
    pub velocity: DVec3,
    /// [rad/s]
    pub spin: DVec3,
}

impl Leg {
    /// For how long it has gone on at a time [s], and whether it does.
    pub fn gone(&self, time: f64) -> (f64, bool) {
        let gone = time - self.from;
        (gone.clamp(0.0, self.lasts), (0.0..self.lasts).contains(&gone))
    }

    fn turn(&self, time: f64) -> DQuat {
        DQuat::from_scaled_axis(self.gone(time).0 * self.spin)
    }

    /// p + V t + exp(ω t) a and exp(ω t) R.
    fn place(&self, time: f64) -> (DVec3, DQuat) {
        let (gone, turn) = (self.gone(time).0, self.turn(time));
        let centre = self.pivot + gone * self.velocity + turn * self.arm;
        (centre, (turn * self.rotation).normalize())
    }

    /// V + ω × exp(ω t) a and ω, whether it goes on or not.
    fn velocities(&self, time: f64) -> [DVec3; 2] {
        [self.velocity + self.spin.cross(self.turn(time) * self.arm), self.spin]
    }

    /// The part of a step that it goes on in.
    fn share(&self, time: f64, step: f64) -> f64 {
        (self.gone(time + step).0 - self.gone(time).0) / step
    }
}

/// Legs one after the other, in the order of their times; before, between and behind them all stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trajectory {
    /// Whether the scene says so.
    pub of_scene: bool,
    /// Where all starts.
    start: (DVec3, DQuat),
    legs: Vec<Leg>,
}

impl Trajectory {
    /// The caller's, from a time on, for a time.
    pub fn new(from: f64, lasts: f64, motion: &RigidMotion) -> Self {
        let [velocity, spin] = [motion.velocity, motion.angular_velocity].map(Vec3::as_dvec3);
        let start = (motion.position.as_dvec3(), motion.rotation.as_dquat().normalize());
        let mut trajectory = Self { of_scene: false, start, legs: Vec::new() };
        trajectory.then(None, Leg { from, lasts, velocity, spin, ..Leg::default() });
        trajectory
    }

    /// The scene's, which starts in a place.
    pub fn of_scene(centre: DVec3, rotation: DQuat) -> Self {
        Self { of_scene: true, start: (centre, rotation), legs: Vec::new() }
    }

    /// Goes on with a leg from where the last one ends, about a pivot or, without one, about the centre.
    pub fn then(&mut self, pivot: Option<DVec3>, leg: Leg) {
        let (centre, rotation) = self.place(leg.from);
        let pivot = pivot.unwrap_or(centre);
        self.legs.push(Leg { pivot, arm: centre - pivot, rotation, ..leg });
    }

    /// The leg that goes on at a time, or that was the last to.
    pub fn leg(&self, time: f64) -> Option<&Leg> {
        let begun = self.legs.partition_point(|leg| leg.from <= time);
        self.legs[..begun].last()
    }

    /// Where it is.
    pub fn place(&self, time: f64) -> (DVec3, DQuat) {
        self.leg(time).map_or(self.start, |leg| leg.place(time))
    }

    /// Velocity of the centre, and angular velocity.
    fn velocities(&self, time: f64) -> [DVec3; 2] {
        let going = self.leg(time).filter(|leg| leg.gone(time).1);
        going.map_or([DVec3::ZERO; 2], |leg| leg.velocities(time))
    }

    /// Their means over a step, the centre's as if its arm did not turn within it.
    fn mean_velocities(&self, time: f64, step: f64) -> [DVec3; 2] {
        if step <= 0.0 {
            return self.velocities(time);
        }
        let mut mean = [DVec3::ZERO; 2];
        for leg in &self.legs {
            let share = leg.share(time, step);
            if share > 0.0 {
                let [velocity, spin] = leg.velocities(time + step);
                mean[0] += share * velocity;
                mean[1] += share * spin;
            }
        }
        mean
    }

    pub fn motion(&self, time: f64) -> RigidMotion {
        let (centre, rotation) = self.place(time);
        let [velocity, spin] = self.velocities(time);
        RigidMotion {
            position: centre.as_vec3(),
            rotation: rotation.as_quat(),
            velocity: velocity.as_vec3(),
            angular_velocity: spin.as_vec3(),
        }
    }

    /// As the device has it, of a waypoint that is no solid's.
    pub fn waypoint(&self, time: f64) -> Waypoint {
        let motion = self.motion(time);
        Waypoint {
            centre: motion.position,
            solid: NONE,
            rotation: motion.rotation.into(),
            velocity: motion.velocity,
            spin: motion.angular_velocity,
            ..Waypoint::default()
        }
    }

    /// That of pins at the end of a step of `step` [s] that starts at a time.
    pub fn pin_waypoint(&self, time: f64, step: f64) -> Waypoint {
        let end = time + step;
        let (gone, goes) = self.leg(end).map_or((0.0, false), |leg| leg.gone(end));
        Waypoint {
            elapsed: gone as f32,
            going: f32::from(u8::from(goes)),
            turn: self.mean_velocities(time, step)[1].as_vec3(),
            ..self.waypoint(end)
        }
    }

    /// That of solid `index` at the start of a step of `step` [s], with its mean velocities over it. What moves a plane along
    /// itself leaves its point where it is: far away it would be rounded.
    pub fn solid_waypoint(&self, time: f64, step: f64, index: usize, kind: u32) -> Waypoint {
        let [velocity, spin] = self.mean_velocities(time, step);
        let waypoint = Waypoint {
            solid: index as u32,
            velocity: velocity.as_vec3(),
            spin: spin.as_vec3(),
            ..self.waypoint(time)
        };
        if kind != SOLID_PLANE {
            return waypoint;
        }
        let (centre, rotation) = self.place(time);
        let normal = rotation * DVec3::Y;
        let centre = match self.leg(time) {
            Some(leg) if leg.spin == DVec3::ZERO => {
                leg.pivot + (centre - leg.pivot).dot(normal) * normal
            }
            _ => centre,
        };
        Waypoint { centre: centre.as_vec3(), rotation: normal.as_vec3().extend(0.0), ..waypoint }
    }
}

/// A solid that does not move.
pub(super) fn at_rest(solid: &GpuSolid) -> RigidMotion {
    RigidMotion {
        position: solid.centre,
        rotation: match solid.kind {
            SOLID_PLANE => Quat::from_rotation_arc(Vec3::Y, solid.extent),
            types::SOLID_BOX => Quat::from_vec4(solid.rotation),
            _ => Quat::IDENTITY,
        },
        ..RigidMotion::default()
    }
}

/// Refuses a motion that is none.
pub(super) fn check(at: &str, motion: &RigidMotion) -> Result<()> {
    vector(&format!("{at}: position"), motion.position, LARGEST)?;
    vector(&format!("{at}: velocity"), motion.velocity, SPEED_LIMIT)?;
    let spin = motion.angular_velocity;
    vector(&format!("{at}: angular_velocity"), spin, SPEED_LIMIT)?;
    let length = motion.rotation.length();
    if (length - 1.0).abs() > 1e-3 || !length.is_finite() {
        let want = "a unit quaternion";
        return Err(Error::value(format!("{at}: rotation"), motion.rotation, want));
    }
    Ok(())
}

/// Refuses a vector that is not finite or not shorter than `limit`.
pub(super) fn vector(at: &str, v: Vec3, limit: f32) -> Result<()> {
    if v.is_finite() && v.length() < limit {
        return Ok(());
    }
    Err(Error::value(at, v, format!("finite numbers, less than {limit:e} in magnitude")))
}
