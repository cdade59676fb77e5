//! Material and contact constants of the bodies.

use std::f64::consts::TAU;

use super::damping::mode_of;
use crate::gpu::types::{
    Body as GpuBody, DAMPING_CAPPED, DAMPING_EXACT, DAMPING_EXPLICIT, KIND_FEM, KIND_SHAPE,
    KIND_SPRINGS,
};
use crate::model::{Material, Model};
use crate::scene::{DampingMode, Kind, Plasticity, Pull, Scene};

/// δ over the mean edge: a gap below this counts as touching.
pub const MARGIN: f64 = 0.01;

/// Material and contact constants of each body; ranges and rates are filled in later.
pub fn bodies(scene: &Scene, model: &Model) -> Vec<GpuBody> {
    (0..model.bodies.len())
        .map(|index| body(scene, model, index))
        .collect()
}

/// The same of one body.
pub fn body(scene: &Scene, model: &Model, index: usize) -> GpuBody {
    let (body, ranges) = (&scene.bodies[index], &model.bodies[index]);
    GpuBody {
        distance: ranges.material.distance as f32,
        volume: ranges.material.volume as f32,
        damping: ranges.material.damping as f32,
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
        heterogeneous: u32::from(ranges.heterogeneous),
        area: ranges.material.area as f32,
        radius: ranges.radius as f32,
        borne: ranges.borne as f32,
        ..of_kind(&body.kind, &ranges.material)
    }
}

/// The constants of a body's kind, but those of springs.
fn of_kind(kind: &Kind, material: &Material) -> GpuBody {
    let flowing = |plasticity: &Plasticity| GpuBody {
        yield_strain: plasticity.yield_strain.min(f64::from(f32::MAX)) as f32,
        creep: plasticity.creep as f32,
        plastic_most: plasticity.most as f32,
        ..GpuBody::default()
    };
    match kind {
        Kind::Springs(_) => GpuBody {
            kind: KIND_SPRINGS,
            ..GpuBody::default()
        },
        Kind::Fem(fem) => GpuBody {
            kind: KIND_FEM,
            law: fem.law as u32,
            relaxation: material.relaxation as f32,
            ..flowing(&fem.plasticity)
        },
        Kind::Shape(shape) => {
            let alpha = match shape.pull {
                Pull::Alpha(alpha) => alpha,
                Pull::Frequency(_) | Pull::Suited => 0.0,
            };
            GpuBody {
                kind: KIND_SHAPE,
                alpha: alpha as f32,
                pull_rate: (TAU * material.frequency).powi(2) as f32,
                beta: shape.beta as f32,
                relaxation: material.relaxation as f32,
                ..flowing(&shape.plasticity)
            }
        }
    }
}
