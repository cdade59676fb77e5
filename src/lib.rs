//! pliant
pub mod error;
pub mod gpu;
pub mod mesh;
pub mod reference;
pub mod report;
pub mod scene;
pub mod body;
pub mod integrate;
pub mod model;
pub mod setup;
pub mod step;
pub mod world;
pub use error::{Error, Result};
pub use gpu::Context;
pub use world::World;
pub use scene::Scene;
