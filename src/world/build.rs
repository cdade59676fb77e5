//! From a scene to a world on the device.

use glam::Vec3;

use super::adaptive::{Adaptive, StepCounts};
use super::attach::Attachments;
use super::batch::Batch;
use super::checkpoint::Checkpoint;
use super::device::Device;
use super::motion::Motions;
use super::pace::Progress;
use super::profile::Profile;
use super::rates::{PowerIteration, estimate};
use super::slots::BodySlots;
use super::{Handover, World, number, parts};
use crate::Result;
use crate::body::skin::SkinBuffers;
use crate::body::stiffness::{Counts, StiffnessProbe};
use crate::collide::{self, Capacity, Collision};
use crate::gpu::types::{Externals, Sim};
use crate::gpu::{Buffer, Context, Readback, Recorder};
use crate::integrate::auto::{self, Pick};
use crate::integrate::part::Part;
use crate::integrate::{Arrays, HalfSteps};
use crate::model::{BodyRanges, Model, Saved, initial_penetration, narrow, overlap};
use crate::report::StepReport;
use crate::scene::Scene;
use crate::setup::{self, Choice, Clock, Estimate, Stepping};
use crate::step::Stepper;

/// Where a world begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'a> {
    /// As the scene says.
    Scene,
    /// Where a save file was written.
    Save(Began),
    /// Where another world was.
    Other(&'a Handover),
}

/// What a world that goes on has from before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Began {
    pub stepping: Stepping,
    /// The time at its tick 0 [s].
    pub start: f64,
    /// Steps before it.
    pub steps_before: u64,
}

impl Origin<'_> {
    /// The step, where it is given.
    fn stepping(&self) -> Option<Stepping> {
        match self {
            Self::Save(began) => Some(began.stepping),
            Self::Scene | Self::Other(_) => None,
        }
    }

    /// The time at tick 0 [s], and the steps before it.
    fn start(&self) -> (f64, u64) {
        match self {
            Self::Scene => (0.0, 0),
            Self::Save(began) => (began.start, began.steps_before),
            Self::Other(other) => (other.time, other.steps),
        }
    }
}

/// What a world is made from: a model, its arrays, and how stiff its bodies are where they begin.
struct Prepared {
    model: Model,
    device: Device,
    probe: StiffnessProbe,
    estimates: Vec<Estimate>,
}

impl Prepared {
    fn new(context: &Context, scene: &Scene, origin: Origin<'_>) -> Result<Self> {
        let device = (&context.info().name[..], context.largest_buffer());
        let model = match origin {
            Origin::Other(other) => {
                let mut model = Model::with_rests(scene, &other.rests(scene)?, device)?;
                for (index, body) in model.bodies.iter_mut().enumerate() {
                    body.absent = other.is_absent(index);
                }
                model
            }
            _ => Model::new(scene, device.0, device.1)?,
        };
        let device = Device::new(context, scene, &model, origin)?;
        let arrays = device.arrays(context);
        let partials = Buffer::zeroed(context, "partials", device.buffers.chunks.len())?;
        let probe = StiffnessProbe::new(&arrays, &partials);
        let known = match origin {
            Origin::Other(other) => other.rates(context, scene)?,
            Origin::Scene | Origin::Save(_) => Handover::empty().rates(context, scene)?,
        };
        let sims = StiffnessProbe::fill(device.at_rest(scene, &model));
        device.sim.write(context, &sims);
        let estimates = match known {
            Some(known) => known.give(&arrays)?,
            None => estimate(&arrays, &probe, &device, &model)?,
        };
        Ok(Self { model, device, probe, estimates })
    }
}

/// A world that begins there.
pub(super) fn build(context: &Context, scene: &Scene, origin: Origin<'_>) -> Result<World> {
    let mut scene = scene.clone();
    let (mut prepared, pick) = with_integrator(context, &mut scene, origin)?;
    let Prepared { model, device, estimates, .. } = &mut prepared;
    let choice = choose(&scene, model, estimates, origin)?;
    for (index, (estimate, longest)) in estimates.iter().zip(&choice.bounds).enumerate() {
        model.bear(index, setup::stiffness_rate(estimate), *longest);
    }
    device.buffers.bear(context, model)?;
    disable_absent(context, &scene, model, device);
    let mut world = assemble(context, scene, prepared, choice, origin)?;
    world.pick = pick;
    Ok(world)
}

/// The world of what was prepared, with the step that was chosen.
fn assemble(
    context: &Context,
    scene: Scene,
    Prepared { model, device, probe, estimates }: Prepared,
    choice: Choice,
    origin: Origin<'_>,
) -> Result<World> {
    let (start, steps_before) = origin.start();
    let clock = choice.stepping.clock(start);
    let (obstacles, common, wind) = outside(context, (&scene, &model), &device, &choice, &clock);
    let arrays = device.arrays(context);
    let stepper = stepper(&arrays, &scene, &model, &choice.stepping, probe)?;
    let first = Sim { wind, ..common };
    begin_velocities(context, &scene, &model, &device, &stepper, first, origin)?;
    let room = |name| Saved::room(context, name, &parts::evolving(&device, &stepper));
    Ok(World {
        skin: SkinBuffers::new(&arrays)?,
        slots: BodySlots::new(context, &scene, &model, &device.state, &estimates)?,
        adaptive: Adaptive::of(&arrays, &scene, &model)?,
        number: number(),
        context: context.clone(),
        saved: room("saved")?,
        checkpoint: Checkpoint::default(),
        ahead: room("ahead")?,
        batch: Batch::default(),
        readback: Readback::new(context, device.status.len()),
        report: StepReport {
            steps: steps_before,
            time: start,
            stiffness: estimates.iter().map(|own| own.stiffness.sqrt()).collect(),
            ..StepReport::default()
        },
        counts: StepCounts::none(choice.stepping.step),
        scene,
        model,
        device,
        obstacles,
        pointer_spring: None,
        events: None,
        motions: Motions::default(),
        attachments: Attachments::default(),
        common,
        choice,
        materials: 0,
        pick: None,
        stepper,
        call: Progress::default(),
        before: Progress::default(),
        progress: Progress::default(),
        steps_before,
        clock,
        fault: None,
        rests: None,
        profile: Profile::default(),
    })
}

/// Obstacles and pulls at the start, which the device has then, what all dispatches share, and the wind of the first step.
fn outside(
    context: &Context,
    (scene, model): (&Scene, &Model),
    device: &Device,
    choice: &Choice,
    clock: &Clock,
) -> (Externals, Sim, Vec3) {
    let (obstacles, solid_count, pull_count) = setup::externals(scene, model, clock);
    let externals = &device.externals;
    externals.write(context, std::slice::from_ref(&obstacles));
    let common = Sim {
        step: choice.stepping.step as f32,
        damping_stages: choice.stepping.damping_stages,
        solid_count,
        pull_count,
        ..device.at_rest(scene, model)
    };
    (obstacles, common, setup::wind(scene, 0, 1, clock))
}

/// What a world is made from, where the scene leaves its integrator open with one that is found then: that of a save file, or
/// one that is picked.
fn with_integrator(
    context: &Context,
    scene: &mut Scene,
    origin: Origin<'_>,
) -> Result<(Prepared, Option<Pick>)> {
    if !scene.world.auto_integrator {
        return Ok((Prepared::new(context, scene, origin)?, None));
    }
    let given = origin.stepping().map(|given| given.integrator);
    scene.world.integrator = given.unwrap_or_default();
    let prepared = Prepared::new(context, scene, origin)?;
    let (integrator, pick) = match given {
        Some(integrator) => {
            let pick = Pick {
                integrator: integrator.name(),
                reason: "as the saved run had picked it".to_owned(),
            };
            (integrator, pick)
        }
        None => auto::pick(scene, &prepared.model, &prepared.estimates),
    };
    if integrator == scene.world.integrator {
        return Ok((prepared, Some(pick)));
    }
    // Another one may order the particles otherwise.
    scene.world.integrator = integrator;
    Ok((Prepared::new(context, scene, origin)?, Some(pick)))
}

/// Leaves out the bodies that are absent, once their rates are known.
fn disable_absent(context: &Context, scene: &Scene, model: &Model, device: &Device) {
    let absent = |index: &usize| model.bodies[*index].absent;
    for index in (0..model.bodies.len()).filter(absent) {
        let material = setup::body(scene, model, index);
        device.buffers.disable(context, model, index, material);
        device.state.begin(context, model, index, true);
    }
}

/// Turns the velocities that a world begins with into those that its integrator keeps; `first`: of its first step.
fn begin_velocities(
    context: &Context,
    scene: &Scene,
    model: &Model,
    device: &Device,
    stepper: &Stepper,
    first: Sim,
    origin: Origin<'_>,
) -> Result<()> {
    let half_step = 0.5 * first.step;
    let first = Sim { damping_stages: 1, stage_step: half_step, ..first };
    device.sim.write(context, &[first]);
    let mut recorder = Recorder::new(context);
    let half_steps = scene.world.integrator.half_steps();
    match origin {
        // Contacts have their part in these accelerations.
        Origin::Other(other) if half_steps.is_some() && other.accelerates(scene) => {
            let beside = half_steps == Some(HalfSteps::Beside);
            let places = other.motions(model);
            device.state.turn_back(context, &places, half_step, beside)?;
        }
        _ => stepper.start(&mut recorder, &device.state, &Part::all(0)),
    }
    recorder.submit();
    // What goes wrong here belongs to the caller of this; and drivers that compile kernels as they run them, on threads of
    // their own, do not survive a program that ends meanwhile.
    context.wait()
}

/// The passes of a substep.
fn stepper(
    arrays: &Arrays<'_>,
    scene: &Scene,
    model: &Model,
    stepping: &Stepping,
    probe: StiffnessProbe,
) -> Result<Stepper> {
    let collision = collide::can_touch(scene).then(|| {
        let capacity = Capacity::new(model.positions.len());
        Collision::new(arrays, model, &scene.world, capacity)
    });
    let probe = setup::follows_stiffness(scene).then_some(probe);
    let counts = Counts { chunks: arrays.model.chunks.len(), bodies: model.bodies.len() };
    let collision = collision.transpose()?;
    Stepper::new(
        &scene.world,
        model.deforms(),
        stepping.damping_stages,
        probe,
        collision,
        counts,
        arrays,
    )
}

/// The rates of a scene's bodies where those are that go on from before, the others where they start.
pub(super) fn estimated(
    context: &Context,
    scene: &Scene,
    before: &Handover,
) -> Result<Vec<(Estimate, PowerIteration)>> {
    let prepared = Prepared::new(context, scene, Origin::Other(before))?;
    let probe = prepared.device.state.probe[0].read(context)?;
    let of_body = |(estimate, body): (&Estimate, &BodyRanges)| {
        let own = probe[body.particles.clone()].to_vec();
        (*estimate, PowerIteration::new(estimate, own))
    };
    let bodies = prepared.estimates.iter().zip(&prepared.model.bodies);
    Ok(bodies.map(of_body).collect())
}

/// The step, `given` or chosen, and all that a user should know before the first one.
fn choose(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    origin: Origin<'_>,
) -> Result<Choice> {
    let mut choice = setup::stepping(scene, model, estimates)?;
    let too_long = choice.too_long.clone().map(|(_, warning)| warning);
    choice.warnings.extend(too_long);
    choice.warnings.extend(choice.few_sweeps.clone());
    choice.warnings.extend(setup::rounding_warnings(scene, model, estimates));
    let ranges = setup::range_warnings(model, |i| model.positions[i]);
    choice.warnings.extend(ranges.into_iter().map(|(_, warning)| warning));
    choice.warnings.extend(self_contact_warning(scene, model));
    choice.warnings.extend(restless_warning(scene));
    choice.warnings.extend(narrow::warning(scene, model));
    choice.warnings.extend(setup::hull_warning(scene, model));
    // A world that goes on has left its start behind.
    if matches!(origin, Origin::Scene) {
        choice.hints = setup::hints(scene, model, estimates, &choice.stepping);
        choice.warnings.extend(setup::rotation_warnings(scene));
        choice.warnings.extend(initial_penetration::warning(scene, model));
        if collide::can_touch(scene) {
            choice.warnings.extend(overlap::warning(scene, model));
        }
    }
    choice.stepping = origin.stepping().unwrap_or(choice.stepping);
    Ok(choice)
}

/// Names the first body that asks for contact with itself and has none.
fn self_contact_warning(scene: &Scene, model: &Model) -> Option<String> {
    let asked = scene.world.contact && scene.world.self_contact;
    let mut round = model.bodies.iter().filter(|body| body.radius > 0.0);
    let body = round.next().filter(|_| asked)?;
    Some(format!(
        "world.self_contact has no effect on body \"{}\": clouds and shells collide with other bodies only",
        body.name
    ))
}

fn restless_warning(scene: &Scene) -> Option<String> {
    collide::is_restless(scene).then(|| {
        "world.integrator is rk4: bodies lying on each other will not come to rest; with verlet they do"
            .to_owned()
    })
}
