//! The kernels of what a viewer asks.

mod field;
mod lines;
mod pointer_spring;
mod sums;

pub use field::{depth, pressure, skin, strain};
pub use lines::{depth_lines, force_lines};
pub use pointer_spring::pointer_spring;
pub use sums::{block, chunk, energy, fem_measure};

pub const CHECKS: super::Checks = &[
    ("pointer_spring_force", super::Check::Case(pointer_spring)),
    ("fem_measure", super::Check::Trial(fem_measure)),
    ("field_strain", super::Check::Case(strain)),
    ("field_pressure", super::Check::Case(pressure)),
    ("field_depth", super::Check::Case(depth)),
    ("field_skin", super::Check::Case(skin)),
    ("sum_energy", super::Check::Case(energy)),
    ("sum_chunk", super::Check::Case(chunk)),
    ("sum_block", super::Check::Case(block)),
    ("force_lines", super::Check::Case(force_lines)),
    ("depth_lines", super::Check::Case(depth_lines)),
];
