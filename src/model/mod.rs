//! A scene's arrays: constant ones ([`Model`] on the host, [`ModelBuffers`] on the device) and the evolving
//! [`State`].

mod add;
mod buffers;
mod build;
pub mod clusters;
mod coloring;
mod crease;
mod eigen;
mod fem;
mod fields;
mod incidence;
pub mod initial_penetration;
mod isotropy;
pub mod law;
mod link;
mod material;
pub mod narrow;
mod order;
pub mod overlap;
mod parts;
mod placed;
mod rest;
pub mod rotation;
mod shape;
mod size;
mod skin;
pub(crate) mod sliver;
mod start;
mod state;
mod stiffest;
#[cfg(test)]
mod tests;
mod ties;
mod vertices;

pub use buffers::ModelBuffers;
pub use build::Model;
pub use build::placing;
pub(crate) use build::rotation_matrix;
#[cfg(feature = "verify")]
pub(crate) use coloring::coloring;
pub use fem::{FemElement, FemMaterial};
pub use fields::Fields;
pub use incidence::{Incidence, fans};
pub use material::Material;
pub use parts::{Area, BodyKind, BodyRanges, Spring, Tet};
pub(crate) use rest::Rest;
#[cfg(feature = "verify")]
pub use shape::CHUNK;
pub use shape::{Cluster, ShapeArrays};
pub use skin::{Skin, SkinRanges};
#[cfg(feature = "verify")]
pub use state::particles;
pub use state::{Motion, Saved, State};
pub(crate) use ties::{Hold, TIE_WORDS, Tie, TieConstants, TieRates, tie_groups};
#[cfg(feature = "verify")]
pub use vertices::VertexArrays;
pub use vertices::Vertices;
