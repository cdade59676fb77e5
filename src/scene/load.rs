//! Scene files: text to a checked [`Scene`].

use std::io::Read;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::{Fields, Source};
use super::format::{AttachedTo, Event, Movable, Scene};
use super::legacy;
use super::tables::{
    BODY_KEYS, Obstacle, WORLD_KEYS, attachment, body, event, solid, solid_name, world,
};
use crate::{Error, Result};

/// A longer scene file is refused [bytes].
const LONGEST_FILE: u64 = 16 << 20;

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be read, else as [`Scene::parse`].
    pub fn load(path: &Path) -> Result<Self> {
        if path.is_dir() {
            let message = "is a folder, wanted a scene file";
            return Err(Error::file(path, "scene", message));
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path)
            .and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes))
            .map_err(|source| Error::io(path, source))?;
        if bytes.len() as u64 > LONGEST_FILE {
            let message = format!("is longer than {LONGEST_FILE} bytes, wanted a scene file");
            return Err(Error::file(path, "length", message));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = format!("byte {}", error.utf8_error().valid_up_to());
            Error::file(path, at, "is not UTF-8 text, wanted a scene")
        })?;
        Self::parse(&text, path)
    }

    /// Reads a scene from its text, in TOML or in the format of the thesis (Kratochvíl 2007; its first word is
    /// `DeformableModels`), and checks it. `path` names it in errors, and its folder is where relative mesh
    /// paths start; it need not exist. Mesh files are not opened yet.
    ///
    /// # Errors
    /// [`Error::File`] with line, field, value found and what was wanted, for everything that the format does not
    /// allow: syntax, unknown or missing keys, wrong types, values that [`Scene::check`] refuses, no body.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let source = Source { path, text };
        let folder = path.parent().unwrap_or(Path::new(""));
        if legacy::recognise(text) {
            return legacy::parse(&source, folder);
        }
        let table = DeTable::parse(text).map_err(|error| syntax_error(&source, &error))?;
        let root = Fields::new(&source, table.get_ref(), String::new(), 0..0);
        let tables = ["world", "body", "solid", "attachment", "event"];
        for (keys, place) in [(WORLD_KEYS, "[world]"), (BODY_KEYS, "[[body]]")] {
            let misplaced = root.keys().find(|key| keys.contains(key) && !tables.contains(key));
            if let Some(key) = misplaced {
                return Err(
                    root.error(key, format!("stands before the first table, wanted in {place}"))
                );
            }
        }
        root.only(&tables)?;
        let parts = Parts::new(&root)?;
        if parts.bodies.is_empty() {
            return Err(root.error("body", "is missing, wanted at least one [[body]]"));
        }
        let scene = parts.scene(folder)?;
        scene.check().map_err(|error| parts.locate(&source, error))?;
        Ok(scene)
    }

    /// Adds file and line to an error about a value of the scene file at `path`, from where its meshes were read;
    /// other errors, and those of fields that the file does not have, stay as they are.
    #[must_use]
    pub fn locate(path: &Path, error: Error) -> Error {
        match &error {
            Error::Value { .. } => {}
            _ => return error,
        }
        let Ok(text) = std::fs::read_to_string(path) else {
            return error;
        };
        Self::locate_in(&Source { path, text: &text }, error)
    }

    fn locate_in(source: &Source, error: Error) -> Error {
        let Ok(table) = DeTable::parse(source.text) else {
            return error;
        };
        let root = Fields::new(source, table.get_ref(), String::new(), 0..0);
        match (Parts::new(&root), &error) {
            (Ok(parts), Error::Value { at, .. }) if parts.place(at).is_some() => {
                parts.locate(source, error)
            }
            _ => error,
        }
    }
}

impl Scene {
    /// Adds what a file's `[[solid]]`s are: the meshes among them are bodies. What the file's numbers speak of is found again.
    fn add_obstacles(&mut self, obstacles: Vec<Obstacle>) {
        let mut found = Vec::new();
        for (i, obstacle) in obstacles.into_iter().enumerate() {
            match obstacle {
                Obstacle::Solid(solid) => {
                    self.solids.push(solid);
                    found.push(Ok(self.solids.len() as u32));
                }
                Obstacle::Mesh(body) => {
                    self.bodies.push(*body);
                    found.push(Err(solid_name(i + 1)));
                }
            }
        }
        let meant = |number: u32| found.get((number as usize).wrapping_sub(1)).cloned();
        for event in &mut self.events {
            if let Event::Move { what, centre, .. } = event
                && let Movable::Solid(number) = what
            {
                match meant(*number) {
                    Some(Ok(solid)) => *number = solid,
                    Some(Err(body)) => {
                        // Solids turn about their position.
                        let position = self.bodies.iter().find(|other| other.name == body);
                        *centre = position.map_or(*centre, |body| body.position);
                        *what = Movable::Pins(body);
                    }
                    None => {}
                }
            }
        }
        for attachment in &mut self.attachments {
            if let AttachedTo::Solid(number) = &mut attachment.to {
                match meant(*number) {
                    Some(Ok(solid)) => *number = solid,
                    Some(Err(body)) => attachment.to = AttachedTo::Body(body),
                    None => {}
                }
            }
        }
    }
}

/// The tables of a scene file.
struct Parts<'a> {
    world: Option<Fields<'a>>,
    bodies: Vec<Fields<'a>>,
    solids: Vec<Fields<'a>>,
    attachments: Vec<Fields<'a>>,
    events: Vec<Fields<'a>>,
}

impl<'a> Parts<'a> {
    fn new(root: &Fields<'a>) -> Result<Self> {
        Ok(Self {
            world: root.get("world")?,
            bodies: root.tables("body", body_label)?,
            solids: root.tables("solid", |number, _| solid_name(number))?,
            attachments: root.tables("attachment", |number, _| format!("attachment {number}"))?,
            events: root.tables("event", |number, _| format!("event {number}"))?,
        })
    }

    fn scene(&self, folder: &Path) -> Result<Scene> {
        let bodies = self.bodies.iter().enumerate();
        let mut scene = Scene {
            world: self.world.as_ref().map(world).transpose()?.unwrap_or_default(),
            bodies: bodies.map(|(i, fields)| body(fields, i)).collect::<Result<_>>()?,
            solids: Vec::new(),
            replicas: 1,
            attachments: self.attachments.iter().map(attachment).collect::<Result<_>>()?,
            events: self.events.iter().map(event).collect::<Result<_>>()?,
            folder: folder.into(),
        };
        let obstacles = self.solids.iter().enumerate().map(|(i, fields)| solid(fields, i + 1));
        scene.add_obstacles(obstacles.collect::<Result<_>>()?);
        Ok(scene)
    }

    /// The `[[solid]]` that an error speaks of, and what the file calls the field: a mesh has become a body, and the others are
    /// counted without it.
    fn solid_field(&self, at: &str) -> Option<(&Fields<'a>, String)> {
        let mut simple = 0;
        self.solids.iter().enumerate().find_map(|(i, fields)| {
            let own = solid_name(i + 1);
            let known = if matches!(fields.get("kind"), Ok(Some("mesh"))) {
                super::check::body_label(&own)
            } else {
                simple += 1;
                solid_name(simple)
            };
            let rest = at.strip_prefix(&known)?;
            (rest.is_empty() || rest.starts_with('.')).then(|| (fields, own + rest))
        })
    }

    /// Where the field that an error calls `at` stands.
    fn place(&self, at: &str) -> Option<usize> {
        let bodies = self.bodies.iter().enumerate();
        let named = |(i, body): (usize, &Fields)| {
            if at == format!("body {}.name", i + 1) {
                body.place(&body.name("name"))
            } else {
                body.place(at)
            }
        };
        if let Some((fields, own)) = self.solid_field(at) {
            return fields.place(&own);
        }
        let mut others = self.world.iter().chain(&self.attachments).chain(&self.events);
        let place = bodies.rev().find_map(named);
        place.or_else(|| others.find_map(|fields| fields.place(at)))
    }

    /// Adds file and line to an error of [`Scene::check`].
    fn locate(&self, source: &Source, error: Error) -> Error {
        let Error::Value { at, got, want } = error else {
            return error;
        };
        let place = self.place(&at).unwrap_or(0);
        let at = self.solid_field(&at).map_or(at, |(_, own)| own);
        source.error(place, &at, format!("is {got}, wanted {want}"))
    }
}

fn syntax_error(source: &Source, error: &toml::de::Error) -> Error {
    let (line, column) = source.line_and_column(error.span().map_or(0, |span| span.start));
    let words = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    Error::file(source.path, format!("line {line}, column {column}"), format!("not TOML: {words}"))
}

fn body_label(number: usize, table: &DeTable) -> String {
    match table.get("name").map(Spanned::get_ref).and_then(DeValue::as_str) {
        Some(name) => super::check::body_label(name),
        None => format!("body {number}"),
    }
}
