//! Taking steps: submissions, their reports, faults.

use super::World;
use crate::body::stiffness::StiffnessProbe;
use crate::collide::Capacity;
use crate::gpu::Recorder;
use crate::gpu::types::Sim;
use crate::integrate::Arrays;
use crate::model::Saved;
use crate::report::{Fault, StepReport};
use crate::setup;
use crate::{Error, Result};

/// Substeps in one submission at the most: systems kill submissions that take seconds.
pub(super) const MAX_BATCH: usize = 256;
/// Dispatches in one submission at the most, about.
const MAX_PASSES: usize = 20_000;
/// Slots of `sim`: a few per substep, sweeps of Runge–Kutta methods one each; one more is for renewals.
pub(super) const SIM_SLOTS: usize = 16 * MAX_BATCH + 1;
/// Particles times gathers in one submission at the most, for the same reason.
const MAX_BATCH_WORK: usize = 100_000_000;

impl World {
    /// Submits `steps` steps. Returns while the last of them are under way. An adaptive step takes them in pairs, and has
    /// waited for all of them.
    ///
    /// # Errors
    /// A fault in an earlier submission (the state is then the last good one), a lost device.
    pub fn step(&mut self, steps: u64) -> Result<()> {
        if self.adaptive.is_some() {
            let end = self.steps.saturating_add(steps);
            while self.steps < end {
                self.adaptive_pair()?;
            }
            return Ok(());
        }
        let mut left = steps;
        while left > 0 {
            let work = self.model.positions.len() * self.stepping.gathers as usize;
            let work = work * self.stepper.work();
            let batch = MAX_BATCH_WORK / work.max(1);
            let batch = batch.min(MAX_PASSES / self.stepper.work());
            let batch = batch.min((SIM_SLOTS - 1) / self.stepper.slots());
            let count = left.min(batch.clamp(1, MAX_BATCH) as u64);
            self.submit(count)?;
            left -= count;
        }
        Ok(())
    }

    /// Submits the steps of so many ticks ([`Self::ticks`]); an adaptive step ends at the first pair that reaches them.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_ticks(&mut self, ticks: u64) -> Result<()> {
        if self.adaptive.is_none() {
            return self.step(ticks);
        }
        let end = self.ticks.saturating_add(ticks);
        while self.ticks < end {
            self.adaptive_pair()?;
        }
        Ok(())
    }

    /// Submits the steps up to the next frame, see [`Self::frame_step`].
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_frame(&mut self) -> Result<()> {
        let now = (self.time() * self.scene.world.fps) as u64;
        // `now` is this frame, or by rounding one before it.
        let next = (now..)
            .map(|frame| self.frame_step(frame))
            .find(|step| *step > self.ticks);
        self.step_ticks(next.unwrap_or(self.ticks + 1) - self.ticks)
    }

    /// The step, or tick, that frame k belongs to: the first with t ≥ k/fps less half of its length.
    #[must_use]
    pub fn frame_step(&self, frame: u64) -> u64 {
        // The small part absorbs the rounding of an exact half.
        let time = frame as f64 / self.scene.world.fps - self.clock.start;
        let ticks = time / self.clock.tick - 0.5 - 1e-9;
        ticks.ceil().max(0.0) as u64
    }

    fn submit(&mut self, count: u64) -> Result<()> {
        self.wait()?;
        let context = self.context.clone();
        context.catch_loss(|| {
            self.record(count);
            Ok(())
        })
    }

    fn record(&mut self, count: u64) {
        let slots_per_step = self.stepper.slots();
        let mut slots: Vec<Sim> = Vec::with_capacity(count as usize * slots_per_step + 1);
        for index in 0..count {
            slots.extend(
                self.stepper
                    .fill(self.at_step([self.steps + index, 1], index)),
            );
        }
        let renewal = slots.len();
        slots.push(StiffnessProbe::fill(self.common)[1]);
        self.sim.write(&self.context, &slots);
        let ticks: Vec<_> = (0..count).map(|index| [self.steps + index, 1]).collect();
        self.write_poses(&ticks);
        self.status.write(&self.context, 0, &[u32::MAX]);
        self.clear_tally();

        let mut recorder = Recorder::new(&self.context);
        self.saved.keep(&mut recorder, &self.evolving());
        self.saved_steps = self.steps;
        self.renew_tug(&mut recorder);
        let recorded = self
            .stepper
            .collision()
            .is_some_and(|c| c.capacity().recorded);
        let events = self
            .events
            .as_ref()
            .and_then(|events| events.passes(recorded));
        if let Some(events) = events {
            events.begin(&mut recorder);
        }
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
            if let Some(events) = events {
                let slot = index as usize * slots_per_step;
                events.add(&mut recorder, &self.state, slot, recorded);
            }
            recorder.end_profile();
        }
        if let Some(events) = &mut self.events {
            events.end(&mut recorder, recorded);
        }
        self.readback.record(&mut recorder, &self.status);
        for (name, calls) in recorder.submit() {
            *self.calls.entry(name).or_default() += calls;
        }
        self.steps += count;
        self.ticks = self.steps;
    }

    /// The uniforms of a step of so many ticks that begins at a tick, `index` steps after its submission's start.
    pub(super) fn at_step(&self, [tick, ticks]: [u64; 2], index: u64) -> Sim {
        Sim {
            tick: setup::tick_index(tick),
            slot: index as u32,
            wind: setup::wind(&self.scene, tick, ticks, &self.clock),
            span: ticks as f32,
            ..self.common
        }
    }

    /// Waits for the last submission.
    ///
    /// # Errors
    /// A fault: the state is then that at the start of the submission in which it was seen, and stays there.
    pub fn wait(&mut self) -> Result<()> {
        match self.readback.wait(&self.context)? {
            Some(words) => self.take_report(&words)?,
            None => self.context.check_alive()?,
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
        if self.repeat_with_more(words)? {
            return Ok(());
        }
        if words[0] != u32::MAX {
            let bodies = self.model.bodies.len() as u32;
            let step = self.saved_steps + u64::from(words[0] / bodies) + 1;
            let time = self.clock.time(step);
            let fault = self.explain(self.steps_before + step, time, (words[0] % bodies) as usize);
            self.fault = Some(fault.clone());
            let mut recorder = Recorder::new(&self.context);
            self.saved.put_back(&mut recorder, &self.evolving());
            recorder.submit();
            self.steps = self.saved_steps;
            self.ticks = self.steps;
            return Err(Error::Fault(fault));
        }
        self.take_events(self.steps - self.saved_steps)?;
        self.report.steps = self.steps();
        self.report.time = self.time();
        for (stiffness, word) in self.report.stiffness.iter_mut().zip(&words[1..]) {
            *stiffness = f64::from(f32::from_bits(*word)).sqrt();
        }
        Ok(())
    }

    /// Returns to the start of the last submission and takes its steps again.
    fn repeat(&mut self, capacity: Option<Capacity>) -> Result<()> {
        let count = self.steps - self.saved_steps;
        let mut recorder = Recorder::new(&self.context);
        self.saved.put_back(&mut recorder, &self.evolving());
        recorder.submit();
        self.steps = self.saved_steps;
        self.ticks = self.steps;
        if let Some(capacity) = capacity {
            self.set_capacity(capacity)?;
        }
        self.submit(count)?;
        self.wait()
    }

    /// Repeats the last submission if it was recorded with too few passes of the solver; counts what that did otherwise.
    fn repeat_with_more(&mut self, words: &[u32]) -> Result<bool> {
        if self.stepper.is_short(words) {
            self.repeat(None)?;
            return Ok(true);
        }
        let count = self.steps - self.saved_steps;
        if self.repeat_with_room(words)? {
            return Ok(true);
        }
        self.stepper.count(words, count);
        self.report.solve = self.stepper.solve().map(|[last, _]| last);
        Ok(false)
    }

    /// Repeats the last submission if its contacts found too little room; otherwise counts them.
    fn repeat_with_room(&mut self, words: &[u32]) -> Result<bool> {
        let Some(collision) = self.stepper.collision_mut() else {
            return Ok(false);
        };
        let words = &words[1 + self.model.bodies.len()..];
        let count = self.steps - self.saved_steps;
        let capacity = collision.capacity();
        let Some(needed) = capacity.shortage(words) else {
            collision.tally_mut().add(words, count);
            let next = capacity.next(words);
            self.set_capacity(next)?;
            return Ok(false);
        };
        collision.tally_mut().repeats += 1;
        self.repeat(Some(needed))?;
        Ok(true)
    }

    /// Nothing counted yet.
    pub(super) fn clear_tally(&self) {
        let first = 1 + self.model.bodies.len();
        let zeros = vec![0; self.status.len() - first];
        self.status.write(&self.context, first, &zeros);
    }

    /// Records submissions with another capacity from here on.
    pub(super) fn set_capacity(&mut self, capacity: Capacity) -> Result<()> {
        let arrays = Arrays {
            context: &self.context,
            model: &self.buffers,
            state: &self.state,
            sim: &self.sim,
            elements: &self.elements,
            externals: &self.externals,
            status: &self.status,
        };
        let Some(collision) = self.stepper.collision_mut() else {
            return Ok(());
        };
        let grows = capacity.records != collision.capacity().records;
        collision.set_capacity(&arrays, capacity)?;
        if grows {
            collision.tally_mut().grown += 1;
            self.saved = Saved::room(&self.context, "saved", &self.evolving())?;
            self.ahead = Saved::room(&self.context, "ahead", &self.evolving())?;
            self.bind_events()?;
        }
        Ok(())
    }

    /// Takes on the room for contacts that a saved state had, if its arrays are this world's; otherwise nothing changes.
    pub(crate) fn make_room(&mut self, sizes: &[u64]) -> Result<bool> {
        let arrays = self.evolving();
        let Some(collision) = self.stepper.collision() else {
            return Ok(arrays
                .iter()
                .map(|array| array.size())
                .eq(sizes.iter().copied()));
        };
        let others = arrays.len() - collision.evolving().len();
        let same = sizes.len() == arrays.len()
            && arrays[..others]
                .iter()
                .zip(sizes)
                .all(|(array, size)| array.size() == *size);
        let records = if same {
            collision.records_of(&sizes[others..])
        } else {
            None
        };
        let Some(records) = records else {
            return Ok(false);
        };
        self.set_capacity(Capacity {
            records,
            ..collision.capacity()
        })?;
        Ok(true)
    }

    pub(super) fn explain(&self, step: u64, time: f64, body: usize) -> Fault {
        let name = self.model.bodies[body].name.clone();
        let cause = match &self.too_long {
            Some((warned, warning)) if *warned == body => warning.clone(),
            _ => "the likely cause is a force or a collision too strong for the step; a shorter `step`, more `damping` or \
                  `relaxation`, or a weaker force helps"
                .into(),
        };
        Fault {
            step,
            time,
            body: name,
            index: body,
            cause,
        }
    }
}
