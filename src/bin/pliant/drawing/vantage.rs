//! The side from which bodies are seen best.

use glam::{Quat, Vec3};
use pliant::internals::gpu::types::{SOLID_BOX, SOLID_SPHERE, Solid};
use pliant::render::Camera;

use super::framing::{Aabb, centre};

/// Where the eye is from the target, best first: three-quarter from slightly above, on all four sides; then lower; then from far
/// above.
const SIDES: [Vec3; 9] = [
    Vec3::new(0.55, 0.42, 1.0),
    Vec3::new(-0.55, 0.42, 1.0),
    Vec3::new(0.55, 0.42, -1.0),
    Vec3::new(-0.55, 0.42, -1.0),
    Vec3::new(0.55, 0.1, 1.0),
    Vec3::new(-0.55, 0.1, 1.0),
    Vec3::new(0.55, 0.1, -1.0),
    Vec3::new(-0.55, 0.1, -1.0),
    Vec3::new(0.55, 2.0, 1.0),
];

/// A side is worse than the best by less than this share of the bodies hidden: then the earlier one is taken.
const ALIKE: f32 = 0.1;
/// Boxes that are looked at; of more of them some.
const MOST: usize = 4000;

/// A camera that has all that is `shown` in view, from the first side on which hardly more of the bodies' `boxes` are hidden behind
/// the solids of their frame than on the best one. `aspect` is width / height.
pub fn vantage(shown: &[Aabb], aspect: f32, boxes: &[(Aabb, &[Solid])]) -> Camera {
    let cameras = SIDES.map(|side| Camera::around_from(shown, side, aspect));
    let stride = boxes.len().div_ceil(MOST).max(1);
    let hidden = cameras.map(|camera| {
        let looked_at = boxes.iter().step_by(stride);
        let shares = looked_at.clone().map(|(place, solids)| {
            let seen = |point: Vec3| !solids.iter().any(|solid| hides(solid, camera.eye, point));
            points(*place).into_iter().filter(|point| !seen(*point)).count()
        });
        shares.sum::<usize>() as f32 / (2 * looked_at.count().max(1)) as f32
    });
    let best = hidden.iter().copied().fold(1.0, f32::min);
    let first = hidden.iter().position(|hidden| *hidden <= best + ALIKE);
    cameras[first.unwrap_or(0)]
}

/// The middle of a box and the middle of its top.
fn points(place: Aabb) -> [Vec3; 2] {
    [centre(place), centre(place).with_y(place[1].y)]
}

/// Whether a sphere or a box is between a point and the eye, and the point is not in it.
fn hides(solid: &Solid, eye: Vec3, point: Vec3) -> bool {
    let from = point - solid.centre;
    let way = eye - point;
    match solid.kind {
        SOLID_SPHERE => {
            let nearest = from + (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0) * way;
            from.length() > solid.extent.x && nearest.length() < solid.extent.x
        }
        SOLID_BOX => {
            let turned = Quat::from_vec4(solid.rotation).inverse();
            let (from, way) = (turned * from, turned * way);
            // The part of the way between each pair of sides; a way along them has all of it or none.
            let ends = [-solid.extent, solid.extent].map(|side| (side - from) / way);
            let enters = ends[0].min(ends[1]).max_element();
            let leaves = ends[0].max(ends[1]).min_element();
            enters > 0.0 && enters < leaves.min(1.0)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solid(kind: u32, centre: Vec3, extent: Vec3) -> Solid {
        Solid { kind, centre, extent, rotation: glam::Vec4::W, ..Solid::default() }
    }

    #[test]
    fn what_is_between_hides() {
        let (eye, point) = (Vec3::new(0.0, 0.0, 10.0), Vec3::ZERO);
        for kind in [SOLID_BOX, SOLID_SPHERE] {
            let at = |x, z| hides(&solid(kind, Vec3::new(x, 0.0, z), Vec3::ONE), eye, point);
            assert!(at(0.0, 5.0) && at(0.9, 5.0));
            assert!(!at(1.1, 5.0), "beside");
            assert!(!at(0.0, -5.0) && !at(0.0, 15.0), "behind either");
            assert!(!at(0.0, 0.5), "around the point");
        }
    }

    /// A wide press above a cube is looked under; a wall in front of it is looked over from the other side; without any the usual
    /// side is taken.
    #[test]
    fn bodies_are_seen_past_solids() {
        let cube = [Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5)];
        let from = |solids: &[Solid]| {
            let around = solids.iter().map(|s| [s.centre - s.extent, s.centre + s.extent]);
            let shown = Vec::from_iter(around.chain([cube]));
            let camera = vantage(&shown, 1.6, &[(cube, solids)]);
            (camera.eye - camera.target).normalize()
        };
        let alike = |a: Vec3, b: Vec3| a.distance(b.normalize()) < 1e-4;
        assert!(alike(from(&[]), SIDES[0]));
        let press = solid(SOLID_BOX, Vec3::new(0.0, 1.3, 0.0), Vec3::new(4.0, 0.2, 4.0));
        assert!(alike(from(&[press]), SIDES[4]), "{}", from(&[press]));
        let wall = solid(SOLID_BOX, Vec3::new(0.0, 1.0, 1.5), Vec3::new(4.0, 1.5, 0.1));
        assert!(alike(from(&[wall]), SIDES[2]), "{}", from(&[wall]));
    }
}
