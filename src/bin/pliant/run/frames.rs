//! The frames of a run, in all formats asked for.

use glam::Vec3;
use pliant::internals::Inside as _;
use pliant::output::{self, BodyTopology, Frame, Output, Placement, Topology};
use pliant::world::{Contacts, PoseState, Snapshot};
use pliant::{Result, Scene, World};

use super::pictures::Pictures;
use super::{Arguments, Format};

/// Writes frames.
pub struct Frames {
    meshes: Option<Output>,
    pictures: Option<Pictures>,
    draws: bool,
}

impl Frames {
    /// Prepares the formats of the command line.
    pub fn new(arguments: &Arguments, world: &World, scene: &Scene) -> Result<Self> {
        let wanted = |format: &Format| match format {
            Format::Vtu => Some(output::Format::Vtu),
            Format::Obj => Some(output::Format::Obj),
            Format::Ply => Some(output::Format::Ply),
            Format::Usda => Some(output::Format::Usda),
            Format::Png => None,
        };
        let formats: Vec<_> = arguments.format.iter().filter_map(wanted).collect();
        let draws = formats.iter().any(|format| *format != output::Format::Vtu);
        let fps = scene.world.fps;
        let meshes = (!formats.is_empty())
            .then(|| Output::new(&arguments.out, &formats, topology(world), fps))
            .transpose()?;
        let pictures = if arguments.format.contains(&Format::Png) {
            Some(Pictures::new(&arguments.out, arguments.size, arguments.camera()?, world)?)
        } else {
            None
        };
        Ok(Self { meshes, pictures, draws })
    }

    /// Writes one frame of a state.
    pub fn write(
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
        })
    }

    /// Completes all files.
    pub fn finish(self) -> Result<()> {
        let pictures = self.pictures.map_or(Ok(()), Pictures::finish);
        let meshes = self.meshes.map_or(Ok(()), Output::finish);
        pictures.and(meshes)
    }
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
    }
}
