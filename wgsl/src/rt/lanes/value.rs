//! What invocations have: scalars, and all that is made of them.

use fearless_simd::prelude::*;

use super::super::matrix::Matrix;
use super::super::vector::{Vec2, Vec3, Vec4};
use super::{F, I, M, S, U};

/// What each invocation may have of its own.
pub trait Value: Copy {
    /// All bits 0, for all of them.
    fn zero(s: S) -> Self;
    /// The first where the mask holds, the second where it does not.
    fn choose(mask: M, accept: Self, reject: Self) -> Self;
}

macro_rules! scalar {
    ($($type:ident: $zero:literal;)*) => {
        $(impl Value for $type {
            #[inline(always)]
            fn zero(s: S) -> Self {
                Self::splat(s, $zero)
            }

            #[inline(always)]
            fn choose(mask: M, accept: Self, reject: Self) -> Self {
                mask.select(accept, reject)
            }
        })*
    };
}
scalar! {
    F: 0.0;
    I: 0;
    U: 0;
    M: false;
}

macro_rules! vector {
    ($($vector:ident: $($component:ident)*;)*) => {
        $(impl<T: Value> Value for $vector<T> {
            #[inline(always)]
            fn zero(s: S) -> Self {
                Self::splat(T::zero(s))
            }

            #[inline(always)]
            fn choose(mask: M, accept: Self, reject: Self) -> Self {
                Self { $($component: T::choose(mask, accept.$component, reject.$component)),* }
            }
        }

        impl<T: Value> Parts for $vector<T> {
            type Part = T;

            #[inline(always)]
            fn each(&mut self, mut f: impl FnMut(u32, &mut T)) {
                let mut number = 0;
                $(f(number, &mut self.$component);
                number += 1;)*
                let _ = number;
            }
        })*
    };
}
vector! {
    Vec2: x y;
    Vec3: x y z;
    Vec4: x y z w;
}

impl<T: Value, const N: usize> Value for [T; N] {
    #[inline(always)]
    fn zero(s: S) -> Self {
        [T::zero(s); N]
    }

    #[inline(always)]
    fn choose(mask: M, accept: Self, reject: Self) -> Self {
        let (mut chosen, mut k) = (reject, 0);
        while k < N {
            chosen[k] = T::choose(mask, accept[k], reject[k]);
            k += 1;
        }
        chosen
    }
}

impl<V: Value, const C: usize> Value for Matrix<V, C> {
    #[inline(always)]
    fn zero(s: S) -> Self {
        Self(Value::zero(s))
    }

    #[inline(always)]
    fn choose(mask: M, accept: Self, reject: Self) -> Self {
        Self(Value::choose(mask, accept.0, reject.0))
    }
}

/// What has numbered parts.
pub trait Parts {
    /// What they are.
    type Part: Value;

    /// Calls `f` with each of them and its number.
    fn each(&mut self, f: impl FnMut(u32, &mut Self::Part));
}

impl<T: Value, const N: usize> Parts for [T; N] {
    type Part = T;

    #[inline(always)]
    fn each(&mut self, mut f: impl FnMut(u32, &mut T)) {
        let mut k = 0;
        while k < N {
            f(k as u32, &mut self[k]);
            k += 1;
        }
    }
}

/// A value of which all bits are 0.
#[inline(always)]
pub fn zero<T: Value>(s: S) -> T {
    T::zero(s)
}

/// The first where the mask holds, the second where it does not.
#[inline(always)]
pub fn choose<T: Value>(mask: M, accept: T, reject: T) -> T {
    T::choose(mask, accept, reject)
}

/// The second where the condition holds, or else the first: WGSL's order.
#[inline(always)]
pub fn select<T: Value>(reject: T, accept: T, condition: M) -> T {
    T::choose(condition, accept, reject)
}

/// The part of this number, which may be another one for each invocation.
#[inline(always)]
pub fn at<P: Parts + Copy>(parts: &P, index: U) -> P::Part {
    let s = index.token();
    let (mut parts, mut found) = (*parts, P::Part::zero(s));
    parts.each(
        #[inline(always)]
        |number, part| found = P::Part::choose(index.simd_eq(number), *part, found),
    );
    found
}

/// Calls `change` with each part and the mask of those whose number it is.
#[inline(always)]
pub fn parts<P: Parts>(parts: &mut P, index: U, mask: M, mut change: impl FnMut(&mut P::Part, M)) {
    parts.each(
        #[inline(always)]
        |number, part| change(part, mask & index.simd_eq(number)),
    );
}

/// Whether it holds for one of them.
#[inline(always)]
pub fn any(mask: M) -> bool {
    mask.any_true()
}

/// Whether it holds for none.
#[inline(always)]
pub fn none(mask: M) -> bool {
    mask.all_false()
}

/// What decides about barriers: that of the first invocation.
#[inline(always)]
pub fn decided(condition: M) -> bool {
    condition.to_bitmask() & 1 == 1
}

/// The mask that holds for none.
#[inline(always)]
pub fn nobody(s: S) -> M {
    M::splat(s, false)
}

/// The mask that holds for all.
#[inline(always)]
pub fn everybody(s: S) -> M {
    M::splat(s, true)
}
