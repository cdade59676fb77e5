//! Features: each is documented, and without them no crate of a window or a command line is built.

use std::collections::BTreeSet;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Names of the packages that the library is built of.
fn packages(options: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(options)
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let text = String::from_utf8(tree.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(String::from).collect()
}

#[test]
fn without_features_there_is_no_window_and_no_command_line() {
    let of_the_program = ["clap", "indicatif", "ctrlc"];
    let of_the_window = ["winit", "egui", "egui-wgpu", "egui-winit", "egui_plot"];
    let (all, alone) = (packages(&[]), packages(&["--no-default-features"]));
    let program = packages(&["--no-default-features", "--features", "cli"]);
    for name in of_the_program {
        assert!(all.contains(name) && program.contains(name) && !alone.contains(name), "{name}");
    }
    for name in of_the_window {
        assert!(all.contains(name) && !program.contains(name) && !alone.contains(name), "{name}");
    }
    assert!(alone.contains("wgpu") && alone.contains("pliant"));
}

#[test]
fn every_feature_is_documented() {
    let read = |path: &str| std::fs::read_to_string(format!("{ROOT}/{path}")).unwrap();
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let features = manifest["features"].as_table().unwrap();
    assert!(features.len() > 1);
    let (readme, root) = (read("README.md"), read("src/lib.rs"));
    for name in features.keys().filter(|name| *name != "default") {
        let row = format!("| `{name}`");
        assert!(readme.contains(&row), "README.md has no row {row}");
        assert!(root.contains(&row), "src/lib.rs has no row {row}");
    }
}
