//! The binary encoding, `.usdc`: version 0.8 of what OpenUSD calls a crate file.
//!
//! Values lie one behind the other; six tables behind them say what they are of, and a list at the end where the tables
//! lie. Tables go through a coding of integers and LZ4 in the format; here LZ4 is given literals alone, as tables are small
//! beside the values, and those are floats, which it leaves as they are.

use super::Recording;
use super::prim::{Prim, Property, Sample, Stage, Value};
use crate::file::Sink;
use bytemuck::{NoUninit, cast_slice};
use glam::Vec3;
use std::collections::HashMap;
use std::io::{self, SeekFrom};

const MAGIC: [u8; 8] = *b"PXR-USDC";
const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];
/// Bytes of what opens the file: both of these, where the list of tables is, and 64 that are reserved.
const HEAD: usize = 88;

/// Types of values, and bits beside them, as they stand above the 48 bits that are an offset or the value itself.
const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const BOOL: u64 = 1 << 48;
const INT: u64 = 3 << 48;
const FLOAT: u64 = 8 << 48;
const DOUBLE: u64 = 9 << 48;
const STRING: u64 = 10 << 48;
const TOKEN: u64 = 11 << 48;
const QUATF: u64 = 17 << 48;
const VEC2F: u64 = 20 << 48;
const VEC3D: u64 = 23 << 48;
const VEC3F: u64 = 24 << 48;
const TOKEN_LIST_OP: u64 = 32 << 48;
const PATH_LIST_OP: u64 = 34 << 48;
const TOKEN_VECTOR: u64 = 41 << 48;
const SPECIFIER: u64 = 42 << 48;
const VARIABILITY: u64 = 44 << 48;
const TIME_SAMPLES: u64 = 46 << 48;
const DOUBLE_VECTOR: u64 = 48 << 48;

/// What a list says about a list: these are all items; these stand before weaker ones.
const EXPLICIT: u8 = 0b11;
const PREPENDED: u8 = 1 << 5;

/// Kinds of specifications.
const ATTRIBUTE: u32 = 1;
const PRIM: u32 = 6;
const ROOT: u32 = 7;
const RELATIONSHIP: u32 = 8;

/// Writes a whole file.
pub fn write(out: &mut dyn Sink, stage: &Stage, recording: &mut Recording) -> io::Result<()> {
    let mut file = Packed::new(out);
    file.put(&[0; HEAD])?;
    file.paths.insert("/".into(), 0);
    // The root is the only one without a name, and has one child.
    let nameless = file.token("");
    file.elements.push(nameless as i32);
    file.jumps.push(JUMP_CHILD);
    file.number(&stage.root, format!("/{}", stage.root.name), false);
    file.root(stage)?;
    file.prim(&stage.root, recording)?;
    file.tables()
}

/// What stands behind a path in the table of paths: its first child alone; its sibling alone; neither. Else how far on its
/// sibling is, with its first child between.
const JUMP_CHILD: i32 = -1;
const JUMP_SIBLING: i32 = 0;
const JUMP_NONE: i32 = -2;

/// A file while it is written.
struct Packed<'a> {
    out: &'a mut dyn Sink,
    /// How long it is.
    end: u64,
    tokens: Vec<String>,
    by_token: HashMap<String, u32>,
    /// Tokens that are the strings.
    strings: Vec<u32>,
    /// The numbers of prims and properties, depth first, properties before children.
    paths: HashMap<String, u32>,
    /// Their names as tokens, of properties negative.
    elements: Vec<i32>,
    jumps: Vec<i32>,
    /// A name and a value each.
    fields: Vec<(u32, u64)>,
    /// Numbers of fields; `u32::MAX` ends a set.
    sets: Vec<u32>,
    /// Of each path where its set begins, and what it is.
    specs: Vec<[u32; 2]>,
    /// Where the times of samples are.
    times: Option<u64>,
}

impl<'a> Packed<'a> {
    fn new(out: &'a mut dyn Sink) -> Self {
        Self {
            out,
            end: 0,
            tokens: Vec::new(),
            by_token: HashMap::new(),
            strings: Vec::new(),
            paths: HashMap::new(),
            elements: Vec::new(),
            jumps: Vec::new(),
            fields: Vec::new(),
            sets: Vec::new(),
            specs: Vec::new(),
            times: None,
        }
    }

    fn token(&mut self, name: &str) -> u32 {
        if let Some(index) = self.by_token.get(name) {
            return *index;
        }
        let index = self.tokens.len() as u32;
        self.tokens.push(name.into());
        self.by_token.insert(name.into(), index);
        index
    }

    /// Gives a prim and what is below it their numbers.
    fn number(&mut self, prim: &Prim, path: String, has_sibling: bool) {
        let index = self.elements.len();
        let name = self.token(&prim.name) as i32;
        self.elements.push(name);
        self.jumps.push(JUMP_NONE);
        let mut more = prim.properties.len() + prim.children.len();
        let has_child = more > 0;
        for property in &prim.properties {
            more -= 1;
            self.paths.insert(format!("{path}.{}", property.name), self.elements.len() as u32);
            let name = self.token(property.name) as i32;
            self.elements.push(-name);
            self.jumps.push(if more > 0 { JUMP_SIBLING } else { JUMP_NONE });
        }
        for child in &prim.children {
            more -= 1;
            self.number(child, format!("{path}/{}", child.name), more > 0);
        }
        self.jumps[index] = match (has_child, has_sibling) {
            (true, true) => (self.elements.len() - index) as i32,
            (true, false) => JUMP_CHILD,
            (false, true) => JUMP_SIBLING,
            (false, false) => JUMP_NONE,
        };
        self.paths.insert(path, index as u32);
    }

    fn root(&mut self, stage: &Stage) -> io::Result<()> {
        let name = self.token(&stage.root.name);
        let up = self.token("Y");
        let [first, last] = stage.frames.map(|frame| frame as f64);
        let fields = [
            ("defaultPrim", TOKEN | INLINED | u64::from(name)),
            ("startTimeCode", self.double(first)?),
            ("endTimeCode", self.double(last)?),
            ("framesPerSecond", self.double(stage.fps)?),
            ("timeCodesPerSecond", self.double(stage.fps)?),
            ("metersPerUnit", self.double(1.0)?),
            ("upAxis", TOKEN | INLINED | u64::from(up)),
            ("primChildren", self.names(TOKEN_VECTOR, &[], [stage.root.name.as_str()])?),
        ];
        self.spec(ROOT, &fields);
        Ok(())
    }

    fn prim(&mut self, prim: &Prim, recording: &mut Recording) -> io::Result<()> {
        let kind = self.token(prim.kind);
        let mut fields = vec![
            // 0: it defines what it says.
            ("specifier", SPECIFIER | INLINED),
            ("typeName", TOKEN | INLINED | u64::from(kind)),
        ];
        if !prim.schemas.is_empty() {
            let schemas = prim.schemas.iter().copied();
            fields.push(("apiSchemas", self.names(TOKEN_LIST_OP, &[PREPENDED], schemas)?));
        }
        if let Some(name) = &prim.display_name {
            let token = self.token(name);
            fields.push(("displayName", STRING | INLINED | self.strings.len() as u64));
            self.strings.push(token);
        }
        if !prim.properties.is_empty() {
            let names = prim.properties.iter().map(|property| property.name);
            fields.push(("properties", self.names(TOKEN_VECTOR, &[], names)?));
        }
        if !prim.children.is_empty() {
            let names = prim.children.iter().map(|child| child.name.as_str());
            fields.push(("primChildren", self.names(TOKEN_VECTOR, &[], names)?));
        }
        self.spec(PRIM, &fields);
        for property in &prim.properties {
            self.property(property, recording)?;
        }
        prim.children.iter().try_for_each(|child| self.prim(child, recording))
    }

    fn property(&mut self, property: &Property, recording: &mut Recording) -> io::Result<()> {
        let is_relationship = property.kind == "rel";
        let mut fields = Vec::new();
        if !is_relationship {
            let kind = self.token(property.kind);
            fields.push(("typeName", TOKEN | INLINED | u64::from(kind)));
        }
        if is_relationship || property.is_uniform {
            fields.push(("variability", VARIABILITY | INLINED | 1));
        }
        if let Some(interpolation) = property.interpolation {
            let interpolation = self.token(interpolation);
            fields.push(("interpolation", TOKEN | INLINED | u64::from(interpolation)));
        }
        match &property.value {
            Value::Nothing => (),
            Value::Path(path) => {
                let name = if is_relationship { "targetPaths" } else { "connectionPaths" };
                fields.push((name, self.path(path)?));
            }
            Value::Samples(sample) => {
                fields.push(("timeSamples", self.samples(sample, recording)?))
            }
            value => fields.push(("default", self.value(value)?)),
        }
        self.spec(if is_relationship { RELATIONSHIP } else { ATTRIBUTE }, &fields);
        Ok(())
    }

    /// Says what the next path is.
    fn spec(&mut self, kind: u32, fields: &[(&str, u64)]) {
        self.specs.push([self.sets.len() as u32, kind]);
        for (name, value) in fields {
            let name = self.token(name);
            self.sets.push(self.fields.len() as u32);
            self.fields.push((name, *value));
        }
        self.sets.push(u32::MAX);
    }

    /// Samples: where their times are, then their values, each behind how far on it is.
    fn samples(&mut self, sample: &Sample, recording: &mut Recording) -> io::Result<u64> {
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
    fn value(&mut self, value: &Value) -> io::Result<u64> {
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

    fn double(&mut self, x: f64) -> io::Result<u64> {
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
    fn names<'b>(
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
    fn path(&mut self, path: &str) -> io::Result<u64> {
        let index = self.paths[path];
        let start = self.begin()?;
        self.put(&[EXPLICIT])?;
        self.put_longs(&[1])?;
        self.put_words(&[index])?;
        Ok(PATH_LIST_OP | start)
    }

    /// The tables, the list of them, and where that is.
    fn tables(&mut self) -> io::Result<()> {
        let mut list = Vec::new();
        let mut text: Vec<u8> = Vec::new();
        for token in &self.tokens {
            text.extend_from_slice(token.as_bytes());
            text.push(0);
        }
        let start = self.begin()?;
        self.put_longs(&[self.tokens.len() as u64, text.len() as u64])?;
        self.put_compressed(&text)?;
        list.push(("TOKENS", start, self.end));

        let start = self.begin()?;
        let strings = std::mem::take(&mut self.strings);
        self.put_longs(&[strings.len() as u64])?;
        self.put_words(&strings)?;
        list.push(("STRINGS", start, self.end));

        let start = self.begin()?;
        let (names, values): (Vec<_>, Vec<_>) =
            self.fields.iter().map(|(name, value)| (*name as i32, value.to_le_bytes())).unzip();
        self.put_longs(&[names.len() as u64])?;
        self.put_compressed(&coded(&names))?;
        self.put_compressed(values.as_flattened())?;
        list.push(("FIELDS", start, self.end));

        let start = self.begin()?;
        let sets = coded(cast_slice(&self.sets));
        self.put_longs(&[self.sets.len() as u64])?;
        self.put_compressed(&sets)?;
        list.push(("FIELDSETS", start, self.end));

        let start = self.begin()?;
        let count = self.elements.len() as u64;
        let numbers: Vec<_> = (0..count as i32).collect();
        let (elements, jumps) = (coded(&self.elements), coded(&self.jumps));
        self.put_longs(&[count, count])?;
        for ints in [coded(&numbers), elements, jumps] {
            self.put_compressed(&ints)?;
        }
        list.push(("PATHS", start, self.end));

        let start = self.begin()?;
        let [sets, kinds] =
            [0, 1].map(|k| self.specs.iter().map(|spec| spec[k] as i32).collect::<Vec<_>>());
        self.put_longs(&[count])?;
        for ints in [numbers, sets, kinds] {
            self.put_compressed(&coded(&ints))?;
        }
        list.push(("SPECS", start, self.end));

        let start = self.begin()?;
        self.put_longs(&[list.len() as u64])?;
        for (name, start, end) in list {
            let mut room = [0; 16];
            room[..name.len()].copy_from_slice(name.as_bytes());
            self.put(&room)?;
            self.put_longs(&[start, end - start])?;
        }
        self.out.seek(SeekFrom::Start(0))?;
        self.put(&MAGIC)?;
        self.put(&VERSION)?;
        self.put_longs(&[start])
    }

    /// Where the next value begins: readers take arrays as they lie if they are aligned.
    fn begin(&mut self) -> io::Result<u64> {
        let padding = self.end.next_multiple_of(8) - self.end;
        self.put(&[0; 8][..padding as usize])?;
        Ok(self.end)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.end += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn put_words(&mut self, words: &[u32]) -> io::Result<()> {
        let bytes: Vec<_> = words.iter().map(|word| word.to_le_bytes()).collect();
        self.put(bytes.as_flattened())
    }

    fn put_longs(&mut self, longs: &[u64]) -> io::Result<()> {
        let bytes: Vec<_> = longs.iter().map(|long| long.to_le_bytes()).collect();
        self.put(bytes.as_flattened())
    }

    /// How long it is, then one block of LZ4 that is all literals.
    fn put_compressed(&mut self, bytes: &[u8]) -> io::Result<()> {
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
        self.put_longs(&[block.len() as u64])?;
        self.put(&block)
    }
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
