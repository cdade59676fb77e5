//! Kernels by name.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use super::super::Content;

/// Runs the workgroups of these numbers, in order, of a dispatch of as many along each axis; `buffers` are in the order of
/// [`Kernel::bindings`]. Different threads may run different workgroups of one dispatch at the same time.
pub type Run = fn(Range<u32>, [u32; 3], &[&[AtomicU32]], &Content);

/// A translated kernel.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// Threads per workgroup.
    pub workgroup_size: u32,
    /// What it binds, in order.
    pub bindings: &'static [Binding],
    /// Its code.
    pub run: Run,
}

/// What a kernel binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable's name.
    pub name: &'static str,
    /// Bytes of one array element, or of the whole when it is no array.
    pub stride: u64,
    /// Whether the kernel may write it.
    pub written: bool,
}

/// The buffers one by one.
///
/// # Panics
/// When they are not as many as the kernel binds.
#[inline]
pub fn bound<'a, const N: usize>(buffers: &[&'a [AtomicU32]]) -> [&'a [AtomicU32]; N] {
    buffers.try_into().expect("a kernel is given the buffers of its bindings")
}
