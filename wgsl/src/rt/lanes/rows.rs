//! Rows of words that are read, one for each invocation.

use std::arch::x86_64::{__m256, _mm256_shuffle_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps};
use std::ops::Range;
use std::sync::atomic::AtomicU32;

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, u32x4};

use super::super::memory::Row;
use super::{F, LANES, M, S, U, eight, of, shared};

/// Words of the largest structure.
pub(super) const LARGEST: usize = 128;
/// Words that are read or written at a time.
pub(super) const QUAD: usize = 4;

static NOTHING: [u32; LARGEST] = [0; LARGEST];
static NOTHING_SHARED: [AtomicU32; LARGEST] = [const { AtomicU32::new(0) }; LARGEST];

/// Rows of words that are there, or else zeros.
pub trait Zeros: Row + 'static {
    /// [`LARGEST`] zeros.
    fn zeros() -> &'static Self;
    /// Four words from one on.
    fn four(&self, s: S, first: usize) -> u32x4<S>;
    /// Eight words from one on.
    fn eight(&self, s: S, first: usize) -> U;
}

impl Zeros for [u32] {
    #[inline(always)]
    fn zeros() -> &'static Self {
        &NOTHING
    }

    #[inline(always)]
    fn four(&self, s: S, first: usize) -> u32x4<S> {
        u32x4::from_slice(s, &self[first..first + QUAD])
    }

    #[inline(always)]
    fn eight(&self, s: S, first: usize) -> U {
        U::from_slice(s, &self[first..first + LANES])
    }
}

impl Zeros for [AtomicU32] {
    #[inline(always)]
    fn zeros() -> &'static Self {
        &NOTHING_SHARED
    }

    #[inline(always)]
    fn four(&self, s: S, first: usize) -> u32x4<S> {
        let words = self[first..first + QUAD].first_chunk().expect("four words");
        f32x4::simd_from(s, shared::four(words)).bitcast()
    }

    #[inline(always)]
    fn eight(&self, s: S, first: usize) -> U {
        let words = self[first..first + LANES].first_chunk().expect("eight words");
        words_of(s, shared::eight(s, words))
    }
}

/// A word of each row: four at a time, where there are so many, for the next three cost no more.
#[inline(always)]
fn words<R: Zeros + ?Sized>(rows: &[&R; LANES], s: S, index: usize) -> U {
    let (first, k) = (index / QUAD * QUAD, index % QUAD);
    match rows[0].count() >= first + QUAD {
        true => quads(rows, s, first)[k],
        false => one_by_one(rows, s, index),
    }
}

/// A word of each of eight rows behind each other.
#[inline(always)]
fn word_of_each<R: Zeros + ?Sized>(rows: &R, s: S, index: usize) -> U {
    match rows.count() / LANES {
        1 => rows.eight(s, 0),
        2 => {
            let (even, odd) = rows.eight(s, 0).deinterleave(rows.eight(s, LANES));
            if index == 0 { even } else { odd }
        }
        _ => words(&rows_of(rows), s, index),
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
pub(super) fn each_row<R: Zeros + ?Sized>(
    buffer: &R,
    first: [usize; LANES],
    count: usize,
) -> [&R; LANES] {
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
fn pair<R: Zeros + ?Sized>(rows: &[&R; LANES], s: S, row: usize, first: usize) -> __m256 {
    let [low, high] = [rows[row], rows[row + QUAD]];
    floats_of(low.four(s, first).combine(high.four(s, first)))
}

#[inline(always)]
pub(super) fn floats_of(words: U) -> __m256 {
    words.bitcast::<F>().into()
}

#[inline(always)]
pub(super) fn words_of(s: S, floats: __m256) -> U {
    F::simd_from(s, floats).bitcast()
}

/// Four words of each row, from one on.
#[inline(always)]
fn quads<R: Zeros + ?Sized>(rows: &[&R; LANES], s: S, first: usize) -> [U; QUAD] {
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
    pub(super) fn transposed(simd: Avx2, pairs: [__m256; 4]) -> [__m256; 4] {
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
pub(super) fn row<R: Zeros + ?Sized>(buffer: &R, first: usize, count: usize) -> &R {
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
        words(self, s, index)
    }
}

/// Rows behind each other, one for each invocation.
pub(super) struct Beside<'a, R: ?Sized>(pub &'a R);

impl<R: Zeros + ?Sized> Rows for Beside<'_, R> {
    #[inline(always)]
    fn lanes(&self, s: S, index: usize) -> U {
        word_of_each(self.0, s, index)
    }
}

/// A row for each, the second of two for those for which the mask holds.
pub(super) struct OneOfTwo<'a, R: ?Sized>(pub [&'a R; 2], pub M);

impl<R: Zeros + ?Sized> Rows for OneOfTwo<'_, R> {
    #[inline(always)]
    fn lanes(&self, s: S, index: usize) -> U {
        let Self([first, second], mask) = self;
        mask.select(of(s, second.word(index)), of(s, first.word(index)))
    }
}
