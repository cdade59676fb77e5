//! Rigid things that touch.

mod convex;

pub use convex::{Convex, Core, hull_faces};
