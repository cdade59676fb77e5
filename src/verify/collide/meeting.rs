//! What a sphere and what it may touch are apart by, and what kernels may be off by.

use glam::DVec3;

use super::search::Search;
use crate::extreme;
use crate::reference::contact::geometry::longest_edge;
use crate::reference::contact::spheres::{Meeting, Nearest, nearest, with_triangle};

/// What kernels may be off by, in the terms that a distance is added up from.
pub const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;

/// A sphere and a triangle of the kernels' list.
pub fn meet(search: &Search<'_>, i: usize, triangle: usize) -> Option<(Meeting, Nearest)> {
    let surface = search.found.surface_of[triangle];
    let corners = search.scene.surface[surface].map(|k| search.scene.position[k]);
    let near = nearest(search.scene.position[i], corners)?;
    Some((with_triangle(&search.scene, i, surface)?, near))
}

/// What a meeting's distance is added up from: the radii, the way ahead, and the ways to the other's particles, of which a
/// narrow triangle's weights are as uncertain as its shape.
pub fn terms(search: &Search<'_>, meeting: &Meeting) -> f64 {
    let scene = &search.scene;
    let speed = |k: usize| scene.step * scene.velocity[k].length();
    let ways: f64 = meeting.others.iter().map(|(k, _)| speed(*k)).sum();
    meeting.reach + speed(meeting.sphere) + ways + far(search, meeting)
}

/// What the way from the nearest point is added up from.
pub fn far(search: &Search<'_>, meeting: &Meeting) -> f64 {
    let (x, corners) = (search.scene.position[meeting.sphere], corners(search, meeting));
    let away = corners.iter().map(|y| x.distance(*y)).fold(0.0, extreme::greatest);
    match corners[..] {
        [a, b, c] => away + longest_edge(&[a, b, c]) * weight_terms(x, [a, b, c]),
        _ => away,
    }
}

/// Where the other's particles are.
pub fn corners(search: &Search<'_>, meeting: &Meeting) -> Vec<DVec3> {
    let others = meeting.others.iter();
    others.map(|(k, _)| search.scene.position[*k]).collect()
}

/// What barycentric weights are added up from: products of sides and ways to the corners, over the square of the area.
pub fn weight_terms(x: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let side = longest_edge(&corners);
    let away = corners.iter().map(|y| x.distance(*y)).fold(side, extreme::greatest);
    let area = (b - a).cross(c - a).length();
    (side * away / area).powi(2)
}
