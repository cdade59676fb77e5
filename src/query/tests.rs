//! What the library makes of the kernels' answers, which `pliant verify` compares with brute force in f64.
use glam::{DVec3, Vec3};

use super::{Aabb, Met, Part, Queries, Ray, RayHit, RayOptions};
use crate::mesh::Surface;
use crate::scene::{Body, Fem, MeshSource, Scene, ShapeMatching, Solid, Step};
use crate::world::RigidMotion;
use crate::{Context, Pending, Result, World};

fn context() -> &'static Context {
    Context::of_tests()
}

fn world(scene: &Scene) -> World {
    World::new(context(), scene).unwrap()
}

fn bodies(hits: &[Option<RayHit>]) -> Vec<Option<usize>> {
    hits.iter().map(|hit| hit.and_then(|hit| hit.body)).collect()
}

/// An answer, waiting for it.
fn now<T>(asked: Result<Pending<T>>) -> T {
    asked.and_then(Pending::wait).unwrap()
}

/// What asks for bodies of some groups.
fn of(mask: u32) -> RayOptions {
    RayOptions { mask, ..RayOptions::default() }
}

/// Four metres apart along x a cube of springs, one of finite elements, one of clusters, a cloud and a sheet, each in a group
/// of its own.
fn all_kinds() -> Scene {
    let cube = || Body::lattice("", [2; 3], [1.0; 3]);
    let [mut fem, mut shape] = [cube(), cube()];
    (fem.kind, shape.kind) = (Fem::new(1e5, 0.3).into(), ShapeMatching::default().into());
    let ball = |x: f64| DVec3::new(x, 0.0, 0.0);
    let points = (-1..=1).map(|k| ball(0.5 * f64::from(k))).collect();
    let mut cloud = Body::new("", MeshSource::Points(points));
    cloud.kind = ShapeMatching::default().into();
    let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
    let corners = corners.map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
    let surface = Surface::new(corners, vec![[0, 1, 2], [2, 1, 3]], None).unwrap();
    let mut sheet = Body::new("", MeshSource::Surface { surface, cells: 1 });
    sheet.shell = true;
    let mut bodies = vec![cube(), fem, shape, cloud, sheet];
    for (k, body) in bodies.iter_mut().enumerate() {
        (body.name, body.group) = (format!("body {k}"), 1 << k);
        body.position = [4.0 * k as f64, 0.0, 0.0];
        if k > 2 {
            body.radius = Some(0.25);
        }
    }
    Scene { bodies, ..Scene::default() }
}

/// A place in each of them, where it does not matter which part is the nearest.
fn places() -> Vec<Vec3> {
    let place = |k: usize| match k {
        4 => Vec3::new(16.9, 0.05, 0.9),
        _ => Vec3::new(4.0 * k as f32 + 0.1, 0.05, 0.02),
    };
    (0..5).map(place).collect()
}

/// The bodies that are asked about, each in its place.
fn asked(mask: u32) -> Vec<Option<usize>> {
    (0..5).map(|k| (mask & 1 << k != 0).then_some(k)).collect()
}

/// Triangles of solid bodies and sheets, spheres of clouds; by the scene's groups, or the caller's, of which some may be
/// missing.
#[test]
fn rays_meet_bodies_of_all_kinds() {
    let world = world(&all_kinds());
    let mut queries = Queries::new(&world).unwrap();
    let model = world.model();
    let down = places().into_iter();
    let down: Vec<_> = down.map(|x| ray([x.x, 3.0, x.z], [0.0, -1.0, 0.0])).collect();
    for mask in [u32::MAX, 0b01101, 0] {
        let hits = now(queries.rays(&world, &down, &of(mask)));
        for hit in hits.iter().flatten() {
            let body = hit.body.unwrap();
            match hit.met {
                Met::Triangle { triangle, .. } if body != 3 => {
                    assert!(model.bodies[body].triangles.contains(&triangle));
                }
                Met::Sphere { particle } if body == 3 => {
                    assert!(model.bodies[body].particles.contains(&particle));
                }
                _ => panic!("{hit:?}"),
            }
        }
        assert_eq!(bodies(&hits), asked(mask));
    }
    for (groups, wanted) in [(Some(vec![0, 1, 0, 1]), 0b01010), (None, u32::MAX)] {
        queries.set_groups(groups);
        let hits = now(queries.rays(&world, &down, &of(u32::MAX)));
        assert_eq!(bodies(&hits), asked(wanted));
    }
}

/// Tetrahedra of solid bodies, spheres of clouds and sheets.
#[test]
fn bodies_of_all_kinds_hold_points_and_lie_in_boxes() {
    let world = world(&all_kinds());
    let mut queries = Queries::new(&world).unwrap();
    let (model, places) = (world.model(), places());
    let around = |place: &Vec3| Aabb {
        min: (place.as_dvec3() - 0.01).to_array(),
        max: (place.as_dvec3() + 0.01).to_array(),
    };
    let boxes: Vec<_> = places.iter().map(around).collect();
    for mask in [u32::MAX, 0b01101, 0] {
        let held = now(queries.points(&world, &places, mask));
        for hit in held.iter().flatten() {
            let body = &model.bodies[hit.body];
            match hit.part {
                Part::Tetrahedron { tetrahedron, .. } if hit.body < 3 => {
                    assert!(body.tets.contains(&tetrahedron));
                }
                Part::Sphere { particle, .. } if hit.body > 2 => {
                    assert!(body.particles.contains(&particle));
                }
                _ => panic!("{hit:?}"),
            }
        }
        let bodies = held.iter().map(|hit| hit.map(|hit| hit.body));
        assert_eq!(bodies.collect::<Vec<_>>(), asked(mask));
        let found = now(queries.boxes(&world, &boxes, mask));
        let wanted = asked(mask).into_iter().map(Vec::from_iter);
        assert_eq!(found, wanted.collect::<Vec<_>>());
    }
}

/// A lattice cube of two cells an edge about the origin.
fn cube() -> World {
    let bodies = vec![Body::lattice("cube", [2, 2, 2], [1.0; 3])];
    world(&Scene { bodies, ..Scene::default() })
}

fn ray(origin: [f32; 3], direction: [f32; 3]) -> Ray {
    Ray { origin: origin.into(), direction: direction.into() }
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
    let mut ask = |reach: f32| {
        let options = RayOptions { reach, ..of(u32::MAX) };
        now(queries.rays(&world, &rays, &options))
    };
    let got = ask(f32::INFINITY);
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
    assert_eq!([ask(f32::INFINITY), ask(2.0)], [got.clone(), got]);
    assert_eq!(ask(1.4).iter().flatten().count(), 3);
    // In the plane of a face: it may meet it or not.
    for ray in [
        ray([-2.0, 0.5, 0.1], [1.0, 0.0, 0.0]),
        ray([-2.0, 0.5, 0.5], [1.0, 0.0, 0.0]),
        ray([0.0, 0.5, 0.0], [0.3, 0.0, 0.7]),
    ] {
        if let Some(hit) = now(queries.rays(&world, &[ray], &of(u32::MAX)))[0] {
            let on = hit.position.abs().max_element() < 0.50001;
            assert!(on && hit.distance.is_finite(), "{hit:?}");
        }
    }
}

/// Of two bodies at one place the first is met, and the first triangle of several at a corner.
#[test]
fn ties_go_to_the_lowest() {
    let cube = |(name, group)| Body { group, ..Body::lattice(name, [2; 3], [1.0; 3]) };
    let cubes = [("one", 1), ("same", 2)].map(cube).into();
    let world = world(&Scene { bodies: cubes, ..Scene::default() });
    let mut queries = Queries::new(&world).unwrap();
    let down = [ray([0.1, 2.0, 0.2], [0.0, -1.0, 0.0]), ray([0.0, 2.0, 0.0], [0.0, -1.0, 0.0])];
    for (mask, wanted) in [(u32::MAX, 0), (1, 0), (2, 1)] {
        let hits = now(queries.rays(&world, &down, &of(mask)));
        assert_eq!(bodies(&hits), [Some(wanted); 2]);
        let points = [Vec3::new(0.1, 0.2, 0.3), Vec3::ZERO, Vec3::splat(0.5)];
        let held = now(queries.points(&world, &points, mask));
        let bodies = held.iter().map(|hit| hit.unwrap().body);
        assert_eq!(bodies.collect::<Vec<_>>(), [wanted; 3]);
    }
    let corner = now(queries.rays(&world, &down[1..], &of(u32::MAX)));
    let Met::Triangle { triangle, .. } = corner[0].unwrap().met else {
        panic!("a triangle was there");
    };
    let particles = world.particles().read(context()).unwrap();
    let there = |i: &u32| particles[*i as usize].position == 0.5 * Vec3::Y;
    let mut triangles = world.model().triangles.iter();
    let around = triangles.position(|corners| corners.iter().any(there));
    assert_eq!(around, Some(triangle));
}

/// The floor is the first of them.
#[test]
fn solids_are_met_where_they_are_asked_for() {
    let mut scene = cube().scene().clone();
    scene.world.floor = Some(-2.0);
    scene.solids.push(Solid::sphere([4.0, 0.0, 0.0], 1.0));
    let world = world(&scene);
    let mut queries = Queries::new(&world).unwrap();
    let down = [0.2, 2.0, 4.0].map(|x| ray([x, 5.0, 0.0], [0.0, -1.0, 0.0]));
    for (solids, wanted) in [(true, [None, Some(0), Some(1)]), (false, [None; 3])] {
        let options = RayOptions { solids, ..of(u32::MAX) };
        let hits = now(queries.rays(&world, &down, &options));
        let met = hits.iter().map(|hit| match hit.map(|hit| hit.met) {
            Some(Met::Solid { solid }) => Some(solid),
            _ => None,
        });
        assert_eq!(met.collect::<Vec<_>>(), wanted);
        let bodies = hits.iter().flatten().map(|hit| hit.body);
        let all = [Some(0), None, None];
        assert_eq!(bodies.collect::<Vec<_>>(), all[..if solids { 3 } else { 1 }]);
    }
}

#[test]
fn moving_solids_are_met_where_they_are() {
    let mut scene = cube().scene().clone();
    scene.world.step = Step::Fixed(0.01);
    scene.solids.push(Solid::cuboid([4.0, 0.0, 0.0], [1.0; 3]));
    let mut world = world(&scene);
    let mut queries = Queries::new(&world).unwrap();
    let motion = RigidMotion { velocity: Vec3::new(30.0, 0.0, 0.0), ..world.solid(0).unwrap() };
    world.move_solid(0, motion).unwrap();
    let options = RayOptions { solids: true, ..of(u32::MAX) };
    for steps in 0..4 {
        let ahead = [ray([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])];
        let hit = now(queries.rays(&world, &ahead, &options))[0].unwrap();
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
    let turned = Aabb { min: [1.0, 0.0, 0.0], max: [0.0; 3] };
    let error = queries.boxes(&world, &[turned], 1).unwrap_err();
    assert_eq!(error.to_string(), "box 0: min is [1, 0, 0], wanted at most its max [0, 0, 0]");
    let endless = Aabb { min: [f64::NEG_INFINITY; 3], max: [0.0; 3] };
    assert!(queries.boxes(&world, &[endless], 1).is_err());
}

#[test]
fn nothing_is_asked_or_there() {
    let full = cube();
    let empty = world(&Scene::default());
    // Made for the one, asked about the other.
    let mut queries = Queries::new(&full).unwrap();
    let [min, max] = [[-1e6; 3], [1e6; 3]];
    let down = ray([0.1, 2.0, 0.0], [0.0, -1.0, 0.0]);
    for (world, bodies) in [(&full, 1), (&empty, 0), (&full, 1)] {
        assert!(now(queries.rays(world, &[], &of(1))).is_empty());
        let hits = now(queries.rays(world, &[down], &of(1)));
        assert_eq!(hits[0].is_some(), bodies == 1);
        assert!(now(queries.points(world, &[], 1)).is_empty());
        let held = now(queries.points(world, &[Vec3::ZERO], 1));
        assert_eq!(held[0].is_some(), bodies == 1);
        assert!(now(queries.boxes(world, &[], 1)).is_empty());
        let held = now(queries.boxes(world, &[Aabb { min, max }], 1));
        assert_eq!(held, [(0..bodies).collect::<Vec<_>>()]);
    }
}

/// Asking changes nothing, and answers are of the state that they were asked of, in whatever order they are taken.
#[test]
fn answers_are_of_their_own_time_and_leave_no_trace() {
    let mut scene = cube().scene().clone();
    scene.bodies[0].position = [0.0, 5.0, 0.0];
    let run = |asks: bool| {
        let mut world = world(&scene);
        let mut queries = Queries::new(&world).unwrap();
        let down = ray([0.1, 9.0, 0.2], [0.0, -1.0, 0.0]);
        let mut answers = Vec::new();
        for _ in 0..8 {
            if asks {
                answers.push(queries.rays(&world, &[down], &of(u32::MAX)).unwrap());
            }
            world.step_frame().unwrap();
        }
        if asks {
            drop(answers.remove(3));
        }
        let answers = answers.into_iter().rev();
        let heights = answers.map(|hits| hits.wait().unwrap()[0].unwrap().position.y);
        (world.state_hash().unwrap(), heights.collect::<Vec<_>>())
    };
    let (hash, heights) = run(true);
    assert_eq!(hash, run(false).0);
    assert_eq!(heights.len(), 7);
    assert!(heights.is_sorted(), "{heights:?}");
    assert!((heights[6] - 5.5).abs() < 1e-5);
}
