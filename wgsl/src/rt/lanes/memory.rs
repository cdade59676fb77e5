//! Values in arrays: each invocation's own, or one for all. What lies past the end reads as 0 and is not written.

use std::sync::atomic::AtomicU32;

use fearless_simd::prelude::*;

use super::super::matrix::Matrix;
use super::super::memory::{self, Row};
use super::super::vector::{Vec2, Vec3, Vec4};
use super::places::{Places, Target, put_each};
use super::rows::{Beside, LARGEST, OneOfTwo, Rows, Zeros, each_row, row};
use super::{F, I, LANES, M, S, U, each, eight, of};

/// Words from which on a structure is large.
const WIDE: usize = 16;

/// An offset past the end of every buffer, also when a few are added.
pub const NOWHERE: u32 = u32::MAX / 2;

/// Where something lies: its first word.
pub trait At: Copy {
    /// So many words behind.
    fn ahead(self, words: usize) -> Self;
    /// What lies there; whatever for those for which the mask does not hold.
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, mask: M, buffer: &R) -> T;
    /// For each invocation.
    fn each(self) -> [usize; LANES];
    /// Whether each is a word behind the one before it.
    fn are_neighbours(self) -> bool;
}

/// The same place for all.
impl At for usize {
    #[inline(always)]
    fn ahead(self, words: usize) -> Self {
        self + words
    }

    #[inline(always)]
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, _: M, buffer: &R) -> T {
        T::read(s, &row(buffer, self, T::WORDS), 0)
    }

    #[inline(always)]
    fn each(self) -> [usize; LANES] {
        [self; LANES]
    }

    #[inline(always)]
    fn are_neighbours(self) -> bool {
        false
    }
}

/// Each invocation's own.
impl At for U {
    #[inline(always)]
    fn ahead(self, words: usize) -> Self {
        self + words as u32
    }

    /// What is the same for all is read once, neighbours together, and of large structures no more than two once each: bodies and
    /// clusters, to which those beside each other belong for the most part.
    #[inline(always)]
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, mask: M, buffer: &R) -> T {
        if T::WORDS >= WIDE {
            let first = of_first(self, mask);
            let others = mask & !self.simd_eq(first);
            if super::none(others) {
                return (first as usize).load(s, mask, buffer);
            }
            let second = of_first(self, others);
            if super::none(others & !self.simd_eq(second)) {
                let rows = [first, second].map(|at| row(buffer, at as usize, T::WORDS));
                return T::read(s, &OneOfTwo(rows, others), 0);
            }
            return T::read(s, &each_row(buffer, self.each(), T::STRIDE), 0);
        }
        let at = self[0];
        if self.simd_eq(at).all_true() {
            return (at as usize).load(s, mask, buffer);
        }
        if self.simd_eq(super::from(s, 0) * T::STRIDE as u32 + at).all_true() {
            let words = at as usize..at as usize + LANES * T::STRIDE;
            if let Some(words) = buffer.part(words) {
                return T::read(s, &Beside(words), 0);
            }
        }
        T::read(s, &each_row(buffer, self.each(), T::STRIDE), 0)
    }

    #[inline(always)]
    fn each(self) -> [usize; LANES] {
        let [a, b, c, d, e, f, g, h]: [u32; LANES] = self.into();
        [
            a as usize, b as usize, c as usize, d as usize, e as usize, f as usize, g as usize,
            h as usize,
        ]
    }

    #[inline(always)]
    fn are_neighbours(self) -> bool {
        self.simd_eq(super::from(self.token(), self[0])).all_true()
    }
}

/// Numbers of one word.
pub trait Word: Copy {
    /// The same bits.
    fn from_words(words: U) -> Self;
    /// The same bits.
    fn to_words(self) -> U;
}

/// What lies in buffers as WGSL lays it out.
pub trait Stored: Copy {
    /// Words that it takes.
    const WORDS: usize;
    /// It begins at a multiple of so many words.
    const ALIGN: usize;
    /// Words from one to the next in an array.
    const STRIDE: usize = Self::WORDS.next_multiple_of(Self::ALIGN);

    /// Reads it from a word on.
    fn read(s: S, rows: &impl Rows, first: usize) -> Self;
    /// Writes it to a word on.
    fn write(self, places: &mut impl Places, first: usize);
}

macro_rules! scalar {
    ($($type:ident: $from:expr, $to:expr;)*) => {
        $(impl Word for $type {
            #[inline(always)]
            fn from_words(words: U) -> Self {
                $from(words)
            }

            #[inline(always)]
            fn to_words(self) -> U {
                $to(self)
            }
        }

        impl Stored for $type {
            const WORDS: usize = 1;
            const ALIGN: usize = 1;

            #[inline(always)]
            fn read(s: S, rows: &impl Rows, first: usize) -> Self {
                Self::from_words(rows.lanes(s, first))
            }

            #[inline(always)]
            fn write(self, places: &mut impl Places, first: usize) {
                places.put(first, self.to_words());
            }
        })*
    };
}
scalar! {
    F: |words: U| words.bitcast(), |value: F| value.bitcast();
    I: |words: U| words.bitcast(), |value: I| value.bitcast();
    U: |words| words, |value| value;
}

macro_rules! vector {
    ($($vector:ident: $count:literal, $align:literal, $($component:ident $index:literal),*; $write:expr;)*) => {
        $(impl<T: Word + Stored> Stored for $vector<T> {
            const WORDS: usize = $count;
            const ALIGN: usize = $align;

            #[inline(always)]
            fn read(s: S, rows: &impl Rows, first: usize) -> Self {
                Self { $($component: T::read(s, rows, first + $index)),* }
            }

            #[inline(always)]
            fn write(self, places: &mut impl Places, first: usize) {
                $write(places, first, [$(self.$component.to_words()),*]);
            }
        })*
    };
}
vector! {
    Vec2: 2, 2, x 0, y 1; put_each;
    Vec3: 3, 4, x 0, y 1, z 2; put_each;
    Vec4: 4, 4, x 0, y 1, z 2, w 3; Places::put_four;
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    const WORDS: usize = N * T::STRIDE;
    const ALIGN: usize = T::ALIGN;

    #[inline(always)]
    fn read(s: S, rows: &impl Rows, first: usize) -> Self {
        let (mut all, mut k) = ([T::read(s, rows, first); N], 1);
        while k < N {
            all[k] = T::read(s, rows, first + k * T::STRIDE);
            k += 1;
        }
        all
    }

    #[inline(always)]
    fn write(self, places: &mut impl Places, first: usize) {
        let mut k = 0;
        while k < N {
            self[k].write(places, first + k * T::STRIDE);
            k += 1;
        }
    }
}

impl<V: Stored, const C: usize> Stored for Matrix<V, C> {
    const WORDS: usize = C * V::STRIDE;
    const ALIGN: usize = V::ALIGN;

    #[inline(always)]
    fn read(s: S, rows: &impl Rows, first: usize) -> Self {
        Self(Stored::read(s, rows, first))
    }

    #[inline(always)]
    fn write(self, places: &mut impl Places, first: usize) {
        self.0.write(places, first);
    }
}

/// What lies at this word.
#[inline(always)]
pub fn load<T: Stored>(s: S, mask: M, buffer: &(impl Zeros + ?Sized), first: impl At) -> T {
    const { assert!(T::WORDS <= LARGEST, "a structure of more words than any before") };
    first.load(s, mask, buffer)
}

/// What the first has for whom the mask holds.
#[inline(always)]
fn of_first(values: U, mask: M) -> u32 {
    values[mask.to_bitmask().trailing_zeros() as usize % LANES]
}

/// What lies at this word of an array that nobody writes, as one value.
#[inline(always)]
pub fn load_one<T: memory::Stored>(buffer: &[u32], first: usize) -> T {
    buffer.get(first..first + T::WORDS).map_or(T::ZERO, T::read)
}

/// Puts a value at this word, for the invocations for which the mask holds, in order.
#[inline(always)]
pub fn store<T: Stored>(mask: M, buffer: impl Target, first: impl At, value: T) {
    let at = first.each();
    let in_a_row = T::WORDS == 1 && mask.all_true() && first.are_neighbours();
    if !(in_a_row && buffer.write_neighbours(at[0], value)) {
        buffer.write(mask, at, value);
    }
}

/// Words before an element.
#[inline(always)]
pub fn times(index: U, stride: u32) -> U {
    let most = of(index.token(), NOWHERE / stride);
    super::min(index, most) * stride
}

/// Words before an element of an array of a fixed length that lies in a buffer.
#[inline(always)]
pub fn element(index: U, count: u32, stride: u32) -> U {
    let s = index.token();
    index.simd_lt(count).select(index * stride, of(s, NOWHERE))
}

/// Elements of the array that the buffer's rest is.
#[inline(always)]
pub fn array_length(s: S, buffer: &(impl Row + ?Sized), first: usize, stride: usize) -> U {
    of(s, memory::array_length(buffer, first, stride))
}

/// A function of the word of each invocation for which the mask holds, in order.
#[inline(always)]
pub fn of_words(
    mask: M,
    buffer: &[AtomicU32],
    first: impl At,
    value: U,
    f: impl Fn(Option<&AtomicU32>, u32) -> u32,
) -> U {
    let (first, lanes) = (first.each(), mask.to_bitmask());
    let f = |lane: usize, value: u32| match lanes >> lane & 1 == 1 {
        true => f(buffer.get(first[lane]), value),
        false => 0,
    };
    let lanes = super::from(value.token(), 0);
    each!(|lane: u32, value| f(lane as usize, value), lanes, value)
}
