//! The data arrays of a VTK file.

use crate::mesh::io::Told;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use std::io::Read;

/// An array's numbers.
pub enum Array {
    Floats(Vec<f64>),
    Integers(Vec<i64>),
}

impl Array {
    /// The numbers, exact up to 2⁵³ when they are integers.
    pub fn floats(self) -> Vec<f64> {
        match self {
            Self::Floats(values) => values,
            Self::Integers(values) => values.into_iter().map(|x| x as f64).collect(),
        }
    }

    /// The numbers when they are integers.
    pub fn integers(self) -> Told<Vec<i64>> {
        match self {
            Self::Integers(values) => Ok(values),
            Self::Floats(_) => Err("an array of cells holds floats, wanted integers".into()),
        }
    }
}

/// Where an array's numbers are.
pub enum Encoding<'a> {
    /// Written out in the element.
    Text(&'a str),
    /// In the element, as base64.
    Inline(&'a str),
    /// So many bytes into the appended data.
    Appended(usize),
}

/// What all arrays of a file share.
pub struct Arrays<'a> {
    pub big_endian: bool,
    /// Sizes before the data are of 8 bytes, not 4.
    pub wide_header: bool,
    pub compressed: bool,
    pub appended: &'a [u8],
    /// The appended data are base64, not raw.
    pub base64: bool,
    /// Bytes of the file that no array has used yet: arrays that overlap could make a small file endlessly large.
    pub left: usize,
    /// Bytes that may still come out of compressed blocks.
    pub room: usize,
}

/// What the compressed blocks of a file of this length may grow to. Regular lattices shrink a hundredfold; deflate
/// itself could do a thousandfold.
pub fn room(length: usize) -> usize {
    length.saturating_mul(256).saturating_add(1 << 20)
}

impl Arrays<'_> {
    /// The numbers of an array of VTK's type `kind`.
    pub fn decode(&mut self, kind: &str, encoding: Encoding) -> Told<Array> {
        let kind = Kind::parse(kind)?;
        let mut stream = match encoding {
            Encoding::Text(text) => {
                self.spend(text.len())?;
                return kind.parse_text(text);
            }
            Encoding::Inline(text) => Stream::new(text.as_bytes(), true),
            Encoding::Appended(offset) => {
                let data =
                    self.appended.get(offset..).ok_or("the offset is beyond the appended data")?;
                Stream::new(data, self.base64)
            }
        };
        let bytes =
            if self.compressed { self.blocks(&mut stream)? } else { self.plain(&mut stream)? };
        self.spend(stream.used)?;
        kind.convert(&bytes, self.big_endian)
    }

    fn spend(&mut self, bytes: usize) -> Told<()> {
        self.left = self.left.checked_sub(bytes).ok_or("arrays overlap")?;
        Ok(())
    }

    /// A size before the data.
    fn size(&self, stream: &mut Stream) -> Told<usize> {
        let mut bytes = stream.take(if self.wide_header { 8 } else { 4 })?;
        if self.big_endian {
            bytes.reverse();
        }
        bytes.resize(8, 0);
        let size = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        usize::try_from(size).map_err(|_| format!("a size of {size} bytes"))
    }

    fn plain(&self, stream: &mut Stream) -> Told<Vec<u8>> {
        let size = self.size(stream)?;
        stream.take(size)
    }

    /// Compressed data: the number of blocks, the size of each but the last, the size of the last (0: like the
    /// others), the compressed sizes, then the blocks.
    fn blocks(&mut self, stream: &mut Stream) -> Told<Vec<u8>> {
        let (count, each, last) = (self.size(stream)?, self.size(stream)?, self.size(stream)?);
        let mut sizes = Vec::new();
        for _ in 0..count {
            sizes.push(self.size(stream)?);
        }
        let mut bytes = Vec::new();
        for (i, size) in sizes.into_iter().enumerate() {
            let want = if i + 1 == count && last > 0 { last } else { each };
            self.room = self
                .room
                .checked_sub(want)
                .ok_or("the compressed data would grow more than 256 times")?;
            let block = stream.take(size)?;
            let before = bytes.len();
            // One byte more than wanted tells a block that is too long.
            let read =
                ZlibDecoder::new(block.as_slice()).take(want as u64 + 1).read_to_end(&mut bytes);
            read.map_err(|error| format!("compressed block {i}: {error}"))?;
            if bytes.len() - before != want {
                let got = bytes.len() - before;
                return Err(format!("compressed block {i} has {got} bytes, wanted {want}"));
            }
        }
        Ok(bytes)
    }
}

/// Bytes, raw or as base64, taken from the front.
struct Stream<'a> {
    rest: &'a [u8],
    base64: bool,
    /// Decoded but not taken: base64 comes three bytes at a time.
    pending: Vec<u8>,
    used: usize,
}

impl<'a> Stream<'a> {
    fn new(data: &'a [u8], base64: bool) -> Self {
        Self { rest: data, base64, pending: Vec::new(), used: 0 }
    }

    fn take(&mut self, count: usize) -> Told<Vec<u8>> {
        let available = self.pending.len() + self.rest.len();
        if count > available {
            let most = format!("no more than {available} here");
            return Err(format!("{count} bytes of data, the file has {most}"));
        }
        if !self.base64 {
            let (taken, rest) = self.rest.split_at(count);
            self.rest = rest;
            self.used += count;
            return Ok(taken.to_vec());
        }
        while self.pending.len() < count {
            self.decode_group()?;
        }
        let rest = self.pending.split_off(count);
        Ok(std::mem::replace(&mut self.pending, rest))
    }

    /// Four characters of base64, white space skipped.
    fn decode_group(&mut self) -> Told<()> {
        let mut group = [0; 4];
        for slot in &mut group {
            self.used += 1;
            *slot = loop {
                match self.rest.split_first() {
                    Some((c, rest)) => {
                        self.rest = rest;
                        if !c.is_ascii_whitespace() {
                            break *c;
                        }
                    }
                    None => return Err("the base64 data end too early".into()),
                }
            };
        }
        let mut bytes = [0; 3];
        let count = STANDARD
            .decode_slice(group, &mut bytes)
            .map_err(|_| format!("`{}` is not base64", group.escape_ascii()))?;
        self.pending.extend_from_slice(&bytes[..count]);
        Ok(())
    }
}

/// VTK's number types.
#[derive(Clone, Copy)]
enum Kind {
    Float(usize),
    Signed(usize),
    Unsigned(usize),
}

impl Kind {
    fn parse(name: &str) -> Told<Self> {
        Ok(match name {
            "Float32" => Self::Float(4),
            "Float64" => Self::Float(8),
            "Int8" => Self::Signed(1),
            "Int16" => Self::Signed(2),
            "Int32" => Self::Signed(4),
            "Int64" => Self::Signed(8),
            "UInt8" => Self::Unsigned(1),
            "UInt16" => Self::Unsigned(2),
            "UInt32" => Self::Unsigned(4),
            "UInt64" => Self::Unsigned(8),
            other => {
                let kind = super::shortened(other);
                return Err(format!("type is `{kind}`, wanted Float32, Int64 or the like"));
            }
        })
    }

    fn parse_text(self, text: &str) -> Told<Array> {
        fn numbers<T: std::str::FromStr>(text: &str) -> Told<Vec<T>> {
            let fault =
                |word: &str| format!("`{}` is not a number of its type", super::shortened(word));
            let number = |word: &str| word.parse().map_err(|_| fault(word));
            text.split_ascii_whitespace().map(number).collect()
        }
        match self {
            Self::Float(_) => numbers(text).map(Array::Floats),
            _ => numbers(text).map(Array::Integers),
        }
    }

    fn convert(self, bytes: &[u8], big_endian: bool) -> Told<Array> {
        let (Self::Float(size) | Self::Signed(size) | Self::Unsigned(size)) = self;
        if !bytes.len().is_multiple_of(size) {
            return Err(format!("{} bytes, wanted a multiple of {size}", bytes.len()));
        }
        // The number in the high bytes, so that a shift down extends its sign.
        let numbers = bytes.chunks_exact(size).map(|chunk| {
            let mut wide = [0; 8];
            wide[8 - size..].copy_from_slice(chunk);
            if big_endian {
                wide[8 - size..].reverse();
            }
            u64::from_le_bytes(wide)
        });
        let shift = 64 - 8 * size;
        Ok(match self {
            Self::Float(4) => {
                Array::Floats(numbers.map(|x| f32::from_bits((x >> shift) as u32).into()).collect())
            }
            Self::Float(_) => Array::Floats(numbers.map(f64::from_bits).collect()),
            Self::Signed(_) => Array::Integers(numbers.map(|x| x as i64 >> shift).collect()),
            Self::Unsigned(_) => Array::Integers(numbers.map(|x| (x >> shift) as i64).collect()),
        })
    }
}
