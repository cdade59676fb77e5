//! Rigid things that touch.

pub mod boxes;
mod convex;
pub mod manifolds;
pub mod mesh;
pub mod parts;
pub mod sleep;

pub use convex::{Convex, Core, hull_faces};
