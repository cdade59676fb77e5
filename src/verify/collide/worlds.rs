//! The worlds that the search for contacts is tried with.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2, TAU};

use glam::{DQuat, DVec3};

use super::round_worlds::round_worlds;
use super::shapes::{Builder, Shape};
use crate::extreme;
use crate::verify::{Case, Random, SIZES};

/// A world whose bodies touch.
#[derive(Debug)]
pub struct World {
    /// Its arrays.
    pub case: Case,
    /// Whether its bodies touch themselves.
    pub self_contact: bool,
    /// Whether its bodies lie anyhow, so that hardly any point is on a face, an edge or the border of a decision.
    pub posed: bool,
    /// Whether all that can become of edges becomes of one of its.
    pub every_edge_case: bool,
}

impl World {
    /// A world of the bodies of a builder.
    pub fn new(builder: Builder, posed: bool) -> Self {
        Self { case: builder.case(), self_contact: false, posed, every_edge_case: false }
    }
}

/// All of them. The first have the numbers of particles that every kernel is tried with.
pub fn worlds() -> Vec<World> {
    let mut worlds: Vec<World> = SIZES.into_iter().map(heap).collect();
    worlds.extend((0..3).map(two_cubes));
    worlds.extend([
        stack(),
        fast(),
        at_plates(),
        flush(),
        blobs(),
        curl(),
        crowd(3),
        crowd(6),
        tetrahedra(),
        coincident(),
        beside(),
        flat(),
        sizes(),
        groups(false),
        replicas(false),
        ridges(&Shape::block([3, 1, 1], DVec3::new(1.5, 0.5, 0.5))),
        ridges(&Shape::cube(1, 1.0)),
        dented(),
        bars(),
        plate(),
    ]);
    worlds.extend(round_worlds());
    worlds.extend([groups(true), replicas(true)]);
    worlds
}

/// Cubes and tetrahedra that lie in each other, of so many particles in all.
fn heap(particles: usize) -> World {
    let (mut builder, mut random) = (Builder::new(50), Random::new(51));
    let reach = 0.2 * (particles as f64).cbrt();
    let mut left = particles;
    while left > 0 {
        let shape = match left {
            27.. if random.between(0.0, 1.0) < 0.1 => Shape::cube(2, 0.7),
            8.. if random.between(0.0, 1.0) < 0.7 => Shape::cube(1, 0.5),
            4.. => Shape::tet(0.5),
            rest => Shape::dust(rest),
        };
        left -= shape.points.len();
        let place = 0.5 * reach * random.vector(1.0);
        builder.add(&shape.posed(place, &mut random));
    }
    World::new(builder, true)
}

fn two_cubes(seed: u64) -> World {
    let (mut builder, mut random) = (Builder::new(60 + seed), Random::new(70 + seed));
    for reach in [0.1, 0.5] {
        let place = random.vector(reach);
        builder.add(&Shape::cube(4, 1.0).posed(place, &mut random));
    }
    World::new(builder, true)
}

/// Three cubes flush on each other: the second in the first by less than a margin, the third above it by as much. Their
/// rims are at the border of the grid's cells.
fn stack() -> World {
    let mut builder = Builder::new(80);
    for height in [0.0, 0.999, 2.0] {
        builder.add(&Shape::cube(3, 1.0).shifted(DVec3::new(0.5, height, 0.5)));
    }
    World::new(builder, false)
}

/// Cubes that come at each other by up to an edge in a step.
fn fast() -> World {
    let (mut builder, mut random) = (Builder::new(78), Random::new(79));
    for place in [-0.35, 0.35] {
        let cube = Shape::cube(3, 1.0).posed(DVec3::X * place, &mut random);
        builder.add(&cube);
        builder.speed_up(DVec3::X * -400.0 * place);
    }
    World::new(builder, true)
}

/// Cubes that come at plates, two of them close behind each other, by up to more edges in a step than points are followed.
fn at_plates() -> World {
    let (mut builder, mut random) = (Builder::new(88), Random::new(89));
    for (height, thickness) in [(0.0, 0.02), (-0.07, 0.08), (-0.4, 0.08)] {
        let plate = Shape::block([4, 1, 4], DVec3::new(1.6, thickness, 1.6));
        builder.add(&plate.map(|x| DQuat::from_rotation_z(0.3) * (x + DVec3::Y * height)));
    }
    for (place, speed) in [
        (DVec3::new(0.0, 0.6, 0.0), DVec3::new(0.0, -1100.0, 0.0)),
        (DVec3::new(-0.5, 0.5, 0.4), DVec3::new(500.0, -800.0, -300.0)),
        (DVec3::new(0.4, 0.35, -0.4), DVec3::new(100.0, -700.0, 100.0)),
        (DVec3::new(-0.4, 0.05, -0.4), DVec3::new(0.0, -900.0, 0.0)),
        (DVec3::new(0.3, 1.2, 0.4), DVec3::new(0.0, -3000.0, 0.0)),
    ] {
        builder.add(&Shape::cube(2, 0.3).posed(place, &mut random));
        builder.speed_up(speed);
    }
    World::new(builder, true)
}

/// A cube that comes down flush on another by more than an edge in a step.
fn flush() -> World {
    let mut builder = Builder::new(90);
    for height in [0.0, 1.5] {
        builder.add(&Shape::cube(3, 1.0).shifted(DVec3::Y * height));
        builder.speed_up(DVec3::Y * -700.0 * height);
    }
    World::new(builder, false)
}

/// Bodies of odd shapes.
fn blobs() -> World {
    let (mut builder, mut random) = (Builder::new(81), Random::new(82));
    for k in 0..4 {
        let place = DVec3::new(0.55 * f64::from(k), 0.0, 0.0) + random.vector(0.1);
        let blob = Shape::blob(&mut random);
        builder.add(&blob.posed(place, &mut random));
    }
    World::new(builder, true)
}

/// A body in itself, and another one in it.
fn curl() -> World {
    let (mut builder, mut random) = (Builder::new(83), Random::new(84));
    builder.add(&Shape::curl().posed(DVec3::ZERO, &mut random)).self_contact = 1;
    let place = random.vector(1.0).normalize();
    builder.add(&Shape::cube(2, 0.5).posed(place, &mut random)).self_contact = 1;
    World { self_contact: true, ..World::new(builder, true) }
}

/// Points in as many bodies at once as there are, less their own.
fn crowd(bodies: u32) -> World {
    let (mut builder, mut random) = (Builder::new(85), Random::new(86));
    for k in 0..bodies {
        let place = random.vector(0.05);
        let size = 0.6 + 0.1 * f64::from(k);
        builder.add(&Shape::cube(2, size).posed(place, &mut random));
    }
    World::new(builder, true)
}

/// Two tetrahedra, a tip of each in a face of the other.
fn tetrahedra() -> World {
    let mut builder = Builder::new(87);
    builder.add(&Shape::tet(1.0));
    let turned = Shape::tet(1.0).map(|x| DVec3::new(-x.y, x.x, x.z));
    builder.add(&turned.shifted(DVec3::new(0.42, 0.45, 0.43)));
    World::new(builder, true)
}

/// Two bodies of which every point of one is a point of the other, and a third with two points at one place.
fn coincident() -> World {
    let mut builder = Builder::new(89);
    builder.add(&Shape::cube(2, 1.0));
    builder.add(&Shape::cube(2, 1.0));
    let mut third = Shape::cube(1, 1.0).shifted(DVec3::new(0.375, 0.25, 0.625));
    third.points[7] = third.points[6];
    builder.add(&third);
    World::new(builder, false)
}

/// Points inside their own bodies, of which one is on a face of another, one outside of it by no more than rounding.
fn beside() -> World {
    let mut builder = Builder::new(95);
    builder.add(&Shape::cube(1, 1.0));
    for x in [0.5 + 1e-6, -0.5] {
        builder.add(&Shape::cube(2, 0.5).shifted(DVec3::new(x, 0.125, 0.25)));
    }
    World::new(builder, false)
}

/// Bodies with flat tetrahedra and with triangles without area, one of them with no volume at all.
fn flat() -> World {
    let mut builder = Builder::new(90);
    builder.add(&Shape::cube(3, 1.5));
    let mut dented = Shape::cube(1, 0.5).shifted(DVec3::new(0.625, 0.125, 0.25));
    dented.points[0] = 0.5 * (dented.points[3] + dented.points[5]);
    builder.add(&dented);
    let squashed = Shape::cube(2, 1.0).map(|x| DVec3::new(x.x + 0.1875, 0.3125, x.z + 0.0625));
    builder.add(&squashed);
    builder.add(&Shape::tet(0.5).map(|_| DVec3::splat(0.4375)));
    World::new(builder, false)
}

/// Bodies whose edges differ a hundred times.
fn sizes() -> World {
    let (mut builder, mut random) = (Builder::new(91), Random::new(92));
    for height in [-5.0, -4.0] {
        builder.add(&Shape::cube(1, 10.0).posed(DVec3::Y * height, &mut random));
    }
    builder.add(&Shape::tet(3.0).posed(DVec3::Y * 0.5, &mut random));
    for _ in 0..30 {
        let place = random.vector(1.0);
        builder.add(&Shape::cube(2, 0.2).posed(place, &mut random));
    }
    World::new(builder, true)
}

/// A cube, or where it is one of `clouds` a cloud as large.
fn cube_or_cloud(is_cloud: bool, cells: u32, place: DVec3, random: &mut Random) -> Shape {
    match is_cloud {
        true => Shape::cloud(8, 0.8, 0.1, random).shifted(place),
        false => Shape::cube(cells, 0.8).posed(place, random),
    }
}

/// Bodies at one place of which some do not touch each other, as some that are rigid, and more of them than a body has boxes for; three of four may be
/// clouds.
fn groups(clouds: bool) -> World {
    let (mut builder, mut random) = (Builder::new(93), Random::new(94));
    for k in 0..14_usize {
        let place = DVec3::X * 0.15 * k as f64;
        let body = builder.add(&cube_or_cloud(clouds && k % 4 < 3, 1, place, &mut random));
        body.group = 1 << (k % 3);
        body.mask = [0b111, 0b010, 0b101][k % 3];
        body.rigid = u32::from(k % 5 > 2);
    }
    World::new(builder, true)
}

/// Copies of a scene in one place; two of three bodies may be clouds.
fn replicas(clouds: bool) -> World {
    let (mut builder, mut random) = (Builder::new(95), Random::new(98));
    for k in 0..12_usize {
        let place = DVec3::X * 0.3 * (k % 3) as f64 + random.vector(0.1);
        builder.add(&cube_or_cloud(clouds && k % 3 > 0, 2, place, &mut random));
    }
    let mut world = World::new(builder, true);
    world.case.model.replica_size = 3;
    world
}

/// Pairs of bodies of which an edge of one goes through one of the other, with no point inside.
fn ridges(shape: &Shape) -> World {
    let (mut builder, mut random) = (Builder::new(96), Random::new(97));
    let thickness = shape.points.iter().map(|x| x.y).fold(0.0, extreme::greatest);
    for pair in 0..8 {
        let apart = (2.0 * SQRT_2 - random.between(0.1, 0.4)) * thickness;
        for height in [0.0, apart] {
            let place = DVec3::new(4.0 * f64::from(pair), height, 0.0) + random.vector(0.03);
            let slope = DQuat::from_rotation_z(random.between(-0.1, 0.1));
            let edgewise = DQuat::from_rotation_x(FRAC_PI_4 + random.between(-0.2, 0.2));
            let across = if height > 0.0 { FRAC_PI_2 } else { 0.0 };
            let heading = DQuat::from_rotation_y(across + random.between(-0.4, 0.4));
            let turn = slope * heading * edgewise;
            builder.add(&shape.clone().map(|x| turn * x + place));
        }
    }
    World::new(builder, true)
}

/// A long edge through a bar, under a dent in it.
fn dented() -> World {
    let mut builder = Builder::new(98);
    let bar = Shape::block([8, 1, 1], DVec3::new(2.0, 0.5, 0.5));
    builder.add(&bar.map(|x| {
        let dented = x.y > 0.0 && x.x.abs() < 0.6;
        x - if dented { 0.43 * DVec3::Y } else { DVec3::ZERO }
    }));
    let turn = DQuat::from_rotation_z(0.003);
    let block = Shape::cube(1, 3.0).shifted(DVec3::new(0.01, -1.7, -1.52));
    builder.add(&block.map(|x| turn * x));
    World::new(builder, true)
}

/// Pairs of bent bars that cross at any angle, at their middles or at their ends. Half of them come at each other by up
/// to two fifths of their thickness in a step.
fn bars() -> World {
    let (mut builder, mut random) = (Builder::new(99), Random::new(100));
    let bar = Shape::block([3, 1, 1], DVec3::new(1.5, 0.5, 0.5));
    for pair in 0..120 {
        let middle = DVec3::new(4.0 * f64::from(pair % 10), 0.0, 4.0 * f64::from(pair / 10));
        let apart = random.between(0.45, 0.75);
        let speed = f64::from(pair % 2) * random.between(0.0, 200.0);
        for side in [-0.5, 0.5] {
            let heading = DQuat::from_rotation_y(random.between(0.0, TAU));
            let roll = DQuat::from_rotation_x(random.between(0.0, TAU));
            let slope = DQuat::from_rotation_z(random.between(-0.2, 0.2));
            let turn = heading * slope * roll;
            let slid = DVec3::X * random.between(-0.8, 0.8);
            let bent = bar.clone().map(|x| x + slid + random.vector(0.07));
            builder.add(&bent.map(|x| turn * x + middle + side * apart * DVec3::Y));
            builder.speed_up(-side * speed * DVec3::Y);
        }
    }
    World { every_edge_case: true, ..World::new(builder, true) }
}

/// Tetrahedra that come fast through either side of an oblique plate, small ones into it and large ones through it: ways
/// along it graze a side, and some points came in by a side that is far nearer than the one that their edges lead to.
fn plate() -> World {
    let (mut builder, mut random) = (Builder::new(101), Random::new(102));
    let oblique = |x: DVec3| DVec3::new(x.x + 0.09 * x.y, x.y, x.z);
    let plate = Shape::block([1, 1, 1], DVec3::new(0.2, 1.0, 1.0)).map(oblique);
    let plate = builder.add(&plate);
    (plate.group, plate.mask) = (1, 2);
    for k in 0..300 {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        // The large ones mostly move on outwards, the small ones inwards.
        let (size, speed) = if k % 3 == 0 {
            (0.4, random.between(-20.0, 100.0))
        } else {
            (0.08, random.between(-60.0, 20.0))
        };
        let at = 0.45 * random.vector(1.0);
        let beside = side * (0.1 + random.between(0.2, 0.5) * size);
        let place = oblique(at.with_x(beside));
        let tet = builder.add(&Shape::tet(size).posed(place, &mut random));
        (tet.group, tet.mask) = (2, 1);
        builder.speed_up(DVec3::X * side * speed);
    }
    World::new(builder, true)
}
