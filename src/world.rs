//! A simulated world: made from a scene, advanced in steps, read when wanted.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use crate::body::damping;
use crate::body::skin::SkinBuffers;
use crate::body::stiffness::{Counts, StiffnessProbe};
use crate::gpu::types::{
    Body as GpuBody, DAMPING_EXPLICIT, PROBE_MARGIN, Particle, SPEED_LIMIT, Sim,
};
use crate::gpu::{Buffer, Bytes, Context, PassTime, Profiler, Readback, Recorder, Uniforms};
use crate::integrate::Arrays;
use crate::model::{Model, ModelBuffers, Saved, State};
use crate::report::{Fault, StepReport};
use crate::scene::{DampingMode, Integrator, Scene};
use crate::setup::{self, Estimate, Stepping};
use crate::step::Stepper;
use crate::{Error, Result};

/// Substeps in one submission at the most: systems kill submissions that take seconds.
const MAX_BATCH: usize = 256;
/// Particles times gathers in one submission at the most, for the same reason.
const MAX_BATCH_WORK: usize = 100_000_000;
/// Approach [m/s] below which nothing bounces.
const RESTITUTION_SPEED: f64 = 0.1;

/// A world on the device. Steps are submitted without waiting; at most one submission is under way.
pub struct World {
    context: Context,
    scene: Scene,
    model: Model,
    buffers: ModelBuffers,
    state: State,
    sim: Uniforms<Sim>,
    status: Buffer<u32>,
    common: Sim,
    stepping: Stepping,
    stepper: Stepper,
    skin: SkinBuffers,
    /// The state at the start of the last submission, to return to after a fault.
    saved: Saved,
    saved_steps: u64,
    /// Room to look one step ahead.
    ahead: Saved,
    steps: u64,
    readback: Readback,
    report: StepReport,
    fault: Option<Fault>,
    /// The body that a fixed step is too long for.
    too_long: Option<(usize, String)>,
    warnings: Vec<String>,
    profiler: Option<Profiler>,
    calls: BTreeMap<&'static str, u64>,
}

/// The state of all particles at one time, in device order (see [`World::mesh_positions`] for a mesh's own order).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Steps since the scene's start.
    pub steps: u64,
    /// Time since the scene's start [s].
    pub time: f64,
    /// Positions [m].
    pub positions: Vec<Vec3>,
    /// Velocities at `time` [m/s]: of integrators that keep half-step velocities, the mean of the two around it.
    pub velocities: Vec<Vec3>,
    /// σ of each particle [1/s]: the rate of its springs' damping.
    pub damping_rates: Vec<f32>,
}

impl World {
    /// A world in the caller's device. Its limits must be at least wgpu's defaults.
    ///
    /// # Errors
    /// A scene that cannot be built: unreadable meshes, values out of range, arrays too large for the device, an
    /// integrator without a stable step.
    pub fn with_device(device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene) -> Result<Self> {
        Self::new(&Context::with_device(device, queue), scene)
    }

    /// A world in a device of pliant's own.
    ///
    /// # Errors
    /// As [`Self::with_device`].
    pub fn new(context: &Context, scene: &Scene) -> Result<Self> {
        Self::build(context, scene, None)
    }

    /// A world whose step is chosen, or given by a save file.
    pub(crate) fn build(context: &Context, scene: &Scene, given: Option<Stepping>) -> Result<Self> {
        scene.check()?;
        context.check_limits()?;
        context.catch_out_of_memory(|| Self::build_unguarded(context, scene, given))
    }

    fn build_unguarded(context: &Context, scene: &Scene, given: Option<Stepping>) -> Result<Self> {
        let model = Model::new(scene, &context.info().name, context.largest_buffer())?;
        let buffers = ModelBuffers::new(context, &model, setup::bodies(scene, &model))?;
        let mut state = State::new(context, &model)?;
        let counts = Counts {
            chunks: buffers.chunks.len(),
            bodies: model.bodies.len(),
        };
        let sim = Uniforms::new(context, "sim", 4 * MAX_BATCH + 2);
        let externals = Uniforms::new(context, "externals", 1);
        let status = Buffer::zeroed(context, "status", 1 + model.bodies.len())?;
        let partials = Buffer::zeroed(context, "partials", counts.chunks)?;
        let arrays = Arrays {
            context,
            model: &buffers,
            state: &state,
            sim: &sim,
            externals: &externals,
            status: &status,
        };
        let probe = StiffnessProbe::new(&arrays, &partials);
        let rate = arrays.bind_both("damping_rate", &[]);
        let mut common = Sim {
            gravity: DVec3::from(scene.world.gravity).as_vec3(),
            step: 1.0,
            drag: scene.world.drag as f32,
            particle_count: model.positions.len() as u32,
            body_count: counts.bodies as u32,
            chunk_count: counts.chunks as u32,
            skin_count: model.skin.corners.len() as u32,
            damping_gathers: 1,
            theta_scale: setup::theta_scale(scene.world.integrator) as f32,
            speed_limit: SPEED_LIMIT,
            ..Sim::default()
        };

        // σ, then the largest eigenvalues of damping and stiffness of each body at rest.
        sim.write(context, &StiffnessProbe::fill(common));
        let mut estimates = vec![[0.0; 2]; counts.bodies];
        for (slot, matrix) in [(0, 0), (1, 1)] {
            let mut recorder = Recorder::new(context);
            for pass in &rate {
                recorder.dispatch(pass, model.positions.len(), 0);
            }
            probe.estimate(&mut recorder, &state, &counts, slot);
            recorder.submit();
            for (estimate, word) in estimates
                .iter_mut()
                .zip(status.read(context)?.into_iter().skip(1))
            {
                estimate[matrix] = f64::from(f32::from_bits(word));
            }
        }
        let rates = setup::largest_rates(&model, &state.present().read(context)?);
        let estimates: Vec<_> = estimates
            .iter()
            .zip(rates)
            .map(|([damping, stiffness], rate)| Estimate {
                stiffness: *stiffness,
                damping: *damping,
                rate,
            })
            .collect();
        let choice = setup::stepping(scene, &model, &estimates)?;
        let mut warnings = choice.warnings;
        warnings.extend(choice.too_long.iter().map(|(_, warning)| warning.clone()));
        warnings.extend(setup::contact_warning(scene));
        warnings.extend(setup::range_warnings(
            &model,
            model.positions.iter().copied(),
        ));
        let stepping = given.unwrap_or(choice.stepping);
        let (obstacles, solid_count, pull_count) = setup::externals(scene, &model, stepping.step);
        externals.write(context, &[obstacles]);
        let fall = DVec3::from(scene.world.gravity).length();
        common = Sim {
            step: stepping.step as f32,
            damping_gathers: stepping.gathers,
            solid_count,
            pull_count,
            restitution_speed: RESTITUTION_SPEED.max(4.0 * stepping.step * fall) as f32,
            ..common
        };

        let arrays = Arrays {
            context,
            model: &buffers,
            state: &state,
            sim: &sim,
            externals: &externals,
            status: &status,
        };
        let follows = setup::bodies(scene, &model)
            .iter()
            .any(|body| body.damping_mode != DAMPING_EXPLICIT);
        let probe = follows.then_some(probe);
        let stepper = Stepper::new(
            scene.world.integrator,
            stepping.gathers,
            probe,
            counts,
            &arrays,
        )?;
        let skin = SkinBuffers::new(&arrays)?;
        sim.write(
            context,
            &[Sim {
                damping_gathers: 1,
                wind: setup::wind(scene, 0, stepping.step),
                ..common
            }],
        );
        let mut recorder = Recorder::new(context);
        stepper.start(&mut recorder, &mut state);
        recorder.submit();

        let stiffness = estimates
            .iter()
            .map(|estimate| estimate.stiffness.sqrt())
            .collect();
        Ok(Self {
            context: context.clone(),
            scene: scene.clone(),
            saved: Saved::room(context, "saved", &evolving(&state, &buffers))?,
            ahead: Saved::room(context, "ahead", &evolving(&state, &buffers))?,
            readback: Readback::new(context, status.len()),
            model,
            buffers,
            state,
            sim,
            status,
            common,
            stepping,
            stepper,
            skin,
            saved_steps: 0,
            steps: 0,
            report: StepReport {
                stiffness,
                ..StepReport::default()
            },
            fault: None,
            too_long: choice.too_long,
            warnings,
            profiler: None,
            calls: BTreeMap::new(),
        })
    }

    /// Submits `steps` steps. Returns while the last of them are under way.
    ///
    /// # Errors
    /// A fault in an earlier submission (the state is then the last good one), a lost device.
    pub fn step(&mut self, steps: u64) -> Result<()> {
        let work = self.model.positions.len() * self.stepping.gathers as usize;
        let batch = MAX_BATCH.min(MAX_BATCH_WORK / work.max(1)).max(1) as u64;
        let mut left = steps;
        while left > 0 {
            let count = left.min(batch);
            self.submit(count)?;
            left -= count;
        }
        Ok(())
    }

    /// Submits one frame's steps: 1/fps seconds with an automatic step, else as many as bring the time nearest to a frame.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_frame(&mut self) -> Result<()> {
        let frame = (self.time() * self.scene.world.fps).round() + 1.0;
        let end = (frame / self.scene.world.fps / self.stepping.step).round() as u64;
        self.step(end.saturating_sub(self.steps).max(1))
    }

    fn submit(&mut self, count: u64) -> Result<()> {
        self.wait()?;
        let slots_per_step = self.stepper.slots();
        let mut slots: Vec<Sim> = Vec::with_capacity(count as usize * slots_per_step + 1);
        for index in 0..count {
            slots.extend(self.stepper.fill(self.at_step(self.steps + index, index)));
        }
        let renewal = slots.len();
        slots.push(StiffnessProbe::fill(self.common)[1]);
        self.sim.write(&self.context, &slots);
        self.status.write(&self.context, 0, &[u32::MAX]);

        let mut recorder = Recorder::new(&self.context);
        self.saved.keep(&mut recorder, &self.evolving());
        self.saved_steps = self.steps;
        if let Some(profiler) = &mut self.profiler {
            recorder.profile(profiler);
        }
        for index in 0..count {
            self.stepper
                .renew(&mut recorder, &self.state, self.steps + index, renewal);
            self.stepper.substep(
                &mut recorder,
                &mut self.state,
                index as usize * slots_per_step,
            );
            recorder.end_profile();
        }
        self.readback.record(&mut recorder, &self.status);
        for (name, calls) in recorder.submit() {
            *self.calls.entry(name).or_default() += calls;
        }
        self.steps += count;
        Ok(())
    }

    /// The uniforms of step `step`, `index` steps after its submission's start.
    fn at_step(&self, step: u64, index: u64) -> Sim {
        Sim {
            step_index: u32::try_from(step).unwrap_or(u32::MAX),
            slot: index as u32,
            wind: setup::wind(&self.scene, step, self.stepping.step),
            ..self.common
        }
    }

    /// Waits for the last submission.
    ///
    /// # Errors
    /// A fault: the state is then that at the start of the submission in which it was seen, and stays there.
    pub fn wait(&mut self) -> Result<()> {
        if let Some(words) = self.readback.wait(&self.context)? {
            self.take_report(&words)?;
        }
        self.fault
            .clone()
            .map_or(Ok(()), |fault| Err(Error::Fault(fault)))
    }

    /// Waits for the last submission, whether or not it had a fault.
    pub(crate) fn settle(&mut self) -> Result<()> {
        match self.wait() {
            Err(Error::Fault(_)) => Ok(()),
            other => other,
        }
    }

    /// The report of the last submission that has ended, without waiting.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn report(&mut self) -> Result<&StepReport> {
        if let Some(words) = self.readback.poll(&self.context)? {
            self.take_report(&words)?;
        }
        self.fault
            .clone()
            .map_or(Ok(()), |fault| Err(Error::Fault(fault)))?;
        Ok(&self.report)
    }

    fn take_report(&mut self, words: &[u32]) -> Result<()> {
        if let Some(profiler) = &mut self.profiler {
            profiler.collect(&self.context)?;
        }
        if words[0] != u32::MAX {
            let bodies = self.model.bodies.len() as u32;
            let step = self.saved_steps + u64::from(words[0] / bodies) + 1;
            let fault = self.explain(step, (words[0] % bodies) as usize);
            self.fault = Some(fault.clone());
            let mut recorder = Recorder::new(&self.context);
            self.saved.put_back(&mut recorder, &self.evolving());
            recorder.submit();
            self.steps = self.saved_steps;
            return Err(Error::Fault(fault));
        }
        self.report.steps = self.steps;
        self.report.time = self.time();
        for (stiffness, word) in self.report.stiffness.iter_mut().zip(&words[1..]) {
            *stiffness = f64::from(f32::from_bits(*word)).sqrt();
        }
        Ok(())
    }

    fn explain(&self, step: u64, body: usize) -> Fault {
        let name = self.model.bodies[body].name.clone();
        let cause = match &self.too_long {
            Some((warned, warning)) if *warned == body => warning.clone(),
            _ => "the likely cause is a force or a collision too strong for the step; a shorter `step`, more `damping` or a \
                     weaker force helps"
                .into(),
        };
        Fault {
            step,
            time: step as f64 * self.stepping.step,
            body: name,
            cause,
        }
    }

    /// Steps since the scene's start.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time since the scene's start [s].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.stepping.step
    }

    /// The step's length and how it was found.
    #[must_use]
    pub fn stepping(&self) -> &Stepping {
        &self.stepping
    }

    /// The scene this world was made from.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The constant arrays on the host.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The device.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// What a user should know about this scene.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The present particles on the device, in device order.
    #[must_use]
    pub fn particles(&self) -> &Buffer<Particle> {
        self.state.present()
    }

    /// Deforms the drawn surfaces to the present state and returns their buffers.
    pub fn update_skin(&mut self) -> &SkinBuffers {
        self.sim.write(&self.context, &[self.common]);
        let mut recorder = Recorder::new(&self.context);
        self.skin.update(&mut recorder, &self.state, 0);
        recorder.submit();
        &self.skin
    }

    /// The drawn surfaces as [`Self::update_skin`] left them, and their triangles as indices into their vertices.
    #[must_use]
    pub fn skin(&self) -> (&SkinBuffers, &Buffer<u32>) {
        (&self.skin, &self.buffers.skin_indices)
    }

    /// Whether to time the passes of each submission's first substep. Does nothing where the device has no timestamps.
    pub fn set_profiling(&mut self, on: bool) {
        self.profiler = if on {
            Profiler::new(&self.context)
        } else {
            None
        };
    }

    /// Dispatches by kernel since the start, and their times where profiling is on.
    #[must_use]
    pub fn passes(&self) -> Vec<(&'static str, u64, Option<PassTime>)> {
        let times = self.profiler.as_ref().map(Profiler::times);
        let time = |name| times.and_then(|times| times.get(name)).copied();
        self.calls
            .iter()
            .map(|(name, calls)| (*name, *calls, time(*name)))
            .collect()
    }

    /// All particles, waiting for the device.
    ///
    /// # Errors
    /// As [`Self::wait`]; a fault is reported once the last good state has been read by [`Self::read_last_good`].
    pub fn read(&mut self) -> Result<Snapshot> {
        self.wait()?;
        self.read_last_good()
    }

    /// All particles of the last good state, also after a fault.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read_last_good(&mut self) -> Result<Snapshot> {
        self.settle()?;
        let keeps_half = matches!(
            self.scene.world.integrator,
            Integrator::Verlet | Integrator::Leapfrog
        );
        let particles = self.state.present().read(&self.context)?;
        let velocities = if keeps_half {
            self.mean_velocities(&particles)?
        } else {
            particles.iter().map(|p| p.velocity).collect()
        };
        Ok(Snapshot {
            steps: self.steps,
            time: self.time(),
            positions: particles.iter().map(|p| p.position).collect(),
            velocities,
            damping_rates: particles.iter().map(|p| p.damping_rate).collect(),
        })
    }

    /// (v(−h/2) + v(+h/2))/2: takes a step, keeps its velocity, and returns to the present state.
    fn mean_velocities(&mut self, particles: &[Particle]) -> Result<Vec<Vec3>> {
        let leapfrog = self.scene.world.integrator == Integrator::Leapfrog;
        let half = |world: &Self| -> Result<Vec<Vec3>> {
            if leapfrog {
                let half = world.state.half_velocity.read(&world.context)?;
                return Ok(half.iter().map(|v| v.truncate()).collect());
            }
            Ok(world
                .state
                .present()
                .read(&world.context)?
                .iter()
                .map(|p| p.velocity)
                .collect())
        };
        let before = if leapfrog {
            half(self)?
        } else {
            particles.iter().map(|p| p.velocity).collect()
        };
        let mut slots = self.stepper.fill(self.at_step(self.steps, 0));
        let renewal = slots.len();
        slots.push(StiffnessProbe::fill(self.common)[1]);
        self.sim.write(&self.context, &slots);
        let mut recorder = Recorder::new(&self.context);
        self.ahead.keep(&mut recorder, &self.evolving());
        self.stepper
            .renew(&mut recorder, &self.state, self.steps, renewal);
        self.stepper.substep(&mut recorder, &mut self.state, 0);
        recorder.submit();
        let after = half(self)?;
        let mut recorder = Recorder::new(&self.context);
        self.ahead.put_back(&mut recorder, &self.evolving());
        recorder.submit();
        Ok(before
            .iter()
            .zip(&after)
            .map(|(a, b)| 0.5 * (*a + *b))
            .collect())
    }

    /// The arrays that a save file holds, see [`evolving`].
    pub(crate) fn evolving(&self) -> [&dyn Bytes; 4] {
        evolving(&self.state, &self.buffers)
    }

    /// Replaces the evolving arrays.
    pub(crate) fn return_to(&mut self, steps: u64, parts: &[&[u8]]) -> Result<()> {
        self.readback.wait(&self.context)?;
        for (array, part) in self.evolving().into_iter().zip(parts) {
            array.write_bytes(&self.context, part);
        }
        self.steps = steps;
        self.fault = None;
        self.report = StepReport {
            steps,
            time: self.time(),
            stiffness: self.stiffness()?,
        };
        Ok(())
    }

    /// ω of each body as last estimated [1/s].
    fn stiffness(&self) -> Result<Vec<f64>> {
        let omega =
            |body: &GpuBody| f64::from(body.stiffness_rate).sqrt() / f64::from(PROBE_MARGIN);
        Ok(self
            .buffers
            .bodies
            .read(&self.context)?
            .iter()
            .map(omega)
            .collect())
    }

    /// Mean share φ of the damping constant that acts, over the springs of a state: 1 where damping is whole, less where
    /// one gather caps it (spec of capped damping) or where exact damping would take too many gathers.
    #[must_use]
    pub fn damping_share(&self, state: &Snapshot) -> f64 {
        let mut sum = 0.0;
        for (index, body) in self.model.bodies.iter().enumerate() {
            let mode = setup::damping_mode(
                self.scene.world.integrator,
                self.scene.bodies[index].damping_mode,
            );
            let gathers = match mode {
                DampingMode::Explicit => f64::INFINITY,
                DampingMode::Capped => 1.0,
                DampingMode::Exact => f64::from(self.stepping.gathers),
            };
            let rate = (f64::from(PROBE_MARGIN) * self.report.stiffness[index]).powi(2);
            let scale = setup::theta_scale(self.scene.world.integrator);
            let theta = damping::theta(scale, self.stepping.step, rate, self.scene.world.drag);
            let limit = theta * gathers * gathers / self.stepping.step;
            let rate = |i: u32| f64::from(state.damping_rates[i as usize]);
            let springs = &self.model.springs[body.springs.clone()];
            sum += springs
                .iter()
                .map(|s| (limit / (rate(s.points[0]) + rate(s.points[1]))).min(1.0))
                .sum::<f64>();
        }
        if self.model.springs.is_empty() {
            1.0
        } else {
            sum / self.model.springs.len() as f64
        }
    }

    /// Positions of one body in the order of its mesh's points [m].
    #[must_use]
    pub fn mesh_positions(&self, snapshot: &Snapshot, body: usize) -> Vec<Vec3> {
        let body = &self.model.bodies[body];
        let positions = &snapshot.positions[body.particles.clone()];
        body.device_index
            .iter()
            .map(|i| positions[*i as usize])
            .collect()
    }

    /// FNV-1a of the bits of all positions and of the velocities that the integrator keeps.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn state_hash(&mut self) -> Result<u64> {
        self.settle()?;
        let particles = self.state.present().read(&self.context)?;
        let half = self.state.half_velocity.read(&self.context)?;
        let kept = particles
            .iter()
            .flat_map(|p| [p.position, p.velocity])
            .flat_map(|v| v.to_array());
        let words = kept
            .chain(half.iter().flat_map(|v| v.truncate().to_array()))
            .map(f32::to_bits);
        Ok(words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
            word.to_le_bytes().iter().fold(hash, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            })
        }))
    }
}

/// All that evolves: particles, half-step velocities, the power iteration's vector, the bodies with its estimates.
fn evolving<'a>(state: &'a State, buffers: &'a ModelBuffers) -> [&'a dyn Bytes; 4] {
    [
        state.present(),
        &state.half_velocity,
        &state.probe[0],
        &buffers.bodies,
    ]
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = (
            self.model.bodies.len(),
            self.model.positions.len(),
            self.steps,
        );
        write!(
            f,
            "World {{ bodies: {}, particles: {}, steps: {} }}",
            counts.0, counts.1, counts.2
        )
    }
}
