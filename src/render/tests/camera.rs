use crate::extreme::greatest;
use glam::{Vec2, Vec3, Vec4};

use crate::render::Camera;
use crate::render::camera::corners;

#[test]
fn framing_shows_all_corners_and_fills_the_picture() {
    let boxes = [
        (Vec3::splat(-0.5), Vec3::splat(0.5)),
        (Vec3::new(-10.0, 0.0, -0.1), Vec3::new(10.0, 0.2, 0.1)),
        (Vec3::new(0.0, -3.0, 0.0), Vec3::new(0.01, 40.0, 0.01)),
        (Vec3::new(100.0, 100.0, -300.0), Vec3::new(101.0, 103.0, -100.0)),
        (Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 0.0, 1.0)),
        (Vec3::splat(2.0), Vec3::splat(2.0)),
        (Vec3::splat(1000.0), Vec3::splat(1000.0)),
    ];
    for (low, high) in boxes {
        for step in -24..=24 {
            let aspect = (0.25 * step as f32).exp2();
            let projection = Camera::frame(low, high, aspect).view_projection(aspect);
            let mut widest = 0.0_f32;
            for corner in corners(low, high) {
                let clip = projection * corner.extend(1.0);
                assert!(
                    clip.w > 0.0 && clip.z > 0.0 && clip.z <= clip.w,
                    "{low} {high} {aspect}: depth {clip}"
                );
                let place = clip.truncate().truncate() / clip.w;
                assert!(place.abs().max_element() <= 0.9, "{low} {high} {aspect}: {place}");
                widest = greatest(widest, place.abs().max_element());
            }
            assert!(
                widest > 0.8 || low == high || aspect > 8.0,
                "{low} {high} {aspect}: fills {widest}"
            );
        }
    }
}

#[test]
fn framing_survives_unusable_bounds() {
    let unit = Camera::frame(Vec3::splat(-0.5), Vec3::splat(0.5), 1.5);
    for (low, high) in
        [(Vec3::ONE, -Vec3::ONE), (Vec3::NAN, Vec3::ONE), (Vec3::ZERO, Vec3::INFINITY)]
    {
        assert_eq!(Camera::frame(low, high, 1.5), unit);
    }
}

#[test]
fn camera_strings() {
    let camera = Camera::parse("3, 2,4:0,0.5,-1e-1").unwrap();
    assert_eq!((camera.eye, camera.target), (Vec3::new(3.0, 2.0, 4.0), Vec3::new(0.0, 0.5, -0.1)));
    let wrong = [
        "",
        ":",
        "1,2,3",
        "1,2:3,4,5",
        "1,2,3,4:5,6,7",
        "1,2,3:4,5",
        "a,2,3:4,5,6",
        "nan,0,0:1,1,1",
        "inf,0,0:1,1,1",
        "1,2,3:4,5,6:7,8,9",
        "1,2,3:1,2,3",
        "2e6,0,0:0,0,0",
        "1e5,0,0:99999.9,0,0",
        "1,,3:4,5,6",
    ];
    for text in wrong {
        let message = Camera::parse(text).unwrap_err().to_string();
        assert!(message.starts_with(&format!("camera is \"{text}\", wanted ")), "{message}");
    }
}

#[test]
fn looking_straight_down_is_possible() {
    let camera = Camera::parse("0,5,0:0,0,0").unwrap();
    let clip = camera.view_projection(1.0) * Vec4::new(0.0, 0.0, 0.0, 1.0);
    assert!(clip.is_finite() && clip.x.abs() < 1e-5 && clip.y.abs() < 1e-5, "{clip}");
}

/// Whether a point is within a picture.
pub(super) fn is_seen(camera: &Camera, point: Vec3, size: [u32; 2]) -> bool {
    let size_in_pixels = Vec2::new(size[0] as f32, size[1] as f32);
    let inside = |place: Vec2| place.cmpge(Vec2::ZERO).all() && place.cmple(size_in_pixels).all();
    camera.project(point, size).is_some_and(inside)
}

#[test]
fn rays_and_projections_are_inverse() {
    for text in ["3,2,4:0,0.5,0", "0,5,0:0,0,0", "10,3,-5:11,3.5,-4"] {
        let camera = Camera::parse(text).unwrap();
        for size in [[640, 480], [100, 333], [1, 1]] {
            for place in [(0.0, 0.0), (0.5, 0.5), (0.2, 0.9), (1.3, -0.4)] {
                let pixel = Vec2::new(place.0 * size[0] as f32, place.1 * size[1] as f32);
                let (origin, direction) = camera.ray(pixel, size);
                assert!(origin == camera.eye && (direction.length() - 1.0).abs() < 1e-5);
                for along in [0.1, 1.0, 20.0] {
                    let point = origin + along * camera.distance() * direction;
                    let seen = camera.project(point, size).unwrap();
                    assert!(seen.distance(pixel) < 0.05, "{text} {pixel}: {seen}");
                }
                assert_eq!(camera.project(origin - direction, size), None);
            }
        }
        assert_eq!(camera.project(camera.eye, [64, 64]), None);
        assert_eq!(camera.project(Vec3::splat(f32::NAN), [64, 64]), None);
    }
    // The upper left corner is up and to the left.
    let camera = Camera::parse("0,0,5:0,0,0").unwrap();
    let (_, direction) = camera.ray(Vec2::ZERO, [200, 100]);
    let slope = (0.5 * camera.fov_y).tan();
    let want = Vec3::new(-2.0 * slope, slope, -1.0).normalize();
    assert!(direction.distance(want) < 1e-6, "{direction}");
}
