//! Comparisons, of one invocation's values or of several ones', and what follows from them.

use super::functions;

/// What can be equal.
pub trait Compare: Copy {
    /// Whether something holds, for each invocation.
    type Mask;

    /// a == b
    fn eq(self, other: Self) -> Self::Mask;
    /// a != b
    fn ne(self, other: Self) -> Self::Mask;
}

/// What has an order.
pub trait Order: Compare {
    /// a < b
    fn lt(self, other: Self) -> Self::Mask;
    /// a <= b
    fn le(self, other: Self) -> Self::Mask;
    /// The first where the mask holds, the second where it does not.
    fn pick(mask: Self::Mask, accept: Self, reject: Self) -> Self;
}

macro_rules! compare {
    ($($type:ident)*) => {
        $(impl Compare for $type {
            type Mask = bool;

            #[inline(always)]
            fn eq(self, other: Self) -> bool {
                self == other
            }

            #[inline(always)]
            fn ne(self, other: Self) -> bool {
                self != other
            }
        })*
    };
}
compare!(bool f32 i32 u32);

macro_rules! order {
    ($($type:ident)*) => {
        $(impl Order for $type {
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn le(self, other: Self) -> bool {
                self <= other
            }

            #[inline(always)]
            fn pick(mask: bool, accept: Self, reject: Self) -> Self {
                if mask { accept } else { reject }
            }
        })*
    };
}
order!(f32 i32 u32);

functions! {
    /// As SPIR-V's `FMin`: a where they cannot be compared.
    min<T: Order>(a: T, b: T) -> T { T::pick(b.lt(a), b, a) }
    /// As SPIR-V's `FMax`: a where they cannot be compared.
    max<T: Order>(a: T, b: T) -> T { T::pick(a.lt(b), b, a) }
    /// The least of `high` and the greatest of `low` and x.
    clamp<T: Order>(x: T, low: T, high: T) -> T { min(max(x, low), high) }
    /// a == b
    eq<T: Compare>(a: T, b: T) -> T::Mask { a.eq(b) }
    /// a != b
    ne<T: Compare>(a: T, b: T) -> T::Mask { a.ne(b) }
    /// a < b
    lt<T: Order>(a: T, b: T) -> T::Mask { a.lt(b) }
    /// a <= b
    le<T: Order>(a: T, b: T) -> T::Mask { a.le(b) }
    /// a > b
    gt<T: Order>(a: T, b: T) -> T::Mask { b.lt(a) }
    /// a >= b
    ge<T: Order>(a: T, b: T) -> T::Mask { b.le(a) }
}
