//! What a viewer asks of a state.

pub mod field;
pub mod lines;
pub mod pointer_spring;
pub mod sums;
