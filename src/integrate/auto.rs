//! `integrator = "auto"`: Verlet, unless it would take too many steps.
//!
//! The choice comes from estimates alone, never from a clock, so that a scene gets the same one whenever it is run.

use serde::Serialize;

use crate::model::Model;
use crate::scene::{Integrator, Scene, Step};
use crate::setup::{self, Estimate, FRAME_RATE, SAFETY};

/// The most steps that Verlet may take in 1/60 s. It keeps the motion that implicit integrators damp, and seldom costs more
/// up to there: a slab held at one end (`scenes/soft_auto.toml`) takes 11, a quarter of the time of implicit Euler; one
/// forty times as stiff takes 64, and as long.
const MOST_STEPS: f64 = 32.0;
/// How many times as long as Verlet's an automatic step must be for that: one of vertex block descent takes as long as two to
/// four of Verlet's where bodies touch, as thirty where none do, and where pins hold a body its steps are three times as long.
const WORTH: f64 = 4.0;

/// Which integrator was picked, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pick {
    /// Its name in scene files.
    pub integrator: &'static str,
    /// Why, as a user is told behind the name.
    pub reason: String,
}

/// Picks the integrator of a scene that leaves it open: the default where its steps are long enough; else vertex block
/// descent or, where that does not suit, implicit Euler; where neither does, the default, whose warnings or refusal are then
/// the scene's.
#[must_use]
pub fn pick(scene: &Scene, model: &Model, estimates: &[Estimate]) -> (Integrator, Pick) {
    let step = |integrator| good_step(scene, model, estimates, integrator);
    let default = Integrator::default();
    let longest = step(default).unwrap_or(0.0);
    let (least, worth) = match scene.world.step {
        Step::Fixed(step) => (step, step),
        _ => (1.0 / (FRAME_RATE * MOST_STEPS), WORTH * longest),
    };
    let (integrator, how, but) = match longest >= least {
        true => (default, "at least", ""),
        false => match implicit(scene, model, estimates, worth) {
            Some((other, _)) => (other, "shorter than", ""),
            None => {
                (default, "shorter than", ", but neither vbd nor implicit_euler suits the scene")
            }
        },
    };
    let [good, required] = [longest, least].map(|step| 1e3 * step);
    let step = format!("the longest good step of {}, {good:.3} ms,", default.name());
    let pick = Pick {
        integrator: integrator.name(),
        reason: format!("picked: {step} is {how} the required {required:.3} ms{but}"),
    };
    (integrator, pick)
}

/// The implicit integrator that would be picked in place of Verlet with steps this long [s], and its step [s]; none where none
/// suits.
pub fn other(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    step: f64,
) -> Option<(Integrator, f64)> {
    implicit(scene, model, estimates, WORTH * step)
}

/// The first implicit integrator that suits the scene with steps of at least `worth` [s], and its step [s].
fn implicit(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    worth: f64,
) -> Option<(Integrator, f64)> {
    let others = [Integrator::Vbd, Integrator::ImplicitEuler].into_iter();
    let mut steps = others.filter_map(|own| Some((own, good_step(scene, model, estimates, own)?)));
    steps.find(|(_, step)| *step >= worth)
}

/// The longest step [s] that an integrator may be given in the scene; none where it refuses the scene or would be warned of.
fn good_step(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    integrator: Integrator,
) -> Option<f64> {
    let mut scene = scene.clone();
    scene.world = scene.world.with_integrator(integrator);
    scene.check().ok()?;
    let choice = setup::stepping(&scene, model, estimates).ok()?;
    let rounding = setup::rounding_warnings(&scene, model, estimates);
    let warned = choice.few_sweeps.is_some() || !rounding.is_empty();
    let longest = match scene.world.step {
        Step::Fixed(_) => SAFETY * choice.longest(),
        _ => choice.stepping.step,
    };
    (!warned).then_some(longest)
}

#[cfg(test)]
mod tests;
