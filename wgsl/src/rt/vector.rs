//! Vectors: plain components, and operators that act on each of them.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Sub};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::memory::{Row, Word, Zero};
use super::number::{Float, Number};

macro_rules! operators {
    ($vector:ident: $($trait:ident $operator:ident,)*) => {
        $(impl<T: Number> $trait for $vector<T> {
            type Output = Self;

            #[inline(always)]
            fn $operator(self, other: Self) -> Self {
                self.zip(other, #[inline(always)] |own, other| own.$operator(other))
            }
        }

        impl<T: Number> $trait<T> for $vector<T> {
            type Output = Self;

            #[inline(always)]
            fn $operator(self, other: T) -> Self {
                self.map(#[inline(always)] |own| own.$operator(other))
            }
        })*
    };
}

macro_rules! bitwise {
    ($vector:ident: $($trait:ident $operator:ident,)*) => {
        $(impl<T: Copy + $trait<Output = T>> $trait for $vector<T> {
            type Output = Self;

            #[inline(always)]
            fn $operator(self, other: Self) -> Self {
                self.zip(other, #[inline(always)] |own, other| own.$operator(other))
            }
        })*
    };
}

macro_rules! from_the_left {
    ($vector:ident: $($scalar:ident)*) => {
        $(impl Mul<$vector<$scalar>> for $scalar {
            type Output = $vector<$scalar>;

            #[inline(always)]
            fn mul(self, vector: $vector<$scalar>) -> $vector<$scalar> {
                vector.map(#[inline(always)] |component| Number::mul(self, component))
            }
        })*
    };
}

macro_rules! vector {
    ($vector:ident, $count:literal: $($component:ident $index:literal),*) => {
        #[doc = concat!(stringify!($count), " components.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $vector<T> {
            $(#[doc = stringify!($component)]
            pub $component: T,)*
        }

        impl<T: Copy> $vector<T> {
            /// Of these components.
            #[inline(always)]
            pub const fn new($($component: T),*) -> Self {
                Self { $($component),* }
            }

            /// All components the same.
            #[inline(always)]
            pub const fn splat(value: T) -> Self {
                Self { $($component: value),* }
            }

            /// In order.
            #[inline(always)]
            pub const fn array(self) -> [T; $count] {
                [$(self.$component),*]
            }

            /// Of components in order.
            #[inline(always)]
            pub const fn from_array([$($component),*]: [T; $count]) -> Self {
                Self { $($component),* }
            }

            /// A function of each component.
            #[inline(always)]
            pub fn map<U: Copy>(self, f: impl Fn(T) -> U) -> $vector<U> {
                $vector { $($component: f(self.$component)),* }
            }

            /// A function of each two.
            #[inline(always)]
            pub fn zip<A: Copy, U: Copy>(
                self,
                a: $vector<A>,
                f: impl Fn(T, A) -> U,
            ) -> $vector<U> {
                $vector { $($component: f(self.$component, a.$component)),* }
            }

            /// A function of each three.
            #[inline(always)]
            pub fn zip3<A: Copy, B: Copy, U: Copy>(
                self,
                a: $vector<A>,
                b: $vector<B>,
                f: impl Fn(T, A, B) -> U,
            ) -> $vector<U> {
                $vector { $($component: f(self.$component, a.$component, b.$component)),* }
            }

            /// A component by number, where there is such a one.
            #[inline(always)]
            pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
                match index {
                    $($index => Some(&mut self.$component),)*
                    _ => None,
                }
            }
        }

        impl<B: Copy + BitAnd<Output = B> + BitOr<Output = B>> $vector<B> {
            /// Whether all components hold.
            #[inline(always)]
            pub fn all(self) -> B {
                sum(self.array(), #[inline(always)] |a, b| a & b)
            }

            /// Whether one does.
            #[inline(always)]
            pub fn any(self) -> B {
                sum(self.array(), #[inline(always)] |a, b| a | b)
            }
        }

        impl<T: Zero> Zero for $vector<T> {
            const ZERO: Self = Self { $($component: T::ZERO),* };
        }

        impl<T: Number> Vector for $vector<T> {
            type Scalar = T;

            #[inline(always)]
            fn dot(self, other: Self) -> T {
                sum(self.zip(other, #[inline(always)] |a, b| Number::mul(a, b)).array(), #[inline(always)] |a, b| a.add(b))
            }

            #[inline(always)]
            fn scale(self, by: T) -> Self {
                self * by
            }

            #[inline(always)]
            fn over(self, by: T) -> Self {
                self / by
            }
        }

        impl<T: Number + Neg<Output = T>> Neg for $vector<T> {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                self.map(Number::neg)
            }
        }

        impl<T: Copy + Not<Output = T>> Not for $vector<T> {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                self.map(T::not)
            }
        }

        impl<T: Word> super::memory::Stored for $vector<T> {
            const WORDS: usize = $count;
            const ALIGN: usize = if $count == 2 { 2 } else { 4 };

            #[inline(always)]
            fn read(words: &(impl Row + ?Sized)) -> Self {
                let words = &words[..$count];
                Self { $($component: T::from_word(words.word($index))),* }
            }

            #[inline(always)]
            fn write(self, words: &[AtomicU32]) {
                let words = &words[..$count];
                $(words[$index].store(self.$component.to_word(), Relaxed);)*
            }
        }

        operators!($vector: Add add, Sub sub, Mul mul, Div div, Rem rem,);
        bitwise!($vector: BitAnd bitand, BitOr bitor, BitXor bitxor,);
        from_the_left!($vector: f32 i32 u32);
    };
}
vector!(Vec2, 2: x 0, y 1);
vector!(Vec3, 3: x 0, y 1, z 2);
vector!(Vec4, 4: x 0, y 1, z 2, w 3);

/// All put together, the first first. Closures of this module and of [`super::matrix`] are always inlined, and loops call no
/// functions of the standard library that are not: what is compiled by itself lacks the features that lanes need.
#[inline(always)]
pub(super) fn sum<T: Copy, const N: usize>(parts: [T; N], add: impl Fn(T, T) -> T) -> T {
    let (mut sum, mut k) = (parts[0], 1);
    while k < N {
        sum = add(sum, parts[k]);
        k += 1;
    }
    sum
}

/// What products of vectors and matrices need.
pub trait Vector: Copy + Add<Output = Self> + Sub<Output = Self> {
    /// What a component is.
    type Scalar: Number;

    /// The sum of the components' products.
    fn dot(self, other: Self) -> Self::Scalar;
    /// Each component times this.
    fn scale(self, by: Self::Scalar) -> Self;
    /// Each component over this.
    fn over(self, by: Self::Scalar) -> Self;
}

/// The sum of the components' products.
#[inline(always)]
pub fn dot<V: Vector>(a: V, b: V) -> V::Scalar {
    a.dot(b)
}

/// The vector perpendicular to both.
#[inline(always)]
pub fn cross<T: Number>(a: Vec3<T>, b: Vec3<T>) -> Vec3<T> {
    Vec3::new(
        a.y.mul(b.z).sub(a.z.mul(b.y)),
        a.z.mul(b.x).sub(a.x.mul(b.z)),
        a.x.mul(b.y).sub(a.y.mul(b.x)),
    )
}

/// sqrt(v.v)
#[inline(always)]
pub fn length<V: Vector<Scalar: Float>>(v: V) -> V::Scalar {
    v.dot(v).root()
}

/// |a - b|
#[inline(always)]
pub fn distance<V: Vector<Scalar: Float>>(a: V, b: V) -> V::Scalar {
    length(a - b)
}

/// v / |v|
#[inline(always)]
pub fn normalize<V: Vector<Scalar: Float>>(v: V) -> V {
    v.over(length(v))
}

/// What comes back from a surface of this normal.
#[inline(always)]
pub fn reflect<V: Vector<Scalar: Float>>(v: V, normal: V) -> V {
    let along = normal.dot(v);
    v - normal.scale(along.like(2.0).mul(along))
}
