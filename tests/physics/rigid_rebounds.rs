//! Hits at several places at once: each place rebounds as it would alone, whatever else the body hits.

use pliant::scene::{Body, Kind, Rigid, Shape};

use crate::rigid::{afloat, cuboid};
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
