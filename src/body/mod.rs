//! What follows bodies as they deform: damping that does not set the step, stiffness estimates, skins.

pub mod damping;
pub mod skin;
pub mod stiffness;
