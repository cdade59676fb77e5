//! `pliant mesh`, `shaders`, `info`, `bench --list`.

use super::{Folder, output, pliant, refuse, succeed, text};

#[test]
fn meshes_are_described() {
    let dog = succeed(&["mesh", "assets/dog.obj", "--info", "--cells", "6"]);
    for line in [
        "points           4004 (4004 after welding)",
        "triangles        8004",
        "open edges       0",
        "tetrahedra       176",
    ] {
        assert!(dog.contains(line), "{line} in\n{dog}");
    }
    for bar in ["bar.node", "bar.ele", "bar.msh", "bar22.msh", "bar.vtu"] {
        let bar = succeed(&["mesh", &format!("assets/{bar}")]);
        assert!(
            bar.contains("points           176") && bar.contains("tetrahedra       450"),
            "{bar}"
        );
    }
}

/// A tetrahedron whose faces point inwards, one without its last face, which has no inside, and one that is as it should be.
#[test]
fn faces_that_point_inwards_are_told_of() {
    let folder = Folder::new("inwards");
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let said = |faces: &str| {
        let file = folder.file("tetrahedron.obj", format!("{points}{faces}"));
        succeed(&["mesh", text(&file), "--info"]).contains("point inwards")
    };
    let inwards = "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    assert!(said(inwards));
    assert!(!said(inwards.trim_end_matches("f 2 4 3\n")));
    assert!(!said("f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"));
}

#[test]
fn clouds_and_fields_are_described() {
    let folder = Folder::new("cloud");
    let cloud =
        folder.file("square.xyz", "4\nsquare\nC 0 0 0\nC 0.5 0 0\nC 0 0.5 0\nC 0.5 0.5 0\n");
    let said = succeed(&["mesh", text(&cloud), "--info"]);
    for line in [
        "kind             points",
        "points           4",
        "spacing          5.000000e-1 m",
        "box              [0, 0, 0] to [0.5, 0.5, 0] m",
    ] {
        assert!(said.contains(line), "{said}");
    }
    let refused = refuse(&["mesh", text(&cloud), "--cells", "4"]);
    assert!(refused.contains("has points only"), "{refused}");
    let node = "4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
    let bar = folder.file("bar.node", node);
    folder.file("bar.ele", "2 4 1\n0 0 1 2 3 5e4\n1 0 1 2 3 7e5\n");
    let said = succeed(&["mesh", text(&bar)]);
    let line = "cell data        attribute_1: 5.000000e4 to 7.000000e5";
    assert!(said.contains(line), "{said}");
}

#[test]
fn meshes_are_converted() {
    let folder = Folder::new("convert");
    for (from, ending, line) in [
        ("assets/dog.obj", "ply", "points           4004"),
        ("assets/rings.ply", "stl", "triangles        12000"),
        ("assets/bar.node", "msh", "tetrahedra       450"),
        ("assets/bar.msh", "vtu", "tetrahedra       450"),
        ("assets/bar.vtu", "node", "tetrahedra       450"),
        ("assets/bar.vtu", "obj", "triangles        276"),
        ("assets/bar.vtu", "xyz", "points           176"),
    ] {
        let to = folder.path(format!("mesh.{ending}"));
        succeed(&["mesh", from, text(&to)]);
        assert!(succeed(&["mesh", text(&to)]).contains(line), "{from} to {ending}");
    }
    let to = folder.path("mesh.abc");
    assert!(refuse(&["mesh", "assets/dog.obj", text(&to)]).contains("mesh.abc"));
}

#[test]
fn kernels_are_written_in_every_language() {
    let folder = Folder::new("shaders");
    for (to, ending) in [("wgsl", "wgsl"), ("spirv", "spv"), ("msl", "metal"), ("hlsl", "hlsl")] {
        let out = folder.path(to);
        succeed(&["shaders", "--out", text(&out), "--to", to]);
        for kernel in pliant::internals::gpu::kernel_names() {
            let path = out.join(format!("{kernel}.{ending}"));
            let there = std::fs::metadata(&path).is_ok_and(|file| file.len() > 100);
            assert!(there, "{}", path.display());
        }
    }
}

#[test]
fn adapters_and_benchmarks_are_listed() {
    assert!(succeed(&["info"]).contains("largest buffer"));
    let benchmarks = succeed(&["bench", "--list"]);
    assert!(["kernels", "shape", "soft", "solvers"].iter().all(|name| benchmarks.contains(name)));
    assert!(refuse(&["bench", "nothing"]).contains("nothing"));
    assert!(
        refuse(&["bench", "soft", "--counts", "3"])
            .contains("--counts is given, wanted `rigid-pile`")
    );
}

/// On a machine without a session nobody else writes to standard error.
#[test]
fn only_pliant_complains() {
    let output = output(pliant().env_remove("XDG_RUNTIME_DIR").arg("info"));
    assert!(output.status.success() && !output.stdout.is_empty(), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
