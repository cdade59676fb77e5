//! The structure of USD text.

use super::super::text::{line, prim_names, quoted};
use super::*;

/// The text of a body's prim.
fn prim<'a>(stage: &'a str, name: &str) -> &'a str {
    prim_of("Mesh", stage, name)
}

pub(super) fn prim_of<'a>(kind: &str, stage: &'a str, name: &str) -> &'a str {
    let start = stage.find(&format!("    def {kind} \"{name}\"")).unwrap();
    let length = stage[start..].find("\n    }\n").unwrap();
    &stage[start..start + length]
}

/// The samples of an attribute: the time code and all numbers of the value.
pub(super) fn samples(prim: &str, attribute: &str) -> Vec<(u64, Vec<f32>)> {
    let start = prim.find(&format!("{attribute}.timeSamples = {{\n")).unwrap();
    let lines = prim[start..].lines().skip(1).take_while(|line| line.trim() != "}");
    let sample = |line: &str| {
        let (code, value) = line.trim().split_once(": ").unwrap();
        let value = value.strip_prefix("[(").and_then(|value| value.strip_suffix(")],")).unwrap();
        let numbers = value.split(['(', ')', ',', ' ']).filter(|word| !word.is_empty());
        (code.parse().unwrap(), numbers.map(|word| word.parse().unwrap()).collect())
    };
    lines.map(sample).collect()
}

/// The text in the brackets after `name = `.
pub(super) fn list<'a>(prim: &'a str, name: &str) -> &'a str {
    let start = prim.find(&format!("{name} = [")).unwrap() + name.len() + 4;
    prim[start..].split_once(']').unwrap().0
}

/// All numbers of a value.
pub(super) fn numbers(text: &str) -> Vec<f32> {
    let words = text.split(['(', ')', ',', ' ', '[', ']']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap()).collect()
}

pub(super) fn flat(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|v| v.to_array()).collect()
}

#[test]
fn every_body_has_all_frames() {
    let folder = Folder::new("usda");
    write(&folder.0, &[Format::Usda], &[5, 6, 7]).finish().unwrap();
    let stage = folder.read("scene.usda");
    for (name, vertices) in [("_2_W_rfel", 0..4), ("dust", 4..7)] {
        let prim = prim(&stage, name);
        let [points, normals, extents] =
            ["point3f[] points", "normal3f[] normals", "float3[] extent"]
                .map(|attribute| samples(prim, attribute));
        assert_eq!([points.len(), normals.len(), extents.len()], [3; 3]);
        for (i, index) in (5..8).enumerate() {
            let state = State::new(index);
            let drawn = &state.drawn_positions[vertices.clone()];
            assert_eq!(points[i], (index, flat(drawn)));
            assert_eq!(normals[i], (index, flat(&state.drawn_normals[vertices.clone()])));
            let low = drawn.iter().copied().reduce(Vec3::min).unwrap();
            let high = drawn.iter().copied().reduce(Vec3::max).unwrap();
            assert_eq!(extents[i], (index, flat(&[low, high])));
        }
    }
    for line in [
        "startTimeCode = 5",
        "endTimeCode = 7",
        "timeCodesPerSecond = 60",
        "metersPerUnit = 1",
        "upAxis = \"Y\"",
    ] {
        assert!(stage.contains(&format!("    {line}\n")), "{line}");
    }
    assert_eq!(folder.names(), ["scene.usda"]);
}

/// A rigid body is one mesh and its placements: they take the mesh to where each frame shows it.
#[test]
fn rigid_bodies_are_placed() {
    let folder = Folder::new("usda-rigid");
    let mut topology = topology();
    topology.bodies[1].is_rigid = true;
    let own = [Vec3::new(0.5, 0.0, -1.0), Vec3::new(-0.25, 2.0, 0.0), Vec3::new(0.0, -1.0, 0.75)];
    let placement = |index: u64| Placement {
        centre: Vec3::new(index as f32, 3.0, -2.0),
        rotation: Quat::from_rotation_y(0.7 + index as f32) * Quat::from_rotation_x(0.3),
    };
    let mut output = Output::new(&folder.0, &[Format::Usda], topology, 60.0).unwrap();
    for index in 5..8 {
        let mut state = State::new(index);
        let at = placement(index);
        for (k, x) in own.into_iter().enumerate() {
            state.drawn_positions[4 + k] = at.centre + at.rotation * x;
            state.drawn_normals[4 + k] = at.rotation * x.normalize();
        }
        assert!(output.write(&state.frame()).unwrap_err().to_string().contains("lengths"));
        state.placements = vec![at];
        output.write(&state.frame()).unwrap();
    }
    output.finish().unwrap();
    let stage = folder.read("scene.usda");
    let dust = prim(&stage, "dust");
    let near = |a: &[f32], b: &[f32]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-6)
    };
    assert!(near(&numbers(list(dust, "point3f[] points")), &flat(&own)));
    assert!(near(&numbers(list(dust, "normal3f[] normals")), &flat(&own.map(Vec3::normalize))));
    assert!(dust.contains("xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]"));
    let at = |name: &str, code: u64| {
        let start = dust.find(&format!("{name}.timeSamples")).unwrap();
        let sample =
            dust[start..].lines().find_map(|line| line.trim().strip_prefix(&format!("{code}: ")));
        numbers(sample.unwrap())
    };
    for index in 5..8 {
        let wanted = placement(index);
        assert_eq!(at("double3 xformOp:translate", index), wanted.centre.to_array());
        let q = wanted.rotation;
        assert_eq!(at("quatf xformOp:orient", index), [q.w, q.x, q.y, q.z]);
    }
    assert_eq!(samples(prim(&stage, "_2_W_rfel"), "point3f[] points").len(), 3);
}

#[test]
fn topology_is_counted_within_the_body() {
    let folder = Folder::new("usda-faces");
    write(&folder.0, &[Format::Usda], &[0]).finish().unwrap();
    let stage = folder.read("scene.usda");
    let (wedge, dust) = (prim(&stage, "_2_W_rfel"), prim(&stage, "dust"));
    assert_eq!(list(wedge, "int[] faceVertexCounts"), "3, 3, 3");
    assert_eq!(list(wedge, "int[] faceVertexIndices"), "0, 2, 1, 0, 1, 3, 1, 2, 3");
    assert_eq!(list(wedge, "int[] primvars:st:indices"), "0, 1, 2, 5, 4, 3, 3, 0, 1");
    assert!(
        list(wedge, "texCoord2f[] primvars:st")
            .starts_with("(0.0, 0.33333334), (0.125, 0.33333334), ")
    );
    assert_eq!(list(dust, "int[] faceVertexIndices"), "0, 1, 2");
    assert!(!dust.contains("primvars:st"));
    // 128 in sRGB is 0.2159 in linear light (IEC 61966-2-1).
    assert!(list(wedge, "color3f[] primvars:displayColor").starts_with("(1.0, 0.2158"));
    assert!(wedge.contains("displayName = \"2 Würfel\"\n"));
    assert!(!dust.contains("displayName"), "it is called so");
    for (open, close) in ["()", "[]", "{}"].map(|pair| pair.split_at(1)) {
        assert_eq!(stage.matches(open).count(), stage.matches(close).count());
    }
    for name in ["_2_W_rfel", "dust"] {
        assert!(
            prim(&stage, name).contains(&format!("rel material:binding = </World/Looks/{name}>"))
        );
        assert!(stage.contains(&format!("def Material \"{name}\"")));
    }
}

#[test]
fn an_unfinished_run_keeps_what_it_has_and_one_without_frames_leaves_nothing() {
    let folder = Folder::new("usda-drop");
    drop(write(&folder.0, &[Format::Usda], &[]));
    assert!(folder.names().is_empty());
    drop(write(&folder.0, &[Format::Usda], &[0, 1]));
    assert_eq!(samples(prim(&folder.read("scene.usda"), "dust"), "point3f[] points").len(), 2);
    assert_eq!(folder.names(), ["scene.usda"]);
}

/// On Linux `/dev/full` stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_stage_that_does_not_fit_leaves_its_samples() {
    let folder = Folder::new("usda-full");
    std::os::unix::fs::symlink("/dev/full", folder.0.join("scene.usda.tmp")).unwrap();
    let error = write(&folder.0, &[Format::Usda], &[0]).finish().unwrap_err().to_string();
    assert!(error.contains("scene.usda:") && error.contains("No space"), "{error}");
    assert_eq!(folder.names(), ["scene.usda.samples"]);
}

#[test]
fn names_become_identifiers() {
    let names = ["top", "a b", "a-b", "a_b_2", "3d", "", "Looks", "äö", "a\"\\", "top"];
    let want = ["top", "a_b", "a_b_2", "a_b_2_2", "_3d", "_", "Looks_2", "__", "a__", "top_2"];
    assert_eq!(prim_names(names.into_iter(), &["Looks"]), want);
    assert_eq!(quoted("a\"b\\\nü"), "\"a\\\"b\\\\_ü\"");
    assert_eq!(["x\ty", " ", "k ü"].map(line), ["x_y", "body", "k ü"]);
}
