use super::*;
use crate::mesh::io::tests::{assert_faults, cloud_of, surface, tets_of};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibEncoder;
use glam::DVec3;
use std::io::Read;

const TEXT: &str = r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
 <UnstructuredGrid><Piece NumberOfPoints="5" NumberOfCells="2">
  <PointData><DataArray type="Float32" Name="connectivity" format="ascii">7</DataArray></PointData>
  <CellData Scalars="E">
   <DataArray type="Float64" Name="E" format="ascii">2.5 7</DataArray>
   <DataArray type="Int32" Name="a &lt; b" NumberOfComponents="1" format="ascii">-3 1</DataArray>
   <DataArray type="Float32" Name="u" NumberOfComponents="3" format="ascii">1 2 3 4 5 6</DataArray>
   <DataArray type="String" Name="label" format="ascii">65 0 66 0</DataArray>
  </CellData>
  <Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">
   0 0 0  1 0 0  0 1 0  0 0 1  1 1 1
   <InformationKey name="L2_NORM_RANGE" location="vtkDataArray" length="2"><Value index="0">0</Value></InformationKey>
  </DataArray></Points>
  <Cells>
   <DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 3 0 1 2</DataArray>
   <DataArray type="Int32" Name="offsets" format="ascii">4 7</DataArray>
   <DataArray type="UInt8" Name="types" format="ascii">10 5</DataArray>
  </Cells>
 </Piece></UnstructuredGrid>
</VTKFile>
"#;

fn parse(bytes: &[u8]) -> Result<Mesh> {
    read(Path::new("a.vtu"), bytes)
}

fn parse_text(text: &str) -> Result<Mesh> {
    parse(text.as_bytes())
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    ZlibEncoder::new(bytes, Compression::default()).read_to_end(&mut out).unwrap();
    out
}

/// One array as VTK stores it: its sizes, then its data, in blocks of 16 bytes when compressed.
fn stored(data: &[u8], compressed: bool, base64: bool) -> Vec<u8> {
    let word = |n: usize| (n as u32).to_le_bytes();
    let encode = |bytes: Vec<u8>| {
        if base64 { STANDARD.encode(bytes).into_bytes() } else { bytes }
    };
    if !compressed {
        return encode([word(data.len()).to_vec(), data.to_vec()].concat());
    }
    let blocks: Vec<Vec<u8>> = data.chunks(16).map(deflate).collect();
    let mut sizes = [word(blocks.len()), word(16), word(data.len() % 16)].concat();
    sizes.extend(blocks.iter().flat_map(|block| word(block.len())));
    [encode(sizes), encode(blocks.concat())].concat()
}

/// The tetrahedron of [`TEXT`] in every binary layout.
fn layout(compressed: bool, appended: Option<bool>) -> Vec<u8> {
    let points: Vec<u8> = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.]
        .iter()
        .flat_map(|x: &f32| x.to_le_bytes())
        .collect();
    let connectivity: Vec<u8> = (0..4i64).flat_map(i64::to_le_bytes).collect();
    let arrays = [
        ("Float32", "Points", points),
        ("Int64", "connectivity", connectivity),
        ("Int8", "offsets", vec![4]),
        ("UInt8", "types", vec![10]),
        ("Float32", "core", 0.75f32.to_le_bytes().to_vec()),
    ];
    let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let mut xml =
        format!("<VTKFile type=\"UnstructuredGrid\"{compressor}><UnstructuredGrid><Piece><Points>")
            .into_bytes();
    let mut data = Vec::new();
    for (kind, name, bytes) in arrays {
        let stored = stored(&bytes, compressed, appended != Some(false));
        match appended {
            None => xml.extend(
                [
                    format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">\n ")
                        .as_bytes(),
                    &stored,
                    b"\n</DataArray>",
                ]
                .concat(),
            ),
            Some(_) => {
                let offset = data.len();
                xml.extend(format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{offset}\"/>").bytes());
                data.extend(stored);
            }
        }
        if name == "Points" {
            xml.extend(b"</Points><Cells>");
        }
        if name == "types" {
            xml.extend(b"</Cells><CellData>");
        }
    }
    xml.extend(b"</CellData></Piece></UnstructuredGrid>");
    if let Some(base64) = appended {
        let encoding = if base64 { "base64" } else { "raw" };
        xml.extend(format!("<AppendedData encoding=\"{encoding}\">\n_").bytes());
        xml.extend(data);
        xml.extend(b"</AppendedData>");
    }
    xml.extend(b"</VTKFile>");
    xml
}

#[test]
fn text_is_read_and_tetrahedra_win_over_triangles() {
    let mesh = tets_of(parse_text(TEXT));
    assert_eq!((mesh.points.len(), mesh.tets), (4, vec![[0, 1, 2, 3]]));
    let surface = surface(parse_text(&TEXT.replace(">10 5<", ">9 5<")));
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
}

#[test]
fn numbers_of_tetrahedra_are_kept() {
    let data = |text: &str| tets_of(parse_text(text)).cell_data;
    let want = |e: &[f64], ab: &[f64]| {
        BTreeMap::from([("E".into(), e.to_vec()), ("a < b".into(), ab.to_vec())])
    };
    assert_eq!(data(TEXT), want(&[2.5], &[-3.0]));
    // The triangle first, the tetrahedron second.
    let turned = TEXT
        .replace(">0 1 2 3 0 1 2<", ">0 1 2 0 1 2 3<")
        .replace(">4 7<", ">3 7<")
        .replace(">10 5<", ">5 10<");
    assert_eq!(data(&turned), want(&[7.0], &[1.0]));
    let (start, end) = (TEXT.find("<Piece").unwrap(), TEXT.find("</Piece>").unwrap() + 8);
    let piece = &TEXT[start..end];
    let second = piece.replace(">2.5 7<", ">4 nan<");
    let twice = TEXT.replace(piece, &format!("{piece}{second}"));
    assert_eq!(data(&twice), want(&[2.5, 4.0], &[-3.0, -3.0]));
    // What follows the fields of cells does not belong to them.
    let array = "<FieldData><DataArray type=\"Float64\" Name=\"t\" format=\"ascii\">1</DataArray></FieldData>";
    assert_eq!(data(&TEXT.replace("</CellData>", &format!("</CellData>{array}"))).len(), 2);

    let one_lacks = format!("{piece}{}", piece.replace("Name=\"E\"", "Name=\"F\""));
    let with = |from: &str, to: &str| TEXT.replace(from, to);
    let faults = [
        (&*with(piece, &one_lacks), "cell data `E` has 1 numbers, wanted 2"),
        (&with(">2.5 7<", ">2.5<"), "cell data `E` have 1 numbers for 2"),
        (&with(">2.5 7<", ">inf 7<"), "`E` is inf in tetrahedron 0"),
        (&with(">2.5 7<", ">x 7<"), "array E: `x`"),
        (&with("a &lt; b", "E"), "cell data `E` are there twice"),
    ];
    assert_faults(parse_text, &faults);
}

#[test]
fn vertices_alone_are_a_cloud() {
    let text = TEXT.replace(">10 5<", ">2 1<").replace("0 1 2 3 0 1 2", "0 1 2 3 4");
    let text = text.replace(">4 7<", ">4 5<");
    let cloud = cloud_of(parse_text(&text));
    assert_eq!((cloud.points.len(), cloud.points[4]), (5, DVec3::ONE));
    assert_faults(parse_text, &[(&text.replace(">2 1<", ">4 3<"), "no triangles")]);
}

#[test]
fn every_binary_layout_is_read() {
    for compressed in [false, true] {
        for appended in [None, Some(false), Some(true)] {
            let mesh = tets_of(parse(&layout(compressed, appended)));
            assert_eq!(mesh.tets, [[0, 1, 2, 3]], "{compressed} {appended:?}");
            assert_eq!(mesh.points[3], DVec3::Z);
            assert_eq!(mesh.cell_data["core"], [0.75], "{compressed} {appended:?}");
        }
    }
}

#[test]
fn a_truncated_binary_file_is_refused_wherever_it_ends() {
    for compressed in [false, true] {
        for appended in [None, Some(false), Some(true)] {
            let bytes = layout(compressed, appended);
            let needed = bytes.len() - "</Piece></UnstructuredGrid></AppendedData></VTKFile>".len();
            for length in 0..needed {
                let _ = parse(&bytes[..length]);
            }
            assert!(parse(&bytes[..needed / 2]).is_err());
        }
    }
}

#[test]
fn faults_name_the_place() {
    let with = |from: &str, to: &str| TEXT.replace(from, to);
    let ended = TEXT.strip_suffix("</Cells>\n </Piece></UnstructuredGrid>\n</VTKFile>\n").unwrap();
    let faults = [
        ("", "no element VTKFile"),
        (&*with("\"UnstructuredGrid\"", "\"PolyData\""), "`PolyData`"),
        (&with(">4 7<", ">4 8<"), "cell 1 ends at 8"),
        (&with(">4 7<", ">4 3<"), "cell 1 ends at 3"),
        (&with(">4 7<", ">4<"), "1 offsets and 2 types"),
        (&with("0 1 2 3 0", "0 1 2 9 0"), "cell 0 refers to a point"),
        (&with("0 1 2 3 0", "0 1 2 -1 0"), "cell 0 refers to a point"),
        (&with(">10 5<", ">12 5<"), "cell 0 is of type 12"),
        (&with("1 1 1", "1 1"), "14 coordinates"),
        (&with("1 1 1", "1 1 x"), "`x`"),
        (&with("Points=\"5\"", "Points=\"4\""), "NumberOfPoints is 4, and the arrays hold 5"),
        (&with("Points=\"5\"", "Points=\"-1\""), "NumberOfPoints is `-1`, wanted a whole"),
        (&with("Cells=\"2\"", "Cells=\"3\""), "NumberOfCells is 3, and the arrays hold 2"),
        (&with("Cells=\"2\"", "Cells=\"-1\""), "NumberOfCells is `-1`, wanted a whole"),
        (&with("0 0 1  1", "0 0 nan  1"), "point 3"),
        (&with("types", "kinds"), "lacks one of the arrays"),
        (&with("0.1\"", "0.1\" compressor=\"vtkLZ4DataCompressor\""), "vtkLZ4"),
        (ended, "no triangles"),
    ];
    assert_faults(parse_text, &faults);
}

#[test]
fn arrays_that_overlap_or_grow_without_bound_are_refused() {
    let bytes = layout(false, Some(false));
    let at = |what: &[u8]| find(&bytes, what).unwrap();
    let (start, end) = (at(b"<Piece>"), at(b"</Piece>") + 8);
    let pieces = bytes[start..end].repeat(4);
    let many = [&bytes[..start], &pieces, &bytes[at(b"<Appended")..]].concat();
    assert!(parse(&many).is_ok(), "a few are within the file's length");
    let arrays = |appended, compressed, left| Arrays {
        big_endian: false,
        wide_header: false,
        compressed,
        appended,
        base64: false,
        left,
        room: array::room(left),
    };
    let message = |arrays: &mut Arrays| arrays.decode("Int8", Encoding::Appended(0)).err();
    let mut twice = arrays(&[4, 0, 0, 0, 1, 2, 3, 4], false, 12);
    assert_eq!(message(&mut twice), None);
    assert!(message(&mut twice).is_some_and(|message| message.contains("overlap")));

    let zeros = deflate(&vec![0; 4 << 20]);
    let mut bomb = [1, 4 << 20, 0, zeros.len() as u32].map(u32::to_le_bytes).concat();
    bomb.extend(&zeros);
    let grows = message(&mut arrays(&bomb, true, bomb.len()));
    assert!(grows.is_some_and(|message| message.contains("256 times")));
}
