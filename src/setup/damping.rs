//! How damping is done: its mode, how many gathers keep it whole, and what is left of it.

use super::step::{Estimate, Stepping, stiffness_rate};
use crate::body::damping::{self, MAX_GATHERS};
use crate::model::Model;
use crate::scene::{DampingMode, Integrator, Kind, Scene};

/// The body's own choice, or exact where the integrator lets damping not set the step.
pub fn damping_mode(integrator: Integrator, chosen: Option<DampingMode>) -> DampingMode {
    chosen.unwrap_or(match integrator.weakens_damping() {
        true => DampingMode::Exact,
        false => DampingMode::Explicit,
    })
}

/// Whether some body's stiffness is followed as it deforms: the share of its damping that is free depends on it.
pub fn follows_stiffness(scene: &Scene) -> bool {
    let integrator = scene.world.integrator;
    scene.bodies.iter().any(|body| {
        !matches!(body.kind, Kind::Shape(_))
            && damping_mode(integrator, body.damping_mode) != DampingMode::Explicit
    })
}

/// The gathers that keep every exactly damped body's damping whole, and warnings where that is too many.
pub(super) fn gathers(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    step: f64,
) -> (u32, Vec<String>) {
    let at_most = f64::from(MAX_GATHERS);
    let (mut most, mut warnings) = (1.0_f64, Vec::new());
    for (index, estimate) in estimates.iter().enumerate() {
        let name = &model.bodies[index].name;
        let wanted = wanted_gathers(scene, index, estimate, step);
        if wanted > at_most {
            let taken = match wanted.is_finite() {
                true => format!("would take {wanted} gathers a step"),
                false => "is more than any number of gathers keeps at this step".into(),
            };
            warnings.push(format!(
                "body \"{name}\": its damping {taken}, {at_most} are taken and it is weakened; a shorter step keeps it whole"
            ));
        }
        most = most.max(wanted);
    }
    (most.min(at_most) as u32, warnings)
}

/// The gathers that keep a body's exact damping whole; 1 where it is damped otherwise, infinite where none do.
pub(super) fn wanted_gathers(scene: &Scene, index: usize, estimate: &Estimate, step: f64) -> f64 {
    let world = &scene.world;
    if damping_mode(world.integrator, scene.bodies[index].damping_mode) != DampingMode::Exact {
        return 1.0;
    }
    let stiffness = stiffness_rate(estimate);
    let theta = damping::theta(world.integrator, step, stiffness, world.drag);
    damping::gathers(step, estimate.rate, theta)
}

/// The highest rate \[1/s\] of springs and finite elements that a mode of damping leaves whole in a body of
/// ω² = `stiffness_rate` \[1/s²\]; `gathers` of the world.
pub fn whole_rate(
    scene: &Scene,
    stepping: &Stepping,
    mode: DampingMode,
    stiffness_rate: f64,
) -> f64 {
    let (world, step) = (&scene.world, stepping.step);
    let gathers = f64::from(stepping.gathers);
    let theta = damping::theta(world.integrator, step, stiffness_rate, world.drag);
    let borne = match mode {
        DampingMode::Explicit => f64::INFINITY,
        DampingMode::Exact => theta * gathers * gathers,
        DampingMode::Capped => theta,
    };
    borne / step
}
