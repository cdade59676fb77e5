//! Kernels are plain WGSL files. A line `#import shared/solids` is replaced by that file, once per kernel;
//! `#import consts` by the constants that Rust and WGSL share, `#import types` by these and the structs, `#import content`
//! by what a world holds.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Content, types};

/// One WGSL file of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its path below `wgsl/`, without the ending.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

// `SOURCES`, all of them by path: build.rs lists the folder.
include!(concat!(env!("OUT_DIR"), "/sources.rs"));

#[cfg(feature = "verify")]
/// All WGSL files.
#[must_use]
pub fn sources() -> &'static [Source] {
    SOURCES
}

#[cfg(feature = "verify")]
/// The names of all compute kernels, in the order of the file list.
#[must_use]
pub fn kernel_names() -> Vec<&'static str> {
    SOURCES
        .iter()
        .filter(|source| source.text.contains("@compute"))
        .map(|source| source.name())
        .collect()
}

#[cfg(feature = "verify")]
/// The names of all kernels and drawing shaders: of every file with an entry point.
#[must_use]
pub fn shader_names() -> Vec<&'static str> {
    let enters =
        |source: &&Source| ["@compute", "@vertex"].iter().any(|stage| source.text.contains(stage));
    SOURCES.iter().filter(enters).map(Source::name).collect()
}

impl Source {
    /// The file's stem, which is also the entry point's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// A kernel with its imports in place.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The kernel's name: file stem and entry point.
    pub name: &'static str,
    /// The whole WGSL text.
    pub text: String,
    /// For each line of `text`, the file and line it came from.
    origin: Vec<(&'static str, usize)>,
}

impl Composed {
    /// Where a line of the composed text (from 1) came from, as `file:line`.
    #[must_use]
    pub fn origin(&self, line: usize) -> String {
        match self.origin.get(line.wrapping_sub(1)) {
            Some((path, line)) => format!("wgsl/{path}.wgsl:{line}"),
            None => format!("{}:{line}", self.name),
        }
    }

    fn add(&mut self, source: &Source, content: Content, seen: &mut HashSet<&'static str>) {
        if !seen.insert(source.path) {
            return;
        }
        for (index, line) in source.text.lines().enumerate() {
            match line.strip_prefix("#import ").map(str::trim) {
                Some("consts") => self.push_text("consts", seen, consts),
                Some("types") => {
                    self.push_text("consts", seen, consts);
                    self.push_text("types", seen, structs);
                }
                Some("content") => self.push_text("content", seen, || content.text()),
                Some(path) => {
                    let import = SOURCES.iter().find(|source| source.path == path);
                    let import = import.unwrap_or_else(|| {
                        panic!("wgsl/{}.wgsl imports {path}: no such file", source.path)
                    });
                    self.add(import, content, seen);
                }
                None => {
                    self.text.push_str(line);
                    self.text.push('\n');
                    self.origin.push((source.path, index + 1));
                }
            }
        }
    }

    fn push_text(
        &mut self,
        path: &'static str,
        seen: &mut HashSet<&'static str>,
        text: impl FnOnce() -> String,
    ) {
        if !seen.insert(path) {
            return;
        }
        let text = text();
        self.text.push_str(&text);
        self.origin.extend((0..text.lines().count()).map(|line| (path, line + 1)));
    }
}

/// The constants of [`types::CONSTANTS`] as WGSL.
fn consts() -> String {
    let mut text = String::new();
    for (name, value) in types::CONSTANTS {
        let value = match value {
            types::Constant::U32(value) => format!("u32 = {value}u"),
            types::Constant::F32(value) => format!("f32 = {value:e}f"),
        };
        writeln!(text, "const {name}: {value};").expect("a String grows");
    }
    text
}

/// The structs of [`types::structs`] as WGSL.
fn structs() -> String {
    types::structs().map(types::Struct::text).collect()
}

/// The kernel or drawing shader of this name with all its imports, for any world.
///
/// # Panics
/// When there is no such file: names are compiled in.
#[must_use]
pub fn compose(name: &str) -> Composed {
    compose_for(name, Content::ALL)
}

/// The same for worlds that hold no more than this.
///
/// # Panics
/// As [`compose`].
#[must_use]
pub fn compose_for(name: &str, content: Content) -> Composed {
    let source = SOURCES.iter().find(|source| source.name() == name);
    let source = source.unwrap_or_else(|| panic!("no WGSL file is named {name}"));
    let mut composed = Composed { name: source.name(), text: String::new(), origin: Vec::new() };
    composed.add(source, content, &mut HashSet::new());
    composed
}
