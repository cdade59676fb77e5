//! Lists the WGSL files, so that no list of them has to be kept.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let root = variable("CARGO_MANIFEST_DIR").join("wgsl");
    let mut files = Vec::new();
    list(&root, &mut files)?;
    files.sort();
    let mut text = "const SOURCES: &[Source] = &[\n".to_owned();
    for file in &files {
        let below = file.strip_prefix(&root).expect("it is in there").with_extension("");
        let path = below.to_string_lossy().replace('\\', "/");
        writeln!(text, "Source {{ path: {path:?}, text: include_str!({file:?}) }},")
            .expect("a String grows");
    }
    fs::write(variable("OUT_DIR").join("sources.rs"), text + "];\n")
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files
                .extend(path.extension().is_some_and(|ending| ending == "wgsl").then_some(path)),
        }
    }
    Ok(())
}
