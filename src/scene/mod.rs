//! Scenes: what is simulated, as plain data, from TOML, from the thesis' text format or from code.

mod check;
mod fields;
mod format;
mod hash;
mod legacy;
mod load;
mod tables;

pub use format::*;

#[cfg(test)]
mod tests;
