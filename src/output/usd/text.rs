//! The encoding as text, `.usda`.

use super::super::text::{put, put_vector, quoted};
use super::Recording;
use super::prim::{Prim, Property, Stage, Value};
use crate::file::Sink;
use glam::Vec3;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes a whole file.
pub fn write(out: &mut dyn Sink, stage: &Stage, recording: &mut Recording) -> io::Result<()> {
    let ([first, last], fps, name) = (stage.frames, stage.fps, &stage.root.name);
    writeln!(
        out,
        r#"#usda 1.0
(
    defaultPrim = "{name}"
    startTimeCode = {first}
    endTimeCode = {last}
    framesPerSecond = {fps}
    timeCodesPerSecond = {fps}
    metersPerUnit = 1
    upAxis = "Y"
)
"#
    )?;
    put_prim(out, &stage.root, 0, recording)
}

fn put_prim(
    out: &mut dyn Write,
    prim: &Prim,
    depth: usize,
    recording: &mut Recording,
) -> io::Result<()> {
    let indent = "    ".repeat(depth);
    let mut metadata = String::new();
    if !prim.schemas.is_empty() {
        put(&mut metadata, format_args!("{indent}    prepend apiSchemas = {:?}\n", prim.schemas));
    }
    if let Some(name) = &prim.display_name {
        put(&mut metadata, format_args!("{indent}    displayName = {}\n", quoted(name)));
    }
    if !metadata.is_empty() {
        metadata = format!(" (\n{metadata}{indent})");
    }
    writeln!(out, "{indent}def {} \"{}\"{metadata}\n{indent}{{", prim.kind, prim.name)?;
    for property in &prim.properties {
        put_property(out, property, &format!("{indent}    "), recording)?;
    }
    for (i, child) in prim.children.iter().enumerate() {
        if i > 0 || !prim.properties.is_empty() {
            writeln!(out)?;
        }
        put_prim(out, child, depth + 1, recording)?;
    }
    writeln!(out, "{indent}}}")
}

fn put_property(
    out: &mut dyn Write,
    property: &Property,
    indent: &str,
    recording: &mut Recording,
) -> io::Result<()> {
    let Property { kind, name, interpolation, value, .. } = property;
    let uniform = if property.is_uniform { "uniform " } else { "" };
    let metadata = interpolation.map(|per| format!(" (interpolation = \"{per}\")"));
    let metadata = metadata.as_deref().unwrap_or_default();
    let mut text = format!("{indent}{uniform}{kind} {name}");
    match value {
        Value::Nothing => (),
        Value::Path(path) => {
            let connect = if *kind == "rel" { "" } else { ".connect" };
            put(&mut text, format_args!("{connect} = <{path}>"));
        }
        Value::Samples(sample) => {
            if !metadata.is_empty() {
                writeln!(out, "{text}{metadata}")?;
            }
            writeln!(out, "{text}.timeSamples = {{")?;
            for record in 0..recording.frames().len() {
                text.clear();
                put(&mut text, format_args!("{indent}    {}: ", recording.frames()[record]));
                put_value(&mut text, &recording.value(record, sample)?);
                text.push_str(",\n");
                out.write_all(text.as_bytes())?;
            }
            return writeln!(out, "{indent}}}");
        }
        value => {
            text.push_str(" = ");
            put_value(&mut text, value);
        }
    }
    writeln!(out, "{text}{metadata}")
}

fn put_value(text: &mut String, value: &Value) {
    match value {
        Value::Bool(value) => put_plain(text, &u8::from(*value)),
        Value::Float(x) => put(text, format_args!("{x:?}")),
        Value::Pair([u, v]) => put(text, format_args!("({u:?}, {v:?})")),
        Value::Vector(vector) | Value::Place(vector) => put_tuple(text, vector),
        Value::Rotation(q) => {
            put(text, format_args!("({:?}, ", q.w));
            put_vector(text, q.xyz(), ", ");
            text.push(')');
        }
        Value::Token(token) => put(text, format_args!("\"{token}\"")),
        Value::Tokens(tokens) => put(text, format_args!("{tokens:?}")),
        Value::Ints(ints) => put_list(text, ints, put_plain),
        Value::Floats(floats) => put_list(text, floats, |text, x| put(text, format_args!("{x:?}"))),
        Value::Pairs(pairs) => {
            put_list(text, pairs, |text, [u, v]| put(text, format_args!("({u:?}, {v:?})")));
        }
        Value::Vectors(vectors) => put_list(text, vectors, put_tuple),
        Value::Path(_) | Value::Nothing | Value::Samples(_) => unreachable!("no plain values"),
    }
}

fn put_plain(text: &mut String, value: &impl Display) {
    put(text, format_args!("{value}"));
}

fn put_tuple(text: &mut String, vector: &Vec3) {
    text.push('(');
    put_vector(text, *vector, ", ");
    text.push(')');
}

/// Appends the items in brackets.
fn put_list<T>(text: &mut String, items: &[T], put_item: impl Fn(&mut String, &T)) {
    text.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        put_item(text, item);
    }
    text.push(']');
}
