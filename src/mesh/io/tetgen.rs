//! TetGen: points in a `.node` file, tetrahedra in the `.ele` file of the same name. The attributes of tetrahedra become
//! the cell data `attribute_1` and so on.

use super::cursor::{Cursor, Words};
use crate::error::{Error, Result};
use crate::mesh::{Mesh, TetMesh};
use glam::DVec3;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The two files that belong to either name.
pub fn pair(path: &Path) -> [PathBuf; 2] {
    [path.with_extension("node"), path.with_extension("ele")]
}

/// Reads the texts of both files; `paths` and `bytes` in the order node, ele.
pub fn read(paths: [&Path; 2], bytes: [&[u8]; 2]) -> Result<Mesh> {
    let (points, first) = nodes(&mut Cursor::new(paths[0], bytes[0]))?;
    elements(&mut Cursor::new(paths[1], bytes[1]), first, points)
}

/// Reads both files from one text, the tetrahedra behind the points.
pub fn read_joined(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let mut cursor = Cursor::new(path, bytes);
    let (points, first) = nodes(&mut cursor)?;
    elements(&mut cursor, first, points)
}

/// The next line that is not a comment.
fn line<'a>(cursor: &mut Cursor<'a>, what: &str) -> Result<Words<'a>> {
    loop {
        let words = cursor.expect_line(what)?;
        if !words.text().starts_with('#') {
            return Ok(words);
        }
    }
}

/// Points, and the number of the first: 0 or 1.
fn nodes(cursor: &mut Cursor) -> Result<(Vec<DVec3>, i64)> {
    let mut header = line(cursor, "the count of points")?;
    let count = header.count("the count of points")?;
    let dimension = header.count("the dimension")?;
    if dimension != 3 {
        return Err(header.error(format!("the dimension is {dimension}, wanted 3")));
    }
    let mut points = Vec::new();
    let mut first = 0;
    for i in 0..count {
        let mut words = line(cursor, &format!("point {i} of {count}"))?;
        let number = words.integer("the point's number")?;
        if i == 0 {
            first = number;
        }
        // From 0 or 1 without a gap.
        if !matches!(first, 0 | 1) || number.checked_sub(first) != Some(i as i64) {
            let wanted = "wanted all from 0 or all from 1 in order";
            return Err(words.error(format!("the point's number is {number}, {wanted}")));
        }
        points.push(words.point()?);
    }
    Ok((points, first))
}

/// The tetrahedra over the points, with their attributes.
fn elements(cursor: &mut Cursor, first_point: i64, points: Vec<DVec3>) -> Result<Mesh> {
    let mut header = line(cursor, "the count of tetrahedra")?;
    let count = header.count("the count of tetrahedra")?;
    let corners = header.count("the points per tetrahedron")?;
    if corners != 4 && corners != 10 {
        return Err(header.error(format!("{corners} points per tetrahedron, wanted 4 or 10")));
    }
    let attributes = match header.is_finished() {
        true => 0,
        false => header.count("the attributes per tetrahedron")?,
    };
    let (mut tets, mut columns) = (Vec::new(), Vec::<Vec<f64>>::new());
    for i in 0..count {
        let mut words = line(cursor, &format!("tetrahedron {i} of {count}"))?;
        words.integer("the tetrahedron's number")?;
        let mut tet = [0; 4];
        for corner in &mut tet {
            *corner = point_index(&mut words, first_point, points.len())?;
        }
        tets.push(tet);
        // Middles of edges.
        for _ in 4..corners {
            words.integer("a point of the tetrahedron")?;
        }
        for k in 0..attributes {
            let value = words.float(&format!("attribute {}", k + 1))?;
            if columns.len() <= k {
                columns.push(Vec::new());
            }
            columns[k].push(value);
        }
    }
    let names = (1..).map(|k| format!("attribute_{k}"));
    let cell_data: BTreeMap<_, _> = names.zip(columns).collect();
    Ok(Mesh::Tets(TetMesh::new(points, tets)?.with_cell_data(cell_data)?))
}

/// A point's index from 0.
fn point_index(words: &mut Words, first_point: i64, points: usize) -> Result<u32> {
    let number = words.integer("a corner")?;
    let index = number.checked_sub(first_point).and_then(|index| u32::try_from(index).ok());
    let fault = || format!("a corner is point {number}, wanted one of {points} from {first_point}");
    index.filter(|&index| (index as usize) < points).ok_or_else(|| words.error(fault()))
}

/// Writes both files: node, ele. Cell data become attributes in the order of their names.
pub fn write(mesh: &TetMesh) -> [Vec<u8>; 2] {
    let mut node = format!("{} 3 0 0\n", mesh.points.len());
    for (i, p) in mesh.points.iter().enumerate() {
        let _ = writeln!(node, "{i} {} {} {}", p.x, p.y, p.z);
    }
    let mut ele = format!("{} 4 {}\n", mesh.tets.len(), mesh.cell_data.len());
    for (i, [a, b, c, d]) in mesh.tets.iter().enumerate() {
        let _ = write!(ele, "{i} {a} {b} {c} {d}");
        for values in mesh.cell_data.values() {
            let _ = write!(ele, " {}", values[i]);
        }
        ele.push('\n');
    }
    [node.into_bytes(), ele.into_bytes()]
}

/// The two files of a pair from disk, either name given.
pub fn read_pair(path: &Path) -> Result<Mesh> {
    let paths = pair(path);
    let read_file = |path: &PathBuf| std::fs::read(path).map_err(|source| Error::io(path, source));
    let bytes = [read_file(&paths[0])?, read_file(&paths[1])?];
    read([&paths[0], &paths[1]], [&bytes[0], &bytes[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::io::tests::{assert_faults, tets_of};

    const NODE: &str =
        "# made by hand\n4 3 1 0\n1 0 0 0 7\n2 1 0 0 7\n3 0 1 0 7\n4 0 0 1 7 # last\n";
    const ELE: &str = "1 4 1\n1 1 2 3 4 5\n";

    fn read_texts(node: &str, ele: &str) -> Result<Mesh> {
        read([Path::new("a.node"), Path::new("a.ele")], [node.as_bytes(), ele.as_bytes()])
    }

    #[test]
    fn numbers_start_at_zero_or_one() {
        let mesh = tets_of(read_texts(NODE, ELE));
        assert_eq!((mesh.points.len(), mesh.tets.as_slice()), (4, &[[0, 1, 2, 3]][..]));
        assert_eq!(mesh.cell_data, BTreeMap::from([("attribute_1".into(), vec![5.0])]));
        let [node, ele] = write(&mesh).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(read_texts(&node, &ele).unwrap(), Mesh::Tets(mesh));
    }

    #[test]
    fn attributes_stand_behind_all_points() {
        let ele = "2 10 2\n1 1 2 3 4 1 1 1 1 1 1 7.5 -1\n2 1 2 4 3 1 1 1 1 1 1 8.5 -2 9\n";
        let mesh = tets_of(read_texts(NODE, ele));
        let want = [vec![7.5, 8.5], vec![-1.0, -2.0]];
        let names = ["attribute_1", "attribute_2"].map(String::from);
        assert_eq!(mesh.cell_data, names.into_iter().zip(want).collect());
    }

    #[test]
    fn faults_name_file_and_line() {
        let elements = [
            ("1 4 2\n1 1 2 3 4 5\n", "line 2: attribute 2 is missing"),
            ("1 4 1\n1 1 2 3 4 inf\n", "line 2: attribute 1 is `inf`"),
            ("1 4 99999999999999\n1 1 2 3 4 5\n", "attribute 2 is missing"),
            ("1 4 -1\n1 1 2 3 4\n", "line 1: the attributes"),
            ("1 10 0\n1 1 2 3 4\n", "a point of the tetrahedron"),
            ("1 4 0\n1 1 2 3 5\n", "a.ele: line 2: a corner is point 5"),
            ("1 4 0\n1 0 1 2 3\n", "a.ele: line 2"),
            ("4000000000 4 0\n1 1 2 3 4\n", "a.ele: line 2: the file ends"),
            ("1 6 0\n", "6 points per tetrahedron"),
        ];
        assert_faults(|ele| read_texts(NODE, ele), &elements);
        let nodes = [
            ("9999999999999 3\n1 0 0 0\n", "a.node: line 2: the file ends"),
            ("4 2\n", "dimension is 2"),
            (&NODE.replace("3 0 1 0", "5 0 1 0"), "line 5"),
            (&NODE.replace("3 0 1 0", "3 0 inf 0"), "line 5: y is `inf`"),
            ("", "a.node"),
        ];
        assert_faults(|node| read_texts(node, ELE), &nodes);
    }
}
