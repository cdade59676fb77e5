use super::*;
use crate::mesh::io::tests::{assert_faults, cloud_of, surface, tets_of};

const V2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n$Nodes\n5\n\
    10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n50 9 9 9\n$EndNodes\n$Elements\n3\n1 15 2 1 1 10\n2 2 2 1 1 10 20 30\n\
    3 4 2 1 1 10 20 30 40\n$EndElements\n";

const V4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n\
    2 4 1 4\n2 1 1 3\n1\n2\n3\n0 0 0 0.5 0.5\n1 0 0 0 1\n0 1 0 1 0\n3 1 0 1\n7\n0 0 1\n$EndNodes\n$Elements\n\
    2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 7\n$EndElements\n";

fn read_text(text: &str) -> Result<Mesh> {
    read(Path::new("a.msh"), text.as_bytes())
}

/// A field on element 3 of [`V2`] and element 2 of [`V4`], one on no tetrahedron, and one of vectors.
const DATA: &str = "$ElementData\n2\n\"E mod\"\n\"scheme\"\n1\n0.0\n4\n0\n1\n2\n0\n2 5e4\n3 7e4\n$EndElementData\n\
    $ElementData\n1\n\"E mod\"\n1\n1.0\n3\n1\n1\n2\n2 -1\n3 -1\n$EndElementData\n\
    $ElementData\n1\n\"edge\"\n0\n3\n0 1 1\n1 5\n$EndElementData\n\
    $ElementData\n1\n\"u\"\n0\n3\n0\n3\n1\n2 1 2 3\n$EndElementData\n";

/// One tetrahedron in binary, in either byte order, with a field of 2.5 on it.
fn binary(version: &str, big: bool) -> Vec<u8> {
    let order = |mut bytes: Vec<u8>| {
        if big {
            bytes.reverse();
        }
        bytes
    };
    let int = |x: i32| order(x.to_le_bytes().to_vec());
    let size = |x: u64| order(x.to_le_bytes().to_vec());
    let point = |p: [f64; 3]| p.map(|x| order(x.to_le_bytes().to_vec())).concat();
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut bytes = format!("$MeshFormat\n{version} 1 8\n").into_bytes();
    bytes.extend(int(1));
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n");
    if version == "2.2" {
        bytes.extend(b"4\n");
        for (i, p) in points.into_iter().enumerate() {
            bytes.extend([int(i as i32 + 1), point(p)].concat());
        }
        bytes.extend(b"\n$EndNodes\n$Elements\n1\n");
        for x in [4, 1, 2, 1, 0, 0, 1, 2, 3, 4] {
            bytes.extend(int(x));
        }
    } else {
        bytes.extend([1, 4, 1, 4].map(size).concat());
        bytes.extend([3, 1, 0].map(int).concat());
        bytes.extend(size(4));
        bytes.extend((1..=4).flat_map(size));
        bytes.extend(points.into_iter().flat_map(point));
        bytes.extend(b"\n$EndNodes\n$Elements\n");
        bytes.extend([1; 4].map(size).concat());
        bytes.extend([3, 1, 4].map(int).concat());
        bytes.extend([1; 2].map(size).concat());
        bytes.extend((1..=4).flat_map(size));
    }
    bytes.extend(b"\n$EndElements\n$ElementData\n1\n\"core\"\n1\n0\n3\n0\n1\n1\n");
    bytes.extend([int(1), order(2.5f64.to_le_bytes().to_vec())].concat());
    bytes.extend(b"\n$EndElementData\n");
    bytes
}

#[test]
fn both_versions_in_text() {
    for text in [V2, V4] {
        let mesh = tets_of(read_text(text));
        assert_eq!((mesh.points.len(), mesh.tets.as_slice()), (4, &[[0, 1, 2, 3]][..]));
        assert!((mesh.volume(0) - 1.0 / 6.0).abs() < 1e-15);
    }
}

#[test]
fn both_versions_in_binary_of_both_orders() {
    for version in ["2.2", "4.1"] {
        for big in [false, true] {
            let mesh = tets_of(read(Path::new("a.msh"), &binary(version, big)));
            assert_eq!((mesh.points.len(), mesh.points[3]), (4, DVec3::Z), "{version} {big}");
            assert_eq!(mesh.cell_data["core"], [2.5], "{version} {big}");
        }
    }
}

#[test]
fn triangles_and_quadrangles_without_tetrahedra_are_a_surface() {
    let text = V2.replace("3 4 2 1 1 10 20 30 40", "3 3 2 1 1 10 20 30 40");
    assert_eq!(surface(read_text(&text)).triangles, [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
}

#[test]
fn element_data_become_cell_data() {
    for (text, value) in [(V2, 7e4), (V4, 5e4)] {
        let mesh = tets_of(read_text(&format!("{text}{DATA}")));
        let want = std::collections::BTreeMap::from([("E mod".to_string(), vec![value])]);
        assert_eq!(mesh.cell_data, want);
    }
    let two = V2
        .replace("$Elements\n3", "$Elements\n4")
        .replace("$EndElements", "9 4 2 1 1 10 20 40 30\n$EndElements");
    let with = |from: &str, to: &str| format!("{two}{DATA}").replace(from, to);
    let faults = [
        (&*with("", ""), "$ElementData `E mod`: has no number for tetrahedron 9"),
        (&with("3 7e4", "3 inf"), "the element's value is `inf`"),
        (&with("4\n0\n1\n2\n0\n", "2\n0\n1\n"), "2 whole numbers"),
        (&with("1\n2\n0\n2 5e4", "1\n99999999\n0\n2 5e4"), "wanted"),
    ];
    assert_faults(read_text, &faults);
    // A later part of the mesh may bring the missing number.
    let part = "$ElementData\n1\n\"E mod\"\n0\n3\n0\n1\n1\n9 4\n$EndElementData\n";
    let mesh = tets_of(read_text(&format!("{two}{DATA}{part}")));
    assert_eq!(mesh.cell_data["E mod"], [7e4, 4.0]);
}

#[test]
fn points_alone_are_a_cloud() {
    let text = V2.replace("2 2 2 1 1 10 20 30\n", "2 15 2 1 1 20\n");
    let text = text.replace("3 4 2 1 1 10 20 30 40", "3 1 2 1 1 10 20");
    assert_eq!(cloud_of(read_text(&text)).points.len(), 5);
    let lines = text.replace(" 15 2 1 1 10\n", " 1 2 1 1 10 20\n");
    let lines = lines.replace(" 15 2 1 1 20\n", " 1 2 1 1 10 20\n");
    assert_faults(read_text, &[(&lines, "no triangles")]);
}

#[test]
fn faults_name_the_place() {
    let with = |from: &str, to: &str| V2.replace(from, to);
    let faults = [
        ("", "no section $MeshFormat"),
        (&*with("2.2 0", "4.0 0"), "line 2: the version is `4.0`"),
        (&with("1 0 0\n", "1 nan 0\n"), "line 11: y is `nan`"),
        (&with("20 1 0 0", "10 1 0 0"), "line 11: node 10 is there twice"),
        (&with("10 20 30 40", "10 20 30 41"), "tetrahedron 0: refers to node 41"),
        (&with("3 4 2", "3 5 2"), "line 20: element 3 is of type 5"),
        (&with("$Nodes\n5", "$Nodes\n99999999999"), "wanted a whole number"),
        (&V4.replace("2 1 1 3", "2 1 1 18446744073709551615"), "a.msh: line"),
        (&with("3 4 2 1 1 10 20 30 40\n$EndElements\n", ""), "the file ends here"),
    ];
    assert_faults(read_text, &faults);
    let mut bytes = binary("2.2", false);
    let nodes = bytes.windows(6).position(|w| w == b"Nodes\n").unwrap();
    bytes[nodes + 12..][..8].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(read(Path::new("a.msh"), &bytes).unwrap_err().to_string().contains("byte"));
}
