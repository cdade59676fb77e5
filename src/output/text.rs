//! Text without fallible writes, and names that a format can hold.

use glam::Vec3;
use std::collections::HashSet;
use std::fmt::{Arguments, Write};

/// Appends formatted text.
pub fn put(out: &mut String, text: Arguments<'_>) {
    out.write_fmt(text).expect("a String takes any text");
}

/// Appends three numbers with `between` between them, each with the fewest digits that read back to the same f32.
pub fn put_vector(out: &mut String, vector: Vec3, between: &str) {
    let [x, y, z] = vector.to_array();
    put(out, format_args!("{x:?}{between}{y:?}{between}{z:?}"));
}

/// A time [s] without the digits that sums of steps leave behind.
pub fn seconds(time: f64) -> f64 {
    (1e9 * time).round() / 1e9
}

/// A name on one line: characters that end it, or continue it on the next, become `_`, an empty name `body`.
pub fn line(name: &str) -> String {
    match name.trim() {
        "" => "body".into(),
        name => name.replace(|c| ends_line(c) || c == '\\', "_"),
    }
}

/// A string literal of USD on one line.
pub fn quoted(name: &str) -> String {
    let name = name.replace(ends_line, "_").replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{name}\"")
}

/// Identifiers of USD prims, unlike each other and the `reserved`: ASCII letters, digits and `_`, no digit first. They
/// resemble the names; a number tells apart what would be the same.
pub fn prim_names<'a>(names: impl Iterator<Item = &'a str>, reserved: &[&str]) -> Vec<String> {
    let mut taken: HashSet<_> = reserved.iter().map(|name| (*name).to_owned()).collect();
    let unique = |name: &str| {
        let mut base = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        if !base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            base.insert(0, '_');
        }
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name));
        let name = free.expect("numbers do not end");
        taken.insert(name.clone());
        name
    };
    names.map(unique).collect()
}

/// Control characters and the separators of lines and paragraphs.
fn ends_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}
