//! A pull on a point towards a goal.

use glam::DVec3;

/// The force \[N\] of a spring of no rest length between a point and its goal \[m\], of so much stiffness \[N/m\].
pub fn force(rate: f64, point: DVec3, goal: DVec3) -> DVec3 {
    rate * (goal - point)
}
