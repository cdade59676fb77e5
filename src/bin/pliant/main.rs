//! The `pliant` program: runs, measures and verifies scenes, converts meshes, writes out kernels.
//!
//! It knows the public interface, and the inside by `pliant::internals`; the library must not know of it.

/// Prints a line. A reader that has gone away, as in `pliant info | head -1`, is no error.
macro_rules! say {
    ($($argument:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($argument)*);
    }};
}

/// A line to the standard error, which may be closed as well.
macro_rules! tell {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($argument)*);
    }};
}

mod amounts;
mod bench;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "of tests")]
mod documented;
mod drawing;
mod executor;
#[cfg(test)]
#[path = "../../../tests/common/folder.rs"]
#[allow(clippy::unwrap_used, reason = "of tests")]
mod folder;
mod info;
mod mesh;
mod open;
mod run;
mod shaders;
mod verify;
#[cfg(feature = "viewer")]
mod view;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pliant::mesh::Format;
use pliant::{Error, Scene};

/// Soft and rigid bodies on any Vulkan, Metal or DX12 GPU, and on the threads of the CPU.
#[derive(Parser)]
#[command(version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scene, and write frames and a report
    Run(run::Arguments),
    /// View a scene or mesh in a window, or render a picture of it
    #[cfg(feature = "viewer")]
    View(view::Arguments),
    /// Run benchmarks
    Bench(bench::Arguments),
    /// Compare every kernel with the reference in f64: on an adapter, or on the threads of the CPU
    Verify(verify::Arguments),
    /// Describe or convert a mesh file
    Mesh(mesh::Arguments),
    /// Write the composed kernels to files
    Shaders(shaders::Arguments),
    /// Show adapters, their limits and features
    Info,
}

/// How a subcommand ended well.
enum Outcome {
    Done,
    /// A check failed, after its result was shown.
    Failed,
    /// Ctrl-C, after what was computed had been written.
    Interrupted,
}

/// Writes pliant's own warnings to standard error.
struct Warnings;

impl log::Log for Warnings {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("pliant")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            tell!("warning: {}", record.args());
        }
    }

    fn flush(&self) {}
}

/// A scene file; a mesh file, which is none, is told of.
fn load(path: &Path) -> pliant::Result<Scene> {
    if Format::from_path(path).is_ok() {
        let message = "is a mesh file, wanted a scene file; `pliant run` and `pliant view` drop a mesh on a floor, `pliant mesh` \
                       describes it";
        return Err(Error::file(path, "extension", message));
    }
    Scene::load(path)
}

/// Ends the program with what was wrong with its arguments; of a file in the place of a command, with the commands that take it.
fn mistyped(error: &clap::Error) -> ! {
    let first = std::env::args_os().nth(1).map(std::path::PathBuf::from);
    if let (clap::error::ErrorKind::InvalidSubcommand, Some(file)) = (error.kind(), first) {
        let is_file =
            file.extension().is_some_and(|end| end == "toml") || Format::from_path(&file).is_ok();
        if is_file {
            let name = file.display();
            tell!(
                "error: {name} is a file, wanted a command: `pliant run {name}` simulates it, `pliant view {name}` shows it in a \
                 window"
            );
            std::process::exit(2);
        }
    }
    error.exit()
}

/// Mesa's drivers look for a Wayland display as they are loaded, and libwayland complains on standard error where `XDG_RUNTIME_DIR`
/// is missing, as it is without a session. A variable cannot safely be set in a program that runs: it starts itself anew with one.
#[cfg(target_os = "linux")]
fn with_runtime_folder() {
    use std::os::unix::process::CommandExt;
    const FOLDER: &str = "XDG_RUNTIME_DIR";
    if std::env::var_os(FOLDER).is_some() {
        return;
    }
    let mut arguments = std::env::args_os();
    let name = arguments.next();
    if let (Ok(program), Some(name)) = (std::env::current_exe(), name) {
        let mut again = std::process::Command::new(program);
        // It does not return unless it fails; then the complaint stays.
        let _ = again.arg0(name).args(arguments).env(FOLDER, std::env::temp_dir()).exec();
    }
}

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    with_runtime_folder();
    if log::set_logger(&Warnings).is_ok() {
        log::set_max_level(log::LevelFilter::Warn);
    }
    let arguments = Arguments::try_parse().unwrap_or_else(|error| mistyped(&error));
    let result = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        #[cfg(feature = "viewer")]
        Command::View(arguments) => view::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Mesh(arguments) => mesh::run(&arguments),
        Command::Shaders(arguments) => shaders::run(&arguments),
        Command::Info => info::run(),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => {
            tell!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
