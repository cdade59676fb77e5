//! Rigid bodies: how they turn, collide, slide, roll, bounce and stand, against closed forms.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, Vec3};
use pliant::World;
use pliant::report::Measure;
use pliant::scene::{Body, Kind, Mass, Rigid, Scene, Shape, Solid, Step};
use pliant::world::Snapshot;

use crate::support::*;

const G: f64 = 9.81;

pub fn cuboid(name: &str, size: [f64; 3], position: [f64; 3]) -> Body {
    Body { position, ..Body::rigid(name, Shape::Box { size }) }
}

pub fn ball(name: &str, radius: f64, position: [f64; 3]) -> Body {
    Body { position, ..Body::rigid(name, Shape::Sphere { radius }) }
}

fn rebounding(body: Body, restitution: f64) -> Body {
    Body { kind: Kind::Rigid(Rigid { restitution, ..Rigid::default() }), ..body }
}

/// Without weight.
pub fn afloat(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = scene_of(bodies);
    scene.world.gravity = [0.0; 3];
    scene
}

/// Over a floor, where what has come to rest does not fall asleep.
pub fn grounded(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = scene_of(bodies);
    (scene.world.floor, scene.world.sleep) = (Some(0.0), false);
    scene
}

pub fn measure(world: &World, state: &Snapshot) -> Measure {
    Measure::new(world, state).unwrap()
}

/// How far linear and angular momentum are from those at the start, in parts of these.
pub fn momentum_off(end: &Measure, start: &Measure) -> [f64; 2] {
    let off = |of: fn(&Measure) -> [f64; 3]| {
        let [end, start] = [end, start].map(|measure| DVec3::from(of(measure)));
        end.distance(start) / start.length()
    };
    [off(|measure| measure.momentum.linear), off(|measure| measure.momentum.angular)]
}

fn angular(measure: &Measure) -> DVec3 {
    DVec3::from(measure.momentum.angular)
}

/// A box that turns about no axis of its own at 5 rad/s, for 10⁴ steps of 1 ms.
#[test]
fn a_free_box_keeps_energy_and_angular_momentum() {
    let mut body = cuboid("box", [0.2, 1.0, 0.5], [0.0; 3]);
    body.angular_velocity = [2.0, 3.0, 12_f64.sqrt()];
    let mut scene = afloat([body]);
    scene.world.step = Step::Fixed(1e-3);
    let mut world = world(&scene);
    let start = world.read().unwrap();
    let start = measure(&world, &start);
    let end = advance(&mut world, 10.0);
    let end = measure(&world, &end);
    let energy = end.energy.kinetic / start.energy.kinetic - 1.0;
    let momentum = (angular(&end) - angular(&start)).length() / angular(&start).length();
    println!("energy {energy:e}, angular momentum {momentum:e}");
    assert!(energy.abs() < 1e-5 && momentum < 1e-6, "energy {energy:e}, L {momentum:e}");
}

/// Its rim moves at 2 km/s: what is too fast is told by the speed of points, not by the spin.
#[test]
fn a_small_ball_may_spin_fast() {
    let mut body = ball("ball", 0.1, [0.0; 3]);
    body.angular_velocity = [0.0, 0.0, 2e4];
    let end = advance(&mut world(&afloat([body])), 0.1);
    let spin = end.poses[0].angular_velocity;
    assert!(spin.distance(2e4 * Vec3::Z) < 0.1, "{spin} rad/s");
}

/// The complete elliptic integral of the first kind, by the arithmetic and geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// Spun about its middle axis, 2 % beside it, a box turns over and over. ω along that axis has the period 4 K(k)/p of Jacobi's
/// functions (Landau & Lifshitz, Mechanics, §37). So near to the rotation that never ends, rounding in 32 bits is felt: by
/// 0.16 % from one orientation to another (rms), on devices as on CPU threads, and by next to nothing in the mean.
#[test]
fn a_box_flips_with_the_period_of_the_elliptic_integral() {
    let size = DVec3::new(0.2, 1.0, 0.5);
    let sides = size * size;
    let moments =
        DVec3::new(sides.y + sides.z, sides.x + sides.z, sides.x + sides.y) * (0.1 * 1000.0 / 12.0);
    // I of y < I of z < I of x: z is the middle one.
    let [low, middle, high] = [moments.y, moments.z, moments.x];
    let spin = DVec3::new(0.0, 0.02 * 5.0, 5.0);
    let twice = moments.dot(spin * spin);
    let square = (moments * spin).length_squared();
    // Of the two ways to write it, that with L² > 2 E I of the middle axis, or below.
    let (a, c) = if square > twice * middle { (low, high) } else { (high, low) };
    let p = ((c - middle) * (square - twice * a) / (low * middle * high)).abs().sqrt();
    let k2 = (middle - a) * (twice * c - square) / ((c - middle) * (square - twice * a));
    let period = 4.0 * elliptic(k2.sqrt()) / p;
    let off: Vec<f64> = (0..24)
        .map(|k| {
            let turn = f64::from(k) * DVec3::new(0.3, 0.7, 1.1);
            flip_period(size, spin, turn, period) / period - 1.0
        })
        .collect();
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    println!("off by {mean:e}, each: {off:?}");
    assert!(mean.abs() < 1e-3 && off.iter().all(|off| off.abs() < 6e-3), "{mean:e}: {off:?}");
}

/// The time that two flips of a box take, about `period`, with this spin in its own axes; it begins turned by these angles about
/// the fixed x, then y, then z axis.
fn flip_period(size: DVec3, spin: DVec3, turn: DVec3, period: f64) -> f64 {
    let mut body = cuboid("box", size.to_array(), [0.0; 3]);
    body.rotation = turn.to_array();
    let rotation = DQuat::from_rotation_z(turn.z)
        * DQuat::from_rotation_y(turn.y)
        * DQuat::from_rotation_x(turn.x);
    body.angular_velocity = (rotation * spin).to_array();
    let mut scene = afloat([body]);
    scene.world.step = Step::Fixed(1e-3);
    let mut world = world(&scene);
    // ω along the body's own z passes through 0 twice a period.
    let mut crossings = Vec::new();
    let mut last = 1.0_f32;
    for step in 1..=(3.2 * period * 1e3) as u64 {
        world.step(1).unwrap();
        let pose = world.pose(0).unwrap();
        let own = (pose.rotation.inverse() * pose.angular_velocity).z;
        if own * last < 0.0 {
            let part = f64::from(last / (last - own));
            crossings.push((step as f64 - 1.0 + part) * 1e-3);
        }
        last = own;
    }
    (crossings[4] - crossings[0]) / 2.0
}

/// Head on, of masses 1:1 and 1:8.
#[test]
fn head_on_collisions_are_exact() {
    for (ratio, e) in [(1.0, 1.0), (8.0, 1.0), (1.0, 0.0), (8.0, 0.0), (1.0, 0.5)] {
        let mut a = rebounding(ball("a", 0.5, [-1.2, 0.0, 0.0]), e);
        (a.velocity, a.mass) = ([3.0, 0.0, 0.0], Mass::Body(1.0));
        let mut b = rebounding(ball("b", 0.5, [0.0; 3]), e);
        b.mass = Mass::Body(ratio);
        let mut world = world(&afloat([a, b]));
        let end = advance(&mut world, 0.5);
        let common = 3.0 / (1.0 + ratio);
        let wanted = [common - e * 3.0 * ratio / (1.0 + ratio), common + e * common];
        for (pose, wanted) in end.poses.iter().zip(wanted) {
            let off = (pose.velocity.as_dvec3() - DVec3::X * wanted).length();
            assert!(off < 1e-5, "1:{ratio}, e = {e}: {}, wanted {wanted}", pose.velocity);
            assert!(pose.angular_velocity.length() < 1e-5);
        }
    }
}

/// A ball that slides at first rolls in the end at 5/7 of its speed.
#[test]
fn a_ball_comes_to_roll() {
    let mut body = ball("ball", 0.5, [0.0, 0.5, 0.0]);
    body.velocity = [7.0, 0.0, 0.0];
    let mut world = world(&grounded([body]));
    let pose = advance(&mut world, 2.0).poses[0];
    println!("{} m/s, {} rad/s", pose.velocity, pose.angular_velocity);
    assert!((pose.velocity - Vec3::new(5.0, 0.0, 0.0)).length() < 5e-3);
    assert!((pose.angular_velocity - Vec3::new(0.0, 0.0, -10.0)).length() < 1e-2);
}

/// Wheels, a can and a coin that roll on their sides, and a coin that leans: none gains energy, and those upright go straight.
#[test]
fn cylinders_roll() {
    let round = |name: &str, [radius, height]: [f64; 2], z: f64, speed: f64, lean: f64| Body {
        rotation: [0.5 * PI - lean, 0.0, 0.0],
        position: [0.0, radius * lean.cos() + 0.5 * height * lean.sin(), z],
        velocity: [speed, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, -speed / radius],
        ..Body::rigid(name, Shape::Cylinder { radius, length: height })
    };
    let scene = grounded([
        round("wheel", [0.5, 0.02], 0.0, 1.0, 0.0),
        round("drum", [0.5, 0.5], 2.0, 5.0, 0.0),
        round("can", [0.03, 0.1], 4.0, 0.1, 0.0),
        round("coin", [0.012, 0.002], 5.0, 0.3, 0.0),
        round("leaning", [0.2, 0.05], 6.0, 4.0, 0.2),
    ]);
    let mut world = world(&scene);
    let start = world.read().unwrap();
    let start = measure(&world, &start);
    let end = advance(&mut world, 1.0);
    let end = measure(&world, &end);
    for (k, speed) in [1.0, 5.0, 0.1, 0.3].into_iter().enumerate() {
        let [x, y, z] = end.bodies[k].centroid;
        let [_, height, side] = start.bodies[k].centroid;
        println!("{k}: {x} m, {:e} m lower, {:e} m aside", height - y, z - side);
        assert!((x - speed).abs() < 1e-3 * speed, "{k} has rolled {x} m at {speed} m/s");
        assert!((height - y).abs() < 0.02 * height && (z - side).abs() < 1e-3 * speed, "{k}");
    }
    for (k, (now, before)) in end.bodies.iter().zip(&start.bodies).enumerate() {
        let ratio = now.kinetic / before.kinetic;
        println!("{k}: {ratio} of its energy of motion");
        // The leaning one may fall by a centimetre.
        let most = if k == 4 { 1.0 + 2.0 * 9.81 * 0.01 / 16.0 } else { 1.001 };
        assert!((0.95..most).contains(&ratio), "{k}: {ratio}");
    }
}

/// Dice of a millimetre that fall on each other come to rest on the floor, none below it.
#[test]
fn small_dice_stay_on_the_floor() {
    let mut random = Random::new(12);
    for _ in 0..4 {
        let die = |k: usize, random: &mut Random| Body {
            rotation: random.vector(2.0).to_array(),
            ..cuboid(&format!("{k}"), [1e-3; 3], {
                let aside = random.vector(4e-4);
                [aside.x, 2e-3 * (1.0 + k as f64), aside.z]
            })
        };
        let scene = grounded((0..4).map(|k| die(k, &mut random)).collect::<Vec<_>>());
        let end = advance(&mut world(&scene), 0.4);
        for (k, pose) in end.poses.iter().enumerate() {
            let y = pose.centre.y;
            assert!((4.9e-4..4.1e-3).contains(&y), "die {k} at {y} m");
        }
    }
}

/// Down a slope of tan θ = `share` · 0.5 in the frame of the slope: how far a box goes in 5 s [m], and how far it should.
fn slope(share: f64) -> [f64; 2] {
    let angle = (0.5 * share).atan();
    let mut scene = grounded([cuboid("box", [1.0, 0.5, 1.0], [0.0, 0.25, 0.0])]);
    scene.world.gravity = [G * angle.sin(), -G * angle.cos(), 0.0];
    scene.world.friction = 0.5;
    let mut world = world(&scene);
    let gone = advance(&mut world, 5.0).poses[0].centre;
    assert!(gone.z.abs() < 1e-4, "beside the slope by {} m", gone.z);
    let pull = G * (angle.sin() - 0.5 * angle.cos());
    [f64::from(gone.x), 12.5 * pull.max(0.0)]
}

#[test]
fn a_box_stands_on_a_slope_up_to_the_friction_angle() {
    for share in [0.98, 1.02] {
        let [gone, wanted] = slope(share);
        println!("tan θ/μ = {share}: {gone} m, wanted {wanted} m");
        assert!((gone - wanted).abs() < 1e-4 + 0.01 * wanted, "{share}: {gone}, wanted {wanted}");
    }
}

/// A box that slides on all of its four corners is braked by μ g, however low it is, and goes straight.
#[test]
fn sliding_boxes_are_braked_by_the_friction_of_their_weight() {
    for (height, turn) in [(0.5, 0.0), (0.05, 0.0), (0.5, 0.4)] {
        let mut body = cuboid("box", [1.0, height, 1.0], [0.0, 0.5 * height, 0.0]);
        (body.velocity, body.rotation) = ([10.0, 0.0, 0.0], [0.0, turn, 0.0]);
        let mut scene = grounded([body]);
        scene.world.friction = 0.5;
        let mut world = world(&scene);
        let pose = advance(&mut world, 1.0).poses[0];
        let wanted = (10.0 - 0.5 * G) as f32;
        println!("{} m/s, wanted {wanted}", pose.velocity);
        assert!((pose.velocity - Vec3::X * wanted).length() < 0.01 * wanted, "{}", pose.velocity);
    }
}

/// Of two bodies by the geometric mean of their coefficients, on the floor by the body's own.
#[test]
fn pairs_rub_by_the_mean_of_both_and_the_floor_by_what_it_bears() {
    let slab = cuboid("slab", [9.0, 0.2, 2.0], [0.0, 0.1, 5.0]);
    let kind = Rigid { held: true, ..Rigid::default() }.into();
    let sliding = |name: &str, y: f64, z: f64| {
        let velocity = [3.0, 0.0, 0.0];
        let body = cuboid(name, [0.5, 0.1, 0.5], [-3.0, y + 0.05, z]);
        Body { friction: Some(0.8), velocity, ..body }
    };
    let mut scene = scene_of([
        sliding("on the floor", 0.0, 0.0),
        sliding("on the slab", 0.2, 5.0),
        Body { kind, friction: Some(0.05), ..slab },
    ]);
    scene.world.floor = Some(0.0);
    let end = advance(&mut world(&scene), 0.25);
    for (pose, friction) in end.poses.iter().zip([0.8, (0.8 * 0.05_f64).sqrt()]) {
        let wanted = 3.0 - friction * G * 0.25;
        println!("{} m/s, wanted {wanted}", pose.velocity);
        assert!((f64::from(pose.velocity.x) - wanted).abs() < 0.02, "{}", pose.velocity);
    }
}

/// The floor and solids are in all groups: what touches none falls through them, but not what deforms.
#[test]
fn groups_hold_for_the_floor_of_rigid_bodies_alone() {
    let at = |name: &str, x: f64, group: u32, mask: u32| {
        let body = cuboid(name, [0.2; 3], [x, 0.1, 0.0]);
        Body { group, mask, ..body }
    };
    let soft = Body { position: [4.0, 0.1, 0.0], mask: 0, ..block(1, 0.2, 0.0) };
    let mut scene = scene_of([at("a", 0.0, 1, 0), at("b", 1.0, 0, 1), at("c", 2.0, 4, 8), soft]);
    scene.world.floor = Some(0.0);
    let mut world = world(&scene);
    let end = advance(&mut world, 0.5);
    let [a, b, c] = [0, 1, 2].map(|k: usize| end.poses[k].centre.y);
    assert!(a < -1.0 && b < -1.0 && (c - 0.1).abs() < 1e-3, "{a} {b} {c}");
    assert!(centre(&world, &end, 3).y > 0.0);
}

/// A ball that loses nothing comes up again, and again.
#[test]
fn a_bouncing_ball_keeps_its_height() {
    let mut world = world(&grounded([rebounding(ball("ball", 0.5, [0.0, 1.75, 0.0]), 1.0)]));
    let mut heights = Vec::new();
    let mut rising = false;
    let mut last = 0.0;
    for _ in 0..4 * 960 {
        world.step(1).unwrap();
        let pose = world.pose(0).unwrap();
        if rising && pose.velocity.y <= 0.0 {
            heights.push(f64::from(last) - 0.5);
        }
        (rising, last) = (pose.velocity.y > 0.0, pose.centre.y);
    }
    println!("{heights:?} m");
    let mut before = 1.25;
    for height in heights {
        assert!(height < before * 1.0001, "{height} m after {before} m");
        assert!(height > 0.99 * before, "{height} m after {before} m");
        before = height;
    }
}

/// How far the farthest body is from where it was [m], and how fast all are, root mean square [m/s].
pub fn drift(start: &Snapshot, end: &Snapshot) -> [f32; 2] {
    let both = start.poses.iter().zip(&end.poses);
    let way = both.map(|(a, b)| a.centre.distance(b.centre)).fold(0.0, f32::max);
    let squares: f32 = end.poses.iter().map(|pose| pose.velocity.length_squared()).sum();
    [way, (squares / end.poses.len() as f32).sqrt()]
}

pub fn tower(count: usize) -> Scene {
    let level = |i: usize| cuboid(&format!("{i}"), [1.0; 3], [0.0, 0.5 + i as f64, 0.0]);
    grounded((0..count).map(level))
}

#[test]
fn a_tower_of_ten_stands() {
    for sleep in [false, true] {
        let mut scene = tower(10);
        scene.world.sleep = sleep;
        let mut world = world(&scene);
        let start = advance(&mut world, 2.0);
        let end = advance(&mut world, 10.0);
        let [way, speed] = drift(&start, &end);
        println!("{way:e} m, {speed:e} m/s");
        assert!(way < 5e-4 && speed < 3e-4, "{way:e} m, {speed:e} m/s");
        assert_eq!(world.asleep_count().unwrap(), if sleep { 10 } else { 0 });
    }
}

#[test]
fn a_pyramid_stands() {
    let rows = 12;
    let place = |row: usize, k: usize| [k as f64 + 0.5 * row as f64, 0.5 + row as f64, 0.0];
    let row = |row: usize| {
        (0..rows - row).map(move |k| cuboid(&format!("{row} {k}"), [1.0; 3], place(row, k)))
    };
    for sleep in [false, true] {
        let mut scene = grounded((0..rows).flat_map(row));
        scene.world.sleep = sleep;
        let mut world = world(&scene);
        let start = advance(&mut world, 1.0);
        let end = advance(&mut world, 4.0);
        let [way, speed] = drift(&start, &end);
        println!("{way:e} m, {speed:e} m/s");
        assert!(way < 5e-4 && speed < 1e-3, "{way:e} m, {speed:e} m/s");
        assert_eq!(world.asleep_count().unwrap(), if sleep { scene.bodies.len() } else { 0 });
    }
}

/// A hundred times the mass of what it lies on.
#[test]
fn a_light_box_bears_a_heavy_one() {
    let mut heavy = cuboid("heavy", [1.0; 3], [0.0, 1.5, 0.0]);
    heavy.mass = Mass::Density(1e5);
    let mut scene = grounded([cuboid("light", [1.0; 3], [0.0, 0.5, 0.0]), heavy]);
    for sleep in [false, true] {
        scene.world.sleep = sleep;
        let mut world = world(&scene);
        let end = advance(&mut world, 5.0);
        let sunk = 1.5 - end.poses[1].centre.y;
        println!("{sunk} m, {} m/s", end.poses[1].velocity.length());
        assert!(sunk < 8e-3 && end.poses[1].velocity.length() < 1e-3, "{sunk} m");
        assert_eq!(world.asleep_count().unwrap(), if sleep { 2 } else { 0 });
    }
}

#[test]
fn bouncing_boxes_come_to_rest() {
    let body = |i: usize| {
        let body = cuboid(&format!("{i}"), [1.0; 3], [0.0, 1.0 + 1.5 * i as f64, 0.0]);
        rebounding(body, 0.5)
    };
    let mut world = world(&grounded((0..5).map(body)));
    let end = advance(&mut world, 3.0);
    let fastest = end.poses.iter().map(|pose| pose.velocity.length()).fold(0.0, f32::max);
    let height = end.poses[4].centre.y;
    println!("{fastest:e} m/s, the top at {height} m");
    assert!(fastest < 1e-3 && (height - 4.5).abs() < 0.01, "{fastest:e} m/s, {height} m");
}

/// Balls and boxes of a few centimetres shot at a wall of 2 cm.
#[test]
fn nothing_tunnels() {
    for speed in [20.0, 100.0, 300.0] {
        for start in [[-2.0, 0.0, 0.0], [-2.037, 0.11, 0.23]] {
            let mut scene = afloat([
                ball("ball", 0.015, start),
                cuboid("box", [0.05; 3], [start[0], start[1] + 0.3, start[2]]),
            ]);
            for body in &mut scene.bodies {
                (body.velocity, body.rotation) = ([speed, 0.0, 0.0], [0.3, 0.2, 0.1]);
            }
            let wall = Solid::cuboid([0.0; 3], [0.02, 2.0, 2.0]);
            scene.solids.push(wall);
            let mut world = world(&scene);
            let end = advance(&mut world, 0.2);
            for pose in &end.poses {
                assert!(pose.centre.x < 0.0, "at {speed} m/s: {}", pose.centre);
            }
        }
    }
}

/// Boxes that fly at each other.
#[test]
fn crashes_keep_momentum() {
    let mut random = Random::new(5);
    let body = |i: usize| {
        let place = random.vector(2.0);
        let size = [0; 3].map(|_| random.between(0.2, 0.5));
        let mut body = cuboid(&format!("{i}"), size, place.to_array());
        body.velocity = (-2.0 * place + random.vector(0.5)).to_array();
        body.angular_velocity = random.vector(2.0).to_array();
        body.rotation = random.vector(3.0).to_array();
        body
    };
    let mut world = world(&afloat((0..100).map(body)));
    let start = world.read().unwrap();
    let start = measure(&world, &start);
    let sizes = |of: fn(&pliant::report::BodyMeasure) -> [f64; 3]| -> f64 {
        start.bodies.iter().map(|body| DVec3::from(of(body)).length()).sum()
    };
    let scales = [sizes(|b| b.linear_momentum), sizes(|b| b.angular_momentum)];
    let end = advance(&mut world, 1.5);
    let end = measure(&world, &end);
    let linear = DVec3::from(end.momentum.linear) - DVec3::from(start.momentum.linear);
    let turning = angular(&end) - angular(&start);
    let off = [linear.length() / scales[0], turning.length() / scales[1]];
    let energy = end.energy.kinetic / start.energy.kinetic;
    println!("momentum {:e}, angular {:e}, energy left {energy}", off[0], off[1]);
    assert!(off[0] < 1e-6 && off[1] < 1e-4, "{off:?}");
    assert!(energy < 0.9, "they did not meet: {energy}");
}

/// Boxes that fall into a heap.
pub fn heap(count: usize, random: &mut Random) -> Vec<Body> {
    let body = |i: usize| {
        let size = [0; 3].map(|_| random.between(0.1, 0.25));
        let level = i / 9;
        let place = [0.3 * (i % 3) as f64, 0.2 + 0.3 * level as f64, 0.3 * (i / 3 % 3) as f64];
        let mut body = cuboid(&format!("{i}"), size, place);
        body.rotation = random.vector(3.0).to_array();
        body
    };
    (0..count).map(body).collect()
}

/// A heap three times over.
#[test]
fn a_heap_repeats_bit_by_bit() {
    let scene = grounded(heap(45, &mut Random::new(9)));
    let run = || {
        let mut world = world(&scene);
        frames(&mut world, 60);
        world.state_hash().unwrap()
    };
    let first = run();
    assert_eq!([run(), run()], [first; 2]);
}
