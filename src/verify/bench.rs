//! The runner of the checks: a kernel on the arrays of a case and of a trial.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{Vec3, Vec4};

use super::case::Case;
use super::errors::ErrorStats;
use super::oracle::Oracle;
use super::trial::{Array, Arrays, Encoded, Log, Written, encoded};
use crate::Result;
use crate::collide::push_room;
use crate::family::Families;
use crate::gpu::types::{Externals, Sim};
use crate::gpu::{
    Binding, Buffer, Bytes, Content, Context, Kernel, Recorder, ResourceKind, Telemetry, Uniforms,
};
use crate::integrate;
use crate::model::{ModelBuffers, State};

/// Uniforms of the longest sequence of passes.
const MOST_SLOTS: usize = 8;

/// What of a case stands on the device.
#[derive(Debug)]
struct Device {
    /// Constant arrays.
    model: ModelBuffers,
    elements: Families,
    sim: Uniforms<Sim>,
    externals: Uniforms<Externals>,
    /// The fault word, an eigenvalue per body, what is counted; behind them the solids' pushes.
    status: Buffer<u32>,
}

impl Device {
    fn new(context: &Context, case: &Case) -> Result<Self> {
        let externals = Uniforms::new(context, "externals", 1);
        externals.write(context, std::slice::from_ref(&*case.externals));
        let (bodies, content) = (case.bodies.clone(), case.content);
        let touched = [content.solids, content.contact];
        let model = ModelBuffers::new(context, &case.model, bodies, touched)?;
        // Elements are found in whatever order threads take particles.
        let held = Content { order: false, ..model.content };
        assert!(case.content.holds(held), "kernels would leave out what the case has");
        let words = Telemetry::len(case.bodies.len(), 2);
        Ok(Self {
            model,
            elements: Families::new(context, &case.model)?,
            sim: Uniforms::new(context, "sim", MOST_SLOTS),
            externals,
            status: Buffer::with_room(context, "status", words, push_room(case.particles.len()))?,
        })
    }

    /// What kernels read where a trial has nothing of that name.
    fn bindings(&self) -> [Binding<'_>; 8] {
        let model = &self.model;
        [
            self.externals.bind("externals"),
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

/// What a check of a kernel compares.
pub type TrialCheck = fn(&Bench<'_>, &mut ErrorStats) -> Result<()>;

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

impl<'a> Bench<'a> {
    /// Uploads a case.
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
    pub fn compare(
        &self,
        check: TrialCheck,
        content: Content,
        idle: Option<&'static str>,
        errors: &mut ErrorStats,
    ) -> Result<()> {
        let log: Rc<Log> = Rc::default();
        let kernel = Kernel::for_content(self.context, errors.name(), content);
        let bench =
            Self { kernel: Some(kernel), idle: Cell::new(idle), log: log.clone(), ..self.clone() };
        check(&bench, errors)?;
        errors.cases(log.runs.get().max(1));
        errors.holds(log.unseen.borrow().is_empty());
        Ok(())
    }

    /// For the same check on another case.
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

    /// The case's constant arrays.
    pub fn model(&self) -> &ModelBuffers {
        &self.device.model
    }

    /// The `word` of `status` after a kernel that wrote nothing else there.
    pub fn told(&self, after: &Written, word: u32, errors: &mut ErrorStats) -> u32 {
        let mut words: Vec<u32> = after.get("status");
        let got = std::mem::take(&mut words[word as usize]);
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
            model: &self.device.model,
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
        self.device.status.write(self.context, 0, &[u32::MAX]);
    }

    fn asking(&self, sim: Sim) -> Sim {
        Sim { status_words: self.status_words() as u32, events: 1, ..sim }
    }

    /// What of the case evolves, with which every trial begins anew.
    fn evolving(&self, name: &str) -> Option<Rc<Encoded>> {
        let extended = |load: &Vec3| load.extend(0.0);
        match name {
            "particles_in" | "particles_out" => Some(self.case.particles.encode()),
            "half_velocity" => Some(vec![Vec4::ZERO; self.len()].encode()),
            "loads" => {
                let loads = self.case.loads.iter();
                Some(loads.map(extended).collect::<Vec<_>>().encode())
            }
            "status" => Some(self.status().encode()),
            _ => None,
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
    pub fn run_each(&self, arrays: &Arrays<'_>) -> Result<Written> {
        self.run(self.case.sim, self.len(), arrays)
    }

    /// The same after kernels that run before it, each with its threads, on what the last of them left.
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
            trial = self.run_kernel(&kernel, sim, *threads, trial)?.into_arrays();
        }
        let kernel = self.kernel.as_ref().expect("a bench of a kernel");
        self.run_kernel(kernel, sim, threads, trial)
    }

    /// Runs another kernel.
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
        let mut buffers = BTreeMap::new();
        for resource in kernel.resources() {
            let name = &resource.name;
            if !trial.contains_key(name) {
                trial.extend(self.evolving(name).map(|array| (name.clone(), array)));
            }
            let Some(array) = trial.get(name) else {
                assert!(resource.kind != ResourceKind::ReadWrite, "no trial of {name}");
                continue;
            };
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
        let sizes = kernel.written().map(|resource| buffers[&*resource.name].len());
        let left = Buffer::<u32>::zeroed(self.context, "left", sizes.sum())?;
        let mut first = 0;
        for resource in kernel.written() {
            let buffer = &buffers[&*resource.name];
            recorder.copy_to(buffer, &left, first, buffer.size());
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
