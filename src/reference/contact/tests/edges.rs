//! Edges that pass through other bodies while no particle is inside.

use std::f64::consts::FRAC_PI_4;

use glam::{DQuat, DVec3};

use super::shapes::{PLAIN, Random, Shape, block, cube, scene, two_cubes};
use crate::reference::contact::boxes::{body_boxes, body_pairs};
use crate::reference::contact::detect::detect;
use crate::reference::contact::edges::{EdgeWay, Edges, edge_records};
use crate::reference::contact::geometry::interval_in_tet;
use crate::reference::contact::triangles::{Contact, Outcome};
use crate::reference::contact::{BodyContact, Record, Scene};

/// A roof with its ridge along z at x = 0, y = 0 and both slopes falling by `slope`.
pub fn roof(slope: f64) -> Shape {
    let prism = |x: DVec3| {
        let across = x.x - 1.0;
        DVec3::new(across, x.y * (1.0 - slope * across.abs()) - 3.0 * (1.0 - x.y), x.z)
    };
    block([2, 1, 1], DVec3::new(1.0, 1.0, 1.0)).map(prism).shifted(DVec3::new(0.0, -1.0, -0.45))
}

/// Two towers that are one body, their tops at y = 0.
pub fn towers() -> Shape {
    let tower = block([1; 3], DVec3::new(0.4, 3.0, 0.8)).shifted(DVec3::new(-1.2, -3.0, -0.4));
    tower.clone().joined(&tower.shifted(DVec3::X * 1.5))
}

/// A tetrahedron that lies across with its lowest edge from x = −2 to 1.5, at z = 0 and `depth` below the ridge.
pub fn beam(depth: f64) -> Shape {
    Shape {
        position: vec![
            DVec3::new(-2.0, -depth, 0.0),
            DVec3::new(1.5, -depth, 0.0),
            DVec3::new(0.0, 2.0, -1.0),
            DVec3::new(0.0, 2.0, 1.0),
        ],
        tets: vec![[0, 1, 2, 3]],
    }
}

/// The records of a scene's edges.
fn records(scene: &Scene, tested: &[DVec3]) -> Vec<Record> {
    let pairs = body_pairs(scene, &body_boxes(scene));
    edge_records(scene, tested, &pairs)
}

/// The record of the edge between two particles.
pub fn record_at(scene: &Scene, tested: &[DVec3], ends: [usize; 2]) -> Option<Record> {
    let edge = scene.surface_edges().iter().position(|e| *e == ends)?;
    let feature = scene.position.len() + edge;
    records(scene, tested).into_iter().find(|r| r.feature == feature)
}

/// The same without a margin.
pub fn record(scene: &Scene, ends: [usize; 2]) -> Option<Record> {
    record_at(scene, &scene.position, ends)
}

/// The penetration vector of the edge between two particles, without a margin.
pub fn way(scene: &Scene, ends: [usize; 2]) -> Option<EdgeWay> {
    Edges::new(scene, &scene.position).penetration_vector(ends, &record(scene, ends)?, false)
}

#[test]
fn an_edge_across_a_ridge_is_pushed_straight_up() {
    // slopes of 75°: the depth along r is almost four times that along the face's normal
    for (slope, margin) in [(0.5, 0.0), (0.5, 0.01), (75.0_f64.to_radians().tan(), 0.0)] {
        let scene = scene(&[roof(slope), beam(0.1)], BodyContact { margin, ..PLAIN });
        let lowest = scene.surface_edges().iter().position(|e| *e == [12, 13]).unwrap();
        let mut contacts = detect(&scene).contacts;
        contacts.retain(|c| c.feature == scene.position.len() + lowest);
        let [contact] = &contacts[..] else { panic!("{contacts:?}") };
        assert_eq!(contact.partner, 0);
        assert!((contact.direction - DVec3::Y).length() < 0.02, "{contact:?}");
        assert!((contact.depth - 0.1).abs() < 5e-3, "{contact:?}");
        if margin == 0.0 {
            // inside on both sides of x = 0 alike, so the middle is above that, 4/7 along the edge
            assert!((contact.points[1].1 - 4.0 / 7.0).abs() < 1e-12);
            assert!((contact.direction - DVec3::Y).length() < 1e-12);
            assert!((contact.depth - 0.1).abs() < 1e-12);
            assert!((contact.estimate - 0.1).abs() < 1e-12);
        }
    }
}

#[test]
fn a_way_longer_than_the_edge_leads_nowhere() {
    // a slab around the beam's lowest edge, 3.5 long; the tips above are outside
    let slab = |top: f64| {
        let size = DVec3::new(1.0, 2.0 + top, 4.0);
        let slab = block([1; 3], size).shifted(DVec3::new(-0.5, -2.0, -2.0));
        let mut scene = scene(&[slab, beam(0.1)], PLAIN);
        scene.position[10].y = 9.0;
        scene.position[11].y = 9.0;
        let edges = scene.surface_edges();
        let edge = edges.iter().position(|e| *e == [8, 9]).unwrap();
        let feature = scene.position.len() + edge;
        let found = detect(&scene);
        let index = found.records.iter().position(|r| r.feature == feature);
        found.outcomes[index.unwrap()]
    };
    assert!(matches!(slab(3.39), Outcome::Found(t) if (t.depth - 3.49).abs() < 1e-12));
    assert_eq!(slab(3.41), Outcome::Lost);
}

#[test]
fn the_stretch_that_comes_nearest_to_the_middle_counts() {
    // inside from x = −1.2 to −0.8 and from 0.3 to 0.7; the edge's ends are at −2 and 1.5
    for (along_x, inside) in [(-0.3, [-1.2, -0.8]), (0.3, [0.3, 0.7])] {
        let scene = scene(&[towers(), beam(0.1).shifted(along_x * DVec3::X)], PLAIN);
        let at = |x: f64| (x - along_x + 2.0) / 3.5;
        let edges = Edges::new(&scene, &scene.position);
        let stretch = edges.stretch([16, 17], &record(&scene, [16, 17]).unwrap()).unwrap();
        assert!((stretch.first - at(inside[0])).abs() < 1e-12);
        assert!((stretch.last - at(inside[1])).abs() < 1e-12);
        let way = way(&scene, [16, 17]).unwrap();
        assert!((way.along - at(0.5 * (inside[0] + inside[1]))).abs() < 1e-12);
        assert!((way.direction - DVec3::Y).length() < 1e-12 && (way.gap - 0.1).abs() < 1e-12);
    }
}

#[test]
fn crossed_bars_push_each_other_apart() {
    let bar = block([3, 1, 1], DVec3::new(1.0, 0.2, 0.2)).shifted(DVec3::new(-1.5, -0.1, -0.1));
    let edgewise = bar.map(|x| DQuat::from_rotation_x(FRAC_PI_4) * x);
    let diagonal = 2.0 * 0.02_f64.sqrt();
    for (degrees, depth) in [(90.0_f64, 0.08), (70.0, 0.08), (45.0, 0.05), (20.0, 0.01)] {
        let turn = DQuat::from_rotation_y(degrees.to_radians());
        let raise = (diagonal - depth) * DVec3::Y;
        let upper = edgewise.clone().map(|x| turn * x + raise);
        let scene = scene(&[edgewise.clone(), upper], PLAIN);
        let found = detect(&scene);
        let particle = |r: &Record| r.feature < scene.position.len();
        assert!(!found.records.iter().any(particle), "no particle is inside");
        // the edges that meet are along the bars, not the diagonals of their faces
        let along = |c: &&Contact| {
            let x = c.points.iter().map(|(i, _)| scene.position[*i]);
            let way: DVec3 = x.reduce(|a, b| b - a).unwrap();
            way.y.abs() < 1e-12 && (way.length() - 1.0).abs() < 1e-12
        };
        let sharp: Vec<_> = found.contacts.iter().filter(along).collect();
        assert_eq!(sharp.len(), 2);
        for contact in sharp {
            // along the common normal of both edges
            let up = if contact.partner == 0 { DVec3::Y } else { DVec3::NEG_Y };
            assert!((contact.direction - up).length() < 1e-9, "{contact:?}");
            assert!((contact.depth - depth).abs() < 1e-9, "{contact:?}");
        }
    }
}

#[test]
fn edges_in_a_contact_plane_are_not_pushed_sideways() {
    // cubes of one cell set on each other, turned: no particle of one is inside the other
    let body = BodyContact { margin: 0.002, ..PLAIN };
    for turn in [0.3, 0.785] {
        let turn = DQuat::from_rotation_y(turn);
        let upper = cube(1).map(|x| turn * x + DVec3::new(0.07, 0.9995, 0.05));
        let scene = scene(&[cube(1), upper], body);
        let found = detect(&scene);
        assert!(found.contacts.len() >= 8, "{}", found.contacts.len());
        for contact in &found.contacts {
            assert!(contact.feature >= scene.position.len());
            assert!(contact.direction.y.abs() > 0.99, "{contact:?}");
            assert!((contact.depth - 0.0005).abs() < 5e-5, "{contact:?}");
        }
    }
}

/// The stretch of the segment around t inside the body's tetrahedra, by joining their intervals.
fn stretch_around(scene: &Scene, body: usize, ends: [usize; 2], t: f64) -> [f64; 2] {
    let tets = scene.tets_of_bodies();
    let [a, b] = ends.map(|i| scene.position[i]);
    let interval = |&tet: &usize| interval_in_tet(scene, tet, a, b - a, 1.0, 0.0);
    let mut intervals: Vec<_> = tets[body].iter().filter_map(interval).collect();
    let mut stretch = [t, t];
    let joins = |i: &[f64; 2], s: [f64; 2]| i[0] <= s[1] + 1e-9 && i[1] >= s[0] - 1e-9;
    while let Some(next) = intervals.iter().position(|i| joins(i, stretch)) {
        let [from, to] = intervals.swap_remove(next);
        stretch = [stretch[0].min(from), stretch[1].max(to)];
    }
    stretch
}

#[test]
fn stretches_are_those_inside_tetrahedra() {
    let (mut ends_inside, mut passages) = (0, 0);
    for seed in 1..60 {
        let mut scene = two_cubes(2, seed, PLAIN);
        let mut random = Random::new(seed + 500);
        for x in &mut scene.position {
            *x += 0.1 * random.vector(1.0);
        }
        let surface_edges = scene.surface_edges();
        let edges = Edges::new(&scene, &scene.position);
        for record in records(&scene, &scene.position) {
            let ends = surface_edges[record.feature - scene.position.len()];
            let stretch = edges.stretch(ends, &record).unwrap();
            let wanted = stretch_around(&scene, record.body, ends, record.along);
            assert!((stretch.first - wanted[0]).abs() < 1e-9, "seed {seed}");
            assert!((stretch.last - wanted[1]).abs() < 1e-9, "seed {seed}");
            assert_eq!(stretch.enters.is_none(), stretch.first == 0.0);
            assert_eq!(stretch.leaves.is_none(), stretch.last == 1.0);
            if stretch.enters.is_some() && stretch.leaves.is_some() {
                passages += 1;
            } else {
                ends_inside += 1;
            }
        }
    }
    assert!(passages > 50 && ends_inside > 50, "{passages} {ends_inside}");
}

#[test]
fn surface_edges_are_listed_once_body_by_body() {
    let scene = scene(&[cube(1), cube(2)], PLAIN);
    let edges = scene.surface_edges();
    // Euler: edges = 3/2 triangles
    assert_eq!(edges.len(), scene.surface.len() * 3 / 2);
    assert!(edges.is_sorted() && edges.iter().all(|[a, b]| a < b));
}
