//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Symbolic links that are followed one after the other, as many as by Linux.
const MOST_LINKS: u32 = 40;

/// What a whole file is written into. Of what is no regular file only writing can be relied on.
pub trait Sink: Write + Seek {}

impl<T: Write + Seek> Sink for T {}

/// Has `fill` write a file beside `path` and renames it; an older file at `path` stays until then. After an error
/// nothing new is left. Symbolic links are followed, and what exists and is no regular file, such as a pipe, is written
/// into as it stands.
///
/// # Errors
/// When the file cannot be written.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> Result<()> {
    let written = match fs::metadata(path) {
        Ok(found) if !found.is_file() => fill_file(OpenOptions::new().write(true).open(path), fill),
        _ => followed(path).and_then(|path| replace_with(&path, fill)),
    };
    written.map_err(|error| Error::io(path, error))
}

fn replace_with(path: &Path, fill: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    let written = fill_file(File::create(&beside), fill).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell; the file may never have existed.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn fill_file(
    file: io::Result<File>,
    fill: impl FnOnce(&mut dyn Sink) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file?);
    fill(&mut out)?;
    out.into_inner()?;
    Ok(())
}

/// Where symbolic links lead; nothing need be there.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Writes a whole file from memory.
///
/// # Errors
/// When the file cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(path, |out| out.write_all(bytes))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;
    use std::os::unix::fs::{FileTypeExt, symlink};

    #[test]
    fn links_stay_links() {
        let folder = Folder::new("links");
        fs::create_dir(folder.path("inner")).unwrap();
        let [file, link, chain] = ["inner/a", "b", "c"].map(|name| folder.path(name));
        symlink("inner/a", &link).unwrap();
        symlink(&link, &chain).unwrap();
        for (path, text) in [(&link, "first"), (&chain, "second"), (&file, "third")] {
            replace(path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert!(link.is_symlink() && chain.is_symlink() && !file.is_symlink());
        }
        symlink("circle", folder.path("circle")).unwrap();
        assert!(replace(&folder.path("circle"), b"").is_err());
        assert!(replace(&folder.path("inner"), b"").is_err());
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 4);
    }

    #[test]
    fn pipes_are_written_into() {
        let folder = Folder::new("pipes");
        let pipe = folder.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        replace(&pipe, b"through").unwrap();
        // Only a pipe brings the reader to an end.
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), "through");
    }
}
