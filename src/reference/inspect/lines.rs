//! Lines of forces and of penetration vectors.

use crate::extreme;
use glam::DVec3;

/// What touches, in a record of contact: points with weights that sum to 1, and its penetration vector \[m\].
#[derive(Debug, Clone, PartialEq)]
pub struct Touching {
    /// Points and their weights.
    pub points: Vec<(usize, f64)>,
    /// The penetration vector.
    pub way: DVec3,
}

/// From the place x of what touches to x + scale · way; `x`: positions of all points \[m\].
pub fn penetration_vector(touching: &Touching, scale: f64, x: &[DVec3]) -> [DVec3; 2] {
    let place: DVec3 = touching.points.iter().map(|(i, w)| *w * x[*i]).sum();
    [place, place + scale * touching.way]
}

/// The deepest of the penetration vectors of what a point belongs to \[m\].
pub fn depth(point: usize, all: &[Touching]) -> f64 {
    let of_point = |touching: &&Touching| touching.points.iter().any(|(i, _)| *i == point);
    let own = all.iter().filter(of_point);
    own.map(|touching| touching.way.length()).fold(0.0, extreme::greatest)
}
