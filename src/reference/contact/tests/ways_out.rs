//! Depths, directions and contact triangles.

use glam::DVec3;

use super::shapes::{PLAIN, Random, Shape, add, block, cube, scene, spike, two_cubes};
use crate::reference::contact::detect::detect;
use crate::reference::contact::geometry::{Exits, crossing};
use crate::reference::contact::penetration::{
    Penetration, border_penetration, intersections, propagate, propagate_sweep,
};
use crate::reference::contact::triangles::{Outcome, contact_triangles, statistics};
use crate::reference::contact::{BodyContact, Record, Scene};

/// A unit cube below the plane y = 0, and a spike whose tip is `depth` below it.
fn spike_in_cube(depth: f64, body: BodyContact) -> Scene {
    let below = cube(1).shifted(DVec3::new(0.1, -0.5, 0.07));
    scene(&[below, spike().shifted(-depth * DVec3::Y)], body)
}

#[test]
fn a_tip_below_a_face_is_as_deep_as_it_is_and_goes_straight_up() {
    let body = BodyContact {
        margin: 0.01,
        ..PLAIN
    };
    for depth in [0.15, 0.03, 1e-6, 0.0, -0.004] {
        let scene = spike_in_cube(depth, body);
        let found = detect(&scene);
        let penetration = found.penetration[0].unwrap();
        assert!((penetration.depth - (depth + 0.01)).abs() < 1e-12);
        assert!((penetration.direction - DVec3::Y).length() < 1e-12);
        let contact = &found.contacts[0];
        assert_eq!((contact.feature, contact.body), (8, 0));
        assert!((contact.depth - depth).abs() < 1e-12, "{contact:?}");
        assert!((contact.target - depth.min(0.0) / 1e-3).abs() < 1e-9);
        let y: DVec3 = (0..3)
            .map(|k| contact.barycentric[k] * scene.position[contact.corners[k]])
            .sum();
        assert!(y.length() < 1e-12, "above the tip, at the origin: {y}");
    }
    let apart = spike_in_cube(-0.0101, body);
    assert!(detect(&apart).records.is_empty());
}

#[test]
fn each_edge_to_the_outside_meets_the_surface_once() {
    let scene = spike_in_cube(0.1, PLAIN);
    let tested = &scene.position;
    let records = detect(&scene).records;
    let places = intersections(&scene, tested, &records);
    let outside: Vec<_> = places.iter().map(|p| p.outside).collect();
    assert_eq!(outside, [Some(9), Some(10), Some(11)]);
    for place in places {
        assert!(place.position.y.abs() < 1e-15 && place.normal == DVec3::Y);
        let j = tested[place.outside.unwrap()];
        let wanted = tested[8].lerp(j, 0.1);
        assert!((place.position - wanted).length() < 1e-12);
    }
}

#[test]
fn weights_are_inverse_squares_of_distances() {
    // an edge from the origin leaves a block through two faces, at distances 1 and 3
    let far = |r: DVec3| r.normalize() * 20.0;
    let mut scene = scene(&[block([1; 3], DVec3::new(4.0, 2.0, 4.0))], PLAIN);
    let tip = scene.position.len();
    let own = spike().map(|x| x + DVec3::new(1.0, 1.0, 2.0));
    add(&mut scene, &own, PLAIN);
    scene.position[tip + 1] = scene.position[tip] + far(DVec3::X);
    scene.position[tip + 2] = scene.position[tip] + far(DVec3::Y);
    scene.position[tip + 3] = scene.position[tip] + far(DVec3::new(0.0, 1.0, 0.0));
    let record = detect(&scene).records[0];
    assert_eq!(record.feature, tip);
    // two edges leave at the distance 1 upwards, one at the distance 3 to the right
    let found = border_penetration(&scene, &scene.position, &[record])[0].unwrap();
    let weights = [1.0 / 9.0, 1.0, 1.0];
    let sum: f64 = weights.iter().sum();
    assert!((found.depth - (weights[0] * 3.0 + 2.0) / sum).abs() < 1e-12);
    let direction = DVec3::new(weights[0], 2.0, 0.0).normalize();
    assert!((found.direction - direction).length() < 1e-12);
    // the floor makes the two weights alike
    scene.floor = 5.0;
    let found = border_penetration(&scene, &scene.position, &[record])[0].unwrap();
    assert!((found.depth - 5.0 / 3.0).abs() < 1e-12);
}

/// A tall block with its lower layers in a wide one; the number of the layer of each particle.
fn deep_block(layers: usize) -> Scene {
    let wide = block([1; 3], DVec3::splat(10.0)).shifted(DVec3::new(-5.0, -10.0, -5.0));
    let tall = block([2, 8, 2], DVec3::splat(0.1));
    scene(
        &[wide, tall.shifted(-DVec3::Y * (0.1 * layers as f64 - 0.03))],
        PLAIN,
    )
}

#[test]
fn propagation_finds_every_depth_below_a_flat_face() {
    let scene = deep_block(5);
    let found = detect(&scene);
    // without the edges of the wide one that pass through the tall one
    let own = |feature: usize| (8..scene.position.len()).contains(&feature);
    assert_eq!(
        found.records.iter().filter(|r| own(r.feature)).count(),
        5 * 9
    );
    // the border is the uppermost layer inside, and each sweep reaches the one below
    assert_eq!(found.sweeps, 4);
    for (record, penetration) in found.records.iter().zip(&found.penetration) {
        if !own(record.feature) {
            continue;
        }
        let penetration = penetration.unwrap();
        let depth = -scene.position[record.feature].y;
        assert!((penetration.depth - depth).abs() < 1e-9, "{penetration:?}");
        assert!((penetration.direction - DVec3::Y).length() < 1e-12);
    }
    let contacts: Vec<_> = found
        .contacts
        .into_iter()
        .filter(|c| own(c.feature))
        .collect();
    assert_eq!(contacts.len(), 5 * 9);
    let statistics = statistics(&scene, &contacts);
    assert_eq!(statistics.count, 5 * 9);
    assert!((statistics.max - 0.47 / 0.2).abs() < 1e-9);
    assert!((statistics.mean - 0.27 / 0.2).abs() < 1e-9);
}

#[test]
fn a_sweep_sees_only_earlier_sweeps() {
    let scene = deep_block(4);
    let found = detect(&scene);
    let border = border_penetration(&scene, &found.tested, &found.records);
    let mut known = border.clone();
    let mut counts = vec![known.iter().flatten().count()];
    while counts.len() < 5 {
        known = propagate_sweep(&scene, &found.tested, &found.records, &known);
        counts.push(known.iter().flatten().count());
    }
    assert_eq!(counts, [9, 18, 27, 36, 36]);
    let (all, sweeps) = propagate(&scene, &found.tested, &found.records, &border);
    assert_eq!((all, sweeps), (known, 3));
}

#[test]
fn directions_that_cancel_are_none() {
    // a bar through a slab: the middle layer sees both faces at the same distance
    let slab = block([1; 3], DVec3::new(8.0, 0.2, 8.0)).shifted(DVec3::new(-4.0, -0.1, -4.0));
    let bar = double_spike();
    let scene = scene(&[slab, bar], PLAIN);
    let found = detect(&scene);
    assert!(!found.records.is_empty());
    for (record, outcome) in found.records.iter().zip(&found.outcomes) {
        if record.feature < scene.position.len() {
            assert_eq!(*outcome, Outcome::Undirected, "{record:?}");
        }
    }
}

/// Two pyramids on the same triangle in the plane y = 0, their tips at y = ±1.
fn double_spike() -> Shape {
    let mut shape = spike().map(|x| DVec3::new(0.1 * x.x, x.y - 1.0, 0.1 * x.z));
    shape.position.push(DVec3::Y);
    shape.tets.push([4, 3, 2, 1]);
    shape
}

#[test]
fn a_swallowed_body_goes_back_the_way_it_came() {
    let small = spike().map(|x| 0.1 * x + DVec3::new(0.05, 0.35, 0.02));
    let mut scene = scene(&[cube(1), small], PLAIN);
    let velocity = DVec3::new(3.0, -1.0, 0.5);
    // the cube moves as well: only the difference counts
    for i in 0..12 {
        scene.velocity[i] = if i < 8 {
            velocity
        } else {
            velocity - 140.0 * DVec3::Y
        };
    }
    let found = detect(&scene);
    assert_eq!(found.contacts.len(), 4);
    for contact in &found.contacts {
        assert!((contact.direction - DVec3::Y).length() < 1e-12);
        let depth = 0.5 - scene.position[contact.feature].y;
        assert!((contact.depth - depth).abs() < 1e-12);
        assert!((contact.estimate - depth).abs() < 1e-12);
    }
    // too slow to have come from outside: the tip is 0.15 below the face, its base 0.05
    for i in 8..12 {
        scene.velocity[i] = velocity - 90.0 * DVec3::Y;
    }
    let found = detect(&scene);
    let border = border_penetration(&scene, &found.tested, &found.records);
    let known: Vec<bool> = border.iter().map(Option::is_some).collect();
    assert_eq!(known, [false, true, true, true]);
    assert_eq!((found.sweeps, found.contacts.len()), (1, 4));
}

#[test]
fn ways_shorter_than_the_floor_lead_nowhere() {
    let small = spike().map(|x| 0.1 * x + DVec3::Y * (0.4 - 1e-6));
    let mut scene = scene(&[cube(1), small], PLAIN);
    for v in &mut scene.velocity[8..] {
        *v = DVec3::NEG_Y * 0.01;
    }
    assert!(detect(&scene).penetration.iter().all(Option::is_none));
    scene.floor = 1e-9;
    assert!(detect(&scene).penetration.iter().all(Option::is_some));
}

#[test]
fn lost_contacts_face_away_or_are_too_far() {
    let scene = spike_in_cube(0.1, PLAIN);
    let record = detect(&scene).records[0];
    let outcome = |depth: f64, direction: DVec3| {
        let way = Penetration {
            depth,
            direction: direction.normalize(),
        };
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
fn faces_seen_at_a_flat_angle_are_lost() {
    let wide = block([1; 3], DVec3::splat(10.0)).shifted(DVec3::new(-5.0, -10.0, -5.0));
    let scene = scene(&[wide, spike().shifted(-0.1 * DVec3::Y)], PLAIN);
    let record = detect(&scene).records[0];
    for (rise, lost) in [(0.099, true), (0.101, false)] {
        let way = Penetration {
            depth: 1.0,
            direction: DVec3::new((1.0_f64 - rise * rise).sqrt(), rise, 0.0),
        };
        let found = contact_triangles(&scene, &scene.position, &[record], &[Some(way)])[0];
        assert_eq!(found == Outcome::Lost, lost);
    }
}

#[test]
fn restitution_is_the_larger_and_friction_the_geometric_mean() {
    let mut scene = spike_in_cube(0.1, PLAIN);
    scene.bodies[0].friction = 0.9;
    scene.bodies[1].friction = 0.4;
    scene.bodies[1].restitution = 0.5;
    let target = |scene: &Scene| detect(scene).contacts[0].target;
    assert!((detect(&scene).contacts[0].friction - 0.6).abs() < 1e-15);
    assert_eq!(target(&scene), 0.0);
    scene.velocity[8] = DVec3::new(1.0, -0.09, 2.0);
    assert_eq!(target(&scene), 0.0, "slower than restitution_speed");
    scene.velocity[8].y = -3.0;
    assert!((target(&scene) - 1.5).abs() < 1e-12);
    for v in &mut scene.velocity[..8] {
        *v = DVec3::Y;
    }
    assert!((target(&scene) - 2.0).abs() < 1e-12, "relative");
}

#[test]
fn the_line_crosses_a_closed_surface_in_and_out() {
    let mut random = Random(99);
    let scene = scene(&[cube(3)], PLAIN);
    for round in 0..300 {
        // every third line goes through a corner of the mesh, where up to eight triangles meet
        let mut origin = 2.0 * random.vector();
        let mut direction = random.vector();
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
        let mut random = Random(seed + 1000);
        for x in &mut scene.position {
            *x += 0.05 * random.vector();
        }
        let exits = Exits::new(&scene);
        for record in detect(&scene).records {
            if record.feature >= scene.position.len() {
                continue;
            }
            let q = scene.position[record.feature];
            for limit in [1.0, f64::INFINITY] {
                let direction = 0.5 * random.vector();
                let first = exits.first(record.body, q, direction, limit);
                let of_fold = exits.first_out_of_fold(record.tet, q, direction, limit);
                assert_eq!(first, of_fold, "seed {seed} {record:?}");
                compared += usize::from(first.is_some());
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn records_of_edges_are_left_alone() {
    let scene = spike_in_cube(0.1, PLAIN);
    let mut record: Record = detect(&scene).records[0];
    record.feature = scene.position.len();
    assert_eq!(
        border_penetration(&scene, &scene.position, &[record]),
        [None]
    );
}
