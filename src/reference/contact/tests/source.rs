//! The source's response.

use glam::DVec3;

use super::shapes::{PLAIN, block, scene, spike};
use crate::reference::contact::detect::detect;
use crate::reference::contact::source::slowed;
use crate::reference::contact::{BodyContact, Scene};

#[test]
fn friction_slows_along_the_velocity_and_stops_at_the_most() {
    // 0.05 m below the top of a block of cells of 1 m
    let below = block([3, 1, 3], DVec3::ONE).shifted(DVec3::new(-1.45, -1.0, -1.55));
    let tip = spike().shifted(-0.05 * DVec3::Y);
    let mut scene = scene(&[below, tip], BodyContact { friction: 0.5, ..PLAIN });
    let tip = scene.position.len() - 4;
    let contacts = detect(&scene).contacts;
    assert_eq!(contacts.len(), 1);
    scene.velocity = vec![DVec3::new(3.0, 0.0, 4.0); scene.position.len()];
    let slowed = |scene: &Scene, force: f64| {
        slowed(scene, &contacts, &vec![DVec3::Y * force; scene.position.len()])
    };
    // Δv = μ h |f|/m = 0.5 · 1 ms · 1000 N · 2 /kg
    let after = slowed(&scene, 1000.0);
    assert!((after[tip] - DVec3::new(2.4, 0.0, 3.2)).length() < 1e-12);
    assert_eq!(after[tip + 1], scene.velocity[tip + 1], "not in a body");
    assert_eq!(after[0], scene.velocity[0], "a corner");
    assert_eq!(slowed(&scene, 1e5)[tip], DVec3::ZERO);
    scene.velocity[tip] = DVec3::ZERO;
    assert_eq!(slowed(&scene, 1000.0)[tip], DVec3::ZERO);
    scene.velocity[tip] = DVec3::X;
    scene.inverse_mass[tip] = 0.0;
    assert_eq!(slowed(&scene, 1e5)[tip], DVec3::X, "held");
}
