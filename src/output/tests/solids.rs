//! Solids beside bodies, a camera and lights.

use super::surfaces::vectors;
use super::usda::{list, numbers, prim_of};
use super::*;
use crate::render::Camera;
use glam::Vec2;

/// A floor, a ball that moves and a box that stands askew.
fn with_solids() -> Topology {
    let solid = |name: &str, color, shape| SolidTopology { name: name.into(), color, shape };
    let solids = vec![
        solid("floor", [9, 9, 9], SolidShape::Plane { middle: [1.0, 2.0], size: 4.0 }),
        solid("ball 1", [1, 2, 3], SolidShape::Sphere { radius: 0.5 }),
        solid("box", [4, 5, 6], SolidShape::Box { size: [1.0, 2.0, 4.0] }),
    ];
    Topology { solids, ..topology() }
}

/// Where they are in a frame.
fn places(index: u64) -> Vec<Placement> {
    let rotation = Quat::from_rotation_y(0.3);
    vec![
        Placement { centre: Vec3::NEG_Y, rotation: Quat::IDENTITY },
        Placement { centre: index as f32 * Vec3::X, rotation: Quat::IDENTITY },
        Placement { centre: Vec3::new(3.0, 0.5, -1.0), rotation },
    ]
}

/// A body's drawn points are of no unusual size here.
fn state(index: u64) -> State {
    let drawn_positions = (0..7).map(|i| Vec3::new(0.1 * i as f32, index as f32, 0.0)).collect();
    State { drawn_positions, solids: places(index), ..State::new(index) }
}

fn written(folder: &Folder, formats: &[Format], topology: Topology) {
    let mut output = Output::new(&folder.0, formats, topology, 60.0).unwrap();
    (0..3).for_each(|index| output.write(&state(index).frame()).unwrap());
    output.finish().unwrap();
}

/// How far each is from the surface of the ball and of the box, which has so many corners, in the last frame, and where the
/// floor's corners are.
fn check(positions: &[Vec3], corners_of_box: usize) {
    let (floor, rest) = positions.split_at(4);
    let (ball, cuboid) = rest.split_at(rest.len() - corners_of_box);
    let corners = [(-1.0, 0.0), (-1.0, 4.0), (3.0, 4.0), (3.0, 0.0)];
    assert_eq!(floor, corners.map(|(x, z)| Vec3::new(x, -1.0, z)));
    assert!(ball.len() > 100);
    assert!(ball.iter().all(|x| (x.distance(2.0 * Vec3::X) - 0.5).abs() < 1e-6));
    let place = places(2)[2];
    for x in cuboid {
        let own = place.rotation.inverse() * (*x - place.centre);
        assert!(own.abs().abs_diff_eq(Vec3::new(0.5, 1.0, 2.0), 1e-5), "{own}");
    }
}

#[test]
fn obj_has_them_as_objects_where_they_are() {
    let folder = Folder::new("solids-obj");
    written(&folder, &[Format::Obj], with_solids());
    let text = folder.read("frame_00002.obj");
    let positions = vectors(&text, "v ");
    check(&positions[7..], 8);
    let normals = vectors(&text, "vn ");
    let (_, floor) = text.split_once("o floor\n").unwrap();
    let (floor, ball) = floor.split_once("o ball 1\n").unwrap();
    assert!(floor.ends_with("f 8//8 9//9 10//10\nf 8//8 10//10 11//11\n"), "{floor}");
    assert!(ball.contains("o box\n"));
    // All faces turn as their normals say.
    for face in text.lines().filter_map(|line| line.strip_prefix("f ")).skip(4) {
        let corners = face.split(' ').map(|corner| corner.split_once("//").unwrap());
        let at: Vec<[usize; 2]> = corners
            .map(|(v, n)| [v, n].map(|number| number.parse::<usize>().unwrap() - 1))
            .collect();
        let [a, b, c] = [0, 1, 2].map(|k| positions[at[k][0]]);
        assert!((b - a).cross(c - a).dot(normals[at[0][1]]) > 0.0, "{face}");
    }
}

#[test]
fn ply_has_them_behind_the_bodies() {
    let folder = Folder::new("solids-ply");
    written(&folder, &[Format::Ply], with_solids());
    let bytes = fs::read(folder.path("frame_00002.ply")).unwrap();
    let header = String::from_utf8_lossy(&bytes[..300]);
    let (_, count) = header.split_once("element vertex ").unwrap();
    let count = count.split_whitespace().next().unwrap().parse().unwrap();
    let (_, vertices, faces) = ply(&folder, "frame_00002.ply", count);
    let number =
        |vertex: &[u8; 31], k: usize| f32::from_le_bytes(*vertex[4 * k..].first_chunk().unwrap());
    let positions: Vec<_> =
        vertices.iter().map(|vertex| Vec3::from([0, 1, 2].map(|k| number(vertex, k)))).collect();
    check(&positions[7..], 24);
    assert_eq!(vertices[7][24..31], [9, 9, 9, 255, 255, 255, 255]);
    assert_eq!(vertices[count - 1][24..31], [4, 5, 6, 255, 255, 255, 255]);
    assert_eq!(faces[4], [3, 7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0]);
    let last = u32::from_le_bytes(*faces.last().unwrap()[9..].first_chunk().unwrap());
    assert_eq!(last as usize, count - 1);
}

#[test]
fn usda_moves_what_moves() {
    let folder = Folder::new("solids-usda");
    written(&folder, &[Format::Usda], with_solids());
    let stage = folder.read("scene.usda");
    let [floor, ball, cuboid] =
        ["floor", "ball_1", "box"].map(|name| prim_of("Mesh", &stage, name));
    assert!(floor.contains("double3 xformOp:translate = (0.0, -1.0, 0.0)\n"));
    assert!(floor.contains("quatf xformOp:orient = (1.0, 0.0, 0.0, 0.0)\n"));
    assert!(ball.contains("displayName = \"ball 1\"\n"));
    let (_, centres) = ball.split_once("translate.timeSamples = {\n").unwrap();
    let centres = centres.lines().take(3).map(str::trim);
    assert!(centres.eq(["0: (0.0, 0.0, 0.0),", "1: (1.0, 0.0, 0.0),", "2: (2.0, 0.0, 0.0),"]));
    assert!(!cuboid.contains("timeSamples") && !cuboid.contains("displayName"));
    assert_eq!(list(cuboid, "float3[] extent"), "(-0.5, -1.0, -2.0), (0.5, 1.0, 2.0)");
    assert!(stage.contains("def Material \"ball_1\""));
    assert!(stage.contains("def DistantLight \"Sun\"") && stage.contains("def DomeLight \"Sky\""));
}

/// The camera of a stage, and the shape of its pictures.
fn camera_of(stage: &str) -> (Camera, f32) {
    let prim = prim_of("Camera", stage, "Camera");
    let value = |name: &str| {
        let (_, text) = prim.split_once(&format!("{name} = ")).unwrap();
        numbers(text.lines().next().unwrap())
    };
    let (eye, q) = (value("xformOp:translate"), value("xformOp:orient"));
    let rotation = Quat::from_xyzw(q[1], q[2], q[3], q[0]);
    let [length, width, height] =
        ["focalLength", "horizontalAperture", "verticalAperture"].map(|name| value(name)[0]);
    let eye = Vec3::from_slice(&eye);
    let fov_y = 2.0 * (0.5 * height / length).atan();
    (Camera { eye, target: eye - rotation * Vec3::Z, fov_y }, width / height)
}

/// All that has an end is in view in all frames, and the view is not much wider.
#[test]
fn a_camera_sees_everything_or_what_it_was_told_to() {
    let folder = Folder::new("usda-camera");
    written(&folder, &[Format::Usda], with_solids());
    let (camera, aspect) = camera_of(&folder.read("scene.usda"));
    assert!((aspect - 16.0 / 9.0).abs() < 1e-5, "{aspect}");
    let seen = |x: Vec3| camera.project(x, [1600, 900]).unwrap() / Vec2::new(1600.0, 900.0);
    let ends = places(2)[2];
    let mut all: Vec<Vec3> = (0..3).flat_map(|k| state(k).drawn_positions).collect();
    all.extend([
        -0.5 * Vec3::X,
        2.5 * Vec3::X,
        ends.centre + ends.rotation * Vec3::new(0.5, -1.0, 2.0),
    ]);
    let seen: Vec<_> = all.into_iter().map(seen).collect();
    assert!(seen.iter().all(|x| x.cmpgt(Vec2::ZERO).all() && x.cmplt(Vec2::ONE).all()), "{seen:?}");
    let least = seen.iter().fold(Vec2::ONE, |a, b| a.min(*b));
    let most = seen.iter().fold(Vec2::ZERO, |a, b| a.max(*b));
    assert!((most - least).max_element() > 0.4, "{least} {most}");

    let told = Camera::parse("1,2,3:0,0.5,0").unwrap();
    let view = View { camera: Some(told), aspect: 1.5 };
    written(&folder, &[Format::Usda], Topology { view, ..with_solids() });
    let (camera, aspect) = camera_of(&folder.read("scene.usda"));
    assert!(camera.eye == told.eye && (camera.fov_y - told.fov_y).abs() < 1e-5);
    let [a, b] = [camera, told].map(|camera| (camera.target - camera.eye).normalize());
    assert!(a.distance(b) < 1e-5 && (aspect - 1.5).abs() < 1e-5);
}
