//! Comparisons, and what follows from them.

use fearless_simd::prelude::*;

use super::number::functions;
use super::{F, I, M, U, Value};

/// Comparisons.
pub trait Compare: Copy {
    /// a == b
    fn eq(self, other: Self) -> M;
    /// a != b
    fn ne(self, other: Self) -> M;
}

/// The same of what has an order.
pub trait Order: Compare + Value {
    /// a < b
    fn lt(self, other: Self) -> M;
    /// a <= b
    fn le(self, other: Self) -> M;
}

macro_rules! compare {
    ($($type:ident)*) => {
        $(impl Compare for $type {
            #[inline(always)]
            fn eq(self, other: Self) -> M {
                self.simd_eq(other)
            }

            #[inline(always)]
            fn ne(self, other: Self) -> M {
                self.simd_ne(other)
            }
        })*
    };
}
compare!(F I U M);

macro_rules! order {
    ($($type:ident)*) => {
        $(impl Order for $type {
            #[inline(always)]
            fn lt(self, other: Self) -> M {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn le(self, other: Self) -> M {
                self.simd_le(other)
            }
        })*
    };
}
order!(F I U);

functions! {
    /// a where they cannot be compared.
    min<T: Order>(a: T, b: T) -> T { T::choose(b.lt(a), b, a) }
    /// a where they cannot be compared.
    max<T: Order>(a: T, b: T) -> T { T::choose(a.lt(b), b, a) }
    /// The least of `high` and the greatest of `low` and x.
    clamp<T: Order>(x: T, low: T, high: T) -> T { min(max(x, low), high) }
    /// a == b
    eq<T: Compare>(a: T, b: T) -> M { a.eq(b) }
    /// a != b
    ne<T: Compare>(a: T, b: T) -> M { a.ne(b) }
    /// a < b
    lt<T: Order>(a: T, b: T) -> M { a.lt(b) }
    /// a <= b
    le<T: Order>(a: T, b: T) -> M { a.le(b) }
    /// a > b
    gt<T: Order>(a: T, b: T) -> M { b.lt(a) }
    /// a >= b
    ge<T: Order>(a: T, b: T) -> M { b.le(a) }
}
