//! A line in the window that goes by itself.

/// A line in the window.
#[derive(Clone, Debug)]
pub struct Notice {
    pub text: String,
    pub kind: NoticeKind,
    /// When it goes [s of the wall's clock].
    until: f64,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    Done,
    Warning,
    Error,
}

impl NoticeKind {
    /// How long it stays [s].
    fn lasts(self) -> f64 {
        match self {
            Self::Done => 3.0,
            Self::Warning | Self::Error => 20.0,
        }
    }
}

impl Notice {
    pub fn new(text: String, kind: NoticeKind, now: f64) -> Self {
        let until = now + kind.lasts();
        Self { text, kind, until }
    }

    /// Shows it from `now` on.
    pub fn show(&mut self, now: f64) {
        self.until = now + self.kind.lasts();
    }

    pub fn is_over(&self, now: f64) -> bool {
        self.until <= now
    }
}
