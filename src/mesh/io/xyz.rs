//! Bare points as text, `.xyz`: `x y z` a line, or the chemist's form: the number of atoms alone on the first line, a
//! line of comment, and a line per atom with its element in front. What follows on a line is passed over; in the first
//! form also lines that start with `#`. Atoms may lack the element where nothing follows their coordinates; more words
//! that begin with a number could mean either, and are refused.

use super::cursor::{Cursor, Words};
use crate::error::Result;
use crate::mesh::{Mesh, PointCloud};
use glam::DVec3;
use std::fmt::Write;
use std::path::Path;

/// What some editors begin UTF-8 text with.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Mesh> {
    let mut cursor = Cursor::new(path, bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes));
    let mut points = Vec::new();
    while let Some(mut words) = cursor.line() {
        if words.text().starts_with('#') {
            continue;
        }
        if points.is_empty() && words.text().split_whitespace().count() == 1 {
            points = atoms(&mut cursor, words)?;
            break;
        }
        points.push(words.point()?);
    }
    Ok(Mesh::Points(PointCloud::new(points)?))
}

/// The atoms after the line that counts them.
fn atoms(cursor: &mut Cursor, mut first: Words) -> Result<Vec<DVec3>> {
    let count = first.count("the number of atoms, alone on its line,")?;
    // The comment may be an empty line.
    cursor.skip_line();
    let mut points = Vec::new();
    for i in 0..count {
        let mut words = cursor.expect_line(&format!("atom {i} of {count}"))?;
        let mut row = words.text().split_whitespace();
        let begins_with = row.next().and_then(|word| word.parse::<f64>().ok());
        // Some programs leave the element out.
        match (begins_with, row.count()) {
            (Some(_), ..=2) => {}
            (Some(number), more) => {
                let words_are = format!("{} words of which the first is {number}", more + 1);
                let wanted = "wanted x y z, with or without the name of the element before them";
                return Err(words.error(format!("{words_are}, {wanted}")));
            }
            (None, _) => drop(words.word()),
        }
        points.push(words.point()?);
    }
    match cursor.line() {
        None => Ok(points),
        Some(words) => {
            let atoms = format!("the {count} atoms that line {} announces", first.line);
            Err(words.error(format!("text after the last of {atoms}, wanted one frame only")))
        }
    }
}

/// Writes `x y z` lines.
pub fn write(points: &[DVec3]) -> Vec<u8> {
    let mut text = String::new();
    for p in points {
        let _ = writeln!(text, "{} {} {}", p.x, p.y, p.z);
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::io::tests::{assert_faults, cloud_of};

    fn read_text(text: &str) -> Result<Mesh> {
        read(Path::new("a.xyz"), text.as_bytes())
    }

    fn points(text: &str) -> Vec<DVec3> {
        cloud_of(read_text(text)).points
    }

    #[test]
    fn lines_of_numbers() {
        let text =
            "# x y z r g b\n\n  1 2.5 -3e1 255 255 0\r\n\t#1 1 1\n1 2.5 -3e1\n0 0 0 # corner\n";
        let twice = DVec3::new(1.0, 2.5, -30.0);
        assert_eq!(points(text), [twice, twice, DVec3::ZERO]);
        assert_eq!(points("1 2 3"), [DVec3::new(1.0, 2.0, 3.0)]);
    }

    #[test]
    fn the_chemists_form() {
        let want = [DVec3::X, DVec3::new(0.0, -0.5, 2.0)];
        for text in [
            "2\nwater # 1\nO 1 0 0\nH 0 -0.5 2 0.1\n",
            "  2 \n\nO 1 0 0\n\nH 0 -0.5 2\n\n",
            "# by hand\n2\n7 8 9\nO8 1 0 0 9.5\nH1 0 -0.5 2 1\n",
            "\u{feff}2\n\n1 0 0\n0 -0.5 2\n",
            "2\r\n\r\n1 0 0\r\n0 -0.5 2",
        ] {
            assert_eq!(points(text), want, "{text:?}");
        }
    }

    #[test]
    fn faults_name_the_place() {
        let faults = [
            ("", "holds no points"),
            ("# nothing\n\n", "holds no points"),
            ("0\nempty\n", "holds no points"),
            ("1 2 3\n4 5\n", "line 2: z is missing"),
            ("1 2 3\n4\n", "line 2: y is missing"),
            ("1 2 3\nC 4 5 6\n", "line 2: x is `C`"),
            ("1 2 nan\n", "line 1: z is `nan`"),
            ("1 2 1e30\n", "point 0 is at"),
            ("solid\n", "line 1: the number of atoms, alone on its line, is `solid`"),
            ("-2\n\nC 0 0 0\n", "line 1: the number of atoms"),
            ("99999999999\n\nC 0 0 0\n", "line 3: the file ends here, wanted atom 1 of"),
            ("1\n\nC 0 x 0\n", "line 3: y is `x`"),
            ("1\n\nC 0 0\n", "line 3: z is missing"),
            ("1\n\n0 0\n", "line 3: z is missing"),
            ("2\n\nC 0 0 0\n0 0 0 9.5\n", "line 4: 4 words of which the first is 0"),
            ("2\n\nC 0 0 0\n8 1 0 0\n", "line 4: 4 words of which the first is 8"),
            ("2\n\nC 0 0 0\n1e3 0 0 0 0\n", "line 4: 5 words of which the first is 1000"),
            ("1\n\nC 0 0 0\n1\n\nC 0 0 1\n", "line 4: text after the last"),
        ];
        assert_faults(read_text, &faults);
    }
}
