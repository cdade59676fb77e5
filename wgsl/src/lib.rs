//! The kernels of pliant: WGSL files, the types and constants that they share with Rust, how kernels are composed of them,
//! and the same kernels as Rust for the threads of the CPU.
//!
//! It knows text, types and words of memory; it must not know devices, nor what any kernel computes. It is pliant's own part and
//! follows its needs: programs use `pliant`.

mod compose;
mod content;
mod flags;
mod reflect;
#[allow(
    dead_code,
    unnameable_types,
    unused_imports,
    reason = "all of WGSL, whether kernels use it or not; only generated code names it"
)]
pub mod rt;
mod sources;
pub mod types;

pub use compose::{Composed, Source, compose_from};
pub use content::Content;
pub use flags::FLAGS;
pub use reflect::{Reflection, Resource, ResourceKind, validate};
pub use sources::{compose, compose_for, kernel_names, shader_names, sources};

/// Written by the build script (build/cpu) from the WGSL files.
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

/// The kernel of this name, as Rust.
///
/// # Panics
/// When there is none: names are compiled in.
#[must_use]
pub fn kernel(name: &str) -> &'static rt::Kernel {
    let found = kernels::KERNELS.binary_search_by(|kernel| kernel.name.cmp(name));
    &kernels::KERNELS[found.unwrap_or_else(|_| panic!("no kernel is named {name}"))]
}
