//! Scene files: text to a checked [`Scene`].

use std::io::Read;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::check::MOST_COPIES;
use super::events::{attachment, event};
use super::fields::{Fields, Source, short};
use super::format::{Scene, solid_label};
use super::legacy;
use super::solids::{Obstacles, solid_name};
use super::tables::{bodies, body_count, world};
use crate::{Error, Result};

/// A longer scene file is refused [bytes].
const LONGEST_FILE: u64 = 16 << 20;
/// The tables of which a scene may have several.
const SEVERAL: [&str; 4] = ["body", "solid", "attachment", "event"];

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be read, else as [`Scene::parse`].
    pub fn load(path: &Path) -> Result<Self> {
        if path.is_dir() {
            let message = "is a folder, wanted a scene file; `pliant view` plays the folder of a finished run";
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
            let want = "is not UTF-8 text, wanted a scene; `pliant view` plays states by their folder, and `pliant run \
                        SCENE --resume` continues from one";
            Error::file(path, at, want)
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
        root.only(&[&["world"], &SEVERAL[..]].concat())?;
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
        if !matches!(error, Error::Value { .. } | Error::Field { .. }) {
            return error;
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
            (Ok(parts), Error::Value { at, .. } | Error::Field { at, .. })
                if parts.place(at).is_some() =>
            {
                parts.locate(source, error)
            }
            _ => error,
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
            world: world_table(root)?,
            bodies: root.tables("body", body_label)?,
            solids: root.tables("solid", |number, table| {
                solid_label(&solid_name(name_of(table), number))
            })?,
            attachments: root.tables("attachment", |number, _| format!("attachment {number}"))?,
            events: root.tables("event", |number, _| format!("event {number}"))?,
        })
    }

    fn scene(&self, folder: &Path) -> Result<Scene> {
        let mut scene = Scene {
            world: self.world.as_ref().map(world).transpose()?.unwrap_or_default(),
            bodies: Vec::new(),
            solids: Vec::new(),
            replicas: 1,
            attachments: Vec::new(),
            events: Vec::new(),
            folder: folder.into(),
        };
        let mut copies = 0;
        for fields in &self.bodies {
            let more = bodies(fields, scene.bodies.len())?;
            if fields.has("copies") {
                copies += more.len() as u64;
            }
            if copies > MOST_COPIES {
                let message = format!(
                    "makes {copies} copies with those before, wanted at most {MOST_COPIES} in all"
                );
                return Err(fields.error("copies", message));
            }
            scene.bodies.extend(more);
        }
        let obstacles = Obstacles::add(&self.solids, &mut scene)?;
        let attachments = self.attachments.iter().map(|fields| attachment(fields, &obstacles));
        scene.attachments = attachments.collect::<Result<_>>()?;
        let events = self.events.iter().map(|fields| event(fields, &obstacles, &scene));
        scene.events = events.collect::<Result<_>>()?;
        Ok(scene)
    }

    /// The `[[body]]` that makes the body whose name an error speaks of by its number, `body 3.name`.
    fn named_by_number(&self, at: &str) -> Option<&Fields<'a>> {
        let number = at.strip_prefix("body ")?.strip_suffix(".name")?.parse::<usize>().ok()?;
        let mut made = 0;
        self.bodies.iter().find(|fields| {
            made += body_count(fields);
            number <= made
        })
    }

    /// The `[[body]]` whose copy an error speaks of, and what the file calls the field.
    fn copied_field(&self, at: &str) -> Option<(&Fields<'a>, String)> {
        if let Some(fields) = self.named_by_number(at) {
            return fields.has("copies").then(|| (fields, fields.name("name")));
        }
        self.bodies.iter().filter(|fields| fields.has("copies")).find_map(|fields| {
            let rest = at.strip_prefix(fields.label.strip_suffix('"')?)?.strip_prefix(' ')?;
            let (number, rest) = rest.split_once('"')?;
            let is_copy = number.parse::<usize>().is_ok();
            is_copy.then(|| (fields, fields.label.clone() + rest))
        })
    }

    /// The `[[solid]]` of a mesh that an error speaks of, and what the file calls the field: it has become a body.
    fn mesh_field(&self, at: &str) -> Option<(&Fields<'a>, String)> {
        self.solids.iter().enumerate().find_map(|(i, fields)| {
            let name = solid_name(fields.get("name").ok()?, i + 1);
            let rest = at.strip_prefix(&super::check::body_label(&name))?;
            let own = rest.is_empty() || rest.starts_with('.');
            own.then(|| (fields, fields.label.clone() + rest))
        })
    }

    /// The table that an error speaks of by another name than the file's, and what the file calls the field.
    fn renamed(&self, at: &str) -> Option<(&Fields<'a>, String)> {
        self.mesh_field(at).or_else(|| self.copied_field(at))
    }

    /// Where the field that an error calls `at` stands.
    fn place(&self, at: &str) -> Option<usize> {
        if let Some((fields, own)) = self.renamed(at) {
            return fields.place(&own);
        }
        if let Some(fields) = self.named_by_number(at) {
            return fields.place(&fields.name("name"));
        }
        let tables = [&self.solids, &self.attachments, &self.events];
        let mut others = self.world.iter().chain(tables.into_iter().flatten());
        let place = self.bodies.iter().rev().find_map(|fields| fields.place(at));
        place.or_else(|| others.find_map(|fields| fields.place(at)))
    }

    /// Adds file and line to an error of [`Scene::check`].
    fn locate(&self, source: &Source, error: Error) -> Error {
        let (at, message) = match error {
            Error::Value { at, got, want } => (at, format!("is {got}, wanted {want}")),
            Error::Field { at, message } => (at, message),
            other => return other,
        };
        let place = self.place(&at).unwrap_or(0);
        let at = self.renamed(&at).map_or(at, |(_, own)| own);
        source.error(place, &at, message)
    }
}

fn syntax_error(source: &Source, error: &toml::de::Error) -> Error {
    let (line, column) = source.line_and_column(error.span().map_or(0, |span| span.start));
    let words = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    let header = source.text.lines().nth(line - 1).unwrap_or_default().trim();
    let name = header.strip_prefix('[').and_then(|header| header.strip_suffix(']'));
    let several = name.filter(|name| SEVERAL.contains(name));
    let hint = several.map_or(String::new(), |name| {
        format!("; several are written [[{name}]] in place of [{name}]")
    });
    let at = format!("line {line}, column {column}");
    let place = match header {
        "" => String::new(),
        _ => format!(", in `{}`", short(header)),
    };
    Error::file(source.path, at, format!("not TOML: {words}{place}{hint}"))
}

/// The one table `[world]`.
fn world_table<'a>(root: &Fields<'a>) -> Result<Option<Fields<'a>>> {
    if root.get::<&DeArray>("world").is_ok_and(|array| array.is_some()) {
        let message = "is an array, wanted one table: [world] in place of [[world]]";
        return Err(root.error("world", message));
    }
    root.get("world")
}

fn name_of<'t>(table: &'t DeTable) -> Option<&'t str> {
    table.get("name").map(Spanned::get_ref).and_then(DeValue::as_str)
}

fn body_label(number: usize, table: &DeTable) -> String {
    match name_of(table) {
        Some(name) => super::check::body_label(name),
        None => format!("body {number}"),
    }
}
