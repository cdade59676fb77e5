//! A case's arrays on the device, and single dispatches over them.

use std::cell::Cell;

use super::case::Case;
use crate::Result;
use crate::collide::push_room;
use crate::family::Families;
use crate::gpu::types::{Externals, Particle, Sim, TALLY_WORDS};
use crate::gpu::{Binding, Buffer, Bytes, Context, Kernel, Recorder, Uniforms};
use crate::integrate::Arrays;
use crate::model::{ModelBuffers, State};

/// Words of `status` that count contacts: of a submission of one step.
const TALLY_ROOM: usize = 2 * TALLY_WORDS as usize;

/// Uniforms of the longest sequence of passes.
const MOST_SLOTS: usize = 8;

/// One case on the device. Kernels read `state.particles[0]` and write `state.particles[1]`.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The device.
    pub context: &'a Context,
    /// The host's arrays.
    pub case: &'a Case,
    /// Constant arrays.
    pub buffers: ModelBuffers,
    /// Evolving arrays.
    pub state: State,
    /// The fault word, and an eigenvalue per body.
    pub status: Buffer<u32>,
    /// A kernel that is left out wherever it would run.
    pub idle: Cell<Option<&'static str>>,
    elements: Families,
    sim: Uniforms<Sim>,
    externals: Uniforms<Externals>,
}

impl<'a> Bench<'a> {
    /// Uploads a case.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &'a Context, case: &'a Case) -> Result<Self> {
        let externals = Uniforms::new(context, "externals", 1);
        externals.write(context, std::slice::from_ref(&*case.externals));
        let state = State::new(context, &case.model)?;
        let buffers = ModelBuffers::new(
            context,
            &case.model,
            case.bodies.clone(),
            case.content.solids,
        )?;
        assert!(
            case.content.holds(buffers.content),
            "kernels would leave out what the case has"
        );
        let loads: Vec<_> = case.loads.iter().map(|load| load.extend(0.0)).collect();
        state.loads.write(context, 0, &loads);
        Ok(Self {
            context,
            case,
            buffers,
            state,
            status: Buffer::with_room(
                context,
                "status",
                1 + case.bodies.len() + TALLY_ROOM,
                push_room(case.particles.len()),
            )?,
            idle: Cell::new(None),
            elements: Families::new(context, &case.model)?,
            sim: Uniforms::new(context, "sim", MOST_SLOTS),
            externals,
        })
    }

    /// The first word of `status` that counts contacts.
    pub fn tally_word(&self) -> usize {
        1 + self.case.bodies.len()
    }

    /// The number of particles.
    pub fn len(&self) -> usize {
        self.case.particles.len()
    }

    /// The bench's arrays with another state, as the engine's passes bind them.
    pub fn arrays<'b>(&'b self, state: &'b State) -> Arrays<'b> {
        Arrays {
            context: self.context,
            model: &self.buffers,
            state,
            sim: &self.sim,
            elements: &self.elements,
            externals: &self.externals,
            status: &self.status,
        }
    }

    /// Replaces what the kernel reads, and what stands where it writes.
    pub fn write(&self, read: &[Particle], written: &[Particle]) {
        self.state.particles[0].write(self.context, 0, read);
        self.state.particles[1].write(self.context, 0, written);
    }

    /// Runs a kernel once with `count` threads, at least one group. `others` take the place of the case's arrays of the
    /// same name.
    pub fn run(&self, kernel: &Kernel, sim: Sim, count: usize, others: &[Binding<'_>]) {
        self.set(&[sim]);
        let mut bindings = others.to_vec();
        bindings.push(self.state.particles[0].bind("particles_in"));
        bindings.push(self.state.particles[1].bind("particles_out"));
        bindings.push(self.state.half_velocity.bind("half_velocity"));
        bindings.push(self.sim.bind("sim"));
        bindings.push(self.externals.bind("externals"));
        bindings.push(self.buffers.points.bind("points"));
        bindings.push(self.buffers.elements.bind("elements"));
        bindings.push(self.state.loads.bind("loads"));
        bindings.push(self.buffers.bodies.bind("bodies"));
        bindings.push(self.status.bind("status"));
        if self.idle.get() == Some(kernel.name()) {
            return;
        }
        let bound = kernel.bind(self.context, &bindings);
        let mut recorder = Recorder::new(self.context);
        recorder.dispatch(&bound, count.max(1), 0);
        recorder.submit();
    }

    /// Replaces the solids' pushes.
    pub fn write_pushes(&self, words: &[u32]) {
        let first = 4 * self.status.len() as u64;
        let bytes = bytemuck::cast_slice(words);
        self.context
            .queue
            .write_buffer(self.status.raw(), first, bytes);
    }

    /// The words of the solids' pushes.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn pushes(&self) -> Result<Vec<u32>> {
        let bytes = self.status.read_bytes(self.context)?;
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        Ok(words[self.status.len()..].to_vec())
    }

    /// Replaces the uniforms ([`MOST_SLOTS`] at the most), which ask for the solids' pushes, and clears the fault word.
    pub fn set(&self, sims: &[Sim]) {
        let asking = |sim: &Sim| Sim {
            status_words: self.status.len() as u32,
            events: 1,
            ..*sim
        };
        let sims: Vec<_> = sims.iter().map(asking).collect();
        self.sim.write(self.context, &sims);
        self.status.write(self.context, 0, &[u32::MAX]);
    }

    /// The particles that the last kernel wrote.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn written(&self) -> Result<Vec<Particle>> {
        self.state.particles[1].read(self.context)
    }
}
