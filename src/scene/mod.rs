//! Scenes: what is simulated, as plain data, from TOML or from code.

mod check;
mod fields;
mod format;
mod hash;
mod load;
mod tables;

pub use format::*;

#[cfg(test)]
mod tests;
