//! Primitives that passes are built from.

mod scan;

pub use scan::Scan;
