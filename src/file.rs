//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::{Error, Result};

/// Has `fill` write a file beside `path` and renames it; an older file at `path` stays until then. After an error
/// nothing new is left.
///
/// # Errors
/// When the file cannot be written.
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

/// Writes a whole file from memory.
///
/// # Errors
/// When the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(path, |out| out.write_all(bytes))
}
