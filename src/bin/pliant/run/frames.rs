//! The frames of a run, in all formats asked for.

use std::path::PathBuf;

use glam::Vec3;
use pliant::internals::Inside as _;
use pliant::output::{self, BodyTopology, Frame, Output, Placement, Topology, View};
use pliant::report::stresses;
use pliant::world::{Contacts, PoseState, Snapshot};
use pliant::{Error, Result, Scene, World};

use super::pictures::Pictures;
use super::{Files, Format, solids};

/// Writes frames.
pub struct Frames {
    meshes: Option<Output>,
    pictures: Option<Pictures>,
    draws: bool,
    folder: PathBuf,
    /// What the name of a frame's file ends in, of each format that has one per frame.
    ends: Vec<&'static str>,
    /// The files that have all frames.
    scenes: Vec<&'static str>,
    /// The first and the last that were written.
    written: Option<[u64; 2]>,
}

impl Frames {
    /// Prepares the formats that are asked for.
    pub fn new(files: &Files, size: (u32, u32), world: &World, scene: &Scene) -> Result<Self> {
        let wanted = |format: &Format| match format {
            Format::Vtu => Some(output::Format::Vtu),
            Format::Obj => Some(output::Format::Obj),
            Format::Ply => Some(output::Format::Ply),
            Format::Usda => Some(output::Format::Usda),
            Format::Usdc => Some(output::Format::Usdc),
            Format::Png | Format::None => None,
        };
        let end = |format: &Format| match format {
            Format::Vtu => Some("vtu"),
            Format::Obj => Some("obj"),
            Format::Ply => Some("ply"),
            Format::Png => Some("png"),
            Format::Usda | Format::Usdc | Format::None => None,
        };
        let whole = |format: &Format| match format {
            Format::Usda => Some("scene.usda"),
            Format::Usdc => Some("scene.usdc"),
            Format::Vtu | Format::Obj | Format::Ply | Format::Png | Format::None => None,
        };
        let ends: Vec<_> = files.formats.iter().filter_map(end).collect();
        let formats: Vec<_> = files.formats.iter().filter_map(wanted).collect();
        let draws = formats.iter().any(|format| *format != output::Format::Vtu);
        let fps = scene.world.fps;
        let meshes = (!formats.is_empty())
            .then(|| {
                let view = View { camera: files.camera, aspect: size.0 as f32 / size.1 as f32 };
                Output::new(&files.folder, &formats, Topology { view, ..topology(world) }, fps)
            })
            .transpose()?;
        let pictures = if files.formats.contains(&Format::Png) {
            Some(Pictures::new(&files.folder, size, files.camera, world)?)
        } else {
            None
        };
        Ok(Self {
            meshes,
            pictures,
            draws,
            folder: files.folder.clone(),
            ends,
            scenes: files.formats.iter().filter_map(whole).collect(),
            written: None,
        })
    }

    /// Removes the frames that an earlier run has left, from the `first` on.
    pub fn forget(&self, first: u64) -> Result<()> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let old = |end: &&str| {
                let number = name.to_str()?.strip_prefix("frame_")?.strip_suffix(end)?;
                let number: u64 = number.strip_suffix('.')?.parse().ok()?;
                (number >= first && *frame_name(number, end) == *name).then_some(())
            };
            if self.ends.iter().any(|end| old(end).is_some()) {
                let path = entry.path();
                std::fs::remove_file(&path).map_err(|error| Error::io(&path, error))?;
            }
        }
        Ok(())
    }

    /// What was written, as the name of one file or of the first and the last of many.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let name = |k: u64, end: &str| self.folder.join(frame_name(k, end)).display().to_string();
        let of = move |end: &&str| {
            self.written.map(|[first, last]| match first == last {
                true => name(first, end),
                false => format!("{} to {}", name(first, end), frame_name(last, end)),
            })
        };
        let scenes = self.scenes.iter().map(|name| self.folder.join(name).display().to_string());
        self.ends.iter().filter_map(of).chain(scenes)
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
        self.written = Some([self.written.map_or(index, |[first, _]| first), index]);
        Ok(())
    }

    fn write_files(
        &mut self,
        index: u64,
        world: &mut World,
        state: &Snapshot,
        contacts: &Contacts,
    ) -> Result<()> {
        if let Some(pictures) = &mut self.pictures {
            pictures.draw(index, world, state)?;
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
    pub fn finish(self) -> Result<()> {
        let pictures = self.pictures.map_or(Ok(()), Pictures::finish);
        let meshes = self.meshes.map_or(Ok(()), Output::finish);
        pictures.and(meshes)
    }
}

/// As [`Output`] and [`Pictures`] call the files of a frame.
fn frame_name(index: u64, end: &str) -> String {
    format!("frame_{index:05}.{end}")
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
