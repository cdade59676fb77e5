//! Words of arrays: each invocation's own, or one for all. What lies past the end reads as 0 and is not written.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use std::arch::x86_64::{__m256, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};

use fearless_simd::prelude::*;
use fearless_simd::u32x4;

use super::super::matrix::Matrix;
use super::super::memory::{self, Row};
use super::super::vector::{Vec2, Vec3, Vec4};
use super::{F, I, LANES, M, S, U, each, eight, of};

/// Words of the largest structure.
const LARGEST: usize = 128;
/// Words that are read at a time.
const QUAD: usize = 4;
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

    /// What is the same for all is read once, and neighbours together.
    #[inline(always)]
    fn load<T: Stored, R: Zeros + ?Sized>(self, s: S, buffer: &R) -> T {
        let at = self[0];
        if self.simd_eq(at).all_true() {
            return (at as usize).load(s, buffer);
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
}

/// Rows of words that are there, or else zeros.
pub trait Zeros: Row + 'static {
    /// [`LARGEST`] zeros.
    fn zeros() -> &'static Self;
    /// A word of each row.
    fn words(rows: &[&Self; LANES], s: S, index: usize) -> U;
    /// A word of each of the rows that this is.
    fn word_of_each(&self, s: S, index: usize) -> U;
}

impl Zeros for [u32] {
    #[inline(always)]
    fn zeros() -> &'static Self {
        &NOTHING
    }

    /// Four at a time, where there are so many: the next three cost no more.
    #[inline(always)]
    fn words(rows: &[&Self; LANES], s: S, index: usize) -> U {
        let (first, k) = (index / QUAD * QUAD, index % QUAD);
        match rows[0].len() >= first + QUAD {
            true => quads(rows, s, first)[k],
            false => one_by_one(rows, s, index),
        }
    }

    #[inline(always)]
    fn word_of_each(&self, s: S, index: usize) -> U {
        match self.len() / LANES {
            1 => U::from_slice(s, self),
            2 => {
                let (a, b) = self.split_at(LANES);
                let (even, odd) = U::from_slice(s, a).deinterleave(U::from_slice(s, b));
                if index == 0 { even } else { odd }
            }
            _ => Self::words(&rows_of(self), s, index),
        }
    }
}

impl Zeros for [AtomicU32] {
    #[inline(always)]
    fn zeros() -> &'static Self {
        &NOTHING_SHARED
    }

    #[inline(always)]
    fn words(rows: &[&Self; LANES], s: S, index: usize) -> U {
        one_by_one(rows, s, index)
    }

    #[inline(always)]
    fn word_of_each(&self, s: S, index: usize) -> U {
        one_by_one(&rows_of(self), s, index)
    }
}

/// Rows behind each other.
#[inline(always)]
fn rows_of<R: Zeros + ?Sized>(words: &R) -> [&R; LANES] {
    let n = words.count() / LANES;
    each_row(words, [0, n, 2 * n, 3 * n, 4 * n, 5 * n, 6 * n, 7 * n], n)
}

#[inline(always)]
fn one_by_one<R: Row + ?Sized>(rows: &[&R; LANES], s: S, index: usize) -> U {
    let [a, b, c, d, e, f, g, h] = rows;
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

/// Rows that begin there.
#[inline(always)]
fn each_row<R: Zeros + ?Sized>(buffer: &R, first: [usize; LANES], count: usize) -> [&R; LANES] {
    let [a, b, c, d, e, f, g, h] = first;
    [
        row(buffer, a, count),
        row(buffer, b, count),
        row(buffer, c, count),
        row(buffer, d, count),
        row(buffer, e, count),
        row(buffer, f, count),
        row(buffer, g, count),
        row(buffer, h, count),
    ]
}

/// Four words of a row and of the one four rows behind it, from one on.
#[inline(always)]
fn pair(rows: &[&[u32]; LANES], s: S, row: usize, first: usize) -> __m256 {
    let [low, high] = [rows[row], rows[row + QUAD]];
    let low = u32x4::from_slice(s, &low[first..first + QUAD]);
    floats_of(low.combine(u32x4::from_slice(s, &high[first..first + QUAD])))
}

#[inline(always)]
fn floats_of(words: U) -> __m256 {
    words.bitcast::<F>().into()
}

#[inline(always)]
fn words_of(s: S, floats: __m256) -> U {
    F::simd_from(s, floats).bitcast()
}

/// Four words of each row, from one on.
#[inline(always)]
fn quads(rows: &[&[u32]; LANES], s: S, first: usize) -> [U; QUAD] {
    let pairs = [
        pair(rows, s, 0, first),
        pair(rows, s, 1, first),
        pair(rows, s, 2, first),
        pair(rows, s, 3, first),
    ];
    let [a, b, c, d] = transposed(s, pairs);
    [words_of(s, a), words_of(s, b), words_of(s, c), words_of(s, d)]
}

fearless_simd::kernel!(
    /// Rows 0 and 4, 1 and 5, 2 and 6, 3 and 7, word by word.
    #[inline]
    fn transposed(simd: Avx2, pairs: [__m256; 4]) -> [__m256; 4] {
        let _ = simd;
        let [a, b, c, d] = pairs;
        let [ab, cd] = [_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d)];
        let [ab_high, cd_high] = [_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d)];
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
);

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

impl<R: Zeros + ?Sized> Rows for [&R; LANES] {
    #[inline(always)]
    fn lanes(&self, s: S, index: usize) -> U {
        R::words(self, s, index)
    }
}

/// Rows behind each other, one for each invocation.
struct Beside<'a, R: ?Sized>(&'a R);

impl<R: Zeros + ?Sized> Rows for Beside<'_, R> {
    #[inline(always)]
    fn lanes(&self, s: S, index: usize) -> U {
        self.0.word_of_each(s, index)
    }
}

/// Where values go, one for each invocation.
pub trait Places {
    /// So many words behind the first.
    fn put(&mut self, index: usize, words: U);

    /// Four behind each other.
    #[inline(always)]
    fn put_four(&mut self, index: usize, words: [U; QUAD]) {
        put_each(self, index, words);
    }
}

/// Rows of a buffer, of those that write.
struct Shared<'a>([Option<&'a [AtomicU32]>; LANES]);

impl Places for Shared<'_> {
    #[inline(always)]
    fn put(&mut self, index: usize, words: U) {
        let words: [u32; LANES] = words.into();
        let mut lane = 0;
        while lane < LANES {
            if let Some(row) = self.0[lane] {
                row[index].store(words[lane], Relaxed);
            }
            lane += 1;
        }
    }
}

/// Rows of an array that only this thread has: where they begin, and who writes.
struct Own<'a> {
    words: &'a mut [u32],
    first: [usize; LANES],
    lanes: u64,
}

impl Places for Own<'_> {
    #[inline(always)]
    fn put(&mut self, index: usize, words: U) {
        let words: [u32; LANES] = words.into();
        let mut lane = 0;
        while lane < LANES {
            if self.lanes >> lane & 1 == 1
                && let Some(word) = self.words.get_mut(self.first[lane] + index)
            {
                *word = words[lane];
            }
            lane += 1;
        }
    }

    #[inline(always)]
    fn put_four(&mut self, index: usize, words: [U; QUAD]) {
        let s = words[0].token();
        let [a, b, c, d] = words;
        let rows = transposed(s, [floats_of(a), floats_of(b), floats_of(c), floats_of(d)]);
        let mut lane = 0;
        while lane < LANES {
            let first = self.first[lane] + index;
            if self.lanes >> lane & 1 == 1
                && let Some(row) = self.words.get_mut(first..first + QUAD)
            {
                let (low, high) = words_of(s, rows[lane % QUAD]).split();
                let of_lane: [u32; QUAD] = if lane < QUAD { low } else { high }.into();
                row.copy_from_slice(&of_lane);
            }
            lane += 1;
        }
    }
}

/// What can be written.
pub trait Target {
    /// Puts values at these words, for the invocations for which the mask holds.
    fn write<T: Stored>(self, mask: M, first: [usize; LANES], value: T);
}

impl Target for &[AtomicU32] {
    #[inline(always)]
    fn write<T: Stored>(self, mask: M, first: [usize; LANES], value: T) {
        let (lanes, mut rows, mut lane) = (mask.to_bitmask(), [None; LANES], 0);
        while lane < LANES {
            if lanes >> lane & 1 == 1 {
                rows[lane] = self.get(first[lane]..first[lane] + T::WORDS);
            }
            lane += 1;
        }
        value.write(&mut Shared(rows), 0);
    }
}

impl Target for &mut [u32] {
    #[inline(always)]
    fn write<T: Stored>(self, mask: M, first: [usize; LANES], value: T) {
        value.write(&mut Own { words: self, first, lanes: mask.to_bitmask() }, 0);
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

#[inline(always)]
fn put_each<const N: usize>(places: &mut (impl Places + ?Sized), first: usize, words: [U; N]) {
    let mut k = 0;
    while k < N {
        places.put(first + k, words[k]);
        k += 1;
    }
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
pub fn store<T: Stored>(mask: M, buffer: impl Target, first: impl At, value: T) {
    buffer.write(mask, first.each(), value);
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
