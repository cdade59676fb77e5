//! The kernels of what a viewer asks.

mod pick;
#[cfg(test)]
mod tests;
mod tug;

pub use pick::{least, nearest, pick};
pub use tug::tug;
