//! Bodies, or the parts of them that contacts split off, and what impulses do to them.

use glam::{DMat3, DVec3};

use crate::reference::pose::Pose;

/// A rigid thing as an impulse meets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The centre of mass \[m\].
    pub position: DVec3,
    /// Its velocity \[m/s\].
    pub velocity: DVec3,
    /// ω \[rad/s\]
    pub spin: DVec3,
    /// 1/m \[1/kg\]
    pub inverse_mass: f64,
    /// I⁻¹ in the world's axes \[1/(kg m²)\].
    pub inverse_inertia: DMat3,
}

impl Part {
    /// All of a pose that spins so.
    pub fn whole(pose: &Pose, spin: DVec3) -> Self {
        let turn = DMat3::from_quat(pose.rotation);
        let inverse_inertia = turn * DMat3::from_diagonal(pose.inverse_inertia) * turn.transpose();
        let Pose { position, velocity, inverse_mass, .. } = *pose;
        Self { position, velocity, spin, inverse_mass, inverse_inertia }
    }

    /// A part of it with this share of all its contacts' shares `of`: as much less of its mass and inertia.
    #[must_use]
    pub fn split(self, share: f64, of: f64) -> Self {
        let times = of / share;
        Self {
            inverse_mass: times * self.inverse_mass,
            inverse_inertia: times * self.inverse_inertia,
            ..self
        }
    }

    /// Velocity of its point at x \[m/s\].
    pub fn velocity_at(&self, x: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(x - self.position)
    }

    /// K: an impulse J at x changes the velocity there by K J \[1/kg\].
    pub fn mobility(&self, x: DVec3) -> DMat3 {
        let arm = x - self.position;
        let cross = DMat3::from_cols(
            DVec3::new(0.0, arm.z, -arm.y),
            DVec3::new(-arm.z, 0.0, arm.x),
            DVec3::new(arm.y, -arm.x, 0.0),
        );
        DMat3::from_diagonal(DVec3::splat(self.inverse_mass))
            + cross.transpose() * self.inverse_inertia * cross
    }

    /// After an impulse at x \[kg m/s\].
    #[must_use]
    pub fn pushed(self, x: DVec3, impulse: DVec3) -> Self {
        let turned = self.turned((x - self.position).cross(impulse));
        Self { velocity: self.velocity + self.inverse_mass * impulse, ..turned }
    }

    /// After a moment over time \[kg m²/s\].
    #[must_use]
    pub fn turned(self, moment: DVec3) -> Self {
        Self { spin: self.spin + self.inverse_inertia * moment, ..self }
    }
}

/// Unit vectors t and u across n, in which tables of K stand: t is across the axis along which n is least, of equal ones the
/// last, and u = n × t.
pub fn across(n: DVec3) -> [DVec3; 2] {
    let axis = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().rev();
    let axis = axis.min_by(|a, b| n.dot(*a).abs().total_cmp(&n.dot(*b).abs()));
    let t = n.cross(axis.unwrap_or(DVec3::Z)).normalize();
    [t, n.cross(t)]
}

/// What Coulomb friction makes of a tangent impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rub {
    /// λ_t − K_t⁻¹ v_t, which stops the contact \[kg m/s\].
    pub stopped: DVec3,
    /// λ_t − v_t/k, k the larger eigenvalue of K_t, no longer than μ λ_n \[kg m/s\].
    pub slid: DVec3,
    /// μ λ_n \[kg m/s\]
    pub most: f64,
    /// The eigenvalues of K_t, the smaller one first \[1/kg\].
    pub mobilities: [f64; 2],
}

impl Rub {
    /// Of a contact with normal n, where an impulse J changes the velocity v by K J; K_t and v_t are across n.
    pub fn new(n: DVec3, k: DMat3, v: DVec3, before: DVec3, most: f64) -> Self {
        let (t, u) = n.any_orthonormal_pair();
        let [a, b, c] = [t.dot(k * t), t.dot(k * u), u.dot(k * u)];
        let along = [v.dot(t), v.dot(u)];
        let determinant = a * c - b * b;
        let start = before - before.dot(n) * n;
        let stopped = start
            - (c * along[0] - b * along[1]) / determinant * t
            - (a * along[1] - b * along[0]) / determinant * u;
        let middle = 0.5 * (a + c);
        let apart = (middle * middle - determinant).max(0.0).sqrt();
        let mobilities = [middle - apart, middle + apart];
        let slid = start - (along[0] * t + along[1] * u) / mobilities[1];
        Self { stopped, slid: slid.clamp_length_max(most), most, mobilities }
    }

    /// The next tangent impulse: what stops the contact where that is in the cone \[kg m/s\].
    pub fn next(&self) -> DVec3 {
        if self.stopped.length() <= self.most { self.stopped } else { self.slid }
    }

    /// How far it is from the cone's border, over the longest of both.
    pub fn margin(&self) -> f64 {
        let length = self.stopped.length();
        (length - self.most).abs() / length.max(self.most).max(f64::MIN_POSITIVE)
    }
}
