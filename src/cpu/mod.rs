//! The other executor: the same kernels on the threads of the CPU, without any driver.
//!
//! It knows translated kernels, words of memory and threads; it must not know what any kernel computes.

mod memory;
mod recording;
#[allow(
    dead_code,
    unnameable_types,
    unused_imports,
    reason = "all of WGSL, whether kernels use it or not; only generated code names it"
)]
pub mod rt;
mod threads;

pub use memory::Memory;
pub use recording::{Bound, Fetched, Groups, Part, Recording, Times};
pub use threads::{Threads, cores};

use crate::gpu::Content;

/// Written by the build script (build/cpu) from the files under `wgsl/`.
#[allow(
    clippy::all,
    dead_code,
    missing_docs,
    non_camel_case_types,
    unreachable_code,
    unused,
    reason = "it is generated"
)]
mod kernels {
    use super::{Content, rt};
    include!(concat!(env!("OUT_DIR"), "/cpu/kernels.rs"));
}

/// The kernel of this name.
///
/// # Panics
/// When there is none: names are compiled in.
#[must_use]
pub fn kernel(name: &str) -> &'static rt::Kernel {
    let found = kernels::KERNELS.binary_search_by(|kernel| kernel.name.cmp(name));
    &kernels::KERNELS[found.unwrap_or_else(|_| panic!("no kernel is named {name}"))]
}
