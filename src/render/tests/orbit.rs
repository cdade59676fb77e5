use glam::{Vec2, Vec3};

use super::camera::is_seen;
use crate::render::{Camera, Orbit};
use crate::verify::Random;

const SIZE: [u32; 2] = [640, 480];
const HEIGHT: f32 = 480.0;

fn start() -> Orbit {
    Camera::frame(Vec3::new(-1.0, 0.0, -0.5), Vec3::new(2.0, 1.5, 0.5), 4.0 / 3.0).into()
}

#[test]
fn an_orbit_starts_as_its_camera() {
    for text in ["3,2,4:0,0.5,0", "-1,0.2,-7:1,2,3", "0,1,5:0,3,0", "-2,0,0:4,0,0"] {
        let camera = Camera::parse(text).unwrap();
        let again = Orbit::from(camera).camera();
        assert!(again.eye.distance(camera.eye) < 1e-5 * camera.distance(), "{again:?}");
        assert_eq!((again.target, again.fov_y), (camera.target, camera.fov_y));
    }
}

/// A point of the plane through the target follows the pointer to the pixel.
#[test]
fn panning_moves_the_target_plane_with_the_pointer() {
    let mut orbit = start();
    orbit.orbit(100.0, -70.0, HEIGHT);
    let before = orbit.camera();
    let (origin, direction) = before.ray(Vec2::new(200.0, 330.0), SIZE);
    let [_, _, back] = before.axes();
    let along = (before.target - origin).dot(back) / direction.dot(back);
    let point = origin + along * direction;
    orbit.pan(35.0, -120.0, HEIGHT);
    let seen = orbit.camera().project(point, SIZE).unwrap();
    assert!(seen.distance(Vec2::new(235.0, 210.0)) < 0.01, "{seen}");
    assert!((orbit.distance() - before.distance()).abs() < 1e-6);
}

#[test]
fn turning_goes_with_the_pointer_and_ends_before_the_poles() {
    let mut orbit = start();
    let (yaw, pitch) = (orbit.yaw(), orbit.pitch());
    let [_, _, back] = orbit.camera().axes();
    let nearer = orbit.target() + 0.1 * back;
    let seen = |orbit: &Orbit| orbit.camera().project(nearer, SIZE).unwrap();
    let before = seen(&orbit);
    orbit.orbit(20.0, 0.0, HEIGHT);
    assert!((seen(&orbit) - before).x > 0.0 && orbit.target() == start().target());
    orbit.orbit(-20.0, 12.0, HEIGHT);
    assert!((seen(&orbit) - before).y > 0.0);
    // A quarter of the height is an eighth of a turn.
    assert!((orbit.pitch() - pitch - 12.0 / 480.0 * std::f32::consts::PI).abs() < 1e-5);
    assert!((orbit.yaw() - yaw).abs() < 1e-5);
    for dy in [1e4, -1e4] {
        orbit.orbit(0.0, dy, HEIGHT);
        let camera = orbit.camera();
        assert!(orbit.pitch().abs() < 1.51);
        let [right, up, _] = camera.axes();
        assert!(right.y.abs() < 1e-4 && up.y > 0.05, "the horizon is level");
    }
    orbit.orbit(2.0 * HEIGHT, 0.0, HEIGHT);
    assert!((orbit.yaw() - yaw).abs() < 1e-4, "a whole turn");
}

#[test]
fn zooming_is_a_factor_and_has_ends() {
    let mut orbit = start();
    let distance = orbit.distance();
    orbit.zoom(2.0);
    assert!((orbit.distance() / distance - 1.0 / 1.21).abs() < 1e-5);
    orbit.zoom(-2.0);
    assert!((orbit.distance() / distance - 1.0).abs() < 1e-5);
    orbit.zoom(f32::INFINITY);
    assert!((distance / orbit.distance() - 300.0).abs() < 0.1);
    orbit.zoom(-1e30);
    assert!((orbit.distance() / distance - 40.0).abs() < 0.1);
}

/// Any f32 at all.
fn any(random: &mut Random) -> f32 {
    f32::from_bits(random.between(0.0, 4_294_967_296.0) as u32)
}

/// One of a range, or in a fifth of the cases any.
fn wild(random: &mut Random, low: f64, high: f64) -> f32 {
    match random.index(0, 5) {
        0 => any(random),
        _ => random.between(low, high) as f32,
    }
}

#[test]
fn no_movement_loses_the_scene() {
    let mut random = Random::new(1);
    for _ in 0..256 {
        let (eye, target) = (random.vector(1e3).as_vec3(), random.vector(10.0).as_vec3());
        let fov_y = 0.6;
        let mut orbit = Orbit::from(Camera { eye, target, fov_y });
        for _ in 0..random.index(0, 40) {
            let [x, y] = [(); 2].map(|()| wild(&mut random, -2000.0, 2000.0));
            let height = match random.index(0, 6) {
                0 => 0.0,
                _ => wild(&mut random, 1.0, 4000.0),
            };
            match random.index(0, 3) {
                0 => orbit.orbit(x, y, height),
                1 => orbit.pan(x, y, height),
                _ => orbit.zoom(wild(&mut random, -100.0, 100.0)),
            }
            let camera = orbit.camera();
            assert!(camera.eye.is_finite() && camera.target.is_finite());
            assert!(camera.distance() > 0.0 && orbit.pitch().abs() <= 1.5);
            assert!(camera.view_projection(1.5).is_finite());
            let middle = camera.project(camera.target, SIZE).expect("before the eye");
            assert!(middle.distance(Vec2::new(320.0, 240.0)) < 2.0, "{middle}");
        }
        orbit.zoom(-1e3);
        assert!(is_seen(&orbit.camera(), target, [480, 480]));
    }
}

#[test]
fn unusable_cameras_become_usable() {
    let mut random = Random::new(2);
    for _ in 0..256 {
        let eye = Vec3::from([(); 3].map(|()| any(&mut random)));
        let (target, fov_y) = (Vec3::splat(any(&mut random)), any(&mut random));
        let camera = Orbit::from(Camera { eye, target, fov_y }).camera();
        let usable = camera.view_projection(1.0).is_finite() && camera.distance() > 0.0;
        assert!(usable, "{camera:?}");
    }
}
