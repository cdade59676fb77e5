//! Lists the WGSL files, so that no list of them has to be kept, and translates the compute kernels to Rust.

mod cpu;
mod gpu;
mod sources;

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
    let kernels = root.join("wgsl");
    let sources = sources::read(&kernels)?;
    sources::write(&kernels, &sources, &out.join("sources.rs"))?;
    cpu::generate(&sources, &out.join("cpu"), cpu::lanes::KERNELS)?;
    // Kernels of one construct each, for tests/cpu.
    let probes = sources::read(&root.join("tests/cpu/probes"))?;
    cpu::generate(&probes, &out.join("probes"), &["control", "scalars", "vectors"])?;
    Ok(())
}
