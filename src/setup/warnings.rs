//! What a user is told about a step or a place that is not good.

use std::f64::consts::TAU;

use glam::DVec3;

use super::step::{MAX_SUBSTEPS, SAFETY, longest_pull};
use crate::model::Model;
use crate::scene::{Integrator, Scene};

/// Says whose frequency the step does not let it have.
pub(super) fn slow_pulls(scene: &Scene, step: f64) -> Vec<String> {
    let slow = (0..scene.bodies.len()).filter_map(|body| {
        let longest = longest_pull(scene, body)?;
        // As f32 has them.
        (step > longest * (1.0 + 1e-6)).then(|| {
            format!(
                "world.step is {step} s: body \"{}\" is pulled to its shape with a frequency of {:.3} Hz instead of its own; \
                 the longest step that keeps it is {longest:.3e} s",
                scene.bodies[body].name,
                1.0 / (TAU * step)
            )
        })
    });
    slow.collect()
}

/// Distance from the origin, in smallest edges of a body, up to which f32 holds its shape to a thousandth of that edge.
const RANGE: f64 = 1e4;

/// Says which bodies are too far from the origin for their size.
pub fn range_warnings(model: &Model, position: impl Fn(usize) -> DVec3) -> Vec<String> {
    let mut warnings = Vec::new();
    for body in &model.bodies {
        let rests = model.springs[body.springs.clone()]
            .iter()
            .map(|spring| spring.rest);
        let shortest = match body.springs.is_empty() {
            true => 2.0 * body.radius,
            false => rests.fold(f64::INFINITY, f64::min),
        };
        let distances = body
            .particles
            .clone()
            .map(|i| position(i).abs().max_element());
        let farthest = distances.fold(0.0, f64::max);
        if farthest > RANGE * shortest {
            warnings.push(format!(
                "body \"{}\" is {farthest:.3e} m from the origin, more than {RANGE:.0e} of its smallest edges of {shortest:.3e} m: \
                 positions in f32 hold its shape badly there",
                body.name
            ));
        }
    }
    warnings
}

pub(super) fn too_long_warning(
    name: &str,
    step: f64,
    integrator: Integrator,
    longest: f64,
) -> String {
    if longest == 0.0 {
        return format!("world.step: {}", refusal(name, integrator, longest));
    }
    format!(
        "world.step is {step} s, above the stability bound of body \"{name}\" with {}; the largest good step is {:.3e} s",
        integrator.name(),
        SAFETY * longest
    )
}

/// Says of a fixed step that the sweeps of vertex block descent are too few for it. `longest`: the step that they are
/// enough for, and the body that asks for it.
pub(super) fn swept_warning(name: &str, step: f64, sweeps: u32, longest: f64) -> String {
    format!(
        "world.iterations is {sweeps}: so few sweeps leave body \"{name}\" far from balance in steps of {step} s, and it answers \
         forces late; {} are enough, or steps of {longest:.3e} s",
        (f64::from(sweeps) * step / longest).ceil()
    )
}

pub(super) fn refusal(name: &str, integrator: Integrator, longest: f64) -> String {
    if longest == 0.0 {
        format!(
            "another integrator: with so little damping body \"{name}\" is unstable at every step of {}",
            integrator.name()
        )
    } else {
        format!(
            "a softer body \"{name}\": its largest good step of {:.3e} s would take more than {MAX_SUBSTEPS} steps a frame",
            SAFETY * longest
        )
    }
}
