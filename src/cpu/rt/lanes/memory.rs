//! Words of arrays: each invocation's own, or one for all. What lies past the end reads as 0 and is not written.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use fearless_simd::prelude::*;

use super::super::matrix::Matrix;
use super::super::memory::{self, Row};
use super::super::vector::{Vec2, Vec3, Vec4};
use super::{F, I, LANES, M, S, U, each, eight, of};

/// Words of the largest structure.
const LARGEST: usize = 128;
/// More words are looked at whether they are the same for all.
const FEW: usize = 8;
/// An offset past the end of every buffer, also when a few are added.
pub const NOWHERE: u32 = u32::MAX / 2;

static NOTHING: [u32; LARGEST] = [0; LARGEST];
static NOTHING_SHARED: [AtomicU32; LARGEST] = [const { AtomicU32::new(0) }; LARGEST];

/// Where something lies: its first word.
pub trait At: Copy {
    /// So many words behind.
    fn ahead(self, words: usize) -> Self;
    /// What lies there.
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, buffer: &R) -> T;
    /// For each invocation.
    fn each(self) -> [usize; LANES];
}

/// The same place for all.
impl At for usize {
    #[inline(always)]
    fn ahead(self, words: usize) -> Self {
        self + words
    }

    #[inline(always)]
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, buffer: &R) -> T {
        T::read(s, &row(buffer, self, T::WORDS), 0)
    }

    #[inline(always)]
    fn each(self) -> [usize; LANES] {
        [self; LANES]
    }
}

/// Each invocation's own.
impl At for U {
    #[inline(always)]
    fn ahead(self, words: usize) -> Self {
        self + words as u32
    }

    #[inline(always)]
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, buffer: &R) -> T {
        if T::WORDS > FEW && self.simd_eq(self[0]).all_true() {
            return (self[0] as usize).load(s, buffer);
        }
        let first: [u32; LANES] = self.into();
        let one = |lane: usize| row(buffer, first[lane] as usize, T::WORDS);
        T::read(s, &[one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7)], 0)
    }

    #[inline(always)]
    fn each(self) -> [usize; LANES] {
        let [a, b, c, d, e, f, g, h]: [u32; LANES] = self.into();
        [
            a as usize, b as usize, c as usize, d as usize, e as usize, f as usize, g as usize,
            h as usize,
        ]
    }
}

/// Rows of words that are there, or else zeros.
pub trait Zeros: Row + 'static {
    /// [`LARGEST`] zeros.
    fn zeros() -> &'static Self;
}

impl Zeros for [u32] {
    #[inline(always)]
    fn zeros() -> &'static Self {
        &NOTHING
    }
}

impl Zeros for [AtomicU32] {
    #[inline(always)]
    fn zeros() -> &'static Self {
        &NOTHING_SHARED
    }
}

#[inline(always)]
fn row<R: Zeros + ?Sized>(buffer: &R, first: usize, count: usize) -> &R {
    let words: Range<usize> = first..first + count;
    buffer.part(words).unwrap_or_else(|| &R::zeros()[..count])
}

/// A row for all invocations, or one for each.
pub trait Rows {
    /// A word of it.
    fn lanes(&self, s: S, index: usize) -> U;
}

impl<R: Row + ?Sized> Rows for &R {
    #[inline(always)]
    fn lanes(&self, s: S, index: usize) -> U {
        of(s, R::word(self, index))
    }
}

impl<R: Row + ?Sized> Rows for [&R; LANES] {
    #[inline(always)]
    fn lanes(&self, s: S, index: usize) -> U {
        let [a, b, c, d, e, f, g, h] = self;
        eight(
            s,
            [
                a.word(index),
                b.word(index),
                c.word(index),
                d.word(index),
                e.word(index),
                f.word(index),
                g.word(index),
                h.word(index),
            ],
        )
    }
}

/// The rows of those that write.
pub type Places<'a> = [Option<&'a [AtomicU32]>; LANES];

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
    fn write(self, rows: &Places<'_>, first: usize);
}

macro_rules! scalar {
    ($($type:ident: $read:expr, $write:expr;)*) => {
        $(impl Stored for $type {
            const WORDS: usize = 1;
            const ALIGN: usize = 1;

            #[inline(always)]
            fn read(s: S, rows: &impl Rows, first: usize) -> Self {
                $read(rows.lanes(s, first))
            }

            #[inline(always)]
            fn write(self, rows: &Places<'_>, first: usize) {
                let words: [u32; LANES] = $write(self).into();
                let mut lane = 0;
                while lane < LANES {
                    if let Some(row) = rows[lane] {
                        row[first].store(words[lane], Relaxed);
                    }
                    lane += 1;
                }
            }
        })*
    };
}
scalar! {
    F: |word: U| word.bitcast(), |value: F| value.bitcast::<U>();
    I: |word: U| word.bitcast(), |value: I| value.bitcast::<U>();
    U: |word| word, |value| value;
}

macro_rules! vector {
    ($($vector:ident: $count:literal, $align:literal, $($component:ident $index:literal),*;)*) => {
        $(impl<T: Stored> Stored for $vector<T> {
            const WORDS: usize = $count;
            const ALIGN: usize = $align;

            #[inline(always)]
            fn read(s: S, rows: &impl Rows, first: usize) -> Self {
                Self { $($component: T::read(s, rows, first + $index)),* }
            }

            #[inline(always)]
            fn write(self, rows: &Places<'_>, first: usize) {
                $(self.$component.write(rows, first + $index);)*
            }
        })*
    };
}
vector! {
    Vec2: 2, 2, x 0, y 1;
    Vec3: 3, 4, x 0, y 1, z 2;
    Vec4: 4, 4, x 0, y 1, z 2, w 3;
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
    fn write(self, rows: &Places<'_>, first: usize) {
        let mut k = 0;
        while k < N {
            self[k].write(rows, first + k * T::STRIDE);
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
    fn write(self, rows: &Places<'_>, first: usize) {
        self.0.write(rows, first);
    }
}

/// What lies at this word.
#[inline(always)]
pub fn load<T: Stored>(s: S, buffer: &(impl Zeros + ?Sized), first: impl At) -> T {
    const { assert!(T::WORDS <= LARGEST, "a structure of more words than any before") };
    first.load(s, buffer)
}

/// What lies at this word of an array that nobody writes, as one value.
#[inline(always)]
pub fn load_one<T: memory::Stored>(buffer: &[u32], first: usize) -> T {
    buffer.get(first..first + T::WORDS).map_or(T::ZERO, T::read)
}

/// Puts a value at this word, for the invocations for which the mask holds, in order.
#[inline(always)]
pub fn store<T: Stored>(mask: M, buffer: &[AtomicU32], first: impl At, value: T) {
    let (first, lanes) = (first.each(), mask.to_bitmask());
    let (mut rows, mut lane) = ([None; LANES], 0);
    while lane < LANES {
        if lanes >> lane & 1 == 1 {
            rows[lane] = buffer.get(first[lane]..first[lane] + T::WORDS);
        }
        lane += 1;
    }
    value.write(&rows, 0);
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
