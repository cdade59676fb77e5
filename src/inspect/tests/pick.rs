//! What the pointer meets, against brute force over what is drawn.

use crate::extreme;
use glam::{DVec3, Vec3};

use super::{all_kinds, context, settled, world};
use crate::World;
use crate::inspect::{Inspector, Pointer, Ray};
use crate::reference::inspect::pick as reference;
use crate::verify::Random;

/// A world some time after its bodies have touched, drawn.
fn drawn() -> World {
    let mut world = settled(&all_kinds(), 16);
    world.update_skin();
    world
}

fn exact(ray: Ray) -> reference::Ray {
    reference::Ray {
        origin: ray.origin.as_dvec3(),
        direction: ray.direction.as_dvec3().normalize(),
    }
}

/// Each body's nearest hit, by brute force.
fn hits(world: &World, ray: &reference::Ray) -> Vec<Option<f64>> {
    let (skin, indices) = world.skin();
    let vertices = skin.positions.read(context()).unwrap();
    let indices = indices.read(context()).unwrap();
    let particles = world.particles().read(context()).unwrap();
    let model = world.model();
    let shown = model.bodies.iter().zip(&model.skin.bodies);
    let least = |(body, shown): (&crate::model::BodyRanges, &crate::model::SkinRanges)| {
        let corner = |i: u32| vertices[i as usize].truncate().as_dvec3();
        let mut found = Vec::new();
        if shown.triangles.is_empty() {
            let centres = particles[body.particles.clone()].iter();
            found.extend(centres.filter_map(|p| ray.sphere(p.position.as_dvec3(), body.radius)));
        }
        for t in shown.triangles.clone() {
            let corners = [0, 1, 2].map(|k| corner(indices[3 * t + k]));
            found.extend(ray.triangle(corners));
        }
        found.into_iter().min_by(f64::total_cmp)
    };
    shown.map(least).collect()
}

#[test]
fn rays_meet_what_is_drawn() {
    let world = drawn();
    let mut inspector = Inspector::new(&world);
    let mut random = Random::new(5);
    let particles = world.particles().read(context()).unwrap();
    let (mut met, mut missed) = (0, 0);
    let mut bodies = [0; 6];
    for k in 0..120 {
        let origin = DVec3::new(1.0, 0.8, 0.0) + random.vector(if k % 3 == 0 { 0.8 } else { 5.0 });
        let aim = particles[random.index(0, particles.len())].position;
        let aim = aim.as_dvec3() + random.vector(0.2);
        let ray = Ray {
            origin: origin.as_vec3(),
            direction: (aim - origin).as_vec3(),
        };
        let ray_exact = exact(ray);
        let visible: Vec<bool> = (0..6).map(|b| b != k % 7).collect();
        let mut wanted = hits(&world, &ray_exact);
        for (hit, visible) in wanted.iter_mut().zip(&visible) {
            *hit = hit.filter(|_| *visible);
        }
        let nearest = wanted
            .iter()
            .flatten()
            .copied()
            .fold(f64::INFINITY, extreme::least);
        let got = inspector.pick(&world, ray, &visible).unwrap();
        let Some(hit) = got else {
            assert!(
                nearest.is_infinite(),
                "{ray:?} should meet something at {nearest}"
            );
            missed += 1;
            continue;
        };
        met += 1;
        bodies[hit.body] += 1;
        let near = |want: f64| (f64::from(hit.distance) - want).abs() < 1e-4;
        assert!(near(nearest), "{ray:?}: {hit:?}, wanted {nearest}");
        assert!(
            wanted[hit.body].is_some_and(near),
            "{ray:?}: {hit:?}, wanted {wanted:?}"
        );
        let place = ray_exact.origin + nearest * ray_exact.direction;
        assert!(hit.point.as_dvec3().distance(place) < 1e-4);
    }
    println!("{met} rays meet bodies {bodies:?}, {missed} miss");
    assert!(met > 50 && missed > 10 && bodies.iter().all(|count| *count > 0));
}

#[test]
fn the_nearest_particle_is_found() {
    let world = drawn();
    let mut inspector = Inspector::new(&world);
    let mut random = Random::new(6);
    let particles = world.particles().read(context()).unwrap();
    for k in 0..30 {
        let body = k % 6;
        let origin = (DVec3::new(1.0, 0.8, 0.0) + random.vector(3.0)).as_vec3();
        let direction = (random.vector(1.0)).as_vec3();
        let (to, ray) = match k % 2 == 0 {
            true => {
                let ray = Ray { origin, direction };
                (Pointer::from(ray), exact(ray))
            }
            false => {
                let (origin, direction) = (origin.as_dvec3(), DVec3::ZERO);
                (
                    Pointer::from(origin.as_vec3()),
                    reference::Ray { origin, direction },
                )
            }
        };
        let range = world.model().bodies[body].particles.clone();
        let distance = |i: u32| ray.distance(particles[i as usize].position.as_dvec3());
        let all = (range.start as u32..range.end as u32).map(|i| (i, Some(distance(i))));
        let (_, wanted) = reference::least(all).unwrap();
        let grip = inspector.nearest(&world, body, to).unwrap();
        assert!(range.contains(&grip.particle));
        assert_eq!(grip.position, particles[grip.particle].position);
        let got = distance(grip.particle as u32);
        assert!((got - wanted).abs() < 1e-5, "{got}, wanted {wanted}");
    }
    let body = world.model().bodies.len();
    assert!(inspector.nearest(&world, body, Vec3::ZERO).is_err());
}

/// Along a face and an edge of a cube at rest, from inside it, from a corner: some answer that lies on the ray.
#[test]
fn odd_rays_are_answered() {
    let cube = crate::scene::Body::lattice("cube", [4, 4, 4], [1.0; 3]);
    let scene = crate::Scene {
        bodies: vec![cube],
        ..Default::default()
    };
    let mut world = world(&scene);
    world.update_skin();
    let mut inspector = Inspector::new(&world);
    let ray = |origin: [f32; 3], direction: [f32; 3]| Ray {
        origin: origin.into(),
        direction: direction.into(),
    };
    for (ray, wanted) in [
        // Through a vertex of the mesh, along an edge of its triangles.
        (ray([0.0, 2.0, 0.0], [0.0, -1.0, 0.0]), Some(1.5)),
        (ray([0.0, 2.0, 0.1], [0.0, -1e-20, 0.0]), Some(1.5)),
        (ray([0.25, 2.0, 0.0], [0.0, -1e20, 0.0]), Some(1.5)),
        (ray([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]), Some(0.5)),
        (
            ray([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
            Some(0.5 * 3f32.sqrt()),
        ),
        (ray([0.0, 2.0, 0.0], [0.0, 1.0, 0.0]), None),
        (ray([2.0, 0.3, 0.3], [0.0, -1.0, 0.0]), None),
    ] {
        let hit = inspector.pick(&world, ray, &[true]).unwrap();
        let distance = hit.map(|hit| hit.distance);
        match (distance, wanted) {
            (Some(got), Some(wanted)) => assert!((got - wanted).abs() < 1e-5, "{ray:?}: {got}"),
            other => assert_eq!(distance, wanted, "{ray:?}: {other:?}"),
        }
        assert_eq!(inspector.pick(&world, ray, &[]).unwrap(), None);
    }
    // In the plane of a face: it may meet it or not.
    for ray in [
        ray([-2.0, 0.5, 0.1], [1.0, 0.0, 0.0]),
        ray([-2.0, 0.5, 0.5], [1.0, 0.0, 0.0]),
        ray([0.0, 0.5, 0.0], [0.3, 0.0, 0.7]),
    ] {
        if let Some(hit) = inspector.pick(&world, ray, &[true]).unwrap() {
            assert!(hit.distance.is_finite() && hit.point.is_finite(), "{hit:?}");
            assert!(hit.point.abs().max_element() < 0.5 + 1e-5, "{hit:?}");
        }
    }
    for direction in [[0.0; 3], [f32::NAN, 0.0, 0.0], [f32::INFINITY, 0.0, 1.0]] {
        assert!(
            inspector
                .pick(&world, ray([0.0; 3], direction), &[true])
                .is_err()
        );
    }
    let lost = Vec3::splat(f32::NAN);
    assert!(inspector.nearest(&world, 0, lost).is_err());
}
