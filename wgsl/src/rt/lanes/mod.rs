//! The same for eight invocations at a time: each value has a lane for each of them, and what only some of them do
//! is done under a mask, which holds for those.
//!
//! Lanes are vectors of AVX2. All is inlined into generated functions, which are compiled for it and are only called where
//! the processor has it.

mod atomic;
mod bits;
mod compare;
mod memory;
mod number;
mod places;
mod rows;
mod shared;
mod value;

pub use super::compare::*;
pub use super::kernel::{Arrays, Binding, Kernel, Run, bound};
pub use super::matrix::{Transposed, determinant, transpose};
pub use super::number::{
    abs, div, fract, inverse_sqrt, mix, rem, saturate, sign, smoothstep, step,
};
pub use super::vector::{cross, distance, dot, length, normalize, reflect};
pub use super::workgroup::group_of;
pub use atomic::*;
pub use bits::*;
pub use memory::{At, NOWHERE, Stored, Word, array_length, element, load, load_one, store, times};
pub use number::*;
pub use places::Places;
pub use rows::Rows;
pub use value::*;

use fearless_simd::{Level, f32x8, i32x8, mask32x8, u32x8};

/// That the processor has such vectors.
pub type S = fearless_simd::Avx2;
/// A number of each invocation.
pub type F = f32x8<S>;
/// The same.
pub type I = i32x8<S>;
/// The same.
pub type U = u32x8<S>;
/// Whether something holds for each invocation.
pub type M = mask32x8<S>;

/// Invocations at a time.
pub const LANES: usize = 8;

/// Whether the processor has such vectors.
#[must_use]
pub fn there() -> Option<S> {
    Level::new().as_avx2()
}

/// The numbers of the invocations from `first` on.
#[inline(always)]
pub fn from(s: S, first: u32) -> U {
    let numbers: U = eight(s, [0_u32, 1, 2, 3, 4, 5, 6, 7]);
    numbers + first
}
