//! From a scene to a world on the device.

use std::collections::BTreeMap;

use glam::DVec3;

use super::adaptive::{Adaptive, StepCounts};
use super::advance::{MAX_BATCH, SIM_SLOTS};
use super::attach::Attachments;
use super::bodies::Places;
use super::known::PowerIteration;
use super::motion::Motions;
use super::pace::{Pace, Progress};
use super::{Handover, World, evolving, number};
use crate::Result;
use crate::body::elements::Elements;
use crate::body::skin::SkinBuffers;
use crate::body::stiffness::{Counts, StiffnessProbe};
use crate::collide::{self, Capacity, Collision};
use crate::gpu::types::{Externals, NEWTON_WORDS, SPEED_LIMIT, Sim, TALLY_WORDS};
use crate::gpu::{Buffer, Context, Readback, Recorder, Uniforms};
use crate::integrate::Arrays;
use crate::integrate::auto::{self, Pick};
use crate::integrate::part::{Over, Part};
use crate::model::{
    BodyRanges, Model, ModelBuffers, Saved, State, initial_penetration, narrow, overlap,
};
use crate::report::StepReport;
use crate::scene::{Integrator, Scene};
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

/// A world that begins there.
pub(super) fn build(context: &Context, scene: &Scene, origin: Origin<'_>) -> Result<World> {
    let given = origin.stepping();
    let (start, steps_before) = origin.start();
    let mut scene = scene.clone();
    let mut pick = None;
    if scene.world.auto_integrator {
        scene.world.integrator = given.map_or(Integrator::default(), |given| given.integrator);
    }
    let (mut held, mut probe, mut estimates) = held(context, &scene, origin)?;
    if scene.world.auto_integrator {
        let found = picked(&scene, &held.model, &estimates, given);
        if found.0 != scene.world.integrator {
            // Another one may order the particles otherwise.
            scene.world.integrator = found.0;
            (held, probe, estimates) = self::held(context, &scene, origin)?;
        }
        pick = Some(found.1);
    }
    let choice = choose(&scene, &held.model, &estimates, origin)?;
    for (index, longest) in choice.bounds.iter().enumerate() {
        held.model.bear(index, *longest);
    }
    held.buffers.bear(context, &held.model)?;
    let (scene, at_rest, arrays) = (&scene, held.at_rest(&scene), held.arrays(context));
    let clock = choice.stepping.clock(start);
    let wanted = setup::step_error(scene, &held.model)?;
    let (obstacles, common) = common(scene, &held.model, &choice.stepping, &clock, at_rest);
    held.externals
        .write(context, std::slice::from_ref(&obstacles));
    let probe = setup::follows_stiffness(scene).then_some(probe);
    let stepper = held.stepper(scene, &arrays, &choice.stepping, probe)?;
    let skin = SkinBuffers::new(&arrays)?;
    let places = Places::new(context, scene, &held.model, &held.state, &estimates)?;
    let adaptive = wanted
        .map(|error| Adaptive::new(&arrays, error))
        .transpose()?;
    held.dismiss_absent(context, scene);
    let first = Sim {
        damping_gathers: 1,
        stage_step: 0.5 * common.step,
        wind: setup::wind(scene, 0, 1, &clock),
        ..common
    };
    held.sim.write(context, &[first]);
    let mut recorder = Recorder::new(context);
    let integrator = choice.stepping.integrator;
    match origin {
        // Contacts have their part in these accelerations.
        Origin::Other(other) if integrator.keeps_half_steps() && other.accelerates(scene) => {
            let places = other.motions(&held.model);
            let beside = integrator == Integrator::Leapfrog;
            let half_step = 0.5 * common.step;
            held.state.turn_back(context, &places, half_step, beside)?;
        }
        _ => stepper.start(&mut recorder, &held.state, &Part::all(0)),
    }
    recorder.submit();
    // What goes wrong here belongs to the caller of this; and drivers that compile kernels as they run them, on threads of
    // their own, do not survive a program that ends meanwhile.
    context.wait()?;
    let room = |name| {
        let evolving = evolving(&held.state, &held.buffers, &held.elements, &stepper);
        Saved::room(context, name, &evolving)
    };
    let rates = estimates.iter().map(|estimate| estimate.stiffness.sqrt());
    Ok(World {
        number: number(),
        context: context.clone(),
        scene: scene.clone(),
        saved: room("saved")?,
        ahead: room("ahead")?,
        readback: Readback::new(context, held.status.len()),
        model: held.model,
        places,
        buffers: held.buffers,
        elements: held.elements,
        state: held.state,
        sim: held.sim,
        externals: held.externals,
        obstacles,
        pointer_spring: None,
        events: None,
        motions: Motions::default(),
        attachments: Attachments::default(),
        status: held.status,
        common,
        stepping: choice.stepping,
        bounds: choice.bounds,
        materials: 0,
        pick,
        stepper,
        skin,
        adaptive,
        before: Progress::default(),
        pace: Pace::default(),
        counts: StepCounts::none(choice.stepping.step),
        steps: 0,
        steps_before,
        ticks: 0,
        clock,
        report: StepReport {
            steps: steps_before,
            time: start,
            stiffness: rates.collect(),
            ..StepReport::default()
        },
        fault: None,
        too_long: choice.too_long,
        warnings: choice.warnings,
        profiler: None,
        calls: BTreeMap::new(),
    })
}

/// The arrays of a world that is being built.
struct Held {
    model: Model,
    buffers: ModelBuffers,
    state: State,
    elements: Elements,
    counts: Counts,
    sim: Uniforms<Sim>,
    externals: Uniforms<Externals>,
    status: Buffer<u32>,
    partials: Buffer<f32>,
}

impl Held {
    fn new(context: &Context, scene: &Scene, origin: Origin<'_>) -> Result<Self> {
        let model = match origin {
            Origin::Other(other) => {
                let device = (&context.info().name[..], context.largest_buffer());
                let mut model = Model::with_rests(scene, &other.rests(scene)?, device)?;
                for (index, body) in model.bodies.iter_mut().enumerate() {
                    body.absent = other.is_absent(index);
                }
                model
            }
            _ => Model::new(scene, &context.info().name, context.largest_buffer())?,
        };
        let world = &scene.world;
        let solids = world.contact && (world.floor.is_some() || !scene.solids.is_empty());
        let bodies = setup::bodies(scene, &model);
        let buffers = ModelBuffers::new(context, &model, bodies, solids)?;
        let counts = Counts {
            chunks: buffers.chunks.len(),
            bodies: model.bodies.len(),
        };
        let (state, elements) = (
            State::new(context, &model)?,
            Elements::new(context, &model)?,
        );
        if let Origin::Other(other) = origin {
            state.place(context, &model, &other.motions(&model));
            other.give_elements(context, scene, &elements);
        }
        Ok(Self {
            state,
            elements,
            sim: Uniforms::new(context, "sim", SIM_SLOTS),
            externals: Uniforms::new(context, "externals", 1),
            status: Buffer::zeroed(context, "status", status_words(scene, counts))?,
            partials: Buffer::zeroed(context, "partials", counts.chunks)?,
            model,
            buffers,
            counts,
        })
    }

    fn arrays<'a>(&'a self, context: &'a Context) -> Arrays<'a> {
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

    /// Leaves out the bodies that are absent, once their rates are known.
    fn dismiss_absent(&self, context: &Context, scene: &Scene) {
        let absent = |index: &usize| self.model.bodies[*index].absent;
        for index in (0..self.model.bodies.len()).filter(absent) {
            let material = setup::body(scene, &self.model, index);
            self.buffers.dismiss(context, &self.model, index, material);
            self.state.begin(context, &self.model, index, true);
        }
    }

    /// What all dispatches share, before the step is chosen.
    fn at_rest(&self, scene: &Scene) -> Sim {
        let [clusters, chunks] = match &self.elements.shape {
            Some(shape) => shape.counts(),
            None => [0; 2],
        };
        Sim {
            gravity: DVec3::from(scene.world.gravity).as_vec3(),
            step: 1.0,
            step_ratio: 1.0,
            span: 1.0,
            drag: scene.world.drag as f32,
            particle_count: self.model.positions.len() as u32,
            body_count: self.counts.bodies as u32,
            chunk_count: self.counts.chunks as u32,
            skin_count: self.model.skin.corners.len() as u32,
            fem_count: self.model.elements.len() as u32,
            cluster_count: clusters as u32,
            cluster_chunk_count: chunks as u32,
            damping_gathers: 1,
            theta_scale: scene.world.integrator.damping_share() as f32,
            speed_limit: SPEED_LIMIT,
            status_words: self.status.len() as u32,
            ..Sim::default()
        }
    }

    /// The passes of a substep.
    fn stepper(
        &self,
        scene: &Scene,
        arrays: &Arrays<'_>,
        stepping: &Stepping,
        probe: Option<StiffnessProbe>,
    ) -> Result<Stepper> {
        let collision = collide::can_touch(scene).then(|| {
            let capacity = Capacity::new(self.model.positions.len());
            Collision::new(arrays, &self.model, &scene.world, capacity)
        });
        Stepper::new(
            &scene.world,
            stepping.damping_stages,
            probe,
            collision.transpose()?,
            self.counts,
            arrays,
        )
    }
}

/// A scene's arrays, what follows its stiffness, and its rates where it begins.
fn held(
    context: &Context,
    scene: &Scene,
    origin: Origin<'_>,
) -> Result<(Held, StiffnessProbe, Vec<Estimate>)> {
    let held = Held::new(context, scene, origin)?;
    let arrays = held.arrays(context);
    let probe = StiffnessProbe::new(&arrays, &held.partials);
    let at_rest = held.at_rest(scene);
    let known = match origin {
        Origin::Other(other) => other.known(context, scene)?,
        Origin::Scene | Origin::Save(_) => Handover::empty().known(context, scene)?,
    };
    let estimates = match known {
        Some(known) => {
            held.sim.write(context, &StiffnessProbe::fill(at_rest));
            known.give(&arrays)?
        }
        None => estimate(&arrays, &probe, held.counts, at_rest, &held.model)?,
    };
    Ok((held, probe, estimates))
}

/// The rates of a scene's bodies where those are that go on from before, the others where they start.
pub(super) fn estimated(
    context: &Context,
    scene: &Scene,
    before: &Handover,
) -> Result<Vec<(Estimate, PowerIteration)>> {
    let (held, _, estimates) = held(context, scene, Origin::Other(before))?;
    let probe = held.state.probe[0].read(context)?;
    let of_body = |(estimate, body): (&Estimate, &BodyRanges)| {
        let own = probe[body.particles.clone()].to_vec();
        (*estimate, PowerIteration::new(estimate, own))
    };
    Ok(estimates
        .iter()
        .zip(&held.model.bodies)
        .map(of_body)
        .collect())
}

/// Records the passes that write the rates of a part's particles, which both arrays hold alike, from one to the other and back.
pub(super) fn record_rates(recorder: &mut Recorder<'_>, arrays: &Arrays<'_>, part: &Part) {
    let count = arrays.state.present().len();
    for pass in arrays.bind_both("damping_rate", &[]) {
        part.dispatch(recorder, &pass, count, Over::Particles);
    }
}

/// The integrator of a scene that leaves it open: that of a save file, or one that is picked.
fn picked(
    scene: &Scene,
    model: &Model,
    estimates: &[Estimate],
    given: Option<Stepping>,
) -> (Integrator, Pick) {
    let Some(given) = given else {
        return auto::pick(scene, model, estimates);
    };
    let pick = Pick {
        integrator: given.integrator.name(),
        reason: "as the saved run had picked it".to_owned(),
    };
    (given.integrator, pick)
}

/// Words of `status`: the first fault, an eigenvalue per body, and what is counted of contacts and of Newton's method.
fn status_words(scene: &Scene, counts: Counts) -> usize {
    let tally = if collide::can_touch(scene) {
        Collision::tally_words(MAX_BATCH)
    } else {
        TALLY_WORDS as usize
    };
    // After the tally the error of an adaptive step, and what Newton's method did.
    1 + counts.bodies + tally + NEWTON_WORDS as usize + 1
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
    choice
        .warnings
        .extend(setup::rounding_warnings(scene, model, estimates));
    let ranges = setup::range_warnings(model, |i| model.positions[i]);
    choice.warnings.extend(ranges);
    choice.warnings.extend(self_contact_warning(scene, model));
    choice.warnings.extend(restless_warning(scene));
    choice.warnings.extend(narrow::warning(scene, model));
    // A world that goes on has left its start behind.
    if matches!(origin, Origin::Scene) {
        choice
            .warnings
            .extend(initial_penetration::warning(scene, model));
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
        "world.self_contact does not act on body \"{}\": the points of clouds and shells touch other bodies only",
        body.name
    ))
}

fn restless_warning(scene: &Scene) -> Option<String> {
    collide::is_restless(scene).then(|| {
        "world.integrator: bodies that lie on each other do not come to rest with rk4; they do with verlet"
            .to_owned()
    })
}

/// Solids and pulls, and what all dispatches share.
fn common(
    scene: &Scene,
    model: &Model,
    stepping: &Stepping,
    clock: &Clock,
    at_rest: Sim,
) -> (Externals, Sim) {
    let (obstacles, solid_count, pull_count) = setup::externals(scene, model, clock);
    let common = Sim {
        step: stepping.step as f32,
        damping_gathers: stepping.damping_stages,
        solid_count,
        pull_count,
        ..at_rest
    };
    (obstacles, common)
}

/// Each body's largest rates at rest: σ of its springs, and the eigenvalues of damping and then of stiffness, whose vector
/// is the one that later renewals go on from.
fn estimate(
    arrays: &Arrays<'_>,
    probe: &StiffnessProbe,
    counts: Counts,
    at_rest: Sim,
    model: &Model,
) -> Result<Vec<Estimate>> {
    let Arrays {
        context,
        state,
        sim,
        status,
        ..
    } = *arrays;
    sim.write(context, &StiffnessProbe::fill(at_rest));
    let mut eigenvalues = Vec::with_capacity(2);
    for slot in [0, 1] {
        let mut recorder = Recorder::new(context);
        record_rates(&mut recorder, arrays, &Part::all(0));
        probe.estimate(&mut recorder, state, &counts, slot);
        recorder.submit();
        let words = status.read(context)?.into_iter().skip(1);
        eigenvalues.push(
            words
                .map(|word| f64::from(f32::from_bits(word)))
                .collect::<Vec<_>>(),
        );
    }
    let rates = setup::largest_rates(model, &state.present().read(context)?);
    let estimate = |(body, rate): (usize, &f64)| Estimate {
        damping: eigenvalues[0][body],
        stiffness: eigenvalues[1][body],
        rate: *rate,
    };
    Ok(rates.iter().enumerate().map(estimate).collect())
}
