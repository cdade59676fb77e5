//! OBJ and PLY files, read by hand.

use super::*;

/// Two vertices at one point are one `v` line with two normals; a body behind it counts on.
#[test]
fn an_obj_is_not_opened_at_creases() {
    let mut topology = topology();
    topology.bodies[0].points = vec![0, 1, 1, 2];
    let folder = Folder::new("obj-creases");
    write_one(&folder, Format::Obj, topology.clone(), &State::new(0));
    let (text, state) = (folder.read("frame_00000.obj"), State::new(0));
    let want: Vec<_> = [0, 1, 3, 4, 5, 6].map(|i| state.drawn_positions[i]).into();
    assert_eq!(bits(&vectors(&text, "v ")), bits(&want));
    assert_eq!(vectors(&text, "vn ").len(), 7);
    let faces: Vec<_> = text.lines().filter(|line| line.starts_with("f ")).collect();
    assert_eq!(
        faces,
        ["f 1/1/1 2/2/3 2/3/2", "f 1/6/1 2/5/2 3/4/4", "f 2/4/2 2/1/3 3/2/4", "f 4//5 5//6 6//7"]
    );
    for points in [vec![0; 3], vec![1, 1, 2, 3], vec![0, 2, 3, 4], vec![0, 1, 0, 1]] {
        topology.bodies[0].points = points;
        assert!(Output::new(&folder.0, &[Format::Obj], topology.clone(), 60.0).is_err());
    }
}

/// Names of materials have no spaces and differ, and a solid has a colour, too.
#[test]
fn an_obj_has_colours_beside_it() {
    let mut topology = topology();
    topology.bodies[1].name = "2 Würfel".into();
    topology.solids =
        vec![SolidTopology { name: "block".into(), color: [51, 0, 255], ..Default::default() }];
    let folder = Folder::new("obj-colours");
    let state = State { solids: vec![Placement::default()], ..State::new(0) };
    write_one(&folder, Format::Obj, topology, &state);
    let text = folder.read("frame_00000.obj");
    assert_eq!(text.lines().nth(1), Some("mtllib scene.mtl"));
    let used: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("usemtl ")).collect();
    assert_eq!(used, ["_2_W_rfel", "_2_W_rfel_2", "block"]);
    let materials = folder.read("scene.mtl");
    assert!(materials.contains("newmtl _2_W_rfel\nKd 1.0 0.5019608 0.0\n"), "{materials}");
    assert!(materials.ends_with("newmtl block\nKd 0.2 0.0 1.0\n"), "{materials}");
}

/// The numbers of the lines that start with `key`.
pub(super) fn numbers(text: &str, key: &str) -> Vec<Vec<f32>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(key));
    lines.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
}

pub(super) fn vectors(text: &str, key: &str) -> Vec<Vec3> {
    numbers(text, key).iter().map(|v| Vec3::from_slice(v)).collect()
}

#[test]
fn an_obj_reads_back_exactly() {
    let folder = Folder::new("obj");
    write(&folder.0, &[Format::Obj], &[0, 3]).finish().unwrap();
    let (text, state) = (folder.read("frame_00003.obj"), State::new(3));
    let names: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("o ")).collect();
    assert_eq!(names, ["2 Würfel", "dust"]);
    assert_eq!(bits(&vectors(&text, "v ")), bits(&state.drawn_positions));
    assert_eq!(bits(&vectors(&text, "vn ")), bits(&state.drawn_normals));
    let values = topology().bodies[0].uv.clone().unwrap().values;
    assert_eq!(numbers(&text, "vt "), values);
    let faces: Vec<_> = text.lines().filter(|line| line.starts_with("f ")).collect();
    assert_eq!(
        faces,
        ["f 1/1/1 3/2/3 2/3/2", "f 1/6/1 2/5/2 4/4/4", "f 2/4/2 3/1/3 4/2/4", "f 5//5 6//6 7//7"]
    );
    let second = text.find("o dust").unwrap();
    assert_eq!(text[second..].lines().filter(|line| line.starts_with("v ")).count(), 3);
}

#[test]
fn texture_coordinates_of_several_bodies_count_on() {
    let mut topology = topology();
    topology.bodies[1].uv =
        Some(TextureCoordinates { values: vec![[0.0; 2]; 3], corners: vec![[0, 1, 2]] });
    let folder = Folder::new("obj-uv");
    write_one(&folder, Format::Obj, topology, &State::new(0));
    assert!(folder.read("frame_00000.obj").ends_with("f 5/7/5 6/8/6 7/9/7\n"));
}

#[test]
fn a_name_cannot_break_the_lines_of_an_obj() {
    let mut topology = topology();
    topology.bodies[0].name = " a\nv 1 2 3\r\u{2028}b\\ ".into();
    topology.bodies[1].name = String::new();
    let folder = Folder::new("obj-names");
    write_one(&folder, Format::Obj, topology, &State::new(0));
    let text = folder.read("frame_00000.obj");
    let names: Vec<_> = text.lines().filter(|line| line.starts_with('o')).collect();
    assert_eq!(names, ["o a_v 1 2 3__b_", "o body"]);
    assert_eq!(vectors(&text, "v ").len(), 7);
}

#[test]
fn a_ply_reads_back_exactly() {
    let folder = Folder::new("ply");
    write(&folder.0, &[Format::Ply], &[1]).finish().unwrap();
    let (header, vertices, faces) = ply(&folder, "frame_00001.ply", 7);
    let properties: Vec<_> =
        header.lines().filter_map(|line| line.strip_prefix("property ")).collect();
    let floats = ["x", "y", "z", "nx", "ny", "nz"].map(|name| format!("float {name}"));
    assert_eq!(properties[..6], floats);
    assert_eq!(
        properties[6..],
        ["uchar red", "uchar green", "uchar blue", "int body", "list uchar int vertex_indices"]
    );
    assert!(header.starts_with("ply\nformat binary_little_endian 1.0\n"));
    assert!(header.contains("element vertex 7\n") && header.contains("element face 4\n"));
    let state = State::new(1);
    for (i, vertex) in vertices.iter().enumerate() {
        let word = |k: usize| u32::from_le_bytes(*vertex[k..].first_chunk().unwrap());
        let got = [[word(0), word(4), word(8)], [word(12), word(16), word(20)]];
        assert_eq!(got.to_vec(), bits(&[state.drawn_positions[i], state.drawn_normals[i]]));
        let body = usize::from(i >= 4);
        assert_eq!((&vertex[24..27], word(27)), (&topology().bodies[body].color[..], body as u32));
    }
    let corner =
        |face: &[u8; 13], k: usize| u32::from_le_bytes(*face[1 + 4 * k..].first_chunk().unwrap());
    assert!(faces.iter().all(|face| face[0] == 3));
    let got: Vec<_> = faces.iter().map(|face| [0, 1, 2].map(|k| corner(face, k))).collect();
    assert_eq!(got, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [4, 5, 6]]);
}
