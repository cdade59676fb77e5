//! Properties that hold at any pose.

use glam::DVec3;

use super::shapes::{PLAIN, Random, cube, rotation, scene, two_cubes};
use super::spheres::cloud;
use crate::reference::contact::detect::{Detection, detect};
use crate::reference::contact::project::{displacements, loads};
use crate::reference::contact::{BodyContact, Scene, weighted};

const BODY: BodyContact = BodyContact { margin: 0.002, friction: 0.5, ..PLAIN };

/// Clouds, of which some have other radii, and a cube, at random, moving.
pub fn heap(seed: u64, friction: f64) -> Scene {
    let mut random = Random::new(seed);
    let body = BodyContact { margin: 0.005, friction, ..PLAIN };
    let turn = rotation(&mut random);
    let mut scene = scene(&[cube(2).map(|x| turn * x)], body);
    for radius in [0.05, 0.1, 0.25] {
        let points: Vec<_> = (0..12).map(|_| 0.9 * random.vector(1.0)).collect();
        cloud(&mut scene, &points, BodyContact { radius, edge: 2.0 * radius, ..body });
    }
    scene.velocity.iter_mut().for_each(|v| *v = random.vector(1.0));
    scene.inverse_mass.iter_mut().for_each(|w| *w = random.between(0.1, 1.9));
    scene
}

/// Pairs of cubes, and heaps of spheres.
fn scenes(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Scene> {
    seeds.flat_map(|seed| [two_cubes(3, seed, BODY), heap(seed, 0.3)])
}

/// All displacements of a detection.
fn moved(scene: &Scene, found: &Detection) -> Vec<DVec3> {
    let loads = loads(&found.contacts, scene.position.len());
    displacements(scene, &found.contacts, &loads)
}

#[test]
fn turning_the_world_turns_the_contacts() {
    let mut random = Random::new(77);
    for scene in scenes(1..25) {
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
fn contact_points_lie_along_the_penetration_vector() {
    let mut kinds = [0, 0, 0];
    for scene in scenes(1..60) {
        let found = detect(&scene);
        for contact in &found.contacts {
            let parts = contact.participants();
            assert!(parts.iter().map(|(_, w)| w).sum::<f64>().abs() < 1e-12);
            let apart = weighted(&parts, &scene.position);
            let wanted = (contact.reach - contact.depth) * contact.direction;
            assert!((apart - wanted).length() < 1e-12);
            assert!((contact.direction.length() - 1.0).abs() < 1e-12);
            let [own, other] = [contact.points[0].0, contact.others[0].0].map(|i| scene.body[i]);
            assert!(found.pairs.touches[own].contains(&other));
            let of_sphere = contact.reach > 0.0;
            if let (Some(corners), false) = (contact.corners(), of_sphere) {
                assert!(contact.depth >= -2.0 * BODY.margin);
                assert!(contact.depth <= 2.0 * contact.estimate + BODY.margin);
                let [a, b, c] = corners.map(|c| scene.position[c]);
                let normal = (b - a).cross(c - a).normalize();
                assert!(normal.dot(contact.direction) >= 0.1);
            }
            kinds[usize::from(of_sphere) + usize::from(contact.corners().is_none())] += 1;
        }
    }
    assert!(kinds[0] > 1000 && kinds[1] > 300 && kinds[2] > 300, "{kinds:?}");
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
