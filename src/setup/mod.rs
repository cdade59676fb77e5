//! What a world settles before its first step: obstacles, materials, the step's length, how damping is done.
//!
//! It knows what bounds a step and what to warn of; it must not know the equations behind that (families and integrators are
//! asked) nor how passes run.

mod damping;
mod externals;
mod hints;
mod materials;
mod step;
mod swept;
mod warnings;

#[cfg(feature = "verify")]
pub use damping::damping_mode;
pub use damping::{follows_stiffness, whole_rate};
#[cfg(feature = "verify")]
pub use externals::gpu_solid;
pub use externals::{externals, tick_index, wind};
pub use hints::hints;
pub use materials::{MARGIN, bodies, body};
pub use step::{
    Choice, Clock, Estimate, FRAME_RATE, SAFETY, Stepping, largest_rates, step_error, stepping,
    stiffness_rate, suits,
};
pub use warnings::{hull_warning, range_warnings, rotation_warnings, rounding_warnings};
