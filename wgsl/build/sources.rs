//! The WGSL files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::Source;

/// Reads all files below a folder, but those below the folders of it that are `apart`.
pub fn read(root: &Path, apart: &[&str]) -> io::Result<Vec<Source>> {
    let mut files = Vec::new();
    find(root, &apart.iter().map(|folder| root.join(folder)).collect::<Vec<_>>(), &mut files)?;
    files.sort();
    let source = |file: PathBuf| {
        let below = file.strip_prefix(root).expect("it is in there").with_extension("");
        let path = below.to_string_lossy().replace('\\', "/");
        // Read once and kept until the build script ends.
        Ok(Source { path: path.leak(), text: fs::read_to_string(file)?.leak() })
    };
    files.into_iter().map(source).collect()
}

/// Writes a list of files for the crate.
pub fn write(root: &Path, sources: &[Source], out: &Path) -> io::Result<()> {
    let mut text = "const SOURCES: &[Source] = &[\n".to_owned();
    for Source { path, .. } in sources {
        let file = root.join(path).with_extension("wgsl");
        writeln!(text, "Source {{ path: {path:?}, text: include_str!({file:?}) }},")
            .expect("a String grows");
    }
    fs::write(out, text + "];\n")
}

fn find(folder: &Path, apart: &[PathBuf], files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !apart.contains(&path) {
            find(&path, apart, files)?;
        } else if path.extension().is_some_and(|ending| ending == "wgsl") {
            files.push(path);
        }
    }
    Ok(())
}
