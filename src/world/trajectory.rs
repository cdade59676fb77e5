//! Rigid motions of constant velocities.

use glam::{DQuat, DVec3, Quat, Vec3};

use crate::gpu::types::{self, NONE, SOLID_PLANE, SPEED_LIMIT, Solid as GpuSolid, Waypoint};
use crate::{Error, Result};

/// Coordinates of what is moved are below this [m].
pub(super) const LARGEST: f32 = 1e9;

/// Where something rigid is, and how it goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// The point that it turns about [m].
    pub position: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Velocity of that point [m/s].
    pub velocity: Vec3,
    /// About the world's axes [rad/s].
    pub angular_velocity: Vec3,
}

impl Default for RigidMotion {
    /// At rest at the origin, not turned.
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trajectory {
    /// When it starts [s].
    pub from: f64,
    /// How long it lasts [s].
    pub lasts: f64,
    /// Whether the scene says so.
    pub of_scene: bool,
    pub centre: DVec3,
    pub rotation: DQuat,
    pub velocity: DVec3,
    pub spin: DVec3,
}

impl Trajectory {
    /// The caller's, from a time on.
    pub fn new(from: f64, motion: &RigidMotion) -> Self {
        Self {
            from,
            lasts: f64::INFINITY,
            of_scene: false,
            centre: motion.position.as_dvec3(),
            rotation: motion.rotation.as_dquat().normalize(),
            velocity: motion.velocity.as_dvec3(),
            spin: motion.angular_velocity.as_dvec3(),
        }
    }

    /// For how long it has gone on at a time [s], and whether it does.
    pub fn gone(&self, time: f64) -> (f64, bool) {
        let gone = time - self.from;
        (gone.clamp(0.0, self.lasts), (0.0..self.lasts).contains(&gone))
    }

    /// c + V t and exp(ω t) R.
    pub fn place(&self, time: f64) -> (DVec3, DQuat) {
        let (gone, _) = self.gone(time);
        let turn = DQuat::from_scaled_axis(gone * self.spin);
        (self.centre + gone * self.velocity, (turn * self.rotation).normalize())
    }

    /// V and ω.
    pub fn velocities(&self, time: f64) -> [DVec3; 2] {
        match self.gone(time) {
            (_, true) => [self.velocity, self.spin],
            _ => [DVec3::ZERO; 2],
        }
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

    /// That of solid `index` at the start of a step of `step` [s], with its mean velocities over it. What moves a plane along
    /// itself leaves its point where it is: far away it would be rounded.
    pub fn solid_waypoint(&self, time: f64, step: f64, index: usize, kind: u32) -> Waypoint {
        let [now, then] = [time, time + step].map(|time| self.gone(time).0);
        let share = if step > 0.0 { (then - now) / step } else { 0.0 };
        let waypoint = Waypoint {
            solid: index as u32,
            velocity: (share * self.velocity).as_vec3(),
            spin: (share * self.spin).as_vec3(),
            ..self.waypoint(time)
        };
        if kind != SOLID_PLANE {
            return waypoint;
        }
        let (centre, rotation) = self.place(time);
        let normal = rotation * DVec3::Y;
        let centre = match self.spin == DVec3::ZERO {
            true => self.centre + (centre - self.centre).dot(normal) * normal,
            false => centre,
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
    Err(Error::value(at, v, format!("finite numbers, in all below {limit:e}")))
}
