//! The kernels of finite elements, on random elements of every law: stretched, inverted, with and without plastic
//! stretch.

mod elements;
mod gather;
mod passes;
mod scales;

pub use elements::{Elements, LAWS, sorts};
pub use gather::gather;
pub use passes::{damping_first, damping_sweep, force, probe};
pub use scales::{area, elastic_scale, gradient_scale, size, softest, stiffness, viscous_scale};

pub const CHECKS: super::Checks = &[
    ("fem_force", super::Check::Trial(force)),
    ("fem_gather", super::Check::Trial(gather)),
    ("fem_damping_first", super::Check::Trial(damping_first)),
    ("fem_damping", super::Check::Trial(damping_sweep)),
    ("fem_probe", super::Check::Trial(probe)),
];
