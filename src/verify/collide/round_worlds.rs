//! The worlds with spheres that the search for contacts is tried with.

use glam::DVec3;

use super::shapes::{Builder, Shape};
use super::worlds::World;
use crate::verify::Random;

/// All of them.
pub fn round_worlds() -> Vec<World> {
    let worlds = [clouds, rain, swarm, on_features, grains, splinters];
    worlds.into_iter().map(|world| world()).collect()
}

/// Clouds and sheets of spheres among bodies of tetrahedra.
fn clouds() -> World {
    let (mut builder, mut random) = (Builder::new(110), Random::new(111));
    builder.add(&Shape::blob(&mut random).posed(DVec3::ZERO, &mut random));
    builder.add(&Shape::cloud(40, 1.4, 0.08, &mut random));
    builder.add(&Shape::cube(2, 0.8).posed(DVec3::X * 0.7, &mut random));
    builder.add(&Shape::sheet(6, 1.2, 0.05).posed(DVec3::Y * 0.2, &mut random));
    builder.add(&Shape::cloud(40, 1.4, 0.12, &mut random));
    builder.add(&Shape::sheet(3, 1.0, 0.15).posed(DVec3::Z * 0.3, &mut random));
    World::new(builder, true)
}

/// Spheres that come at a cube and at each other, or move away, by up to several of their sizes in a step.
fn rain() -> World {
    let (mut builder, mut random) = (Builder::new(112), Random::new(113));
    builder.add(&Shape::cube(3, 1.0).posed(DVec3::ZERO, &mut random));
    for _ in 0..60 {
        let (place, speed) = (0.9 * random.vector(1.0), random.between(-400.0, 400.0));
        let cloud = Shape::cloud(3, 0.3, 0.05, &mut random);
        builder.add(&cloud.shifted(place));
        builder.speed_up(speed * place.normalize());
    }
    World::new(builder, true)
}

/// Spheres with more partners than there is room for, the surfaces of several bodies among them.
fn swarm() -> World {
    let (mut builder, mut random) = (Builder::new(114), Random::new(115));
    for k in 0..4 {
        builder.add(&Shape::cloud(12, 0.4, 0.1, &mut random));
        let place = 0.3 * random.vector(1.0);
        builder.add(&Shape::cube(1 + k % 2, 0.5).posed(place, &mut random));
        builder.add(&Shape::cloud(2, 0.4, 0.3, &mut random));
    }
    World::new(builder, true)
}

/// Spheres on the faces, edges and corners of a cube, inside of it, at one place, and just out of reach.
fn on_features() -> World {
    let mut builder = Builder::new(116);
    builder.add(&Shape::cube(2, 1.0));
    let mut random = Random::new(117);
    for side in [0.5, 0.5625, 0.4375] {
        let mut cloud = Shape::cloud(6, 1.0, 0.0625, &mut random);
        cloud.points = vec![
            DVec3::new(side, 0.125, 0.0625),
            DVec3::new(side, side, 0.1875),
            DVec3::new(-side, side, 0.0),
            DVec3::splat(side),
            DVec3::new(side, 0.0, 0.0),
            DVec3::new(0.125, -side, 0.125),
        ];
        builder.add(&cloud);
        builder.add(&cloud);
    }
    World::new(builder, false)
}

/// Spheres whose radii differ a hundred times, and triangles far larger and far smaller than they are.
fn grains() -> World {
    let (mut builder, mut random) = (Builder::new(118), Random::new(119));
    builder.add(&Shape::cube(1, 8.0).posed(DVec3::Y * -4.0, &mut random));
    builder.add(&Shape::cloud(3, 3.0, 1.0, &mut random));
    builder.add(&Shape::cube(4, 0.6).posed(DVec3::Y, &mut random));
    for radius in [0.01, 0.03, 0.1, 0.3] {
        builder.add(&Shape::cloud(60, 2.5, radius, &mut random));
    }
    World::new(builder, true)
}

/// Spheres among triangles that are narrow or flat, of bodies that do not touch each other.
fn splinters() -> World {
    let (mut builder, mut random) = (Builder::new(120), Random::new(121));
    let thin = Shape::cube(2, 1.0).map(|x| DVec3::new(x.x, 0.01 * x.y, x.z));
    let flat = Shape::cube(1, 1.0).map(|x| DVec3::new(x.x, 0.3125, x.z));
    let point = Shape::tet(0.5).map(|_| DVec3::splat(0.25));
    let line = Shape::tet(1.0).map(|x| DVec3::new(x.x, 0.0, 0.0));
    for shape in [thin, flat, point, line] {
        let body = builder.add(&shape);
        (body.group, body.mask) = (1, 2);
    }
    let cloud = builder.add(&Shape::cloud(80, 1.2, 0.1, &mut random));
    (cloud.group, cloud.mask) = (2, 1);
    World::new(builder, true)
}
