//! Scalars as bits and as other scalars.

use fearless_simd::prelude::*;

use super::super::functions;
use super::super::number as one;
use super::number::{each, eight};
use super::{F, I, M, U};

/// Conversions, as [`super::super::Convert`].
pub trait Convert: Copy {
    /// To the nearest; of booleans 0 or 1.
    fn to_f32(self) -> F;
    /// Of floating point towards 0, to the nearest that there is; of integers the same bits.
    fn to_i32(self) -> I;
    /// The same.
    fn to_u32(self) -> U;
    /// Whether it is not 0.
    fn to_bool(self) -> M;
}

macro_rules! convert {
    ($($type:ident: $f:expr, $i:expr, $u:expr, $b:expr;)*) => {
        $(impl Convert for $type {
            #[inline(always)]
            fn to_f32(self) -> F {
                $f(self)
            }

            #[inline(always)]
            fn to_i32(self) -> I {
                $i(self)
            }

            #[inline(always)]
            fn to_u32(self) -> U {
                $u(self)
            }

            #[inline(always)]
            fn to_bool(self) -> M {
                $b(self)
            }
        })*
    };
}
convert! {
    F: |x| x, |x: F| x.to_int_precise(), |x: F| x.to_int_precise(), |x: F| x.simd_ne(0.0);
    I: |x: I| x.to_float(), |x| x, |x: I| x.bitcast(), |x: I| x.simd_ne(0);
    U: |x: U| x.to_float(), |x: U| x.bitcast(), |x| x, |x: U| x.simd_ne(0);
    M: |x: M| x.select(F::splat(x.token(), 1.0), F::splat(x.token(), 0.0)),
        |x: M| x.select(I::splat(x.token(), 1), I::splat(x.token(), 0)),
        |x: M| x.select(U::splat(x.token(), 1), U::splat(x.token(), 0)), |x| x;
}

/// Rows of bits.
pub trait Shift: Copy {
    /// By fewer than 32.
    fn up(self, count: U) -> Self;
    /// By fewer than 32; the sign goes on.
    fn down(self, count: U) -> Self;
}

impl Shift for U {
    #[inline(always)]
    fn up(self, count: U) -> Self {
        self << count
    }

    #[inline(always)]
    fn down(self, count: U) -> Self {
        self >> count
    }
}

impl Shift for I {
    #[inline(always)]
    fn up(self, count: U) -> Self {
        self << count.bitcast::<I>()
    }

    #[inline(always)]
    fn down(self, count: U) -> Self {
        self >> count.bitcast::<I>()
    }
}

functions! {
    /// As the type says.
    to_f32<T: Convert>(x: T) -> F { x.to_f32() }
    /// The same.
    to_i32<T: Convert>(x: T) -> I { x.to_i32() }
    /// The same.
    to_u32<T: Convert>(x: T) -> U { x.to_u32() }
    /// Whether it is not 0.
    to_bool<T: Convert>(x: T) -> M { x.to_bool() }
    /// The same bits.
    from_bits(x: U) -> F { x.bitcast() }
    /// The same bits.
    to_bits(x: F) -> U { x.bitcast() }
    /// The same bits.
    i32_as_f32(x: I) -> F { x.bitcast() }
    /// The same bits.
    f32_as_i32(x: F) -> I { x.bitcast() }

    /// x times 2 to the power of the count, which is taken modulo 32.
    shl<T: Shift>(x: T, count: U) -> T { x.up(count & 31) }
    /// x over 2 to the power of the count, which is taken modulo 32, rounded down.
    shr<T: Shift>(x: T, count: U) -> T { x.down(count & 31) }
}

/// Integers as rows of bits.
pub trait Bits: Copy {
    /// What one invocation has.
    type One: super::super::bits::Bits;

    /// A function of each, which is given the lane's number, too.
    fn each(self, f: impl Fn(usize, Self::One) -> Self::One) -> Self;
}

macro_rules! rows_of_bits {
    ($($type:ident: $one:ident, $lanes:expr;)*) => {
        $(impl Bits for $type {
            type One = $one;

            #[inline(always)]
            fn each(self, f: impl Fn(usize, $one) -> $one) -> Self {
                let lanes: $type = eight(self.token(), $lanes);
                each!(|lane, x| f(lane as usize, x), lanes, self)
            }
        })*
    };
}
rows_of_bits! {
    U: u32, [0_u32, 1, 2, 3, 4, 5, 6, 7];
    I: i32, [0_i32, 1, 2, 3, 4, 5, 6, 7];
}

/// `count` bits from `first` on, the sign going on before them.
#[inline(always)]
pub fn extract_bits<T: Bits>(x: T, first: U, count: U) -> T {
    x.each(|lane, x| one::extract_bits(x, first[lane], count[lane]))
}

macro_rules! bits {
    ($($name:ident)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of each.")]
        #[inline(always)]
        pub fn $name<T: Bits>(x: T) -> T {
            x.each(|_, x| one::$name(x))
        })*
    };
}
bits! {
    first_trailing_bit first_leading_bit count_one_bits count_leading_zeros count_trailing_zeros reverse_bits
}
