//! A scene's arrays: constant ones ([`Model`] on the host, [`ModelBuffers`] on the device) and the evolving
//! [`State`].

mod buffers;
mod build;
mod crease;
mod incidence;
mod link;
mod material;
mod order;
mod size;
mod skin;
mod state;

pub use buffers::ModelBuffers;
pub(crate) use build::rotation_matrix;
pub use build::{BodyRanges, Model, Spring, Tet};
pub use incidence::{Incidence, fans};
pub use material::Material;
pub use skin::{Skin, SkinRanges};
pub use state::{Saved, State};
