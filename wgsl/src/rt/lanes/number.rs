//! Scalars. Each function is that of one invocation, in all lanes, to the last bit.

use std::ops::Mul;

use fearless_simd::prelude::*;

use super::super::functions;
use super::super::number as one;
use super::super::number::{Float, Number};
use super::super::vector::{Vec2, Vec3, Vec4};
use super::{F, I, M, S, U};

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

impl Float for F {
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn floor(self) -> Self {
        SimdFloat::floor(self)
    }

    #[inline(always)]
    fn like(self, number: f32) -> Self {
        Self::splat(self.token(), number)
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

functions! {
    /// The square root.
    sqrt(x: F) -> F { x.sqrt() }
    /// Rounded down.
    floor(x: F) -> F { Float::floor(x) }
    /// Rounded up.
    ceil(x: F) -> F { x.ceil() }
    /// Rounded towards 0.
    trunc(x: F) -> F { x.trunc() }
    /// To the nearest integer, halves to even ones.
    round(x: F) -> F { x.round_ties_even() }
    /// a b + c, rounded once.
    mul_add(a: F, b: F, c: F) -> F { a.mul_add_precise(b, c) }
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
