use super::*;

/// The colour of solids before a light background.
const GREY: [u8; 3] = [176, 180, 186];

fn spheres(particles: &Buffer<Particle>, radius: f32, color: [u8; 3]) -> DrawnPoints<'_> {
    DrawnPoints {
        particles,
        range: 0..particles.len() as u32,
        radius,
        color,
        values: None,
        active: false,
    }
}

#[test]
fn a_point_looks_like_a_sphere_of_triangles() {
    let mut renderer = renderer(160, 120);
    let sphere = |centre, radius| types::Solid {
        kind: types::SOLID_SPHERE,
        centre,
        extent: Vec3::splat(radius),
        ..types::Solid::default()
    };
    // Far and small, near and large, at the picture's edge, and cut by the floor.
    for (eye, radius, centre) in [
        ("1,1.5,3:0,0.6,0", 0.5, Vec3::new(0.0, 0.6, 0.0)),
        ("1,1.5,3:0,0.6,0", 0.04, Vec3::new(0.3, 0.5, -0.2)),
        ("1,1.5,3:0,0.6,0", 0.3, Vec3::new(-1.0, 0.9, 0.0)),
        ("0,0.7,0.9:0,0.6,0", 0.5, Vec3::new(0.0, 0.6, 0.0)),
        ("1,1.5,3:0,0.6,0", 0.4, Vec3::new(0.3, 0.1, 0.2)),
    ] {
        let camera = Camera::parse(eye).unwrap();
        let solid = Look { solids: vec![sphere(centre, radius)], ..floor() };
        let want = renderer.shot(&camera, &solid, &[]);
        let empty = renderer.shot(&camera, &floor(), &[]);
        let particles = particles(&[centre]);
        let cloud = Drawn::Points(spheres(&particles, radius, GREY));
        let got = renderer.shot(&camera, &floor(), &[cloud]);
        let (got, want, empty) = (pixels(&got), pixels(&want), pixels(&empty));
        let shown = want.iter().zip(empty).filter(|(a, b)| a != b).count();
        let differ = got.iter().zip(want).filter(|(a, b)| difference(**a, **b) > 12);
        // At outlines one of four samples may fall to the other side, and shadows have polygons' edges.
        let (differ, allowed) = (differ.count(), 3 + shown / 50);
        assert!(differ <= allowed, "{eye} {radius}: {differ} of {shown} pixels differ");
        assert!(shown > 20, "{eye} {radius}: {shown} pixels");
    }
}

#[test]
fn outlines_are_smooth() {
    let mut renderer = renderer(64, 64);
    let particles = particles(&[Vec3::new(0.0, 0.6, 0.0)]);
    let look = Look::default();
    let cloud = Drawn::Points(spheres(&particles, 0.3, RED));
    let image = renderer.shot(&camera(), &look, &[cloud]);
    let empty = renderer.shot(&camera(), &look, &[]);
    assert_eq!(order(image.pixel(32, 32))[0], 'r');
    // Red light of the sphere is strong and blue light weak; the background has both.
    let blended = pixels(&image).iter().zip(pixels(&empty));
    let blended = blended.filter(|(pixel, behind)| pixel != behind && pixel[2] > 90);
    assert!(blended.count() > 20, "pixels between red and the background");
}

#[test]
fn only_the_range_is_drawn_in_its_colour_and_before_what_is_behind() {
    let mut renderer = renderer(65, 65);
    let camera = Camera::parse("0,0,5:0,0,0").unwrap();
    let places = [
        Vec3::new(-1.0, 0.0, 0.0),
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(0.0, -1.0, -1.0),
    ];
    let particles = particles(&places);
    let part = |range, color| {
        let all = spheres(&particles, 0.2, color);
        Drawn::Points(DrawnPoints { range, ..all })
    };
    // A wall through the upper point's middle and before the lower one.
    let corners = [Vec3::new(-0.5, -2.0, 0.0), Vec3::new(0.5, -2.0, 0.0), Vec3::new(0.0, 3.0, 0.0)];
    let wall = Mesh::new(&corners, &[Vec3::Z; 3], &[0, 1, 2]);
    let look = Look::default();
    let bodies = [part(1..2, RED), part(2..4, BLUE), wall.drawn([20, 200, 20])];
    let image = renderer.shot(&camera, &look, &bodies);
    let empty = renderer.shot(&camera, &look, &[]);
    // One metre is 32.5 / (5 tan 0.3) = 21 pixels.
    assert_eq!(image.pixel(11, 32), empty.pixel(11, 32), "not in a range");
    assert_eq!(order(image.pixel(53, 32))[0], 'r');
    assert_eq!(order(image.pixel(32, 11))[0], 'b', "half of it is before the wall");
    assert_eq!(order(image.pixel(32, 50))[0], 'g', "behind the wall");
    let again = renderer.shot(&camera, &look, &bodies);
    assert_eq!(again, image);
}

#[test]
fn points_throw_shadows_on_the_floor_and_on_each_other() {
    let look = Look { light: Vec3::Y, ..floor() };
    let mut renderer = renderer(64, 64);
    let mut at = |positions: &[Vec3], eye: &str, pixel: (u32, u32)| {
        let particles = particles(positions);
        let cloud = Drawn::Points(spheres(&particles, 0.2, GREY));
        let camera = Camera::parse(eye).unwrap();
        let image = renderer.shot(&camera, &look, &[cloud]);
        luminance(image.pixel(pixel.0, pixel.1))
    };
    let (low, high) = (Vec3::new(0.0, 0.3, 0.0), Vec3::new(0.0, 1.5, 0.0));
    let aside = Vec3::new(5.0, 1.5, 0.0);
    let under = "0,0.4,2:0.03,0.02,0.03";
    assert!(at(&[high], under, (32, 32)) < at(&[aside], under, (32, 32)) * 8 / 10);
    let side = "0,0.6,1.5:0,0.45,0";
    assert!(at(&[low, high], side, (32, 32)) < at(&[low, aside], side, (32, 32)) * 8 / 10);
}

#[test]
fn unusable_points_are_refused() {
    let particles = particles(&[Vec3::ZERO; 3]);
    let mut renderer = renderer(8, 8);
    let mut draw = |range, radius| {
        let all = spheres(&particles, radius, RED);
        let cloud = Drawn::Points(DrawnPoints { range, ..all });
        renderer.render_to_image(&camera(), &floor(), &[cloud])
    };
    let message = draw(1..4, 0.1).unwrap_err().to_string();
    assert_eq!(message, "range of particles is 1..4, wanted a range within 0..3");
    for radius in [-0.1, f32::NAN, f32::INFINITY] {
        let message = draw(0..3, radius).unwrap_err().to_string();
        assert!(message.starts_with("radius of points is "), "{message}");
    }
    draw(3..3, 0.0).unwrap();
    draw(0..3, 0.0).unwrap();
}
