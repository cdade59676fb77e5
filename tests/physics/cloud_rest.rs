//! Spheres at rest: on solids, on tetrahedra, on each other; and what they let slide.

use glam::DVec3;
use pliant::internals::Inside as _;
use pliant::scene::{Integrator, Scene, Solid};

use crate::cloud_support::*;
use crate::collide_support::*;
use crate::shape_support::STABLE;
use crate::support::*;

/// The last body of a scene has fallen for 1 s: its way from where it should rest, and its speed.
fn settled(scene: &Scene, rest: DVec3) -> (f64, f64) {
    let mut world = world(scene);
    let end = advance(&mut world, 1.0);
    let (x, v) = state(&world, &end, scene.bodies.len() - 1);
    (x.distance(rest), v.length())
}

#[test]
fn a_sphere_rests_on_solids_with_its_surface() {
    let ball = Solid::sphere([0.0, -0.5, 0.0], 0.5);
    let block = Solid::cuboid([0.0, -0.5, 0.0], [1.0; 3]);
    for integrator in STABLE {
        for solid in [None, Some(ball.clone()), Some(block.clone())] {
            let mut scene = at_step(standing([pebble(DVec3::Y * 0.3, DVec3::ZERO)]), 1e-3);
            scene.world.integrator = integrator;
            if let Some(solid) = solid {
                scene.world.floor = None;
                scene.solids.push(solid);
            }
            let (way, speed) = settled(&scene, DVec3::Y * R);
            assert!(way < 2e-6 && speed < 1e-4, "{integrator:?}: {way:e}, {speed:e}");
        }
    }
}

#[test]
fn a_sphere_rests_on_a_block_of_tetrahedra() {
    for (integrator, x) in [
        (Integrator::Verlet, DVec3::new(0.03, 0.2, 0.08)),
        (Integrator::SymplecticEuler, DVec3::new(0.2, 0.2, 0.2)),
        (Integrator::Leapfrog, DVec3::new(0.2, 0.2, 0.1)),
        (Integrator::Rk4, DVec3::new(-0.31, 0.2, 0.13)),
    ] {
        let mut scene = at_step(standing([table(), pebble(x, DVec3::ZERO)]), 1e-3);
        scene.world.floor = None;
        scene.world.integrator = integrator;
        let (way, speed) = settled(&scene, x.with_y(R));
        // The stages of Runge and Kutta know nothing of other bodies: half a step's fall is left in the velocity.
        let ghost = if integrator == Integrator::Rk4 { 0.501 * G * 1e-3 } else { 0.0 };
        // What is left of the depth: a thousandth of an edge.
        assert!(way < 2e-4, "{integrator:?}: {way:e} m");
        assert!(speed < 1e-5 + ghost, "{integrator:?}: {speed:e} m/s");
    }
}

#[test]
fn a_sphere_rests_on_a_sphere_and_in_a_nest_of_four() {
    let up = |height: f64| DVec3::Y * height;
    let on_one = [held(DVec3::ZERO), pebble(up(0.15), DVec3::ZERO)];
    let (way, speed) = settled(&at_step(meeting_with_gravity(on_one), 1e-3), up(2.0 * R));
    assert!(way < 1e-6 && speed < 1e-5, "{way:e}, {speed:e}");
    // The centres of four that touch each other, and a fifth: a pyramid whose edges are all 2 R.
    let corners = [(-R, -R), (-R, R), (R, -R), (R, R)].map(|(x, z)| held(DVec3::new(x, 0.0, z)));
    let mut bodies = corners.to_vec();
    bodies.push(pebble(DVec3::new(0.01, 0.13, -0.006), DVec3::ZERO));
    let mut scene = at_step(meeting_with_gravity(bodies), 1e-3);
    scene.world.friction = 0.1;
    let (way, speed) = settled(&scene, up(2.0_f64.sqrt() * R));
    assert!(way < 1e-3 && speed < 1e-3, "{way:e}, {speed:e}");
}

fn meeting_with_gravity(bodies: impl IntoIterator<Item = pliant::scene::Body>) -> Scene {
    let mut scene = standing(bodies);
    scene.world.floor = None;
    scene
}

/// A soft block on a bed of held spheres hangs on none of them and sinks into none.
#[test]
fn a_soft_block_rests_on_a_bed_of_spheres() {
    let side = 9;
    let at = |k: usize| 2.0 * R * (k as f64 - 4.0);
    let points: Vec<_> =
        (0..side * side).map(|k| DVec3::new(at(k % side), 0.0, at(k / side))).collect();
    let mut bed = cloud(&points);
    bed.pin.push(EVERYWHERE);
    let block = brick([2; 3], [0.4; 3], [0.01, R + 0.22, 0.02], 1000.0, 1e6);
    let mut scene = meeting_with_gravity([bed, block]);
    scene.world.friction = 0.6;
    let mut world = world(&scene);
    let end = advance(&mut world, 2.0);
    let clearance = least_clearance(&world, &end);
    let speed = rms(&end.velocities[world.model().bodies[1].particles.clone()]);
    assert!(clearance.abs() < 1e-3, "{clearance:e} m");
    assert!(speed < 2e-3, "{speed:e} m/s");
}

/// Slopes of tetrahedra and of the solid floor, and two frictions whose geometric mean counts between bodies.
#[test]
fn a_sphere_on_a_slope_holds_below_the_friction_angle_and_slides_above() {
    let friction: f64 = 0.5;
    for solid in [false, true] {
        let slide = |angle: f64, time: f64| {
            let mut stone = pebble(DVec3::new(-0.4, R, 0.07), DVec3::ZERO);
            stone.friction = Some(if solid { friction } else { 0.25 });
            let mut bodies = vec![stone];
            if !solid {
                let mut table = table();
                table.friction = Some(1.0);
                bodies.push(table);
            }
            let mut scene = at_step(meeting(bodies), 1e-3);
            scene.world.gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
            scene.world.floor = solid.then_some(0.0);
            let mut world = world(&scene);
            let end = advance(&mut world, time);
            let (x, v) = state(&world, &end, 0);
            (x.x + 0.4, v.x)
        };
        let (way, speed) = slide((0.97 * friction).atan(), 0.4);
        assert!(way.abs() < 1e-6 && speed.abs() < 1e-5, "{way:e} m, {speed:e} m/s");
        let angle = (1.2 * friction).atan();
        let (way, speed) = slide(angle, 0.3);
        let wanted = G * (angle.sin() - friction * angle.cos());
        assert!((speed / (0.3 * wanted) - 1.0).abs() < 1e-3, "{speed}");
        assert!((way / (0.045 * wanted) - 1.0).abs() < 1e-3, "{way}");
    }
}
