//! Round bodies that pass each other: their normal turns from step to step. And what a search of contacts must not hold on to.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;
use pliant::scene::{Body, Event, Kind, Movable, Rigid, Scene, Shape, Solid};

use crate::rigid::{ball, cuboid, grounded};
use crate::support::*;

/// Loses nothing, and has no friction.
fn smooth(body: Body, held: bool) -> Body {
    let kind = Kind::Rigid(Rigid { restitution: 1.0, held, ..Rigid::default() });
    Body { kind, friction: Some(0.0), ..body }
}

fn afloat(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = scene_of(bodies);
    scene.world.gravity = [0.0; 3];
    scene
}

/// A billiard ball hits another half full at 2 m/s. The line between them is at 30° to its way, along which that one leaves, wherever
/// between two searches they meet: a step at 2 m/s is 2 mm long, which makes 1°.
#[test]
fn balls_part_along_the_line_between_them() {
    const RADIUS: f64 = 0.0285;
    for k in 0..8 {
        let from = -0.15 - 0.004 * f64::from(k);
        let mut cue = smooth(ball("cue", RADIUS, [from, 0.0, 0.0]), false);
        cue.velocity = [2.0, 0.0, 0.0];
        let mut world =
            world(&afloat([cue, smooth(ball("other", RADIUS, [0.0, 0.0, RADIUS]), false)]));
        let end = advance(&mut world, 0.3);
        let [cue, other] = [0, 1].map(|i: usize| (end.poses[i].velocity.as_dvec3(), &end.poses[i]));
        let angle = other.0.z.atan2(other.0.x).to_degrees();
        let energy = (cue.0.length_squared() + other.0.length_squared()) / 4.0;
        let spin = other.1.angular_velocity.length() * RADIUS as f32;
        println!("{angle}°, {energy} of the energy, spins at {spin} m/s");
        assert!((angle - 30.0).abs() < 1.5, "{angle}°");
        assert!((energy - 1.0).abs() < 0.01, "{energy} of the energy");
        assert!(spin < 0.1, "{spin} m/s");
    }
}

/// A ball that hits a ball, a capsule or a cylinder half full turns by 120°.
#[test]
fn a_ball_glances_off_what_is_round() {
    const RADIUS: f64 = 0.1;
    let others = [
        Shape::Sphere { radius: 0.2 },
        Shape::Capsule { radius: 0.2, length: 1.0 },
        Shape::Cylinder { radius: 0.2, length: 1.0 },
    ];
    for other in others {
        for k in 0..4 {
            let mut moving =
                smooth(ball("ball", RADIUS, [-0.8 - 0.02 * f64::from(k), 0.15, 0.0]), false);
            moving.velocity = [4.0, 0.0, 0.0];
            // Their axes along z.
            let held = Body { rotation: [FRAC_PI_2, 0.0, 0.0], ..Body::rigid("other", other) };
            let mut world = world(&afloat([moving, smooth(held, true)]));
            let v = advance(&mut world, 0.4).poses[0].velocity.as_dvec3();
            let angle = v.angle_between(DVec3::X).to_degrees();
            println!("{other:?}: {angle}°, {} m/s", v.length());
            assert!((angle - 120.0).abs() < 2.0, "{other:?}: {angle}°");
            assert!((v.length() - 4.0).abs() < 0.02, "{other:?}: {v} m/s");
        }
    }
}

/// Five balls that touch: the last one leaves with what the first one has brought.
#[test]
fn balls_in_a_row_pass_a_hit_on() {
    let at = |k: u32, x: f64| smooth(ball(&format!("{k}"), 0.1, [x, 0.0, 0.0]), false);
    let mut balls = vec![Body { velocity: [2.0, 0.0, 0.0], ..at(0, -0.5) }];
    balls.extend((1..5).map(|k| at(k, 0.2 * f64::from(k - 1))));
    let end = advance(&mut world(&afloat(balls)), 0.5);
    let speeds: Vec<_> = end.poses.iter().map(|pose| pose.velocity.x).collect();
    println!("{speeds:?} m/s");
    assert!((speeds[4] - 2.0).abs() < 0.01, "{speeds:?} m/s");
    assert!(speeds[..4].iter().all(|v| v.abs() < 0.01), "{speeds:?} m/s");
}

/// A ball that slides down a ball without friction lifts off where cos θ = 2/3 cos θ₀, and keeps its speed along the ground.
#[test]
fn a_ball_lifts_off_a_ball_in_time() {
    let (radii, start) = (0.1 + 0.01, PI / 18.0);
    let place = [radii * start.sin(), radii * start.cos(), 0.0];
    let mut scene = scene_of([Body { friction: Some(0.0), ..ball("ball", 0.01, place) }]);
    scene.solids = vec![Solid { friction: Some(0.0), ..Solid::sphere([0.0; 3], 0.1) }];
    let mut world = world(&scene);
    let end = advance(&mut world, 0.8);
    let cosine = start.cos() * 2.0 / 3.0;
    let wanted = (9.81 * radii * cosine).sqrt() * cosine;
    let [speed, spin] = [end.poses[0].velocity.x, end.poses[0].angular_velocity.length()];
    println!("{speed} m/s, wanted {wanted}; {spin} rad/s");
    assert!((f64::from(speed) / wanted - 1.0).abs() < 0.01, "{speed} m/s, wanted {wanted}");
    assert!(spin < 0.1, "{spin} rad/s");
}

/// A table jumps away from under a box that sleeps on it, by less than it would have gone at its speed until contacts are looked for
/// again.
#[test]
fn what_lay_on_what_has_jumped_away_falls() {
    for duration in [0.002, 0.01, 0.04] {
        let mut scene = grounded([cuboid("box", [0.2; 3], [0.0, 1.1, 0.0])]);
        scene.world.sleep = true;
        let table = Solid::cuboid([0.0, 0.9, 0.0], [2.0, 0.2, 2.0]);
        scene.solids = vec![table];
        scene.events = vec![Event::Keyframes {
            what: Movable::Solid(1),
            times: vec![2.0, 2.0 + duration],
            positions: vec![[0.0, 0.9, 0.0], [5.0, 0.9, 0.0]],
            rotations: vec![[0.0; 3]; 2],
        }];
        let mut world = world(&scene);
        let lying = advance(&mut world, 2.0);
        assert!((lying.poses[0].centre.y - 1.1).abs() < 1e-3 && world.asleep_count().unwrap() == 1);
        let end = advance(&mut world, 1.0);
        let height = end.poses[0].centre.y;
        assert!((height - 0.1).abs() < 2e-3, "{duration} s: at {height} m");
    }
}

/// A cube of 1 cm comes to lie on ground of any width as deep as on narrow ground, and sleeps.
#[test]
fn small_bodies_lie_on_wide_ground() {
    for wide in [1.0, 50.0, 300.0] {
        let cube = cuboid("cube", [0.01; 3], [0.0, 0.05, 0.0]);
        let ground = cuboid("ground", [wide, 1.0, wide], [0.0, -0.5, 0.0]);
        let held = Kind::Rigid(Rigid { held: true, ..Rigid::default() });
        let cube = Body { rotation: [0.3, 0.2, 0.1], ..cube };
        let mut scene = scene_of([cube, Body { kind: held, ..ground }]);
        scene.world.sleep = true;
        let mut world = world(&scene);
        let end = advance(&mut world, 2.0);
        let height = end.poses[0].centre.y;
        assert!((height - 0.005).abs() < 3e-5, "{wide} m: at {height} m");
        assert_eq!(world.asleep_count().unwrap(), 1, "{wide} m");
    }
}

/// A box falls by 1 m on one that lies on the floor, also beside its centre: nothing rebounds, so it stays on it.
#[test]
fn what_falls_on_a_free_body_stays_on_it() {
    for aside in [0.0, 0.05] {
        let lower = cuboid("lower", [0.3, 0.2, 0.3], [0.0, 0.1, 0.0]);
        let upper = cuboid("upper", [0.3, 0.2, 0.3], [aside, 1.3, 0.0]);
        let mut world = world(&grounded([lower, upper]));
        advance(&mut world, 0.46);
        let mut most: f32 = 0.0;
        for _ in 0..60 {
            most = most.max(advance(&mut world, 1.0 / 60.0).poses[1].centre.y - 0.3);
        }
        let end = advance(&mut world, 1.0).poses[1].centre;
        println!("{aside} m aside: rebounds by {most} m, ends at {end}");
        assert!(most < 0.02, "{aside} m aside: rebounds by {most} m");
        assert!((end.y - 0.3).abs() < 1e-3 && (f64::from(end.x) - aside).abs() < 0.06, "{end}");
    }
}
