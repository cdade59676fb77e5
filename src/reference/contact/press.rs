//! Contacts within implicit steps: the augmented Lagrangian of a relative velocity (Simo & Laursen 1992).

use glam::DVec3;

/// What a contact asks of a relative velocity.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The contact's direction.
    pub normal: DVec3,
    /// v \[m/s\]
    pub velocity: DVec3,
    /// The least v·r \[m/s\].
    pub speed: f64,
    /// h² k \[kg\]: how the impulse follows the velocity.
    pub gain: f64,
    /// The same of the tangential part \[kg\].
    pub slide_gain: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
}

/// J' \[kg m/s\] from the multiplier `last`: J_n' = max(0, J_n + g (v* − v·r)), J_t' = J_t − g_t v_t within Coulomb's cone; and
/// the part of that which the cone leaves.
pub fn next(last: DVec3, target: &Target) -> (DVec3, f64) {
    within(last, target, f64::INFINITY)
}

/// The same with no more friction than the multiplier bears: what an iteration feels.
pub fn felt(last: DVec3, target: &Target) -> (DVec3, f64) {
    within(last, target, last.dot(target.normal).max(0.0))
}

fn within(last: DVec3, target: &Target, load: f64) -> (DVec3, f64) {
    let (n, v) = (target.normal, target.velocity);
    let normal = (last.dot(n) + target.gain * (target.speed - v.dot(n))).max(0.0);
    let wanted = last - last.dot(n) * n - target.slide_gain * (v - v.dot(n) * n);
    let share = match wanted.length() > 0.0 {
        true => (target.friction * load.min(normal) / wanted.length()).min(1.0),
        false => 1.0,
    };
    (normal * n + share * wanted, share)
}
