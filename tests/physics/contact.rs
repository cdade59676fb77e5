//! Bodies on the floor and on solids.

use glam::DVec3;
use pliant::internals::extreme;
use pliant::scene::{Body, Integrator, Kind, Scene, Solid, Step};

use crate::support::*;

const G: f64 = 9.81;

/// A cube of 0.2 m that hardly deforms under its weight.
fn stiff_cube() -> Body {
    lattice("cube", [2; 3], [0.2; 3], 1000.0, springs(1e6, 2e-3))
}

/// On a solid in place of the floor.
fn on_solid(body: Body, solid: Solid, integrator: Integrator) -> Scene {
    let mut scene = on_floor([body], integrator);
    (scene.world.floor, scene.solids) = (None, vec![solid]);
    scene
}

#[test]
fn dropped_cubes_come_to_rest() {
    for integrator in Integrator::ALL {
        for rotation in [[0.0; 3], [0.3, 0.2, 0.5]] {
            let mut body = block(3, 0.2, 0.4);
            body.position = [0.0, 0.6, 0.0];
            body.rotation = rotation;
            let mut world = world(&on_floor([body], integrator));
            let end = advance(&mut world, 4.0);
            let speed = rms(&end.velocities);
            let lowest = lowest(&end.positions);
            assert!(speed < 1e-3, "{integrator:?} {rotation:?}: {speed:e} m/s");
            assert!(lowest.abs() < 0.01 * 0.23, "{integrator:?} {rotation:?}: lowest {lowest:e} m");
        }
    }
}

/// Speeds down a slope after 0.4 s and after 0.8 s, friction 0.5.
fn slope(integrator: Integrator, angle: f64) -> [f64; 2] {
    let normal = DVec3::new(-angle.sin(), angle.cos(), 0.0);
    let mut body = stiff_cube();
    body.rotation = [0.0, 0.0, angle];
    body.position = (0.1 * normal).to_array();
    let plane = Solid::plane([0.0; 3], normal.to_array());
    let scene = on_solid(body, plane, integrator);
    let mut world = world(&scene);
    let down = DVec3::new(-angle.cos(), -angle.sin(), 0.0);
    [0.4, 0.4].map(|time| mean(&advance(&mut world, time).velocities).dot(down))
}

#[test]
fn slope_holds_below_the_friction_angle_and_slides_above_it() {
    for integrator in EXPLICIT {
        let [_, speed] = slope(integrator, 0.45_f64.atan());
        let angle = 0.7_f64.atan();
        let [before, after] = slope(integrator, angle);
        let found = (after - before) / 0.4;
        let wanted = G * (angle.sin() - 0.5 * angle.cos());
        assert!(speed.abs() < 1e-3, "{integrator:?}: slides at {speed:e} m/s");
        assert!((found / wanted - 1.0).abs() < 1e-3, "{integrator:?}: {found}, wanted {wanted}");
    }
}

#[test]
fn friction_stops_after_the_right_distance() {
    for friction in [0.3, 0.6] {
        let mut body = stiff_cube();
        body.position = [0.0, 0.1, 0.0];
        body.velocity = [2.0, 0.0, 0.0];
        body.friction = Some(friction);
        let mut world = world(&on_floor([body], Integrator::Verlet));
        let end = advance(&mut world, 1.2);
        let wanted = 4.0 / (2.0 * friction * G);
        let found = mean(&end.positions).x;
        assert!((found / wanted - 1.0).abs() < 0.02, "{friction}: {found} m, wanted {wanted} m");
    }
}

/// Height to which a cube of 0.2 m rebounds over that from which it fell, some 0.5 m.
fn rebound(kind: Kind, integrator: Integrator, tilt: f64) -> f64 {
    let mut body = lattice("cube", [4; 3], [0.2; 3], 1000.0, kind);
    (body.position, body.rotation) = ([0.0, 0.6, 0.0], [tilt, 0.0, 0.7 * tilt]);
    let mut scene = on_floor([body], integrator);
    if integrator == Integrator::Euler {
        // For little damping.
        scene.world.step = Step::Fixed(2e-5);
    }
    let mut world = world(&scene);
    let start = doubles(&world.read().unwrap().positions);
    let height = start.iter().map(|x| x.y).fold(f64::INFINITY, extreme::least);
    advance(&mut world, (2.0 * height / G).sqrt() + 0.05);
    let highest = (0..30).map(|_| mean(&advance(&mut world, 0.015).positions).y);
    let highest = highest.fold(f64::NEG_INFINITY, extreme::greatest);
    (highest - (0.6 - height)) / height
}

/// A cube's relaxation time \[s\] for this damping ratio of its lowest vibration as a column (src/scene/defaults.rs).
fn damped(young: f64, ratio: f64) -> f64 {
    2.0 * ratio * (2.0 * 0.2 / std::f64::consts::PI) * (1000.0 / young).sqrt()
}

/// The higher the less it is damped, whatever it is made of (docs/notes/restitution.md).
#[test]
fn bodies_rebound_by_their_elasticity() {
    let springs = |young, ratio| springs(young, damped(young, ratio));
    let fem = |young, ratio| fem(young, 0.3, damped(young, ratio));
    let kinds: [&dyn Fn(f64, f64) -> Kind; 2] = [&springs, &fem];
    for kind in kinds {
        for young in [1e5, 5e6] {
            let heights =
                [0.01, 0.1, 0.5].map(|ratio| rebound(kind(young, ratio), Integrator::Verlet, 0.0));
            let [high, middle, low] = heights;
            assert!((0.3..0.6).contains(&high), "{heights:?}");
            assert!((0.05..0.16).contains(&low), "{heights:?}");
            assert!(low < 0.8 * middle && middle < 0.8 * high, "{heights:?}");
        }
    }
}

/// None comes back higher than it fell from, with any integrator, level or tilted.
#[test]
fn no_rebound_gains_height() {
    for integrator in Integrator::ALL {
        for tilt in [0.0, 0.5] {
            let found = rebound(springs(1e5, damped(1e5, 0.01)), integrator, tilt);
            assert!(found < 0.7, "{integrator:?}: {found}");
        }
    }
}

#[test]
fn ball_and_box_hold_a_body() {
    let ball = Solid::sphere([0.0, -1.0, 0.0], 1.0);
    let tilted =
        Solid { rotation: [0.0, 0.7, 0.0], ..Solid::cuboid([0.0, -0.5, 0.0], [1.0, 1.0, 0.8]) };
    for (name, solid) in [("ball", ball), ("box", tilted)] {
        let mut body = stiff_cube();
        body.position = [0.0, 0.15, 0.0];
        let mut world = world(&on_solid(body, solid, Integrator::Verlet));
        let end = advance(&mut world, 2.0);
        let centre = mean(&end.positions);
        // On the ball it goes on rocking for long.
        let speed = rms(&end.velocities);
        assert!(name == "ball" || speed < 1e-3, "{name}: {speed} m/s");
        assert!(centre.distance(DVec3::new(0.0, 0.1, 0.0)) < 0.01, "{name}: {centre}");
    }
}

#[test]
fn nothing_tunnels() {
    let plate = Solid::cuboid([0.0, -0.01, 0.0], [4.0, 0.02, 4.0]);
    let floor = Solid::plane([0.0; 3], [0.0, 1.0, 0.0]);
    for (name, solid) in [("floor", floor), ("plate", plate)] {
        for integrator in Integrator::ALL {
            let mut body = stiff_cube();
            body.rotation = [0.2, 0.1, 0.4];
            body.position = [0.0, 3.0, 0.0];
            body.velocity = [0.0, -100.0, 0.0];
            let mut world = world(&on_solid(body, solid.clone(), integrator));
            let lowest = (0..10).map(|_| lowest(&advance(&mut world, 0.01).positions));
            let lowest = lowest.fold(f64::INFINITY, extreme::least);
            assert!(lowest > -1e-4, "{name} {integrator:?}: {lowest} m");
        }
    }
}
