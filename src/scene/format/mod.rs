//! The scene description: plain data, each field with its unit. `Default` gives the values that the scene format
//! documents. [`Scene::parse`] fills it from text; programs may also fill it by hand.

use serde::Serialize;

mod attachment;
mod body;
mod event;
mod integrator;
mod solid;
mod world;

use std::path::PathBuf;

pub use attachment::*;
pub use body::*;
pub use event::*;
pub use integrator::*;
pub use solid::*;
pub use world::*;

/// A whole scene: the world's settings and what is in it. The default is an empty world.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scene {
    /// Gravity, step, integrator and what else holds everywhere.
    pub world: WorldSettings,
    /// What moves.
    pub bodies: Vec<Body>,
    /// Obstacles that bodies cannot move, besides the floor.
    pub solids: Vec<Solid>,
    /// Attachments of bodies to each other, to solids and to places; with replicas, in each of them.
    pub attachments: Vec<Attachment>,
    /// What happens to the bodies at given times.
    pub events: Vec<Event>,
    /// Relative mesh paths start here: the scene file's folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Number of equal parts of `bodies` that never touch each other, see [`Scene::replicate`]; 0 means 1.
    pub replicas: usize,
}
