//! Reading text line by line, and bytes in between, with the place kept for messages.

use crate::error::{Error, Result};
use std::borrow::Cow;
use std::path::Path;

/// A place in a file's bytes.
pub struct Cursor<'a> {
    path: &'a Path,
    rest: &'a [u8],
    length: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    /// The start of a file.
    pub fn new(path: &'a Path, bytes: &'a [u8]) -> Self {
        Self { path, rest: bytes, length: bytes.len(), line: 0 }
    }

    /// The next line that holds anything but white space.
    pub fn line(&mut self) -> Option<Words<'a>> {
        let mut line = self.skip_line()?;
        while line.trim_ascii().is_empty() {
            line = self.skip_line()?;
        }
        let text = String::from_utf8_lossy(line);
        Some(Words { path: self.path, line: self.line, text, at: 0 })
    }

    /// Passes over one line, whatever it holds.
    pub fn skip_line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        self.line += 1;
        Some(line)
    }

    /// The next line, which must be there.
    pub fn expect_line(&mut self, what: &str) -> Result<Words<'a>> {
        self.line().ok_or_else(|| self.error(format!("the file ends here, wanted {what}")))
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            let left = self.rest.len();
            let message = format!("{left} bytes are left, wanted {count} for {what}");
            return Err(self.error_in_bytes(message));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// A fault at the line last read.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::file(self.path, format!("line {}", self.line), message)
    }

    /// A fault among bytes, which have no lines.
    pub fn error_in_bytes(&self, message: impl Into<String>) -> Error {
        Error::file(self.path, format!("byte {}", self.length - self.rest.len()), message)
    }
}

/// One line, read word by word.
pub struct Words<'a> {
    path: &'a Path,
    /// The line's number, from 1.
    pub line: usize,
    text: Cow<'a, str>,
    at: usize,
}

impl Words<'_> {
    /// The whole line, trimmed.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// True when no word is left.
    pub fn is_finished(&self) -> bool {
        self.text[self.at..].trim_start().is_empty()
    }

    /// The next word.
    pub fn word(&mut self) -> Option<&str> {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        (length > 0).then(|| &self.text[start..start + length])
    }

    /// The next word as a finite number.
    pub fn float(&mut self, what: &str) -> Result<f64> {
        let finite = |word: &str| word.parse().ok().filter(|x: &f64| x.is_finite());
        self.parse(what, "a finite number", finite)
    }

    /// The next three words as a point.
    pub fn point(&mut self) -> Result<glam::DVec3> {
        Ok(glam::DVec3::new(self.float("x")?, self.float("y")?, self.float("z")?))
    }

    /// The next word as a whole number.
    pub fn integer(&mut self, what: &str) -> Result<i64> {
        self.parse(what, "a whole number", |word| word.parse().ok())
    }

    /// The next word as a number of things, not negative.
    pub fn count(&mut self, what: &str) -> Result<usize> {
        self.parse(what, "a whole number from 0", |word| word.parse().ok())
    }

    fn parse<T>(&mut self, what: &str, want: &str, read: impl Fn(&str) -> Option<T>) -> Result<T> {
        let word = self.word().map(shortened);
        match word.as_deref().map(|word| (word, read(word))) {
            Some((_, Some(value))) => Ok(value),
            Some((word, None)) => Err(self.error(format!("{what} is `{word}`, wanted {want}"))),
            None => Err(self.error(format!("{what} is missing, wanted {want}"))),
        }
    }

    /// A fault in this line.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::file(self.path, format!("line {}", self.line), message)
    }
}

/// A word of the file for a message, cut when it is absurdly long.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 400;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_line_number() {
        let mut cursor = Cursor::new(Path::new("a.txt"), b"\n  1 2.5 x\r\n\n\xff end");
        let mut words = cursor.line().expect("a line");
        assert_eq!(words.line, 2);
        assert_eq!(words.integer("n").expect("1"), 1);
        assert_eq!(words.float("f").expect("2.5"), 2.5);
        let message = words.float("height").expect_err("not a number").to_string();
        assert_eq!(message, "a.txt: line 2: height is `x`, wanted a finite number");
        assert!(words.float("depth").expect_err("missing").to_string().contains("missing"));
        assert_eq!(cursor.line().expect("a line").line, 4);
        assert!(cursor.line().is_none());
        assert!(cursor.take(1, "more").is_err());
    }

    #[test]
    fn not_a_number_is_not_a_number() {
        for word in ["nan", "inf", "-infinity", "1e999", "0x10", ""] {
            let bytes = format!("v {word}");
            let mut words = Cursor::new(Path::new("a"), bytes.as_bytes()).line().expect("a line");
            assert_eq!(words.word(), Some("v"));
            assert!(words.float("x").is_err(), "{word}");
        }
    }
}
