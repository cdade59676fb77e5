//! The other executor: the same kernels on the threads of the CPU, without any driver.
//!
//! It knows translated kernels, words of memory and threads; it must not know what any kernel computes.

mod memory;
mod recording;
mod threads;

pub use memory::Memory;
pub use pliant_wgsl::{kernel, rt};
pub use recording::{Bound, Fetched, Groups, Part, Recording, Times};
pub use threads::{Threads, cores};
