use crate::extreme;
use glam::UVec2;

use super::*;
use crate::gpu::types::Segment;

const GREEN: [u8; 3] = [20, 200, 20];
const SIZE: u32 = 129;

/// Lines between particles, each a body of its own buffers.
struct Edges(Buffer<Particle>, Buffer<UVec2>);

impl Edges {
    fn new(positions: &[Vec3], pairs: &[[u32; 2]]) -> Self {
        let pairs: Vec<_> = pairs.iter().map(|&pair| UVec2::from(pair)).collect();
        let pairs = Buffer::new(context(), "pairs", &pairs).unwrap();
        Self(particles(positions), pairs)
    }

    fn drawn(&self) -> DrawnWires<'_> {
        DrawnWires {
            particles: &self.0,
            pairs: &self.1,
            range: 0..self.1.len() as u32,
            color: RED,
            width: 2.0,
            values: None,
        }
    }
}

fn front() -> Camera {
    Camera::parse("0,0,5:0,0,0").unwrap()
}

/// Columns of pixels with strong red in a row, less what the background has.
fn red(image: &Image, y: u32) -> Vec<u32> {
    let is_red = |x: &u32| {
        let [r, g, b, _] = image.pixel(*x, y);
        r > 120 && g < 100 && b < 100
    };
    (0..image.width).filter(is_red).collect()
}

fn picture(camera: &Camera, bodies: &[Drawn<'_>]) -> Image {
    let mut renderer = renderer(SIZE, SIZE);
    renderer.shot(camera, &Look::default(), bodies)
}

fn pixel(camera: &Camera, point: Vec3) -> (u32, u32) {
    let at = camera.project(point, [SIZE; 2]).unwrap();
    (at.x as u32, at.y as u32)
}

#[test]
fn wires_lie_where_their_particles_are() {
    let points = [
        Vec3::new(-1.0, 0.7, 0.3),
        Vec3::new(0.9, -0.5, -1.0),
        Vec3::new(0.5, 0.9, 0.0),
        Vec3::new(-0.6, -0.9, 1.0),
    ];
    let edges = Edges::new(&points, &[[0, 1], [2, 3], [0, 2]]);
    let camera = front();
    let wires = DrawnWires { range: 0..2, ..edges.drawn() };
    let image = picture(&camera, &[Drawn::Wires(wires)]);
    let empty = picture(&camera, &[]);
    for (a, b, drawn) in [(0, 1, true), (2, 3, true), (0, 2, false)] {
        for t in [0.15, 0.4, 0.8] {
            let (x, y) = pixel(&camera, points[a].lerp(points[b], t));
            let is_red = red(&image, y).iter().any(|at| at.abs_diff(x) <= 1);
            assert_eq!(is_red, drawn, "{a} {b} {t}: {:?}", image.pixel(x, y));
        }
    }
    let covered = pixels(&image).iter().zip(pixels(&empty));
    let covered = covered.filter(|(a, b)| a != b).count();
    // Two lines of some 50 pixels each, 2 wide, and their soft borders.
    assert!((150..600).contains(&covered), "{covered} pixels");
}

#[test]
fn wires_are_as_wide_far_as_near() {
    let camera = front();
    for (z, width, scale) in [(0.0, 3.0, 1.0), (-20.0, 3.0, 1.0), (3.0, 3.0, 1.0), (0.0, 3.0, 2.0)]
    {
        let points = [Vec3::new(0.0, -9.0, z), Vec3::new(0.0, 9.0, z)];
        let edges = Edges::new(&points, &[[0, 1]]);
        let look = Look { scale, ..Look::default() };
        let mut renderer = renderer(SIZE, SIZE);
        let mut draw = |bodies: &[Drawn<'_>]| renderer.shot(&camera, &look, bodies);
        let wires = DrawnWires { width, ..edges.drawn() };
        let (image, empty) = (draw(&[Drawn::Wires(wires)]), draw(&[]));
        let blue = |image: &Image, x| f64::from(image.pixel(x, 64)[2]) - f64::from(RED[2]);
        // What is missing of the background's blue, in pixels of a full line. Far lines are fainter.
        let missing: Vec<_> = (0..SIZE).map(|x| 1.0 - blue(&image, x) / blue(&empty, x)).collect();
        let most = missing.iter().copied().fold(0.0, extreme::greatest);
        let wide = missing.iter().sum::<f64>() / most;
        let want = f64::from(width * scale);
        assert!((wide - want).abs() < 0.3, "z = {z}: {wide} pixels");
        assert!(if z < -1.0 { most < 0.6 } else { most > 0.9 }, "z = {z}: {most}");
    }
}

#[test]
fn wires_are_hidden_by_what_is_before_them_and_not_by_what_they_lie_on() {
    let at = |z| [Vec3::new(0.0, -0.4, z), Vec3::new(0.0, 0.1, z)];
    let wall = Mesh::triangle(3.0, 0.0);
    for camera in ["0,0,5:0,0,0", "4,0.5,3:0,0,0", "-6,-2,2:0,0,0"] {
        let camera = Camera::parse(camera).unwrap();
        for (z, seen) in [(0.0, true), (-0.3, false), (0.3, true)] {
            let edges = Edges::new(&at(z), &[[0, 1]]);
            let bodies = [Drawn::Wires(edges.drawn()), wall.drawn(GREEN)];
            let image = picture(&camera, &bodies);
            for t in [0.2, 0.5, 0.8] {
                let (x, y) = pixel(&camera, at(z)[0].lerp(at(z)[1], t));
                let [r, g, ..] = image.pixel(x, y);
                assert_eq!(r > g, seen, "{camera:?} z = {z}: {:?}", image.pixel(x, y));
            }
        }
    }
}

#[test]
fn lines_that_pass_the_eye_end_at_the_picture() {
    let camera = front();
    // From the middle to behind the eye, and back; passing 0.2 to the right of it.
    let (seen, behind) = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.4, 0.0, 10.0));
    let start = pixel(&camera, seen);
    for points in [[seen, behind], [behind, seen]] {
        let edges = Edges::new(&points, &[[0, 1]]);
        let segment = Segment { start: points[0], end: points[1], ..Segment::default() };
        let segments = Buffer::new(context(), "segments", &[segment]).unwrap();
        let segments = DrawnSegments {
            segments: &segments,
            range: 0..1,
            color: RED,
            width: 6.0,
            arrow: points[0] == behind,
        };
        let wires = DrawnWires { width: 6.0, ..edges.drawn() };
        for body in [Drawn::Wires(wires), Drawn::Segments(segments)] {
            let image = picture(&camera, std::slice::from_ref(&body));
            let columns = red(&image, start.1);
            assert!(columns.first().is_some_and(|x| x.abs_diff(start.0) <= 8), "{columns:?}");
            assert_eq!(columns.last(), Some(&(SIZE - 1)), "up to the picture's edge");
            assert!(columns.windows(2).all(|pair| pair[1] == pair[0] + 1));
            for x in (start.0 + 36..SIZE).step_by(4) {
                let height = (0..SIZE).filter(|y| red(&image, *y).contains(&x)).count();
                assert!((5..=7).contains(&height), "{x}: {height}");
            }
        }
    }
    let empty = picture(&camera, &[]);
    let beyond = [Vec3::new(1.0, 0.0, 7.0), Vec3::new(-2.0, 1.0, 5.5)];
    let edges = Edges::new(&beyond, &[[0, 1], [1, 0]]);
    assert_eq!(picture(&camera, &[Drawn::Wires(edges.drawn())]), empty);
}

fn segments(ends: &[[Vec3; 2]]) -> Buffer<Segment> {
    let segment = |ends: &[Vec3; 2]| Segment { start: ends[0], end: ends[1], ..Segment::default() };
    let segments: Vec<_> = ends.iter().map(segment).collect();
    Buffer::new(context(), "segments", &segments).unwrap()
}

fn drawn(segments: &Buffer<Segment>, arrow: bool) -> Drawn<'_> {
    Drawn::Segments(DrawnSegments {
        segments,
        range: 0..segments.len() as u32,
        color: RED,
        width: 2.0,
        arrow,
    })
}

#[test]
fn hidden_parts_of_segments_are_faint() {
    let camera = front();
    let wall = Mesh::triangle(1.0, 0.0);
    // Through the wall: in front on the right.
    let ends = [Vec3::new(-0.3, -0.4, -0.5), Vec3::new(0.3, -0.4, 0.5)];
    let lines = segments(&[ends]);
    let image = picture(&camera, &[drawn(&lines, false), wall.drawn(GREEN)]);
    let bare = picture(&camera, &[wall.drawn(GREEN)]);
    let at = |t: f32| pixel(&camera, ends[0].lerp(ends[1], t));
    for t in [0.7, 0.9] {
        let (x, y) = at(t);
        assert!(red(&image, y).contains(&x), "{:?}", image.pixel(x, y));
    }
    for t in [0.1, 0.3] {
        let (x, y) = at(t);
        let ([r, g, ..], [r0, g0, ..]) = (image.pixel(x, y), bare.pixel(x, y));
        assert!(r > r0 + 20 && g < g0 && g > r, "{:?}", image.pixel(x, y));
    }
}

#[test]
fn arrows_have_heads_at_their_ends_and_nothing_is_drawn_of_no_length() {
    let camera = front();
    let ends = [Vec3::new(-0.8, 0.0, 0.0), Vec3::new(0.8, 0.0, 0.0)];
    let lines = segments(&[ends]);
    let [plain, arrow] = [false, true].map(|arrow| picture(&camera, &[drawn(&lines, arrow)]));
    let (tip, y) = pixel(&camera, ends[1]);
    // Height of what is drawn in a column: 2, and of a head of 10 pixels' length 9 at its base.
    let height = |image: &Image, x: u32| (0..SIZE).filter(|y| red(image, *y).contains(&x)).count();
    assert!(height(&plain, tip - 9) <= 3 && height(&arrow, 40) <= 3);
    assert!((6..=10).contains(&height(&arrow, tip - 9)), "{}", height(&arrow, tip - 9));
    assert!(height(&arrow, tip - 2) < height(&arrow, tip - 8));
    assert!(red(&arrow, y).last().is_some_and(|x| x.abs_diff(tip) <= 2));
    let empty = picture(&camera, &[]);
    let nothing = segments(&[[Vec3::ZERO; 2], [Vec3::new(0.2, 0.1, 0.3); 2]]);
    assert_eq!(picture(&camera, &[drawn(&nothing, true)]), empty);
}

#[test]
fn a_model_has_each_edge_once_and_bodies_have_their_own() {
    use crate::scene::{Body, Scene, Springs};
    let mut springs = Body::lattice("springs", [3, 2, 2], [1.0; 3]);
    springs.kind = Springs::default().into();
    let bodies = vec![springs, Body::lattice("second", [2, 2, 2], [1.0; 3])];
    let scene = Scene { bodies, ..Scene::default() };
    let world = world(&scene);
    let wires = Wires::new(&world).unwrap();
    let pairs = wires.pairs.read(context()).unwrap();
    let mut sorted: Vec<_> = pairs.iter().map(|p| (p.min_element(), p.max_element())).collect();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), pairs.len());
    assert_eq!(wires.ranges.len(), 2);
    for (range, body) in wires.ranges.iter().zip(&world.model().bodies) {
        assert!(range.len() >= 18, "{range:?}");
        let own = &pairs[range.start as usize..range.end as usize];
        let inside = |i: u32| body.particles.contains(&(i as usize));
        assert!(own.iter().all(|pair| inside(pair.x) && inside(pair.y)));
    }
    let drawn = wires.drawn(1, world.particles(), GREEN);
    assert_eq!(drawn.range, wires.ranges[1]);
}

#[test]
fn unusable_lines_are_refused() {
    let edges = Edges::new(&[Vec3::ZERO, Vec3::ONE], &[[0, 1]]);
    let lines = segments(&[[Vec3::ZERO, Vec3::ONE]]);
    let mut renderer = renderer(8, 8);
    let mut message = |body| {
        let drawn = renderer.render_to_image(&camera(), &floor(), &[body]);
        drawn.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let past = DrawnWires { range: 0..2, ..edges.drawn() };
    let text = message(Drawn::Wires(past));
    assert_eq!(text, "range of pairs is 0..2, wanted a range within 0..1");
    for width in [0.0, -1.0, f32::NAN, 101.0] {
        let wide = DrawnWires { width, ..edges.drawn() };
        let text = message(Drawn::Wires(wide));
        assert!(text.starts_with("width of wires is "), "{text}");
    }
    let Drawn::Segments(whole) = drawn(&lines, true) else { panic!("segments") };
    let past = DrawnSegments { range: 1..2, ..whole.clone() };
    let text = message(Drawn::Segments(past));
    assert_eq!(text, "range of segments is 1..2, wanted a range within 0..1");
    let nothing = DrawnSegments { range: 5..5, ..whole };
    assert_eq!(message(Drawn::Segments(nothing)), "");
}
