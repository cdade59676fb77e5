//! The kernels of what a viewer asks.

mod field;
mod lines;
mod pointer_spring;
mod sums;

pub use field::{depth, pressure, skin, strain};
pub use lines::{depth_lines, force_lines};
pub use pointer_spring::pointer_spring;
pub use sums::{block, chunk, energy, fem_measure};
