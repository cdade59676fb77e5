//! What a viewer asks of a state.

pub mod pick;
pub mod tug;
