//! What deforms, and what follows it: springs' damping, stiffness estimates, skins.

pub mod damping;
pub mod elements;
pub mod fem;
pub mod shape;
pub mod skin;
pub mod stiffness;
pub mod ties;
