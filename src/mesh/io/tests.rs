//! What every format has to do.

use super::*;
use crate::folder::Folder;
use crate::mesh::{PointCloud, TetMesh, TextureCoordinates};
use glam::DVec3;
use std::collections::BTreeMap;

pub fn surface(mesh: Result<Mesh>) -> Surface {
    let Mesh::Surface(surface) = mesh.unwrap() else { panic!("wanted a surface") };
    surface
}

pub fn tets_of(mesh: Result<Mesh>) -> TetMesh {
    let Mesh::Tets(mesh) = mesh.unwrap() else { panic!("wanted tetrahedra") };
    mesh
}

pub fn cloud_of(mesh: Result<Mesh>) -> PointCloud {
    let Mesh::Points(cloud) = mesh.unwrap() else { panic!("wanted points") };
    cloud
}

/// Each of these texts is refused with a message that holds this.
pub fn assert_faults(read: impl Fn(&str) -> Result<Mesh>, faults: &[(&str, &str)]) {
    for (text, wanted) in faults {
        let message = read(text).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}\nwanted {wanted}, of\n{text}");
    }
}

fn outer(mesh: &TetMesh) -> Surface {
    drawn(&Mesh::Tets(mesh.clone()))
}

/// Coordinates that f32 holds exactly, so that STL can give them back.
fn tets() -> TetMesh {
    TetMesh::lattice([2, 1, 3], DVec3::new(1.0, 0.5, 12.0)).unwrap()
}

fn cloud() -> PointCloud {
    PointCloud::new(tets().points).unwrap()
}

/// The same tetrahedra with two fields, named as TetGen names them.
fn tets_with_data() -> TetMesh {
    let mesh = tets();
    let field = |scale: f64| (0..mesh.tets.len()).map(|i| scale * i as f64 - 0.1).collect();
    let names = ["attribute_1", "attribute_2"].map(String::from);
    let data = names.into_iter().zip([field(1.0), field(1e9)]);
    mesh.clone().with_cell_data(data.collect()).unwrap()
}

#[test]
fn what_is_written_is_read_back() {
    let folder = Folder::new("mesh");
    let (tets, surface) = (Mesh::Tets(tets()), Mesh::Surface(outer(&tets())));
    let (data, cloud) = (Mesh::Tets(tets_with_data()), Mesh::Points(cloud()));
    let corners = Mesh::Points(PointCloud { points: outer(&tets_with_data()).points });
    for (name, given, want) in [
        ("a.obj", &tets, Some(&surface)),
        ("a.PLY", &tets, Some(&surface)),
        ("a.obj", &surface, Some(&surface)),
        ("a.ply", &surface, Some(&surface)),
        ("a.msh", &surface, Some(&surface)),
        ("a.vtu", &surface, Some(&surface)),
        ("a.msh", &tets, Some(&tets)),
        ("a.vtu", &tets, Some(&tets)),
        ("a.node", &tets, Some(&tets)),
        ("b.ele", &tets, Some(&tets)),
        ("a.msh", &data, Some(&data)),
        ("a.vtu", &data, Some(&data)),
        ("a.node", &data, Some(&data)),
        ("a.obj", &data, Some(&surface)),
        ("a.xyz", &cloud, Some(&cloud)),
        ("a.obj", &cloud, Some(&cloud)),
        ("a.ply", &cloud, Some(&cloud)),
        ("a.msh", &cloud, Some(&cloud)),
        ("a.vtu", &cloud, Some(&cloud)),
        ("a.xyz", &tets, Some(&cloud)),
        ("a.xyz", &surface, Some(&corners)),
        ("a.stl", &cloud, None),
        ("a.node", &cloud, None),
        ("a.glb", &cloud, None),
        ("a.node", &surface, None),
        ("a.gltf", &surface, None),
        ("a.glb", &tets, None),
        ("a.txt", &tets, None),
        ("a", &tets, None),
    ] {
        let path = folder.path(name);
        match want {
            Some(want) => {
                write(&path, given).unwrap();
                assert_eq!(&read(&path).unwrap(), want, "{name}");
            }
            None => assert!(write(&path, given).unwrap_err().to_string().contains(name), "{name}"),
        }
    }
    for entry in std::fs::read_dir(&folder.0).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.to_string_lossy().ends_with("tmp"), "{name:?}");
    }
}

#[test]
fn names_of_cell_data_may_hold_anything() {
    let names = ["Young's <modulus> & \"more\"", "a b\tc", "ν", "&amp;"];
    let values = |i: usize| vec![i as f64; tets().tets.len()];
    let named = |names: &[&str]| -> BTreeMap<String, Vec<f64>> {
        let named = names.iter().enumerate();
        named.map(|(i, name)| (name.to_string(), values(i))).collect()
    };
    let mesh = tets().with_cell_data(named(&names)).unwrap();
    for format in [Format::Vtu, Format::Gmsh] {
        let bytes = write_bytes(format, &Mesh::Tets(mesh.clone()), Path::new("a")).unwrap();
        let back = tets_of(read_bytes(format, &bytes, Path::new("a")));
        let want = match format {
            Format::Vtu => named(&["Young's <modulus> & \"more\"", "a b_c", "ν", "&amp;"]),
            _ => named(&["Young's <modulus> & _more_", "a b_c", "ν", "&amp;"]),
        };
        assert_eq!(back.cell_data, want, "{format:?}");
    }
}

#[test]
fn stl_gives_back_the_same_triangles() {
    let surface = outer(&tets());
    let bytes =
        write_bytes(Format::Stl, &Mesh::Surface(surface.clone()), Path::new("a.stl")).unwrap();
    let back = self::surface(read_bytes(Format::Stl, &bytes, Path::new("a.stl")));
    assert_eq!(back.points.len(), surface.points.len());
    for i in 0..surface.triangles.len() {
        assert_eq!(back.corners(i), surface.corners(i));
    }
}

#[test]
fn obj_keeps_texture_coordinates_and_normals() {
    let mut surface = outer(&tets());
    surface.corner_normals =
        vec![[Vec3::X, Vec3::new(0.6, 0.8, 0.0), -Vec3::Y]; surface.triangles.len()];
    let mesh = Mesh::Surface(surface.clone());
    let bytes = write_bytes(Format::Obj, &mesh, Path::new("a.obj")).unwrap();
    assert_eq!(read_bytes(Format::Obj, &bytes, Path::new("a.obj")).unwrap(), mesh);
    let values = vec![[0.1, 0.2], [0.3, 1e-7], [-4.5, 6.0]];
    surface.uv =
        Some(TextureCoordinates { values, corners: vec![[0, 1, 2]; surface.triangles.len()] });
    let mesh = Mesh::Surface(surface);
    let bytes = write_bytes(Format::Obj, &mesh, Path::new("a.obj")).unwrap();
    assert_eq!(read_bytes(Format::Obj, &bytes, Path::new("a.obj")).unwrap(), mesh);
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    for name in ["none.obj", "none.node", "none.vtu"] {
        let message = read(Path::new(name)).unwrap_err().to_string();
        assert!(message.starts_with("none."), "{message}");
    }
    let message =
        write(Path::new("no/such/folder/a.obj"), &Mesh::Tets(tets())).unwrap_err().to_string();
    assert!(message.contains("no/such/folder/a.obj"), "{message}");
}

/// One good file of every format.
fn samples() -> Vec<(Format, Vec<u8>)> {
    let (tets, name) = (Mesh::Tets(tets_with_data()), Path::new("a"));
    let written = Format::ALL
        .into_iter()
        .filter_map(|format| Some((format, write_bytes(format, &tets, name).ok()?)));
    written.collect()
}

/// A file cut short may still hold a whole mesh (a text without its last line's end); what it must not do is panic.
/// Cut in the middle it is refused, with the name of the file.
#[test]
fn truncated_files_are_refused_with_their_name() {
    for (format, bytes) in samples() {
        for length in 0..bytes.len() {
            if length < 200 || length % 7 == 0 || length + 200 > bytes.len() {
                let result = read_bytes(format, &bytes[..length], Path::new("cut.mesh"));
                let text = matches!(format, Format::Obj | Format::Xyz);
                let fine = match &result {
                    Err(error) => error.to_string().starts_with("cut.mesh: "),
                    Ok(_) => length > bytes.len() / 2 || text,
                };
                assert!(fine, "{format:?} cut at {length}: {result:?}");
            }
        }
    }
}

/// Every byte changed in turn, to values that turn digits, signs, counts and offsets over.
#[test]
fn damaged_files_never_panic() {
    for (format, bytes) in samples() {
        let step = bytes.len() / 400 + 1;
        for at in (0..bytes.len()).step_by(step) {
            for value in [0, b'-', b'9', b'\n', 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                let _ = read_bytes(format, &damaged, Path::new("a"));
            }
        }
    }
}

#[test]
fn junk_is_refused_with_its_name() {
    let mut noise = 0x2545_f491u32;
    for format in Format::ALL {
        for length in [0, 1, 3, 84, 85, 1000, 5000] {
            let mut byte = |_| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            };
            let bytes: Vec<u8> = (0..length).map(&mut byte).collect();
            let message =
                read_bytes(format, &bytes, Path::new("junk.mesh")).unwrap_err().to_string();
            assert!(message.starts_with("junk.mesh: "), "{format:?}: {message}");
        }
    }
}

/// The seeds and finds of the fuzz target `mesh`: the first byte chooses the format, the rest is the file.
#[test]
fn the_corpus_is_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/mesh");
    let name = Path::new("corpus.mesh");
    let mut read = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let format = Format::ALL[bytes[0] as usize % Format::ALL.len()];
        match read_bytes(format, &bytes[1..], name) {
            Ok(mesh) => {
                if let Mesh::Surface(surface) = &mesh {
                    let _ = crate::mesh::embed(surface, 4);
                }
                if let Mesh::Points(cloud) = &mesh {
                    let _ = cloud.spacing();
                }
                write_bytes(Format::Obj, &mesh, name).unwrap();
                write_bytes(Format::Vtu, &mesh, name).unwrap();
                read.push(format);
            }
            Err(error) => {
                assert!(error.to_string().starts_with("corpus.mesh: "), "{path:?}: {error}")
            }
        }
    }
    assert!(Format::ALL.iter().all(|format| read.contains(format)), "a good one each: {read:?}");
}
