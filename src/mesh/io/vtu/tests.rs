#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibEncoder;
use std::io::Read;

const TEXT: &str = r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
 <UnstructuredGrid><Piece NumberOfPoints="5" NumberOfCells="2">
  <PointData><DataArray type="Float32" Name="connectivity" format="ascii">7</DataArray></PointData>
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

fn fault(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    ZlibEncoder::new(bytes, Compression::default())
        .read_to_end(&mut out)
        .unwrap();
    out
}

/// One array as VTK stores it: its sizes, then its data, in blocks of 16 bytes when compressed.
fn stored(data: &[u8], compressed: bool, base64: bool) -> Vec<u8> {
    let word = |n: usize| (n as u32).to_le_bytes();
    let encode = |bytes: Vec<u8>| {
        if base64 {
            STANDARD.encode(bytes).into_bytes()
        } else {
            bytes
        }
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
    ];
    let compressor = if compressed {
        " compressor=\"vtkZLibDataCompressor\""
    } else {
        ""
    };
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
    }
    xml.extend(b"</Cells></Piece></UnstructuredGrid>");
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
    let Mesh::Tets(mesh) = parse(TEXT.as_bytes()).unwrap() else {
        panic!("wanted tetrahedra")
    };
    assert_eq!((mesh.points.len(), mesh.tets), (4, vec![[0, 1, 2, 3]]));
    let Mesh::Surface(surface) = parse(TEXT.replace(">10 5<", ">9 5<").as_bytes()).unwrap() else {
        panic!("wanted a surface")
    };
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
}

#[test]
fn every_binary_layout_is_read() {
    for compressed in [false, true] {
        for appended in [None, Some(false), Some(true)] {
            let Mesh::Tets(mesh) = parse(&layout(compressed, appended)).unwrap() else {
                panic!("wanted tetrahedra")
            };
            assert_eq!(mesh.tets, [[0, 1, 2, 3]], "{compressed} {appended:?}");
            assert_eq!(mesh.points[3], DVec3::Z);
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
    assert!(fault("").contains("no element VTKFile"));
    assert!(fault(&TEXT.replace("\"UnstructuredGrid\"", "\"PolyData\"")).contains("`PolyData`"));
    assert!(fault(&TEXT.replace(">4 7<", ">4 8<")).contains("cell 1 ends at 8"));
    assert!(fault(&TEXT.replace(">4 7<", ">4 3<")).contains("cell 1 ends at 3"));
    assert!(fault(&TEXT.replace(">4 7<", ">4<")).contains("1 offsets and 2 types"));
    assert!(fault(&TEXT.replace("0 1 2 3 0", "0 1 2 9 0")).contains("cell 0 names a point"));
    assert!(fault(&TEXT.replace("0 1 2 3 0", "0 1 2 -1 0")).contains("cell 0 names a point"));
    assert!(fault(&TEXT.replace(">10 5<", ">12 5<")).contains("cell 0 is of type 12"));
    assert!(fault(&TEXT.replace("1 1 1", "1 1")).contains("14 coordinates"));
    assert!(fault(&TEXT.replace("1 1 1", "1 1 x")).contains("`x`"));
    assert!(fault(&TEXT.replace("0 0 1  1", "0 0 nan  1")).contains("point 3"));
    assert!(fault(&TEXT.replace("types", "kinds")).contains("lacks one of the arrays"));
    assert!(
        fault(&TEXT.replace("0.1\"", "0.1\" compressor=\"vtkLZ4DataCompressor\""))
            .contains("vtkLZ4")
    );
    assert!(
        fault(
            TEXT.strip_suffix("</Cells>\n </Piece></UnstructuredGrid>\n</VTKFile>\n")
                .unwrap()
        )
        .contains("no triangles")
    );
}

#[test]
fn arrays_that_overlap_or_grow_without_bound_are_refused() {
    let bytes = layout(false, Some(false));
    let piece = {
        let start = find(&bytes, b"<Piece>").unwrap();
        let end = find(&bytes, b"</Piece>").unwrap() + 8;
        bytes[start..end].to_vec()
    };
    let many = [
        &bytes[..find(&bytes, b"<Piece>").unwrap()],
        &piece.repeat(4),
        &bytes[find(&bytes, b"<Appended").unwrap()..],
    ]
    .concat();
    assert!(parse(&many).is_ok(), "a few are within the file's length");
    let mut arrays = Arrays {
        big_endian: false,
        wide_header: false,
        compressed: false,
        appended: &[4, 0, 0, 0, 1, 2, 3, 4],
        base64: false,
        left: 12,
        room: 0,
    };
    assert!(arrays.decode("Int8", Encoding::Appended(0)).is_ok());
    assert!(
        arrays
            .decode("Int8", Encoding::Appended(0))
            .is_err_and(|message| message.contains("overlap"))
    );

    let zeros = deflate(&vec![0; 4 << 20]);
    let bomb = [
        &[1, 0, 0, 0],
        &(4u32 << 20).to_le_bytes()[..],
        &[0; 4],
        &(zeros.len() as u32).to_le_bytes(),
        &zeros,
    ]
    .concat();
    let mut arrays = Arrays {
        big_endian: false,
        wide_header: false,
        compressed: true,
        appended: &bomb,
        base64: false,
        left: bomb.len(),
        room: array::room(bomb.len()),
    };
    assert!(
        arrays
            .decode("Int8", Encoding::Appended(0))
            .is_err_and(|message| message.contains("256 times"))
    );
}
