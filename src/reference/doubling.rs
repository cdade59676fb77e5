//! Step doubling (Press et al. 2007, §17.2): the error of a step, and the length of the next.

use crate::extreme;
use glam::DVec3;

/// max |x_a − x_b| \[m\], x_a after one step of 2h, x_b after two of h.
pub fn step_error(doubled: &[DVec3], present: &[DVec3]) -> f64 {
    let ways = doubled.iter().zip(present).map(|(a, b)| a.distance(*b));
    ways.fold(0.0, extreme::greatest)
}

/// h (e0/e)^(1/(p + 1)) \[s\]: the step with the error e0, of a method of order p whose step `h` has the error `error`.
pub fn next_step(h: f64, error: f64, wanted: f64, order: u32) -> f64 {
    h * (wanted / error).powf(1.0 / f64::from(order + 1))
}
