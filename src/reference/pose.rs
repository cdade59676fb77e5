//! Rigid degrees of freedom: how they follow impulses, and how they turn.

use glam::{DQuat, DVec3};

/// A pose as the equations have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The centre of mass \[m\].
    pub position: DVec3,
    /// Its velocity \[m/s\].
    pub velocity: DVec3,
    /// Turns its own axes into the world's.
    pub rotation: DQuat,
    /// L \[kg m²/s\]
    pub momentum: DVec3,
    /// 1/m \[1/kg\]
    pub inverse_mass: f64,
    /// 1 over the principal moments of inertia \[1/(kg m²)\].
    pub inverse_inertia: DVec3,
}

/// Parts of a step that the turn is followed in.
const PARTS: usize = 64;

impl Pose {
    /// I⁻¹ a, in the world's axes.
    pub fn inverse_inertia_times(&self, a: DVec3) -> DVec3 {
        self.rotation * (self.inverse_inertia * (self.rotation.inverse() * a))
    }

    /// I a, in the world's axes; along axes that nothing turns it about 0.
    pub fn inertia_times(&self, a: DVec3) -> DVec3 {
        let moment = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        let own = self.rotation.inverse() * a;
        self.rotation * (DVec3::from(self.inverse_inertia.to_array().map(moment)) * own)
    }

    /// ½ (m v² + ω·Iω) \[J\] with a spin ω \[rad/s\]; 0 where nothing moves it.
    pub fn kinetic(&self, spin: DVec3) -> f64 {
        if self.inverse_mass == 0.0 {
            return 0.0;
        }
        let moving = self.velocity.length_squared() / self.inverse_mass;
        0.5 * (moving + spin.dot(self.inertia_times(spin)))
    }

    /// The change of velocity along `d` at `point`, of an impulse of 1 along it there \[1/kg\].
    pub fn mobility(&self, point: DVec3, d: DVec3) -> f64 {
        let arm = point - self.position;
        let turn = self.inverse_inertia_times(arm.cross(d)).cross(arm);
        self.inverse_mass + turn.dot(d)
    }

    /// How its velocity and its spin change by an impulse at an arm from its centre: J/m, I⁻¹ r × J.
    pub fn pushed(&self, arm: DVec3, impulse: DVec3) -> [DVec3; 2] {
        [self.inverse_mass * impulse, self.inverse_inertia_times(arm.cross(impulse))]
    }

    /// x and q after `h` \[s\] without torque: x' = v, q' = ω q/2, ω = I⁻¹ L. By turns about the axis that ω has in the middle of
    /// each of many parts, which converge with the square of their length.
    pub fn moved(&self, h: f64) -> Self {
        let mut pose = *self;
        let part = h / PARTS as f64;
        let turn = |pose: &Self, time: f64| {
            let spin = pose.inverse_inertia_times(pose.momentum);
            DQuat::from_scaled_axis(time * spin)
        };
        for _ in 0..PARTS {
            let middle = Self { rotation: turn(&pose, 0.5 * part) * pose.rotation, ..pose };
            pose.rotation = (turn(&middle, part) * pose.rotation).normalize();
        }
        Self { position: self.position + h * self.velocity, ..pose }
    }

    /// The same by one step of Kutta's method of order 4, q of unit length again.
    pub fn moved_by_kutta(&self, h: f64) -> Self {
        let rate = |q: DQuat| {
            let spin =
                Self { rotation: q.normalize(), ..*self }.inverse_inertia_times(self.momentum);
            DQuat::from_xyzw(spin.x, spin.y, spin.z, 0.0) * q * 0.5
        };
        let q = self.rotation;
        let k1 = rate(q);
        let k2 = rate(q + k1 * (0.5 * h));
        let k3 = rate(q + k2 * (0.5 * h));
        let k4 = rate(q + k3 * h);
        Self {
            position: self.position + h * self.velocity,
            rotation: (q + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)).normalize(),
            ..*self
        }
    }

    /// The same by one step of Euler's: x + h v, q + h ω q/2, ω = I⁻¹ L at its start.
    pub fn moved_by_euler(&self, h: f64) -> Self {
        let spin = self.inverse_inertia_times(self.momentum);
        Self {
            position: self.position + h * self.velocity,
            rotation: turned_by_euler(self.rotation, h * spin),
            ..*self
        }
    }
}

/// q + h ω q/2, of unit length; `turn`: h ω.
pub fn turned_by_euler(q: DQuat, turn: DVec3) -> DQuat {
    (q + DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.0) * q * 0.5).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half the step, a thirty-second of the error: a method of order 4.
    #[test]
    fn kuttas_method_goes_to_the_turn_with_the_fifth_power_of_the_step() {
        let pose = Pose {
            position: DVec3::ZERO,
            velocity: DVec3::X,
            rotation: DQuat::from_rotation_z(0.3),
            momentum: DVec3::new(0.4, -1.0, 0.7),
            inverse_mass: 1.0,
            inverse_inertia: DVec3::new(5.0, 2.0, 1.0),
        };
        let off = |h: f64| {
            // The reference's own parts are short enough at last.
            let mut exact = pose;
            (0..64).for_each(|_| exact = exact.moved(h / 64.0));
            pose.moved_by_kutta(h).rotation.angle_between(exact.rotation)
        };
        let ratio = off(0.2) / off(0.1);
        assert!((26.0..38.0).contains(&ratio), "{ratio}");
    }
}
