//! Two small bodies, written and read back with parsers of the tests' own.
mod clouds;
mod solids;
mod surfaces;
mod usda;
mod usdc;
mod vtu;

use super::{
    BodyTopology, Format, Frame, Output, Placement, SolidShape, SolidTopology, Topology, View,
};
use crate::error::Error;
use crate::folder::Folder;
use crate::mesh::TextureCoordinates;
use glam::{DMat3, Quat, Vec3};
use std::fs;
use std::path::Path;

const ALL: [Format; 5] = [Format::Vtu, Format::Obj, Format::Ply, Format::Usda, Format::Usdc];

impl Folder {
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

/// A body of two tetrahedra with texture coordinates that differ along a seam, and one of two points.
fn topology() -> Topology {
    let uv = TextureCoordinates {
        values: (0..6).map(|i| [0.125 * i as f32, 1.0 / 3.0]).collect(),
        corners: vec![[0, 1, 2], [5, 4, 3], [3, 0, 1]],
    };
    let wedge = BodyTopology {
        name: "2 Würfel".into(),
        color: [255, 128, 0],
        particles: 0..5,
        tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
        faces: vec![],
        vertices: 0..4,
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3]],
        uv: Some(uv),
        ..BodyTopology::default()
    };
    let dust = BodyTopology {
        name: "dust".into(),
        color: [1, 2, 3],
        particles: 5..7,
        vertices: 4..7,
        triangles: vec![[4, 5, 6]],
        ..BodyTopology::default()
    };
    let rest_positions =
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE, Vec3::NEG_X, Vec3::NEG_Y];
    Topology { bodies: vec![wedge, dust], rest_positions, ..Topology::default() }
}

/// The arrays of a frame. Some numbers are long, tiny or large.
#[derive(Default)]
struct State {
    index: u64,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    contacts: Vec<u8>,
    penetrations: Vec<Vec3>,
    drawn_positions: Vec<Vec3>,
    drawn_normals: Vec<Vec3>,
    placements: Vec<Placement>,
    solids: Vec<Placement>,
    stresses: Vec<DMat3>,
}

impl State {
    /// Frame `index`: the rest shape stretched by (index + 1) along x.
    fn new(index: u64) -> Self {
        let stretch = Vec3::new((index + 1) as f32, 1.0, 1.0);
        let odd = |i: usize| {
            Vec3::new(1.0 / (i + 3) as f32, -1e-12 * i as f32, 1e20 + index as f32) * stretch
        };
        Self {
            index,
            positions: topology().rest_positions.iter().map(|&x| x * stretch).collect(),
            velocities: (0..7).map(odd).collect(),
            contacts: (0..7).map(|i| i % 3).collect(),
            penetrations: (14..21).map(odd).collect(),
            drawn_positions: (7..14).map(odd).collect(),
            drawn_normals: (0..7).map(|i| Vec3::new(1.0, i as f32, -0.0).normalize()).collect(),
            ..Self::default()
        }
    }

    fn frame(&self) -> Frame<'_> {
        Frame {
            index: self.index,
            time: self.index as f64 / 60.0,
            positions: &self.positions,
            velocities: &self.velocities,
            contacts: &self.contacts,
            penetrations: &self.penetrations,
            drawn_positions: &self.drawn_positions,
            drawn_normals: &self.drawn_normals,
            placements: &self.placements,
            solids: &self.solids,
            stresses: &self.stresses,
        }
    }
}

/// The bodies of [`topology`] with a cloud of three points between them, and a frame of it.
fn with_cloud() -> (Topology, State) {
    let mut topology = topology();
    let rest = [Vec3::ZERO, 2.0 * Vec3::X, Vec3::ONE];
    let cloud = BodyTopology {
        name: "cloud".into(),
        color: [9, 8, 7],
        particles: 5..8,
        vertices: 4..4,
        radius: 0.25,
        ..BodyTopology::default()
    };
    topology.bodies.insert(1, cloud);
    topology.bodies[2].particles = 8..10;
    topology.rest_positions.splice(5..5, rest);
    let mut state = State::new(0);
    state.positions.splice(5..5, rest.map(|x| x + Vec3::Y));
    state.velocities.splice(5..5, rest);
    state.penetrations.splice(5..5, rest);
    state.contacts.splice(5..5, [0; 3]);
    (topology, state)
}

/// Writes these frames; the output is still open.
fn write(folder: &Path, formats: &[Format], frames: &[u64]) -> Output {
    let mut output = Output::new(folder, formats, topology(), 60.0).unwrap();
    for &index in frames {
        output.write(&State::new(index).frame()).unwrap();
    }
    output
}

/// One frame of a topology.
fn write_one(folder: &Folder, format: Format, topology: Topology, state: &State) {
    let mut output = Output::new(&folder.0, &[format], topology, 60.0).unwrap();
    output.write(&state.frame()).unwrap();
    output.finish().unwrap();
}

/// Header, vertices and faces of a PLY file.
fn ply(folder: &Folder, name: &str, vertices: usize) -> (String, Vec<[u8; 31]>, Vec<[u8; 13]>) {
    let bytes = fs::read(folder.path(name)).unwrap();
    let end = b"end_header\n";
    let start = bytes.windows(end.len()).position(|part| part == end).unwrap() + end.len();
    let header = String::from_utf8(bytes[..start].to_vec()).unwrap();
    let (vertices, faces) = bytes[start..].split_at(vertices * 31);
    let ((vertices, _), (faces, rest)) = (vertices.as_chunks(), faces.as_chunks());
    assert!(rest.is_empty());
    (header, vertices.to_vec(), faces.to_vec())
}

/// The bits, as NaN and -0 hide in comparisons of numbers.
fn bits(vectors: &[Vec3]) -> Vec<[u32; 3]> {
    vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect()
}

#[test]
fn every_format_writes_its_files_and_no_others() {
    let folder = Folder::new("names");
    let formats: Vec<_> = ALL.into_iter().chain(ALL).collect();
    write(&folder.0, &formats, &[0, 1]).finish().unwrap();
    let frames = [0, 1].map(|k| ["obj", "ply", "vtu"].map(|kind| format!("frame_0000{k}.{kind}")));
    let whole = ["scene.mtl", "scene.pvd", "scene.usda", "scene.usdc"].map(String::from);
    let want = [frames.concat(), whole.to_vec()].concat();
    assert_eq!(folder.names(), want);
    write(&folder.0.join("a/b"), &[Format::Obj], &[0]).finish().unwrap();
    assert!(folder.0.join("a/b/frame_00000.obj").exists());
}

#[test]
fn a_scene_without_bodies_is_written() {
    let folder = Folder::new("empty");
    let mut output = Output::new(&folder.0, &ALL, Topology::default(), 60.0).unwrap();
    let state = State::default();
    output.write(&state.frame()).unwrap();
    output.finish().unwrap();
    assert_eq!(folder.names().len(), 7);
    assert_eq!(folder.read("frame_00000.obj"), "# frame 0, 0 s\nmtllib scene.mtl\n");
    assert!(folder.read("frame_00000.ply").contains("element vertex 0\n"));
    assert!(folder.read("frame_00000.vtu").contains("NumberOfPoints=\"0\" NumberOfCells=\"0\""));
    assert!(!folder.read("scene.usda").contains("Mesh"));
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new("blocked");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    for blocked in [file.clone(), file.join("below")] {
        for format in ALL {
            let made = Output::new(&blocked, &[format], topology(), 60.0).err();
            let named = matches!(made, Some(Error::Io { path, .. }) if path.starts_with(&file));
            assert!(named, "{format:?} into {blocked:?}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_replaced_is_named_and_nothing_is_left() {
    let folder = Folder::new("replace");
    for kind in ["obj", "ply", "vtu"] {
        fs::create_dir_all(folder.0.join(format!("frame_00000.{kind}/full"))).unwrap();
    }
    for name in ["scene.usda", "scene.usdc"] {
        fs::create_dir_all(folder.0.join(name).join("full")).unwrap();
    }
    let frames = ["frame_00000.vtu", "frame_00000.obj", "frame_00000.ply"];
    for (format, name) in
        ALL.into_iter().zip(frames.into_iter().chain(["scene.usda", "scene.usdc"]))
    {
        let mut output = Output::new(&folder.0, &[format], topology(), 60.0).unwrap();
        let written = output.write(&State::new(0).frame()).and_then(|()| output.finish());
        let Err(Error::Io { path, .. }) = written else { panic!("{format:?}: {written:?}") };
        assert_eq!(path, folder.0.join(name));
    }
    assert!(folder.names().iter().all(|name| !name.ends_with(".tmp")), "{:?}", folder.names());
}

/// On Linux `/dev/full` stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_keeps_the_older_file() {
    let folder = Folder::new("full");
    for (format, kind) in [(Format::Vtu, "vtu"), (Format::Obj, "obj"), (Format::Ply, "ply")] {
        let mut output = write(&folder.0, &[format], &[0]);
        let name = format!("frame_00000.{kind}");
        let before = fs::read(folder.0.join(&name)).unwrap();
        std::os::unix::fs::symlink("/dev/full", folder.0.join(format!("{name}.tmp"))).unwrap();
        let error = output.write(&State::new(0).frame()).unwrap_err().to_string();
        assert!(error.contains(&name) && error.contains("No space"), "{error}");
        assert_eq!(fs::read(folder.0.join(&name)).unwrap(), before);
        assert!(!folder.0.join(format!("{name}.tmp")).exists());
    }
}

#[test]
fn frames_and_topologies_that_do_not_fit_are_refused() {
    let folder = Folder::new("lengths");
    let refusal = |state: &State| {
        let mut output = write(&folder.0, &[Format::Ply], &[]);
        output.write(&state.frame()).unwrap_err().to_string()
    };
    let [mut short, mut odd] = [State::new(0), State::new(0)];
    short.drawn_normals.pop();
    odd.velocities[3].y = f32::NAN;
    for (state, wanted) in [(short, "lengths of the frame's arrays"), (odd, "velocities[3]")] {
        let got = refusal(&state);
        assert!(got.contains(wanted), "{got}");
    }
    let mut gap = topology();
    gap.bodies[1].vertices = 5..8;
    let made = Output::new(Path::new("never made"), &[], gap, 60.0);
    let got = made.err().unwrap().to_string();
    assert!(got.contains("ranges of body"), "{got}");
}
