//! What a viewer asks of a state.

pub mod field;
pub mod lines;
pub mod sums;
pub mod pointer_spring;
