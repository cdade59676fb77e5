//! The arrays of a world on the device.

use glam::DVec3;

use super::advance::SIM_SLOTS;
use super::batch::MAX_BATCH;
use super::build::Origin;
use crate::Result;
use crate::body::stiffness::Counts;
use crate::collide;
use crate::family::Families;
use crate::gpu::types::{Externals, SPEED_LIMIT, Sim};
use crate::gpu::{Buffer, Context, Telemetry, Uniforms};
use crate::integrate::Arrays;
use crate::model::{Model, ModelBuffers, State};
use crate::scene::Scene;
use crate::setup;

/// What passes bind.
#[derive(Debug)]
pub(super) struct Device {
    pub buffers: ModelBuffers,
    pub elements: Families,
    pub state: State,
    pub sim: Uniforms<Sim>,
    pub externals: Uniforms<Externals>,
    pub status: Buffer<u32>,
}

impl Device {
    /// Uploads a model, its particles and elements where the world begins.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        scene: &Scene,
        model: &Model,
        origin: Origin<'_>,
    ) -> Result<Self> {
        let world = &scene.world;
        let solids = world.contact && (world.floor.is_some() || !scene.solids.is_empty());
        let contact = collide::can_touch(scene);
        let buffers =
            ModelBuffers::new(context, model, setup::bodies(scene, model), [solids, contact])?;
        let state = State::new(context, model, world.integrator.contact_share() < 1.0)?;
        let elements = Families::new(context, model)?;
        if let Origin::Other(other) = origin {
            state.place(context, model, &other.motions(model));
            state.place_poses(context, model, &other.poses());
            other.give_elements(context, scene, &elements);
        }
        let status = Buffer::zeroed(context, "status", status_words(scene, model))?;
        Ok(Self {
            buffers,
            elements,
            state,
            sim: Uniforms::new(context, "sim", SIM_SLOTS),
            externals: Uniforms::new(context, "externals", 1),
            status,
        })
    }

    /// All of them.
    pub fn arrays<'a>(&'a self, context: &'a Context) -> Arrays<'a> {
        Arrays {
            context,
            model: &self.buffers,
            state: &self.state,
            sim: &self.sim,
            elements: &self.elements,
            externals: &self.externals,
            status: &self.status,
        }
    }

    /// Sizes that reductions run over.
    pub fn counts(&self) -> Counts {
        Counts { chunks: self.buffers.chunks.len(), bodies: self.buffers.bodies.len() }
    }

    /// What all dispatches share, before the step is chosen.
    pub fn at_rest(&self, scene: &Scene, model: &Model) -> Sim {
        let Counts { chunks, bodies } = self.counts();
        let mut sim = Sim {
            gravity: DVec3::from(scene.world.gravity).as_vec3(),
            step: 1.0,
            step_ratio: 1.0,
            span: 1.0,
            drag: scene.world.drag as f32,
            particle_count: model.positions.len() as u32,
            unknown_count: model.positions.len() as u32,
            body_count: bodies as u32,
            chunk_count: chunks as u32,
            skin_count: model.skin.corners.len() as u32,
            damping_stages: 1,
            theta_scale: scene.world.integrator.damping_share() as f32,
            speed_limit: SPEED_LIMIT,
            pose_count: model.poses.len() as u32,
            turn_order: scene.world.rigid_integrator.order(),
            contact_share: scene.world.integrator.contact_share(),
            status_words: self.status.len() as u32,
            sleep: u32::from(scene.world.sleep && collide::can_touch(scene)),
            ..Sim::default()
        };
        self.elements.count(&mut sim);
        sim
    }
}

/// Words of `status`; those of steps only count contacts.
fn status_words(scene: &Scene, model: &Model) -> usize {
    let steps = if collide::can_touch(scene) { MAX_BATCH } else { 0 };
    Telemetry::len(model.bodies.len(), steps)
}
