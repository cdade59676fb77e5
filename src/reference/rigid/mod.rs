//! Rigid things that touch.

pub mod boxes;
mod convex;
pub mod manifolds;
pub mod parts;

pub use convex::{Convex, Core, hull_faces};
