//! Contact triangles, and where lines leave bodies.

use glam::DVec3;

use super::penetration_vectors::spike_in_cube;
use super::shapes::{PLAIN, Random, block, cube, scene, spike, two_cubes};
use crate::reference::contact::border::intersections;
use crate::reference::contact::detect::detect;
use crate::reference::contact::geometry::{Exits, crossing, in_tet};
use crate::reference::contact::penetration::Penetration;
use crate::reference::contact::triangles::{Outcome, contact_triangles, contacts};
use crate::reference::contact::{BodyContact, Record, Scene};

#[test]
fn the_line_crosses_a_closed_surface_in_and_out() {
    let mut random = Random::new(99);
    let scene = scene(&[cube(3)], PLAIN);
    for round in 0..300 {
        // every third line goes through a corner of the mesh, where up to eight triangles meet
        let mut origin = 2.0 * random.vector(1.0);
        let mut direction = random.vector(1.0);
        if round % 3 == 0 {
            let corner = scene.position[round % scene.position.len()];
            origin = corner - direction;
        } else if origin.abs().max_element() < 0.5 {
            origin += 2.0 * DVec3::X;
        }
        direction *= 4.0;
        let crossings: Vec<_> = (0..scene.surface.len())
            .filter_map(|t| crossing(&scene, t, origin, direction))
            .collect();
        let leaves = crossings.iter().any(|c| c.leaves(direction));
        let enters = crossings.iter().any(|c| !c.leaves(direction));
        assert!(leaves == enters || round % 3 == 0, "{crossings:?}");
    }
}

#[test]
fn the_first_exit_ends_the_chain_of_tetrahedra() {
    let mut compared = 0;
    for seed in 1..40 {
        let mut scene = two_cubes(3, seed, PLAIN);
        let mut random = Random::new(seed + 1000);
        for x in &mut scene.position {
            *x += 0.05 * random.vector(1.0);
        }
        let exits = Exits::new(&scene);
        for record in detect(&scene).records {
            if record.feature >= scene.position.len() {
                continue;
            }
            let q = scene.position[record.feature];
            for limit in [1.0, f64::INFINITY] {
                let direction = 0.5 * random.vector(1.0);
                let first = exits.first(record.body, q, direction, limit);
                let of_fold = exits.first_out_of_fold(record.tet, q, direction, limit);
                assert_eq!(first, of_fold, "seed {seed} {record:?}");
                compared += usize::from(first.is_some());
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Two sheets of one body, the lower from y = 0 to 0.1, the upper from 0.08 to 0.18; how many tetrahedra each has.
fn sheets() -> (Scene, usize) {
    let lower = block([2, 1, 2], DVec3::splat(0.1));
    let upper = lower.clone().shifted(DVec3::new(0.01, 0.08, 0.013));
    (scene(&[lower.clone().joined(&upper)], PLAIN), lower.tets.len())
}

/// The lowest of these tetrahedra that holds `q`.
fn tet_at(scene: &Scene, mut tets: std::ops::Range<usize>, q: DVec3) -> usize {
    let corners = |t: usize| scene.tets[t].map(|c| scene.position[c]);
    tets.find(|&t| in_tet(q, corners(t))).unwrap()
}

#[test]
fn a_fold_is_left_where_it_ends_itself() {
    let (scene, tets) = sheets();
    let exits = Exits::new(&scene);
    let q = DVec3::new(0.12, 0.09, 0.11);
    for (sheet, up, down) in [(0, 0.01, 0.09), (1, 0.09, 0.01)] {
        let tet = tet_at(&scene, sheet * tets..(sheet + 1) * tets, q);
        for (direction, wanted) in [(DVec3::Y, up), (DVec3::NEG_Y, down)] {
            let exit = exits.first_out_of_fold(tet, q, direction, 1.0).unwrap();
            assert!((exit.t - wanted).abs() < 1e-12);
        }
    }
    // whatever the fold, the body as a whole is first left at the nearer face, not where the other sheet is entered
    for y in [0.05, 0.09] {
        let exit = exits.first(0, q.with_y(y), DVec3::Y, 1.0).unwrap();
        assert!((y + exit.t - 0.1).abs() < 1e-12);
    }
}

#[test]
fn contacts_of_a_body_with_itself_are_with_the_other_fold() {
    let (mut scene, tets) = sheets();
    let top = DVec3::splat(0.1);
    let feature = scene.position.iter().position(|x| x.distance(top) < 1e-12).unwrap();
    let record = Record { feature, body: 0, tet: tet_at(&scene, tets..2 * tets, top), along: 0.0 };
    // it came from above, and goes back up through all of the upper sheet
    scene.velocity[feature] = DVec3::NEG_Y * 100.0;
    let places = intersections(&scene, &scene.position, &[record]);
    let back = places.iter().find(|p| p.outside.is_none()).unwrap();
    assert!((back.arm.y - 0.08).abs() < 1e-12);
    let way = Some(Penetration { depth: 0.08, direction: DVec3::Y });
    let found = contact_triangles(&scene, &scene.position, &[record], &[way])[0];
    assert!(matches!(found, Outcome::Found(t) if (t.depth - 0.08).abs() < 1e-12), "{found:?}");
}

#[test]
fn lost_contacts_face_away_or_are_too_far() {
    let scene = spike_in_cube(0.1, PLAIN);
    let record = detect(&scene).records[0];
    let outcome = |depth: f64, direction: DVec3| {
        let way = Penetration { depth, direction: direction.normalize() };
        contact_triangles(&scene, &scene.position, &[record], &[Some(way)])[0]
    };
    let found = |o: Outcome| matches!(o, Outcome::Found(_));
    assert!(found(outcome(0.1, DVec3::Y)));
    assert!(found(outcome(0.0501, DVec3::Y)), "g ≤ 2h");
    assert_eq!(outcome(0.0499, DVec3::Y), Outcome::Lost);
    // down to the other face it is 0.9
    assert!(found(outcome(0.46, DVec3::NEG_Y)));
    assert_eq!(outcome(0.44, DVec3::NEG_Y), Outcome::Lost);
    // n·r just above 0.1, and the side face before the upper one
    assert!(found(outcome(0.6, DVec3::new(0.0, 0.2, 1.0))));
    let none = contact_triangles(&scene, &scene.position, &[record], &[None]);
    assert_eq!(none, [Outcome::Undirected]);
}

#[test]
fn contacts_far_outside_are_lost() {
    // the tested point stays inside while the particle itself is lifted
    let body = BodyContact { margin: 0.01, ..PLAIN };
    let mut scene = spike_in_cube(0.005, body);
    let mut found = detect(&scene);
    // 0.005 below the face; the penetration vector is slanted, so that g = −h/0.4 and not −h
    found.tested[8] = scene.position[8].with_y(-0.005);
    found.penetration[0] =
        Some(Penetration { depth: 0.1, direction: DVec3::new(0.84_f64.sqrt(), 0.4, 0.0) });
    for (height, lost) in [(0.0199, false), (0.0201, true)] {
        scene.position[8].y = height;
        let outcomes = contact_triangles(&scene, &found.tested, &found.records, &found.penetration);
        assert_eq!(outcomes[0] == Outcome::Lost, lost, "{height}");
    }
}

#[test]
fn a_feature_does_not_touch_its_own_triangles() {
    let scene = scene(&[cube(1)], PLAIN);
    let tet = scene.tets[0];
    let x = |k: usize| scene.position[k];
    let middle: DVec3 = tet.iter().map(|&k| x(k) / 4.0).sum();
    let face = scene.surface.iter().find(|t| t.iter().all(|c| tet.contains(c))).unwrap();
    let direction = (face.iter().map(|&k| x(k) / 3.0).sum::<DVec3>() - middle).normalize();
    let way = Some(Penetration { depth: 10.0, direction });
    for feature in 0..8 {
        let mut scene = scene.clone();
        let mut tested = scene.position.clone();
        tested[feature] = middle;
        let record = Record { feature, body: 0, tet: 0, along: 0.0 };
        scene.bodies[0].margin = 10.0;
        let outcome = contact_triangles(&scene, &tested, &[record], &[way])[0];
        assert_eq!(outcome == Outcome::Lost, face.contains(&feature), "{outcome:?}");
    }
}

#[test]
fn a_way_that_grazes_a_face_turns_to_its_normal() {
    let wide = block([1; 3], DVec3::splat(10.0)).shifted(DVec3::new(-5.0, -10.0, -5.0));
    let lifted = BodyContact { margin: 1e-3, ..PLAIN };
    let slanted = |rise: f64| DVec3::new((1.0_f64 - rise * rise).sqrt(), rise, 0.0);
    // a tip from above, which the face looks against, and one from below
    for (turned, side) in [(false, 1.0), (true, 1.0), (true, -1.0)] {
        let tip = spike().map(|x| side * x - 0.1 * DVec3::Y);
        let scene = scene(&[wide.clone(), tip], lifted);
        let found = detect(&scene);
        let direction = slanted(if turned { 0.099 } else { 0.101 });
        let way = Penetration { depth: 1.0, direction };
        let records = &found.records[..1];
        let outcome = contact_triangles(&scene, &found.tested, records, &[Some(way)])[0];
        if side < 0.0 {
            assert_eq!(outcome, Outcome::Lost);
            continue;
        }
        let Outcome::Found(triangle) = outcome else {
            panic!("{outcome:?}");
        };
        let rise = if turned { DVec3::Y } else { direction };
        assert!((triangle.direction - rise).length() < 1e-12);
        assert!((triangle.depth * rise.y - 0.1).abs() < 1e-12);
        assert_eq!(triangle.turned_at.is_some(), turned);
        let contact = &contacts(&scene, records, &[Some(way)], &[outcome])[0];
        assert_eq!((contact.direction, contact.estimate), (rise, 1.0));
    }
}

#[test]
fn the_penetration_vector_begins_at_the_particle_where_it_is_inside() {
    let mut scene = spike_in_cube(0.1, PLAIN);
    let mut record = detect(&scene).records[0];
    let mut tested = scene.position.clone();
    let way = Penetration { depth: 0.1, direction: DVec3::new(0.6, 0.8, 0.0) };
    // the side of the cube is at x = 0.6: from the tested position it is nearer than the top
    tested[8] = DVec3::new(0.58, -0.04, 0.0);
    record.tet = tet_at(&scene, 0..6, tested[8]);
    for (height, side) in [(-0.04, false), (0.001, true)] {
        scene.position[8] = DVec3::new(0.55, height, 0.0);
        let outcome = contact_triangles(&scene, &tested, &[record], &[Some(way)])[0];
        let Outcome::Found(found) = outcome else {
            panic!("{outcome:?}");
        };
        let corners = scene.surface[found.triangle].map(|c| scene.position[c].x);
        assert_eq!(corners.iter().all(|x| (x - 0.6).abs() < 1e-12), side);
    }
}

#[test]
fn a_penetration_vector_reaches_as_far_as_its_depth_and_margin() {
    let mut scene = spike_in_cube(0.1, PLAIN);
    let record = detect(&scene).records[0];
    let mut tested = scene.position.clone();
    scene.position[8].y = 0.001;
    let way = Penetration { depth: 0.0, direction: DVec3::new(0.91_f64.sqrt(), 0.3, 0.0) };
    // from b below the face it is b/0.3 long, at the most 3 (0.001 + b)
    for (below, lost) in [(0.0089, false), (0.0091, true)] {
        tested[8] = DVec3::NEG_Y * below;
        let outcome = contact_triangles(&scene, &tested, &[record], &[Some(way)])[0];
        assert_eq!(outcome == Outcome::Lost, lost, "{below}");
    }
}

#[test]
fn friction_is_the_geometric_mean_and_the_gap_may_close() {
    let mut scene = spike_in_cube(0.1, PLAIN);
    scene.bodies[0].friction = 0.9;
    scene.bodies[1].friction = 0.4;
    let target = |scene: &Scene| detect(scene).contacts[0].target;
    assert!((detect(&scene).contacts[0].friction - 0.6).abs() < 1e-15);
    assert_eq!(target(&scene), 0.0);
    scene.velocity[8] = DVec3::new(1.0, -3.0, 2.0);
    assert_eq!(target(&scene), 0.0, "whatever the approach");
}
