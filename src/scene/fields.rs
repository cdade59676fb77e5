//! One table of a scene file, read field by field: a wrong type is an error that names file, line and field.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::materials;
use super::tables::{BODY_KEYS, WORLD_KEYS};
use crate::{Error, Result};

/// The text of a scene file and the name that errors give it.
pub(super) struct Source<'a> {
    pub path: &'a Path,
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at byte `offset`.
    pub fn error(&self, offset: usize, at: &str, message: impl std::fmt::Display) -> Error {
        self.error_on_line(self.line_and_column(offset).0, at, message)
    }

    /// An error on a line, numbered from 1.
    pub fn error_on_line(&self, line: usize, at: &str, message: impl std::fmt::Display) -> Error {
        Error::file(self.path, format!("line {line}: {at}"), message.to_string())
    }

    /// Line and column of byte `offset`, both from 1; columns count characters.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        (line, column)
    }

    /// A value as the user wrote it, in one short line.
    fn quote(&self, value: &Spanned<DeValue>) -> String {
        match value.get_ref() {
            DeValue::Table(_) => "a table".into(),
            DeValue::Array(array) if array.len() > 8 => format!("an array of {}", array.len()),
            _ => short(self.text.get(value.span()).unwrap_or_default()),
        }
    }
}

/// The text in one line of at most 60 characters.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST {
        return words;
    }
    words.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// A table, what errors call it, and where it stands.
pub(super) struct Fields<'a> {
    source: &'a Source<'a>,
    table: &'a DeTable<'a>,
    pub label: String,
    span: Range<usize>,
}

/// What a field may hold.
pub(super) trait Value<'a>: Sized {
    /// The value under this key; an error where something else stands there.
    fn read(fields: &Fields<'a>, key: &str) -> Result<Option<Self>>;
}

/// Values by what errors call them and how they are read.
macro_rules! values {
    ($($of:ty, $want:expr, $convert:expr;)*) => {$(
        impl<'a> Value<'a> for $of {
            fn read(fields: &Fields<'a>, key: &str) -> Result<Option<Self>> {
                fields.read(key, $want, $convert)
            }
        }
    )*};
}

values! {
    f64, "a finite number", number;
    [f64; 3], "an array of 3 finite numbers", vector;
    [[f64; 3]; 2], "an array of 2 corners, each of 3 finite numbers", |value| exactly(value, vector);
    u32, "a whole number from 0 to 4294967295", count;
    usize, "a whole number from 0 to 4294967295", |value| Some(count(value)? as usize);
    [u32; 3], "an array of 3 whole numbers from 0 to 4294967295", |value| exactly(value, count);
    Vec<f64>, "an array of finite numbers", |value| items(value, number);
    Vec<[f64; 3]>, "an array of arrays of 3 finite numbers", |value| items(value, vector);
    Vec<u32>, "an array of whole numbers from 0 to 4294967295", |value| items(value, count);
    Vec<Vec<u32>>, "an array of arrays of whole numbers from 0 to 4294967295",
        |value| items(value, |list| items(list, count));
    Vec<&'a str>, "an array of strings", |value| items(value, |text| text.as_str());
    bool, "true or false", DeValue::as_bool;
    &'a str, "a string", DeValue::as_str;
    &'a DeTable<'a>, "a table", DeValue::as_table;
    &'a DeArray<'a>, TABLES, DeValue::as_array;
}

impl<'a, T: Value<'a>> Value<'a> for Option<T> {
    fn read(fields: &Fields<'a>, key: &str) -> Result<Option<Self>> {
        Ok(T::read(fields, key)?.map(Some))
    }
}

impl<'a> Value<'a> for Fields<'a> {
    fn read(fields: &Fields<'a>, key: &str) -> Result<Option<Self>> {
        let table = fields.get(key)?;
        Ok(table.map(|table| fields.inner(fields.name(key), table, fields.table[key].span())))
    }
}

const TABLES: &str = "an array of tables";

/// How alike two words are that may be one, mistyped: by Jaro and Winkler (1990), from 0 to 1.
const ALIKE: f64 = 0.84;

/// Names that other programs have for keys.
const SYNONYMS: [(&str, &str); 13] = [
    ("stiffness", "young"),
    ("elasticity", "young"),
    ("timestep", "step"),
    ("time_step", "step"),
    ("dt", "step"),
    ("bounce", "restitution"),
    ("bounciness", "restitution"),
    ("ground", "floor"),
    ("fixed", "pin"),
    ("bodies", "body"),
    ("cube", "box"),
    ("cuboid", "box"),
    ("ball", "sphere"),
];

/// The word that means the same as this one or is most like it, if any is like it.
fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = word.to_lowercase();
    let meant = SYNONYMS.iter().filter(|(other, _)| *other == word);
    if let Some(key) = meant.flat_map(|(_, key)| known.iter().find(|known| *known == key)).next() {
        return Some(key);
    }
    let like = |known: &&str| strsim::jaro_winkler(&word, known);
    let most = known.iter().copied().max_by(|a, b| like(a).total_cmp(&like(b)))?;
    (like(&most) >= ALIKE).then_some(most)
}

impl<'a> Fields<'a> {
    pub fn new(
        source: &'a Source<'a>,
        table: &'a DeTable<'a>,
        label: String,
        span: Range<usize>,
    ) -> Self {
        Self { source, table, label, span }
    }

    /// Refuses every key that is not one of these.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        self.only_of(known, known)
    }

    /// The same; only `useful` ones are offered in place of an unknown one.
    pub fn only_of(&self, known: &[&str], useful: &[&str]) -> Result<()> {
        for key in self.table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let at = self.name(&short(&key.get_ref().escape_debug().to_string()));
                let meant =
                    nearest(key.get_ref(), useful).map(|near| format!("; did you mean {near:?}?"));
                let found = match self.home(key.get_ref()) {
                    Some(table) => format!("is a key of {table}"),
                    None => "is not a known key".into(),
                };
                let message = format!(
                    "{found}, wanted one of: {}{}",
                    useful.join(", "),
                    meant.unwrap_or_default()
                );
                return Err(self.source.error(key.span().start, &at, message));
            }
        }
        Ok(())
    }

    /// The table that a key is of which is in the wrong one: the world's in any, those of bodies before all tables.
    fn home(&self, key: &str) -> Option<&'static str> {
        let body = || BODY_KEYS.contains(&key) || materials::has_key(key);
        match WORLD_KEYS.contains(&key) {
            true => Some("[world]"),
            false => (self.label.is_empty() && body()).then_some("[[body]]"),
        }
    }

    /// The keys that are given.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.table.keys().map(|key| key.get_ref().as_ref())
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A field's full name, e.g. `body "top".young`.
    pub fn name(&self, key: &str) -> String {
        if self.label.is_empty() { key.into() } else { format!("{}.{key}", self.label) }
    }

    /// An error at this field, or at the table when the field is missing.
    pub fn error(&self, key: &str, message: impl std::fmt::Display) -> Error {
        let start = self.table.get(key).map_or(self.span.start, |value| value.span().start);
        self.source.error(start, &self.name(key), message)
    }

    /// An error of a check about one of the fields, as one of the file.
    pub fn own(&self, error: Error) -> Error {
        match error {
            Error::Value { at, got, want } => {
                let place = self.place(&at).unwrap_or(self.span.start);
                self.source.error(place, &at, format!("is {got}, wanted {want}"))
            }
            other => other,
        }
    }

    /// The field's value.
    pub fn get<T: Value<'a>>(&self, key: &str) -> Result<Option<T>> {
        T::read(self, key)
    }

    /// Puts the field's value, where there is one, into its place.
    pub fn set<T: Value<'a>>(&self, key: &str, place: &mut T) -> Result<()> {
        if let Some(value) = self.get(key)? {
            *place = value;
        }
        Ok(())
    }

    /// The field's value, which must be given.
    pub fn required<T: Value<'a>>(&self, key: &str, want: &str) -> Result<T> {
        self.get(key)?.ok_or_else(|| self.missing(key, want))
    }

    /// An error that asks for this field.
    pub fn missing(&self, key: &str, want: &str) -> Error {
        self.error(key, format!("is missing, wanted {want}"))
    }

    /// One of these names, or one that the format has but this version does not.
    pub fn choice<T: Copy>(
        &self,
        key: &str,
        built: &[(&str, T)],
        planned: &[&str],
    ) -> Result<Option<T>> {
        let Some(name) = self.get(key)? else {
            return Ok(None);
        };
        if let Some((_, choice)) = built.iter().find(|(built, _)| *built == name) {
            return Ok(Some(*choice));
        }
        let planned = if planned.contains(&name) {
            ", which is planned but not implemented in this version"
        } else {
            ""
        };
        let names: Vec<&str> = built.iter().map(|(name, _)| *name).collect();
        let message = format!("is {:?}{planned}, wanted one of: {}", short(name), names.join(", "));
        Err(self.error(key, message))
    }

    /// The tables of the array under this key, labelled by `label` with their number from 1.
    pub fn tables(
        &self,
        key: &str,
        label: impl Fn(usize, &DeTable) -> String,
    ) -> Result<Vec<Fields<'a>>> {
        if self.get::<&DeTable>(key).is_ok_and(|table| table.is_some()) {
            let many = match self.label.is_empty() {
                true => format!("[[{key}]] in place of [{key}]"),
                false => format!("{key} = [{{ … }}] in place of {key} = {{ … }}"),
            };
            return Err(self.error(key, format!("is a single table, wanted {TABLES}: {many}")));
        }
        let Some(array) = self.get::<&DeArray>(key)? else {
            return Ok(Vec::new());
        };
        let fields = |(i, value): (usize, &'a Spanned<DeValue<'a>>)| match value.get_ref() {
            DeValue::Table(table) => Ok(self.inner(label(i + 1, table), table, value.span())),
            _ => {
                let found = self.source.quote(value);
                Err(self.error(key, format!("is an array with {found}, wanted {TABLES}")))
            }
        };
        array.iter().enumerate().map(fields).collect()
    }

    /// The tables of the array under this key, each labelled by its index.
    pub fn numbered(&self, key: &str) -> Result<Vec<Fields<'a>>> {
        self.tables(key, |number, _| format!("{}[{}]", self.name(key), number - 1))
    }

    /// Where the field called `name` stands, or the nearest thing around it; `None` when it is none of this table's.
    pub fn place(&self, name: &str) -> Option<usize> {
        let inside = name.strip_prefix(&self.label)?;
        if !inside.is_empty() && !inside.starts_with('.') {
            return None;
        }
        let mut keys = inside.split(['.', '[', ']']).filter(|key| !key.is_empty());
        let Some(mut value) = keys.next().and_then(|key| self.table.get(key)) else {
            return Some(self.span.start);
        };
        for key in keys {
            let inner = match key.parse::<usize>() {
                Ok(i) => value.get_ref().get(i),
                Err(_) => value.get_ref().get(key),
            };
            value = inner.unwrap_or(value);
        }
        Some(value.span().start)
    }

    fn inner(&self, label: String, table: &'a DeTable<'a>, span: Range<usize>) -> Fields<'a> {
        Fields::new(self.source, table, label, span)
    }

    fn read<T>(
        &self,
        key: &str,
        want: &str,
        convert: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        let converted = convert(value.get_ref()).map(Some);
        converted.ok_or_else(|| self.wrong(key, want))
    }

    /// An error that names the field's value.
    pub fn wrong(&self, key: &str, want: &str) -> Error {
        let found =
            self.table.get(key).map_or_else(|| "missing".into(), |value| self.source.quote(value));
        self.error(key, format!("is {found}, wanted {want}"))
    }
}

fn number(value: &DeValue) -> Option<f64> {
    let number = match value {
        DeValue::Integer(_) => integer(value)? as f64,
        DeValue::Float(float) => float.as_str().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn integer(value: &DeValue) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn count(value: &DeValue) -> Option<u32> {
    integer(value)?.try_into().ok()
}

fn vector(value: &DeValue) -> Option<[f64; 3]> {
    exactly(value, number)
}

/// An array of any length.
fn items<'a, T>(value: &'a DeValue, item: impl Fn(&'a DeValue) -> Option<T>) -> Option<Vec<T>> {
    let array = value.as_array()?;
    array.iter().map(|value| item(value.get_ref())).collect()
}

/// An array of exactly N items.
fn exactly<const N: usize, T>(
    value: &DeValue,
    item: impl Fn(&DeValue) -> Option<T>,
) -> Option<[T; N]> {
    let array = value.as_array().filter(|array| array.len() == N)?;
    let items: Option<Vec<T>> = array.iter().map(|value| item(value.get_ref())).collect();
    items?.try_into().ok()
}

/// The keys of a table: `also` and the fields of a struct that bear the names of their keys, and what reads these.
macro_rules! fields {
    ($keys:ident: also [$($also:literal)*], $read:ident($of:ty) [$($field:ident)*]) => {
        pub(super) const $keys: &[&str] = &[$($also,)* $(stringify!($field),)*];

        fn $read(fields: &Fields, into: &mut $of) -> Result<()> {
            $(fields.set(stringify!($field), &mut into.$field)?;)*
            Ok(())
        }
    };
}
pub(super) use fields;
