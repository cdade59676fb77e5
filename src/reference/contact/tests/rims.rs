//! Points at the rims of bodies that stand flush on each other.

use glam::{DQuat, DVec3};

use super::shapes::{PLAIN, cube, scene, spike};
use crate::reference::contact::BodyContact;
use crate::reference::contact::border::{border_penetration, intersections};
use crate::reference::contact::detect::detect;
use crate::reference::contact::geometry::barycentric;
use crate::reference::contact::inside::{Tetrahedra, start};

#[test]
fn flush_cubes_touch_with_all_their_rims() {
    let body = BodyContact { margin: 0.01, ..PLAIN };
    let scene = scene(&[cube(2), cube(2).shifted(DVec3::Y * 0.999)], body);
    let found = detect(&scene);
    let mut touching: Vec<usize> = found.contacts.iter().map(|c| c.feature).collect();
    touching.retain(|&f| f < scene.position.len());
    let level = |i: &usize| (scene.position[*i].y - 0.5).abs() < 0.01;
    let wanted: Vec<usize> = (0..scene.position.len()).filter(level).collect();
    assert_eq!((wanted.len(), touching), (18, wanted));
    let records = found.particles();
    let border = border_penetration(&scene, &found.tested, records, &vec![None; records.len()]);
    assert_eq!(border.iter().flatten().count(), 18, "each has an edge to the outside");
    for contact in &found.contacts {
        let up = if contact.partner == 0 { DVec3::Y } else { DVec3::NEG_Y };
        assert!((contact.direction - up).length() < 1e-12, "{contact:?}");
        assert!((contact.depth - 0.001).abs() < 1e-12, "{contact:?}");
    }
}

#[test]
fn a_rim_is_twice_the_margin_wide() {
    let mut scene = scene(&[cube(1), spike()], PLAIN);
    let held = |scene: &mut crate::reference::contact::Scene, q: DVec3, lift: DVec3| {
        scene.position[8] = q - lift;
        let tetrahedra = Tetrahedra::new(scene);
        (0..6).any(|t| tetrahedra.hold(t, q, lift, 0.0))
    };
    let beside = |s: f64| DVec3::new(0.5 + s, 0.2, 0.1);
    let lift = DVec3::Y * 0.01;
    assert!(held(&mut scene, beside(0.0199), lift));
    assert!(!held(&mut scene, beside(0.0201), lift));
    assert!(!held(&mut scene, beside(1e-6), DVec3::ZERO), "inside its body");
    // a face that looks against the point has no rim: n·n_i = −0.11, but with −0.09 it has
    let tilted = |cosine: f64| 0.01 * DVec3::new(cosine, (1.0 - cosine * cosine).sqrt(), 0.0);
    assert!(!held(&mut scene, beside(0.01), tilted(-0.11)));
    assert!(held(&mut scene, beside(0.01), tilted(-0.09)));
    // faces between two tetrahedra have none: just one of them holds a point near their face
    let q = DVec3::new(0.1, 0.1 - 1e-3, 0.3);
    scene.position[8] = q - DVec3::X * 0.01;
    let tetrahedra = Tetrahedra::new(&scene);
    let holding = (0..6).filter(|&t| tetrahedra.hold(t, q, lift, 0.0));
    assert_eq!(holding.count(), 1);
}

#[test]
fn lines_begin_inside() {
    let scene = scene(&[spike()], PLAIN);
    let corners = scene.tets[0].map(|c| scene.position[c]);
    let point = |shares: [f64; 4]| -> DVec3 { (0..4).map(|k| shares[k] * corners[k]).sum() };
    let inside = point([0.1, 1e-4, 0.3, 0.5999]);
    assert_eq!(start(&scene, 0, inside), inside);
    let moved = start(&scene, 0, point([-0.1, 0.0005, 0.5, 0.5995]));
    let found = barycentric(moved, corners).unwrap();
    let sum = 0.001 + 0.001 + 0.5 + 0.5995;
    for (found, wanted) in found.into_iter().zip([0.001, 0.001, 0.5, 0.5995]) {
        assert!((found - wanted / sum).abs() < 1e-12);
    }
}

#[test]
fn faces_that_do_not_look_against_a_particle_do_not_count() {
    // a tip that points down, 0.05 beside the side of a cube; one of its edges leaves through that
    let body = BodyContact { margin: 0.01, ..PLAIN };
    let tip = spike().shifted(DVec3::new(0.45, 0.35, 0.1));
    let mut scene = scene(&[cube(1), tip], body);
    let found = detect(&scene);
    assert_eq!(found.records[0].feature, 8);
    let places = intersections(&scene, &found.tested, &found.records[..1]);
    let outside: Vec<_> = places.iter().map(|p| p.outside).collect();
    assert_eq!(outside, [Some(10), Some(11)]);
    let penetration = found.penetration[0].unwrap();
    assert!((penetration.direction - DVec3::Y).length() < 1e-12);
    assert!((penetration.depth - 0.16).abs() < 1e-12);
    // without a margin every face counts
    scene.bodies[1].margin = 0.0;
    let places = intersections(&scene, &scene.position, &found.records[..1]);
    let outside: Vec<_> = places.iter().map(|p| p.outside).collect();
    assert_eq!(outside, [Some(9), Some(10), Some(11)]);
}

#[test]
fn a_point_on_a_face_is_inside_within_rounding() {
    // turned, so that the boxes overlap though the bodies do not
    let turn = DQuat::from_rotation_z(0.6);
    let records = |height: f64| {
        let tip = spike().shifted(DVec3::new(0.1, 0.5 + height, 0.07));
        let bodies = [cube(1), tip].map(|shape| shape.map(|x| turn * x));
        let mut records = detect(&scene(&bodies, PLAIN)).records;
        records.retain(|r| r.feature == 8);
        records.len()
    };
    assert_eq!((records(9e-6), records(1.1e-5)), (1, 0));
}
