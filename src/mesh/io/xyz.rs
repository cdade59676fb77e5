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
        match (begins_with, row.count()) {
            // Some programs leave the element out.
            (Some(_), ..=2) => {}
            (Some(number), more) => {
                return Err(words.error(format!(
                    "{} words of which the first is {number}, wanted x y z alone, or the element's name before them",
                    more + 1
                )));
            }
            (None, _) => {
                words.word();
            }
        }
        points.push(words.point()?);
    }
    match cursor.line() {
        None => Ok(points),
        Some(words) => Err(words.error(format!(
            "text behind the last of the {count} atoms that line {} speaks of, wanted one frame only",
            first.line
        ))),
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

    fn points(text: &str) -> Vec<DVec3> {
        match read(Path::new("a.xyz"), text.as_bytes()).unwrap() {
            Mesh::Points(cloud) => cloud.points,
            other => panic!("wanted points, got {other:?}"),
        }
    }

    fn fault(text: &str) -> String {
        read(Path::new("a.xyz"), text.as_bytes()).unwrap_err().to_string()
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
        assert!(fault("").contains("holds no points"));
        assert!(fault("# nothing\n\n").contains("holds no points"));
        assert!(fault("0\nempty\n").contains("holds no points"));
        assert!(fault("1 2 3\n4 5\n").contains("line 2: z is missing"));
        assert!(fault("1 2 3\n4\n").contains("line 2: y is missing"));
        assert!(fault("1 2 3\nC 4 5 6\n").contains("line 2: x is `C`"));
        assert!(fault("1 2 nan\n").contains("line 1: z is `nan`"));
        assert!(fault("1 2 1e30\n").contains("point 0 is at"));
        assert!(
            fault("solid\n").contains("line 1: the number of atoms, alone on its line, is `solid`")
        );
        assert!(fault("-2\n\nC 0 0 0\n").contains("line 1: the number of atoms"));
        assert!(
            fault("99999999999\n\nC 0 0 0\n")
                .contains("line 3: the file ends here, wanted atom 1 of")
        );
        assert!(fault("1\n\nC 0 x 0\n").contains("line 3: y is `x`"));
        assert!(fault("1\n\nC 0 0\n").contains("line 3: z is missing"));
        assert!(fault("1\n\n0 0\n").contains("line 3: z is missing"));
        for row in ["0 0 0 9.5", "8 1 0 0", "1e3 0 0 0 0"] {
            let message = fault(&format!("2\n\nC 0 0 0\n{row}\n"));
            assert!(message.contains("line 4: "), "{message}");
            assert!(message.contains("words of which the first is "), "{message}");
        }
        assert!(fault("1\n\nC 0 0 0\n1\n\nC 0 0 1\n").contains("line 4: text behind the last"));
    }
}
