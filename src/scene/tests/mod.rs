mod cases;
mod code;
mod copies;
mod documented;
mod files;
mod hash;
mod legacy;
mod motions;
mod solids;
mod values;

use std::path::Path;

use self::documented::EXAMPLE;
use super::*;

const PATH: &str = "some/scene.toml";

fn parse(text: &str) -> crate::Result<Scene> {
    Scene::parse(text, Path::new(PATH))
}

/// The message of the error that `text` must give.
fn refusal(text: &str) -> String {
    match parse(text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// The message of the error that a scene from code must give.
fn refused(scene: &Scene) -> String {
    scene.check().unwrap_err().to_string()
}

/// A scene of every kind of table: its name here, its header in the file, its fields.
type Section<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);
#[rustfmt::skip]
const SECTIONS: &[Section] = &[
    ("world", "[world]", &[("drag", "0.1")]),
    ("body", "[[body]]", &[("name", "\"top\""), ("mesh", "{ lattice = [2, 2, 2], size = [1.0, 1.0, 1.0] }")]),
    ("soft", "[[body]]", &[("name", "\"soft\""), ("mesh", "{ file = \"dog.obj\" }"), ("density", "1000"),
        ("young", "1e4"), ("relaxation", "0.01")]),
    ("plane", "[[solid]]", &[("kind", "\"plane\"")]),
    ("sphere", "[[solid]]", &[("kind", "\"sphere\""), ("radius", "0.5")]),
    ("box", "[[solid]]", &[("kind", "\"box\""), ("size", "[1.0, 1.0, 1.0]")]),
    ("line_force", "[[event]]", &[("kind", "\"line_force\""), ("body", "\"top\""), ("point", "[0, 0, 0]"),
        ("force", "[1, 0, 0]"), ("from", "0.5"), ("to", "1.0")]),
    ("wind", "[[event]]", &[("kind", "\"wind\""), ("velocity", "[1, 0, 0]")]),
];

/// Bodies of the other kinds: in a scene only where a test asks for them, because not every integrator goes with them.
#[rustfmt::skip]
const KINDS: &[Section] = &[
    ("fem", "[[body]]", &[("name", "\"fem\""), ("mesh", "{ file = \"dog.obj\" }"), ("density", "1000"),
        ("kind", "\"fem\""), ("young", "1e4"), ("poisson", "0.3"), ("yield", "0.1")]),
    ("shape", "[[body]]", &[("name", "\"shape\""), ("mesh", "{ file = \"dog.obj\" }"), ("kind", "\"shape\""),
        ("clusters", "[2, 2, 2]"), ("yield", "0.1")]),
];

/// The scene of `SECTIONS`, and of `KINDS` the asked for, with one field of one section set (or, with an empty value, left out), and the line on
/// which that field stands.
fn scene_with(section: &str, key: &str, value: &str) -> (String, usize) {
    let mut lines = vec!["# every kind of table".to_string()];
    let mut place = 0;
    let asked = KINDS.iter().filter(|(name, ..)| *name == section);
    for (name, header, fields) in SECTIONS.iter().chain(asked) {
        lines.push((*header).into());
        let mut fields = fields.to_vec();
        if *name == section {
            place = lines.len();
            fields.retain(|field| field.0 != key);
            if !value.is_empty() {
                fields.push((key, value));
                place += fields.len();
            }
        }
        lines.extend(fields.iter().map(|(key, value)| format!("{key} = {value}")));
    }
    (lines.join("\n"), place)
}

#[test]
fn tables_of_the_wrong_shape_are_refused() {
    for text in [
        "world = 1",
        "[[world]]",
        "body = 1",
        "[body]\nname = \"a\"",
        "body = [1]",
        "solid = \"x\"",
        "event = true",
        "body = []",
        "",
    ] {
        let message = refusal(text);
        assert!(message.contains("line 1: ") && message.contains("wanted"), "{text:?}: {message}");
    }
}

#[test]
fn syntax_errors_are_one_short_paragraph() {
    for text in [
        "[world",
        "a = ",
        "a = 1\na = 2",
        "[world]\nfps = 1 2",
        "\u{0}",
        "[[body]]\nname = \"x",
        "a = {b = 1",
        "\r",
        &"[".repeat(100_000),
        &format!("a = {}", "[".repeat(100_000)),
    ] {
        let message = refusal(text);
        assert!(
            message.starts_with(&format!("{PATH}: line ")) && message.contains("column"),
            "{message}"
        );
        assert!(!message.contains('\n') && message.len() < 300, "{message}");
    }
    assert!(refusal("[world]\nfps = 1 2").contains("line 2, column 7"));
}

#[test]
fn what_is_not_built_yet_says_so() {
    for (section, key, value) in [
        ("body", "kind", "\"cloth\""),
        ("line_force", "kind", "\"explosion\""),
        ("wind", "kind", "\"release\""),
    ] {
        let message = refusal(&scene_with(section, key, value).0);
        assert!(message.contains("not implemented in this version"), "{message}");
    }
}
