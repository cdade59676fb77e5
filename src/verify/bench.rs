//! The runner of the checks: a kernel on the arrays of a case and of a trial.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

use glam::Vec4;

use super::Check;
use super::case::Case;
use super::errors::ErrorStats;
use super::oracle::Oracle;
use super::trial::{Array, Arrays, Encoded, Log, Written, encoded};
use crate::Result;
use crate::collide::push_room;
use crate::family::Families;
use crate::gpu::types::{Externals, Particle, Sim, TALLY_WORDS};
use crate::gpu::{Binding, Buffer, Bytes, Content, Context, Kernel, Recorder, Uniforms};
use crate::integrate;
use crate::model::{ModelBuffers, State};

/// Words of `status` that count contacts: of a submission of one step.
const TALLY_ROOM: usize = 2 * TALLY_WORDS as usize;

/// Uniforms of the longest sequence of passes.
const MOST_SLOTS: usize = 8;

/// The arrays of a case on the device.
#[derive(Debug)]
pub struct Device {
    /// Constant arrays.
    pub buffers: ModelBuffers,
    /// Evolving arrays.
    pub state: State,
    /// The fault word, an eigenvalue per body, what is counted; behind them the solids' pushes.
    pub status: Buffer<u32>,
    elements: Families,
    sim: Uniforms<Sim>,
    externals: Uniforms<Externals>,
}

impl Device {
    fn new(context: &Context, case: &Case) -> Result<Self> {
        let externals = Uniforms::new(context, "externals", 1);
        externals.write(context, std::slice::from_ref(&*case.externals));
        let state = State::new(context, &case.model)?;
        state.present().write(context, 0, &case.particles);
        let loads: Vec<_> = case.loads.iter().map(|load| load.extend(0.0)).collect();
        state.loads.write(context, 0, &loads);
        let (bodies, solids) = (case.bodies.clone(), case.content.solids);
        let buffers = ModelBuffers::new(context, &case.model, bodies, solids)?;
        assert!(
            case.content.holds(buffers.content),
            "kernels would leave out what the case has"
        );
        let words = 1 + case.bodies.len() + TALLY_ROOM;
        let status = Buffer::with_room(context, "status", words, push_room(case.particles.len()))?;
        status.write(context, 0, &[u32::MAX]);
        Ok(Self {
            buffers,
            state,
            status,
            elements: Families::new(context, &case.model)?,
            sim: Uniforms::new(context, "sim", MOST_SLOTS),
            externals,
        })
    }

    /// What kernels bind where a trial has nothing of that name.
    fn bindings(&self) -> Vec<Binding<'_>> {
        let (state, model) = (&self.state, &self.buffers);
        vec![
            self.sim.bind("sim"),
            self.externals.bind("externals"),
            self.status.bind("status"),
            state.particles[0].bind("particles_in"),
            state.particles[1].bind("particles_out"),
            state.half_velocity.bind("half_velocity"),
            state.loads.bind("loads"),
            model.points.bind("points"),
            model.elements.bind("elements"),
            model.bodies.bind("bodies"),
            model.chunks.bind("chunks"),
            model.skin.bind("skin"),
            model.skin_fans.bind("skin_fans"),
            model.skin_corners.bind("skin_corners"),
        ]
    }
}

/// A kernel and the case that it is tried on.
#[derive(Clone, Debug)]
pub struct Bench<'a> {
    /// The device.
    pub context: &'a Context,
    /// The host's arrays.
    pub case: &'a Case,
    /// Those on the device, which trials do not change.
    device: Rc<Device>,
    kernel: Option<Kernel>,
    /// A kernel that is left out wherever it would run.
    pub idle: Cell<Option<&'static str>>,
    log: Rc<Log>,
}

impl Deref for Bench<'_> {
    type Target = Device;

    fn deref(&self) -> &Device {
        &self.device
    }
}

impl<'a> Bench<'a> {
    /// Uploads a case.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &'a Context, case: &'a Case) -> Result<Self> {
        Ok(Self {
            context,
            case,
            device: Rc::new(Device::new(context, case)?),
            kernel: None,
            idle: Cell::new(None),
            log: Rc::default(),
        })
    }

    /// Checks the kernel `name`, as composed for this content; an `idle` one is left out wherever it would run. What the check
    /// does not compare must be as it was.
    ///
    /// # Errors
    /// Those of the check.
    pub fn compare(
        &self,
        check: Check,
        content: Content,
        idle: Option<&'static str>,
        errors: &mut ErrorStats,
    ) -> Result<()> {
        let log: Rc<Log> = Rc::default();
        let kernel = Kernel::for_content(self.context, errors.name(), content);
        let bench = Self {
            kernel: Some(kernel.clone()),
            idle: Cell::new(idle),
            log: log.clone(),
            ..self.clone()
        };
        match check {
            Check::Trial(check) => check(&bench, errors)?,
            Check::Case(check) => check(&kernel, &bench, errors)?,
            Check::Search(_) => unreachable!("it has a world of its own"),
        }
        errors.cases(log.runs.get().max(1));
        errors.holds(log.unseen.borrow().is_empty());
        Ok(())
    }

    /// For the same check on another case.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn on<'b>(&self, case: &'b Case) -> Result<Bench<'b>>
    where
        'a: 'b,
    {
        Ok(Bench {
            kernel: self.kernel.clone(),
            idle: self.idle.clone(),
            log: self.log.clone(),
            ..Bench::new(self.context, case)?
        })
    }

    /// How often kernels have run.
    pub fn runs(&self) -> usize {
        self.log.runs.get()
    }

    /// Whether all arrays that changed after so many runs have been looked at.
    pub fn all_seen(&self, runs: usize) -> bool {
        let unseen = self.log.unseen.borrow();
        unseen.iter().all(|(run, _)| *run <= runs)
    }

    /// Ranges of particles of one body each.
    pub fn chunk_count(&self) -> usize {
        self.device.buffers.chunks.len()
    }

    /// The first word of `status` that counts contacts.
    pub fn tally_word(&self) -> usize {
        1 + self.case.bodies.len()
    }

    /// The `word` that counts contacts after a kernel that wrote nothing else of `status`.
    pub fn tally(&self, after: &Written, word: u32, errors: &mut ErrorStats) -> u32 {
        let mut words: Vec<u32> = after.get("status");
        let got = std::mem::take(&mut words[self.tally_word() + word as usize]);
        errors.holds(words == self.status());
        got
    }

    /// Words of `status` in front of the solids' pushes.
    pub fn status_words(&self) -> usize {
        self.device.status.len()
    }

    /// The case as the reference sees it.
    pub fn oracle(&self) -> Oracle<'a> {
        self.oracle_of(&self.case.sim)
    }

    /// The same with another uniform.
    pub fn oracle_of(&self, sim: &Sim) -> Oracle<'a> {
        Oracle::new(self.case, sim, &self.case.particles)
    }

    /// The number of particles.
    pub fn len(&self) -> usize {
        self.case.particles.len()
    }

    /// The case's arrays with another state, as the engine's passes bind them.
    pub fn arrays<'b>(&'b self, state: &'b State) -> integrate::Arrays<'b> {
        integrate::Arrays {
            context: self.context,
            model: &self.device.buffers,
            state,
            sim: &self.device.sim,
            elements: &self.device.elements,
            externals: &self.device.externals,
            status: &self.device.status,
        }
    }

    /// Replaces the uniforms ([`MOST_SLOTS`] at the most), which ask for the solids' pushes.
    pub fn set(&self, sims: &[Sim]) {
        let sims: Vec<_> = sims.iter().map(|sim| self.asking(*sim)).collect();
        self.device.sim.write(self.context, &sims);
        self.status.write(self.context, 0, &[u32::MAX]);
    }

    fn asking(&self, sim: Sim) -> Sim {
        Sim {
            status_words: self.status_words() as u32,
            events: 1,
            ..sim
        }
    }

    /// Replaces what the kernel reads, and what stands where it writes.
    pub fn write(&self, read: &[Particle], written: &[Particle]) {
        self.state.particles[0].write(self.context, 0, read);
        self.state.particles[1].write(self.context, 0, written);
    }

    /// Runs a kernel once with `count` threads, at least one group, on arrays that stay on the device. `others` take the
    /// place of the case's arrays of the same name.
    pub fn dispatch(&self, kernel: &Kernel, sim: Sim, count: usize, others: &[Binding<'_>]) {
        self.set(&[sim]);
        if self.idle.get() == Some(kernel.name()) {
            return;
        }
        let bindings = [others, &self.device.bindings()].concat();
        let bound = kernel.bind(self.context, &bindings);
        let mut recorder = Recorder::new(self.context);
        recorder.dispatch(&bound, count.max(1), 0);
        recorder.submit();
    }

    /// What of the case a kernel changes, which begins with it anew in every trial.
    fn changed(&self, name: &str) -> Rc<Encoded> {
        let loads = || {
            self.case
                .loads
                .iter()
                .map(|load| load.extend(0.0))
                .collect()
        };
        match name {
            "particles_out" => self.case.particles.encode(),
            "half_velocity" => vec![Vec4::ZERO; self.len()].encode(),
            "loads" => Vec::<Vec4>::encode(&loads()),
            "status" => self.status().encode(),
            _ => panic!("no trial of {name}"),
        }
    }

    /// No fault, nothing counted, and behind that no pushes.
    pub fn status(&self) -> Vec<u32> {
        let mut words = vec![0; self.status_words() + push_room(self.len())];
        words[0] = u32::MAX;
        words
    }

    /// Runs the kernel with `threads` threads, at least one group, on these arrays and the case's others.
    ///
    /// # Errors
    /// An array that is too large for one buffer; a lost device.
    pub fn run(&self, sim: Sim, threads: usize, arrays: &Arrays<'_>) -> Result<Written> {
        self.run_after(&[], sim, threads, arrays)
    }

    /// The same with a thread for each particle and the case's uniform.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_each(&self, arrays: &Arrays<'_>) -> Result<Written> {
        self.run(self.case.sim, self.len(), arrays)
    }

    /// The same after kernels that run before it, each with its threads, on what the last of them left.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_after(
        &self,
        before: &[(&str, usize)],
        sim: Sim,
        threads: usize,
        arrays: &Arrays<'_>,
    ) -> Result<Written> {
        let mut trial = encoded(arrays);
        for (name, threads) in before {
            let kernel = Kernel::new(self.context, name);
            trial = self
                .run_kernel(&kernel, sim, *threads, trial)?
                .into_arrays();
        }
        let kernel = self.kernel.as_ref().expect("a bench of a kernel");
        self.run_kernel(kernel, sim, threads, trial)
    }

    /// Runs another kernel.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_other(
        &self,
        name: &str,
        sim: Sim,
        threads: usize,
        arrays: &Arrays<'_>,
    ) -> Result<Written> {
        let kernel = Kernel::new(self.context, name);
        self.run_kernel(&kernel, sim, threads, encoded(arrays))
    }

    fn run_kernel(
        &self,
        kernel: &Kernel,
        sim: Sim,
        threads: usize,
        mut trial: BTreeMap<String, Rc<Encoded>>,
    ) -> Result<Written> {
        trial.insert("sim".into(), [self.asking(sim)].encode());
        let inputs = || self.case.particles.encode();
        trial.entry("particles_in".into()).or_insert_with(inputs);
        for resource in kernel.written() {
            let name = resource.name.clone();
            trial
                .entry(name)
                .or_insert_with_key(|name| self.changed(name));
        }
        let mut buffers = BTreeMap::new();
        for (name, array) in trial.iter().filter(|(name, _)| kernel.binds(name)) {
            let buffer = Buffer::<u32>::zeroed(self.context, name, array.bytes.len() / 4)?;
            buffer.write_bytes(self.context, &array.bytes);
            buffers.insert(name.as_str(), buffer);
        }
        let mut bindings = Vec::new();
        for (name, buffer) in &buffers {
            let stride = trial[*name].stride;
            bindings.push(buffer.bind(name).of_elements(stride));
        }
        bindings.extend(self.device.bindings());
        let bound = kernel.bind(self.context, &bindings);
        let mut recorder = Recorder::new(self.context);
        if self.idle.get() != Some(kernel.name()) {
            recorder.dispatch(&bound, threads.max(1), 0);
        }
        let sizes = kernel
            .written()
            .map(|resource| buffers[&*resource.name].len());
        let left = Buffer::<u32>::zeroed(self.context, "left", sizes.sum())?;
        let mut first = 0;
        for resource in kernel.written() {
            let buffer = &buffers[&*resource.name];
            let encoder = recorder.encoder();
            encoder.copy_buffer_to_buffer(buffer.raw(), 0, left.raw(), first, buffer.size());
            first += buffer.size();
        }
        recorder.submit();
        let mut left = left.read_bytes(self.context)?;
        let mut after = BTreeMap::new();
        for resource in kernel.written() {
            let rest = left.split_off(trial[&resource.name].bytes.len());
            after.insert(resource.name.clone(), std::mem::replace(&mut left, rest));
        }
        Ok(Written::new(trial, after, self.status_words(), &self.log))
    }
}
