//! Contacts of spheres at random places.

use glam::DVec3;

use super::shapes::{PLAIN, Random, cube, rotation, scene};
use super::spheres::cloud;
use crate::reference::contact::boxes::{body_boxes, body_pairs};
use crate::reference::contact::impulse::{Impulse, iterate, velocities};
use crate::reference::contact::project::loads;
use crate::reference::contact::spheres::contacts;
use crate::reference::contact::{BodyContact, Scene, weighted};

/// Clouds, of which some have other radii, and a cube, at random, moving.
fn heap(seed: u64, friction: f64) -> Scene {
    let mut random = Random::new(seed);
    let body = BodyContact { margin: 0.005, friction, ..PLAIN };
    let turn = rotation(&mut random);
    let mut scene = scene(&[cube(2).map(|x| turn * x)], body);
    for radius in [0.05, 0.1, 0.25] {
        let points: Vec<_> = (0..12).map(|_| 0.9 * random.vector(1.0)).collect();
        cloud(&mut scene, &points, BodyContact { radius, edge: 2.0 * radius, ..body });
    }
    for v in &mut scene.velocity {
        *v = random.vector(1.0);
    }
    for w in &mut scene.inverse_mass {
        *w = 1.0 + 0.9 * random.between(-1.0, 1.0);
    }
    scene
}

#[test]
fn contacts_are_as_their_participants_say() {
    let mut kinds = [0, 0];
    for seed in 1..20 {
        let scene = heap(seed, 0.3);
        let pairs = body_pairs(&scene, &body_boxes(&scene));
        for contact in contacts(&scene) {
            let parts = contact.participants();
            assert!(parts.iter().map(|(_, w)| w).sum::<f64>().abs() < 1e-12);
            let apart = weighted(&parts, &scene.position);
            assert!((contact.reach - apart.dot(contact.direction) - contact.depth).abs() < 1e-12);
            assert!((apart.cross(contact.direction)).length() < 1e-12);
            let other = scene.body[contact.others[0].0];
            assert!(pairs.touches[scene.body[contact.feature]].contains(&other));
            kinds[usize::from(contact.corners().is_some())] += 1;
        }
    }
    assert!(kinds[0] > 100 && kinds[1] > 100, "{kinds:?}");
}

#[test]
fn turning_the_world_turns_the_contacts() {
    for seed in 1..20 {
        let scene = heap(seed, 0.3);
        let mut random = Random::new(seed + 99);
        let (turn, shift) = (rotation(&mut random), 3.0 * random.vector(1.0));
        let mut turned = scene.clone();
        turned.position.iter_mut().for_each(|x| *x = turn * *x + shift);
        turned.velocity.iter_mut().for_each(|v| *v = turn * *v);
        let (a, b) = (contacts(&scene), contacts(&turned));
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(&b) {
            assert_eq!((a.feature, a.partner), (b.feature, b.partner));
            assert_eq!(a.corners(), b.corners());
            assert!((turn * a.direction - b.direction).length() < 1e-9);
            assert!((a.depth - b.depth).abs() < 1e-9 && (a.target - b.target).abs() < 1e-6);
        }
    }
}

/// Impulses keep the momentum and gain no energy; what acts along the line between two centres keeps the angular
/// momentum, too. Across it spheres that do not spin act R apart.
#[test]
fn impulses_of_spheres_keep_momentum_and_gain_no_energy() {
    for (seed, friction) in (1..30).flat_map(|seed| [(seed, 0.0), (seed, 0.6)]) {
        let scene = heap(seed, friction);
        let mut found = contacts(&scene);
        found.iter_mut().for_each(|c| c.target = 0.0);
        let loads = loads(&found, scene.position.len());
        let mass = |i: usize| 1.0 / scene.inverse_mass[i];
        let all = 0..scene.position.len();
        let linear = |u: &[DVec3]| all.clone().map(|i| mass(i) * u[i]).sum::<DVec3>();
        let spin = |u: &[DVec3]| {
            let of = |i: usize| mass(i) * scene.position[i].cross(u[i]);
            all.clone().map(of).sum::<DVec3>()
        };
        let energy = |u: &[DVec3]| {
            let of = |i: usize| 0.5 * mass(i) * u[i].length_squared();
            all.clone().map(of).sum::<f64>()
        };
        let size: f64 = all.clone().map(|i| mass(i) * scene.velocity[i].length()).sum();
        let mut impulses = vec![Impulse::default(); found.len()];
        for _ in 0..6 {
            let u = velocities(&scene, &found, &scene.velocity, &impulses);
            assert!((linear(&u) - linear(&scene.velocity)).length() < 1e-12 * size);
            assert!(energy(&u) <= energy(&scene.velocity) * (1.0 + 1e-12));
            if friction == 0.0 {
                assert!((spin(&u) - spin(&scene.velocity)).length() < 1e-12 * size);
            }
            impulses = iterate(&scene, &found, &loads, &u, &impulses);
        }
        assert!(impulses.iter().any(|i| i.normal > 0.0));
    }
}
