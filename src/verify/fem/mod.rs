//! The kernels of finite elements, on random elements of every law: stretched, inverted, with and without plastic
//! stretch.

mod elements;
mod gather;
mod passes;
mod scales;

pub use elements::{Elements, LAWS, sorts};
pub use gather::gather;
pub use passes::{damping_first, damping_sweep, force, probe};
pub use scales::{area, elastic_scale, gradient_scale, softest, stiffness, viscous_scale};
