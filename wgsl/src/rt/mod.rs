//! What kernels that have been translated to Rust call: the values and functions of WGSL, with its meaning where that of Rust
//! is another one.
//!
//! It knows numbers, vectors, matrices, words of memory and workgroups; it must not know any kernel.

/// Functions that take and give scalars; on vectors they act component by component.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident$(<$of:ident: $bound:path>)?($($arg:ident: $type:ty),*) -> $to:ty
        $body:block)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub fn $name$(<$of: $bound>)?($($arg: $type),*) -> $to $body)*
    };
}
use functions;

mod atomic;
mod bits;
mod compare;
mod kernel;
#[cfg(target_arch = "x86_64")]
pub mod lanes;
mod matrix;
mod memory;
mod number;
mod vector;
mod watch;
mod workgroup;

pub use atomic::*;
pub use bits::{Bits, Convert};
pub use compare::*;
pub use kernel::{Arrays, Binding, Kernel, Run, bound};
pub use matrix::{Matrix, Square, Transpose, Transposed, determinant, transpose};
pub use memory::{
    NOWHERE, Row, Stored, Word, Zero, array_length, at, cell, element, get, inside, load, put,
    store, within,
};
pub use number::*;
pub use vector::*;
pub use watch::{At, barrier, invocation, share, watched};
pub use workgroup::{group_of, uniform};
