use super::*;
use crate::folder::Folder;
use crate::mesh::io::tests::{self, assert_faults};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Three points, three texture coordinates, three u16 indices.
fn buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 1.]
        .iter()
        .flat_map(|x: &f32| x.to_le_bytes())
        .collect();
    bytes.extend([0, 0, 1, 0, 2, 0]);
    bytes
}

/// A triangle, moved by (0, 0, 5) and, below that, mirrored in x.
fn document(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"translation":[0,0,5],"children":[1]}},{{"mesh":0,"scale":[-1,1,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"indices":2}},{{"attributes":{{"POSITION":0}},"mode":0}}]}}],
        "accessors":[
          {{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
          {{"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"VEC2"}},
          {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":60}},{{"buffer":0,"byteOffset":60,"byteLength":6}}],
        "buffers":[{{"byteLength":66{uri}}}]}}"#
    )
}

fn inline() -> String {
    document(&format!(
        r#","uri":"data:application/octet-stream;base64,{}""#,
        STANDARD.encode(buffer())
    ))
}

fn glb(json: &str, blob: &[u8]) -> Vec<u8> {
    let json = format!("{json}{}", " ".repeat(json.len().next_multiple_of(4) - json.len()));
    let blob = [blob, &vec![0; blob.len().next_multiple_of(4) - blob.len()]].concat();
    let length = |n: usize| (n as u32).to_le_bytes();
    let mut bytes =
        [b"glTF".to_vec(), length(2).to_vec(), length(28 + json.len() + blob.len()).to_vec()]
            .concat();
    bytes.extend([&length(json.len()), b"JSON".as_slice(), json.as_bytes()].concat());
    bytes.extend([&length(blob.len()), b"BIN\0".as_slice(), &blob].concat());
    bytes
}

fn surface(bytes: &[u8]) -> Surface {
    tests::surface(read(Path::new("a.gltf"), bytes))
}

#[test]
fn transforms_apply_and_a_mirror_turns_the_triangles() {
    let surface = surface(inline().as_bytes());
    assert_eq!(
        surface.points,
        [DVec3::new(0., 0., 5.), DVec3::new(-1., 0., 5.), DVec3::new(0., 1., 5.)]
    );
    assert_eq!(surface.triangles, [[0, 2, 1]]);
    assert_eq!(
        surface.uv.as_ref().unwrap().values,
        [[0., 1.], [1., 1.], [0., 0.]],
        "v counts from below"
    );
    assert!(surface.normals().iter().all(|n| n.z > 0.999));
}

#[test]
fn a_glb_and_a_file_beside_give_the_same() {
    let want = surface(inline().as_bytes());
    assert_eq!(surface(&glb(&document(""), &buffer())), want);
    let folder = Folder::new("gltf");
    folder.file("a b.bin", buffer());
    let read = |uri: &str| {
        read(&folder.path("a.gltf"), document(&format!(r#","uri":"{uri}""#)).as_bytes())
    };
    assert_eq!(read("a%20b.bin").unwrap(), Mesh::Surface(want));
    for uri in ["missing.bin", "../a.bin", "/etc/hostname", ".", "%zz", "%ff"] {
        assert!(read(uri).unwrap_err().to_string().contains("buffer 0"), "{uri}");
    }
}

#[test]
fn strips_and_fans() {
    assert_eq!(triangles(Mode::TriangleStrip, &[0, 1, 2, 3]), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(triangles(Mode::TriangleFan, &[0, 1, 2, 3]), [[0, 1, 2], [0, 2, 3]]);
    assert!(triangles(Mode::TriangleFan, &[]).is_empty());
}

#[test]
fn faults_name_the_place() {
    let text = inline();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    let faults = [
        ("", "document"),
        ("{}", "document"),
        (
            &*with(r#""count":3,"type""#, r#""count":4000000000000,"type""#),
            "accessor 0 of 4000000000000",
        ),
        (&with(r#""byteOffset":36"#, r#""byteOffset":9000"#), "accessor 1 begins outside"),
        (
            &with(r#""byteOffset":60"#, r#""byteOffset":18446744073709551615"#),
            "accessor 2 begins outside",
        ),
        (&with(r#""byteLength":66"#, r#""byteLength":67"#), "buffer 0: has 66 bytes"),
        (&with(r#""mesh":0"#, r#""mesh":0,"children":[0]"#), "node 0: is reached twice"),
        (&with(r#""scale":[-1,1,1]"#, r#""scale":[-1e39,1,1]"#), "out of range"),
        (&with(r#""mesh":0"#, r#""mesh":7"#), "node 1: mesh 7 does not exist"),
        (&with(r#""componentType":5123"#, r#""componentType":5126"#), "a.gltf"),
        (&with(r#""indices":2"#, r#""indices":2,"mode":1"#), "no triangles"),
        (&with(r#""scene":0"#, r#""scene":5"#), "scene 5 does not exist"),
        (&with(r#""version":"2.0""#, r#""version":"1.0""#), "the version is `1.0`"),
        (&with(r#""children":[1]"#, r#""children":[9]"#), "node 9: does not exist"),
        (&with(r#""POSITION":0"#, r#""POSITION":8"#), "accessor 8 does not exist"),
        (&with(r#""indices":2"#, r#""indices":9"#), "accessor 9 does not exist"),
    ];
    assert_faults(|text| read(Path::new("a.gltf"), text.as_bytes()), &faults);
    let mut bytes = buffer();
    bytes[64] = 9;
    let read_glb = |bytes: &[u8]| read(Path::new("a.glb"), &glb(&document(""), bytes));
    assert_faults(|_| read_glb(&bytes), &[("", "names point 9 of 3")]);
    bytes[0..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_faults(|_| read_glb(&bytes), &[("", "point 0")]);
    for length in [0u32, 11, u32::MAX] {
        let mut bytes = glb(&document(""), &buffer());
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        assert!(read(Path::new("a.glb"), &bytes).is_err());
    }
}
