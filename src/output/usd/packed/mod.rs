//! The binary encoding, `.usdc`: version 0.8 of what OpenUSD calls a crate file.
//!
//! Values lie one behind the other; six tables behind them say what they are of, and a list at the end where the tables
//! lie. Tables go through a coding of integers and LZ4 in the format; here LZ4 is given literals alone, as tables are small
//! beside the values, and those are floats, which it leaves as they are.
//!
//! `values` writes what properties are, `tables` all behind that.

mod tables;
mod values;

use super::Recording;
use super::prim::{Prim, Property, Stage, Value};
use crate::file::Sink;
use std::collections::HashMap;
use std::io;
use values::{
    INLINED, PREPENDED, SPECIFIER, STRING, TOKEN, TOKEN_LIST_OP, TOKEN_VECTOR, VARIABILITY,
};

/// Bytes of what opens the file: its magic number and version, where the list of tables is, and 64 that are reserved.
const HEAD: usize = 88;

/// Kinds of specifications.
const ATTRIBUTE: u32 = 1;
const PRIM: u32 = 6;
const ROOT: u32 = 7;
const RELATIONSHIP: u32 = 8;

/// What stands behind a path in the table of paths: its first child alone; its sibling alone; neither. Else how far on its
/// sibling is, with its first child between.
const JUMP_CHILD: i32 = -1;
const JUMP_SIBLING: i32 = 0;
const JUMP_NONE: i32 = -2;

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
}
