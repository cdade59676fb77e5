//! The numbers of a Gmsh file, in text or binary.

use crate::error::{Error, Result};
use crate::mesh::io::cursor::{Cursor, Words};
use glam::DVec3;

/// How a file stores its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A run of numbers, whatever their encoding.
pub struct Numbers<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    encoding: Encoding,
    line: Option<Words<'a>>,
}

impl<'c, 'a> Numbers<'c, 'a> {
    /// The numbers that follow the cursor.
    pub fn new(cursor: &'c mut Cursor<'a>, encoding: Encoding) -> Self {
        Self { cursor, encoding, line: None }
    }

    /// The words of the current line, or of the next when it is used up.
    fn words(&mut self, what: &str) -> Result<&mut Words<'a>> {
        if self.line.as_ref().is_none_or(Words::is_finished) {
            self.line = Some(self.cursor.expect_line(what)?);
        }
        Ok(self.line.as_mut().expect("a line has just been read"))
    }

    fn bytes<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        let mut bytes: [u8; N] =
            self.cursor.take(N, what)?.try_into().expect("as many as asked for");
        if self.encoding == Encoding::BigEndian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// A count that stands alone on a line of text, even in binary files.
    pub fn text_count(&mut self, what: &str) -> Result<usize> {
        self.cursor.expect_line(what)?.count(what)
    }

    /// An `int` of Gmsh.
    pub fn int(&mut self, what: &str) -> Result<i64> {
        match self.encoding {
            Encoding::Text => self.words(what)?.integer(what),
            _ => Ok(i32::from_le_bytes(self.bytes(what)?).into()),
        }
    }

    /// A `size_t` of Gmsh.
    pub fn size(&mut self, what: &str) -> Result<usize> {
        match self.encoding {
            Encoding::Text => self.words(what)?.count(what),
            _ => Ok(u64::from_le_bytes(self.bytes(what)?) as usize),
        }
    }

    /// A finite number.
    pub fn float(&mut self, what: &str) -> Result<f64> {
        if self.encoding == Encoding::Text {
            return self.words(what)?.float(what);
        }
        let x = f64::from_le_bytes(self.bytes(what)?);
        if x.is_finite() {
            Ok(x)
        } else {
            Err(self.error(format!("{what} is {x}, wanted a finite number")))
        }
    }

    /// Three finite numbers.
    pub fn point(&mut self) -> Result<DVec3> {
        Ok(DVec3::new(self.float("x")?, self.float("y")?, self.float("z")?))
    }

    /// A fault at the place reached: a line of text, or so many bytes from the end.
    pub fn error(&self, message: impl Into<String>) -> Error {
        match self.encoding {
            Encoding::Text => self.cursor.error(message),
            _ => self.cursor.error_in_bytes(message),
        }
    }
}
