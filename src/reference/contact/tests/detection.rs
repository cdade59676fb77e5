//! Broad phase, and which particles are inside which bodies.

use glam::DVec3;

use super::shapes::{PLAIN, Random, Shape, block, cube, empty, scene, spike};
use crate::reference::contact::boxes::{body_boxes, body_pairs, tested_points};
use crate::reference::contact::detect::{
    Hit, detect, particle_records, points_in_tets, self_in_tets,
};
use crate::reference::contact::folds::{Patch, folds};
use crate::reference::contact::geometry::{barycentric, barycentric_in_triangle, in_tet};
use crate::reference::contact::triangles::{Contact, Outcome};
use crate::reference::contact::{BodyContact, Record, Scene};

/// The records' features and bodies.
fn keys(records: &[Record]) -> Vec<(usize, usize)> {
    records.iter().map(|r| (r.feature, r.body)).collect()
}

#[test]
fn barycentric_coordinates_give_the_point_back() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let corners = [(); 4].map(|()| random.vector(1.0));
        let mut shares = [(); 4].map(|()| random.between(-1.0, 1.0));
        shares[3] = 1.0 - shares[0] - shares[1] - shares[2];
        let p: DVec3 = (0..4).map(|k| shares[k] * corners[k]).sum();
        let found = barycentric(p, corners).unwrap();
        for k in 0..4 {
            assert!((found[k] - shares[k]).abs() < 1e-7, "{found:?} {shares:?}");
        }
        let inside = shares.iter().all(|&s| s >= 0.0);
        assert_eq!(in_tet(p, corners), inside);
        let [a, b, c, d] = corners;
        let on_face = shares[0] * a + shares[1] * b + (1.0 - shares[0] - shares[1]) * c;
        let found = barycentric_in_triangle(on_face, [a, b, c]).unwrap();
        assert!((found[0] - shares[0]).abs() + (found[1] - shares[1]).abs() < 1e-7, "{found:?}");
        assert_eq!(in_tet(p, [b, a, c, d]), inside, "turned inside out");
    }
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.3, 0.4, 0.0)];
    assert!(!in_tet(DVec3::new(0.1, 0.1, 0.0), flat));
    assert!(!in_tet(DVec3::X, [DVec3::X; 4]), "a point");
}

#[test]
fn two_overlapping_cubes_share_what_is_in_both() {
    // the second lies 0.3 to the right, 0.3 up and 0.3 back, so that no particle is on a face of the other
    let shift = DVec3::splat(0.3);
    let scene = scene(&[cube(5), cube(5).shifted(shift)], PLAIN);
    let found = keys(&detect(&scene).records);
    let mut wanted = Vec::new();
    for (i, x) in scene.position.iter().enumerate() {
        let other = 1 - scene.body[i];
        let centre = shift * other as f64;
        if (*x - centre).abs().max_element() < 0.5 - 1e-9 {
            wanted.push((i, other));
        }
    }
    let particles: Vec<_> = found.into_iter().filter(|(f, _)| *f < scene.position.len()).collect();
    assert_eq!(particles.len(), 2 * 4 * 4 * 4);
    assert_eq!(particles, wanted);
}

#[test]
fn a_point_in_three_bodies_has_three_records() {
    let small = spike().map(|x| 0.05 * x);
    let nested = |count: usize| {
        let cubes = (0..count).map(|k| cube(1).map(move |x| (1.0 + 0.1 * k as f64) * x));
        let shapes: Vec<Shape> = std::iter::once(small.clone()).chain(cubes).collect();
        let found = detect(&scene(&shapes, PLAIN));
        let of_tip = keys(&found.records).into_iter().filter(|(f, _)| *f == 0);
        of_tip.map(|(_, body)| body).collect::<Vec<_>>()
    };
    assert_eq!(nested(3), [1, 2, 3]);
    assert_eq!((nested(4), nested(6)), (vec![1, 2, 3, 4], vec![1, 2, 3, 4]));
}

#[test]
fn the_deepest_tetrahedron_is_recorded() {
    let mut scene = scene(&[cube(1), spike()], PLAIN);
    // close to the diagonal that all six tetrahedra of the cube share, each of which holds it with so much slack
    let tip = DVec3::new(0.103, 0.101, 0.1);
    scene.position[8] = tip;
    let tested = scene.position.clone();
    let pairs = body_pairs(&scene, &body_boxes(&scene));
    for _ in 0..6 {
        scene.tets[..6].rotate_left(1);
        let hits = points_in_tets(&scene, &tested, &pairs, 1e-2);
        let [Hit { body: 0, tet }] = hits[8][..] else { panic!("{hits:?}") };
        assert!(in_tet(tip, scene.tets[tet].map(|c| scene.position[c])));
    }
    // of equal ones the first, unless that is flat
    let mut twice = scene.clone();
    twice.tets.extend(scene.tets.clone());
    let first = points_in_tets(&twice, &tested, &pairs, 1e-12)[8][0].tet;
    assert!(first < 6);
    twice.tets[first] = [0; 4];
    assert_eq!(points_in_tets(&twice, &tested, &pairs, 1e-12)[8][0].tet, first + 7);
}

#[test]
fn records_are_in_order_of_feature_and_body() {
    let hit = |body: usize| Hit { body, tet: 7 };
    let others = [vec![], vec![hit(0), hit(2)], vec![], vec![hit(3)]];
    let own = [None, Some(hit(1)), None, None];
    let records = particle_records(&others, &own);
    assert_eq!(keys(&records), [(1, 0), (1, 1), (1, 2), (3, 3)]);
}

/// A bar along x of which the right third is folded back over the left: a sheet of 0.1 m with 0.02 m of overlap.
fn folded() -> Scene {
    let straight = block([12, 1, 2], DVec3::new(0.1, 0.1, 0.1));
    let rest = straight.position.clone();
    let bar = straight.map(|x| {
        let along = x.x - 0.6;
        if x.x < 0.45 {
            x
        } else if x.x > 0.75 {
            DVec3::new(1.2 - x.x, 0.18 - x.y, x.z + 0.013)
        } else {
            let turn = std::f64::consts::PI * (along / 0.3 + 0.5);
            let radius = 0.09 - x.y;
            let centre = DVec3::new(0.45, 0.09, x.z);
            centre + radius * DVec3::new(turn.sin(), -turn.cos(), 0.0)
        }
    });
    let body = BodyContact { self_contact: true, edge: 0.1, ..PLAIN };
    let mut scene = scene(&[bar], body);
    // Every third of the bar's length.
    scene.patches = [0.0, 0.4, 0.8]
        .map(|from| {
            let within = |i: &usize| (from..=from + 0.4001).contains(&rest[*i].x);
            let members: Vec<usize> = (0..rest.len()).filter(within).collect();
            let rest = members.iter().map(|i| rest[*i]).collect();
            Patch { body: 0, members, rest }
        })
        .to_vec();
    scene
}

/// Straight, turned, moving, or a little bent, it is not folded; closed by three quarters of the way it is.
#[test]
fn a_body_is_folded_where_parts_have_come_closer() {
    let scene = folded();
    let (folds, gap) = folds(&scene);
    assert!(!folds[0].is_empty() && gap == 0.0);
    let mut straight = scene.clone();
    for patch in &scene.patches {
        for (i, x) in patch.members.iter().zip(&patch.rest) {
            straight.position[*i] = DVec3::new(x.z, x.x, x.y) + DVec3::splat(3.0);
            straight.velocity[*i] = DVec3::X * 100.0;
        }
    }
    let (none, gap) = self::folds(&straight);
    assert!(none[0].is_empty() && gap > 0.01, "{gap}");
    // Smaller by a quarter, as a whole.
    for x in &mut straight.position {
        *x *= 0.75;
    }
    assert!(!self::folds(&straight).0[0].is_empty());
}

#[test]
fn a_folded_body_touches_itself_across_the_fold() {
    let scene = folded();
    let found = detect(&scene);
    assert!(found.pairs.touching[0] && found.pairs.touches[0].is_empty());
    let left = |c: &&Contact| {
        let mut all = c.participants().into_iter();
        all.all(|(k, _)| scene.position[k].x < 0.31)
    };
    // away from the crease both sheets have three rows of particles at every multiple of 0.1
    let mut sheets = [0; 2];
    for contact in found.contacts.iter().filter(left) {
        let upper = scene.position[contact.feature].y < 0.09;
        sheets[usize::from(upper)] += 1;
        let out = if upper { DVec3::Y } else { DVec3::NEG_Y };
        // side faces near the rims turn the penetration vector, but it leads to the level face
        let rise = contact.direction.dot(out);
        assert!(rise > 0.7, "{contact:?}");
        assert!((contact.depth * rise - 0.02).abs() < 1e-9, "{contact:?}");
    }
    assert!(sheets[0] >= 4 && sheets[1] >= 4, "{sheets:?}");
    for contact in &found.contacts {
        assert!(!contact.corners().unwrap().contains(&contact.feature));
    }
    let mut alone = scene;
    alone.bodies[0].self_contact = false;
    assert!(detect(&alone).records.is_empty());
}

#[test]
fn a_body_at_rest_does_not_touch_itself() {
    let body = BodyContact { self_contact: true, margin: 0.002, ..PLAIN };
    let scene = scene(&[cube(4)], body);
    let tested = tested_points(&scene);
    assert!(self_in_tets(&scene, &tested, |_, _| true, 0.0).iter().all(Option::is_none));
}

#[test]
fn tetrahedra_of_edge_neighbours_are_no_contact() {
    let body = BodyContact { self_contact: true, ..PLAIN };
    let sunk = |depth: f64| {
        let mut scene = scene(&[cube(4)], body);
        let top = DVec3::Y * 0.5;
        let i = scene.position.iter().position(|x| *x == top).unwrap();
        scene.position[i] += DVec3::new(0.01, -depth, 0.005);
        self_in_tets(&scene, &scene.position, |_, _| true, 0.0)[i].is_some()
    };
    // cells of 0.25: in the second layer every tetrahedron there has a neighbour as a corner, in the third none has
    assert!(!sunk(0.2) && !sunk(0.3));
    assert!(sunk(0.6));
}

#[test]
fn particles_inside_never_touch_their_own_body() {
    let mut scene = folded();
    scene.surface.clear();
    let tested = scene.position.clone();
    assert!(self_in_tets(&scene, &tested, |_, _| true, 0.0).iter().all(Option::is_none));
}

#[test]
fn broken_meshes_give_no_contact_that_is_not_finite() {
    let wholes = [cube(2), cube(2)];
    let flat = [cube(2), cube(2).map(|x| DVec3::new(x.x, 0.0, x.z))];
    let points = [cube(2), cube(2).map(|_| DVec3::splat(0.01))];
    let shrunk = [cube(2), cube(2).map(|x| 0.01 * x + DVec3::Y * 0.499)];
    for shapes in [wholes, flat, points, shrunk] {
        for margin in [0.0, 0.002] {
            let scene = scene(&shapes, BodyContact { margin, ..PLAIN });
            for contact in detect(&scene).contacts {
                let shares = contact.others.iter().map(|(_, share)| *share);
                let numbers: Vec<f64> = shares.chain([contact.depth]).collect();
                assert!(numbers.into_iter().all(f64::is_finite), "{contact:?}");
                assert!((contact.direction.length() - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn empty_worlds_and_lone_bodies_have_no_contacts() {
    assert!(detect(&empty()).records.is_empty());
    assert!(detect(&scene(&[spike()], PLAIN)).records.is_empty());
}

#[test]
fn a_body_with_edges_100_times_smaller_is_found_in_one_tetrahedron() {
    // two cells of 0.01 sunk by 0.004 into the base of a tetrahedron of 1 m
    let small = block([2; 3], DVec3::splat(0.01)).shifted(DVec3::new(0.05, 0.996, 0.02));
    let scene = scene(&[spike(), small], PLAIN);
    let found = detect(&scene);
    let particles = |r: &&Record| r.feature < scene.position.len();
    assert_eq!(found.records.iter().filter(particles).count(), 9);
    // the edges are no deeper than their ends
    assert_eq!(found.contacts.len(), 9);
    for contact in &found.contacts {
        assert!((contact.direction - DVec3::Y).length() < 1e-9, "{contact:?}");
        assert!((contact.depth - 0.004).abs() < 1e-12);
    }
}

#[test]
fn outcomes_tell_lost_from_undirected() {
    // a spike swallowed whole, at rest: no border, no way it came
    let swallowed = spike().map(|x| 0.1 * x);
    let scene = scene(&[cube(1), swallowed], PLAIN);
    let found = detect(&scene);
    // and its edges are too short to lead out of the cube
    assert_eq!(found.outcomes[..4], [Outcome::Undirected; 4]);
    assert_eq!(found.outcomes[4..], [Outcome::Lost; 6]);
    assert!(found.contacts.is_empty() && found.sweeps == 0);
}
