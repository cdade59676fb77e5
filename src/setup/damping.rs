//! How damping is done: its mode, how many gathers keep it whole, and what is left of it.

use super::step::{Estimate, Stepping, stiffness_rate};
use crate::body::damping::{self, Budget, MAX_GATHERS};
use crate::gpu::types::Sim;
use crate::model::Model;
use crate::scene::{DampingMode, Integrator, Kind, Scene};

/// The body's own choice, or exact, but of Runge–Kutta methods explicit: rk4 would lose its order by the other modes.
/// Implicit steps have the damping in their forces.
pub fn damping_mode(integrator: Integrator, chosen: Option<DampingMode>) -> DampingMode {
    let default = if damping::halves(integrator) || integrator.is_implicit() {
        DampingMode::Explicit
    } else {
        DampingMode::Exact
    };
    chosen.unwrap_or(default)
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
    let world = &scene.world;
    let at_most = f64::from(most_gathers(world.integrator));
    let (mut most, mut warnings) = (1.0_f64, Vec::new());
    for (index, estimate) in estimates.iter().enumerate() {
        let name = &model.bodies[index].name;
        let wanted = wanted_gathers(scene, index, estimate, step);
        if world.integrator == Integrator::Rk4 && wanted > 1.0 && most <= 1.0 {
            warnings.push(format!(
                "body \"{name}\": rk4 is of order 2 in time with damping_mode \"exact\" at this step; \"explicit\" keeps its order 4"
            ));
        }
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
    let budget = Budget::of(world.integrator);
    let theta = budget.theta(step, stiffness_rate(estimate), world.drag);
    match damping::halves(world.integrator) {
        true => damping::half_gathers(step, estimate.rate, theta),
        false => damping::gathers(step, estimate.rate, theta),
    }
}

/// The most gathers that are taken at a time; those of Legendre's polynomials are odd.
fn most_gathers(integrator: Integrator) -> u32 {
    match damping::halves(integrator) {
        true => MAX_GATHERS - 1,
        false => MAX_GATHERS,
    }
}

/// The highest rate \[1/s\] of springs and finite elements that a mode of damping leaves whole in a body of
/// ω² = `stiffness_rate` \[1/s²\]; `gathers` of the world.
pub fn whole_rate(
    scene: &Scene,
    stepping: &Stepping,
    mode: DampingMode,
    stiffness_rate: f64,
) -> f64 {
    let integrator = scene.world.integrator;
    let gathers = f64::from(stepping.gathers);
    let theta = Budget::of(integrator).theta(stepping.step, stiffness_rate, scene.world.drag);
    let borne = match mode {
        DampingMode::Explicit => f64::INFINITY,
        DampingMode::Exact if gathers > 1.0 && damping::halves(integrator) => {
            damping::halves_reach(gathers)
        }
        DampingMode::Exact => theta * gathers * gathers,
        DampingMode::Capped => theta,
    };
    borne / stepping.step
}

/// A uniform's constants of θ, those of the integrator.
pub fn with_budget(sim: Sim, integrator: Integrator) -> Sim {
    let Budget { most, scale, slope } = Budget::of(integrator);
    Sim {
        theta_most: most as f32,
        theta_scale: scale as f32,
        theta_slope: slope as f32,
        ..sim
    }
}
