//! Obstacles, pulls and wind.

use glam::{DQuat, DVec3, Vec3};

use crate::gpu::types::{
    self, Externals, MAX_PULLS, MAX_SOLIDS, Pull as GpuPull, Solid as GpuSolid,
};
use crate::model::{Model, rotation_matrix};
use crate::scene::{Event, Scene, Solid};

/// Obstacles and pulls, and how many of each; a checked scene has no more than fit.
pub fn externals(scene: &Scene, model: &Model, step: f64) -> (Externals, u32, u32) {
    let floor = scene.world.floor.map(|height| Solid::Plane {
        position: [0.0, height, 0.0],
        normal: [0.0, 1.0, 0.0],
    });
    let solids: Vec<_> = floor.iter().chain(&scene.solids).map(gpu_solid).collect();
    let pulls: Vec<_> = scene
        .events
        .iter()
        .filter_map(|event| pull(event, scene, model, step))
        .collect();
    let mut externals = Externals {
        solids: [GpuSolid::default(); MAX_SOLIDS as usize],
        pulls: [GpuPull::default(); MAX_PULLS as usize],
    };
    externals.solids[..solids.len()].copy_from_slice(&solids);
    externals.pulls[..pulls.len()].copy_from_slice(&pulls);
    let solid_count = if scene.world.contact {
        solids.len() as u32
    } else {
        0
    };
    (externals, solid_count, pulls.len() as u32)
}

/// A solid as the kernels see it.
pub fn gpu_solid(solid: &Solid) -> GpuSolid {
    let vec = |v: [f64; 3]| DVec3::from(v).as_vec3();
    match *solid {
        Solid::Plane { position, normal } => GpuSolid {
            centre: vec(position),
            kind: types::SOLID_PLANE,
            extent: DVec3::from(normal).normalize().as_vec3(),
            ..GpuSolid::default()
        },
        Solid::Sphere { position, radius } => GpuSolid {
            centre: vec(position),
            kind: types::SOLID_SPHERE,
            extent: Vec3::new(radius as f32, 0.0, 0.0),
            ..GpuSolid::default()
        },
        Solid::Box {
            position,
            size,
            rotation,
        } => GpuSolid {
            centre: vec(position),
            kind: types::SOLID_BOX,
            extent: 0.5 * vec(size),
            rotation: DQuat::from_mat3(&rotation_matrix(rotation))
                .as_quat()
                .into(),
            ..GpuSolid::default()
        },
    }
}

fn pull(event: &Event, scene: &Scene, model: &Model, step: f64) -> Option<GpuPull> {
    let Event::LineForce {
        body,
        point,
        force,
        from,
        to,
    } = event
    else {
        return None;
    };
    let body = scene.bodies.iter().position(|b| b.name == *body)?;
    let index = |time: f64| u32::try_from(step_at(time, step)).unwrap_or(u32::MAX);
    Some(GpuPull {
        force: DVec3::from(*force).as_vec3(),
        particle: model.nearest(body, DVec3::from(*point)) as u32,
        steps: glam::UVec4::new(index(*from), index(*to), 0, 0),
    })
}

/// The step that begins nearest to a time [s]. Events last from the step of their start to before that of their end.
fn step_at(time: f64, step: f64) -> u64 {
    (time / step).round() as u64
}

/// Velocity of the air in a step: that of the last wind that blows then.
pub fn wind(scene: &Scene, index: u64, step: f64) -> Vec3 {
    let blowing = scene.events.iter().rev().find_map(|event| match event {
        Event::Wind { velocity, from, to }
            if (step_at(*from, step)..step_at(*to, step)).contains(&index) =>
        {
            Some(*velocity)
        }
        _ => None,
    });
    blowing.map_or(Vec3::ZERO, |velocity| DVec3::from(velocity).as_vec3())
}
