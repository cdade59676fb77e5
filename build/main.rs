//! Lists the WGSL files, so that no list of them has to be kept, and translates the compute kernels to Rust.

mod cpu;
mod gpu;
mod sources;

use std::env;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let out = variable("OUT_DIR");
    let sources = sources::list(&variable("CARGO_MANIFEST_DIR").join("wgsl"), &out)?;
    cpu::generate(&sources, &out.join("cpu"))?;
    println!("cargo::rerun-if-changed=build");
    Ok(())
}
