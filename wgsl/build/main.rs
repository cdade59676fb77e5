//! Lists the WGSL files, so that no list of them has to be kept, and translates the compute kernels to Rust.

mod cpu;
mod sources;

// What the build script has in common with the crate: how kernels are composed, and what they say of themselves.
#[allow(dead_code, reason = "the crate uses more of it")]
#[path = "../src/compose.rs"]
mod compose;
#[path = "../src/flags.rs"]
mod flags;
#[allow(dead_code, reason = "the crate uses more of it")]
#[path = "../src/reflect.rs"]
mod reflect;
#[allow(dead_code, unused_imports, reason = "the crate uses more of it")]
#[path = "../src/types/mod.rs"]
mod types;

use compose::{Composed, Source, compose_from};
use flags::FLAGS;
use reflect::{Reflection, Resource, ResourceKind};

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, io};

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // As it is, with its lines: kernels are shown where they are wrong.
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> io::Result<()> {
    let variable = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let (root, out) = (variable("CARGO_MANIFEST_DIR"), variable("OUT_DIR"));
    let sources = sources::read(&root, &["build", "src", "tests"])?;
    sources::write(&root, &sources, &out.join("sources.rs"))?;
    cpu::generate(&sources, &out.join("cpu"), cpu::lanes::KERNELS)?;
    // Kernels of one construct each, for tests/cpu.
    let probes = sources::read(&root.join("tests/cpu/probes"), &[])?;
    cpu::generate(&probes, &out.join("probes"), &["control", "scalars", "vectors"])?;
    Ok(())
}
