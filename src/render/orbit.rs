//! A camera that is moved by hand, around what it looks at.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

use super::Camera;
use super::camera::{FARTHEST, FOV_Y};

/// A camera that turns around its target, as a pointer and a wheel move it.
///
/// It starts from a camera, its home. However it is moved, it stays finite and right way up, and zooming out all the
/// way brings the home's target back into any picture that is no higher than wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    target: Vec3,
    distance: f32,
    yaw: f32,
    pitch: f32,
    fov_y: f32,
    home: Vec3,
    home_distance: f32,
}

/// How far it turns while the pointer crosses the picture from bottom to top [rad].
const TURN: f32 = PI;
/// Largest angle above or below the horizon [rad]: where a camera's horizon still is level.
const STEEPEST: f32 = 1.5;
/// One step of zooming changes the distance by this factor.
const STEP: f32 = 1.1;
/// The distance stays between these [distances of the home].
const NEAREST: f32 = 1.0 / 300.0;
const WIDEST: f32 = 40.0;

impl From<Camera> for Orbit {
    /// Cameras that look nowhere look at the origin from 1 m; those that look straight down or up are tilted a little.
    fn from(camera: Camera) -> Self {
        let back = camera.eye - camera.target;
        let fit = |point: Vec3| point.is_finite() && point.abs().max_element() <= FARTHEST;
        let usable = fit(camera.eye) && fit(camera.target) && back.length() >= 1e-6;
        let (target, back) = if usable { (camera.target, back) } else { (Vec3::ZERO, Vec3::Z) };
        let sensible = camera.fov_y > 1e-3 && camera.fov_y < 3.1;
        let distance = back.length();
        Self {
            target,
            distance,
            yaw: back.x.atan2(back.z),
            pitch: (back.y / distance).asin().clamp(-STEEPEST, STEEPEST),
            fov_y: if sensible { camera.fov_y } else { FOV_Y },
            home: target,
            home_distance: distance,
        }
    }
}

impl Orbit {
    /// Turns by a movement of the pointer of `dx` to the right and `dy` down [pixels] in a picture of this height
    /// [pixels]: what is in front of the target follows the pointer. Half a turn for the picture's height.
    pub fn orbit(&mut self, dx: f32, dy: f32, height: f32) {
        let mut turned = *self;
        turned.yaw = (self.yaw - TURN * dx / height).rem_euclid(TAU);
        turned.pitch = (self.pitch + TURN * dy / height).clamp(-STEEPEST, STEEPEST);
        self.take(turned);
    }

    /// Moves by a movement of the pointer of `dx` to the right and `dy` down [pixels] in a picture of this height
    /// [pixels]: what lies in the plane through the target that faces the viewer stays under the pointer.
    pub fn pan(&mut self, dx: f32, dy: f32, height: f32) {
        let metres = 2.0 * self.distance * (0.5 * self.fov_y).tan() / height;
        let [right, up, _] = self.camera().axes();
        let mut moved = *self;
        moved.target += metres * (dy * up - dx * right);
        self.take(moved);
    }

    /// Moves along by `way` [m], the home with it.
    pub fn shift(&mut self, way: Vec3) {
        let fits = |point: Vec3| point.is_finite() && point.abs().max_element() <= FARTHEST;
        if fits(self.target + way) && fits(self.home + way) {
            self.target += way;
            self.home += way;
        }
    }

    /// Comes nearer, by a tenth of the distance for each step; farther for steps below 0.
    pub fn zoom(&mut self, steps: f32) {
        let mut moved = *self;
        // Beyond this all are at an end of the range.
        moved.distance *= STEP.powf(-steps.clamp(-1e3, 1e3));
        self.take(moved);
    }

    /// The camera as it stands now.
    #[must_use]
    pub fn camera(&self) -> Camera {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let back = Vec3::new(cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw);
        Camera { eye: self.target + self.distance * back, target: self.target, fov_y: self.fov_y }
    }

    /// What it looks at [m].
    #[must_use]
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// From the eye to the target [m].
    #[must_use]
    pub fn distance(&self) -> f32 {
        self.distance
    }

    /// The angle about the vertical [rad]: 0 where it looks along -z, and growing as the eye goes from +z to +x.
    #[must_use]
    pub fn yaw(&self) -> f32 {
        self.yaw
    }

    /// The eye's angle above the target's horizon [rad], at most 1.5 either way.
    #[must_use]
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    /// Keeps a movement, within the limits; one that is not finite is none.
    fn take(&mut self, mut moved: Self) {
        let finite =
            moved.target.length_squared().is_finite() && (moved.yaw + moved.pitch).is_finite();
        if !finite || moved.distance.is_nan() {
            return;
        }
        // Single precision has to tell the eye from the target.
        let least = 1e-5 * self.home.abs().max_element();
        let least = (NEAREST * self.home_distance).max(least).max(1e-6);
        let most = (WIDEST * self.home_distance).max(least);
        moved.distance = moved.distance.clamp(least, most);
        // From `most` away a cone of half the field of view still has what is so far aside.
        let aside = 0.8 * most * (0.5 * self.fov_y).sin();
        moved.target = self.home + (moved.target - self.home).clamp_length_max(aside);
        *self = moved;
    }
}
