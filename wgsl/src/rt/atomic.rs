//! Atomic operations: on words of buffers, and on workgroup memory, where they are plain ones, because all of a workgroup
//! runs on one thread. On what is not there they give 0.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::memory::Zero;

/// Integers.
pub trait Whole: Zero + Ord {
    /// The same bits.
    fn from_bits(bits: u32) -> Self;
    /// The same bits.
    fn to_bits(self) -> u32;
}

impl Whole for u32 {
    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        bits
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        self
    }
}

impl Whole for i32 {
    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        bits as Self
    }

    #[inline(always)]
    fn to_bits(self) -> u32 {
        self as u32
    }
}

/// Where an integer may be that several invocations change.
pub trait Cell<T: Whole> {
    /// Puts what `next` makes of the value in its place, if it makes something; gives the value before.
    fn update(self, next: impl Fn(T) -> Option<T>) -> T;
    /// The same for a function of the bits that the processor knows.
    fn fetch(self, fetch: impl Fn(&AtomicU32) -> u32, next: impl Fn(u32) -> u32) -> T;
}

impl<T: Whole> Cell<T> for Option<&AtomicU32> {
    #[inline(always)]
    fn update(self, next: impl Fn(T) -> Option<T>) -> T {
        let Some(word) = self else { return T::ZERO };
        let next = |bits| next(T::from_bits(bits)).map(T::to_bits);
        let (Ok(before) | Err(before)) = word.fetch_update(Relaxed, Relaxed, next);
        T::from_bits(before)
    }

    #[inline(always)]
    fn fetch(self, fetch: impl Fn(&AtomicU32) -> u32, _: impl Fn(u32) -> u32) -> T {
        self.map_or(T::ZERO, |word| T::from_bits(fetch(word)))
    }
}

impl<T: Whole> Cell<T> for Option<&mut T> {
    #[inline(always)]
    fn update(self, next: impl Fn(T) -> Option<T>) -> T {
        let Some(place) = self else { return T::ZERO };
        let before = *place;
        *place = next(before).unwrap_or(before);
        before
    }

    #[inline(always)]
    fn fetch(self, _: impl Fn(&AtomicU32) -> u32, next: impl Fn(u32) -> u32) -> T {
        self.update(|before| Some(T::from_bits(next(before.to_bits()))))
    }
}

macro_rules! fetches {
    ($($(#[$doc:meta])* $name:ident: $fetch:ident, $next:expr;)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub fn $name<T: Whole>(place: impl Cell<T>, value: T) -> T {
            let value = value.to_bits();
            place.fetch(|word| word.$fetch(value, Relaxed), |before| $next(before, value))
        })*
    };
}
fetches! {
    /// Adds, modulo 2^32.
    atomic_add: fetch_add, u32::wrapping_add;
    /// Subtracts, modulo 2^32.
    atomic_sub: fetch_sub, u32::wrapping_sub;
    /// Keeps the bits that both have.
    atomic_and: fetch_and, |a, b| a & b;
    /// Sets the bits that one has.
    atomic_or: fetch_or, |a, b| a | b;
    /// Sets the bits that one alone has.
    atomic_xor: fetch_xor, |a, b| a ^ b;
    /// Puts the value there.
    atomic_exchange: swap, |_, b| b;
}

/// Puts the value there if it is less. Where it is not, nothing is written: threads that compare do not wait for each other.
#[inline(always)]
pub fn atomic_min<T: Whole>(place: impl Cell<T>, value: T) -> T {
    place.update(|before| (value < before).then_some(value))
}

/// Puts the value there if it is greater.
#[inline(always)]
pub fn atomic_max<T: Whole>(place: impl Cell<T>, value: T) -> T {
    place.update(|before| (value > before).then_some(value))
}

/// Puts the value there if what was before is as expected; what was before, and whether it is as expected.
#[inline(always)]
pub fn atomic_compare_exchange<T: Whole>(place: impl Cell<T>, expected: T, value: T) -> (T, bool) {
    let before = place.update(|before| (before == expected).then_some(value));
    (before, before == expected)
}
