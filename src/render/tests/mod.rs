mod camera;
mod lines;
mod mesh_buffers;
mod orbit;
mod pixels;
mod points;
mod styles;
mod values;

use glam::{Vec3, Vec4};

use super::*;
use crate::gpu::types::Particle;
use crate::gpu::{Buffer, Context, Reflection, compose, sources, types};

const RED: [u8; 3] = [210, 40, 30];
const BLUE: [u8; 3] = [30, 60, 210];

/// Corners of an octahedron, and its faces.
const AXES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
const OCTAHEDRON: [u32; 24] =
    [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];

fn context() -> &'static Context {
    Context::of_tests()
}

fn renderer(width: u32, height: u32) -> Renderer {
    Renderer::new(context(), width, height).unwrap()
}

fn world(scene: &crate::Scene) -> crate::World {
    crate::World::new(context(), scene).unwrap()
}

fn triangle(size: f32, z: f32) -> [Vec3; 3] {
    [(-size, -size), (size, -size), (0.0, size)].map(|(x, y)| Vec3::new(x, y, z))
}

fn particles(positions: &[Vec3]) -> Buffer<Particle> {
    let at = |position: &Vec3| Particle {
        position: *position,
        velocity: Vec3::splat(9.0),
        ..Particle::default()
    };
    let particles: Vec<_> = positions.iter().map(at).collect();
    Buffer::new(context(), "particles", &particles).unwrap()
}

fn pixels(image: &Image) -> &[[u8; 4]] {
    image.pixels.as_chunks().0
}

/// Largest difference of a channel.
fn difference(a: [u8; 4], b: [u8; 4]) -> u8 {
    (0..4).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0)
}

/// The same of all pixels.
fn largest_difference(a: &Image, b: &Image) -> u8 {
    let pairs = a.pixels.iter().zip(&b.pixels);
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

trait Shot {
    /// A picture that must succeed.
    fn shot(&mut self, camera: &Camera, look: &Look, bodies: &[Drawn<'_>]) -> Image;
}

impl Shot for Renderer {
    fn shot(&mut self, camera: &Camera, look: &Look, bodies: &[Drawn<'_>]) -> Image {
        self.render_to_image(camera, look, bodies).unwrap()
    }
}

/// Triangles on the device.
struct Mesh {
    positions: Buffer<Vec4>,
    normals: Buffer<Vec4>,
    indices: Buffer<u32>,
}

impl Mesh {
    fn new(positions: &[Vec3], normals: &[Vec3], indices: &[u32]) -> Self {
        let padded =
            |points: &[Vec3]| points.iter().map(|point| point.extend(0.0)).collect::<Vec<_>>();
        Self {
            positions: solids::upload(context(), "positions", &padded(positions)).unwrap(),
            normals: solids::upload(context(), "normals", &padded(normals)).unwrap(),
            indices: solids::upload(context(), "indices", indices).unwrap(),
        }
    }

    /// An octahedron of radius 0.5 around (0, 0.6, 0) with a sphere's normals.
    fn octahedron() -> Self {
        let positions = AXES.map(|axis| 0.6 * Vec3::Y + 0.5 * axis);
        Self::new(&positions, &AXES, &OCTAHEDRON)
    }

    /// A triangle as wide and high as twice this, across z; it faces the positive side.
    fn triangle(size: f32, z: f32) -> Self {
        Self::new(&triangle(size, z), &[Vec3::Z; 3], &[0, 1, 2])
    }

    fn drawn(&self, color: [u8; 3]) -> Drawn<'_> {
        Drawn::Surface(self.surface(color))
    }

    fn surface(&self, color: [u8; 3]) -> DrawnSurface<'_> {
        let (positions, normals, indices) = (&self.positions, &self.normals, &self.indices);
        DrawnSurface {
            positions,
            normals,
            indices,
            index_range: 0..indices.len() as u32,
            color,
            closed: false,
            style: SurfaceStyle::Smooth,
            values: None,
            active: false,
        }
    }
}

fn camera() -> Camera {
    Camera::frame(Vec3::new(-0.5, 0.1, -0.5), Vec3::new(0.5, 1.1, 0.5), 1.0)
}

fn floor() -> Look {
    Look { floor: Some(0.0), ..Look::default() }
}

/// Channels from the largest to the smallest: the hue, coarsely.
fn order([r, g, b, _]: [u8; 4]) -> Vec<char> {
    let mut channels = vec![(r, 'r'), (g, 'g'), (b, 'b')];
    channels.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    channels.into_iter().map(|(_, name)| name).collect()
}

fn luminance([r, g, b, _]: [u8; 4]) -> u32 {
    u32::from(r) + u32::from(g) + u32::from(b)
}

#[test]
fn drawing_shaders_are_valid() {
    let drawing: Vec<_> = sources()
        .iter()
        .map(|source| source.name())
        .filter(|name| name.starts_with("draw_"))
        .collect();
    assert_eq!(drawing.len(), 11);
    for name in drawing {
        let composed = compose(name);
        let module = naga::front::wgsl::parse_str(&composed.text).unwrap();
        let flags = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(flags, naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap();
        // The seam's reflection is for compute kernels alone.
        assert!(Reflection::new(&composed).is_err());
    }
}

#[test]
fn bodies_stand_before_the_background_and_pictures_repeat() {
    let mesh = Mesh::octahedron();
    let mut renderer = renderer(161, 120);
    let empty = renderer.shot(&camera(), &floor(), &[]);
    for color in [RED, BLUE] {
        let image = renderer.shot(&camera(), &floor(), &[mesh.drawn(color)]);
        assert_eq!((image.width, image.height, image.pixels.len()), (161, 120, 4 * 161 * 120));
        assert_eq!(order(image.pixel(80, 60))[0], order([color[0], color[1], color[2], 255])[0]);
        assert_eq!(image.pixel(1, 1), empty.pixel(1, 1));
        assert!(pixels(&image).iter().all(|pixel| pixel[3] == 255));
        assert_eq!(image, renderer.shot(&camera(), &floor(), &[mesh.drawn(color)]));
    }
}

#[test]
fn bodies_throw_shadows_on_the_floor() {
    let mesh = Mesh::octahedron();
    let look = Look { light: Vec3::new(-2.0, 2.0, 0.0), ..floor() };
    // Light falls at 45 degrees: the shadow's middle lies 0.6 to the right of the body's foot.
    let above = Camera::parse("0.6,4,0:0.6,0,0").unwrap();
    let mut renderer = renderer(64, 64);
    let bare = renderer.shot(&above, &look, &[]);
    let image = renderer.shot(&above, &look, &[mesh.drawn(RED)]);
    // Off the grid's lines: a few pixels aside of the centre.
    let (shadowed, bright) = (image.pixel(35, 29), bare.pixel(35, 29));
    assert!(luminance(shadowed) < luminance(bright) * 8 / 10, "{shadowed:?} {bright:?}");
    assert_eq!(image.pixel(62, 10), bare.pixel(62, 10));
}

#[test]
fn inner_sides_show_unless_the_body_is_closed() {
    let mesh = Mesh::triangle(1.0, 0.0);
    let mut renderer = renderer(9, 9);
    let mut centre = |eye: &str, closed| {
        let camera = Camera::parse(&format!("{eye}:0,0,0")).unwrap();
        let body = Drawn::Surface(DrawnSurface { closed, ..mesh.surface(RED) });
        order(renderer.shot(&camera, &Look::default(), &[body]).pixel(4, 4))[0] == 'r'
    };
    assert!(centre("0,0,3", true) && centre("0,0,3", false));
    assert!(centre("0,0,-3", false));
    let camera = Camera::parse("0,0,-3:0,0,0").unwrap();
    let background = renderer.shot(&camera, &Look::default(), &[]);
    let body = Drawn::Surface(DrawnSurface { closed: true, ..mesh.surface(RED) });
    assert_eq!(renderer.shot(&camera, &Look::default(), &[body]), background);
}

/// One sheet, seen from its side of normals or from the other, in light from a direction; red, green and blue.
fn sheet(eye: &str, light: Vec3, closed: bool) -> [u8; 4] {
    let mesh = Mesh::triangle(1.0, 0.0);
    let look = Look { light, ..Look::default() };
    let body = Drawn::Surface(DrawnSurface { closed, ..mesh.surface(RED) });
    let camera = Camera::parse(&format!("{eye}:0,0,0")).unwrap();
    let mut renderer = renderer(9, 9);
    let image = renderer.shot(&camera, &look, &[body]);
    image.pixel(4, 4)
}

#[test]
fn both_sides_of_a_sheet_are_lit_alike() {
    let mirrored = Vec3::new(1.0, 1.0, -1.0);
    for light in [Vec3::new(0.3, 0.2, 1.0), Vec3::new(2.0, 0.5, 0.3)] {
        let front = sheet("0,0,3", light, false);
        let back = sheet("0,0,-3", light * mirrored, false);
        assert_eq!(front, back, "light from {light}");
        let away = sheet("0,0,-3", light, false);
        assert_eq!(away, sheet("0,0,3", light * mirrored, false));
        assert!(luminance(away) < luminance(front), "light from {light}");
    }
}

/// A sheet shades its own other side, however flat the light falls; a closed body's terminator is soft.
#[test]
fn no_light_comes_through_a_sheet() {
    let light = |facing: f32| Vec3::new((1.0 - facing * facing).sqrt(), 0.0, facing);
    let dark = sheet("0,0,3", light(-0.9), false);
    for facing in [-0.2, -0.1, -0.04, -0.01] {
        assert_eq!(sheet("0,0,3", light(facing), false), dark, "{facing}");
        assert!(luminance(sheet("0,0,3", light(facing), true)) > luminance(dark));
    }
}

#[test]
fn solids_are_drawn_and_planes_from_outside_only() {
    let mut renderer = renderer(33, 33);
    let mut picture = |kind, extent, eye: &str| {
        let solid = types::Solid { kind, extent, rotation: Vec4::W, ..types::Solid::default() };
        let camera = Camera::parse(&format!("{eye}:0,0,0")).unwrap();
        let look = Look { solids: vec![solid], ..Look::default() };
        renderer.shot(&camera, &look, &[])
    };
    let behind = picture(types::SOLID_PLANE, Vec3::Z, "0,0,-4");
    assert_ne!(picture(types::SOLID_PLANE, Vec3::Z, "0,0,4"), behind, "a plane has one side");
    for eye in ["0,0,-6", "0,0,6", "6,0,0", "-6,0,0", "0.1,6,0", "0.1,-6,0"] {
        let cuboid = picture(types::SOLID_BOX, Vec3::ONE, eye);
        assert_ne!(cuboid.pixel(7, 16), behind.pixel(7, 16), "{eye}");
        assert_eq!(cuboid.pixel(4, 16), behind.pixel(4, 16), "{eye}");
        let ball = picture(types::SOLID_SPHERE, Vec3::X, eye);
        assert_ne!(ball.pixel(9, 16), behind.pixel(9, 16), "{eye}");
        assert_eq!(ball.pixel(6, 16), behind.pixel(6, 16), "{eye}");
    }
}

/// Where the shadow map reaches, planes have a part of their own, which moves with the light; of a plane that nothing
/// throws a shadow on nothing is seen of it.
#[test]
fn the_two_parts_of_a_plane_meet() {
    let mut renderer = renderer(160, 120);
    let slope = types::Solid {
        kind: types::SOLID_PLANE,
        extent: Vec3::new(0.3, 0.9, -0.2).normalize(),
        ..Default::default()
    };
    for (floor, solids) in [(Some(0.0), vec![]), (None, vec![slope])] {
        let mut picture = |light: Vec3| {
            let look = Look { floor, solids: solids.clone(), light, ..Look::default() };
            renderer.shot(&camera(), &look, &[])
        };
        // From behind a plane no light comes, and all of it is one part.
        let whole = picture(Vec3::NEG_Y);
        for light in [
            Vec3::Y,
            Vec3::new(-0.45, 1.0, 0.5),
            Vec3::new(2.0, 1.0, -1.0),
            Vec3::new(0.0, 0.2, 1.0),
            Vec3::new(-1.0, 0.06, 0.3),
        ] {
            let parts = picture(light);
            let most = largest_difference(&whole, &parts);
            assert!(most <= 3, "{light}: {most}");
        }
    }
}

#[test]
fn unusable_bodies_are_refused() {
    let mesh = Mesh::octahedron();
    let mut renderer = renderer(8, 8);
    let past = Drawn::Surface(DrawnSurface { index_range: 0..25, ..mesh.surface(RED) });
    let message = renderer.render_to_image(&camera(), &floor(), &[past]).unwrap_err().to_string();
    assert_eq!(message, "index range into indices is 0..25, wanted a range within 0..24");
    let hidden = Buffer::new(context().drawing().unwrap(), "hidden", &[Vec4::ZERO]).unwrap();
    let undrawable = Drawn::Surface(DrawnSurface { normals: &hidden, ..mesh.surface(RED) });
    let message =
        renderer.render_to_image(&camera(), &floor(), &[undrawable]).unwrap_err().to_string();
    assert!(message.starts_with("hidden is "), "{message}");
    let nothing = Drawn::Surface(DrawnSurface { index_range: 3..3, ..mesh.surface(RED) });
    renderer.render_to_image(&camera(), &floor(), &[nothing]).unwrap();
}
