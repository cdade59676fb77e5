//! The kernels of what a viewer asks.

mod field;
mod lines;
mod sums;
mod pointer_spring;

pub use field::{depth, pressure, skin, strain};
pub use lines::{depth_lines, force_lines};
pub use sums::{block, chunk, energy, fem_measure};
pub use pointer_spring::pointer_spring;
