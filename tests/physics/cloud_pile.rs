//! Piles of clouds and blocks: they come to rest, and give the same bits each time.

use glam::DVec3;
use pliant::scene::Scene;

use crate::cloud_support::*;
use crate::collide_support::*;
use crate::support::*;

/// Single spheres, clouds and soft blocks above each other, each a little aside.
pub fn pile(layers: u32) -> Scene {
    let mut random = Random::new(21);
    let mut bodies = Vec::new();
    for layer in 0..layers {
        let aside = 0.03 * random.vector(1.0);
        let at = DVec3::Y * (0.2 + 0.35 * f64::from(layer)) + aside.with_y(0.0);
        let mut body = match layer % 3 {
            0 => brick([2; 3], [0.3; 3], [0.0; 3], 500.0, 3e5),
            1 => cloud(&heap(2)),
            _ => brick([3, 1, 3], [0.45, 0.15, 0.45], [0.0; 3], 500.0, 3e5),
        };
        body.position = at.to_array();
        body.rotation = [0.0, random.between(-1.0, 1.0), 0.0];
        bodies.push(body);
    }
    for k in 0..6 {
        let angle = f64::from(k);
        let at = DVec3::new(0.5 * angle.cos(), 0.1 + 0.12 * angle, 0.5 * angle.sin());
        bodies.push(pebble(at, -at.with_y(0.0)));
    }
    let mut scene = standing(bodies);
    scene.world.friction = 0.6;
    scene
}

#[test]
fn a_pile_of_clouds_and_blocks_comes_to_rest() {
    let mut world = world(&pile(5));
    let mut last = advance(&mut world, 1.0);
    for _ in 2..7 {
        last = advance(&mut world, 1.0);
    }
    assert!(rms(&last.velocities) < 5e-3, "{}", rms(&last.velocities));
    assert!(least_gap(&world, &last) > -0.02 * R);
    assert!(least_clearance(&world, &last) > -0.1 * R);
}

/// Which particles touch is told for spheres, too.
#[test]
fn touching_spheres_are_told() {
    let scene = at_step(
        standing([table(), held(DVec3::Y * R), pebble(DVec3::Y * (3.0 * R - 1e-4), DVec3::ZERO)]),
        1e-3,
    );
    let mut world = world(&scene);
    world.step(20).unwrap();
    let contacts = world.read_contacts().unwrap();
    let count = contacts.roles.len();
    assert_eq!(contacts.roles[count - 2..], [1, 1]);
    assert!(contacts.roles[..count - 2].contains(&2));
}
