//! Steps taken back: into too little room, too long, or lost.

use super::World;
use crate::collide::Capacity;
use crate::gpu::{Recorder, Telemetry};
use crate::model::Saved;
use crate::report::Fault;
use crate::scene::Step;
use crate::{Error, Result};

/// Halvings of a fixed step that are tried to find one that would have held.
const MOST_TRIED: u32 = 5;

impl World {
    /// Where a step of the last submission was too long for what happened in it, takes it and those behind it again, with
    /// half its length, as often as that is asked for.
    pub(super) fn retake(&mut self, told: &Telemetry) -> Result<bool> {
        if self.progress.pace.halvings >= self.most_halvings() {
            return Ok(false);
        }
        let lost = told.fault().map(|(step, _)| step);
        let Some(good) = told.first_long().into_iter().chain(lost).min() else {
            return Ok(false);
        };
        let (good, end) = (u64::from(good), self.progress.ticks);
        // Those behind it are taken anew because it is, however many the submission had.
        self.counts.retaken += 1;
        self.take_back();
        if good > 0 {
            self.submit(good)?;
            self.wait()?;
        }
        self.progress.pace.halve();
        while self.progress.ticks < end {
            self.submit_towards(end)?;
            self.wait()?;
        }
        Ok(true)
    }

    /// Ends with a fault, at the checkpoint before it.
    pub(super) fn lose(&mut self, (step, body): (u32, usize)) -> Result<()> {
        let index = u64::from(step) + 1;
        let ticks = self.before.ticks + index * self.ticks_of(self.progress.pace.halvings);
        let step = self.steps_before + self.before.steps + index;
        let time = self.clock.time(ticks);
        let mut fault = self.explain(step, time, body);
        self.take_back();
        let end = self.return_to_checkpoint()?;
        if let Some(step) = self.step_that_holds(end)? {
            fault.cause +=
                &format!("; from t = {:.6} s on, a step of {step:.3e} s works", self.time());
        }
        self.fault = Some(fault.clone());
        Err(Error::Fault(fault))
    }

    /// Of a fixed step: halved how often it brings the state safely to a tick that it did not reach [s]. The state stays.
    fn step_that_holds(&mut self, end: u64) -> Result<Option<f64>> {
        if !matches!(self.scene.world.step, Step::Fixed(_)) {
            return Ok(None);
        }
        let (start, counts, contacts) = (self.before, self.counts, self.contacts());
        let here = Saved::room(&self.context, "checkpoint", &self.evolving())?;
        let mut recorder = Recorder::new(&self.context);
        here.keep(&mut recorder, &self.evolving());
        recorder.submit();
        let mut found = None;
        for halvings in 1..=self.choice.stepping.ticks.ilog2().min(MOST_TRIED) {
            self.progress.pace.halvings = halvings;
            let held = self.holds_until(end)?;
            self.return_to_state(&here)?;
            self.before = start;
            self.take_progress_back();
            if held {
                found = Some(self.length(halvings));
                break;
            }
        }
        self.counts = counts;
        self.set_contact_stats(contacts);
        Ok(found)
    }

    /// Whether steps of the present length reach a tick without a fault.
    fn holds_until(&mut self, end: u64) -> Result<bool> {
        while self.progress.ticks < end {
            let left =
                (end - self.progress.ticks).div_ceil(self.ticks_of(self.progress.pace.halvings));
            self.record(left.min(self.batch_size()))?;
            let Some(told) = self.telemetry()? else {
                return Ok(false);
            };
            let contacts = self.stepper.collision();
            let needed = contacts.and_then(|c| c.capacity().shortage(&told));
            if self.stepper.is_short(&told) || needed.is_some() {
                self.take_back();
                if let Some(needed) = needed {
                    self.set_capacity(needed)?;
                }
                continue;
            }
            if told.fault().is_some() {
                return Ok(false);
            }
            self.progress.pace.last_halvings = self.progress.pace.halvings;
        }
        Ok(true)
    }

    /// Returns to the start of the last submission.
    fn take_back(&mut self) {
        self.put_back();
        self.take_progress_back();
    }

    pub(super) fn take_progress_back(&mut self) {
        self.progress = self.before;
        self.set_step(self.progress.pace.last_halvings);
    }

    /// The state at the start of the last submission.
    pub(super) fn put_back(&mut self) {
        let mut recorder = Recorder::new(&self.context);
        self.saved.put_back(&mut recorder, &self.evolving());
        if let Some(events) = &self.events {
            events.put_back(&mut recorder);
        }
        recorder.submit();
    }

    /// Takes the steps of the last submission again.
    fn repeat(&mut self, capacity: Option<Capacity>) -> Result<()> {
        let count = self.progress.steps - self.before.steps;
        self.take_back();
        if let Some(capacity) = capacity {
            self.set_capacity(capacity)?;
        }
        self.submit(count)?;
        self.wait()
    }

    /// Repeats the last submission if it was recorded with too few passes of the solver, or its contacts found too little
    /// room.
    pub(super) fn repeat_with_more(&mut self, told: &Telemetry) -> Result<bool> {
        if self.stepper.is_short(told) {
            self.repeat(None)?;
            return Ok(true);
        }
        let Some(collision) = self.stepper.collision_mut() else {
            return Ok(false);
        };
        let Some(needed) = collision.capacity().shortage(told) else {
            return Ok(false);
        };
        collision.stats_mut().repeats += 1;
        self.repeat(Some(needed))?;
        Ok(true)
    }

    pub(super) fn explain(&self, step: u64, time: f64, body: usize) -> Fault {
        let name = self.model.bodies[body].name.clone();
        let cause = match &self.choice.too_long {
            Some((warned, warning)) if *warned == body => warning.clone(),
            _ => "probably a force or collision was too strong for the step; try a shorter `step`, more `damping` or \
                  `relaxation`, or a weaker force"
                .into(),
        };
        Fault { step, time, body: name, index: body, cause }
    }
}
