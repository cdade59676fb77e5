//! Comparisons, lane by lane.

use fearless_simd::prelude::*;

use super::super::compare::{Compare, Order};
use super::{F, I, M, U};

macro_rules! compare {
    ($($type:ident)*) => {
        $(impl Compare for $type {
            type Mask = M;

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

            #[inline(always)]
            fn pick(mask: M, accept: Self, reject: Self) -> Self {
                mask.select(accept, reject)
            }
        })*
    };
}
order!(F I U);
