//! The world's solids as plain data for files.

use glam::{Quat, Vec2, Vec3};
use pliant::internals::Inside as _;
use pliant::internals::gpu::types::{SOLID_PLANE, SOLID_SPHERE};
use pliant::output::{Placement, SolidShape, SolidTopology};
use pliant::{Result, World};

/// Edge length of the square that shows a plane, over the radius of all bodies and how far their middle is from it.
const PLANE: f32 = 8.0;
/// Of solids without a colour of their own.
const COLOR: [u8; 3] = [176, 180, 186];

/// What bodies cannot pass, the floor first where there is one.
pub fn topology(world: &World) -> Vec<SolidTopology> {
    let (low, high) = bounds(world);
    let shape = |solid: &pliant::render::Solid| match solid.kind {
        SOLID_PLANE => {
            // Below the bodies, wherever they are.
            let rotation = Quat::from_rotation_arc(Vec3::Y, solid.extent);
            let middle = rotation.inverse() * (0.5 * (low + high) - solid.centre);
            let size = PLANE * (0.5 * (high - low).length() + middle.y.abs()).max(0.1);
            SolidShape::Plane { middle: Vec2::new(middle.x, middle.z).into(), size }
        }
        SOLID_SPHERE => SolidShape::Sphere { radius: solid.extent.x },
        _ => SolidShape::Box { size: (2.0 * solid.extent).into() },
    };
    let described = world.scene().obstacles();
    let pairs = described.into_iter().zip(world.solids());
    pairs
        .map(|(described, solid)| SolidTopology {
            name: described.name,
            color: described.color.unwrap_or(COLOR),
            shape: shape(&solid),
        })
        .collect()
}

/// Where they are at the present time.
pub fn placements(world: &World) -> Result<Vec<Placement>> {
    let place = |index| {
        let motion = world.solid(index)?;
        Ok(Placement { centre: motion.position, rotation: motion.rotation.normalize() })
    };
    (0..world.solids().len()).map(place).collect()
}

/// The box around all bodies as the scene places them; of none, a cube of 1 m.
fn bounds(world: &World) -> (Vec3, Vec3) {
    let places = world.model().positions.iter().map(|x| x.as_vec3());
    let boxes = places.map(|x| (x, x));
    boxes
        .reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))
        .unwrap_or((Vec3::splat(-0.5), Vec3::splat(0.5)))
}
