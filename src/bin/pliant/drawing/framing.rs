//! What belongs in a picture: bodies, and what is near them.

use glam::{Quat, Vec3};
use pliant::internals::gpu::types::{SOLID_BOX, SOLID_PLANE, SOLID_SPHERE, Solid};
use pliant::render::Look;

/// How far from the bodies the floor and solids may be to belong in a picture [diagonals of the bodies' box].
#[derive(Clone, Copy, Debug)]
pub struct Near {
    floor: f32,
    pub solids: f32,
}

/// Of a picture of the start: bodies may fall or fly onto them.
#[cfg(feature = "viewer")]
pub const START: Near = Near { floor: f32::INFINITY, solids: 3.0 };
/// Of pictures of a whole run: what was reached is among or beside the bodies.
pub const RUN: Near = Near { floor: 0.5, solids: 0.5 };
/// Of solids that move in a run: they act on the bodies.
pub const MOVING: Near = Near { floor: 0.0, solids: 3.0 };

/// Solids up to this size are wholly in view [diagonals of the bodies' box].
pub const WHOLE: f32 = 2.0;
/// A box in space: its least and its greatest corner [m].
pub type Aabb = [Vec3; 2];

pub const NOTHING: Aabb = [Vec3::INFINITY, Vec3::NEG_INFINITY];

pub fn union([a, b]: Aabb, [c, d]: Aabb) -> Aabb {
    [a.min(c), b.max(d)]
}

pub fn centre([low, high]: Aabb) -> Vec3 {
    0.5 * (low + high)
}

pub fn diagonal([low, high]: Aabb) -> f32 {
    (high - low).max(Vec3::ZERO).length()
}

/// The box of all bodies where they start.
#[cfg(feature = "viewer")]
pub fn bodies_at_start(world: &pliant::World) -> Aabb {
    use pliant::internals::Inside as _;
    let bounds = pliant::mesh::Bounds::of(world.model().positions.iter().copied());
    [bounds.min.as_vec3(), bounds.max.as_vec3()]
}

/// What is in a picture beside the bodies, which this box [m] is around: the floor below it, and solids that are near: all of
/// one that is not much larger than the bodies are together, of others the nearest place.
pub fn surroundings(bodies: Aabb, look: &Look, near: Near) -> Vec<Aabb> {
    let (middle, size) = (centre(bodies), diagonal(bodies));
    let mut all = Vec::new();
    if let Some(floor) = look.floor
        && bodies[0].y - floor <= near.floor * size
    {
        all.push([middle.with_y(middle.y.min(floor)); 2]);
    }
    for solid in &look.solids {
        let place = nearest(solid, middle);
        if place.distance(middle) <= near.solids * size {
            all.push([place; 2]);
            let half = half_extent(solid);
            if 2.0 * half.length() <= WHOLE * size {
                all.push([solid.centre - half, solid.centre + half]);
            }
        }
    }
    all.retain(|place| place.iter().all(|corner| corner.is_finite()));
    all
}

/// The box [m] grown by what is around it, see [`surroundings`].
#[cfg(feature = "viewer")]
pub fn with_surroundings(bodies: Aabb, look: &Look, near: Near) -> Aabb {
    surroundings(bodies, look, near).into_iter().fold(bodies, union)
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
        SOLID_BOX => {
            let axes = glam::Mat3::from_quat(Quat::from_vec4(solid.rotation));
            axes.x_axis.abs() * solid.extent.x
                + axes.y_axis.abs() * solid.extent.y
                + axes.z_axis.abs() * solid.extent.z
        }
        _ => Vec3::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [Vec3; 2] = [Vec3::ZERO, Vec3::ONE];

    fn framed(floor: Option<f32>, solids: Vec<Solid>) -> [Vec3; 2] {
        let look = Look { floor, solids, ..Look::default() };
        with_surroundings(CUBE, &look, START)
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
