//! Values, and what stands for them in the tables.

use super::super::Recording;
use super::super::prim::{Sample, Value};
use super::Packed;
use bytemuck::{NoUninit, cast_slice};
use glam::Vec3;
use std::io;

/// Types of values, and bits beside them, as they stand above the 48 bits that are an offset or the value itself.
const ARRAY: u64 = 1 << 63;
pub const INLINED: u64 = 1 << 62;
const BOOL: u64 = 1 << 48;
const INT: u64 = 3 << 48;
const FLOAT: u64 = 8 << 48;
const DOUBLE: u64 = 9 << 48;
pub const STRING: u64 = 10 << 48;
pub const TOKEN: u64 = 11 << 48;
const QUATF: u64 = 17 << 48;
const VEC2F: u64 = 20 << 48;
const VEC3D: u64 = 23 << 48;
const VEC3F: u64 = 24 << 48;
pub const TOKEN_LIST_OP: u64 = 32 << 48;
const PATH_LIST_OP: u64 = 34 << 48;
pub const TOKEN_VECTOR: u64 = 41 << 48;
pub const SPECIFIER: u64 = 42 << 48;
pub const VARIABILITY: u64 = 44 << 48;
const TIME_SAMPLES: u64 = 46 << 48;
const DOUBLE_VECTOR: u64 = 48 << 48;

/// What a list says about a list: these are all items; these stand before weaker ones.
const EXPLICIT: u8 = 0b11;
pub const PREPENDED: u8 = 1 << 5;

impl Packed<'_> {
    /// Samples: where their times are, then their values, each behind how far on it is.
    pub fn samples(&mut self, sample: &Sample, recording: &mut Recording) -> io::Result<u64> {
        let times = match self.times {
            Some(times) => times,
            None => {
                let times: Vec<_> = recording.frames().iter().map(|k| *k as f64).collect();
                let start = self.begin()?;
                self.put_longs(&[times.len() as u64])?;
                self.put_longs(cast_slice(&times))?;
                *self.times.insert(DOUBLE_VECTOR | start)
            }
        };
        let records = 0..recording.frames().len();
        let values = records.map(|record| self.value(&recording.value(record, sample)?));
        let values = values.collect::<io::Result<Vec<_>>>()?;
        let start = self.begin()?;
        self.put_longs(&[8, times, 8, values.len() as u64])?;
        self.put_longs(&values)?;
        Ok(TIME_SAMPLES | start)
    }

    /// What stands for a value, which is written where it does not fit in.
    pub fn value(&mut self, value: &Value) -> io::Result<u64> {
        match value {
            Value::Bool(value) => Ok(BOOL | INLINED | u64::from(*value)),
            Value::Float(x) => Ok(FLOAT | INLINED | u64::from(x.to_bits())),
            Value::Token(token) => Ok(TOKEN | INLINED | u64::from(self.token(token))),
            Value::Tokens(tokens) => Ok(self.names(TOKEN | ARRAY, &[], tokens.iter().copied())?),
            Value::Pair(pair) => self.words(VEC2F, pair),
            Value::Vector(vector) => self.words(VEC3F, &vector.to_array()),
            Value::Rotation(q) => self.words(QUATF, &q.to_array()),
            Value::Place(place) => {
                let start = self.begin()?;
                self.put_longs(&place.as_dvec3().to_array().map(f64::to_bits))?;
                Ok(VEC3D | start)
            }
            Value::Ints(ints) => self.array(INT, ints),
            Value::Floats(floats) => self.array(FLOAT, floats),
            Value::Pairs(pairs) => self.array(VEC2F, pairs),
            Value::Vectors(vectors) => self.array::<Vec3>(VEC3F, vectors),
            Value::Path(_) | Value::Nothing | Value::Samples(_) => unreachable!("no plain values"),
        }
    }

    pub fn double(&mut self, x: f64) -> io::Result<u64> {
        let start = self.begin()?;
        self.put_longs(&[x.to_bits()])?;
        Ok(DOUBLE | start)
    }

    fn words(&mut self, kind: u64, words: &[f32]) -> io::Result<u64> {
        let start = self.begin()?;
        self.put_words(cast_slice(words))?;
        Ok(kind | start)
    }

    fn array<T: NoUninit>(&mut self, kind: u64, items: &[T]) -> io::Result<u64> {
        if items.is_empty() {
            return Ok(kind | ARRAY);
        }
        let start = self.begin()?;
        self.put_longs(&[items.len() as u64])?;
        self.put_words(cast_slice(items))?;
        Ok(kind | ARRAY | start)
    }

    /// A list of tokens behind what is said of it.
    pub fn names<'b>(
        &mut self,
        kind: u64,
        head: &[u8],
        names: impl IntoIterator<Item = &'b str>,
    ) -> io::Result<u64> {
        let names: Vec<_> = names.into_iter().map(|name| self.token(name)).collect();
        let start = self.begin()?;
        self.put(head)?;
        self.put_longs(&[names.len() as u64])?;
        self.put_words(&names)?;
        Ok(kind | start)
    }

    /// A list of one path.
    pub fn path(&mut self, path: &str) -> io::Result<u64> {
        let index = self.paths[path];
        let start = self.begin()?;
        self.put(&[EXPLICIT])?;
        self.put_longs(&[1])?;
        self.put_words(&[index])?;
        Ok(PATH_LIST_OP | start)
    }

    /// Where the next value begins: readers take arrays as they lie if they are aligned.
    pub fn begin(&mut self) -> io::Result<u64> {
        let padding = self.end.next_multiple_of(8) - self.end;
        self.put(&[0; 8][..padding as usize])?;
        Ok(self.end)
    }

    pub fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.end += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn put_words(&mut self, words: &[u32]) -> io::Result<()> {
        let bytes: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
        self.put(bytes.as_flattened())
    }

    pub fn put_longs(&mut self, longs: &[u64]) -> io::Result<()> {
        let bytes: Vec<_> = longs.iter().map(|long| long.to_le_bytes()).collect();
        self.put(bytes.as_flattened())
    }
}
