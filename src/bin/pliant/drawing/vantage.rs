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
/// Places that are looked at; of more of them some.
const MOST: usize = 4000;

/// Where a body is in a frame, and what may hide it there.
pub struct Place<'a> {
    pub place: Aabb,
    pub solids: &'a [Solid],
    /// Boxes around held bodies.
    pub held: &'a [Aabb],
}

impl Place<'_> {
    /// Of the middle of the box and the middle of its top, how many are hidden from the eye.
    fn hidden(&self, eye: Vec3) -> usize {
        let middle = centre(self.place);
        let points = [middle, middle.with_y(self.place[1].y)];
        let is_hidden = |point: &Vec3| {
            self.solids.iter().any(|solid| hides(solid, eye, *point))
                || self.held.iter().any(|held| walls(*held, eye, *point))
        };
        points.iter().filter(|point| is_hidden(point)).count()
    }
}

/// A camera that has all that is `shown` in view, from the first side on which hardly more of the bodies' `places` are hidden behind
/// something than on the best one. `aspect` is width / height.
pub fn vantage(shown: &[Aabb], aspect: f32, places: &[Place<'_>]) -> Camera {
    let cameras = SIDES.map(|side| Camera::around_from(shown, side, aspect));
    let stride = places.len().div_ceil(MOST).max(1);
    let hidden = cameras.map(|camera| {
        let looked_at = places.iter().step_by(stride);
        let hidden: usize = looked_at.clone().map(|place| place.hidden(camera.eye)).sum();
        hidden as f32 / (2 * looked_at.count().max(1)) as f32
    });
    let best = hidden.iter().copied().fold(1.0, f32::min);
    let first = hidden.iter().position(|hidden| *hidden <= best + ALIKE);
    cameras[first.unwrap_or(0)]
}

/// Whether the box around a held body is between a point and the eye, or has the point in it and a side between: what lies in a bowl
/// is seen from above its rim.
fn walls(held: Aabb, eye: Vec3, point: Vec3) -> bool {
    let Some([enters, leaves]) = crossed(held, point, eye - point) else {
        return false;
    };
    let over_the_rim = (point + leaves * (eye - point)).y >= held[1].y;
    enters > 0.0 && enters < 1.0 || enters <= 0.0 && leaves > 0.0 && !over_the_rim
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
            let crossed = crossed([-solid.extent, solid.extent], turned * from, turned * way);
            crossed.is_some_and(|[enters, _]| enters > 0.0 && enters < 1.0)
        }
        _ => false,
    }
}

/// Where a line enters a box and where it leaves it, in parts of `way`; none where it passes by.
fn crossed([low, high]: Aabb, from: Vec3, way: Vec3) -> Option<[f32; 2]> {
    // The part between each pair of sides; a line along them has all of it or none.
    let ends = [low, high].map(|side| (side - from) / way);
    let enters = ends[0].min(ends[1]).max_element();
    let leaves = ends[0].max(ends[1]).min_element();
    (enters < leaves).then_some([enters, leaves])
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
            let camera = vantage(&shown, 1.6, &[Place { place: cube, solids, held: &[] }]);
            (camera.eye - camera.target).normalize()
        };
        let alike = |a: Vec3, b: Vec3| a.distance(b.normalize()) < 1e-4;
        assert!(alike(from(&[]), SIDES[0]));
        let press = solid(SOLID_BOX, Vec3::new(0.0, 1.3, 0.0), Vec3::new(4.0, 0.2, 4.0));
        assert!(alike(from(&[press]), SIDES[4]), "{}", from(&[press]));
        let wall = solid(SOLID_BOX, Vec3::new(0.0, 1.0, 1.5), Vec3::new(4.0, 1.5, 0.1));
        assert!(alike(from(&[wall]), SIDES[2]), "{}", from(&[wall]));
    }

    /// A cube low in a tall open box is seen from above, one that looks over its rim from the usual side.
    #[test]
    fn what_lies_in_a_bowl_is_seen_from_above() {
        let bowl = [Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 2.0, 1.0)];
        let from = |low: f32| {
            let place = [Vec3::new(-0.2, low, -0.2), Vec3::new(0.2, low + 0.4, 0.2)];
            let camera = vantage(&[bowl], 1.6, &[Place { place, solids: &[], held: &[bowl] }]);
            (camera.eye - camera.target).normalize()
        };
        assert!(from(0.8).distance(SIDES[8].normalize()) < 1e-4, "{}", from(0.8));
        assert!(from(1.7).distance(SIDES[0].normalize()) < 1e-4, "{}", from(1.7));
    }
}
