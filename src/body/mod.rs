//! What follows bodies as they deform: damping that does not set the step, stiffness estimates, skins.
//!
//! It knows power iterations, sweeps of damping and what ties drawn vertices to particles; it must not know of what elements
//! forces come from (families are asked for passes), nor of contact.

pub mod damping;
pub mod skin;
pub mod stiffness;
