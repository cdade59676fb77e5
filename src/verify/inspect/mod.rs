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
    ("pointer_spring_force", super::Check::Trial(pointer_spring)),
    ("fem_measure", super::Check::Trial(fem_measure)),
    ("field_strain", super::Check::Trial(strain)),
    ("field_pressure", super::Check::Trial(pressure)),
    ("field_depth", super::Check::Trial(depth)),
    ("field_skin", super::Check::Trial(skin)),
    ("sum_energy", super::Check::Trial(energy)),
    ("sum_chunk", super::Check::Trial(chunk)),
    ("sum_block", super::Check::Trial(block)),
    ("force_lines", super::Check::Trial(force_lines)),
    ("depth_lines", super::Check::Trial(depth_lines)),
];
