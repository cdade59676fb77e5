//! A pull on a point towards a goal.

use glam::DVec3;

/// The force \[N\] of a spring of no rest length, of so much stiffness \[N/m\], from a point to its goal, \[m\], beside a
/// damper of the point's velocity \[m/s\], \[N s/m\]; no longer than `most` \[N\].
pub fn force(rate: f64, way: [DVec3; 2], damping: f64, velocity: DVec3, most: f64) -> DVec3 {
    let [point, goal] = way;
    (rate * (goal - point) - damping * velocity).clamp_length_max(most)
}
