//! Taking steps: submissions, their reports, faults.

use super::World;
use super::batch::MAX_BATCH;
use crate::body::stiffness::StiffnessProbe;
use crate::collide::Capacity;
use crate::gpu::types::{STATUS_TENSE, STEP_WORDS, Sim, WATCH_LONG, WATCH_NOTHING, WATCH_TENSE};
use crate::gpu::{Recorder, Telemetry};
use crate::model::{Saved, State};
use crate::report::StepReport;
use crate::scene::Step;
use crate::setup::{self, FRAME_RATE};
use crate::step::Stepper;
use crate::{Error, Result};

/// Slots of `sim`: a few per substep, sweeps of Runge–Kutta methods one each; one more is for renewals.
pub(super) const SIM_SLOTS: usize = 16 * MAX_BATCH + 1;

/// Steps of one length whose uniforms are filled: behind the slot of a change of length come those of their passes.
pub(super) struct Steps {
    count: u64,
    /// Whether the steps before them had another length.
    change: bool,
    /// The slot of power iterations between them.
    renewal: usize,
}

impl Steps {
    /// Records them, and hands a sixteenth and a quarter over on the way: the device computes while the rest is recorded. By
    /// the number of the `first` power iterations fall due, for steps that `stay`. `after` records what
    /// follows a step, whose uniforms begin at the slot that it is given.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        stepper: &Stepper,
        state: &mut State,
        (first, stay): (u64, bool),
        after: impl Fn(&mut Recorder<'_>, &State, usize),
    ) {
        if self.change {
            stepper.change(recorder, state, 0);
        }
        let slot = |index: u64| 1 + index as usize * stepper.slots();
        for index in 0..self.count {
            if stay {
                stepper.renew(recorder, state, first + index, self.renewal);
            }
            stepper.substep(recorder, state, first + index, slot(index));
            after(recorder, state, slot(index));
            recorder.end_profile();
            if [self.count / 16, self.count / 4].contains(&(index + 1)) {
                recorder.hand_over();
            }
        }
        if self.count > 0 {
            stepper.end(recorder, state, slot(self.count - 1));
        }
    }
}

impl World {
    /// Submits `steps` steps of the length given by [`Self::stepping`], and returns while the last of them are still running. An
    /// automatic step that turns out too long is divided into shorter ones; an adaptive step takes them in pairs, counts each,
    /// and has waited for all of them.
    ///
    /// # Errors
    /// A fault in an earlier submission (the state is then the last good one), a lost device.
    pub fn step(&mut self, steps: u64) -> Result<()> {
        if self.adaptive.is_some() {
            let end = self.progress.steps.saturating_add(steps);
            while self.progress.steps < end {
                self.adaptive_pair()?;
            }
            return Ok(());
        }
        self.step_ticks(steps.saturating_mul(self.choice.stepping.ticks.into()))
    }

    /// Submits the steps of this many ticks ([`Self::ticks`]), up to the first step, or pair of adaptive steps, that reaches
    /// them.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_ticks(&mut self, ticks: u64) -> Result<()> {
        self.begin_call()?;
        let end = self.progress.ticks.saturating_add(ticks);
        while self.progress.ticks < end {
            match self.adaptive {
                Some(_) => self.adaptive_pair()?,
                None => self.submit_towards(end)?,
            }
        }
        Ok(())
    }

    /// Submits the steps of the next 1/60 s, up to the step nearest to the next multiple of 1/60 s, whatever the scene's `fps`.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_frame(&mut self) -> Result<()> {
        let now = (self.time() * FRAME_RATE) as u64;
        // `now` is this frame, or by rounding one before it.
        let next = (now..)
            .map(|frame| self.nearest_step(frame as f64 / FRAME_RATE))
            .find(|step| *step > self.progress.ticks);
        self.step_ticks(next.unwrap_or(self.progress.ticks + 1) - self.progress.ticks)
    }

    /// The tick that frame k of the scene's rate belongs to: where the first step of the length that [`Self::stepping`] says
    /// ends with t ≥ k/fps less half of its length; of adaptive ones the first tick.
    #[must_use]
    pub fn frame_step(&self, frame: u64) -> u64 {
        self.nearest_step(frame as f64 / self.scene.world.fps)
    }

    /// The same of a time [s].
    #[must_use]
    pub fn nearest_step(&self, time: f64) -> u64 {
        let unit = match self.adaptive {
            Some(_) => 1,
            None => u64::from(self.choice.stepping.ticks),
        };
        // The small part absorbs the rounding of an exact half.
        let steps = (time - self.clock.start) / (unit as f64 * self.clock.tick) - 0.5 - 1e-9;
        (steps.ceil().max(0.0) as u64).saturating_mul(unit)
    }

    /// Ticks of a step of the longest length, halved so many times.
    pub(super) fn ticks_of(&self, halvings: u32) -> u64 {
        u64::from(self.choice.stepping.ticks >> halvings)
    }

    /// Its length [s].
    pub(super) fn length(&self, halvings: u32) -> f64 {
        self.choice.stepping.step / f64::from(1_u32 << halvings)
    }

    /// Submits steps of one length, as many as one submission holds, up to a tick, or to where a longer step is tried.
    pub(super) fn submit_towards(&mut self, end: u64) -> Result<()> {
        self.wait()?;
        if self.rests_until(end) {
            self.rest_until(end);
            return Ok(());
        }
        let end = self.checkpoint_end(end);
        let left = (end - self.progress.ticks).div_ceil(self.ticks_of(self.progress.pace.halvings));
        let until_longer = self.progress.pace.until_longer().unwrap_or(u64::MAX);
        self.submit(left.min(self.batch_size()).min(until_longer))
    }

    /// Steps that one submission holds.
    pub(super) fn batch_size(&self) -> u64 {
        let work = self.stepper.work() * self.choice.stepping.damping_stages as usize;
        let slots = (SIM_SLOTS - 2) / self.stepper.slots();
        self.batch.most(self.model.positions.len(), work).min(slots as u64)
    }

    pub(super) fn submit(&mut self, count: u64) -> Result<()> {
        self.wait()?;
        let context = self.context.clone();
        context.catch_loss(|| self.record(count))
    }

    /// Records and submits steps of the present length.
    pub(super) fn record(&mut self, count: u64) -> Result<()> {
        self.pass_checkpoint()?;
        let ticks = self.ticks_of(self.progress.pace.halvings);
        let steps = self.fill_steps(ticks, count);
        self.before = self.progress;
        self.set_step(self.progress.pace.halvings);
        let mut recorder = Recorder::new(&self.context);
        self.saved.keep(&mut recorder, &self.evolving());
        if self.progress.steps == self.call.steps {
            self.renew_pointer_spring(&mut recorder);
        }
        let contacts = self.stepper.collision();
        let recorded = contacts.is_some_and(|c| c.capacity().stages.are_recorded());
        if let Some(events) = &self.events {
            events.save(&mut recorder);
        }
        let events = self.events.as_ref().and_then(|events| events.passes(recorded));
        self.profile.begin(&mut recorder);
        let (state, first) = (&mut self.device.state, (self.progress.steps, true));
        steps.record(&mut recorder, &self.stepper, state, first, |recorder, state, slot| {
            if let Some(events) = events {
                self.stepper.tell(recorder, slot);
                events.add(recorder, state, slot, recorded);
            }
        });
        if let Some(events) = &mut self.events {
            events.end(&mut recorder, recorded);
        }
        self.readback.record(&mut recorder, &self.device.status);
        let calls = recorder.submit();
        self.profile.count(calls);
        self.batch.begin(count);
        self.progress.steps += count;
        self.progress.ticks += count * ticks;
        Ok(())
    }

    /// Before the submission of so many steps of so many ticks: fills their uniforms and clears what they will tell.
    pub(super) fn fill_steps(&self, ticks: u64, count: u64) -> Steps {
        let starts: Vec<_> = (0..count).map(|k| self.progress.ticks + k * ticks).collect();
        let (change, mut slots) = self.slots(ticks, &starts);
        let renewal = slots.len();
        slots.push(StiffnessProbe::fill(self.common)[1]);
        self.device.sim.write(&self.context, &slots);
        self.write_waypoints(&starts.iter().map(|start| [*start, ticks]).collect::<Vec<_>>());
        self.clear_telemetry(count as usize);
        Steps { count, change, renewal }
    }

    /// The uniforms of steps of so many ticks that begin at these, behind that of a change of length, and whether there is
    /// one.
    fn slots(&self, ticks: u64, starts: &[u64]) -> (bool, Vec<Sim>) {
        let step = (ticks as f64 * self.choice.stepping.tick()) as f32;
        let last = self.length(self.progress.pace.last_halvings) as f32;
        let at = |(index, tick): (usize, &u64)| Sim {
            step,
            step_ratio: if index == 0 { step / last } else { 1.0 },
            watch: self.watch(),
            ..self.at_step([*tick, ticks], index as u64)
        };
        // Velocities at half steps look back: what pulls from now on was not there then.
        let first = Sim { step, ..self.at_step([starts[0].saturating_sub(1), 1], 0) };
        let mut slots = vec![self.stepper.fill_change(first, last)];
        slots.extend(starts.iter().enumerate().map(at).flat_map(|sim| self.stepper.fill(sim)));
        (step.to_bits() != last.to_bits(), slots)
    }

    /// What the last submission tells, waiting for it; `None` where that is known already.
    pub(super) fn telemetry(&mut self) -> Result<Option<Telemetry>> {
        let there = self.readback.poll(&self.context)?;
        let awaited = there.is_none();
        let words = match there {
            Some(words) => Some(words),
            None => self.readback.wait(&self.context)?,
        };
        self.batch.end(awaited);
        Ok(words.map(|words| Telemetry::new(words, self.model.bodies.len())))
    }

    /// The uniforms of a step of so many ticks that begins at a tick, `index` steps after its submission's start.
    pub(super) fn at_step(&self, [tick, ticks]: [u64; 2], index: u64) -> Sim {
        let wind = |tick| setup::wind(&self.scene, tick, ticks, &self.clock);
        let gust = self.common.drag > 0.0 && wind(tick) != wind(tick.saturating_sub(ticks));
        Sim {
            tick: setup::tick_index(tick),
            slot: index as u32,
            wind: wind(tick),
            gust: u32::from(gust),
            span: ticks as f32,
            ..self.common
        }
    }

    /// Whether steps that are too long are noted: not where none shorter is taken.
    pub(super) fn watch(&self) -> u32 {
        match self.most_halvings() {
            0 => WATCH_NOTHING,
            _ if self.progress.pace.halvings == self.progress.pace.least => WATCH_LONG,
            _ => WATCH_TENSE,
        }
    }

    /// How often the longest step may be halved.
    pub(super) fn most_halvings(&self) -> u32 {
        match self.scene.world.step {
            Step::Auto => self.choice.stepping.ticks.ilog2(),
            Step::Fixed(_) | Step::Adaptive(_) => 0,
        }
    }

    /// The length of the last step: the longest, halved so many times.
    pub(super) fn set_step(&mut self, halvings: u32) {
        self.common.step = self.length(halvings) as f32;
    }

    /// Waits for the last submission.
    ///
    /// # Errors
    /// A fault: the state is then the one at the start of the call of [`Self::step`] in which it occurred or, if that was longer
    /// than 256 steps, at its last multiple of 256 steps; it stays there.
    pub fn wait(&mut self) -> Result<()> {
        match self.telemetry()? {
            Some(told) => self.take_report(&told)?,
            None => self.context.check_alive()?,
        }
        self.fault.clone().map_or(Ok(()), |fault| Err(Error::Fault(fault)))
    }

    /// Waits for the last submission, whether or not it had a fault.
    pub(crate) fn wait_submission(&mut self) -> Result<()> {
        match self.wait() {
            Err(Error::Fault(_)) => Ok(()),
            other => other,
        }
    }

    /// The report of the last finished submission, without waiting.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn report(&mut self) -> Result<&StepReport> {
        if let Some(words) = self.readback.poll(&self.context)? {
            self.batch.end(false);
            self.take_report(&Telemetry::new(words, self.model.bodies.len()))?;
        }
        self.fault.clone().map_or(Ok(()), |fault| Err(Error::Fault(fault)))?;
        Ok(&self.report)
    }

    fn take_report(&mut self, told: &Telemetry) -> Result<()> {
        self.profile.collect(&self.context)?;
        if self.repeat_with_more(told)? || self.retake(told)? {
            return Ok(());
        }
        if let Some(fault) = told.fault() {
            return self.lose(fault);
        }
        let steps = self.progress.steps - self.before.steps;
        self.stepper.count(told, steps);
        self.count_contacts(told, steps)?;
        self.take_events()?;
        self.settle_pace(told, steps);
        self.note_rest(told, steps);
        self.report_steps(told);
        Ok(())
    }

    /// Reports the steps that were taken.
    pub(super) fn report_steps(&mut self, told: &Telemetry) {
        self.report = StepReport {
            steps: self.steps(),
            time: self.time(),
            stiffness: told.rates().map(f64::sqrt).collect(),
            solve: self.stepper.solve().map(|[last, _]| last),
        };
    }

    /// Settles the length of the next steps after good ones.
    pub(super) fn settle_pace(&mut self, told: &Telemetry, steps: u64) {
        let longer = self.ticks_of(self.progress.pace.halvings.saturating_sub(1));
        let tense = told.word(STATUS_TENSE);
        self.counts.add(steps, self.length(self.progress.pace.halvings));
        let aligned = self.progress.ticks.is_multiple_of(longer);
        self.progress.pace.go_on(steps as u32, tense, aligned);
    }

    /// Counts the contacts of so many steps.
    pub(super) fn count_contacts(&mut self, told: &Telemetry, steps: u64) -> Result<()> {
        let Some(collision) = self.stepper.collision_mut() else {
            return Ok(());
        };
        collision.stats_mut().add(told, steps);
        let next = collision.capacity().next(told);
        self.set_capacity(next)
    }

    /// Before a submission of so many steps: no fault, nothing counted.
    pub(super) fn clear_telemetry(&self, steps: usize) {
        let status = &self.device.status;
        status.write(&self.context, 0, &Telemetry::cleared());
        if self.stepper.collision().is_some() {
            let first = Telemetry::len(self.model.bodies.len(), 0);
            status.write(&self.context, first, &vec![0; STEP_WORDS as usize * steps]);
        }
    }

    /// Records submissions with another capacity from here on.
    pub(super) fn set_capacity(&mut self, capacity: Capacity) -> Result<()> {
        let arrays = self.device.arrays(&self.context);
        if self.stepper.set_capacity(&self.scene.world, &arrays, capacity)? {
            if let Some(collision) = self.stepper.collision_mut() {
                collision.stats_mut().grown += 1;
            }
            let room = Saved::room(&self.context, "saved", &self.evolving())?;
            self.keep_checkpoint(room);
            self.ahead = Saved::room(&self.context, "ahead", &self.evolving())?;
            self.bind_events()?;
        }
        Ok(())
    }

    /// Takes on the room for contacts that a saved state had, if its arrays are this world's; otherwise nothing changes.
    pub(crate) fn make_room(&mut self, sizes: &[u64]) -> Result<bool> {
        let arrays = self.evolving();
        let Some(collision) = self.stepper.collision() else {
            return Ok(arrays.iter().map(|array| array.size()).eq(sizes.iter().copied()));
        };
        let others = arrays.len() - collision.evolving().len();
        let same = sizes.len() == arrays.len()
            && arrays[..others].iter().zip(sizes).all(|(array, size)| array.size() == *size);
        let records = if same { collision.records_of(&sizes[others..]) } else { None };
        let Some(records) = records else {
            return Ok(false);
        };
        self.set_capacity(Capacity { records, ..collision.capacity() })?;
        Ok(true)
    }
}
