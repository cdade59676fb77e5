//! The program as scripts see it: options, files, exit codes, messages.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapter;
mod contact;
mod fields;
mod files;
mod readme;
mod refusals;
mod runs;
mod saves;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pliant-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

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
