//! Spheres against each other and against surfaces.

use crate::extreme;
use glam::DVec3;

use super::shapes::{PLAIN, Random, Shape, add, block, cube, empty, rotation, scene};
use crate::reference::contact::detect::detect;
use crate::reference::contact::geometry::in_tet;
use crate::reference::contact::spheres::{Partner, contacts, nearest, with_body, with_triangle};
use crate::reference::contact::triangles::Contact;
use crate::reference::contact::{BodyContact, Scene};

/// Bodies of spheres of 0.1 m that are 0.3 m apart.
pub const ROUND: BodyContact = BodyContact { edge: 0.3, radius: 0.1, ..PLAIN };

/// Adds points without tetrahedra.
pub fn cloud(scene: &mut Scene, points: &[DVec3], body: BodyContact) -> usize {
    let shape = Shape { position: points.to_vec(), tets: Vec::new() };
    add(scene, &shape, body)
}

/// A scene of clouds, one after the other, all alike.
pub fn clouds(bodies: &[&[DVec3]], body: BodyContact) -> Scene {
    let mut scene = empty();
    for points in bodies {
        cloud(&mut scene, points, body);
    }
    scene
}

#[test]
fn the_nearest_point_is_nearer_than_all_others() {
    let mut random = Random::new(31);
    for _ in 0..300 {
        let [a, b, c, x] = [(); 4].map(|()| random.vector(1.0));
        let found = nearest(x, [a, b, c]).unwrap();
        let [u, v, w] = found.shares;
        assert!(found.shares.iter().all(|&s| s >= 0.0) && (u + v + w - 1.0).abs() < 1e-12);
        assert!((u * a + v * b + w * c + found.arm - x).length() < 1e-12);
        assert!((found.normal.dot(b - a).abs() + found.normal.dot(c - a).abs()) < 1e-12);
        for i in 0..=40 {
            for j in 0..=40 - i {
                let (v, w) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
                let other = (1.0 - v - w) * a + v * b + w * c;
                assert!(x.distance(other) >= found.arm.length() - 1e-12);
            }
        }
    }
    let line = [DVec3::ZERO, DVec3::X, DVec3::X * 3.0];
    assert_eq!(nearest(DVec3::Y, line), None);
}

#[test]
fn two_spheres_by_hand() {
    let touching = |apart: f64, margin: f64| {
        let body = BodyContact { margin, ..ROUND };
        contacts(&clouds(&[&[DVec3::X * apart], &[DVec3::ZERO]], body))
    };
    assert!(touching(0.2 + 1e-12, 0.0).is_empty());
    assert!(touching(0.22 + 1e-12, 0.01).is_empty());
    for apart in [0.21, 0.2, 0.05] {
        let found = touching(apart, 0.01);
        let [contact] = &found[..] else { panic!("{found:?}") };
        assert_eq!((contact.feature, contact.partner), (0, 2 + 1));
        assert_eq!(contact.participants(), [(0, 1.0), (1, -1.0)]);
        assert_eq!((contact.direction, contact.reach), (DVec3::X, 0.2));
        assert!((contact.depth - (0.2 - apart)).abs() < 1e-15);
        assert!((contact.target - (0.2 - apart).min(0.0) / 1e-3).abs() < 1e-9);
    }
    assert_eq!(touching(0.0, 0.0)[0].direction, DVec3::Y);
}

#[test]
fn spheres_touch_only_other_bodies_that_agree() {
    let near = [DVec3::ZERO, DVec3::X * 0.1];
    assert!(contacts(&clouds(&[&near], ROUND)).is_empty(), "one body");
    let mut scene = clouds(&[&near, &near], ROUND);
    let pairs: Vec<_> = contacts(&scene).iter().map(|c| (c.feature, c.partner - 2)).collect();
    assert_eq!(pairs, [(0, 2), (0, 3), (1, 2), (1, 3)]);
    scene.bodies[1].mask = 2;
    assert!(contacts(&scene).is_empty());
    scene.bodies[0].group = 2;
    assert_eq!(contacts(&scene).len(), 4);
    scene.bodies[0].radius = 0.0;
    assert!(contacts(&scene).is_empty(), "points without radius");
}

#[test]
fn the_smaller_sphere_has_the_contact() {
    let large = BodyContact { radius: 1.0, edge: 2.0, ..ROUND };
    for bodies in [[large, ROUND], [ROUND, large]] {
        let mut scene = empty();
        for body in bodies {
            cloud(&mut scene, &[DVec3::Y * body.radius], body);
        }
        let [contact] = &contacts(&scene)[..] else { panic!("one pair") };
        assert_eq!(scene.bodies[scene.body[contact.feature]].radius, 0.1);
    }
}

#[test]
fn what_comes_fast_is_met_from_further_away() {
    let meets = |apart: f64, speed: f64| {
        let mut scene = clouds(&[&[DVec3::X * apart], &[DVec3::ZERO]], ROUND);
        scene.velocity[0] = -0.75 * speed * DVec3::X + 9.0 * DVec3::Y;
        scene.velocity[1] = 0.25 * speed * DVec3::X + 9.0 * DVec3::Y;
        !contacts(&scene).is_empty()
    };
    // 20 m/s in 1 ms, and half an edge at the most
    assert!(meets(0.2199, 20.0) && !meets(0.2201, 20.0));
    assert!(!meets(0.2001, -20.0));
    assert!(meets(0.3499, 1e4) && !meets(0.3501, 1e4));
    let falls = |height: f64, speed: f64| {
        let mut scene = scene(&[cube(2)], PLAIN);
        let above = DVec3::new(0.1, 0.5 + height, 0.2);
        let first = cloud(&mut scene, &[above], ROUND);
        scene.velocity[first] = DVec3::new(9.0, -speed, 0.0);
        !contacts(&scene).is_empty()
    };
    assert!(falls(0.1199, 20.0) && !falls(0.1201, 20.0));
    assert!(!falls(0.1001, -20.0) && falls(0.0999, -20.0));
    assert!(falls(0.2499, 1e4) && !falls(0.2501, 1e4));
}

#[test]
fn a_sphere_meets_faces_edges_and_corners_of_a_cube() {
    let touched = |x: DVec3| {
        let mut scene = scene(&[cube(2)], PLAIN);
        cloud(&mut scene, &[x], ROUND);
        contacts(&scene)
    };
    // two bodies, the points of the cube, and the sphere
    let scene_words = 2 + 27;
    for (foot, out) in [
        (DVec3::new(0.5, 0.3, 0.1), DVec3::X),
        (DVec3::new(0.5, 0.5, 0.1), DVec3::new(0.6, 0.8, 0.0)),
        (DVec3::new(0.5, -0.5, 0.5), DVec3::new(2.0, -2.0, 1.0) / 3.0),
        (DVec3::new(0.0, 0.5, 0.0), DVec3::Y),
    ] {
        assert!(touched(foot + 0.101 * out).is_empty());
        for distance in [0.099, 0.05, 1e-6] {
            let found = touched(foot + distance * out);
            let [contact] = &found[..] else { panic!("{found:?}") };
            assert!(contact.partner > scene_words);
            assert!((contact.direction - out).length() < 1e-9, "{contact:?}");
            assert!((contact.depth - (0.1 - distance)).abs() < 1e-12);
            assert_eq!(contact.reach, 0.1);
        }
    }
    // inside, out of the nearest face: at a depth of 0.099 with the radius in front of it
    let [contact] = &touched(DVec3::new(0.401, 0.1, 0.03))[..] else { panic!("one body") };
    assert!((contact.direction - DVec3::X).length() < 1e-12);
    assert!((contact.depth - 0.199).abs() < 1e-12);
    // and deeper, where its surface is not seen from there
    let [contact] = &touched(DVec3::new(0.2, 0.1, 0.03))[..] else { panic!("one body") };
    assert!((contact.direction - DVec3::X).length() < 1e-12);
    assert!((contact.depth - 0.4).abs() < 1e-12);
    // on the surface, where there is no way to it, the normal tells
    let [contact] = &touched(DVec3::new(0.5, 0.1, 0.03))[..] else { panic!("one body") };
    assert_eq!((contact.direction, contact.depth), (DVec3::X, 0.1));
}

/// Near the edges and corners of blocks with dents the sign of the distance is that of a point outside or inside.
#[test]
fn the_triangle_that_counts_knows_inside_from_outside() {
    let mut random = Random::new(33);
    let mut sides = [0, 0];
    for _ in 0..20 {
        let mut shape = block([3, 2, 2], DVec3::splat(0.3));
        let tets = std::mem::take(&mut shape.tets);
        shape.tets = tets.into_iter().filter(|_| random.between(-1.0, 1.0) > -0.4).collect();
        let turn = rotation(&mut random);
        let shape = shape.map(|x| turn * (x + 0.04 * random.vector(1.0)));
        let mut scene = scene(std::slice::from_ref(&shape), PLAIN);
        let large = BodyContact { radius: 1.0, ..ROUND };
        let point = cloud(&mut scene, &[DVec3::ZERO], large);
        let triangles = scene.surface_of_bodies()[0].clone();
        for _ in 0..80 {
            let corner = shape.position
                [(random.between(-1.0, 1.0).abs() * shape.position.len() as f64) as usize];
            scene.position[point] = corner + 0.2 * random.vector(1.0);
            let x = scene.position[point];
            let inside = scene.tets.iter().any(|t| in_tet(x, t.map(|c| scene.position[c])));
            let found = with_body(&scene, point, &triangles, false).swap_remove(0);
            assert_eq!(found.distance < 0.0, inside, "{x} {found:?}");
            let least = triangles.iter().filter_map(|&t| with_triangle(&scene, point, t));
            let least = least.map(|m| m.distance.abs()).fold(f64::INFINITY, extreme::least);
            assert!(found.distance.abs() <= least * 1.001);
            sides[usize::from(inside)] += 1;
        }
    }
    assert!(sides[0] > 200 && sides[1] > 200, "{sides:?}");
}

#[test]
fn of_equally_near_triangles_the_first_counts() {
    let mut scene = scene(&[cube(1)], PLAIN);
    let point = cloud(&mut scene, &[DVec3::Y * 0.59], ROUND);
    let triangles = scene.surface_of_bodies()[0].clone();
    // on the diagonal of the upper face: in the middle both of its triangles are as near, and look at the point alike
    let above = |t: &usize| {
        let corners = scene.surface[*t];
        corners.iter().all(|&c| scene.position[c].y > 0.0)
    };
    let [first, second] = *triangles.iter().copied().filter(above).collect::<Vec<_>>() else {
        panic!("two triangles")
    };
    let found = |triangles: &[usize]| with_body(&scene, point, triangles, false)[0].partner;
    assert_eq!(found(&triangles), Partner::Triangle(first));
    assert_eq!(found(&[second]), Partner::Triangle(second));
}

/// What flies away from a thin wedge beside its edge is not held back by the face on the other side.
#[test]
fn what_moves_away_is_let_go() {
    let wedge = Shape {
        position: vec![
            DVec3::ZERO,
            DVec3::new(1.0, 0.0, -1.0),
            DVec3::new(1.0, 0.0, 1.0),
            DVec3::new(1.0, -0.1, 0.0),
        ],
        tets: vec![[0, 1, 2, 3]],
    };
    let mut scene = scene(&[wedge], PLAIN);
    let point = cloud(&mut scene, &[DVec3::new(0.1, 0.12, 0.0)], ROUND);
    scene.velocity[point] = DVec3::Y * 100.0;
    assert!(contacts(&scene).is_empty());
    scene.velocity[point] = DVec3::Y * -100.0;
    let found = contacts(&scene);
    assert!(found.len() == 1 && found[0].direction.y > 0.9, "{found:?}");
}

#[test]
fn flat_triangles_are_met_by_nobody() {
    let flat = block([1, 1, 1], DVec3::new(1.0, 0.0, 0.0));
    let mut scene = scene(&[flat], PLAIN);
    cloud(&mut scene, &[DVec3::Y * 0.05], ROUND);
    assert!(contacts(&scene).is_empty());
}

/// A sphere in a groove of one body touches both of its sides, on its ridge one edge, on a flat face of many triangles one.
#[test]
fn a_sphere_touches_each_side_of_a_groove_once() {
    let groove = block([2, 1, 4], DVec3::splat(0.5)).shifted(DVec3::new(-0.5, -0.25, -1.0));
    let groove = groove.map(|x| DVec3::new(x.x, x.y + x.x.abs(), x.z));
    let touched = |shape: &Shape, x: DVec3, radius: f64| {
        let mut scene = scene(std::slice::from_ref(shape), PLAIN);
        cloud(&mut scene, &[x], BodyContact { radius, ..ROUND });
        contacts(&scene).iter().map(|c| c.direction).collect::<Vec<_>>()
    };
    for z in [0.1, 0.0, 0.25, -0.37] {
        // 0.1 deep in sides of 45 degrees
        let found = touched(&groove, DVec3::new(0.0, 0.25 + 0.1 * 2.0_f64.sqrt() - 1e-3, z), 0.1);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].dot(found[1]).abs() < 1e-9);
        let ridge = groove.clone().map(|x| DVec3::new(x.x, x.y - 2.0 * x.x.abs(), x.z));
        let found = touched(&ridge, DVec3::new(0.0, 0.349, z), 0.1);
        assert!(found.len() == 1 && found[0].distance(DVec3::Y) < 1e-9, "{found:?}");
    }
    let fine = block([8, 2, 8], DVec3::new(0.125, 0.1, 0.125));
    let fine = fine.shifted(DVec3::new(-0.5, -0.1, -0.5));
    for x in
        [DVec3::new(0.1, 0.39, 0.03), DVec3::new(0.0, 0.39, 0.0), DVec3::new(0.125, 0.39, 0.06)]
    {
        let found = touched(&fine, x, 0.3);
        assert!(found.len() == 1 && found[0].distance(DVec3::Y) < 1e-9, "{found:?}");
    }
}

#[test]
fn a_shell_has_spheres_and_no_surface() {
    let sheet = [DVec3::ZERO, DVec3::X * 0.3, DVec3::Z * 0.3];
    let mut scene = scene(&[cube(1).shifted(DVec3::NEG_Y * 0.45)], PLAIN);
    let shell = cloud(&mut scene, &sheet, ROUND);
    scene.surface.push([shell, shell + 2, shell + 1]);
    scene.edges.push([shell, shell + 1]);
    cloud(&mut scene, &[DVec3::new(0.1, 0.12, 0.1)], ROUND);
    let found = detect(&scene);
    assert!(found.records.is_empty(), "inside the cube: {:?}", found.records);
    let of_spheres = |c: &Contact| c.feature >= shell && c.reach > 0.0;
    assert!(found.contacts.iter().all(of_spheres));
    let [on_cube, on_sheet] = [true, false].map(|triangle| {
        let of = |c: &&Contact| c.corners().is_some() == triangle;
        found.contacts.iter().filter(of).count()
    });
    assert_eq!((on_cube, on_sheet), (4, 1), "{:?}", found.contacts);
}
