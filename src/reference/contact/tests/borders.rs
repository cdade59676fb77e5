//! Penetration vectors of particles at the border, and what is remembered of the last search.

use glam::{DQuat, DVec3};

use super::penetration_vectors::spike_in_cube;
use super::shapes::{PLAIN, block, scene, spike};
use crate::reference::contact::border::{Border, Rule, border};
use crate::reference::contact::detect::detect;
use crate::reference::contact::penetration::Penetration;
use crate::reference::contact::recall::recalled;
use crate::reference::contact::{BodyContact, Record, Scene};

const LIFTED: BodyContact = BodyContact { margin: 0.01, ..PLAIN };

#[test]
fn a_particle_remembers_the_triangle_where_it_is_now() {
    let mut scene = spike_in_cube(0.1, PLAIN);
    let found = detect(&scene);
    let (records, last) = (&found.records[..1], &found.contacts[..1]);
    assert_eq!((last[0].feature, last[0].partner), (8, 0));
    let turn = DQuat::from_rotation_z(0.3);
    for x in &mut scene.position {
        *x = turn * *x;
    }
    let up = turn * DVec3::Y;
    for (lift, depth) in [(0.0, 0.1), (0.06, 0.04), (0.13, 0.0)] {
        let mut scene = scene.clone();
        scene.position[8] += lift * up;
        let known = recalled(&scene, records, last)[0].unwrap();
        assert!((known.direction - up).length() < 1e-12);
        assert!((known.depth - depth).abs() < 1e-12, "{known:?}");
    }
    let others = [(9, 0), (8, 1)].map(|(feature, body)| Record { feature, body, ..records[0] });
    assert_eq!(recalled(&scene, &others, last), [None; 2]);
    assert_eq!(recalled(&scene, records, &[]), [None]);
    // the triangle has become flat
    let [a, b, c] = last[0].corners().unwrap();
    scene.position[c] = 0.5 * (scene.position[a] + scene.position[b]);
    assert_eq!(recalled(&scene, records, last), [None]);
}

#[test]
fn an_edge_remembers_its_own_direction() {
    let scene = spike_in_cube(0.1, PLAIN);
    let found = detect(&scene);
    let feature = scene.position.len() + 3;
    let record = Record { feature, ..found.records[0] };
    let mut contact = found.contacts[0].clone();
    (contact.feature, contact.direction) = (feature, DVec3::X);
    for (gap, depth) in [(0.2, 0.2), (-0.2, 0.0)] {
        contact.depth = gap;
        let wanted = Penetration { depth, direction: DVec3::X };
        let known = recalled(&scene, &[record], std::slice::from_ref(&contact));
        assert_eq!(known, [Some(wanted)]);
    }
}

/// The penetration vector of particle 8, in body 0.
fn of_tip(scene: &Scene, remembered: Option<Penetration>) -> Border {
    let found = detect(scene);
    let record = found.records[0];
    assert_eq!((record.feature, record.body), (8, 0));
    border(scene, &found.tested, &[record], &[remembered]).remove(0)
}

/// Remembered: to the right.
const RIGHT: Penetration = Penetration { depth: 0.3, direction: DVec3::X };

#[test]
fn a_particle_inside_keeps_what_it_remembers() {
    let inside = of_tip(&spike_in_cube(0.1, LIFTED), Some(RIGHT));
    assert_eq!((inside.rule, inside.outside), (Rule::Memory, false));
    assert_eq!(inside.penetration, Some(RIGHT));
}

#[test]
fn a_particle_outside_looks_at_the_face_between() {
    let between = of_tip(&spike_in_cube(-0.004, LIFTED), Some(RIGHT));
    assert_eq!((between.rule, between.outside), (Rule::Between, true));
    let way = between.penetration.unwrap();
    assert!((way.depth - 0.006).abs() < 1e-12);
    assert!((way.direction - DVec3::Y).length() < 1e-12);
}

/// A plate from y = −0.2 to 0, and a tip from below in it whose tested position is `below` its top, coming down at
/// `speed`. The tip's normal is up, as the top's.
fn from_below(below: f64, speed: f64) -> Scene {
    let plate = block([1; 3], DVec3::new(8.0, 0.2, 8.0)).shifted(DVec3::new(-4.1, -0.2, -4.07));
    let tip = spike().map(|x| DVec3::new(x.x, -x.y - below - LIFTED.margin, x.z));
    let mut scene = scene(&[plate, tip], LIFTED);
    for v in &mut scene.velocity[8..] {
        *v = DVec3::NEG_Y * speed;
    }
    scene
}

#[test]
fn a_far_nearer_way_in_is_the_penetration_vector() {
    // down it is 0.2 − b, up it is b, through a face that does not look against the tip: 0.2 − b > 2 b + (1 + 8) · 0.01
    for (below, speed, rule, depth) in [
        (0.036, 100.0, Rule::Came, 0.036),
        (0.038, 100.0, Rule::Mean, 0.162),
        // 1.5 steps back it was still in the plate
        (0.036, 20.0, Rule::Mean, 0.164),
        (0.036, -100.0, Rule::Mean, 0.164),
    ] {
        let found = of_tip(&from_below(below, speed), None);
        assert_eq!((found.rule, found.outside), (rule, false), "{below}");
        let way = found.penetration.unwrap();
        let up = if rule == Rule::Came { 1.0 } else { -1.0 };
        assert!((way.direction - up * DVec3::Y).length() < 1e-12, "{way:?}");
        assert!((way.depth - depth).abs() < 1e-12, "{way:?}");
    }
}

#[test]
fn what_is_outside_is_nowhere_deep() {
    // its tested position is moved in through the top, which does not look against the tip
    let scene = from_below(-0.005, 0.0);
    let mut tested = scene.position.clone();
    tested[8].y = -0.05;
    let record = Record {
        feature: 8,
        body: 0,
        tet: detect(&from_below(0.05, 0.0)).records[0].tet,
        along: 0.0,
    };
    assert!(scene.position[8].y < 0.0, "inside by less than its margin");
    let mut outside = scene.clone();
    outside.position[8].y = 0.002;
    for (scene, known, depth) in [(&scene, RIGHT, 0.3), (&outside, RIGHT, 0.0)] {
        let found = border(scene, &tested, &[record], &[Some(known)]).remove(0);
        assert_eq!(found.rule, Rule::Memory);
        assert_eq!(found.penetration, Some(Penetration { depth, ..known }));
    }
    let found = border(&outside, &tested, &[record], &[None]).remove(0);
    assert_eq!((found.rule, found.outside), (Rule::Mean, true));
    let way = found.penetration.unwrap();
    assert!((way.direction - DVec3::NEG_Y).length() < 1e-12);
    assert_eq!(way.depth, 0.0);
}
