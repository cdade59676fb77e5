//! Files that appear whole or not at all.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Creates a folder and those above it where they are missing.
pub fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))
}

/// `frame_00012.obj` in `folder`.
pub fn frame_path(folder: &Path, index: u64, extension: &str) -> PathBuf {
    folder.join(format!("frame_{index:05}.{extension}"))
}

/// Has `fill` write a file beside `path` and renames it; an older file at `path` stays until then. After an error
/// nothing new is left.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    let written = File::create(&beside).and_then(|file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        out.into_inner()?;
        fs::rename(&beside, path)
    });
    written.map_err(|error| {
        // The first error is the one to tell; the file may never have existed.
        let _ = fs::remove_file(&beside);
        Error::io(path, error)
    })
}
