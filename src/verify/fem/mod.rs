//! The kernels of finite elements, on random elements of every law: stretched, inverted, with and without plastic
//! stretch.

mod elements;
mod passes;
mod scales;

pub use elements::{Elements, LAWS, sorts};
use passes::{force, gather, probe, viscosity};
pub use scales::{area, elastic_scale, gradient_scale, size, stiffness, turn, viscous_scale};

pub const CHECKS: super::Checks = &[
    ("fem_force", super::Check::Trial(force)),
    ("fem_gather", super::Check::Trial(gather)),
    ("fem_damping_first", super::Check::Trial(|bench, errors| viscosity(bench, true, errors))),
    ("fem_damping", super::Check::Trial(|bench, errors| viscosity(bench, false, errors))),
    ("fem_probe", super::Check::Trial(probe)),
];
