//! Material and contact constants of the bodies.

use super::damping::mode_of;
use crate::family;
use crate::gpu::types::{Body as GpuBody, DAMPING_CAPPED, DAMPING_EXACT, DAMPING_EXPLICIT};
use crate::model::Model;
use crate::scene::{DampingMode, Scene};

/// δ over the mean edge: a gap below this counts as touching.
pub const MARGIN: f64 = 0.01;

/// Material and contact constants of each body; ranges and rates are filled in later.
pub fn bodies(scene: &Scene, model: &Model) -> Vec<GpuBody> {
    (0..model.bodies.len()).map(|index| body(scene, model, index)).collect()
}

/// The same of one body.
pub fn body(scene: &Scene, model: &Model, index: usize) -> GpuBody {
    let (body, ranges) = (&scene.bodies[index], &model.bodies[index]);
    GpuBody {
        friction: body.friction.unwrap_or(scene.world.friction) as f32,
        margin: (MARGIN * ranges.edge) as f32,
        probe_scale: 1.0,
        damping_mode: match mode_of(scene, index) {
            DampingMode::Explicit => DAMPING_EXPLICIT,
            DampingMode::Capped => DAMPING_CAPPED,
            DampingMode::Exact => DAMPING_EXACT,
        },
        group: body.group,
        mask: body.mask,
        self_contact: u32::from(scene.world.self_contact),
        edge: ranges.edge as f32,
        thickness: ranges.thickness as f32,
        heterogeneous: u32::from(ranges.heterogeneous),
        radius: ranges.radius as f32,
        start_rate: ranges.start_rate as f32,
        borne: ranges.borne as f32,
        loaded: ranges.loaded,
        rigid: u32::from(ranges.rigid.is_some()),
        ..family::of(&body.kind).constants(&ranges.material)
    }
}
