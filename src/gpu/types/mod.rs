//! Everything that Rust and WGSL share: structs (laid out by `encase`, checked against naga's reflection in a test)
//! and constants (generated into the kernels).

mod body;
mod constants;
mod contact;
mod fem;
mod implicit;
mod inspect;
mod newton;
mod query;
mod shape;
mod sim;

pub use body::*;
pub use constants::*;
pub use contact::*;
pub use fem::*;
pub use implicit::*;
pub use inspect::*;
pub use newton::*;
pub use query::*;
pub use shape::*;
pub use sim::*;
