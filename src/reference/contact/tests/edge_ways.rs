//! Penetration vectors of edges, and which of them are contacts.

use glam::DVec3;

use super::edges::{beam, record, record_at, roof, way};
use super::shapes::{PLAIN, Shape, scene};
use crate::reference::contact::edges::{Edges, held};
use crate::reference::contact::{BodyContact, Record};

/// A body with this profile in z and y, counter-clockwise from its lowest corner at the right, 6 long in x.
fn profile(corners: &[(f64, f64)]) -> Shape {
    let at = |x: f64| corners.iter().map(move |&(z, y)| DVec3::new(x, y, z));
    let position = at(-3.0).chain(at(3.0)).collect();
    let n = corners.len();
    // prisms over a fan of triangles, three tetrahedra in each (Kuhn 1960)
    let prism = |k: usize| {
        let [a, b, c] = [0, k, k + 1];
        [[a, b, c, c + n], [a, b, b + n, c + n], [a, a + n, b + n, c + n]]
    };
    Shape { position, tets: (1..n - 1).flat_map(prism).collect() }
}

/// A tetrahedron with an edge along `way`, 2 long, whose middle is below the origin by `depth`, its outward normal `down`,
/// and as far from that normal as `half_angle` [°] its two faces.
fn wedge_of(half_angle: f64, depth: f64, way: DVec3, down: DVec3) -> Shape {
    let middle = -depth * DVec3::Y;
    let across = way.cross(down) * 1.5 * half_angle.to_radians().tan();
    let top = |side: f64| middle - 1.5 * down + side * across;
    Shape {
        position: vec![middle - way, middle + way, top(1.0), top(-1.0)],
        tets: vec![[0, 1, 2, 3]],
    }
}

/// A narrow one.
fn wedge(depth: f64, way: DVec3, down: DVec3) -> Shape {
    wedge_of(18.0, depth, way, down)
}

#[test]
fn a_slanting_edge_goes_out_over_the_ridge() {
    // slopes of 45° and 20° meet in the x axis
    let roof = profile(&[(1.5, -3.0), (1.5, -0.546), (0.0, 0.0), (-1.5, -1.5), (-1.5, -3.0)]);
    for degrees in [20.0_f64, 30.0, 45.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let way_along = DVec3::new(cos, 0.0, sin);
        let side = way_along.cross(DVec3::Y);
        let down = -0.5 * DVec3::Y + 0.75_f64.sqrt() * side;
        let scene = scene(&[roof.clone(), wedge(0.1, way_along, down)], PLAIN);
        let way = way(&scene, [10, 11]).unwrap();
        assert!(way.over_ridge, "{degrees} {way:?}");
        assert!((way.direction - DVec3::Y).length() < 1e-12, "{way:?}");
        assert!((way.gap - 0.1).abs() < 1e-12 && (way.along - 0.5).abs() < 1e-12);
    }
}

#[test]
fn an_edge_whose_face_touches_a_ridge_goes_out_through_a_face() {
    // slopes of 45° meet in the x axis; the edge's outward normal is 50° off the way over that, its faces' as far from it
    // as 72°, 42° and 38°
    let roof = profile(&[(1.5, -3.0), (1.5, -1.5), (0.0, 0.0), (-1.5, -1.5), (-1.5, -3.0)]);
    let (sin, cos) = 60.0_f64.to_radians().sin_cos();
    let way_along = DVec3::new(cos, 0.0, sin);
    let (off, towards) = 50.0_f64.to_radians().sin_cos();
    let down = -towards * DVec3::Y + off * way_along.cross(DVec3::Y);
    for (half_angle, over_ridge) in [(18.0, true), (36.0, true), (44.0, false), (60.0, false)] {
        let edge = wedge_of(half_angle, 0.1, way_along, down);
        let scene = scene(&[roof.clone(), edge], PLAIN);
        let way = way(&scene, [10, 11]).unwrap();
        assert_eq!(way.over_ridge, over_ridge, "{half_angle} {way:?}");
        assert!(way.gap > 0.0 && way.gap < 0.1 + 1e-12, "{half_angle} {way:?}");
    }
}

#[test]
fn an_edge_above_a_ridge_is_not_pulled_through_the_body() {
    // its own body is below it: back into that it is 0.9 to the roof's floor, and 0.1 over the ridge
    let roof = profile(&[(1.5, -1.0), (0.0, 0.0), (-1.5, -1.0)]);
    for (up, found) in [(-1.0, true), (1.0, false)] {
        let edge = wedge(0.1, DVec3::Z, up * DVec3::Y);
        let scene = scene(&[roof.clone(), edge], PLAIN);
        assert_eq!(way(&scene, [6, 7]).is_some(), found);
        // held, it has no ridge
        let record = record(&scene, [6, 7]).unwrap();
        let held = Edges::new(&scene, &scene.position).nearest([6, 7], &record, true).unwrap();
        assert!(!held.over_ridge);
        assert!((held.gap - if found { 0.1 } else { 0.9 }).abs() < 1e-12, "{held:?}");
    }
}

#[test]
fn an_edge_flat_below_a_face_goes_out_along_its_normal() {
    // the planes of slanting sides meet above the face or below it, or not at all
    for lean in [-0.4, 0.0, 0.4] {
        let table = profile(&[(0.4 + lean, -1.0), (0.4, 0.0), (-0.4, 0.0), (-0.4 - lean, -1.0)]);
        for degrees in [90.0_f64, 60.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let along = DVec3::new(cos, 0.0, sin);
            let scene = scene(&[table.clone(), wedge(0.1, along, DVec3::NEG_Y)], PLAIN);
            let way = way(&scene, [8, 9]).unwrap();
            assert!(!way.over_ridge);
            assert!((way.direction - DVec3::Y).length() < 1e-12, "{way:?}");
            assert!((way.gap - 0.1).abs() < 1e-12 && (way.along - 0.5).abs() < 1e-12);
        }
    }
}

#[test]
fn a_ridge_that_is_none_is_not_gone_over() {
    // a slope of 45°, one of 20° above it up to z = 0.5, and a steep side: the planes of the first and the last meet above
    // the second, at its higher part
    let rise = 20.0_f64.to_radians().tan();
    let top = |z: f64| rise * z;
    let hill = profile(&[
        (0.8, -2.0),
        (0.5, top(0.5)),
        (-0.5, top(-0.5)),
        (-1.5, top(-0.5) - 1.0),
        (-1.5, -2.0),
    ]);
    let below = 0.3;
    let scene = scene(&[hill, wedge(below, DVec3::Z, DVec3::NEG_Y)], PLAIN);
    let way = way(&scene, [10, 11]).unwrap();
    let left = -0.5 - (top(-0.5) + below);
    let right = 0.5 + 0.3 * (top(0.5) + below) / (top(0.5) + 2.0);
    let middle = 0.5 * (left + right);
    assert!(!way.over_ridge);
    assert!((way.along - 0.5 * (1.0 + middle)).abs() < 1e-12, "{way:?}");
    assert!((way.direction - DVec3::Y).length() < 1e-12);
    assert!((way.gap - (below + top(middle))).abs() < 1e-12);
}

#[test]
fn what_is_outside_is_not_deep() {
    let slab = profile(&[(0.4, -1.0), (0.4, 0.0), (-0.4, 0.0), (-0.4, -1.0)]);
    // the gap of an edge along x at this place, tested further on
    let gap = |place: DVec3, further: DVec3, margin: f64| {
        let body = BodyContact { margin, ..PLAIN };
        let edge = wedge(0.0, DVec3::X, DVec3::NEG_Y).shifted(place);
        let scene = scene(&[slab.clone(), edge], body);
        let mut tested = scene.position.clone();
        tested[8..].iter_mut().for_each(|q| *q += further);
        let record = record_at(&scene, &tested, [8, 9]).unwrap();
        let way = Edges::new(&scene, &tested).penetration_vector([8, 9], &record, false);
        way.map(|way| way.gap)
    };
    let is = |gap: Option<f64>, wanted: f64| gap.is_some_and(|g| (g - wanted).abs() < 1e-12);
    let at = |y: f64, z: f64| DVec3::new(0.0, y, z);
    // inside and outside of the slab's side, tested inside: 2 M is 0.02 and 0.04
    assert!(is(gap(at(-0.2, 0.39), at(0.0, -0.01), 0.0), 0.2));
    assert_eq!(gap(at(-0.2, 0.41), at(0.0, -0.02), 0.0), None);
    assert!(is(gap(at(-0.03, 0.41), at(0.0, -0.02), 0.0), 0.03));
    assert_eq!(gap(at(-0.05, 0.41), at(0.0, -0.02), 0.0), None);
    assert!(is(gap(at(-0.05, 0.41), at(0.0, -0.02), 0.01), 0.05));
    // above it
    assert!(is(gap(at(0.02, 0.0), at(-0.03, 0.0), 0.03), -0.02));
}

#[test]
fn an_end_that_is_held_has_a_contact_of_its_own() {
    let margin = 0.01;
    let at = |along: f64| {
        let body = BodyContact { margin, ..PLAIN };
        let roof = roof(0.5);
        let beam = beam(0.1).shifted(DVec3::X * (0.5 - 3.5 * (along - 3.0 / 7.0)));
        scene(&[roof, beam], body)
    };
    let contact = |along: f64, known: bool, held: Option<f64>| {
        let scene = at(along);
        let edges = Edges::new(&scene, &scene.position);
        let record = record(&scene, [12, 13]).unwrap();
        edges.contact([12, 13], &record, known, held).is_some()
    };
    for along in [0.3, 0.7, 0.8] {
        assert!(contact(along, false, None), "{along}");
    }
    assert!(contact(0.3, false, Some(0.089)) && !contact(0.3, false, Some(0.091)));
    assert!(contact(0.3, true, Some(0.2)) && contact(0.7, true, Some(0.2)));
    assert!(!contact(0.2, true, Some(0.0)) && !contact(0.8, true, Some(0.0)));
}

#[test]
fn held_ends_are_as_deep_as_the_deeper_one() {
    let record = |feature: usize, body: usize| Record { feature, body, tet: 0, along: 0.0 };
    let records = [(2, 0), (2, 1), (3, 0), (4, 0), (5, 1)].map(|(f, b)| record(f, b));
    let gaps = [Some(0.1), Some(0.5), Some(0.2), None, Some(-0.1)];
    let depth = |ends, body| held(ends, body, &records, &gaps);
    assert_eq!(depth([2, 3], 0), Some(0.2));
    assert_eq!(depth([2, 3], 1), Some(0.5));
    assert_eq!(depth([2, 4], 0), Some(0.1));
    assert_eq!((depth([4, 6], 0), depth([5, 6], 1)), (Some(0.0), Some(0.0)));
    assert_eq!((depth([5, 6], 0), depth([3, 4], 1)), (None, None));
}
