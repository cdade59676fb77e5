//! What frames of a run and the window have in common: how bodies are drawn, and where they are seen from.

mod animation;
mod bodies;
mod framing;
#[cfg(feature = "viewer")]
pub mod legend;
mod style;
mod track;
mod vantage;

pub use animation::Animation;
pub use bodies::Subject;
#[cfg(feature = "viewer")]
pub use framing::{START, bodies_at_start, with_surroundings};
#[cfg(feature = "viewer")]
pub use style::{Coloring, body};
pub use style::{Extent, Style, StyleArguments, look};
pub use track::Track;
