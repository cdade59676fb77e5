//! Scalars. Integers wrap, shifts count modulo 32, x / 0 = x and x % 0 = 0; floating point is IEEE 754.

use super::bits::{Bits, Convert};
use super::compare::{Order, clamp};
use super::functions;

/// What can be counted with.
pub trait Number: Copy {
    /// a + b
    fn add(self, other: Self) -> Self;
    /// a - b
    fn sub(self, other: Self) -> Self;
    /// a b
    fn mul(self, other: Self) -> Self;
    /// a / b
    fn div(self, other: Self) -> Self;
    /// What is left of a after a / b, rounded towards 0, times b.
    fn rem(self, other: Self) -> Self;
    /// -a
    fn neg(self) -> Self;
    /// |a|
    fn abs(self) -> Self;
    /// -1, 0 or 1; NaN stays.
    fn sign(self) -> Self;
}

/// Floating point.
pub trait Float: Number + Order {
    /// The positive square root.
    fn root(self) -> Self;
    /// Rounded down.
    fn floor(self) -> Self;
    /// This number, as what `self` is.
    fn like(self, number: f32) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn floor(self) -> Self {
        Self::floor(self)
    }

    #[inline(always)]
    fn like(self, number: f32) -> Self {
        number
    }
}

impl Number for f32 {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self / other
    }

    #[inline(always)]
    fn rem(self, other: Self) -> Self {
        self % other
    }

    #[inline(always)]
    fn neg(self) -> Self {
        -self
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::abs(self)
    }

    #[inline(always)]
    fn sign(self) -> Self {
        match self {
            _ if self > 0.0 => 1.0,
            _ if self < 0.0 => -1.0,
            _ => self,
        }
    }
}

macro_rules! integer {
    ($type:ident, $abs:expr, $sign:expr) => {
        impl Number for $type {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn div(self, other: Self) -> Self {
                if other == 0 { self } else { self.wrapping_div(other) }
            }

            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }

            #[inline(always)]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $abs(self)
            }

            #[inline(always)]
            fn sign(self) -> Self {
                $sign(self)
            }
        }
    };
}
integer!(i32, i32::wrapping_abs, i32::signum);
integer!(u32, |x| x, |x: u32| x.min(1));

functions! {
    /// a / b of integers.
    div<T: Number>(a: T, b: T) -> T { a.div(b) }
    /// a % b
    rem<T: Number>(a: T, b: T) -> T { a.rem(b) }
    /// |a|
    abs<T: Number>(a: T) -> T { a.abs() }
    /// -1, 0 or 1
    sign<T: Number>(a: T) -> T { a.sign() }

    /// As the type says: floating point to integers towards 0, to the nearest that there is; NaN to 0.
    to_f32<T: Convert>(x: T) -> f32 { x.to_f32() }
    /// The same.
    to_i32<T: Convert>(x: T) -> i32 { x.to_i32() }
    /// The same.
    to_u32<T: Convert>(x: T) -> u32 { x.to_u32() }
    /// Whether it is not 0.
    to_bool<T: Convert>(x: T) -> bool { x.to_bool() }

    /// The same bits.
    i32_as_f32(x: i32) -> f32 { f32::from_bits(x as u32) }
    /// The same bits.
    f32_as_i32(x: f32) -> i32 { x.to_bits() as i32 }

    /// To the nearest integer, halves to even ones.
    round(x: f32) -> f32 { x.round_ties_even() }
    /// x to the power y.
    pow(x: f32, y: f32) -> f32 { x.powf(y) }
    /// x - floor(x), never negative.
    fract<T: Float>(x: T) -> T { x.sub(x.floor()) }
    /// 1 / sqrt(x)
    inverse_sqrt<T: Float>(x: T) -> T { x.like(1.0).div(x.root()) }
    /// 1 from the edge on, 0 before.
    step<T: Float>(edge: T, x: T) -> T { T::pick(x.lt(edge), x.like(0.0), x.like(1.0)) }
    /// From a at t = 0 to b at t = 1.
    mix<T: Float>(a: T, b: T, t: T) -> T { a.mul(t.like(1.0).sub(t)).add(b.mul(t)) }
    /// To between 0 and 1.
    saturate<T: Float>(x: T) -> T { clamp(x, x.like(0.0), x.like(1.0)) }
    /// Hermite interpolation from 0 at `low` to 1 at `high`.
    smoothstep<T: Float>(low: T, high: T, x: T) -> T {
        let t = saturate(x.sub(low).div(high.sub(low)));
        t.mul(t).mul(t.like(3.0).sub(t.like(2.0).mul(t)))
    }
    /// The index of the lowest bit that is set; all ones where none is.
    first_trailing_bit<T: Bits>(x: T) -> T { x.first_trailing_bit() }
    /// The index of the highest bit that is set, of negative numbers that is not; all ones where there is none.
    first_leading_bit<T: Bits>(x: T) -> T { x.first_leading_bit() }
    /// How many bits are set.
    count_one_bits<T: Bits>(x: T) -> T { T::of(x.bits().count_ones()) }
    /// How many are not before the first that is.
    count_leading_zeros<T: Bits>(x: T) -> T { T::of(x.bits().leading_zeros()) }
    /// How many are not after the last that is.
    count_trailing_zeros<T: Bits>(x: T) -> T { T::of(x.bits().trailing_zeros()) }
    /// The last bit first.
    reverse_bits<T: Bits>(x: T) -> T { T::of(x.bits().reverse_bits()) }
    /// `count` bits from `first` on, the sign going on before them.
    extract_bits<T: Bits>(x: T, first: u32, count: u32) -> T {
        let first = first.min(32);
        let count = count.min(32 - first);
        if count == 0 { T::of(0) } else { T::of(x.bits() << (32 - first - count)).down(32 - count) }
    }
    /// x times 2 to the power of the count, which is taken modulo 32.
    shl<T: Bits>(x: T, count: u32) -> T { T::of(x.bits().wrapping_shl(count)) }
    /// x over 2 to the power of the count, which is taken modulo 32, rounded down.
    shr<T: Bits>(x: T, count: u32) -> T { x.down(count & 31) }
}

/// The second where the condition holds, or else the first: WGSL's order.
#[inline(always)]
pub fn select<T>(reject: T, accept: T, condition: bool) -> T {
    if condition { accept } else { reject }
}
