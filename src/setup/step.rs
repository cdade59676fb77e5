//! The length of a step.

use crate::extreme;
use crate::family;
use std::f64::consts::TAU;

use glam::DVec3;

use super::damping::{damping_stages, least_damping, mode_of, wanted_stages};
use super::swept::{Swept, swept};
use super::warnings::{refusal, rounding_warning, slow_pulls, swept_warning, too_long_warning};
use crate::gpu::types::{MAX_AHEAD, PROBE_MARGIN, Particle};
use crate::integrate::bounds::{Rates, longest_step};
use crate::integrate::doubling::MOST_HALVINGS;
use crate::integrate::sweeps;
use crate::model::{Model, sliver};
use crate::scene::{Body, DampingMode, Integrator, Scene, Step};
use crate::world::pace::MOST_RETAKES;
use crate::{Error, Result};

/// Share of the stability bound that an automatic step uses.
pub const SAFETY: f64 = 0.8;

/// Spheres that approach each other or a surface as fast as this [m/s] are seen a step ahead at the automatic step: what
/// has fallen 5 m, the speed of most scenes. Bodies that start faster shorten the step further; how fast others will
/// become is not known before, and a run warns of what went too far in a step.
const SEEN_AT: f64 = 10.0;
/// Automatic steps are a whole number of these a second long at most, whatever the rate of frames [1/s].
pub const FRAME_RATE: f64 = 60.0;
/// The longest automatic step of a world with something rigid \[s\]: contacts are as stiff as steps are short, and stacks need these.
const RIGID_STEP: f64 = 1.0 / (16.0 * FRAME_RATE);
/// More substeps than this in 1/60 s are refused.
pub(super) const MAX_SUBSTEPS: f64 = 100_000.0;

/// How time advances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepping {
    /// The integrator, picked where the scene leaves it to us.
    pub integrator: Integrator,
    /// h [s]; of an adaptive step the longest.
    pub step: f64,
    /// s: spring gathers per substep.
    pub damping_stages: u32,
    /// Ticks in h: 1, of an adaptive step 2 to the power of the most halvings.
    pub ticks: u32,
}

impl Stepping {
    /// What time is counted in \[s\].
    #[must_use]
    pub fn tick(&self) -> f64 {
        self.step / f64::from(self.ticks)
    }

    /// Its ticks, from a time of the scene on \[s\].
    pub(crate) fn clock(&self, start: f64) -> Clock {
        Clock { start, tick: self.tick() }
    }
}

/// What time it is: ticks since a moment of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// The time at tick 0 [s] since the scene's start: 0, or when a world was changed.
    pub start: f64,
    /// Length of a tick [s].
    pub tick: f64,
}

impl Clock {
    /// The time [s] at a tick.
    #[must_use]
    pub fn time(&self, ticks: u64) -> f64 {
        self.start + ticks as f64 * self.tick
    }

    /// How many ticks after the start a time [s] comes, 0 before it.
    #[must_use]
    pub fn ticks(&self, time: f64) -> f64 {
        ((time - self.start) / self.tick).max(0.0)
    }
}

/// Eigenvalues that the device estimated for one body, without safety factor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate {
    /// Largest eigenvalue of M⁻¹K [1/s²].
    pub stiffness: f64,
    /// Largest eigenvalue of M⁻¹C [1/s].
    pub damping: f64,
    /// max σ_i + σ_j over the springs, of finite elements their largest rate [1/s].
    pub rate: f64,
}

/// The largest σ_i + σ_j over each body's springs, of finite elements their largest rate at the start.
pub fn largest_rates(model: &Model, particles: &[Particle]) -> Vec<f64> {
    let rate = |i: u32| f64::from(particles[i as usize].damping_rate);
    let largest = |springs: &[crate::model::Spring]| {
        springs
            .iter()
            .map(|spring| rate(spring.points[0]) + rate(spring.points[1]))
            .fold(0.0, extreme::greatest)
    };
    model
        .bodies
        .iter()
        .map(|body| {
            let elements = &model.elements[body.elements.clone()];
            let rates = elements.iter().map(|element| {
                element.damping_rate(element.corners.map(|i| model.positions[i as usize]))
            });
            rates.fold(largest(&model.springs[body.springs.clone()]), extreme::greatest)
        })
        .collect()
}

/// Largest error of a step \[m\] that an adaptive step may have by default, over the smallest of the bodies' mean edges.
const STEP_ERROR: f64 = 1e-3;

/// The largest error of a step \[m\] where the step is adaptive.
///
/// # Errors
/// Shape matching whose pull is given per step: it is another material with every step.
pub fn step_error(scene: &Scene, model: &Model) -> Result<Option<f64>> {
    let Step::Adaptive(error) = scene.world.step else {
        return Ok(None);
    };
    for body in &scene.bodies {
        if family::of(&body.kind).acts_by_step() {
            let want = format!(
                "`frequency` instead of `alpha`, which depends on the step, for body \"{}\"",
                body.name
            );
            return Err(Error::value("world.step", "\"adaptive\"", want));
        }
    }
    let edges = model.bodies.iter().map(|body| body.edge);
    let least = edges.fold(f64::INFINITY, extreme::least);
    Ok(Some(error.unwrap_or(STEP_ERROR * least)))
}

/// What a world settles about its step.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How time advances.
    pub stepping: Stepping,
    /// Of each body the longest stable step by its rates [s]: 0 where none is known to be stable, infinite where all are.
    pub bounds: Vec<f64>,
    /// The body that a fixed step is too long for, and the warning.
    pub too_long: Option<(usize, String)>,
    /// The warning that vertex block descent has too few sweeps for a fixed step.
    pub few_sweeps: Option<String>,
    /// Other warnings.
    pub warnings: Vec<String>,
    /// What might be wanted otherwise.
    pub hints: Vec<String>,
}

impl Choice {
    /// The longest stable step of all bodies [s].
    #[must_use]
    pub fn longest(&self) -> f64 {
        self.bounds.iter().copied().fold(f64::INFINITY, extreme::least)
    }
}

/// Chooses the step and the number of gathers, and says what to be warned of.
///
/// # Errors
/// Rates that f32 cannot hold; an automatic step for an integrator of which the bodies' damping makes no step surely stable.
pub fn stepping(scene: &Scene, model: &Model, estimates: &[Estimate]) -> Result<Choice> {
    check_rates(model, estimates)?;
    let world = &scene.world;
    let bounds: Vec<_> = estimates
        .iter()
        .enumerate()
        .map(|(index, estimate)| {
            longest_step(world.integrator, &rates(scene, model, index, estimate))
        })
        .collect();
    let swept = swept(scene, model, estimates);
    let tightest = (0..bounds.len()).min_by(|a, b| bounds[*a].total_cmp(&bounds[*b]));
    let (mut too_long, mut too_few) = (None, None);
    let step = match world.step {
        Step::Fixed(step) => {
            too_few = swept.and_then(|swept| few_sweeps(scene, model, &swept, step));
            too_long = tightest.filter(|body| step > bounds[*body]).map(|body| {
                let ranges = &model.bodies[body];
                let longest = bounds[body];
                let warning = too_long_warning(&ranges.name, step, world.integrator, longest);
                (body, warning + &sliver::note(model, ranges))
            });
            step
        }
        Step::Auto | Step::Adaptive(_) => {
            let longest = tightest.map_or(f64::INFINITY, |body| bounds[body]);
            let (longest, body) = match &swept {
                Some((swept, most)) => (longest.min(*most), Some(swept.body)),
                None => (longest, tightest),
            };
            let name = body.map_or("", |body| model.bodies[body].name.as_str());
            let note = || tightest.map_or(String::new(), |i| sliver::note(model, &model.bodies[i]));
            automatic_step(scene, model, longest)
                .ok_or_else(|| too_short(scene, model, longest, name, &note()))?
        }
    };
    let (damping_stages, damping) = damping_stages(scene, model, estimates, step);
    let mut warnings = Vec::from_iter(damping);
    warnings.extend(slow_pulls(scene, model, step));
    warnings.extend(long_for_stacks(scene, model, step));
    Ok(Choice {
        stepping: Stepping {
            integrator: world.integrator,
            step,
            damping_stages,
            ticks: match world.step {
                Step::Adaptive(_) => 1 << MOST_HALVINGS,
                Step::Auto | Step::Fixed(_) if acts_by_step(scene) => 1,
                Step::Auto | Step::Fixed(_) => 1 << MOST_RETAKES,
            },
        },
        bounds,
        too_long,
        few_sweeps: too_few,
        warnings,
        hints: Vec::new(),
    })
}

/// Refuses what f32 cannot hold.
fn check_rates(model: &Model, estimates: &[Estimate]) -> Result<()> {
    for (body, estimate) in model.bodies.iter().zip(estimates) {
        let rates = [estimate.stiffness, estimate.damping, estimate.rate];
        if !rates.iter().all(|rate| rate.is_finite()) {
            let want = "a softer, heavier or coarser body: its frequencies exceed the range of f32"
                .to_string();
            let want = want + &sliver::note(model, body);
            let at = format!("body \"{}\"", body.name);
            return Err(Error::value(at, "too stiff for its mass", want));
        }
    }
    Ok(())
}

/// Says of a fixed step that vertex block descent has too few sweeps for it, if so.
fn few_sweeps(scene: &Scene, model: &Model, swept: &(Swept, f64), step: f64) -> Option<String> {
    let (swept, longest) = swept;
    let sweeps = f64::from(sweeps(&scene.world).unwrap_or_default());
    (step > longest * (1.0 + 1e-6)).then(|| {
        let name = &model.bodies[swept.body].name;
        swept_warning(name, [sweeps, swept.enough(step)], [step, *longest])
    })
}

/// Of a world that advances so the longest stable step of a body with these rates [s]; none where its step is too long for
/// the body, or there would be something to warn of.
pub fn suits(
    scene: &Scene,
    model: &Model,
    index: usize,
    estimate: &Estimate,
    stepping: &Stepping,
) -> Option<f64> {
    let world = &scene.world;
    let bound = longest_step(world.integrator, &rates(scene, model, index, estimate));
    let stable = match world.step {
        Step::Auto | Step::Adaptive(_) => world.integrator.share_of_bound(SAFETY) * bound,
        // With a step of its own that is not known to be stable for what it has, a world takes more of that.
        Step::Fixed(_) if bound == 0.0 => f64::INFINITY,
        _ => bound,
    };
    let swept = sweeps(world).map_or(f64::INFINITY, |sweeps| {
        Swept::new(model, index, estimate).longest(f64::from(sweeps))
    });
    let pulled = longest_pull(scene, model, index).unwrap_or(f64::INFINITY);
    let rigid = match world.step {
        Step::Fixed(_) => f64::INFINITY,
        Step::Auto | Step::Adaptive(_) => longest_rigid(scene, model, index),
    };
    let long_enough = |longest: f64| stepping.step <= longest * (1.0 + 1e-6);
    let suits = [stable, swept, pulled, rigid].into_iter().all(long_enough)
        && wanted_stages(scene, index, estimate, stepping.step)
            <= f64::from(stepping.damping_stages)
        && rounding_warning(scene, model, index, estimate).is_none();
    suits.then_some(bound)
}

/// A fixed step of more than this many of [`longest_rigid`] is warned of.
const STACKED: f64 = 2.0;

/// Says of a fixed step that rigid bodies sink into each other in it, if so.
fn long_for_stacks(scene: &Scene, model: &Model, step: f64) -> Option<String> {
    let free = |body: &usize| {
        let rigid = model.bodies[*body].rigid;
        rigid.is_some_and(|rigid| model.poses[rigid.pose].inverse_mass > 0.0)
    };
    let longest = |body: usize| longest_rigid(scene, model, body);
    let bodies = (0..model.bodies.len()).filter(free);
    let body = bodies.min_by(|a, b| longest(*a).total_cmp(&longest(*b)))?;
    let most = STACKED * longest(body);
    let falls = scene.world.contact && scene.world.gravity != [0.0; 3];
    (matches!(scene.world.step, Step::Fixed(_)) && falls && step > most * (1.0 + 1e-6)).then(|| {
        format!(
            "world.step is {step} s: with steps longer than {most:.3e} s, rigid bodies on each other (such as \"{}\") sink in \
             and stacks topple; an automatic step is at most {:.3e} s",
            model.bodies[body].name,
            longest(body)
        )
    })
}

/// Whether what some body does is given per step.
fn acts_by_step(scene: &Scene) -> bool {
    let by_step = |body: &Body| family::of(&body.kind).acts_by_step();
    scene.bodies.iter().any(by_step)
}

fn is_adaptive(scene: &Scene) -> bool {
    matches!(scene.world.step, Step::Adaptive(_))
}

/// What an automatic step is not to pass \[s\]; `longest` is the longest stable one.
fn longest_good(scene: &Scene, model: &Model, longest: f64) -> f64 {
    let good = scene.world.integrator.share_of_bound(SAFETY) * longest;
    let pulled = fastest_pull(scene, model).map_or(f64::INFINITY, |(_, longest)| longest);
    let rigid = (0..model.bodies.len()).map(|body| longest_rigid(scene, model, body));
    let rigid = rigid.fold(f64::INFINITY, extreme::least);
    good.min(seen_ahead(scene, model)).min(pulled).min(rigid)
}

/// The longest step \[s\] of a rigid body: what lies on others sinks into them by about g h², so that of small ones it is less,
/// h ≤ √(d/400 g) with the margin d, a tenth of the shortest side. Infinite of what deforms.
fn longest_rigid(scene: &Scene, model: &Model, body: usize) -> f64 {
    let Some(rigid) = model.bodies[body].rigid else {
        return f64::INFINITY;
    };
    let pose = &model.poses[rigid.pose];
    let gravity = DVec3::from(scene.world.gravity).length();
    match pose.inverse_mass > 0.0 && gravity > 0.0 {
        true => RIGID_STEP.min((f64::from(pose.margin) / (400.0 * gravity)).sqrt()),
        false => RIGID_STEP,
    }
}

/// The longest good step of which 1/60 s is a whole number, of adaptive ones a whole number of pairs; none where that is
/// too many. It follows from the bodies alone: frames take the nearest step.
fn automatic_step(scene: &Scene, model: &Model, longest: f64) -> Option<f64> {
    let substeps = (1.0 / (FRAME_RATE * longest_good(scene, model, longest))).ceil();
    let substeps = match is_adaptive(scene) {
        true => substeps.max(2.0).log2().ceil().exp2(),
        false => substeps.max(1.0),
    };
    (substeps <= MAX_SUBSTEPS).then(|| 1.0 / (FRAME_RATE * substeps))
}

/// Says what makes an automatic step too short.
fn too_short(scene: &Scene, model: &Model, longest: f64, name: &str, sliver: &str) -> Error {
    let good = longest_good(scene, model, longest);
    let want = match fastest_pull(scene, model).filter(|(_, longest)| *longest <= good) {
        Some((body, longest)) => format!(
            "a lower `frequency` of body \"{}\": its longest good step is {longest:.3e} s, more than {MAX_SUBSTEPS} steps per \
             frame",
            scene.bodies[body].name
        ),
        None => refusal(name, scene.world.integrator, longest) + sliver,
    };
    let got = match is_adaptive(scene) {
        true => "\"adaptive\"",
        false => "\"auto\"",
    };
    Error::value("world.step", got, want)
}

/// 1/ω \[s\] of a body that is pulled to its shape at a given frequency: in longer steps α = h²ω² would pass 1, and is
/// cut there. Implicit steps bear any.
pub(super) fn longest_pull(scene: &Scene, model: &Model, body: usize) -> Option<f64> {
    let frequency = model.bodies[body].material.frequency;
    (frequency > 0.0 && scene.world.integrator.bounds_steps()).then(|| 1.0 / (TAU * frequency))
}

/// The body with the highest such frequency, and the longest step that keeps it.
fn fastest_pull(scene: &Scene, model: &Model) -> Option<(usize, f64)> {
    let all =
        (0..scene.bodies.len()).filter_map(|body| Some((body, longest_pull(scene, model, body)?)));
    all.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The longest step in which spheres at [`SEEN_AT`], or as fast as the fastest body starts, go no further than contact
/// looks ahead \[s\]; infinite where none can meet another body.
fn seen_ahead(scene: &Scene, model: &Model) -> f64 {
    if !scene.world.contact || model.bodies.len() < 2 {
        return f64::INFINITY;
    }
    let round = model.bodies.iter().filter(|body| body.radius > 0.0);
    let ahead = round.map(|body| f64::from(MAX_AHEAD) * body.edge);
    let starts = scene.bodies.iter().map(|body| DVec3::from(body.velocity).length());
    ahead.fold(f64::INFINITY, extreme::least) / starts.fold(SEEN_AT, extreme::greatest)
}

/// ω² with its safety factor.
pub fn stiffness_rate(estimate: &Estimate) -> f64 {
    f64::from(PROBE_MARGIN) * f64::from(PROBE_MARGIN) * estimate.stiffness
}

fn rates(scene: &Scene, model: &Model, index: usize, estimate: &Estimate) -> Rates {
    let world = &scene.world;
    let damping = match mode_of(scene, index) {
        DampingMode::Explicit => f64::from(PROBE_MARGIN) * estimate.damping,
        DampingMode::Exact | DampingMode::Capped => 0.0,
    };
    Rates {
        stiffness: stiffness_rate(estimate).sqrt(),
        damping: damping + world.drag,
        least_damping: least_damping(model, index),
        drag: world.drag,
    }
}
