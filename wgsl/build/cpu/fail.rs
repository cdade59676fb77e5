//! Constructs that cannot be translated.

use naga::Span;

use crate::Composed;

/// What cannot be translated, and where it stands.
#[derive(Debug)]
pub struct Fail {
    what: String,
    span: Span,
}

pub type Result<T> = std::result::Result<T, Fail>;

/// Of something whose place is not known yet.
pub fn fail<T>(what: impl Into<String>) -> Result<T> {
    Err(Fail { what: what.into(), span: Span::UNDEFINED })
}

impl Fail {
    /// It stands here, unless a place has been found already.
    pub fn within(self, span: Span) -> Self {
        Self { span: if self.span.is_defined() { self.span } else { span }, ..self }
    }

    /// With the place in the original file.
    pub fn message(&self, composed: &Composed) -> String {
        let what = format!("{} cannot be translated to Rust", self.what);
        if !self.span.is_defined() {
            return format!("{}: {what}", composed.name);
        }
        let line = self.span.location(&composed.text).line_number;
        format!("{}: {what}", composed.origin(line as usize))
    }
}
