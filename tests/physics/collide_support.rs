//! What the tests of contact between bodies share: scenes, and measures in f64 that owe nothing to the engine's stages.

use glam::DVec3;
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::internals::model::{BodyRanges, Model, Tet};
use pliant::internals::reference::tets;
use pliant::scene::{Body, Scene};
use pliant::world::Snapshot;

use crate::support::*;

pub const G: f64 = 9.81;

/// A scene without gravity and without a floor.
pub fn meeting(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let named = |(index, body)| Body { name: format!("body {index}"), ..body };
    let mut scene = scene_of(bodies.into_iter().enumerate().map(named));
    scene.world.gravity = [0.0; 3];
    scene
}

/// The same with gravity and a floor at 0.
pub fn standing(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = meeting(bodies);
    scene.world.gravity = [0.0, -G, 0.0];
    scene.world.floor = Some(0.0);
    scene
}

/// A block of `cubes` cubes and `size` [m] whose middle is at `position`.
pub fn brick(
    cubes: [u32; 3],
    size: [f64; 3],
    position: [f64; 3],
    density: f64,
    young: f64,
) -> Body {
    Body { position, ..lattice("brick", cubes, size, density, springs(young, 1e-2)) }
}

/// How deep points lie in bodies that are not their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depths {
    pub points: usize,
    /// In mean edges, of the smaller of the two bodies'.
    pub mean: f64,
    pub max: f64,
}

/// Every particle against every tetrahedron of every other body; depth is the distance to that body's surface.
pub fn depths(world: &World, snapshot: &Snapshot) -> Depths {
    let model = world.model();
    let x = doubles(&snapshot.positions);
    let mut found = Depths::default();
    for (a, own) in model.bodies.iter().enumerate() {
        for (_, other) in model.bodies.iter().enumerate().filter(|(b, _)| *b != a) {
            let (low, high) = bounds(&x[other.particles.clone()]);
            for p in &x[own.particles.clone()] {
                let near = p.cmpge(low).all() && p.cmple(high).all();
                if near && inside(model, other, *p, &x) {
                    let depth = to_surface(model, other, *p, &x) / own.edge.min(other.edge);
                    found.points += 1;
                    found.mean += depth;
                    found.max = extreme::greatest(found.max, depth);
                }
            }
        }
    }
    found.mean /= found.points.max(1) as f64;
    found
}

/// Whether a place is in one of a body's tetrahedra.
pub fn inside(model: &Model, body: &BodyRanges, p: DVec3, x: &[DVec3]) -> bool {
    let mut tets = model.tets[body.tets.clone()].iter();
    tets.any(|t| in_tet(p, t.corners.map(|i| x[i as usize])))
}

/// The distance of a place from a body's surface [m].
pub fn to_surface(model: &Model, body: &BodyRanges, p: DVec3, x: &[DVec3]) -> f64 {
    let triangles = model.triangles[body.triangles.clone()].iter();
    let distances = triangles.map(|t| distance_to_triangle(p, t.map(|i| x[i as usize])));
    distances.fold(f64::INFINITY, extreme::least)
}

/// The least V/V0 of all tetrahedra: negative where one is inverted.
pub fn least_volume(world: &World, snapshot: &Snapshot) -> f64 {
    let x = doubles(&snapshot.positions);
    let share = |tet: &Tet| tets::volume(tet.corners.map(|i| i as usize), &x) / tet.rest;
    world.model().tets.iter().map(share).fold(f64::INFINITY, extreme::least)
}

pub fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    let far = DVec3::splat(f64::INFINITY);
    points.iter().fold((far, -far), |(low, high), p| (low.min(*p), high.max(*p)))
}

pub fn in_tet(p: DVec3, [a, b, c, d]: [DVec3; 4]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).dot((c - a).cross(d - a));
    let whole = volume(a, b, c, d);
    [volume(p, b, c, d), volume(a, p, c, d), volume(a, b, p, d), volume(a, b, c, p)]
        .iter()
        .all(|part| part * whole > 0.0)
}

pub fn distance_to_triangle(p: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).normalize();
    let over = (0..3).all(|k| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        normal.cross(to - from).dot(p - from) >= 0.0
    });
    if over {
        return normal.dot(p - a).abs();
    }
    let to_edge = |k: usize| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let t = (p - from).dot(to - from) / (to - from).length_squared();
        p.distance(from + t.clamp(0.0, 1.0) * (to - from))
    };
    (0..3).map(to_edge).fold(f64::INFINITY, extreme::least)
}

#[test]
fn measures_are_right() {
    let tet = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    assert!(in_tet(DVec3::splat(0.2), tet));
    assert!(!in_tet(DVec3::splat(0.4), tet));
    let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
    for (p, wanted) in [
        (DVec3::new(0.2, 0.2, -0.5), 0.5),
        (DVec3::new(-3.0, 0.0, 4.0), 5.0),
        (DVec3::new(0.5, -2.0, 0.0), 2.0),
        (DVec3::new(1.0, 1.0, 0.0), 0.5_f64.sqrt()),
    ] {
        assert!((distance_to_triangle(p, triangle) - wanted).abs() < 1e-12);
    }
    let overlapping = [
        brick([2; 3], [1.0; 3], [0.0; 3], 100.0, 1e5),
        brick([2; 3], [1.0; 3], [0.93, 0.01, 0.02], 100.0, 1e5),
    ];
    let mut world = world(&meeting(overlapping));
    let start = world.read().unwrap();
    let found = depths(&world, &start);
    let edge = world.model().bodies[0].edge;
    assert!((least_volume(&world, &start) - 1.0).abs() < 1e-5);
    // Of each body four points of the face.
    assert!(found.points == 8, "{found:?}");
    assert!((found.max - 0.07 / edge).abs() < 1e-5, "{found:?}, edge {edge}");
}
