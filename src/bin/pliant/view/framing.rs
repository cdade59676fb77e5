//! What belongs in a picture of everything: bodies, and what they may fall or fly onto.

use glam::{Quat, Vec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::gpu::types::{SOLID_BOX, SOLID_PLANE, SOLID_SPHERE, Solid};
use pliant::render::Look;

/// Obstacles farther from the bodies than this are left out [diagonals of their box].
const NEAR: f32 = 3.0;

/// The box of all bodies where they start [m].
pub fn bodies_at_start(world: &World) -> [Vec3; 2] {
    let bounds = pliant::mesh::Bounds::of(world.model().positions.iter().copied());
    [bounds.min.as_vec3(), bounds.max.as_vec3()]
}

/// The box [m] grown by the floor below it, and by obstacles that are near: all of one that is no larger than the bodies
/// are together, of others the nearest place.
pub fn with_surroundings([mut low, mut high]: [Vec3; 2], look: &Look) -> [Vec3; 2] {
    let (middle, size) = (0.5 * (low + high), (high - low).length());
    let mut add = |from: Vec3, to: Vec3| {
        if from.is_finite() && to.is_finite() {
            (low, high) = (low.min(from), high.max(to));
        }
    };
    if let Some(floor) = look.floor {
        let foot = middle.with_y(middle.y.min(floor));
        add(foot, foot);
    }
    for solid in &look.solids {
        let place = nearest(solid, middle);
        if place.distance(middle) <= NEAR * size {
            add(place, place);
            let half = half_extent(solid);
            if 2.0 * half.length() <= size {
                add(solid.centre - half, solid.centre + half);
            }
        }
    }
    [low, high]
}

/// The point of an obstacle that is nearest to `point` [m].
fn nearest(solid: &Solid, point: Vec3) -> Vec3 {
    let from_centre = point - solid.centre;
    match solid.kind {
        SOLID_PLANE => point - from_centre.dot(solid.extent) * solid.extent,
        SOLID_SPHERE => solid.centre + from_centre.clamp_length_max(solid.extent.x),
        _ => {
            let rotation = Quat::from_vec4(solid.rotation);
            let local = rotation.inverse() * from_centre;
            solid.centre + rotation * local.clamp(-solid.extent, solid.extent)
        }
    }
}

/// Half the box around an obstacle [m]; infinite for planes.
fn half_extent(solid: &Solid) -> Vec3 {
    match solid.kind {
        SOLID_SPHERE => Vec3::splat(solid.extent.x),
        SOLID_BOX => Vec3::splat(solid.extent.length()),
        _ => Vec3::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [Vec3; 2] = [Vec3::ZERO, Vec3::ONE];

    fn framed(floor: Option<f32>, solids: Vec<Solid>) -> [Vec3; 2] {
        let look = Look { floor, solids, ..Look::default() };
        with_surroundings(CUBE, &look)
    }

    #[test]
    fn the_floor_below_is_in_view() {
        assert_eq!(framed(None, vec![]), CUBE);
        assert_eq!(framed(Some(0.5), vec![]), CUBE);
        let [low, high] = framed(Some(-10.0), vec![]);
        assert_eq!((low, high), (Vec3::new(0.0, -10.0, 0.0), Vec3::ONE));
    }

    #[test]
    fn obstacles_that_are_near_are_in_view() {
        let solid = |kind, centre, extent| Solid {
            kind,
            centre,
            extent,
            rotation: glam::Vec4::W,
            ..Solid::default()
        };
        let wall = |x| solid(SOLID_PLANE, Vec3::new(x, 7.0, -9.0), Vec3::NEG_X);
        assert_eq!(framed(None, vec![wall(3.0)])[1], Vec3::new(3.0, 1.0, 1.0));
        assert_eq!(framed(None, vec![wall(30.0)]), CUBE);
        let ball = |radius| solid(SOLID_SPHERE, Vec3::new(0.5, -2.0, 0.5), Vec3::splat(radius));
        let [low, high] = framed(None, vec![ball(0.4)]);
        assert!(low.abs_diff_eq(Vec3::new(0.0, -2.4, 0.0), 1e-6), "{low}");
        assert_eq!(high, Vec3::ONE);
        let [low, _] = framed(None, vec![ball(1.5)]);
        assert!(low.abs_diff_eq(Vec3::new(0.0, -0.5, 0.0), 1e-6), "{low}");
        let block = solid(SOLID_BOX, Vec3::new(0.5, -50.5, 0.5), Vec3::splat(50.0));
        let [low, high] = framed(None, vec![block]);
        assert!(low.abs_diff_eq(Vec3::new(0.0, -0.5, 0.0), 1e-5), "{low}");
        assert_eq!(high, Vec3::ONE);
    }
}
