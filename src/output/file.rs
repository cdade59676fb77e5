//! Where the files of a run lie.

use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Creates a folder and those above it where they are missing.
pub fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))
}

/// `frame_00012.obj` in `folder`.
pub fn frame_path(folder: &Path, index: u64, extension: &str) -> PathBuf {
    folder.join(format!("frame_{index:05}.{extension}"))
}
