//! The program as scripts see it: options, files, exit codes, messages.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapter;
#[path = "../common/mod.rs"]
mod common;
mod contact;
mod docs;
mod fields;
mod files;
mod mistakes;
mod readme;
mod refusals;
mod runs;
mod saves;

use std::path::Path;
use std::process::{Command, Output};

use common::Folder;

/// The program, started in the checkout's root.
fn pliant() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    // Mesa complains on stderr where this is missing.
    command.env("XDG_RUNTIME_DIR", std::env::temp_dir());
    // Any adapter will do, the CPU's, too.
    command.env("WGPU_ADAPTER_NAME", "");
    command
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap()
}

/// Runs the program to its good end and returns what it printed.
fn succeed(arguments: &[&str]) -> String {
    let output = output(pliant().args(arguments));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a scene to its good end; returns the report and what was printed.
fn report(folder: &Folder, scene: &str, arguments: &[&str]) -> (serde_json::Value, String) {
    let (scene, report) = (folder.file("scene.toml", scene), folder.path("report.json"));
    let start = ["run", text(&scene), "--format", "none", "--report", text(&report)];
    let said = succeed(&[&start[..], arguments].concat());
    (json(&report), said)
}

/// The values of an array of a report.
fn all<'a>(report: &'a serde_json::Value, key: &str) -> &'a [serde_json::Value] {
    report[key].as_array().unwrap()
}

/// A cube of so many cells, and what else is said of it.
fn lattice(name: &str, cells: usize, size: f64, more: &str) -> String {
    let mesh = format!("lattice = [{cells}, {cells}, {cells}], size = [{size}, {size}, {size}]");
    format!("[[body]]\nname = \"{name}\"\nmesh = {{ {mesh} }}\n{more}\n")
}

/// Runs the program to a failure and returns its message, which must be one paragraph without a backtrace.
fn refuse(arguments: &[&str]) -> String {
    let output = output(pliant().args(arguments));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{message}");
    assert!(!message.contains("panicked") && !message.trim_end().contains("\n\n"), "{message}");
    message
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A small cube above a floor.
const CUBE: &str = r#"
[world]
floor = 0.0
duration = 0.2
[[body]]
name = "cube"
mesh = { lattice = [2, 2, 2], size = [0.4, 0.4, 0.4] }
position = [0.0, 0.25, 0.0]
point_mass = 0.05
distance = 60.0
volume = 20.0
damping = 2.0
"#;
