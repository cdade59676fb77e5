//! Primitives that passes are built from.
//!
//! They know arrays of numbers; they must not know what these stand for.

mod scan;

pub use scan::Scan;
