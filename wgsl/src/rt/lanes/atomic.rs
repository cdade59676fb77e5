//! Atomic operations on words of buffers: one invocation after the other.

use std::sync::atomic::AtomicU32;

use super::super::atomic as one;
use super::memory::{At, Word, of_words};
use super::{I, M, U};

/// Integers.
pub trait Whole: Word {
    /// What one invocation has.
    type One: one::Whole;
}

impl Whole for U {
    type One = u32;
}

impl Whole for I {
    type One = i32;
}

macro_rules! operations {
    ($($name:ident)*) => {
        $(#[doc = concat!("See [`one::", stringify!($name), "`].")]
        #[inline(always)]
        pub fn $name<T: Whole>(mask: M, buffer: &[AtomicU32], first: impl At, value: T) -> T {
            let operate = |word: Option<&AtomicU32>, value: u32| {
                one::Whole::to_bits(one::$name::<T::One>(word, one::Whole::from_bits(value)))
            };
            T::from_words(of_words(mask, buffer, first, value.to_words(), operate))
        })*
    };
}
operations! {
    atomic_add atomic_sub atomic_and atomic_or atomic_xor atomic_exchange atomic_min atomic_max
}
