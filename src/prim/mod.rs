//! Primitives that passes are built from.
//!
//! They know arrays of numbers; they must not know what these stand for.

mod scan;
mod sort;

pub use scan::Scan;
pub use sort::Sort;
pub(crate) use sort::sort_threads;
