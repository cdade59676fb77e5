//! Properties that hold at any pose.

use glam::DVec3;

use super::shapes::{PLAIN, Random, rotation, two_cubes};
use crate::reference::contact::detect::{Detection, detect};
use crate::reference::contact::project::{displacements, loads};
use crate::reference::contact::{BodyContact, Scene};

const BODY: BodyContact = BodyContact { margin: 0.002, friction: 0.5, ..PLAIN };

/// All displacements of a detection.
fn moved(scene: &Scene, found: &Detection) -> Vec<DVec3> {
    let loads = loads(&found.contacts, scene.position.len());
    displacements(scene, &found.contacts, &loads)
}

#[test]
fn turning_the_world_turns_the_contacts() {
    for seed in 1..25 {
        let scene = two_cubes(3, seed, BODY);
        let mut random = Random::new(seed + 77);
        let (turn, shift) = (rotation(&mut random), 3.0 * random.vector(1.0));
        let mut turned = scene.clone();
        turned.position.iter_mut().for_each(|x| *x = turn * *x + shift);
        turned.velocity.iter_mut().for_each(|v| *v = turn * *v);
        let (a, b) = (detect(&scene), detect(&turned));
        assert_eq!(a.sweeps, b.sweeps);
        assert_eq!(a.contacts.len(), b.contacts.len());
        for (a, b) in a.contacts.iter().zip(&b.contacts) {
            assert_eq!((a.feature, a.partner, a.corners()), (b.feature, b.partner, b.corners()));
            assert!((turn * a.direction - b.direction).length() < 1e-9);
            assert!((a.depth - b.depth).abs() < 1e-9);
            assert!((a.target - b.target).abs() < 1e-6);
        }
        for (a, b) in moved(&scene, &a).iter().zip(moved(&turned, &b)) {
            assert!((turn * *a - b).length() < 1e-12);
        }
    }
}

#[test]
fn a_larger_world_has_larger_contacts() {
    for seed in 1..25 {
        let scene = two_cubes(3, seed, BODY);
        let mut large = scene.clone();
        large.position.iter_mut().for_each(|x| *x *= 100.0);
        large.velocity.iter_mut().for_each(|v| *v *= 100.0);
        large.floor *= 100.0;
        for body in &mut large.bodies {
            body.margin *= 100.0;
            body.edge *= 100.0;
        }
        let (a, b) = (detect(&scene), detect(&large));
        assert_eq!(a.outcomes.len(), b.outcomes.len());
        assert_eq!(a.contacts.len(), b.contacts.len());
        for (a, b) in a.contacts.iter().zip(&b.contacts) {
            assert!((a.direction - b.direction).length() < 1e-9);
            assert!((100.0 * a.depth - b.depth).abs() < 1e-9);
        }
    }
}

#[test]
fn contact_points_lie_along_the_way_out() {
    let mut count = 0;
    for seed in 1..60 {
        let scene = two_cubes(3, seed, BODY);
        for contact in detect(&scene).contacts {
            let parts = contact.participants();
            assert!(parts.iter().map(|(_, w)| w).sum::<f64>().abs() < 1e-12);
            let apart = crate::reference::contact::weighted(&parts, &scene.position);
            assert!((apart + contact.depth * contact.direction).length() < 1e-12);
            assert!((contact.direction.length() - 1.0).abs() < 1e-12);
            assert!(contact.depth >= -2.0 * BODY.margin);
            assert!(contact.depth <= 2.0 * contact.estimate + BODY.margin);
            let [a, b, c] = contact.corners().unwrap().map(|c| scene.position[c]);
            let normal = (b - a).cross(c - a).normalize();
            assert!(normal.dot(contact.direction) >= 0.1);
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    for seed in 1..25 {
        let scene = two_cubes(2, seed, BODY);
        let half = scene.position.len() / 2;
        let swap = |i: usize| (i + half) % (2 * half);
        let mut other = scene.clone();
        for i in 0..2 * half {
            other.position[swap(i)] = scene.position[i];
            other.velocity[swap(i)] = scene.velocity[i];
            other.inverse_mass[swap(i)] = scene.inverse_mass[i];
        }
        let (a, b) = (moved(&scene, &detect(&scene)), moved(&other, &detect(&other)));
        for i in 0..2 * half {
            assert!((a[i] - b[swap(i)]).length() < 1e-12, "seed {seed}");
        }
    }
}
