//! A folder for a test, of the library's and the program's own tests, too.

use std::fs;
use std::path::{Path, PathBuf};

/// A new folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pliant-{name}-{}", std::process::id()));
        // Left by a test that was killed, whose number this process has.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    /// A file with these contents.
    pub fn file(&self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(&name), contents).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
