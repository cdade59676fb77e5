//! Gmsh `.msh`, versions 2.2 and 4.1, text and binary: tetrahedra when there are any, else triangles, else points.
//! `$ElementData` of one number per tetrahedron become cell data.
//!
//! Read here: the one crate for it, `mshio`, is no longer kept.

mod data;
mod numbers;
#[cfg(test)]
mod tests;
mod write;

use super::cursor::{Cursor, shortened};
use super::cut;
use crate::error::{Error, Result};
use crate::mesh::{Mesh, PointCloud, Surface, TetMesh};
use data::ElementData;
use glam::DVec3;
use numbers::{Encoding, Numbers};
use std::collections::HashMap;
use std::path::Path;

pub use write::write;

/// What an element type of Gmsh means here.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// Points; they matter when there is nothing else.
    Point,
    /// Lines, passed over.
    Line,
    /// Triangles and quadrangles, of any order: their corners come first.
    Polygon(usize),
    /// Tetrahedra of any order.
    Tetrahedron,
}

/// The number of nodes and the shape of an element type; `None` for volumes other than tetrahedra and for types that
/// are not known.
fn element_type(number: i64) -> Option<(usize, Shape)> {
    Some(match number {
        15 => (1, Shape::Point),
        1 => (2, Shape::Line),
        8 => (3, Shape::Line),
        26 => (4, Shape::Line),
        27 => (5, Shape::Line),
        28 => (6, Shape::Line),
        2 => (3, Shape::Polygon(3)),
        9 => (6, Shape::Polygon(3)),
        21 => (10, Shape::Polygon(3)),
        23 => (15, Shape::Polygon(3)),
        25 => (21, Shape::Polygon(3)),
        3 => (4, Shape::Polygon(4)),
        10 => (9, Shape::Polygon(4)),
        16 => (8, Shape::Polygon(4)),
        4 => (4, Shape::Tetrahedron),
        11 => (10, Shape::Tetrahedron),
        29 => (20, Shape::Tetrahedron),
        30 => (35, Shape::Tetrahedron),
        31 => (56, Shape::Tetrahedron),
        _ => return None,
    })
}

/// The parts of a file as they are found; corners are node tags until the end.
#[derive(Default)]
struct Parts {
    points: Vec<DVec3>,
    index_of: HashMap<i64, u32>,
    triangles: Vec<[i64; 3]>,
    tets: Vec<[i64; 4]>,
    /// The tag of each tetrahedron.
    tet_tags: Vec<i64>,
    /// Whether some element is a point.
    vertices: bool,
    data: ElementData,
}

/// Reads a file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let mut cursor = Cursor::new(path, bytes);
    let mut parts = Parts::default();
    let mut format = None;
    while let Some(words) = cursor.line() {
        match (words.text(), format) {
            ("$MeshFormat", None) => format = Some(mesh_format(&mut cursor)?),
            ("$Nodes", Some((version, encoding))) => {
                let mut numbers = Numbers::new(&mut cursor, encoding);
                match version {
                    Version::V2 => parts.nodes_2(&mut numbers)?,
                    Version::V4 => parts.nodes_4(&mut numbers)?,
                }
            }
            ("$Elements", Some((version, encoding))) => {
                let mut numbers = Numbers::new(&mut cursor, encoding);
                match (version, encoding) {
                    (Version::V2, Encoding::Text) => parts.elements_2_text(&mut numbers)?,
                    (Version::V2, _) => parts.elements_2_binary(&mut numbers)?,
                    (Version::V4, _) => parts.elements_4(&mut numbers)?,
                }
            }
            ("$ElementData", Some((_, encoding))) => parts.data.read(&mut cursor, encoding)?,
            ("$Nodes" | "$Elements" | "$ElementData", None) => {
                return Err(words.error("comes before $MeshFormat"));
            }
            // Physical names, entities and so on, whose contents fall through here line by line.
            _ => {}
        }
    }
    match format {
        Some(_) => parts.finish(path),
        None => Err(cursor.error("the file has no section $MeshFormat")),
    }
}

#[derive(Clone, Copy)]
enum Version {
    V2,
    V4,
}

fn mesh_format(cursor: &mut Cursor) -> Result<(Version, Encoding)> {
    let mut words = cursor.expect_line("the version of the format")?;
    let version = match words.word() {
        Some("2.2" | "2.1" | "2" | "2.0") => Version::V2,
        Some("4.1") => Version::V4,
        other => {
            let got = shortened(other.unwrap_or_default());
            return Err(words.error(format!("the version is `{got}`, wanted 2.2 or 4.1")));
        }
    };
    if words.integer("the file type")? == 0 {
        return Ok((version, Encoding::Text));
    }
    if words.integer("the size of a number")? != 8 {
        return Err(words.error("numbers are not of 8 bytes"));
    }
    let one = cursor.take(4, "the number that tells the byte order")?;
    match one {
        [1, 0, 0, 0] => Ok((version, Encoding::LittleEndian)),
        [0, 0, 0, 1] => Ok((version, Encoding::BigEndian)),
        _ => Err(cursor.error(format!("the byte order is told by {one:?}, wanted 1 as 4 bytes"))),
    }
}

impl Parts {
    fn node(&mut self, tag: i64, numbers: &mut Numbers) -> Result<()> {
        let point = numbers.point()?;
        if self.index_of.insert(tag, self.points.len() as u32).is_some() {
            return Err(numbers.error(format!("node {tag} is there twice")));
        }
        self.points.push(point);
        Ok(())
    }

    fn nodes_2(&mut self, numbers: &mut Numbers) -> Result<()> {
        for _ in 0..numbers.text_count("the count of nodes")? {
            let tag = numbers.int("a node's number")?;
            self.node(tag, numbers)?;
        }
        Ok(())
    }

    fn nodes_4(&mut self, numbers: &mut Numbers) -> Result<()> {
        let blocks = numbers.size("the count of node blocks")?;
        for what in ["the count of nodes", "the least node tag", "the greatest node tag"] {
            numbers.size(what)?;
        }
        for _ in 0..blocks {
            let dimension = numbers.int("the entity's dimension")?;
            numbers.int("the entity's tag")?;
            let parametric = numbers.int("the parametric flag")? != 0;
            let count = numbers.size("the count of nodes in the block")?;
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(numbers.size("a node's tag")? as i64);
            }
            for tag in tags {
                self.node(tag, numbers)?;
                for _ in 0..if parametric { dimension.clamp(0, 3) } else { 0 } {
                    numbers.float("a parametric coordinate")?;
                }
            }
        }
        Ok(())
    }

    fn elements_2_text(&mut self, numbers: &mut Numbers) -> Result<()> {
        for _ in 0..numbers.text_count("the count of elements")? {
            let element = numbers.int("an element's number")?;
            let kind = numbers.int("the element's type")?;
            let shape = shape(numbers, element, kind)?;
            for _ in 0..numbers.int("the count of tags")? {
                numbers.int("a tag")?;
            }
            self.element(element, shape, numbers, |numbers| numbers.int("a node"))?;
        }
        Ok(())
    }

    fn elements_2_binary(&mut self, numbers: &mut Numbers) -> Result<()> {
        let mut left = numbers.text_count("the count of elements")? as i64;
        while left > 0 {
            let kind = numbers.int("the type of a block of elements")?;
            let count = numbers.int("the count of elements in the block")?;
            let tags = numbers.int("the count of tags")?;
            if !(1..=left).contains(&count) {
                let message = format!("a block has {count} elements, wanted 1 to {left}");
                return Err(numbers.error(message));
            }
            for _ in 0..count {
                let element = numbers.int("an element's number")?;
                let shape = shape(numbers, element, kind)?;
                for _ in 0..tags {
                    numbers.int("a tag")?;
                }
                self.element(element, shape, numbers, |numbers| numbers.int("a node"))?;
            }
            left -= count;
        }
        Ok(())
    }

    fn elements_4(&mut self, numbers: &mut Numbers) -> Result<()> {
        let blocks = numbers.size("the count of element blocks")?;
        for what in ["the count of elements", "the least element tag", "the greatest element tag"] {
            numbers.size(what)?;
        }
        for _ in 0..blocks {
            numbers.int("the entity's dimension")?;
            numbers.int("the entity's tag")?;
            let kind = numbers.int("the type of a block of elements")?;
            for _ in 0..numbers.size("the count of elements in the block")? {
                let element = numbers.size("an element's tag")? as i64;
                let shape = shape(numbers, element, kind)?;
                let node = |numbers: &mut Numbers| Ok(numbers.size("a node")? as i64);
                self.element(element, shape, numbers, node)?;
            }
        }
        Ok(())
    }

    /// Reads the node tags of one element and keeps its corners.
    fn element(
        &mut self,
        element: i64,
        (nodes, shape): (usize, Shape),
        numbers: &mut Numbers,
        tag: impl Fn(&mut Numbers) -> Result<i64>,
    ) -> Result<()> {
        let mut tags = [0; 64];
        for slot in &mut tags[..nodes] {
            *slot = tag(numbers)?;
        }
        match shape {
            Shape::Point => self.vertices = true,
            Shape::Line => {}
            Shape::Polygon(corners) => {
                // A node that does not exist is refused at the end.
                let place = |tag| self.index_of.get(&tag).map(|i| self.points[*i as usize]);
                let corners = &tags[..corners];
                self.triangles.extend(cut(corners, |tag| place(tag).unwrap_or_default()));
            }
            Shape::Tetrahedron => {
                self.tets.push([tags[0], tags[1], tags[2], tags[3]]);
                self.tet_tags.push(element);
            }
        }
        Ok(())
    }

    fn finish(self, path: &Path) -> Result<Mesh> {
        if self.tets.is_empty() && self.triangles.is_empty() && self.vertices {
            return Ok(Mesh::Points(PointCloud::new(self.points)?));
        }
        if self.tets.is_empty() {
            let triangles = resolve(path, "triangle", &self.triangles, &self.index_of)?;
            return Ok(Mesh::Surface(Surface::new(self.points, triangles, None)?));
        }
        let tets = resolve(path, "tetrahedron", &self.tets, &self.index_of)?;
        let mesh = TetMesh::new(self.points, tets)?;
        Ok(Mesh::Tets(mesh.with_cell_data(self.data.on(path, &self.tet_tags)?)?))
    }
}

fn shape(numbers: &Numbers, element: i64, kind: i64) -> Result<(usize, Shape)> {
    element_type(kind).ok_or_else(|| {
        let wanted = "tetrahedra (4, 11) or triangles (2, 9)";
        numbers.error(format!("element {element} is of type {kind}, wanted {wanted}"))
    })
}

/// Node tags to point indices.
fn resolve<const N: usize>(
    path: &Path,
    what: &str,
    elements: &[[i64; N]],
    index_of: &HashMap<i64, u32>,
) -> Result<Vec<[u32; N]>> {
    let mut resolved = Vec::with_capacity(elements.len());
    for (i, tags) in elements.iter().enumerate() {
        let mut corners = [0; N];
        for (corner, tag) in corners.iter_mut().zip(tags) {
            *corner = *index_of.get(tag).ok_or_else(|| {
                let message = format!("refers to node {tag}, which does not exist");
                Error::file(path, format!("{what} {i}"), message)
            })?;
        }
        resolved.push(corners);
    }
    Ok(resolved)
}
