//! Motions that nothing on their way changes: of solids, and of points that are held.

use glam::{DQuat, DVec3};

/// A motion at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waypoint {
    /// The point that it turns about \[m\].
    pub centre: DVec3,
    /// How far it has turned.
    pub rotation: DQuat,
    /// The velocity of its centre \[m/s\].
    pub velocity: DVec3,
    /// Its angular velocity \[rad/s\].
    pub spin: DVec3,
}

impl Waypoint {
    /// The waypoint after `time` \[s\] at constant velocities: c + V t, exp(ω t) R.
    pub fn after(&self, time: f64) -> Self {
        Self {
            centre: self.centre + time * self.velocity,
            rotation: (DQuat::from_scaled_axis(time * self.spin) * self.rotation).normalize(),
            ..*self
        }
    }

    /// Place \[m\] and velocity \[m/s\] of what was at `anchor` from the centre before it turned, and has gone its own way with
    /// `own` \[m/s\] for a time `elapsed` \[s\], and goes on where `going`.
    pub fn carried(&self, anchor: DVec3, own: DVec3, elapsed: f64, going: bool) -> (DVec3, DVec3) {
        let arm = self.rotation * anchor;
        let further = if going { own } else { DVec3::ZERO };
        let velocity = self.velocity + self.spin.cross(arm) + further;
        (self.centre + arm + elapsed * own, velocity)
    }
}
