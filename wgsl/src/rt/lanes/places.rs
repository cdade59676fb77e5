//! Where values are written, one for each invocation.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, u32x4};

use super::memory::Stored;
use super::rows::{QUAD, floats_of, transposed, words_of};
use super::{LANES, M, S, U, shared};

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

    #[inline(always)]
    fn put_four(&mut self, index: usize, words: [U; QUAD]) {
        let rows = in_rows(words);
        let mut lane = 0;
        while lane < LANES {
            if let Some(row) = self.0[lane] {
                let row = row[index..].first_chunk().expect("as many as the value has");
                shared::put_four(row, of_lane(&rows, lane).bitcast::<f32x4<S>>().into());
            }
            lane += 1;
        }
    }
}

/// Words behind each other, one of each invocation.
struct Neighbours<'a>(&'a [AtomicU32; LANES]);

impl Places for Neighbours<'_> {
    #[inline(always)]
    fn put(&mut self, _: usize, words: U) {
        shared::put_eight(words.token(), self.0, floats_of(words));
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
        let rows = in_rows(words);
        let mut lane = 0;
        while lane < LANES {
            let first = self.first[lane] + index;
            if self.lanes >> lane & 1 == 1
                && let Some(row) = self.words.get_mut(first..first + QUAD)
            {
                let of_lane: [u32; QUAD] = of_lane(&rows, lane).into();
                row.copy_from_slice(&of_lane);
            }
            lane += 1;
        }
    }
}

/// Four words of each invocation, those of 0 and 4, 1 and 5, 2 and 6, 3 and 7 behind each other.
#[inline(always)]
fn in_rows(words: [U; QUAD]) -> [U; QUAD] {
    let s = words[0].token();
    let [a, b, c, d] = words;
    let rows = transposed(s, [floats_of(a), floats_of(b), floats_of(c), floats_of(d)]);
    let [a, b, c, d] = rows;
    [words_of(s, a), words_of(s, b), words_of(s, c), words_of(s, d)]
}

/// Those of one.
#[inline(always)]
fn of_lane(rows: &[U; QUAD], lane: usize) -> u32x4<S> {
    let (low, high) = rows[lane % QUAD].split();
    if lane < QUAD { low } else { high }
}

/// What can be written.
pub trait Target: Sized {
    /// Puts values at these words, for the invocations for which the mask holds.
    fn write<T: Stored>(self, mask: M, first: [usize; LANES], value: T);

    /// Puts values of one word each behind each other, if there is room.
    fn write_neighbours<T: Stored>(&self, first: usize, value: T) -> bool;
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

    #[inline(always)]
    fn write_neighbours<T: Stored>(&self, first: usize, value: T) -> bool {
        let row = self.get(first..).and_then(|rest| rest.first_chunk());
        row.is_some_and(|row| {
            value.write(&mut Neighbours(row), 0);
            true
        })
    }
}

impl Target for &mut [u32] {
    #[inline(always)]
    fn write<T: Stored>(self, mask: M, first: [usize; LANES], value: T) {
        value.write(&mut Own { words: self, first, lanes: mask.to_bitmask() }, 0);
    }

    #[inline(always)]
    fn write_neighbours<T: Stored>(&self, _: usize, _: T) -> bool {
        false
    }
}

/// Words behind each other.
#[inline(always)]
pub(super) fn put_each<const N: usize>(
    places: &mut (impl Places + ?Sized),
    first: usize,
    words: [U; N],
) {
    let mut k = 0;
    while k < N {
        places.put(first + k, words[k]);
        k += 1;
    }
}
