//! The text format of the thesis (Kratochvíl 2007): the word `DeformableModels`, then blocks
//! `DeformableModel { Key Value… }`, one key a line; `#` starts a comment.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::check::check_body;
use super::fields::{Source, short};
use super::format::*;
use super::kind::Kind;
use crate::{Error, Result};

/// The first word of such a scene.
const HEADER: &str = "DeformableModels";
/// What starts a body.
const BLOCK: &str = "DeformableModel";
/// Of bodies that give none.
const POINT_MASS: Mass = Mass::Point(1.0);
/// Cubes along the longest side of an embedded surface, as many as the thesis' cubes have.
const CELLS: u32 = 5;

/// The keys of a block, and what [`Scene::check`] calls their values.
const KEYS: [(&str, &str); 11] = [
    ("Name", "name"),
    ("Path", "file"),
    ("Immersed", "skin"),
    ("Color", "color"),
    ("Mass", "point_mass"),
    ("Scale", "scale"),
    ("Translate", "position"),
    ("Rotate", "rotation"),
    ("Damping", "damping"),
    ("DistancePreservation", "distance"),
    ("VolumePreservation", "volume"),
];

/// Whether a text is in this format: its first word outside of comments tells.
pub(super) fn recognise(text: &str) -> bool {
    let first = code_lines(text).find(|(_, code)| !code.is_empty());
    first.is_some_and(|(_, code)| next_word(code).0 == HEADER)
}

/// Reads and checks a recognised text; relative mesh paths start at `folder`.
pub(super) fn parse(source: &Source, folder: &Path) -> Result<Scene> {
    let blocks = blocks(source)?;
    if blocks.is_empty() {
        let want = format!("wanted at least one {BLOCK} {{ Path … }} after {HEADER}");
        return Err(source.error_on_line(1, BLOCK, format!("is missing, {want}")));
    }
    let mut names = Names::default();
    let bodies = blocks.iter().map(|block| block.body(&mut names));
    let scene = Scene {
        world: WorldSettings { floor: Some(0.0), ..WorldSettings::default() },
        bodies: bodies.collect::<Result<_>>()?,
        folder: folder.into(),
        replicas: 1,
        ..Scene::default()
    };
    let (mut names, mut cubes) = (HashSet::new(), 0);
    for (block, body) in blocks.iter().zip(&scene.bodies) {
        check_body(block.number, body, &scene.world, &mut names, &mut cubes)
            .map_err(|error| block.locate(error))?;
    }
    Ok(scene)
}

/// The lines with their numbers from 1, without comments and blanks around.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let code = |line: &str| line.find('#').unwrap_or(line.len());
    text.lines().enumerate().map(move |(i, line)| (i + 1, line[..code(line)].trim()))
}

/// The text up to a blank or a brace, and what follows; a brace is a word of its own.
fn next_word(text: &str) -> (&str, &str) {
    let brace = |c| c == '{' || c == '}';
    let end = match text.find(|c: char| c.is_whitespace() || brace(c)) {
        Some(0) => 1,
        end => end.unwrap_or(text.len()),
    };
    (&text[..end], text[end..].trim_start())
}

/// A key with its value.
struct Entry<'a> {
    line: usize,
    key: &'a str,
    value: &'a str,
}

/// One body of the text. No key stands twice in it.
struct Block<'a> {
    source: &'a Source<'a>,
    number: usize,
    line: usize,
    entries: Vec<Entry<'a>>,
}

/// Where in the text the reader is.
enum Place {
    Start,
    Outside,
    BeforeBrace,
    Inside,
}

fn blocks<'a>(source: &'a Source<'a>) -> Result<Vec<Block<'a>>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut place = Place::Start;
    for (line, mut rest) in code_lines(source.text) {
        while !rest.is_empty() {
            let (word, after) = next_word(rest);
            let wrong = |want: &str| {
                let message = format!("is {:?}, wanted {want}", short(word));
                source.error_on_line(line, "text", message)
            };
            (place, rest) = match (place, word, blocks.last_mut()) {
                (Place::Start, HEADER, _) => (Place::Outside, after),
                (Place::Start, ..) => return Err(wrong(HEADER)),
                (Place::Outside, BLOCK, _) => {
                    blocks.push(Block::new(source, blocks.len() + 1, line));
                    (Place::BeforeBrace, after)
                }
                (Place::Outside, ..) => return Err(wrong(BLOCK)),
                (Place::BeforeBrace, "{", _) => (Place::Inside, after),
                (Place::BeforeBrace, ..) => return Err(wrong(&format!("{{ after {BLOCK}"))),
                (Place::Inside, "}", _) => (Place::Outside, after),
                (Place::Inside, key, block) => {
                    let (value, close) = split_close(after);
                    if let Some(block) = block {
                        block.add(Entry { line, key, value })?;
                    }
                    (Place::Inside, close)
                }
            };
        }
    }
    match (place, blocks.last()) {
        (Place::BeforeBrace | Place::Inside, Some(block)) => {
            let want = "{ … } with the closing brace before the end of the text";
            Err(source.error_on_line(block.line, &block.label(), format!("is open, wanted {want}")))
        }
        _ => Ok(blocks),
    }
}

/// A value, and the brace that closes the block at the end of its line, if any.
fn split_close(text: &str) -> (&str, &str) {
    match text.strip_suffix('}') {
        Some(value) if value.is_empty() || value.ends_with(char::is_whitespace) => {
            (value.trim_end(), &text[value.len()..])
        }
        _ => (text, ""),
    }
}

impl<'a> Block<'a> {
    fn new(source: &'a Source<'a>, number: usize, line: usize) -> Self {
        let entries = Vec::new();
        Self { source, number, line, entries }
    }

    fn add(&mut self, entry: Entry<'a>) -> Result<()> {
        let at = format!("{}.{}", self.label(), short(&entry.key.escape_debug().to_string()));
        if !KEYS.iter().any(|(key, _)| *key == entry.key) {
            let known = KEYS.map(|(key, _)| key).join(", ");
            let message = format!("is not a known key, wanted one of: {known}");
            return Err(self.source.error_on_line(entry.line, &at, message));
        }
        if let Some(first) = self.entry(entry.key) {
            let message = format!(
                "is {:?} and already {:?} on line {}, wanted each key once",
                short(entry.value),
                short(first.value),
                first.line
            );
            return Err(self.source.error_on_line(entry.line, &at, message));
        }
        self.entries.push(entry);
        Ok(())
    }

    fn body(&self, names: &mut Names) -> Result<Body> {
        let Some(path) = self.entry("Path") else {
            return Err(self.error("Path", "is missing, wanted a mesh file"));
        };
        let mesh = MeshSource::File { path: path.value.into(), cells: CELLS };
        let name = match self.entry("Name") {
            Some(name) => name.value.into(),
            None => format!("N/A {}", self.number),
        };
        let default = Body::new(names.unique(name), mesh);
        Ok(Body {
            position: self.vector("Translate")?.unwrap_or(default.position),
            rotation: self.vector("Rotate")?.unwrap_or(default.rotation),
            scale: self.vector("Scale")?.unwrap_or(default.scale),
            order: Order::RotateFirst,
            fitted: false,
            mass: self.number("Mass")?.map_or(POINT_MASS, Mass::Point),
            kind: Kind::Springs(Springs::Constants {
                distance: self.number("DistancePreservation")?.unwrap_or(DISTANCE),
                volume: self.number("VolumePreservation")?.unwrap_or(VOLUME),
                damping: self.number("Damping")?.unwrap_or(DAMPING),
            }),
            color: self.color()?.unwrap_or(default.color),
            skin: self.entry("Immersed").map(|entry| entry.value.into()),
            ..default
        })
    }

    fn number(&self, key: &str) -> Result<Option<f64>> {
        self.read(key, "a finite number", number)
    }

    fn vector(&self, key: &str) -> Result<Option<[f64; 3]>> {
        self.read(key, "three finite numbers", |value| {
            let numbers: Option<Vec<f64>> = value.split_whitespace().map(number).collect();
            numbers?.try_into().ok()
        })
    }

    fn color(&self) -> Result<Option<[u8; 3]>> {
        let want =
            "a whole number from 0 to 0xffffff, decimal or hexadecimal, for red, green and blue";
        self.read("Color", want, |value| {
            let hexadecimal = value.strip_prefix("0x").or(value.strip_prefix("0X"));
            let (digits, radix) = hexadecimal.map_or((value, 10), |digits| (digits, 16));
            // The parser of the standard library would take a sign, too.
            let unsigned = digits.chars().all(|c| c.is_digit(radix));
            let rgb = u32::from_str_radix(digits, radix).ok()?;
            let [zero, color @ ..] = rgb.to_be_bytes();
            (unsigned && zero == 0).then_some(color)
        })
    }

    fn read<T>(
        &self,
        key: &str,
        want: &str,
        convert: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(entry) = self.entry(key) else {
            return Ok(None);
        };
        let wrong = || self.error(key, format!("is {:?}, wanted {want}", short(entry.value)));
        convert(entry.value).map(Some).ok_or_else(wrong)
    }

    fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    fn label(&self) -> String {
        format!("{BLOCK} {}", self.number)
    }

    /// An error at this key, or at the block's start when the key is missing.
    fn error(&self, key: &str, message: impl std::fmt::Display) -> Error {
        let line = self.entry(key).map_or(self.line, |entry| entry.line);
        let at = format!("{}.{key}", self.label());
        self.source.error_on_line(line, &at, message)
    }

    /// An error of the scene's check, told in the words of this format.
    fn locate(&self, error: Error) -> Error {
        let Error::Value { at, got, want } = error else {
            return error;
        };
        let field = at.rsplit('.').next().unwrap_or_default();
        let named = KEYS.iter().find(|(_, name)| *name == field);
        let key = named.map_or(field, |(key, _)| key);
        self.error(key, format!("is {got}, wanted {want}"))
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

/// Names may repeat in this format, in a scene not: each name, and the number that its next repetition gets.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    /// The name itself, or with a number where another body has it.
    fn unique(&mut self, name: String) -> String {
        let mut unique = name.clone();
        while self.0.contains_key(&unique) {
            let number = self.0.entry(name.clone()).or_insert(2);
            unique = format!("{name} {number}");
            *number += 1;
        }
        self.0.insert(unique.clone(), 2);
        unique
    }
}
