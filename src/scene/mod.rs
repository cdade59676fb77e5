//! Scenes: what is simulated, as plain data, from TOML, from the thesis' text format or from code.
//!
//! It knows the formats, defaults, presets and checks; it must not know of arrays or devices, except for the limits that these
//! set.

mod check;
mod copies;
pub(crate) mod defaults;
mod events;
mod fields;
mod format;
mod hash;
mod kind;
mod legacy;
mod load;
mod materials;
mod meshes;
mod named;
mod preset;
mod replicas;
mod solids;
mod tables;

pub use crate::mesh::Shape;
pub(crate) use check::MOST_ITERATIONS;
pub(crate) use check::{body_label, check_constant};
pub use copies::Copies;
pub use defaults::SAG;
pub use format::*;
pub use kind::*;
pub use preset::{Preset, Properties};
pub(crate) use replicas::MOST_BODIES;

#[cfg(test)]
mod tests;
