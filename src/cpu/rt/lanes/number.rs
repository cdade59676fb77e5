//! Scalars. Each function is that of one invocation, in all lanes, to the last bit.

use std::ops::Mul;

use fearless_simd::prelude::*;

use super::super::number as one;
use super::super::number::{Number, Root};
use super::super::vector::{Vec2, Vec3, Vec4};
use super::{F, I, M, S, U, Value};

/// What is one for all invocations.
pub trait Same {
    /// What each of them has.
    type Lanes;

    /// The same for each.
    fn of(self, s: S) -> Self::Lanes;
}

macro_rules! same {
    ($($type:ident $lanes:ident,)*) => {
        $(impl Same for $type {
            type Lanes = $lanes;

            #[inline(always)]
            fn of(self, s: S) -> $lanes {
                $lanes::splat(s, self)
            }
        })*
    };
}
same!(f32 F, i32 I, u32 U, bool M,);

impl<T: Same<Lanes: Copy> + Copy> Same for Vec3<T> {
    type Lanes = Vec3<T::Lanes>;

    #[inline(always)]
    fn of(self, s: S) -> Vec3<T::Lanes> {
        self.map(
            #[inline(always)]
            |value| value.of(s),
        )
    }
}

/// The same for each invocation.
#[inline(always)]
pub fn of<T: Same>(s: S, value: T) -> T::Lanes {
    value.of(s)
}

/// One for each invocation.
#[inline(always)]
pub fn eight<T, V: SimdFrom<[T; 8], S>>(s: S, values: [T; 8]) -> V {
    V::simd_from(s, values)
}

/// A function of each lane by itself.
macro_rules! each {
    ($f:expr, $a:expr) => {{
        let (f, a) = ($f, $a);
        let s = a.token();
        eight(s, [f(a[0]), f(a[1]), f(a[2]), f(a[3]), f(a[4]), f(a[5]), f(a[6]), f(a[7])])
    }};
    ($f:expr, $a:expr, $b:expr) => {{
        let (f, a, b) = ($f, $a, $b);
        let s = a.token();
        eight(
            s,
            [
                f(a[0], b[0]),
                f(a[1], b[1]),
                f(a[2], b[2]),
                f(a[3], b[3]),
                f(a[4], b[4]),
                f(a[5], b[5]),
                f(a[6], b[6]),
                f(a[7], b[7]),
            ],
        )
    }};
}
pub(super) use each;

macro_rules! number {
    ($($type:ident: $one:ident, $div:expr, $neg:expr, $abs:expr, $sign:expr;)*) => {
        $(impl Number for $type {
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
                $div(self, other)
            }

            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                each!(<$one as Number>::rem, self, other)
            }

            #[inline(always)]
            fn neg(self) -> Self {
                $neg(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $abs(self)
            }

            #[inline(always)]
            fn sign(self) -> Self {
                $sign(self)
            }
        })*
    };
}
number! {
    F: f32, |a: F, b: F| a / b, |a: F| -a, |a: F| SimdBase::abs(a), |a: F| each!(<f32 as Number>::sign, a);
    I: i32, |a: I, b: I| each!(<i32 as Number>::div, a, b), |a: I| -a, |a: I| each!(i32::wrapping_abs, a),
        |a: I| each!(i32::signum, a);
    U: u32, |a: U, b: U| each!(<u32 as Number>::div, a, b), |a: U| each!(u32::wrapping_neg, a), |a: U| a,
        |a: U| each!(|a: u32| a.min(1), a);
}

impl Root for F {
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn double(self) -> Self {
        self * 2.0
    }
}

macro_rules! from_the_left {
    ($($vector:ident)*: $lanes:tt) => {
        $(from_the_left!($vector $lanes);)*
    };
    ($vector:ident ($($type:ident)*)) => {
        $(impl Mul<$vector<$type>> for $type {
            type Output = $vector<$type>;

            #[inline(always)]
            fn mul(self, vector: $vector<$type>) -> $vector<$type> {
                vector * self
            }
        })*
    };
}
from_the_left!(Vec2 Vec3 Vec4: (F I U));

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

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident$(<$of:ident: $bound:path>)?($($arg:ident: $type:ty),*) -> $to:ty
        $body:block)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub fn $name$(<$of: $bound>)?($($arg: $type),*) -> $to $body)*
    };
}

functions! {
    /// a / b of integers.
    div<T: Number>(a: T, b: T) -> T { a.div(b) }
    /// a % b
    rem<T: Number>(a: T, b: T) -> T { a.rem(b) }
    /// |a|
    abs<T: Number>(a: T) -> T { a.abs() }
    /// -1, 0 or 1
    sign<T: Number>(a: T) -> T { a.sign() }
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

    /// The square root.
    sqrt(x: F) -> F { x.sqrt() }
    /// Rounded down.
    floor(x: F) -> F { x.floor() }
    /// Rounded up.
    ceil(x: F) -> F { x.ceil() }
    /// Rounded towards 0.
    trunc(x: F) -> F { x.trunc() }
    /// To the nearest integer, halves to even ones.
    round(x: F) -> F { x.round_ties_even() }
    /// x - floor(x), never negative.
    fract(x: F) -> F { x - x.floor() }
    /// a b + c, rounded once.
    mul_add(a: F, b: F, c: F) -> F { a.mul_add_precise(b, c) }
    /// 1 / sqrt(x)
    inverse_sqrt(x: F) -> F { F::splat(x.token(), 1.0) / x.sqrt() }
    /// 1 from the edge on, 0 before.
    step(edge: F, x: F) -> F { x.simd_lt(edge).select(x.zero(), x.one()) }
    /// From a at t = 0 to b at t = 1.
    mix(a: F, b: F, t: F) -> F { a * (t.one() - t) + b * t }
    /// To between 0 and 1.
    saturate(x: F) -> F { clamp(x, x.zero(), x.one()) }
    /// Hermite interpolation from 0 at `low` to 1 at `high`.
    smoothstep(low: F, high: F, x: F) -> F {
        let t = saturate((x - low) / (high - low));
        t * t * (F::splat(x.token(), 3.0) - F::splat(x.token(), 2.0) * t)
    }
    /// x times 2 to the power of the count, which is taken modulo 32.
    shl<T: Shift>(x: T, count: U) -> T { x.up(count & 31) }
    /// x over 2 to the power of the count, which is taken modulo 32, rounded down.
    shr<T: Shift>(x: T, count: U) -> T { x.down(count & 31) }
}

trait Ends {
    fn zero(self) -> Self;
    fn one(self) -> Self;
}

impl Ends for F {
    #[inline(always)]
    fn zero(self) -> Self {
        Self::splat(self.token(), 0.0)
    }

    #[inline(always)]
    fn one(self) -> Self {
        Self::splat(self.token(), 1.0)
    }
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

macro_rules! one_by_one {
    ($($name:ident)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of each.")]
        #[inline(always)]
        pub fn $name(x: F) -> F {
            each!(f32::$name, x)
        })*
    };
}
one_by_one! {
    cos cosh sin sinh tan tanh acos asin atan asinh acosh atanh exp exp2 ln log2 to_radians to_degrees
}

/// The angle of (x, y).
#[inline(always)]
pub fn atan2(y: F, x: F) -> F {
    each!(f32::atan2, y, x)
}

/// x to the power y.
#[inline(always)]
pub fn pow(x: F, y: F) -> F {
    each!(one::pow, x, y)
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
