//! Buffers are rows of 32-bit words. Those that a kernel may write are read and written by several threads at the same
//! time, each word by itself: kernels that race stay defined, as they are in WGSL. Those that it only reads are plain words:
//! whatever it does not need of a structure is not loaded. What lies past a buffer's or an array's end reads as 0 and is not
//! written; where a dispatch is watched, it panics.

use std::ops::{Index, Range, RangeFrom, RangeTo};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::watch::{self, At};

/// An offset past the end of every buffer, also when a few of them and the size of a structure are added up.
pub const NOWHERE: usize = usize::MAX / 16;

/// What has a value of which all bits are 0.
pub trait Zero: Copy {
    /// That one.
    const ZERO: Self;
}

/// A row of words to read.
pub trait Row:
    Index<RangeFrom<usize>, Output = Self> + Index<RangeTo<usize>, Output = Self>
{
    /// How many there are.
    fn count(&self) -> usize;
    /// Some of them, where there are so many.
    fn part(&self, words: Range<usize>) -> Option<&Self>;
    /// One of them.
    fn word(&self, index: usize) -> u32;
    /// Says that all are read. Those that nobody writes cannot race.
    fn accessed(&self, at: &'static At);
}

macro_rules! row {
    ($($word:ty: $load:expr, $accessed:expr;)*) => {
        $(impl Row for [$word] {
            #[inline(always)]
            fn count(&self) -> usize {
                self.len()
            }

            #[inline(always)]
            fn part(&self, words: Range<usize>) -> Option<&Self> {
                self.get(words)
            }

            #[inline(always)]
            fn word(&self, index: usize) -> u32 {
                $load(&self[index])
            }

            #[inline(always)]
            fn accessed(&self, at: &'static At) {
                $accessed(self, at);
            }
        })*
    };
}
row! {
    u32: |word: &u32| *word, |_, _| {};
    AtomicU32: |word: &AtomicU32| word.load(Relaxed), |words, at| watch::access(words, at, false);
}

/// What fills one word.
pub trait Word: Zero {
    /// Of the word's bits.
    fn from_word(word: u32) -> Self;
    /// Its bits.
    fn to_word(self) -> u32;
}

macro_rules! word {
    ($($type:ident: $zero:literal, $from:expr, $to:expr;)*) => {
        $(impl Zero for $type {
            const ZERO: Self = $zero;
        }

        impl Word for $type {
            #[inline(always)]
            fn from_word(word: u32) -> Self {
                $from(word)
            }

            #[inline(always)]
            fn to_word(self) -> u32 {
                $to(self)
            }
        }

        impl Stored for $type {
            const WORDS: usize = 1;
            const ALIGN: usize = 1;

            #[inline(always)]
            fn read(words: &(impl Row + ?Sized)) -> Self {
                Self::from_word(words.word(0))
            }

            #[inline(always)]
            fn write(self, words: &[AtomicU32]) {
                words[0].store(self.to_word(), Relaxed);
            }
        })*
    };
}
word! {
    f32: 0.0, f32::from_bits, f32::to_bits;
    i32: 0, |word| word as i32, |value| value as u32;
    u32: 0, |word| word, |value| value;
}

impl Zero for bool {
    const ZERO: Self = false;
}

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// What lies in buffers as WGSL lays it out.
pub trait Stored: Zero {
    /// Words that it takes.
    const WORDS: usize;
    /// It begins at a multiple of so many words.
    const ALIGN: usize;
    /// Words from one to the next in an array.
    const STRIDE: usize = Self::WORDS.next_multiple_of(Self::ALIGN);

    /// Reads it from the words' start.
    fn read(words: &(impl Row + ?Sized)) -> Self;
    /// Writes it to the words' start.
    fn write(self, words: &[AtomicU32]);
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    const WORDS: usize = N * T::STRIDE;
    const ALIGN: usize = T::ALIGN;

    #[inline(always)]
    fn read(words: &(impl Row + ?Sized)) -> Self {
        std::array::from_fn(|element| T::read(&words[element * T::STRIDE..]))
    }

    #[inline(always)]
    fn write(self, words: &[AtomicU32]) {
        for (element, value) in self.into_iter().enumerate() {
            value.write(&words[element * T::STRIDE..]);
        }
    }
}

/// What lies at this word.
#[inline(always)]
pub fn load<T: Stored>(buffer: &(impl Row + ?Sized), first: usize, at: &'static At) -> T {
    words(buffer, first, T::WORDS, at).map_or(T::ZERO, |words| {
        words.accessed(at);
        T::read(words)
    })
}

/// Puts a value at this word.
#[inline(always)]
pub fn store<T: Stored>(buffer: &[AtomicU32], first: usize, value: T, at: &'static At) {
    if let Some(words) = words(buffer, first, T::WORDS, at) {
        watch::access(words, at, true);
        value.write(words);
    }
}

/// The word at this place, for atomic functions.
#[inline(always)]
pub fn cell<'a>(buffer: &'a [AtomicU32], first: usize, at: &'static At) -> Option<&'a AtomicU32> {
    words(buffer, first, 1, at).map(|words| &words[0])
}

#[inline(always)]
fn words<'a, R: Row + ?Sized>(
    buffer: &'a R,
    first: usize,
    count: usize,
    at: &'static At,
) -> Option<&'a R> {
    let words = buffer.part(first..first + count);
    if words.is_none() {
        watch::outside(at, "word", first + count - 1, buffer.count());
    }
    words
}

/// Words before an element of an array of a fixed length that lies in a buffer.
#[inline(always)]
pub fn element(index: u32, count: u32, stride: usize, at: &'static At) -> usize {
    inside((index < count).then_some(index as usize * stride), index, count as usize, at)
        .unwrap_or(NOWHERE)
}

/// Elements of the array that the buffer's rest is.
#[inline(always)]
pub fn array_length(buffer: &(impl Row + ?Sized), first: usize, stride: usize) -> u32 {
    (buffer.count().saturating_sub(first) / stride) as u32
}

/// An element of an array that is no buffer.
#[inline(always)]
pub fn at<T: Zero, const N: usize>(array: &[T; N], index: u32, at: &'static At) -> T {
    inside(array.get(index as usize), index, N, at).copied().unwrap_or(T::ZERO)
}

/// What was found of this index in an array of so many.
#[inline(always)]
pub fn inside<T>(found: Option<T>, index: u32, count: usize, at: &'static At) -> Option<T> {
    if found.is_none() {
        watch::outside(at, "element", index as usize, count);
    }
    found
}

/// A value in the memory of a workgroup, if it is there.
#[inline(always)]
pub fn get<T: Zero>(place: Option<&mut T>, at: &'static At) -> T {
    place.map_or(T::ZERO, |place| {
        watch::access(std::slice::from_ref(place), at, false);
        *place
    })
}

/// Puts a value into the memory of a workgroup, if it is there.
#[inline(always)]
pub fn put<T>(place: Option<&mut T>, value: T, at: &'static At) {
    if let Some(place) = place {
        watch::access(std::slice::from_ref(place), at, true);
        *place = value;
    }
}

/// An index that the array has, for pointers to its elements: the last for those that it has not.
#[inline(always)]
pub fn within(index: u32, count: usize, at: &'static At) -> usize {
    let index_of = ((index as usize) < count).then_some(index as usize);
    inside(index_of, index, count, at).unwrap_or(count - 1)
}
