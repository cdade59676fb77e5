//! The WGSL files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::gpu::Source;

/// Reads all files below the folder, and writes a list of them for the crate.
pub fn list(root: &Path, out: &Path) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    find(root, &mut files)?;
    files.sort();
    let mut sources = Vec::new();
    let mut text = "const SOURCES: &[Source] = &[\n".to_owned();
    for file in &files {
        let below = file.strip_prefix(root).expect("it is in there").with_extension("");
        let path = below.to_string_lossy().replace('\\', "/");
        writeln!(text, "Source {{ path: {path:?}, text: include_str!({file:?}) }},")
            .expect("a String grows");
        // Read once and kept until the build script ends.
        sources.push(Source { path: path.leak(), text: fs::read_to_string(file)?.leak() });
    }
    fs::write(out.join("sources.rs"), text + "];\n")?;
    Ok(sources)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => find(&path, files)?,
            false => files
                .extend(path.extension().is_some_and(|ending| ending == "wgsl").then_some(path)),
        }
    }
    Ok(())
}
