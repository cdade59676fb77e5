//! Depths and directions.

use glam::DVec3;

use super::edges::towers;
use super::shapes::{PLAIN, Shape, add, block, cube, scene, spike};
use crate::reference::contact::border::{border_penetration, intersections};
use crate::reference::contact::detect::{Detection, detect};
use crate::reference::contact::penetration::{Penetration, propagate, propagate_sweep};
use crate::reference::contact::{BodyContact, Record, Scene, weighted};

/// What is remembered of records in the first search.
fn nothing(found: &Detection) -> Vec<Option<Penetration>> {
    vec![None; found.particles().len()]
}

/// A unit cube below the plane y = 0, and a spike whose tip is `depth` below it.
pub fn spike_in_cube(depth: f64, body: BodyContact) -> Scene {
    let below = cube(1).shifted(DVec3::new(0.1, -0.5, 0.07));
    scene(&[below, spike().shifted(-depth * DVec3::Y)], body)
}

#[test]
fn a_tip_below_a_face_is_as_deep_as_it_is_and_goes_straight_up() {
    let body = BodyContact { margin: 0.01, ..PLAIN };
    for depth in [0.15, 0.03, 1e-6, 0.0, -0.004] {
        let scene = spike_in_cube(depth, body);
        let found = detect(&scene);
        let penetration = found.penetration[0].unwrap();
        assert!((penetration.depth - (depth + 0.01)).abs() < 1e-12);
        assert!((penetration.direction - DVec3::Y).length() < 1e-12);
        let contact = &found.contacts[0];
        assert_eq!((contact.feature, contact.partner), (8, 0));
        assert!((contact.depth - depth).abs() < 1e-12, "{contact:?}");
        assert!((contact.target - depth.min(0.0) / 1e-3).abs() < 1e-9);
        let y = weighted(&contact.others, &scene.position);
        assert!(y.length() < 1e-12, "above the tip, at the origin: {y}");
    }
    let apart = spike_in_cube(-0.0101, body);
    assert!(detect(&apart).records.is_empty());
}

#[test]
fn each_edge_to_the_outside_meets_the_surface_once() {
    let scene = spike_in_cube(0.1, PLAIN);
    let tested = &scene.position;
    let places = intersections(&scene, tested, detect(&scene).particles());
    let outside: Vec<_> = places.iter().map(|p| p.outside).collect();
    assert_eq!(outside, [Some(9), Some(10), Some(11)]);
    for place in places {
        assert!((place.arm.y - 0.1).abs() < 1e-15 && place.normal == DVec3::Y);
        let j = tested[place.outside.unwrap()];
        assert!((place.arm - 0.1 * (j - tested[8])).length() < 1e-12);
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
    let found = border_penetration(&scene, &scene.position, &[record], &[None])[0].unwrap();
    let weights = [1.0 / 9.0, 1.0, 1.0];
    let sum: f64 = weights.iter().sum();
    assert!((found.depth - (weights[0] * 3.0 + 2.0) / sum).abs() < 1e-12);
    let direction = DVec3::new(weights[0], 2.0, 0.0).normalize();
    assert!((found.direction - direction).length() < 1e-12);
    // the floor makes the two weights alike
    scene.floor = 5.0;
    let found = border_penetration(&scene, &scene.position, &[record], &[None])[0].unwrap();
    assert!((found.depth - 5.0 / 3.0).abs() < 1e-12);
}

/// A tall block with its lower layers in a wide one; the number of the layer of each particle.
fn deep_block(layers: usize) -> Scene {
    let wide = block([1; 3], DVec3::splat(10.0)).shifted(DVec3::new(-5.0, -10.0, -5.0));
    let tall = block([2, 8, 2], DVec3::splat(0.1));
    scene(&[wide, tall.shifted(-DVec3::Y * (0.1 * layers as f64 - 0.03))], PLAIN)
}

#[test]
fn propagation_finds_every_depth_below_a_flat_face() {
    let scene = deep_block(5);
    let found = detect(&scene);
    // without the edges of the wide one that pass through the tall one
    let own = |feature: usize| (8..scene.position.len()).contains(&feature);
    assert_eq!(found.records.iter().filter(|r| own(r.feature)).count(), 5 * 9);
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
    let contacts: Vec<_> = found.contacts.into_iter().filter(|c| own(c.feature)).collect();
    assert_eq!(contacts.len(), 5 * 9);
}

#[test]
fn a_sweep_sees_only_earlier_sweeps() {
    let scene = deep_block(4);
    let found = detect(&scene);
    let records = found.particles();
    let border = border_penetration(&scene, &found.tested, records, &nothing(&found));
    let mut known = border.clone();
    let mut counts = vec![known.iter().flatten().count()];
    while counts.len() < 5 {
        known = propagate_sweep(&scene, &found.tested, records, &known);
        counts.push(known.iter().flatten().count());
    }
    assert_eq!(counts, [9, 18, 27, 36, 36]);
    let (all, sweeps) = propagate(&scene, &found.tested, records, &border);
    assert_eq!((all, sweeps), (known, 3));
}

#[test]
fn directions_that_cancel_are_none() {
    // a bar through a slab: the middle layer sees both faces at almost the same distance
    for (offset, way) in
        [(0.0, None), (1e-9, None), (1e-3, Some(DVec3::Y)), (-1e-3, Some(DVec3::NEG_Y))]
    {
        let slab = block([1; 3], DVec3::new(8.0, 0.2, 8.0)).shifted(DVec3::new(-4.0, -0.1, -4.0));
        let bar = double_spike().shifted(offset * DVec3::Y);
        let scene = scene(&[slab, bar], PLAIN);
        let found = detect(&scene);
        let middle = |r: &Record| r.feature < scene.position.len();
        assert_eq!(found.records.iter().filter(|r| middle(r)).count(), 3);
        for (record, penetration) in found.records.iter().zip(&found.penetration) {
            if middle(record) {
                assert_eq!(penetration.map(|p| p.direction.round()), way, "{offset}");
            }
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
    // the cube moves even faster: only the difference counts
    let fall = |scene: &mut Scene, speed: f64| {
        let cube = DVec3::new(300.0, 700.0, 50.0);
        for (i, v) in scene.velocity.iter_mut().enumerate() {
            *v = if i < 8 { cube } else { cube - speed * DVec3::Y };
        }
        let found = detect(scene);
        let border = border_penetration(scene, &found.tested, found.particles(), &nothing(&found));
        let known: Vec<bool> = border.iter().take(4).map(Option::is_some).collect();
        (found, known)
    };
    // the tip is 0.15 below the face: at 101 m/s 1.5 steps reach it
    let (found, border) = fall(&mut scene, 101.0);
    assert_eq!((border, found.contacts.len()), (vec![true; 4], 4));
    for contact in &found.contacts {
        assert!((contact.direction - DVec3::Y).length() < 1e-12);
        let depth = 0.5 - scene.position[contact.feature].y;
        assert!((contact.depth - depth).abs() < 1e-12);
        assert!((contact.estimate - depth).abs() < 1e-12);
    }
    // at 99 m/s only the base comes from outside, and the tip learns the way from it
    let (found, border) = fall(&mut scene, 99.0);
    assert_eq!(border, [false, true, true, true]);
    assert_eq!((found.sweeps, found.contacts.len()), (1, 4));
    let (found, border) = fall(&mut scene, 33.0);
    assert_eq!((border, found.contacts.len()), (vec![false; 4], 0));
}

#[test]
fn an_edge_between_two_particles_inside_is_no_intersection() {
    // a table upside down: from leg to leg an edge leaves the body and enters it again
    let mut shape = spike();
    shape.position[0] = DVec3::new(-1.0, -0.1, 0.0);
    shape.position[1] = DVec3::new(0.5, -0.2, 0.0);
    shape.position[2] = DVec3::new(-1.0, 2.0, -1.0);
    shape.position[3] = DVec3::new(0.5, 2.0, 1.0);
    let scene = scene(&[towers(), shape], PLAIN);
    let found = detect(&scene);
    let records = found.particles();
    let features: Vec<_> = records.iter().map(|r| r.feature).collect();
    assert_eq!(features, [16, 17]);
    let places = intersections(&scene, &scene.position, records);
    let ends: Vec<_> = places.iter().map(|p| (p.record, p.outside)).collect();
    let wanted = [18, 19];
    assert!(
        places.len() == 4 && ends.iter().all(|(_, j)| wanted.map(Some).contains(j)),
        "{ends:?}"
    );
}

#[test]
fn ways_shorter_than_the_floor_lead_nowhere() {
    let small = spike().map(|x| 0.1 * x + DVec3::Y * (0.4 - 1e-6));
    let mut scene = scene(&[cube(1), small], PLAIN);
    for v in &mut scene.velocity[8..] {
        *v = DVec3::NEG_Y * 0.01;
    }
    assert!(detect(&scene).penetration[..4].iter().all(Option::is_none));
    scene.floor = 1e-9;
    assert!(detect(&scene).penetration[..4].iter().all(Option::is_some));
}
