//! Edges that pass through other bodies while no particle is inside.

use glam::DVec3;

use super::shapes::{PLAIN, Random, Shape, block, cube, scene, two_cubes};
use crate::reference::contact::detect::{EdgePassage, detect, edge_passages};
use crate::reference::contact::geometry::interval_in_tet;
use crate::reference::contact::penetration::edge_penetrations;
use crate::reference::contact::triangles::{Contact, Outcome};
use crate::reference::contact::{BodyContact, Record, Scene};

/// A roof with its ridge along z at x = 0, y = 0 and both slopes falling by `slope`.
fn roof(slope: f64) -> Shape {
    let prism = |x: DVec3| {
        let across = x.x - 1.0;
        DVec3::new(
            across,
            x.y * (1.0 - slope * across.abs()) - 3.0 * (1.0 - x.y),
            x.z,
        )
    };
    block([2, 1, 1], DVec3::new(1.0, 1.0, 1.0))
        .map(prism)
        .shifted(DVec3::new(0.0, -1.0, -0.45))
}

/// A tetrahedron that lies across with its lowest edge from x = −2 to 1.5, at z = 0 and `depth` below the ridge.
fn beam(depth: f64) -> Shape {
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

/// The passages of a scene and what is found with them.
fn passages(scene: &Scene) -> Vec<EdgePassage> {
    let found = detect(scene);
    edge_passages(scene, &found.tested, &found.pairs, &found.records)
}

#[test]
fn an_edge_across_a_ridge_is_pushed_straight_up() {
    for margin in [0.0, 0.01] {
        let body = BodyContact { margin, ..PLAIN };
        let scene = scene(&[roof(0.5), beam(0.1)], body);
        let found = detect(&scene);
        let contacts: Vec<_> = found
            .contacts
            .iter()
            .filter(|c| {
                c.points
                    == [
                        (12, c.points[0].1),
                        (13, c.points.get(1).map_or(0.0, |p| p.1)),
                    ]
            })
            .collect();
        assert_eq!(contacts.len(), 1, "{:?}", found.contacts);
        let contact = contacts[0];
        assert_eq!(contact.body, 0);
        assert!(
            (contact.direction - DVec3::Y).length() < 0.02,
            "{contact:?}"
        );
        assert!((contact.depth - 0.1).abs() < 5e-3, "{contact:?}");
        if margin == 0.0 {
            // inside for |x| < 0.2, so the middle is above x = 0, 4/7 along the edge
            assert!((contact.points[1].1 - 4.0 / 7.0).abs() < 1e-12);
            assert!((contact.direction - DVec3::Y).length() < 1e-12);
            assert!((contact.depth - 0.1).abs() < 1e-12);
            assert!((contact.estimate - 0.1).abs() < 1e-12);
        }
    }
}

#[test]
fn ends_inside_make_no_passage() {
    let mut scene = scene(&[roof(0.5), beam(0.1)], PLAIN);
    assert!(!passages(&scene).is_empty());
    scene.position[12].x = -0.1;
    let of_edge = |p: &EdgePassage| p.record.feature == scene.position.len() + lowest(&scene);
    assert!(!passages(&scene).iter().any(of_edge));
}

/// The index of the beam's lowest edge.
fn lowest(scene: &Scene) -> usize {
    let edges = scene.surface_edges();
    edges.iter().position(|e| *e == [12, 13]).unwrap()
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
    assert_eq!(slab(3.41), Outcome::Undirected);
}

#[test]
fn the_first_stretch_counts() {
    // two towers, one body
    let mut towers = block([1; 3], DVec3::new(0.4, 3.0, 0.8)).shifted(DVec3::new(-1.2, -3.0, -0.4));
    let second = towers.clone().shifted(DVec3::X * 1.5);
    towers
        .tets
        .extend(second.tets.iter().map(|t| t.map(|c| c + 8)));
    towers.position.extend(second.position);
    let scene = scene(&[towers, beam(0.1)], PLAIN);
    let edges = scene.surface_edges();
    let lowest = edges.iter().position(|e| *e == [16, 17]).unwrap();
    let all = passages(&scene);
    let passage = all
        .iter()
        .find(|p| p.record.feature == scene.position.len() + lowest)
        .unwrap();
    // inside from x = −1.2 to −0.8
    assert!((passage.enter.t - 0.8 / 3.5).abs() < 1e-12);
    assert!((passage.leave.t - 1.2 / 3.5).abs() < 1e-12);
    assert!((passage.record.along - 1.0 / 3.5).abs() < 1e-12);
    let way = edge_penetrations(&scene, &scene.position, &[*passage])[0].unwrap();
    assert!((way.direction - DVec3::Y).length() < 1e-12 && (way.depth - 0.1).abs() < 1e-12);
}

#[test]
fn crossed_bars_push_each_other_apart() {
    let bar = block([3, 1, 1], DVec3::new(1.0, 0.2, 0.2)).shifted(DVec3::new(-1.5, -0.1, -0.1));
    let tilted = bar.clone().map(|x| {
        let turned = glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4) * x;
        DVec3::new(-turned.z, turned.y + 0.2, turned.x)
    });
    let level = bar.map(|x| glam::DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4) * x);
    let scene = scene(&[level, tilted], PLAIN);
    let found = detect(&scene);
    let particle = |r: &Record| r.feature < scene.position.len();
    assert!(!found.records.iter().any(particle), "no particle is inside");
    assert!(!found.contacts.is_empty());
    // the edges that meet are along the bars, not the diagonals of their faces
    let along = |c: &&Contact| {
        let x = c.points.iter().map(|(i, _)| scene.position[*i]);
        let way: DVec3 = x.reduce(|a, b| b - a).unwrap();
        way.y.abs() < 1e-12 && (way.length() - 1.0).abs() < 1e-12
    };
    let mut sharp = 0;
    for contact in found.contacts.iter().filter(along) {
        sharp += 1;
        let up = if contact.body == 0 {
            DVec3::Y
        } else {
            DVec3::NEG_Y
        };
        assert!((contact.direction - up).length() < 1e-9, "{contact:?}");
        let overlap = 2.0 * 0.02_f64.sqrt() - 0.2;
        assert!((contact.depth - overlap).abs() < 1e-9, "{contact:?}");
    }
    assert_eq!(sharp, 2);
}

#[test]
fn edges_in_a_contact_plane_are_not_pushed_sideways() {
    // cubes of one cell set on each other, turned: no particle of one is inside the other
    let body = BodyContact {
        margin: 0.002,
        ..PLAIN
    };
    for turn in [0.3, 0.785] {
        let turn = glam::DQuat::from_rotation_y(turn);
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

#[test]
fn two_sharp_ridges_cross() {
    // slopes of 75°: the depth along r is almost four times that along the face's normal
    let scene = scene(&[roof(75.0_f64.to_radians().tan()), beam(0.1)], PLAIN);
    let edge = scene.position.len() + lowest(&scene);
    let found = detect(&scene);
    let contact = found.contacts.iter().find(|c| c.feature == edge).unwrap();
    assert!((contact.direction - DVec3::Y).length() < 1e-12);
    assert!((contact.depth - 0.1).abs() < 1e-12);
    assert!((contact.estimate - 0.1).abs() < 1e-12);
}

/// The first stretch of the segment inside the body's tetrahedra, by joining their intervals.
fn first_stretch(scene: &Scene, body: usize, from: DVec3, to: DVec3) -> Option<[f64; 2]> {
    let tets = scene.tets_of_bodies();
    let interval = |&t: &usize| interval_in_tet(scene, t, from, to - from, 1.0, 0.0);
    let mut intervals: Vec<_> = tets[body].iter().filter_map(interval).collect();
    intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut stretch = *intervals.first()?;
    for [start, end] in intervals {
        if start > stretch[1] + 1e-9 {
            break;
        }
        stretch[1] = stretch[1].max(end);
    }
    Some(stretch)
}

#[test]
fn passages_are_the_stretches_inside_tetrahedra() {
    let mut compared = 0;
    for seed in 1..60 {
        let mut scene = two_cubes(2, seed, PLAIN);
        let mut random = Random(seed + 500);
        for x in &mut scene.position {
            *x += 0.1 * random.vector();
        }
        let edges = scene.surface_edges();
        let found = detect(&scene);
        let passages = passages(&scene);
        let inside = |i: usize| found.records.iter().any(|r| r.feature == i);
        for (e, &[a, b]) in edges.iter().enumerate() {
            let other = 1 - scene.body[a];
            let stretch = first_stretch(&scene, other, scene.position[a], scene.position[b]);
            let passage = passages
                .iter()
                .find(|p| p.record.feature == scene.position.len() + e);
            if inside(a) || inside(b) {
                assert!(passage.is_none());
                continue;
            }
            // stretches that hardly graze the body are a matter of rounding
            let stretch = stretch.filter(|s| s[1] - s[0] > 1e-9);
            assert_eq!(stretch.is_some(), passage.is_some(), "seed {seed} edge {e}");
            if let (Some(stretch), Some(passage)) = (stretch, passage) {
                assert!((stretch[0] - passage.enter.t).abs() < 1e-9);
                assert!((stretch[1] - passage.leave.t).abs() < 1e-9);
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn surface_edges_are_listed_once_body_by_body() {
    let scene = scene(&[cube(1), cube(2)], PLAIN);
    let edges = scene.surface_edges();
    // Euler: edges = 3/2 triangles
    assert_eq!(edges.len(), scene.surface.len() * 3 / 2);
    assert!(edges.is_sorted() && edges.iter().all(|[a, b]| a < b));
}
