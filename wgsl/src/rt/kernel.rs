//! Kernels by name.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use arrayvec::ArrayVec;

use crate::Content;

/// Runs the workgroups of these numbers, in order, of a dispatch of as many along each axis. Different threads may run
/// different workgroups of one dispatch at the same time.
pub type Run = fn(Range<u32>, [u32; 3], &Arrays<'_>, &Content);

/// The arrays of a kernel's bindings, in the order of [`Kernel::bindings`]: for each chunk of a dispatch, so nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Arrays<'a> {
    /// Those that it only reads.
    pub read: ArrayVec<&'a [u32], MOST>,
    /// Those that it may write.
    pub written: ArrayVec<&'a [AtomicU32], MOST>,
}

/// More arrays than a kernel may bind: eight in storage, and its uniforms.
const MOST: usize = 12;

/// A translated kernel.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// Threads per workgroup.
    pub workgroup_size: u32,
    /// What it binds, in order.
    pub bindings: &'static [Binding],
    /// Its code: one invocation after the other.
    pub run: Run,
    /// The same for several invocations at a time, to the same bits, where that gains.
    pub lanes: Option<Run>,
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

/// Arrays one by one.
///
/// # Panics
/// When they are not as many as the kernel binds.
#[inline]
pub fn bound<T: Copy, const N: usize>(arrays: &[T]) -> [T; N] {
    arrays.try_into().expect("a kernel is given the buffers of its bindings")
}
