//! VTK unstructured grids, `.vtu`: tetrahedra when there are any, else triangles, else points. Cell data of one number
//! per cell are kept for tetrahedra. Arrays may be text, base64 in place, or appended raw or as base64, zlib-compressed
//! or not, in either byte order.

mod array;
mod grid;
#[cfg(test)]
mod tests;
mod write;

use super::Told;
use super::cursor::shortened;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use array::{Array, Arrays, Encoding};
use grid::Grid;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::path::Path;

pub use write::write;

/// Where the appended data begin: an `_` behind this tag.
const APPENDED: &[u8] = b"<AppendedData";

/// One piece of a grid, as its arrays are found.
#[derive(Default)]
struct Piece {
    /// `NumberOfPoints` and `NumberOfCells`, where they are given.
    counts: [Option<usize>; 2],
    points: Option<Array>,
    connectivity: Option<Array>,
    offsets: Option<Array>,
    types: Option<Array>,
    /// One number per cell.
    cell_data: BTreeMap<String, Array>,
}

/// Reads a file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let end = find(bytes, APPENDED).unwrap_or(bytes.len());
    let text = std::str::from_utf8(&bytes[..end]).map_err(|error| {
        Error::file(path, format!("byte {}", error.valid_up_to()), "is not UTF-8 text")
    })?;
    let mut file = File {
        appended: &bytes[end..],
        length: bytes.len(),
        arrays: None,
        section: String::new(),
        piece: Piece::default(),
        grid: Grid::default(),
    };
    let mut reader = Reader::from_str(text);
    let mut more = true;
    while more {
        let place = format!("byte {}", reader.buffer_position());
        let found = file.take_event(&mut reader);
        more = found.map_err(|message| Error::file(path, place, message))?;
    }
    if file.arrays.is_none() {
        let message = "no element VTKFile, wanted an UnstructuredGrid";
        return Err(Error::file(path, "header", message));
    }
    file.grid.finish()
}

/// A file on the way through it.
struct File<'a> {
    /// From the tag of the appended data on.
    appended: &'a [u8],
    /// Of the whole file [bytes].
    length: usize,
    /// None before the first element.
    arrays: Option<Arrays<'a>>,
    section: String,
    piece: Piece,
    grid: Grid,
}

impl File<'_> {
    /// Takes in the next tag; false at the end.
    fn take_event(&mut self, reader: &mut Reader<&[u8]>) -> Told<bool> {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => {
                let content = match tag.name().as_ref() {
                    "DataArray" => content(reader)?,
                    _ => "",
                };
                self.open(&tag, content)?;
            }
            Event::Empty(tag) if matches!(tag.name().as_ref(), "VTKFile" | "DataArray") => {
                self.open(&tag, "")?;
            }
            Event::End(tag) if tag.name().as_ref() == self.section => self.section.clear(),
            Event::End(tag) if tag.name().as_ref() == "Piece" => {
                self.grid.add(std::mem::take(&mut self.piece))?;
            }
            Event::Eof => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn open(&mut self, tag: &BytesStart, content: &str) -> Told<()> {
        match tag.name().as_ref() {
            "VTKFile" => self.arrays = Some(file_arrays(tag, self.appended, self.length)?),
            "Piece" => self.piece.counts = counts(tag)?,
            name @ ("Points" | "Cells" | "PointData" | "CellData") => self.section = name.into(),
            "DataArray" => self.piece.add(&self.section, tag, content, &mut self.arrays)?,
            _ => {}
        }
        Ok(())
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn attribute(tag: &BytesStart, name: &str) -> Told<Option<String>> {
    let found = tag.try_get_attribute(name).map_err(|error| error.to_string())?;
    Ok(found.map(|attribute| attribute.value.into_owned()))
}

fn whole_number(name: &str, value: &str) -> Told<usize> {
    let fault = |_| format!("{name} is `{}`, wanted a whole number", shortened(value));
    value.parse().map_err(fault)
}

/// The numbers of points and cells that a piece says it has.
fn counts(tag: &BytesStart) -> Told<[Option<usize>; 2]> {
    let mut counts = [None; 2];
    for (count, name) in counts.iter_mut().zip(["NumberOfPoints", "NumberOfCells"]) {
        if let Some(value) = attribute(tag, name)? {
            *count = Some(whole_number(name, value.trim())?);
        }
    }
    Ok(counts)
}

/// What the file's first element says of all arrays; `appended` begins with the tag of the appended data, if any.
fn file_arrays<'a>(tag: &BytesStart, appended: &'a [u8], length: usize) -> Told<Arrays<'a>> {
    choice(tag, "type", None, ["UnstructuredGrid"])?;
    let byte_order = choice(tag, "byte_order", Some(0), ["LittleEndian", "BigEndian"])?;
    let header_type = choice(tag, "header_type", Some(0), ["UInt32", "UInt64"])?;
    let compressor = choice(tag, "compressor", Some(0), ["", "vtkZLibDataCompressor"])?;
    let tag_end = appended.iter().position(|&b| b == b'>').unwrap_or(appended.len());
    let (tag, data) = appended.split_at(tag_end);
    let start = data.iter().position(|&b| b == b'_').map_or(data.len(), |i| i + 1);
    Ok(Arrays {
        big_endian: byte_order == 1,
        wide_header: header_type == 1,
        compressed: compressor == 1,
        appended: &data[start..],
        base64: find(tag, b"base64").is_some(),
        left: length,
        room: array::room(length),
    })
}

/// Which of `choices` an attribute is.
fn choice<const N: usize>(
    tag: &BytesStart,
    name: &str,
    default: Option<usize>,
    choices: [&str; N],
) -> Told<usize> {
    let value = attribute(tag, name)?;
    let chosen = match &value {
        Some(value) => choices.iter().position(|choice| choice == value),
        None => default,
    };
    chosen.ok_or_else(|| {
        let value = shortened(&value.unwrap_or_default());
        format!("{name} is `{value}`, wanted one of {choices:?}")
    })
}

/// The text of the element just begun, up to its end.
fn content<'a>(reader: &mut Reader<&'a [u8]>) -> Told<&'a str> {
    let mut content = "";
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Text(text) if content.is_empty() => {
                if let std::borrow::Cow::Borrowed(text) = text.into_inner() {
                    content = text;
                }
            }
            Event::Text(_) | Event::Comment(_) => {}
            // Newer files keep each array's range in elements inside it.
            Event::Start(tag) => {
                reader.read_to_end(tag.name()).map_err(|error| error.to_string())?;
            }
            Event::End(_) => return Ok(content),
            Event::Eof => return Err("the file ends inside a DataArray".into()),
            _ => {}
        }
    }
}

impl Piece {
    /// Decodes an array when it is one of those that make up the mesh.
    fn add(
        &mut self,
        section: &str,
        tag: &BytesStart,
        content: &str,
        arrays: &mut Option<Arrays>,
    ) -> Told<()> {
        let name = attribute(tag, "Name")?.unwrap_or_default();
        let kind = attribute(tag, "type")?.unwrap_or_default();
        let components = attribute(tag, "NumberOfComponents")?;
        let scalar = matches!(components.as_deref(), None | Some("" | "0" | "1"));
        let wanted = match section {
            "Points" => true,
            "Cells" => matches!(name.as_str(), "connectivity" | "offsets" | "types"),
            "CellData" => scalar && !name.is_empty() && kind != "String",
            _ => false,
        };
        if !wanted {
            return Ok(());
        }
        let arrays = arrays.as_mut().ok_or("a DataArray outside of VTKFile")?;
        let encoding = match attribute(tag, "format")?.as_deref() {
            Some("ascii") | None => Encoding::Text(content),
            Some("binary") => Encoding::Inline(content),
            Some("appended") => {
                let offset = attribute(tag, "offset")?.unwrap_or_default();
                Encoding::Appended(whole_number("offset", &offset)?)
            }
            Some(other) => {
                let format = shortened(other);
                return Err(format!("format is `{format}`, wanted ascii, binary or appended"));
            }
        };
        let array = arrays
            .decode(&kind, encoding)
            .map_err(|message| format!("array {}: {message}", shortened(&name)))?;
        self.keep(section, &name, array)
    }

    /// Keeps an array that is wanted.
    fn keep(&mut self, section: &str, name: &str, array: Array) -> Told<()> {
        match (section, name) {
            ("Points", _) => self.points = Some(array),
            ("Cells", "connectivity") => self.connectivity = Some(array),
            ("Cells", "offsets") => self.offsets = Some(array),
            ("Cells", "types") => self.types = Some(array),
            _ => {
                let name = unescape(name).map_err(|error| error.to_string())?;
                if self.cell_data.insert(name.to_string(), array).is_some() {
                    let name = shortened(&name);
                    return Err(format!("cell data `{name}` are there twice in one Piece"));
                }
            }
        }
        Ok(())
    }
}
