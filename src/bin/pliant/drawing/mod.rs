//! What frames of a run and the window have in common: how bodies are drawn, and where they are seen from.

mod animation;
mod bodies;
mod framing;
mod style;

pub use animation::Animation;
pub use bodies::Subject;
pub use framing::Track;
#[cfg(feature = "viewer")]
pub use framing::{START, bodies_at_start, with_surroundings};
#[cfg(feature = "viewer")]
pub use style::body;
pub use style::{Coloring, Extent, Style, StyleArguments, look};
