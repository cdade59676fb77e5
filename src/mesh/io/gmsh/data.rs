//! The sections `$ElementData`: fields with numbers for elements.

use super::numbers::{Encoding, Numbers};
use crate::error::{Error, Result};
use crate::mesh::io::cursor::{Cursor, shortened};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The fields of one number per element, by name, and in each the numbers by element.
#[derive(Default)]
pub struct ElementData(BTreeMap<String, HashMap<i64, f64>>);

impl ElementData {
    /// Reads a section. Sections of one name are joined, as parts of a mesh have their own; where an element has
    /// several numbers, which is so when there are several times, the first counts.
    pub fn read(&mut self, cursor: &mut Cursor, encoding: Encoding) -> Result<()> {
        let mut name = String::new();
        for i in 0..Numbers::new(cursor, Encoding::Text).text_count("the count of names")? {
            let words = cursor.expect_line("the name of a field")?;
            if i == 0 {
                name = words.text().trim_matches('"').to_string();
            }
        }
        let mut tags = Numbers::new(cursor, Encoding::Text);
        for _ in 0..tags.size("the count of reals")? {
            tags.float("a real")?;
        }
        let wholes = tags.size("the count of whole numbers")?;
        if wholes < 3 {
            return Err(tags.error(format!("{wholes} whole numbers, wanted 3 or more")));
        }
        tags.int("the step")?;
        let components = tags.size("the count of components")?;
        let count = tags.size("the count of elements")?;
        for _ in 3..wholes {
            tags.int("a whole number")?;
        }
        let mut numbers = Numbers::new(cursor, encoding);
        for _ in 0..count {
            let element = numbers.int("an element's number")?;
            let mut first = None;
            for _ in 0..components {
                let value = numbers.float("the element's value")?;
                first.get_or_insert(value);
            }
            if let (1, Some(value)) = (components, first) {
                let field = self.0.entry(name.clone()).or_default();
                field.entry(element).or_insert(value);
            }
        }
        Ok(())
    }

    /// The fields on the tetrahedra with these tags; those that have a number for none of them are left out.
    pub fn on(&self, path: &Path, tets: &[i64]) -> Result<BTreeMap<String, Vec<f64>>> {
        let mut fields = BTreeMap::new();
        for (name, values) in &self.0 {
            if !tets.iter().any(|tag| values.contains_key(tag)) {
                continue;
            }
            let number = |tag: &i64| {
                values.get(tag).copied().ok_or_else(|| {
                    let at = format!("$ElementData `{}`", shortened(name));
                    Error::file(path, at, format!("has no number for tetrahedron {tag}"))
                })
            };
            let on_tets: Result<Vec<f64>> = tets.iter().map(number).collect();
            fields.insert(name.clone(), on_tets?);
        }
        Ok(fields)
    }
}
