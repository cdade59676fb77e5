//! VTK files, read with an XML and a base64 library.

use super::*;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;

/// The decoded arrays of a file by "section name", and the counts of points and cells.
pub(super) struct Vtu {
    pub arrays: HashMap<String, Vec<u8>>,
    pub counts: [usize; 2],
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let value = tag.try_get_attribute(name).unwrap()?;
    Some(value.value.to_string())
}

impl Vtu {
    pub fn parse(text: &str) -> Self {
        let (mut section, mut array) = (String::new(), String::new());
        let mut vtu = Self { arrays: HashMap::new(), counts: [0; 2] };
        let mut reader = Reader::from_str(text);
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) => match tag.name().as_ref() {
                    "VTKFile" => {
                        assert_eq!(attribute(&tag, "byte_order").as_deref(), Some("LittleEndian"));
                        assert_eq!(attribute(&tag, "header_type").as_deref(), Some("UInt64"));
                    }
                    "Piece" => {
                        let count = |name| attribute(&tag, name).unwrap().parse().unwrap();
                        vtu.counts = ["NumberOfPoints", "NumberOfCells"].map(count);
                    }
                    "DataArray" => array = attribute(&tag, "Name").unwrap(),
                    name => section = name.to_owned(),
                },
                Event::Text(text) if !array.is_empty() => {
                    let bytes = BASE64_STANDARD.decode(&*text).unwrap();
                    let (length, data) = bytes.split_first_chunk().unwrap();
                    assert_eq!(u64::from_le_bytes(*length), data.len() as u64);
                    vtu.arrays.insert(format!("{section} {array}"), data.to_vec());
                }
                Event::End(tag) if tag.name().as_ref() == "DataArray" => array.clear(),
                Event::Eof => return vtu,
                _ => (),
            }
        }
    }

    /// The array as items of N bytes.
    fn items<const N: usize, T>(&self, name: &str, item: impl Fn([u8; N]) -> T) -> Vec<T> {
        let (items, rest) = self.arrays[name].as_chunks::<N>();
        assert!(rest.is_empty(), "{name}");
        items.iter().map(|&bytes| item(bytes)).collect()
    }

    fn vectors(&self, name: &str) -> Vec<[u32; 3]> {
        let numbers = self.items(name, u32::from_le_bytes);
        numbers.as_chunks().0.to_vec()
    }
}

#[test]
fn arrays_read_back_bit_for_bit() {
    let folder = Folder::new("vtu");
    write(&folder.0, &[Format::Vtu], &[0, 2]).finish().unwrap();
    let (vtu, state) = (Vtu::parse(&folder.read("frame_00002.vtu")), State::new(2));
    assert_eq!(vtu.counts, [7, 4]);
    assert_eq!(vtu.vectors("Points Points"), bits(&state.positions));
    assert_eq!(vtu.vectors("PointData velocity"), bits(&state.velocities));
    assert_eq!(vtu.arrays["PointData contact"], [0, 1, 2, 0, 1, 2, 0], "bytes");
    assert_eq!(vtu.vectors("PointData penetration"), bits(&state.penetrations));
    let moved: Vec<_> =
        topology().rest_positions.iter().zip(&state.positions).map(|(a, b)| b - a).collect();
    assert_eq!(vtu.vectors("PointData displacement"), bits(&moved));
    assert_eq!(vtu.items("PointData body", i32::from_le_bytes), [0, 0, 0, 0, 0, 1, 1]);
    assert_eq!(vtu.items("CellData body", i32::from_le_bytes), [0, 0, 1, 1]);
    assert_eq!(vtu.items("CellData volume_ratio", f32::from_le_bytes), [3.0, 3.0, 1.0, 1.0]);
    assert_eq!(vtu.items("Cells connectivity", i64::from_le_bytes), [0, 1, 2, 3, 1, 2, 3, 4, 5, 6]);
    assert_eq!(vtu.items("Cells offsets", i64::from_le_bytes), [4, 8, 9, 10]);
    assert_eq!(vtu.arrays["Cells types"], [10, 10, 1, 1]);
    assert_eq!(vtu.items("FieldData TimeValue", f64::from_le_bytes), [2.0 / 60.0]);
}

#[test]
fn an_inverted_tetrahedron_has_a_negative_ratio_and_a_flat_one_at_rest_has_one() {
    let folder = Folder::new("ratio");
    let mut flat = topology();
    flat.rest_positions[4] = Vec3::new(1.0, 1.0, -1.0);
    let mut state = State::new(0);
    state.positions[3].z = -0.5;
    write_one(&folder, Format::Vtu, flat, &state);
    let vtu = Vtu::parse(&folder.read("frame_00000.vtu"));
    assert_eq!(vtu.items("CellData volume_ratio", f32::from_le_bytes), [-0.5, 1.0, 1.0, 1.0]);
}

#[test]
fn tetrahedra_have_stress_and_strain_where_there_is_any() {
    let folder = Folder::new("stress");
    let mut state = State::new(1);
    write_one(&folder, Format::Vtu, topology(), &state);
    let without = Vtu::parse(&folder.read("frame_00001.vtu"));
    assert!(!without.arrays.keys().any(|name| name.contains("str")));
    // In pure shear von Mises' stress is √3 times the shear.
    let shear = DMat3::from_cols_array_2d(&[[0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0; 3]]);
    let uneven = DMat3::from_cols_array_2d(&[[7.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 1.0]]);
    state.stresses = vec![shear, uneven];
    write_one(&folder, Format::Vtu, topology(), &state);
    let text = folder.read("frame_00001.vtu");
    let vtu = Vtu::parse(&text);
    let floats = |name: &str| vtu.items(name, f32::from_le_bytes);
    let stress = floats("CellData stress");
    assert_eq!(stress[..12], [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 7.0, 4.0, 1.0, 2.0, 5.0, 3.0]);
    assert_eq!(stress[12..], [0.0; 12], "two vertices");
    let [a, b, ..] = floats("CellData von_mises")[..] else { panic!("four cells") };
    assert!((a - 12_f32.sqrt()).abs() < 1e-6);
    // ½ (3² + 3² + 6²) + 3 (2² + 5² + 3²) = 141
    assert!((b - 141_f32.sqrt()).abs() < 1e-5, "{b}");
    // Twice as long along x: (2² − 1)/2.
    let strain = [1.5, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(floats("CellData strain"), [strain, strain, [0.0; 6], [0.0; 6]].concat());
    let names = "NumberOfComponents=\"6\" ComponentName0=\"XX\" ComponentName1=\"YY\"";
    assert_eq!(text.matches(names).count(), 2);
    state.stresses.pop();
    let mut output = Output::new(&folder.0, &[Format::Vtu], topology(), 60.0).unwrap();
    assert!(output.write(&state.frame()).unwrap_err().to_string().contains("lengths"));
}

#[test]
fn the_collection_is_complete_after_every_frame() {
    let folder = Folder::new("pvd");
    let mut output = write(&folder.0, &[Format::Vtu], &[]);
    for count in 0..3 {
        let text = folder.read("scene.pvd");
        let (mut reader, mut frames) = (Reader::from_str(&text), Vec::new());
        loop {
            match reader.read_event().unwrap() {
                Event::Empty(tag) => {
                    let time: f64 = attribute(&tag, "timestep").unwrap().parse().unwrap();
                    frames.push((time, attribute(&tag, "file").unwrap()));
                }
                Event::Eof => break,
                _ => (),
            }
        }
        assert!(text.ends_with("</VTKFile>\n"));
        assert_eq!(frames.len() as u64, count);
        for ((time, file), k) in frames.into_iter().zip(0..) {
            assert_eq!((time, file), (f64::from(k) / 60.0, format!("frame_{k:05}.vtu")));
        }
        output.write(&State::new(count).frame()).unwrap();
    }
}
