//! Impacts of many at once: each place rebounds as it would alone, whatever else the body hits, and what has sunk in comes out at rest.

use pliant::scene::{Body, Kind, Mass, Rigid, Scene, Shape};

use crate::rigid::{afloat, cuboid, grounded, measure};
use crate::support::*;

/// Held, without friction; it loses nothing.
fn wall(name: &str, size: [f64; 3], position: [f64; 3]) -> Body {
    let kind = Kind::Rigid(Rigid { held: true, ..Rigid::default() });
    Body { kind, friction: Some(0.0), ..cuboid(name, size, position) }
}

fn thrown(shape: Shape, position: [f64; 3], velocity: [f64; 3]) -> Body {
    let kind = Kind::Rigid(Rigid { restitution: 1.0, ..Rigid::default() });
    Body { kind, friction: Some(0.0), position, velocity, ..Body::rigid("thrown", shape) }
}

/// In a right-angled corner of two or three walls (which it meets at once) a ball and a capsule turn round. With four iterations
/// instead of twelve a ball comes back from two walls at 9.29 m/s.
#[test]
fn a_corner_turns_a_ball_round() {
    let walls = [
        wall("x", [1.0, 9.0, 9.0], [-0.5, 4.0, 4.0]),
        wall("y", [9.0, 1.0, 9.0], [4.0, -0.5, 4.0]),
        wall("z", [9.0, 9.0, 1.0], [4.0, 4.0, -0.5]),
    ];
    let shapes = [Shape::Sphere { radius: 0.1 }, Shape::Box { size: [0.2; 3] }];
    for (count, least) in [(2, 0.997), (3, 0.97)] {
        for shape in shapes {
            let place = [0, 1, 2].map(|axis| if axis < count { 0.35 } else { 4.0 });
            let velocity = [0, 1, 2].map(|axis| if axis < count { -10.0 } else { 0.0 });
            let bodies = walls.iter().take(count).cloned().chain([thrown(shape, place, velocity)]);
            let end = advance(&mut world(&afloat(bodies)), 0.1);
            let back = end.poses[count].velocity.as_dvec3();
            let parts = [back.x, back.y, back.z];
            println!("{shape:?}, {count} walls: {back}");
            for (axis, speed) in parts.into_iter().enumerate() {
                let wanted = if axis < count { 10.0 } else { 0.0 };
                assert!(speed >= least * wanted - 1e-3, "{shape:?}, {count} walls: {back}");
                assert!(speed <= wanted + 1e-3, "{shape:?}, {count} walls: {back}");
            }
        }
    }
}

/// A plate lands flat on four blocks and leaves as fast as it came, flat. With four iterations at 3.8 of 5 m/s.
#[test]
fn a_plate_rebounds_from_four_blocks_at_once() {
    let block = |k: u32| {
        let side = |bit: u32| if k & bit > 0 { 0.4 } else { -0.4 };
        wall(&format!("block {k}"), [0.3, 0.2, 0.3], [side(1), -0.1, side(2)])
    };
    let plate = thrown(Shape::Box { size: [1.1, 0.1, 1.1] }, [0.0, 0.3, 0.0], [0.0, -5.0, 0.0]);
    let end = advance(&mut world(&afloat((0..4).map(block).chain([plate]))), 0.15);
    let pose = end.poses[4];
    println!("{} m/s, {} rad/s", pose.velocity, pose.angular_velocity);
    assert!((4.8..=5.001).contains(&pose.velocity.y), "{}", pose.velocity);
    assert!(pose.angular_velocity.length() < 0.1, "{}", pose.angular_velocity);
}

/// Upward speed of the fastest body, and how much energy comes back after the least, over the largest kinetic one.
fn after_impact(scene: &Scene, time: f64) -> [f64; 2] {
    let mut world = world(scene);
    let (mut up, mut least, mut back, mut largest) = (0.0_f64, f64::INFINITY, 0.0_f64, 0.0_f64);
    for _ in 0..(time * 120.0) as usize {
        let state = advance(&mut world, 1.0 / 120.0);
        let energy = measure(&world, &state).energy;
        let total = energy.kinetic + energy.gravity;
        up = state.poses.iter().map(|pose| f64::from(pose.velocity.y)).fold(up, f64::max);
        largest = largest.max(energy.kinetic);
        least = least.min(total);
        back = back.max(total - least);
    }
    [up, back / largest]
}

/// A stack that lands stays together, as deep bodies are pushed apart for the moves alone. Where impulses do that, the top of eight
/// boxes goes up at 1.6 m/s.
#[test]
fn stacks_that_land_stay_together() {
    let stacked = |k: usize| Body {
        velocity: [0.0, -3.0, 0.0],
        ..cuboid(&format!("{k}"), [0.2; 3], [0.0, 0.11 + 0.2 * k as f64, 0.0])
    };
    let [up, back] = after_impact(&grounded((0..8).map(stacked)), 0.8);
    println!("{up} m/s, {back} of the energy");
    assert!(up < 0.9, "{up} m/s");
}

/// What sinks into what is hundreds of times lighter is not thrown out again. Where impulses push, 17 % of the energy come back.
#[test]
fn what_sinks_into_light_bodies_is_not_thrown_out() {
    let light = |k: usize| Body {
        position: [
            -0.45 + 0.17 * (k % 6) as f64,
            0.08 + 0.17 * (k / 36) as f64,
            -0.45 + 0.17 * (k / 6 % 6) as f64,
        ],
        ..Body::rigid(format!("{k}"), Shape::Sphere { radius: 0.08 })
    };
    let heavy = Body {
        mass: Mass::Density(7800.0),
        position: [0.01, 0.85, 0.005],
        velocity: [0.0, -7.8, 0.0],
        ..Body::rigid("heavy", Shape::Sphere { radius: 0.3 })
    };
    let [up, back] = after_impact(&grounded((0..108).map(light).chain([heavy])), 1.0);
    println!("{up} m/s, {back} of the energy");
    assert!(back < 0.02, "{back} of the energy");
}

/// Bodies that start in each other are pushed apart and stand still then. Where impulses do that, the outer ones of five boxes fly off at
/// 4.6 m/s.
#[test]
fn what_starts_in_each_other_comes_apart_at_rest() {
    let row = |k: usize| cuboid(&format!("{k}"), [1.0; 3], [0.5 * k as f64, 0.0, 0.0]);
    let end = advance(&mut world(&afloat((0..5).map(row))), 3.0);
    let gaps = end.poses.windows(2).map(|pair| pair[1].centre.x - pair[0].centre.x);
    let (nearest, farthest) = gaps.fold((f32::INFINITY, 0.0_f32), |(a, b), x| (a.min(x), b.max(x)));
    let fastest = end.poses.iter().map(|pose| pose.velocity.length()).fold(0.0, f32::max);
    println!("{nearest} to {farthest} m, {fastest} m/s");
    assert!(nearest > 0.97 && farthest < 1.0001, "{nearest} to {farthest} m");
    assert!(fastest < 1e-4, "{fastest} m/s");
}
