//! A simulated world: made from a scene, advanced in steps, read when wanted.
//!
//! It knows what comes after what: submissions, what of them is taken back, who comes and goes; it must not know what bodies
//! are made of, how pictures are drawn, or the formats of files.

mod adaptive;
mod advance;
mod applied;
mod attach;
mod batch;
mod bodies;
mod build;
mod carried;
mod change;
mod checkpoint;
mod contacts;
mod device;
mod drawn;
mod events;
mod layout;
mod material;
mod motion;
pub(crate) mod pace;
mod parts;
mod pins;
mod pointer_spring;
mod poses;
mod profile;
mod rates;
mod read;
mod reading;
mod retake;
mod saved;
mod scene_motion;
mod sleep;
mod slots;
mod ties;
mod touch;
mod touching;
mod trajectory;
mod write;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Result;
use crate::body::skin::SkinBuffers;
use crate::collide::Collision;
use crate::gpu::types::{Externals, Sim};
use crate::gpu::{Buffer, Bytes, Content, Context, Readback};
use crate::integrate::Arrays;
use crate::model::{Model, Saved};
use crate::report::{Fault, Solve, StepReport};
use crate::scene::Scene;
use crate::setup::{Choice, Clock};
use crate::step::Stepper;

use adaptive::Adaptive;
use attach::Attachments;
use batch::Batch;
use checkpoint::Checkpoint;
use device::Device;
use events::Events;
use motion::Motions;
use pace::Progress;
use pointer_spring::PointerSpringPasses;
use profile::Profile;
use slots::BodySlots;

pub use crate::gpu::PassTime;
pub use crate::gpu::types::Particle;
pub use crate::integrate::auto::Pick;
pub use crate::setup::Stepping;
pub use adaptive::StepCounts;
pub use attach::AttachmentId;
pub(crate) use attach::TiedByScene;
pub(crate) use build::{Began, Origin};
pub use change::Handover;
pub use contacts::Contacts;
pub use events::ContactEvents;
pub use layout::{BodyLayout, Layout};
pub use pins::PinMotion;
pub use pointer_spring::PointerSpring;
pub use read::{PoseState, Snapshot};
pub use reading::Reading;
pub(crate) use saved::SavedBody;
pub use slots::BodyId;
pub use touch::{Partner, Touch};
pub use touching::Touching;
pub use trajectory::RigidMotion;

/// What passes and arrays beside a world are made for: another one where it was built anew, or has other arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    world: u64,
    /// Bodies, particles, triangles, tetrahedra.
    counts: [usize; 4],
    content: Content,
}

/// A number that no other world of this process has.
fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A world on the device. Steps are submitted without waiting; at most one submission is under way.
pub struct World {
    /// No other world of this process has it.
    number: u64,
    context: Context,
    scene: Scene,
    model: Model,
    slots: BodySlots,
    device: Device,
    /// What the uniform of obstacles and pulls starts with.
    obstacles: Externals,
    pointer_spring: Option<PointerSpringPasses>,
    /// See [`Self::set_contact_events`].
    events: Option<Events>,
    motions: Motions,
    attachments: Attachments,
    /// What all dispatches share.
    common: Sim,
    choice: Choice,
    /// How often bodies got another material.
    materials: u64,
    stepper: Stepper,
    skin: SkinBuffers,
    /// The state at the start of the last submission.
    saved: Saved,
    /// How far the world had come there.
    before: Progress,
    /// How far when the last call of [`Self::step`] began.
    call: Progress,
    /// What a fault returns to.
    checkpoint: Checkpoint,
    /// Room to look one step ahead.
    ahead: Saved,
    /// How far it has come since this world was made.
    progress: Progress,
    /// Steps before a change.
    steps_before: u64,
    clock: Clock,
    adaptive: Option<Adaptive>,
    counts: StepCounts,
    readback: Readback,
    batch: Batch,
    report: StepReport,
    fault: Option<Fault>,
    /// Where all that could move sleeps, what the last step counted of contacts: see [`Self::rests_until`].
    rests: Option<Vec<u32>>,
    /// See [`Self::pick`].
    pick: Option<Pick>,
    profile: Profile,
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
        Self::build(context, scene, Origin::Scene)
    }

    /// A world that begins there.
    pub(crate) fn build(context: &Context, scene: &Scene, origin: Origin<'_>) -> Result<Self> {
        scene.check()?;
        context.check_limits()?;
        let world =
            context.catch_out_of_memory(|| build::build(context, scene, origin)?.begin(origin));
        context.finish_kernels();
        world
    }

    /// Steps since the scene's start.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps_before + self.progress.steps
    }

    /// Steps before its tick 0.
    pub(crate) fn steps_before(&self) -> u64 {
        self.steps_before
    }

    /// Time since the scene's start, or the world's last [change](Self::change), in ticks ([`Stepping::tick`]): with steps
    /// of one length their number.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.progress.ticks
    }

    /// Time since the scene's start [s].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.clock.time(self.progress.ticks)
    }

    /// What [`Self::ticks`] are since, and how long.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// The length of the step and how it was chosen.
    #[must_use]
    pub fn stepping(&self) -> &Stepping {
        &self.choice.stepping
    }

    /// Counts and lengths of the steps since the world was made or resumed.
    #[must_use]
    pub fn step_counts(&self) -> StepCounts {
        self.counts
    }

    /// How far it has come since it was made.
    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }

    /// Ticks of the last step.
    pub(crate) fn last_ticks(&self) -> u64 {
        self.ticks_of(self.progress.pace.last_halvings)
    }

    /// The longest stable step [s], from the stiffness and damping of the bodies at the start or of
    /// [materials](Self::set_material) set since; 0 if no step is known to be stable, infinite if all are.
    #[must_use]
    pub fn longest_step(&self) -> f64 {
        self.choice.longest()
    }

    /// The integrator that was picked and why, with `integrator = "auto"`.
    #[must_use]
    pub fn pick(&self) -> Option<&Pick> {
        self.pick.as_ref()
    }

    /// The scene from which this world was made, with the integrator in use.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Where its bodies lie in its arrays.
    #[must_use]
    pub fn layout(&self) -> Layout<'_> {
        Layout::new(&self.model)
    }

    /// The constant arrays on the host.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The device.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// How implicit steps have been solved since the start, if there are any.
    #[must_use]
    pub fn solve(&self) -> Option<Solve> {
        self.stepper.solve().map(|[_, all]| all)
    }

    /// Warnings for the user about this scene.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.choice.warnings
    }

    /// Hints for the user, where this scene may not be what was meant though nothing is wrong with it.
    #[must_use]
    pub fn hints(&self) -> &[String] {
        &self.choice.hints
    }

    /// The present particles on the device, in device order.
    #[must_use]
    pub fn particles(&self) -> &Buffer<Particle> {
        self.device.state.present()
    }

    /// What every pass may bind.
    pub(crate) fn arrays(&self) -> Arrays<'_> {
        self.device.arrays(&self.context)
    }

    /// The uniform of a look at the present forces: those of the step to come, in which no element flows.
    pub(crate) fn present_sim(&self) -> Sim {
        let ticks = self.last_ticks();
        Sim {
            damping_stages: 1,
            implicit: self.scene.world.integrator.implicit(),
            ..self.at_step([self.progress.ticks, ticks], 0)
        }
    }

    /// Contact between bodies, where there can be any.
    pub(crate) fn collision(&self) -> Option<&Collision> {
        self.stepper.collision()
    }

    /// What is made for this world is made for.
    pub(crate) fn revision(&self) -> Revision {
        let model = &self.model;
        Revision {
            world: self.number,
            counts: [
                model.bodies.len(),
                model.positions.len(),
                model.triangles.len(),
                model.tets.len(),
            ],
            content: self.device.buffers.content,
        }
    }

    /// What its kernels are composed for.
    pub(crate) fn content(&self) -> Content {
        self.device.buffers.content
    }

    /// The arrays that a save file holds, see [`parts::evolving`].
    pub(crate) fn evolving(&self) -> Vec<&dyn Bytes> {
        parts::evolving(&self.device, &self.stepper)
    }

    /// Replaces the evolving arrays, and what the scene ties; the caller has ended the motions of some bodies' pins.
    pub(crate) fn return_to(
        &mut self,
        progress: Progress,
        parts: &[&[u8]],
        tied: Attachments,
        ended_pins: &[bool],
    ) -> Result<()> {
        self.readback.wait(&self.context)?;
        if let Some(events) = &mut self.events {
            events.forget();
        }
        self.drop_pointer_spring();
        for (array, part) in self.evolving().into_iter().zip(parts) {
            array.write_bytes(&self.context, part);
        }
        self.progress = progress;
        self.set_step(progress.pace.last_halvings);
        self.drop_motions(ended_pins)?;
        self.restore_attachments(tied)?;
        self.fault = None;
        self.rests = None;
        self.report = StepReport {
            steps: self.steps(),
            time: self.time(),
            stiffness: self.stiffness()?,
            solve: None,
        };
        Ok(())
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = (self.model.bodies.len(), self.model.positions.len(), self.progress.steps);
        write!(f, "World {{ bodies: {}, particles: {}, steps: {} }}", counts.0, counts.1, counts.2)
    }
}
