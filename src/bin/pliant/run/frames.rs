//! The frames of a run, in all formats asked for.

use std::path::{Path, PathBuf};

use glam::Vec3;
use pliant::internals::Inside as _;
use pliant::output::{self, BodyTopology, Frame, Output, Placement, Topology, View};
use pliant::report::stresses;
use pliant::world::{Contacts, PoseState, Snapshot};
use pliant::{Error, Result, Scene, World};

use super::pictures::Pictures;
use super::{Files, Format, solids};

/// The file of all pictures.
pub const ANIMATION: &str = "movie.png";
/// What the names of files of states end in.
pub const STATE: &str = "state";
/// What those of pictures do.
pub const PICTURE: &str = "png";

/// Writes frames.
pub struct Frames {
    meshes: Option<Output>,
    pictures: Option<Pictures>,
    /// Whether surfaces are brought to the host.
    draws: bool,
    /// Whether states stay; pictures are drawn from them.
    keeps_states: bool,
    folder: PathBuf,
    /// What the name of a frame's file ends in, of each format that has one per frame.
    ends: Vec<&'static str>,
    /// Files that have all frames.
    whole: Vec<&'static str>,
    /// The frames that were written; of pictures the first so many.
    written: Vec<u64>,
    drawn: usize,
}

impl Frames {
    /// Prepares the formats that are asked for.
    pub(super) fn new(
        files: &Files<'_>,
        size: (u32, u32),
        world: &World,
        scene: &Scene,
    ) -> Result<Self> {
        let wanted = |format: &Format| match format {
            Format::Vtu => Some(output::Format::Vtu),
            Format::Obj => Some(output::Format::Obj),
            Format::Ply => Some(output::Format::Ply),
            Format::Usda => Some(output::Format::Usda),
            Format::Usdc => Some(output::Format::Usdc),
            Format::Png | Format::Apng | Format::State | Format::None => None,
        };
        let end = |format: &Format| match format {
            Format::Vtu => Some("vtu"),
            Format::Obj => Some("obj"),
            Format::Ply => Some("ply"),
            Format::Png => Some(PICTURE),
            Format::State => Some(STATE),
            Format::Usda | Format::Usdc | Format::Apng | Format::None => None,
        };
        let whole = |format: &Format| match format {
            Format::Obj => Some("scene.mtl"),
            Format::Usda => Some("scene.usda"),
            Format::Usdc => Some("scene.usdc"),
            Format::Apng => Some(ANIMATION),
            _ => None,
        };
        let ends: Vec<_> = files.formats.iter().filter_map(end).collect();
        let formats: Vec<_> = files.formats.iter().filter_map(wanted).collect();
        let draws = formats.iter().any(|format| *format != output::Format::Vtu);
        let fps = scene.world.fps;
        let meshes = (!formats.is_empty())
            .then(|| {
                let view =
                    View { camera: files.style.camera()?, aspect: size.0 as f32 / size.1 as f32 };
                Output::new(&files.folder, &formats, Topology { view, ..topology(world) }, fps)
            })
            .transpose()?;
        let pictures = match files.draws() {
            true => Some(Pictures::new(files, size, world)?),
            false => None,
        };
        if !files.formats.is_empty() {
            std::fs::create_dir_all(&files.folder)
                .map_err(|error| Error::io(&files.folder, error))?;
        }
        Ok(Self {
            meshes,
            pictures,
            draws,
            keeps_states: files.has(Format::State),
            folder: files.folder.clone(),
            ends,
            whole: files.formats.iter().filter_map(whole).collect(),
            written: Vec::new(),
            drawn: 0,
        })
    }

    /// Removes the frames that an earlier run has left, from the `first` on.
    pub fn forget(&self, first: u64) -> Result<()> {
        // Pictures leave states for as long as they are not drawn: those of another run must not stay.
        let states = self.pictures.as_ref().map(|_| STATE);
        for end in self.ends.iter().copied().chain(states) {
            for (_, path) in of_frames(&self.folder, end).filter(|(number, _)| *number >= first) {
                std::fs::remove_file(&path).map_err(|error| Error::io(&path, error))?;
            }
        }
        Ok(())
    }

    /// What was written, as the name of one file or of the first and the last of many.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let name = |k: u64, end: &str| self.folder.join(frame_name(k, end)).display().to_string();
        let of = move |end: &&str| {
            let count = if *end == PICTURE { self.drawn } else { self.written.len() };
            match self.written[..count] {
                [] => None,
                [only] => Some(name(only, end)),
                [first, .., last] => {
                    Some(format!("{} to {}", name(first, end), frame_name(last, end)))
                }
            }
        };
        let all_drawn = self.drawn == self.written.len();
        let whole = self.whole.iter().filter(move |name| all_drawn || **name != ANIMATION);
        let whole = whole.map(|name| self.folder.join(name).display().to_string());
        self.ends.iter().filter_map(of).chain(whole)
    }

    /// Writes one frame of a state.
    pub fn write(
        &mut self,
        index: u64,
        world: &mut World,
        state: &Snapshot,
        contacts: &Contacts,
    ) -> Result<()> {
        self.write_files(index, world, state, contacts)?;
        self.written.push(index);
        Ok(())
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.written.len() as u64
    }

    /// Draws the pictures of all frames while `go_on` says so before each; returns whether it did. States that were kept for
    /// them alone go then. Leaves the world in the last one's state.
    pub fn draw(&mut self, world: &mut World, go_on: impl FnMut() -> bool) -> Result<bool> {
        let Some(pictures) = &mut self.pictures else {
            return Ok(true);
        };
        let folder = &self.folder;
        self.drawn = pictures.draw(world, &self.written, go_on, |world, frame| {
            restore(world, &folder.join(frame_name(frame, STATE)))
        })?;
        let whole = self.drawn == self.written.len();
        if whole && !self.keeps_states {
            for frame in &self.written {
                let path = folder.join(frame_name(*frame, STATE));
                std::fs::remove_file(&path).map_err(|error| Error::io(&path, error))?;
            }
        }
        Ok(whole)
    }

    /// What the colours of the pictures mean.
    pub fn legend(&self) -> Option<String> {
        self.pictures.as_ref().and_then(Pictures::legend)
    }

    fn write_files(
        &mut self,
        index: u64,
        world: &mut World,
        state: &Snapshot,
        contacts: &Contacts,
    ) -> Result<()> {
        if let Some(pictures) = &mut self.pictures {
            pictures.watch(world)?;
        }
        if self.keeps_states || self.pictures.is_some() {
            pliant::write_file(&self.folder.join(frame_name(index, STATE)), &world.save()?)?;
        }
        let Some(meshes) = &mut self.meshes else {
            return Ok(());
        };
        let count = world.model().skin.corners.len();
        let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::Y; count]);
        if self.draws {
            let context = world.context().clone();
            let skin = world.update_skin();
            positions = skin.positions.read(&context)?.iter().map(|x| x.truncate()).collect();
            normals = skin.normals.read(&context)?.iter().map(|n| n.truncate()).collect();
        }
        let stresses = match self.ends.contains(&"vtu") {
            true => stresses(world, state)?,
            false => Vec::new(),
        };
        let place = |pose: &PoseState| Placement { centre: pose.centre, rotation: pose.rotation };
        let placements: Vec<_> = state.poses.iter().map(place).collect();
        meshes.write(&Frame {
            index,
            time: state.time,
            positions: &state.positions,
            velocities: &state.velocities,
            contacts: &contacts.roles,
            penetrations: &contacts.penetrations,
            drawn_positions: &positions,
            drawn_normals: &normals,
            placements: &placements,
            solids: &solids::placements(world)?,
            stresses: &stresses,
        })
    }

    /// Completes all files.
    pub fn finish(&mut self) -> Result<()> {
        self.meshes.take().map_or(Ok(()), Output::finish)
    }
}

/// Puts a world into the state that a run has left in a file.
///
/// # Errors
/// A file that is no state of this world; a lost device.
pub fn restore(world: &mut World, path: &Path) -> Result<()> {
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
    world.restore(&bytes).map_err(|error| super::in_file(error, path))
}

/// As [`Output`] and [`Pictures`] call the files of a frame.
pub fn frame_name(index: u64, end: &str) -> String {
    format!("frame_{index:05}.{end}")
}

/// The files of frames in a folder whose names end so, and the frames' numbers, in no order.
pub fn of_frames(folder: &Path, end: &str) -> impl Iterator<Item = (u64, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let name = entry.file_name().into_string().ok()?;
        let number = name.strip_prefix("frame_")?.strip_suffix(end)?.strip_suffix('.')?;
        let number = number.parse().ok()?;
        (frame_name(number, end) == name).then(|| (number, entry.path()))
    })
}

fn topology(world: &World) -> Topology {
    let model = world.model();
    let places = world.rest_positions();
    let bodies = model.bodies.iter().zip(&model.skin.bodies).map(|(body, skin)| BodyTopology {
        name: body.name.clone(),
        color: skin.color,
        particles: body.particles.clone(),
        tets: model.tets[body.tets.clone()].iter().map(|tet| tet.corners).collect(),
        faces: if body.tets.is_empty() {
            model.triangles[body.triangles.clone()].to_vec()
        } else {
            Vec::new()
        },
        vertices: skin.vertices.clone(),
        points: model.skin.points(skin.vertices.clone()),
        triangles: model.skin.triangles[skin.triangles.clone()].to_vec(),
        uv: skin.uv.clone(),
        radius: body.radius as f32,
        is_rigid: body.rigid.is_some(),
    });
    Topology {
        bodies: bodies.collect(),
        rest_positions: places.iter().map(|x| x.as_vec3()).collect(),
        solids: solids::topology(world),
        view: View::default(),
    }
}
