//! The three rules that project positions.

use glam::DVec3;

use super::shapes::{PLAIN, cube, empty, scene, two_cubes};
use crate::reference::contact::detect::detect;
use crate::reference::contact::pressure::{
    HALVINGS, areas, gentle_ways, half_displacements, penetration_vectors, signs, whole_ways,
};
use crate::reference::contact::project::{displacements, loads, push, split_inverse_mass};
use crate::reference::contact::triangles::Contact;
use crate::reference::contact::{BodyContact, Scene, weighted};

/// Particle 3 of body 1 at depth `depth` behind the triangle 0, 1, 2 of body 0, above its middle; r = +Y.
pub fn one(depth: f64) -> (Scene, Vec<Contact>) {
    let mut scene = empty();
    scene.bodies = vec![PLAIN; 2];
    scene.position = vec![DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::Y * -depth];
    scene.velocity = vec![DVec3::ZERO; 4];
    scene.inverse_mass = vec![1.0, 2.0, 4.0, 5.0];
    scene.body = vec![0, 0, 0, 1];
    scene.surface = vec![[0, 2, 1]];
    let contact = Contact {
        feature: 3,
        partner: 0,
        points: vec![(3, 1.0)],
        others: vec![(0, 0.5), (1, 0.25), (2, 0.25)],
        direction: DVec3::Y,
        estimate: depth,
        reach: 0.0,
        depth,
        friction: 0.0,
        edge: PLAIN.edge,
        target: 0.0,
    };
    (scene, vec![contact])
}

#[test]
fn a_push_leaves_a_little_and_is_capped() {
    let push_of = |depth: f64| push(&one(depth).1[0], 1e-3);
    assert_eq!(push_of(-0.1), 0.0);
    // a thousandth of an edge of 0.2 m
    assert_eq!(push_of(1.9e-4), 0.0);
    assert!((push_of(1.2e-3) - 1e-5).abs() < 1e-18, "1 mm in 100 steps");
    assert!((push_of(0.0101) - 9.9e-5).abs() < 1e-18);
    assert!((push_of(0.0103) - 1e-4).abs() < 1e-18, "0.1 m/s");
}

#[test]
fn one_contact_parts_by_its_push_and_keeps_the_centre_of_mass() {
    let (scene, contacts) = one(0.1);
    let loads = loads(&contacts, 4);
    assert_eq!(loads, [0.5, 0.25, 0.25, 1.0]);
    let moved = displacements(&scene, &contacts, &loads);
    let apart = weighted(&contacts[0].participants(), &moved);
    assert!((apart - 1e-4 * DVec3::Y).length() < 1e-18);
    // λ = e/(5 + 1/4 + 2/16 + 4/16)
    assert!((moved[3] - DVec3::Y * 1e-4 * 5.0 / 5.625).length() < 1e-18);
    assert!((moved[1] + DVec3::Y * 1e-4 * 0.25 * 2.0 / 5.625).length() < 1e-18);
}

#[test]
fn held_particles_stay() {
    let (mut scene, contacts) = one(0.1);
    let moved = |scene: &Scene| displacements(scene, &contacts, &[0.5, 0.25, 0.25, 1.0]);
    scene.inverse_mass[3] = 0.0;
    assert_eq!(moved(&scene)[3], DVec3::ZERO);
    let apart = weighted(&contacts[0].participants(), &moved(&scene));
    assert!((apart - 1e-4 * DVec3::Y).length() < 1e-18, "the others give way");
    scene.inverse_mass = vec![0.0; 4];
    assert_eq!(moved(&scene), [DVec3::ZERO; 4]);
}

#[test]
fn contacts_with_a_gap_load_their_particles_too() {
    let (scene, mut contacts) = one(0.1);
    contacts.push(contacts[0].clone());
    contacts[1].depth = -0.001;
    contacts[1].others[2].0 = 3;
    contacts[1].points = vec![(2, 1.0)];
    let loads = loads(&contacts, 4);
    assert_eq!(loads, [1.0, 0.5, 1.25, 1.25]);
    let moved = displacements(&scene, &contacts, &loads);
    // λ = e/(0.5·1·1 + 0.25·0.5·2 + 0.25·1.25·4 + 1·1.25·5)
    assert!((moved[3] - DVec3::Y * 1e-4 * 5.0 / 8.25).length() < 1e-18);
}

#[test]
fn projection_keeps_linear_and_angular_momentum() {
    let mut pushed = 0;
    for seed in 1..40 {
        let scene = two_cubes(3, seed, BodyContact { margin: 0.002, ..PLAIN });
        let contacts = detect(&scene).contacts;
        let loads = loads(&contacts, scene.position.len());
        let moved = displacements(&scene, &contacts, &loads);
        let mass = |i: usize| 1.0 / scene.inverse_mass[i];
        let linear: DVec3 = (0..moved.len()).map(|i| mass(i) * moved[i]).sum();
        let angular: DVec3 =
            (0..moved.len()).map(|i| mass(i) * scene.position[i].cross(moved[i])).sum();
        let size: f64 = (0..moved.len()).map(|i| mass(i) * moved[i].length()).sum();
        assert!(linear.length() <= 1e-12 * size, "{linear}");
        assert!(angular.length() <= 1e-12 * size, "{angular}");
        pushed += contacts.iter().filter(|c| push(c, scene.step) > 0.0).count();
    }
    assert!(pushed > 500, "{pushed}");
}

#[test]
fn split_projections_overshoot_nothing_together() {
    let base = cube(2).shifted(DVec3::Y * -0.5);
    let top = cube(2).map(|x| DVec3::new(0.7 * x.x, x.y + 0.48, 0.7 * x.z));
    let scene = scene(&[base, top], PLAIN);
    let contacts = detect(&scene).contacts;
    assert!(contacts.len() > 8);
    let loads = loads(&contacts, scene.position.len());
    let moved = displacements(&scene, &contacts, &loads);
    // W is at least a row's sum, so no eigenvalue of the scaled matrix exceeds 1, and what is left over is less in its norm
    let (mut left, mut all) = (0.0, 0.0);
    for contact in &contacts {
        let apart = weighted(&contact.participants(), &moved).dot(contact.direction);
        let weight = 1.0 / split_inverse_mass(contact, &scene.inverse_mass, &loads);
        let push = push(contact, scene.step);
        left += weight * (apart - push).powi(2);
        all += weight * push.powi(2);
    }
    assert!(left < all, "{left} of {all}");
}

#[test]
fn half_moves_each_side_half_of_the_way() {
    let (mut scene, contacts) = one(0.1);
    let ways = whole_ways(&contacts);
    assert_eq!(ways, [DVec3::Y * 0.1]);
    assert_eq!(gentle_ways(&contacts, 1e-3), [DVec3::Y * 1e-4]);
    let moved = half_displacements(&scene, &contacts, &ways);
    let half = DVec3::Y * 0.05;
    // corners move all alike, whatever their share: they have no other contact
    assert_eq!(moved, [-half, -half, -half, half]);
    scene.inverse_mass[0] = 0.0;
    assert_eq!(half_displacements(&scene, &contacts, &ways)[0], DVec3::ZERO);
}

#[test]
fn ways_are_means_over_contacts() {
    let (_, mut contacts) = one(0.1);
    // particle 3 is inside a second body as well, particle 2 is inside that of 3
    contacts.push(contacts[0].clone());
    contacts[1].partner = 2;
    contacts[1].direction = DVec3::X;
    contacts[1].others = vec![(4, 0.5), (5, 0.25), (6, 0.25)];
    contacts.push(contacts[0].clone());
    contacts[2].points = vec![(2, 1.0)];
    contacts[2].others = vec![(7, 0.5), (8, 0.25), (9, 0.25)];
    contacts[2].direction = DVec3::NEG_Y;
    contacts[2].estimate = 0.3;
    contacts.push(contacts[2].clone());
    contacts[3].estimate = 0.0;
    let ways = penetration_vectors(&contacts, &whole_ways(&contacts), 10);
    assert!((ways[3] - DVec3::new(0.1, 0.1, 0.0) / 2.0).length() < 1e-15);
    // (w (−d_3) + d_2)/(w + 1), w = 1/4
    let wanted = DVec3::NEG_Y * (0.25 * 0.1 + 0.3) / 1.25;
    assert!((ways[2] - wanted).length() < 1e-15, "{}", ways[2]);
    assert!((ways[4] + DVec3::X * 0.1).length() < 1e-15);
}

/// Heights of a triangle and of a tip below it after the rule *pressure*. A spring of stiffness 1 holds each corner of the
/// triangle from below, one of stiffness 3 the tip from above; all are 1 m long, as are the areas around them 1 m².
fn meet(overlap: f64, swapped: bool) -> [f64; 2] {
    let (mut scene, contacts) = one(overlap);
    let [near, far] = [DVec3::new(2.25, 0.0, 0.25), DVec3::new(2.25, 1.0, 0.25)];
    scene.position[3] = DVec3::new(0.25, -overlap, 0.25);
    scene.position.extend([near, far]);
    scene.inverse_mass.extend([0.0; 2]);
    scene.surface.push([3, 4, 5]);
    let [triangle, tip] = if swapped { [1, 0] } else { [0, 1] };
    scene.body = vec![triangle, triangle, triangle, tip, tip, tip];
    let ways = whole_ways(&contacts);
    let mut out = penetration_vectors(&contacts, &ways, 6);
    out[4..].fill(DVec3::ZERO);
    let mut x = scene.position.clone();
    let half = half_displacements(&scene, &contacts, &ways);
    x.iter_mut().zip(half).for_each(|(x, half)| *x += half);
    for k in 1..=HALVINGS {
        let force = |i: usize| if i < 3 { -x[i].y } else { -3.0 * (x[i].y + overlap) };
        let areas = areas(&scene, &x);
        let pressure: Vec<_> = (0..6).map(|i| DVec3::Y * force(i) / areas[i]).collect();
        let signs = signs(&scene, &contacts, &ways, &out, &pressure);
        for i in 0..6 {
            x[i] += signs[i] * out[i] * 0.5_f64.powi(k + 1);
        }
    }
    [x[0].y, x[3].y]
}

/// The source's own example: they meet where the forces balance, to what the last halving leaves.
#[test]
fn two_springs_that_overlap_meet_where_their_forces_balance() {
    for (overlap, swapped) in [(0.2, false), (0.2, true), (0.25, false), (0.25, true)] {
        let heights = meet(overlap, swapped);
        let near = |y: f64| (y + 0.75 * overlap).abs() <= overlap / 16.0 * (1.0 + 1e-12);
        assert!(heights.into_iter().all(near), "{heights:?}");
        // Where both see the tie the body with the lower index goes forward.
        let tie = -0.25 * if swapped { 0.6875 } else { 0.8125 };
        assert!(overlap == 0.2 || heights == [tie; 2], "{heights:?}");
    }
}
