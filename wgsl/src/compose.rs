//! Kernels are plain WGSL files. A line `#import shared/solids` is replaced by that file, once per kernel;
//! `#import consts` by the constants that Rust and WGSL share, `#import types` by these and the structs, `#import content`
//! by what a world holds.
//!
//! The build script composes kernels by this file, too.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::types;

/// A WGSL file.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its path below `wgsl/`, without the ending.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
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

    /// The file that a line came from, its path below `wgsl/` without the ending, and the line there.
    #[must_use]
    pub fn source(&self, line: usize) -> Option<(&'static str, usize)> {
        self.origin.get(line.wrapping_sub(1)).copied()
    }

    fn add(
        &mut self,
        (sources, content): (&[Source], &str),
        source: &Source,
        seen: &mut HashSet<&'static str>,
    ) {
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
                Some("content") => self.push_text("content", seen, || content.to_owned()),
                Some(path) => {
                    let import = sources.iter().find(|source| source.path == path);
                    let import = import.unwrap_or_else(|| {
                        panic!("wgsl/{}.wgsl imports {path}: no such file", source.path)
                    });
                    self.add((sources, content), import, seen);
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

/// The kernel or drawing shader of this name among the sources, with all its imports; `content` is the text of
/// `#import content`.
///
/// # Panics
/// When there is no such file, or one that it imports: names are compiled in.
#[must_use]
pub fn compose_from(sources: &[Source], name: &str, content: &str) -> Composed {
    let source = sources.iter().find(|source| source.name() == name);
    let source = source.unwrap_or_else(|| panic!("no WGSL file is named {name}"));
    let mut composed = Composed { name: source.name(), text: String::new(), origin: Vec::new() };
    composed.add((sources, content), source, &mut HashSet::new());
    composed
}
