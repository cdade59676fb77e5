//! What is tested at all: surfaces, boxes with their margins, groups.

use super::shapes::{PLAIN, add, cube, empty, scene};
use crate::reference::contact::BodyContact;
use crate::reference::contact::boxes::{
    Aabb, body_boxes, body_pairs, normals, tested_points, ways_ahead,
};
use crate::reference::contact::detect::detect;
use glam::DVec3;

#[test]
fn surface_particles_are_tested_outside() {
    let body = BodyContact { margin: 0.01, ..PLAIN };
    let scene = scene(&[cube(2)], body);
    let tested = tested_points(&scene);
    let middle = scene.position.iter().position(|x| *x == DVec3::ZERO);
    assert_eq!(tested[middle.unwrap()], DVec3::ZERO, "inside");
    let face = DVec3::new(0.0, 0.5, 0.0);
    let on_face = scene.position.iter().position(|x| *x == face).unwrap();
    assert!((tested[on_face] - (face + 0.01 * DVec3::Y)).length() < 1e-15);
    for (x, q) in scene.position.iter().zip(&tested) {
        let moved = if *x == DVec3::ZERO { 0.0 } else { 0.01 };
        assert!((x.distance(*q) - moved).abs() < 1e-15);
    }
}

#[test]
fn boxes_overlap_within_their_margins() {
    let body = |margin: f64| BodyContact { margin, ..PLAIN };
    let mut scene = empty();
    add(&mut scene, &cube(1), body(0.1));
    // 0.63 beside the first: within twice 2 · 0.16, as the third is not; then it comes at 20 m/s for 1 ms
    add(&mut scene, &cube(1).shifted(DVec3::X * 1.63), body(0.16));
    add(&mut scene, &cube(1).shifted(DVec3::X * -1.65), body(0.14));
    let pairs = body_pairs(&scene, &body_boxes(&scene));
    assert_eq!(pairs.touches, [vec![1], vec![0], vec![]]);
    assert_eq!(pairs.touching, [true, true, false]);
    let common = Aabb { min: DVec3::new(0.81, -0.82, -0.82), max: DVec3::new(0.82, 0.82, 0.82) };
    for b in 0..2 {
        assert!((pairs.overlap[b].min - common.min).length() < 1e-12);
        assert!((pairs.overlap[b].max - common.max).length() < 1e-12);
    }
    assert!(pairs.overlap[2].is_empty());
    scene.velocity[16] = DVec3::X * 20.0;
    let pairs = body_pairs(&scene, &body_boxes(&scene));
    assert_eq!(pairs.touches, [vec![1, 2], vec![0], vec![0]]);
    assert_eq!((pairs.shared[0].len(), pairs.shared[2].len()), (2, 1));
    assert_eq!(pairs.speeds[0].max, DVec3::X * 20.0);
}

#[test]
fn approaching_particles_are_tested_ahead() {
    let mut scene = scene(&[cube(1), cube(1).shifted(DVec3::Y)], PLAIN);
    // the upper body falls at 10 m/s, and its first particle rises
    scene.velocity[8..].fill(DVec3::Y * -10.0);
    scene.velocity[8] = DVec3::Y * 4.0;
    let pairs = body_pairs(&scene, &body_boxes(&scene));
    let normals = normals(&scene);
    let ahead = ways_ahead(&scene, &normals, &pairs);
    for i in 0..16 {
        // against the middle of the other body's velocities: 0 of the lower, from 4 to -10 of the upper
        let relative = if i < 8 { 3.0 } else { scene.velocity[i].y };
        let (n, outward) = (normals[i], relative * normals[i].y);
        // up to arctan 2 from the normal the whole way counts
        let wanted = match outward {
            0.0.. if 5.0 * n.y * n.y > 1.0 => relative * DVec3::Y,
            0.0.. => outward * (n + 2.0 * (relative * DVec3::Y).reject_from(n).normalize()),
            _ => DVec3::ZERO,
        };
        assert!((ahead[i] - 1e-3 * wanted).length() < 1e-15, "{i}");
    }
    scene.velocity[8..].fill(DVec3::Y * -1e4);
    let pairs = body_pairs(&scene, &body_boxes(&scene));
    let longest = ways_ahead(&scene, &normals, &pairs)[8].length();
    assert!((longest - 1.6).abs() < 1e-12, "eight edges");
}

#[test]
fn the_overlap_box_holds_all_contacts() {
    let sides = [0.0, 0.9, -0.9].map(|x| cube(1).shifted(DVec3::X * x));
    let scene = scene(&sides, PLAIN);
    let pairs = body_pairs(&scene, &body_boxes(&scene));
    assert_eq!(pairs.touches, [vec![1, 2], vec![0], vec![0]]);
    let width = |b: usize| pairs.overlap[b].max.x - pairs.overlap[b].min.x;
    for (b, wanted) in [(0, 1.0), (1, 0.1), (2, 0.1)] {
        assert!((width(b) - wanted).abs() < 1e-12);
    }
}

#[test]
fn groups_must_agree_both_ways() {
    let touches = |masks: [[u32; 2]; 2]| {
        let mut scene = empty();
        for [group, mask] in masks {
            add(&mut scene, &cube(1), BodyContact { group, mask, ..PLAIN });
        }
        let pairs = body_pairs(&scene, &body_boxes(&scene));
        assert_eq!(pairs.touches[0].is_empty(), pairs.touches[1].is_empty());
        (!pairs.touches[0].is_empty(), detect(&scene).records.len())
    };
    assert!(touches([[1, 2], [2, 1]]) > (true, 0));
    assert_eq!(touches([[1, 2], [2, 2]]), (false, 0));
    assert_eq!(touches([[1, 1], [2, 3]]), (false, 0));
    assert_eq!(touches([[0, 3], [1, 3]]), (false, 0));
}
