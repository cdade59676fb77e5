//! What stands behind the values: the tables, the list of them, and at the start where that is.

use super::Packed;
use bytemuck::cast_slice;
use std::io::{self, SeekFrom};

/// What opens the file.
const MAGIC: [u8; 8] = *b"PXR-USDC";
const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];

impl Packed<'_> {
    pub fn tables(&mut self) -> io::Result<()> {
        let tables = [
            ("TOKENS", self.token_table()),
            ("STRINGS", self.string_table()),
            ("FIELDS", self.field_table()),
            ("FIELDSETS", table(self.sets.len(), &[coded(cast_slice(&self.sets))])),
            ("PATHS", self.path_table()),
            ("SPECS", self.spec_table()),
        ];
        let mut list = long(tables.len()).to_vec();
        for (name, bytes) in &tables {
            let start = self.begin()?;
            self.put(bytes)?;
            let mut room = [0; 16];
            room[..name.len()].copy_from_slice(name.as_bytes());
            list.extend([&room[..], &start.to_le_bytes(), &long(bytes.len())].concat());
        }
        let start = self.begin()?;
        self.put(&list)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.put(&MAGIC)?;
        self.put(&VERSION)?;
        self.put_longs(&[start])
    }

    fn token_table(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for token in &self.tokens {
            text.extend_from_slice(token.as_bytes());
            text.push(0);
        }
        [&long(self.tokens.len())[..], &long(text.len()), &compressed(&text)].concat()
    }

    fn string_table(&self) -> Vec<u8> {
        let tokens = self.strings.iter().flat_map(|token| token.to_le_bytes());
        long(self.strings.len()).into_iter().chain(tokens).collect()
    }

    fn field_table(&self) -> Vec<u8> {
        let names: Vec<_> = self.fields.iter().map(|(name, _)| *name as i32).collect();
        let values = self.fields.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
        table(names.len(), &[coded(&names), values])
    }

    fn path_table(&self) -> Vec<u8> {
        let count = self.elements.len();
        let parts = [numbers(count), coded(&self.elements), coded(&self.jumps)];
        // How many there are, and how many are coded.
        [&long(count)[..], &table(count, &parts)].concat()
    }

    fn spec_table(&self) -> Vec<u8> {
        let part =
            |k: usize| coded(&self.specs.iter().map(|spec| spec[k] as i32).collect::<Vec<_>>());
        let count = self.specs.len();
        table(count, &[numbers(count), part(0), part(1)])
    }
}

/// A count, then parts that are compressed.
fn table(count: usize, parts: &[Vec<u8>]) -> Vec<u8> {
    let parts = parts.iter().flat_map(|part| compressed(part));
    long(count).into_iter().chain(parts).collect()
}

fn long(count: usize) -> [u8; 8] {
    (count as u64).to_le_bytes()
}

/// How long it is, then one block of LZ4 that is all literals.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    // 0: not in several blocks.
    let mut block = vec![0];
    match bytes.len().checked_sub(15) {
        None => block.push((bytes.len() as u8) << 4),
        Some(more) => {
            block.push(15 << 4);
            block.resize(block.len() + more / 255, 255);
            block.push((more % 255) as u8);
        }
    }
    block.extend_from_slice(bytes);
    [&long(block.len())[..], &block].concat()
}

/// 0, 1, 2, …, coded.
fn numbers(count: usize) -> Vec<u8> {
    coded(&(0..count as i32).collect::<Vec<_>>())
}

/// Integers by their differences: the commonest, two bits for each (0: it is the commonest; 1, 2, 3: it is the next of one,
/// two or four bytes), these bytes.
fn coded(ints: &[i32]) -> Vec<u8> {
    const COMMONEST: i32 = 1;
    let (mut kinds, mut rest) = (vec![0_u8; ints.len().div_ceil(4)], Vec::new());
    let mut last = 0_i32;
    for (i, int) in ints.iter().enumerate() {
        let more = int.wrapping_sub(last);
        last = *int;
        let kind = if more == COMMONEST {
            0
        } else if let Ok(byte) = i8::try_from(more) {
            rest.extend(byte.to_le_bytes());
            1
        } else if let Ok(short) = i16::try_from(more) {
            rest.extend(short.to_le_bytes());
            2
        } else {
            rest.extend(more.to_le_bytes());
            3
        };
        kinds[i / 4] |= kind << (2 * (i % 4));
    }
    [&COMMONEST.to_le_bytes()[..], &kinds, &rest].concat()
}
