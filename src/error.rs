//! Errors, worded so that the reader can fix the cause.

use std::path::PathBuf;

/// Everything a public function of this crate can fail with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file was read, but is not what it should be.
    #[error("{path}: {at}: {message}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Where in the file: a line, an element or a field.
        at: String,
        /// What was found and what was wanted.
        message: String,
    },
    /// A value that cannot be used.
    #[error("{at} is {got}, wanted {want}")]
    Value {
        /// The field, e.g. `body "top".young`.
        at: String,
        /// The value found.
        got: String,
        /// What was wanted, with the unit.
        want: String,
    },
    /// A field that gives something which cannot be used, as a mesh with a hole.
    #[error("{at}: {message}")]
    Field {
        /// The field, e.g. `body "top".mesh`.
        at: String,
        /// What was found there and what was wanted.
        message: String,
    },
    /// A mesh that cannot be simulated.
    #[error("mesh: {0}")]
    Mesh(String),
    /// No usable graphics device, or the device failed.
    #[error("{0}")]
    Device(String),
    /// The scene needs a larger buffer than the device offers.
    #[error(
        "the scene is too large for {adapter}: the {array} need {needed} bytes ({count} × {stride}), but one buffer holds at \
         most {limit}"
    )]
    TooLarge {
        /// The adapter's name.
        adapter: String,
        /// The largest array.
        array: String,
        /// Its number of elements.
        count: u64,
        /// Bytes per element.
        stride: u64,
        /// Bytes it needs.
        needed: u64,
        /// Bytes one storage buffer can hold on this adapter.
        limit: u64,
    },
    /// The simulation left the range in which it means anything.
    #[error("{0}")]
    Fault(crate::report::Fault),
}

/// The result of every fallible public function.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A value that cannot be used: where it stands, what it is and what was wanted.
    pub fn value(
        at: impl Into<String>,
        got: impl std::fmt::Display,
        want: impl Into<String>,
    ) -> Self {
        Self::Value { at: at.into(), got: got.to_string(), want: want.into() }
    }

    /// A malformed file: the path, the place in it, and what is wrong there.
    pub fn file(
        path: impl Into<PathBuf>,
        at: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self::File { path: path.into(), at: at.into(), message: message.into() }
    }

    /// A fault of a mesh, or of the file it comes from, becomes one of the field that gives it; `path`: the file, if there is one.
    pub(crate) fn in_field(self, at: String, path: Option<&std::path::Path>) -> Self {
        let message = match (self, path) {
            (Self::Mesh(message), Some(path)) => format!("{}: {message}", path.display()),
            (Self::Mesh(message), None) => message,
            (error @ Self::File { .. }, _) => error.to_string(),
            (other, _) => return other,
        };
        Self::Field { at, message }
    }

    /// A fault of a mesh becomes one of the file it came from.
    pub fn in_file(self, path: &std::path::Path) -> Self {
        match self {
            Self::Mesh(message) => Self::file(path, "mesh", message),
            other => other,
        }
    }

    /// A failed read or write of `path`.
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
