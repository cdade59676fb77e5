//! A scene's arrays: constant ones ([`Model`] on the host, [`ModelBuffers`] on the device) and the evolving
//! [`State`].
//!
//! It knows where bodies lie in the arrays: orders, incidences, colours, skins; it must not know of passes or steps, and what
//! a material makes of an element its family says.

mod add;
mod buffers;
mod build;
mod coloring;
mod crease;
mod fields;
mod incidence;
pub mod initial_penetration;
mod material;
pub mod narrow;
mod near;
mod order;
pub mod overlap;
mod parts;
mod placed;
mod rest;
mod size;
mod skin;
pub(crate) mod sliver;
pub(crate) mod start;
mod state;
mod stiffest;
#[cfg(test)]
mod tests;
mod vertices;

pub(crate) use add::Part;
pub use buffers::ModelBuffers;
#[cfg(feature = "verify")]
pub(crate) use buffers::part_ranges;
pub use build::Model;
pub use build::placing;
pub(crate) use build::rotation_matrix;
#[cfg(feature = "verify")]
pub(crate) use coloring::coloring;
pub use fields::Fields;
pub use incidence::{Incidence, fans};
pub use material::Material;
pub use parts::{Area, BodyRanges, RigidBody, Spring, Tet};
pub(crate) use rest::{Rest, read_mesh};
pub use skin::{Skin, SkinRanges};
#[cfg(feature = "verify")]
pub use state::particles;
pub use state::{Motion, Saved, State};
#[cfg(feature = "verify")]
pub use vertices::VertexArrays;
pub use vertices::Vertices;
