//! The kernels of what a viewer asks.

mod field;
mod lines;
mod pointer_spring;
mod sums;

use super::{Check, Checks};

pub const CHECKS: Checks = &[
    ("pointer_spring_force", Check::Trial(pointer_spring::force)),
    ("fem_measure", Check::Trial(sums::fem_measure)),
    ("field_strain", Check::Trial(field::strain)),
    ("field_pressure", Check::Trial(field::pressure)),
    ("field_depth", Check::Trial(field::depth)),
    ("field_skin", Check::Trial(field::skin)),
    ("sum_energy", Check::Trial(sums::energy)),
    ("sum_chunk", Check::Trial(sums::chunk)),
    ("sum_block", Check::Trial(sums::block)),
    ("sum_pose", Check::Trial(sums::pose)),
    ("force_lines", Check::Trial(lines::force_lines)),
    ("depth_lines", Check::Trial(lines::depth_lines)),
    ("skin_lines", Check::Trial(lines::skin_lines)),
    ("mark_lines", Check::Trial(lines::mark_lines)),
    ("collider_lines", Check::Trial(lines::collider_lines)),
];
