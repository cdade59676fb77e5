//! What of a world is shown, and how.

use crate::drawing::Style;

/// What is shown, and how.
#[derive(Clone, Debug)]
pub struct Options {
    pub style: Style,
    pub forces: bool,
    pub penetrations: bool,
    /// Marks at pins and attachments.
    pub holds: bool,
    pub panel: bool,
    /// The active body's name and how time goes.
    pub label: bool,
    pub help: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            style: Style::default(),
            forces: false,
            penetrations: false,
            holds: true,
            panel: true,
            label: true,
            help: false,
        }
    }
}
