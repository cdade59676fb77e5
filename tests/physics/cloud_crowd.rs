//! Spheres that touch much at once: whichever body comes first, surfaces with several sides, and what starts too deep.

use glam::{DQuat, DVec3};
use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::mesh::TetMesh;
use pliant::scene::{Body, MeshSource, Response, Scene};

use crate::cloud_support::*;
use crate::collide_support::*;
use crate::support::*;

/// A single sphere of 1 kg and another radius.
fn ball(position: DVec3, radius: f64) -> Body {
    Body { radius: Some(radius), ..pebble(position, DVec3::ZERO) }
}

/// Held points with the given radius.
fn held_cloud(points: &[DVec3], radius: f64) -> Body {
    Body { radius: Some(radius), pin: vec![EVERYWHERE], ..cloud(points) }
}

fn falling(bodies: Vec<Body>) -> Scene {
    let mut scene = at_step(standing(bodies), 1e-3);
    scene.world.floor = None;
    scene
}

/// A ball of 0.25 m on a net of points that are 2 cm apart: it rests on it whichever of them comes first in the scene, on
/// the four under its middle.
#[test]
fn a_ball_rests_on_a_fine_net_whichever_comes_first() {
    let (radius, point) = (0.25, 0.01);
    let at = |k: i32| 2.0 * point * (f64::from(k) - 12.5);
    let net: Vec<_> = (0..26 * 26).map(|k| DVec3::new(at(k % 26), 0.0, at(k / 26))).collect();
    let reach = radius + point;
    let rest = (reach * reach - 2.0 * point * point).sqrt();
    for ball_first in [true, false] {
        let falls = ball(DVec3::Y * (rest + 0.1), radius);
        let mut bodies = vec![falls, held_cloud(&net, point)];
        let index = if ball_first { 0 } else { 1 };
        bodies.rotate_left(index);
        let mut scene = falling(bodies);
        scene.world.friction = 0.3;
        let mut world = world(&scene);
        let end = advance(&mut world, 1.0);
        let (x, v) = state(&world, &end, index);
        assert!((x - DVec3::Y * rest).length() < 5e-4, "{ball_first}: {x}");
        assert!(v.length() < 1e-5, "{ball_first}: {v}");
        assert_eq!(world.contacts().dropped, 0);
    }
}

/// A table holds a ball that many small spheres touch.
#[test]
fn small_spheres_do_not_push_a_ball_through_a_table() {
    let (radius, point) = (0.25, 0.02);
    let ring: Vec<_> = (0..20)
        .map(|k| DQuat::from_rotation_y(f64::from(k) * 0.1 * std::f64::consts::PI))
        .map(|turn| turn * DVec3::X * (radius + point) + DVec3::Y * radius)
        .collect();
    for ring_last in [true, false] {
        let mut bodies =
            vec![table(), ball(DVec3::Y * (radius + 1e-3), radius), held_cloud(&ring, point)];
        if !ring_last {
            bodies.swap(1, 2);
        }
        let mut scene = falling(bodies);
        scene.world.friction = 0.0;
        let mut world = world(&scene);
        let end = advance(&mut world, 0.5);
        let (x, v) = state(&world, &end, if ring_last { 1 } else { 2 });
        // Its mass is split among all that touch it, so that it sinks a little until it is carried.
        assert!((x.y - radius).abs() < 0.02 * radius && v.length() < 1e-3, "{x}, {v}");
    }
}

/// A body whose upper side is a groove of 90° along z.
fn groove() -> Body {
    let mesh = TetMesh::lattice([2, 1, 6], DVec3::new(0.6, 0.3, 1.2)).unwrap();
    let bent = mesh.points.iter().map(|x| DVec3::new(x.x, x.y - 0.15 + x.x.abs(), x.z));
    let mesh = TetMesh::new(bent.collect(), mesh.tets).unwrap();
    let mut body = Body::new("groove", MeshSource::Tets(mesh));
    body.pin = table().pin;
    body
}

#[test]
fn a_ball_rests_in_a_groove_of_one_body() {
    let radius = 0.1;
    for (friction, z) in [(0.5, 0.07), (0.0, 0.07), (0.5, 0.1)] {
        let start = DVec3::new(0.03, 0.25, z);
        let mut scene = falling(vec![groove(), ball(start, radius)]);
        scene.world.friction = friction;
        let mut world = world(&scene);
        let mut fastest = 0.0_f64;
        let mut end = advance(&mut world, if friction == 0.0 { 3.0 } else { 1.5 });
        for _ in 0..20 {
            end = advance(&mut world, 0.02);
            fastest = extreme::greatest(fastest, state(&world, &end, 1).1.length());
        }
        let x = state(&world, &end, 1).0;
        let rest = 2.0_f64.sqrt() * radius;
        // Without friction it goes to and fro for a while.
        assert!(friction == 0.0 || fastest < 1e-3, "{fastest:e}");
        let sunk = if friction == 0.0 { 5e-3 } else { 1e-3 };
        assert!((x.y - rest).abs() < sunk * 1.0_f64.max(fastest * 10.0), "{x}");
    }
}

/// What is larger than the cells of a soft block is carried by all that it touches.
#[test]
fn a_ball_rests_on_cells_smaller_than_itself() {
    let mut block = brick([8, 4, 8], [0.8, 0.4, 0.8], [0.0, -0.2, 0.0], 1000.0, 3e4);
    block.pin.push(within([-9.0; 3], [9.0, -0.19, 9.0]));
    let mut heavy = ball(DVec3::new(0.03, 0.26, 0.02), 0.25);
    heavy.mass = pliant::scene::Mass::Point(10.0);
    let mut scene = falling(vec![block, heavy]);
    scene.world.friction = 0.5;
    let mut world = world(&scene);
    let end = advance(&mut world, 1.5);
    let clearance = least_clearance(&world, &end);
    let (x, _) = state(&world, &end, 1);
    let vertices = world.model().bodies[0].particles.clone();
    let within = |i: usize| end.positions[i].as_dvec3().distance(x) - 0.25;
    let deepest = vertices.map(within).fold(f64::INFINITY, extreme::least);
    assert!(clearance > -0.01 && deepest > -0.01, "{clearance}, {deepest}");
}

/// The source's response does not change velocities, so that what touches as spheres would fall ever faster on the spot.
#[test]
fn the_response_of_the_source_is_refused_with_clouds() {
    let mut scene = falling(vec![table(), pebble(DVec3::Y * 0.1, DVec3::ZERO)]);
    scene.world.response = Response::Source;
    let error = World::new(context(), &scene).unwrap_err().to_string();
    let parts = ["world.response", "\"source\" with body \"body 1\"", "\"impulse\""];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    scene.bodies.pop();
    scene.bodies.push(brick([1; 3], [0.2; 3], [0.0, 0.2, 0.0], 500.0, 1e5));
    World::new(context(), &scene).unwrap();
}

/// Deeper inside than its radius a sphere finds the nearest penetration vector.
#[test]
fn spheres_that_start_inside_come_out() {
    let points = [DVec3::ZERO, DVec3::new(0.1, 0.02, 0.0), DVec3::new(0.0, -0.02, 0.1)];
    let mut inside = cloud(&points);
    inside.position = [0.03, -0.14, 0.02];
    let mut scene = at_step(meeting([table(), inside]), 1e-3);
    scene.world.drag = 1.0;
    let mut world = world(&scene);
    let mut end = advance(&mut world, 1e-3);
    assert!(least_clearance(&world, &end) < -0.15);
    end = advance(&mut world, 4.0);
    let clearance = least_clearance(&world, &end);
    assert!(clearance > -0.02 * R, "{clearance}");
}
