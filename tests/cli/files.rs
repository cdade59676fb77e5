//! `pliant mesh`, `shaders`, `info`, `bench --list`.

use super::{Folder, refuse, succeed, text};

#[test]
fn meshes_are_described() {
    let dog = succeed(&["mesh", "assets/dog.obj", "--info", "--cells", "6"]);
    for line in [
        "points           4004 (4004 after welding)",
        "triangles        8004",
        "open edges       0",
        "tetrahedra       240",
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
    ] {
        let to = folder.path(&format!("mesh.{ending}"));
        succeed(&["mesh", from, text(&to)]);
        assert!(
            succeed(&["mesh", text(&to)]).contains(line),
            "{from} to {ending}"
        );
    }
    let to = folder.path("mesh.xyz");
    assert!(refuse(&["mesh", "assets/dog.obj", text(&to)]).contains("mesh.xyz"));
}

#[test]
fn kernels_are_written_in_every_language() {
    let folder = Folder::new("shaders");
    for (to, ending) in [
        ("wgsl", "wgsl"),
        ("spirv", "spv"),
        ("msl", "metal"),
        ("hlsl", "hlsl"),
    ] {
        let out = folder.path(to);
        succeed(&["shaders", "--out", text(&out), "--to", to]);
        for kernel in pliant::gpu::kernel_names() {
            let path = out.join(format!("{kernel}.{ending}"));
            assert!(
                std::fs::metadata(&path).is_ok_and(|file| file.len() > 100),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn adapters_and_benchmarks_are_listed() {
    assert!(succeed(&["info"]).contains("largest buffer"));
    let benchmarks = succeed(&["bench", "--list"]);
    assert!(
        ["kernels", "soft"]
            .iter()
            .all(|name| benchmarks.contains(name))
    );
    assert!(refuse(&["bench", "nothing"]).contains("nothing"));
}
