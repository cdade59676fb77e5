//! Answers against brute force in f64 over the state that was read.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::path::Path;
use std::sync::OnceLock;

use glam::{DVec3, Vec3};

use super::{Aabb, Met, Part, Queries, Ray, RayHit, RayOptions};
use crate::reference::query as reference;
use crate::reference::query::Ray as Exact;
use crate::scene::{Body, Mass, Scene, Solid, Step};
use crate::verify::Random;
use crate::world::RigidMotion;
use crate::{Context, World};

fn context() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| Context::new().unwrap())
}

/// Springs, finite elements, clusters and a cloud on each other, and a shell; each body in a group of its own.
fn all_kinds() -> Scene {
    let stack = include_str!("../../scenes/models_stack.toml");
    let more = r#"
        [[body]]
        name = "sheet"
        mesh = { file = "../assets/sheet.ply" }
        shell = true
        radius = 0.05
        position = [2.0, 0.4, 0.0]
        rotation = [-1.5707963, 0.0, 0.0]
        density = 1000.0
        young = 1e5
        relaxation = 0.02
        pin = [{ box = [[-0.7, -0.11, -1], [-0.49, 0.1, 1]] }]
    "#;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/test.toml");
    let mut scene = Scene::parse(&format!("{stack}{more}"), &path).unwrap();
    for (k, body) in scene.bodies.iter_mut().enumerate() {
        // Its own bit, and one that all have.
        body.group = 1 << k | 1 << 31;
    }
    scene
}

/// Lattices of random sizes and turns that fall on each other and on the floor.
fn lattices(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::default();
    for k in 0..4 {
        let cells = [(); 3].map(|()| random.index(1, 5) as u32);
        let size = [(); 3].map(|()| random.between(0.3, 1.2));
        let mut body = Body::lattice(format!("body {k}"), cells, size);
        body.position = (random.vector(0.5) + DVec3::Y * (1.0 + f64::from(k))).to_array();
        body.rotation = random.vector(2.0).to_array();
        body.velocity = (random.vector(1.0) - 3.0 * DVec3::Y).to_array();
        body.mass = Mass::Density(500.0);
        body.group = 1 << k;
        scene.bodies.push(body);
    }
    scene.world.floor = Some(0.0);
    scene
}

fn settled(scene: &Scene, frames: usize) -> World {
    let mut world = World::new(context(), scene).unwrap();
    for _ in 0..frames {
        world.step_frame().unwrap();
    }
    world.wait().unwrap();
    world
}

/// The particles' places.
fn places(world: &World) -> Vec<DVec3> {
    let particles = world.particles().read(context()).unwrap();
    particles.iter().map(|p| p.position.as_dvec3()).collect()
}

fn is_asked(world: &World, body: usize, mask: u32) -> bool {
    world.scene().bodies[body].group & mask != 0
}

/// How far along a ray each body is met.
fn met(world: &World, x: &[DVec3], ray: &Exact, mask: u32) -> Vec<Option<f64>> {
    let model = world.model();
    let met = |(index, body): (usize, &crate::model::BodyRanges)| {
        let mut found = Vec::new();
        if !is_asked(world, index, mask) {
            return None;
        }
        for triangle in &model.triangles[body.triangles.clone()] {
            found.extend(ray.triangle(triangle.map(|i| x[i as usize])));
        }
        if body.triangles.is_empty() {
            found.extend(
                body.particles
                    .clone()
                    .filter_map(|i| ray.sphere(x[i], body.radius)),
            );
        }
        found.into_iter().min_by(f64::total_cmp)
    };
    model.bodies.iter().enumerate().map(met).collect()
}

/// Compares a hit with brute force; what it says of itself must agree, too.
fn compare(world: &World, x: &[DVec3], ray: Ray, mask: u32, got: Option<RayHit>) -> bool {
    let exact = Exact {
        origin: ray.origin.as_dvec3(),
        direction: ray.direction.as_dvec3().normalize(),
    };
    let wanted = met(world, x, &exact, mask);
    let nearest = wanted
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let Some(hit) = got else {
        assert!(
            nearest.is_infinite(),
            "{ray:?} should meet something at {nearest}"
        );
        return false;
    };
    let near = |want: f64| (f64::from(hit.distance) - want).abs() < 1e-4;
    let body = hit.body.unwrap();
    assert!(
        near(nearest) && wanted[body].is_some_and(near),
        "{ray:?}: {hit:?}, wanted {wanted:?}"
    );
    let place = exact.origin + nearest * exact.direction;
    assert!(hit.position.as_dvec3().distance(place) < 1e-4, "{hit:?}");
    let (at, normal) = match hit.met {
        Met::Triangle { triangle, weights } => {
            assert!(world.model().bodies[body].triangles.contains(&triangle));
            let [a, b, c] = world.model().triangles[triangle].map(|i| x[i as usize]);
            let w = weights.as_dvec3();
            (
                w.x * a + w.y * b + w.z * c,
                (b - a).cross(c - a).normalize(),
            )
        }
        Met::Sphere { particle } => {
            assert!(world.model().bodies[body].particles.contains(&particle));
            let away = (place - x[particle]) / world.model().bodies[body].radius;
            (place, away)
        }
        Met::Solid { .. } => panic!("{hit:?}: no solids were asked for"),
    };
    assert!(
        at.distance(place) < 1e-3 && normal.distance(hit.normal.as_dvec3()) < 1e-2,
        "{hit:?}"
    );
    true
}

/// Rays from all around and from within at the bodies.
fn rays(x: &[DVec3], random: &mut Random, count: usize) -> Vec<Ray> {
    let middle = x.iter().sum::<DVec3>() / x.len() as f64;
    let ray = |k: usize| {
        let aim = x[random.index(0, x.len())] + random.vector(0.2);
        let reach = if k.is_multiple_of(3) { 0.5 } else { 5.0 };
        let origin = middle + random.vector(reach);
        Ray {
            origin: origin.as_vec3(),
            direction: (aim - origin).as_vec3(),
        }
    };
    (0..count).map(ray).collect()
}

#[test]
fn rays_meet_the_nearest_surface() {
    let mut bodies = [0; 5];
    for scene in [all_kinds(), lattices(1), lattices(2), lattices(3)] {
        let world = settled(&scene, 30);
        let x = places(&world);
        let mut queries = Queries::new(&world).unwrap();
        let mut random = Random::new(5);
        let (mut hits, mut misses) = (0, 0);
        for mask in [u32::MAX, 0b1101, 0b10, 0] {
            let rays = rays(&x, &mut random, 80);
            let options = RayOptions {
                mask,
                ..RayOptions::default()
            };
            let got = queries
                .rays(&world, &rays, &options)
                .unwrap()
                .wait()
                .unwrap();
            assert_eq!(got.len(), rays.len());
            for (ray, got) in rays.iter().zip(got) {
                let hit = compare(&world, &x, *ray, mask, got);
                (hits, misses) = (hits + usize::from(hit), misses + usize::from(!hit));
                if let Some(body) = got
                    .and_then(|hit| hit.body)
                    .filter(|_| scene.bodies.len() > 4)
                {
                    bodies[body] += 1;
                }
            }
        }
        println!("{hits} rays meet something, {misses} nothing");
        assert!(hits > 80 && misses > 80);
    }
    assert!(bodies.iter().all(|count| *count > 3), "{bodies:?}");
}

#[test]
fn points_are_held_by_the_first_body_that_does() {
    let (mut tets, mut spheres, mut none) = (0, 0, 0);
    for scene in [all_kinds(), lattices(1), lattices(4)] {
        let world = settled(&scene, 30);
        let (x, model) = (places(&world), world.model());
        let mut queries = Queries::new(&world).unwrap();
        let mut random = Random::new(7);
        for mask in [u32::MAX, 0b11010, 0] {
            let points: Vec<_> = (0..150)
                .map(|_| (x[random.index(0, x.len())] + random.vector(0.15)).as_vec3())
                .collect();
            let got = queries
                .points(&world, &points, mask)
                .unwrap()
                .wait()
                .unwrap();
            for (p, got) in points.iter().zip(got) {
                let p = p.as_dvec3();
                let holds = |(index, body): (usize, &crate::model::BodyRanges)| {
                    let in_tet = |tet: &crate::model::Tet| {
                        let corners = tet.corners.map(|i| x[i as usize]);
                        let weights = reference::barycentric(corners, p);
                        weights.is_some_and(|w| w.iter().all(|w| *w >= 0.0))
                    };
                    let mut particles = body.particles.clone();
                    is_asked(&world, index, mask)
                        && (model.tets[body.tets.clone()].iter().any(in_tet)
                            || particles.any(|i| x[i].distance(p) <= body.radius))
                };
                let wanted = model
                    .bodies
                    .iter()
                    .enumerate()
                    .position(|body| holds((body.0, body.1)));
                assert_eq!(got.map(|hit| hit.body), wanted, "{p} {got:?}");
                match got.map(|hit| (hit.body, hit.part)) {
                    None => none += 1,
                    Some((
                        body,
                        Part::Tetrahedron {
                            tetrahedron,
                            weights,
                        },
                    )) => {
                        tets += 1;
                        assert!(model.bodies[body].tets.contains(&tetrahedron));
                        let corners = model.tets[tetrahedron].corners.map(|i| x[i as usize]);
                        let parts = corners.iter().zip(weights.to_array());
                        let place = parts.map(|(x, w)| f64::from(w) * *x).sum::<DVec3>();
                        assert!(place.distance(p) < 1e-5 && weights.min_element() >= -1.001e-5);
                    }
                    Some((body, Part::Sphere { particle, depth })) => {
                        spheres += 1;
                        let own = model.bodies[body].particles.clone();
                        let nearest =
                            own.min_by(|i, j| x[*i].distance(p).total_cmp(&x[*j].distance(p)));
                        assert_eq!(nearest, Some(particle));
                        let wanted = 1.0 - x[particle].distance(p) / model.bodies[body].radius;
                        assert!((f64::from(depth) - wanted).abs() < 1e-4);
                    }
                }
            }
        }
    }
    println!("{tets} in tetrahedra, {spheres} in spheres, {none} in none");
    assert!(tets > 100 && spheres > 10 && none > 100);
}

#[test]
fn boxes_know_the_bodies_in_them() {
    let mut found = 0;
    for scene in [all_kinds(), lattices(5)] {
        let world = settled(&scene, 30);
        let (x, model) = (places(&world), world.model());
        let mut queries = Queries::new(&world).unwrap();
        let mut random = Random::new(9);
        for mask in [u32::MAX, 0b0110] {
            let boxes: Vec<_> = (0..100)
                .map(|k| {
                    let middle = x[random.index(0, x.len())] + random.vector(0.3);
                    let half = random.vector([0.02, 0.2, 1.0][k % 3]).abs();
                    Aabb {
                        min: (middle - half).to_array(),
                        max: (middle + half).to_array(),
                    }
                })
                .collect();
            let got = queries.boxes(&world, &boxes, mask).unwrap().wait().unwrap();
            for (own, got) in boxes.iter().zip(got) {
                let bounds = [own.min, own.max].map(DVec3::from);
                let meets = |index: &usize| {
                    let body = &model.bodies[*index];
                    let mut tets = model.tets[body.tets.clone()].iter();
                    let mut particles = body.particles.clone();
                    let near = |i: usize| x[i].clamp(bounds[0], bounds[1]).distance(x[i]);
                    let in_tet = |tet: &crate::model::Tet| {
                        reference::meets_box(tet.corners.map(|i| x[i as usize]), bounds)
                    };
                    is_asked(&world, *index, mask)
                        && (tets.any(in_tet)
                            || particles.any(|i| near(i) <= body.radius && body.radius > 0.0))
                };
                let wanted: Vec<_> = (0..model.bodies.len()).filter(meets).collect();
                assert_eq!(got, wanted, "{own:?}");
                found += got.len();
            }
        }
    }
    assert!(found > 200, "{found}");
}

/// A lattice cube of two cells an edge about the origin.
fn cube() -> World {
    let scene = Scene {
        bodies: vec![Body::lattice("cube", [2, 2, 2], [1.0; 3])],
        ..Scene::default()
    };
    World::new(context(), &scene).unwrap()
}

fn ray(origin: [f32; 3], direction: [f32; 3]) -> Ray {
    Ray {
        origin: origin.into(),
        direction: direction.into(),
    }
}

#[test]
fn rays_that_graze_or_start_inside_are_answered() {
    let world = cube();
    let mut queries = Queries::new(&world).unwrap();
    let cases = [
        // Through a vertex, along an edge of its triangles, of any length.
        (ray([0.0, 2.0, 0.0], [0.0, -1.0, 0.0]), Some((1.5, 1.0))),
        (ray([0.0, 2.0, 0.1], [0.0, -1e-20, 0.0]), Some((1.5, 1.0))),
        (ray([0.25, 2.0, 0.0], [0.0, -1e20, 0.0]), Some((1.5, 1.0))),
        // From inside the normal looks along the ray; from a face as well.
        (ray([0.1, 0.0, 0.0], [0.0, 1.0, 0.0]), Some((0.5, -1.0))),
        (ray([0.1, 0.5, 0.0], [0.0, 1.0, 0.0]), Some((0.0, -1.0))),
        (ray([0.1, 0.5, 0.0], [0.0, -1.0, 0.0]), Some((0.0, 1.0))),
        (ray([0.1, 0.6, 0.0], [0.0, 1.0, 0.0]), None),
        (ray([0.0, 2.0, 0.0], [0.0, 1.0, 0.0]), None),
        (ray([2.0, 0.3, 0.3], [0.0, -1.0, 0.0]), None),
        (ray([0.50001, 2.0, 0.1], [0.0, -1.0, 0.0]), None),
        (ray([0.49999, 2.0, 0.1], [0.0, -1.0, 0.0]), Some((1.5, 1.0))),
    ];
    let rays: Vec<_> = cases.iter().map(|case| case.0).collect();
    let ask = |queries: &mut Queries, options: &RayOptions| {
        queries
            .rays(&world, &rays, options)
            .unwrap()
            .wait()
            .unwrap()
    };
    let got = ask(&mut queries, &RayOptions::default());
    for ((ray, wanted), got) in cases.iter().zip(&got) {
        let along = ray.direction.as_dvec3().normalize().as_vec3();
        let found = got.map(|hit| (hit.distance, -hit.normal.dot(along)));
        match (found, wanted) {
            (Some(got), Some(wanted)) => {
                let off = (got.0 - wanted.0).abs().max((got.1 - wanted.1).abs());
                assert!(off < 1e-5, "{ray:?}: {got:?}, wanted {wanted:?}");
            }
            _ => assert_eq!(found, *wanted, "{ray:?}"),
        }
    }
    // Ties end the same in every run; a reach ends before what lies at it.
    assert_eq!(ask(&mut queries, &RayOptions::default()), got);
    let reach = |reach: f32| RayOptions {
        reach,
        ..RayOptions::default()
    };
    assert_eq!(ask(&mut queries, &reach(2.0)), got);
    let short = ask(&mut queries, &reach(1.4));
    assert_eq!(short.iter().flatten().count(), 3);
    // In the plane of a face: it may meet it or not.
    for ray in [
        ray([-2.0, 0.5, 0.1], [1.0, 0.0, 0.0]),
        ray([-2.0, 0.5, 0.5], [1.0, 0.0, 0.0]),
        ray([0.0, 0.5, 0.0], [0.3, 0.0, 0.7]),
    ] {
        let got = queries
            .rays(&world, &[ray], &RayOptions::default())
            .unwrap();
        if let Some(hit) = got.wait().unwrap()[0] {
            assert!(
                hit.distance.is_finite() && hit.position.abs().max_element() < 0.50001,
                "{hit:?}"
            );
        }
    }
}

/// Of two bodies at one place the first is met, and the first triangle of several at a corner.
#[test]
fn ties_go_to_the_lowest() {
    let mut scene = Scene::default();
    for name in ["one", "same"] {
        scene.bodies.push(Body::lattice(name, [2, 2, 2], [1.0; 3]));
    }
    scene.bodies[0].group = 1;
    scene.bodies[1].group = 2;
    let world = World::new(context(), &scene).unwrap();
    let mut queries = Queries::new(&world).unwrap();
    let down = [
        ray([0.1, 2.0, 0.2], [0.0, -1.0, 0.0]),
        ray([0.0, 2.0, 0.0], [0.0, -1.0, 0.0]),
    ];
    for (mask, wanted) in [(u32::MAX, 0), (1, 0), (2, 1)] {
        let options = RayOptions {
            mask,
            ..RayOptions::default()
        };
        let hits = queries
            .rays(&world, &down, &options)
            .unwrap()
            .wait()
            .unwrap();
        assert!(
            hits.iter().all(|hit| hit.unwrap().body == Some(wanted)),
            "{hits:?}"
        );
        let points = [Vec3::new(0.1, 0.2, 0.3), Vec3::ZERO, Vec3::splat(0.5)];
        let held = queries
            .points(&world, &points, mask)
            .unwrap()
            .wait()
            .unwrap();
        assert!(
            held.iter().all(|hit| hit.unwrap().body == wanted),
            "{held:?}"
        );
    }
    let corner = queries
        .rays(&world, &down[1..], &RayOptions::default())
        .unwrap();
    let Met::Triangle { triangle, .. } = corner.wait().unwrap()[0].unwrap().met else {
        panic!("a triangle was there");
    };
    let x = places(&world);
    let around = world
        .model()
        .triangles
        .iter()
        .position(|corners| corners.iter().any(|i| x[*i as usize] == DVec3::Y * 0.5));
    assert_eq!(around, Some(triangle));
}

#[test]
fn solids_are_met_where_they_are_asked_for() {
    let mut scene = Scene::default();
    scene
        .bodies
        .push(Body::lattice("cube", [2, 2, 2], [1.0; 3]));
    scene.world.floor = Some(-2.0);
    scene.solids.push(Solid::Sphere {
        position: [4.0, 0.0, 0.0],
        radius: 1.0,
    });
    scene.solids.push(Solid::Box {
        position: [8.0, 0.0, 0.0],
        size: [1.0, 2.0, 3.0],
        rotation: [0.0, 0.0, std::f64::consts::FRAC_PI_2],
    });
    let world = World::new(context(), &scene).unwrap();
    let mut queries = Queries::new(&world).unwrap();
    let cases = [
        (ray([0.2, 5.0, 0.1], [0.0, -1.0, 0.0]), None, 4.5, Vec3::Y),
        (
            ray([2.0, 5.0, 0.1], [0.0, -1.0, 0.0]),
            Some(0),
            7.0,
            Vec3::Y,
        ),
        (
            ray([4.0, 5.0, 0.0], [0.0, -2.0, 0.0]),
            Some(1),
            4.0,
            Vec3::Y,
        ),
        (ray([4.0, 0.0, 0.0], [0.0, 0.0, 3.0]), Some(1), 1.0, Vec3::Z),
        (
            ray([8.3, 5.0, 0.2], [0.0, -1.0, 0.0]),
            Some(2),
            4.5,
            Vec3::Y,
        ),
        (ray([8.3, 0.0, 0.2], [1.0, 0.0, 0.0]), Some(2), 0.7, Vec3::X),
        (
            ray([20.0, 0.4, 0.2], [-1.0, 0.0, 0.0]),
            Some(2),
            11.0,
            Vec3::X,
        ),
    ];
    let rays: Vec<_> = cases.iter().map(|case| case.0).collect();
    for solids in [true, false] {
        let options = RayOptions {
            solids,
            ..RayOptions::default()
        };
        let got = queries
            .rays(&world, &rays, &options)
            .unwrap()
            .wait()
            .unwrap();
        for ((ray, solid, distance, normal), got) in cases.iter().zip(got) {
            if solid.is_some() && !solids {
                let other = got.map(|hit| hit.body);
                assert!(matches!(other, None | Some(Some(0))), "{ray:?}: {got:?}");
                continue;
            }
            let hit = got.unwrap();
            let met = match hit.met {
                Met::Solid { solid } => Some(solid),
                _ => None,
            };
            assert_eq!((met, hit.body), (*solid, solid.is_none().then_some(0)));
            assert!((hit.distance - distance).abs() < 1e-5, "{ray:?}: {hit:?}");
            assert!(hit.normal.distance(*normal) < 1e-5, "{ray:?}: {hit:?}");
        }
    }
}

#[test]
fn moving_solids_are_met_where_they_are() {
    let mut scene = Scene::default();
    scene.bodies.push(Body::lattice("cube", [1; 3], [0.1; 3]));
    scene.world.step = Step::Fixed(0.01);
    scene.solids.push(Solid::Box {
        position: [4.0, 0.0, 0.0],
        size: [1.0; 3],
        rotation: [0.0; 3],
    });
    let mut world = World::new(context(), &scene).unwrap();
    let mut queries = Queries::new(&world).unwrap();
    let motion = RigidMotion {
        velocity: Vec3::new(30.0, 0.0, 0.0),
        ..world.solid(0).unwrap()
    };
    world.move_solid(0, motion).unwrap();
    let options = RayOptions {
        solids: true,
        ..RayOptions::default()
    };
    for steps in 0..4 {
        let ahead = [ray([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])];
        let answer = queries.rays(&world, &ahead, &options).unwrap();
        let hit = answer.wait().unwrap()[0].unwrap();
        let wanted = 2.5 + 0.3 * steps as f32;
        assert!((hit.distance - wanted).abs() < 1e-5, "{steps}: {hit:?}");
        world.step(1).unwrap();
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let world = cube();
    let mut queries = Queries::new(&world).unwrap();
    let options = RayOptions::default();
    let good = ray([0.0; 3], [1.0, 0.0, 0.0]);
    for bad in [
        ray([0.0; 3], [0.0; 3]),
        ray([0.0; 3], [f32::NAN, 0.0, 0.0]),
        ray([0.0; 3], [f32::INFINITY, 0.0, 1.0]),
        ray([f32::NAN, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ray([2e12, 0.0, 0.0], [1.0, 0.0, 0.0]),
    ] {
        let error = queries.rays(&world, &[good, bad], &options).unwrap_err();
        assert!(error.to_string().starts_with("ray 1: "), "{error}");
    }
    for reach in [f32::NAN, -1.0] {
        let options = RayOptions { reach, ..options };
        assert!(queries.rays(&world, &[good], &options).is_err());
    }
    let lost = Vec3::new(0.0, f32::NAN, 0.0);
    let error = queries.points(&world, &[Vec3::ZERO, lost], 1).unwrap_err();
    assert!(error.to_string().starts_with("point 1 is "), "{error}");
    let turned = Aabb {
        min: [1.0, 0.0, 0.0],
        max: [0.0; 3],
    };
    let error = queries.boxes(&world, &[turned], 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "box 0: min is [1, 0, 0], wanted at most its max [0, 0, 0]"
    );
    let endless = Aabb {
        min: [f64::NEG_INFINITY; 3],
        max: [0.0; 3],
    };
    assert!(queries.boxes(&world, &[endless], 1).is_err());
}

#[test]
fn nothing_is_asked_or_there() {
    let full = cube();
    let empty = World::new(context(), &Scene::default()).unwrap();
    // Made for the one, asked about the other.
    let mut queries = Queries::new(&full).unwrap();
    let options = RayOptions::default();
    let everywhere = Aabb {
        min: [-1e6; 3],
        max: [1e6; 3],
    };
    let down = ray([0.1, 2.0, 0.0], [0.0, -1.0, 0.0]);
    for (world, bodies) in [(&full, 1), (&empty, 0), (&full, 1)] {
        let none = queries.rays(world, &[], &options).unwrap().wait().unwrap();
        assert!(none.is_empty());
        let hits = queries
            .rays(world, &[down], &options)
            .unwrap()
            .wait()
            .unwrap();
        assert_eq!(hits[0].is_some(), bodies == 1);
        assert!(
            queries
                .points(world, &[], 1)
                .unwrap()
                .wait()
                .unwrap()
                .is_empty()
        );
        let held = queries
            .points(world, &[Vec3::ZERO], 1)
            .unwrap()
            .wait()
            .unwrap();
        assert_eq!(held[0].is_some(), bodies == 1);
        assert!(
            queries
                .boxes(world, &[], 1)
                .unwrap()
                .wait()
                .unwrap()
                .is_empty()
        );
        let held = queries
            .boxes(world, &[everywhere], 1)
            .unwrap()
            .wait()
            .unwrap();
        assert_eq!(held, [(0..bodies).collect::<Vec<_>>()]);
    }
}

/// Asking changes nothing, and answers are of the state that they were asked of, in whatever order they are taken.
#[test]
fn answers_are_of_their_own_time_and_leave_no_trace() {
    let mut scene = Scene {
        bodies: vec![Body::lattice("cube", [2, 2, 2], [1.0; 3])],
        ..Scene::default()
    };
    scene.bodies[0].position = [0.0, 5.0, 0.0];
    let run = |asks: bool| {
        let mut world = World::new(context(), &scene).unwrap();
        let mut queries = Queries::new(&world).unwrap();
        let down = ray([0.1, 9.0, 0.2], [0.0, -1.0, 0.0]);
        let mut answers = Vec::new();
        for _ in 0..8 {
            if asks {
                answers.push(
                    queries
                        .rays(&world, &[down], &RayOptions::default())
                        .unwrap(),
                );
            }
            world.step_frame().unwrap();
        }
        if asks {
            drop(answers.remove(3));
        }
        let height = |hits: Vec<Option<RayHit>>| hits[0].unwrap().position.y;
        let heights = answers
            .into_iter()
            .rev()
            .map(|hits| height(hits.wait().unwrap()));
        (world.state_hash().unwrap(), heights.collect::<Vec<_>>())
    };
    let (hash, heights) = run(true);
    assert_eq!(hash, run(false).0);
    assert_eq!(heights.len(), 7);
    assert!(
        heights.windows(2).all(|pair| pair[0] < pair[1]),
        "{heights:?}"
    );
    assert!((heights[6] - 5.5).abs() < 1e-5);
}
