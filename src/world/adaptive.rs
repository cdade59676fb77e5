//! Adaptive steps: pairs of equal steps, tried against one of twice the length, taken back where they are too long.

use std::collections::BTreeMap;

use super::World;
use crate::gpu::types::STATUS_ERROR;
use crate::gpu::{Recorder, Telemetry};
use crate::integrate::Arrays;
use crate::integrate::doubling::{Doubling, MOST_HALVINGS, error, next_halvings};
use crate::model::Model;
use crate::scene::Scene;
use crate::{Error, Result, setup};

/// What an adaptive world keeps beside its state.
#[derive(Debug)]
pub(super) struct Adaptive {
    doubling: Doubling,
    /// The largest error of a pair [m].
    wanted: f64,
}

/// Counts and lengths of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepCounts {
    /// Steps that were repeated, because they turned out too long or their error was too large.
    pub retaken: u64,
    /// Steps whose error exceeded the limit because no shorter step is allowed.
    pub forced: u64,
    /// The shortest step [s].
    pub shortest: f64,
    /// The longest [s].
    pub longest: f64,
    /// Their sum [s].
    pub time: f64,
    /// Number of steps.
    pub steps: u64,
}

impl StepCounts {
    /// None yet; those to come are as long as this, or shorter [s].
    pub(super) fn none(step: f64) -> Self {
        Self { shortest: step, longest: step, ..Self::default() }
    }

    /// Their mean length [s].
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self.shortest < self.longest {
            true => self.time / self.steps as f64,
            false => self.longest,
        }
    }

    /// Counts `steps` steps of `step` [s].
    pub(super) fn add(&mut self, steps: u64, step: f64) {
        let before = match self.steps {
            0 => [step; 2],
            _ => [self.shortest, self.longest],
        };
        (self.shortest, self.longest) = (before[0].min(step), before[1].max(step));
        self.time += steps as f64 * step;
        self.steps += steps;
    }
}

impl Adaptive {
    /// Where the scene asks for a largest error of a pair of steps [m].
    pub fn of(arrays: &Arrays<'_>, scene: &Scene, model: &Model) -> Result<Option<Self>> {
        let Some(wanted) = setup::step_error(scene, model)? else {
            return Ok(None);
        };
        let doubling = Doubling::new(arrays)?;
        Ok(Some(Self { doubling, wanted }))
    }
}

/// What became of some steps on the device.
enum Outcome {
    /// What they tell.
    Done(Telemetry),
    /// They found too little room for contacts, or were recorded with too few passes of a solver, and now there is more.
    Repeat,
    /// In a step of them, from 0, a body was lost.
    Lost(u32, usize),
}

impl World {
    /// Whether the step is an adaptive one: its length follows from its error.
    #[must_use]
    pub fn is_adaptive(&self) -> bool {
        self.adaptive.is_some()
    }

    /// Takes two steps whose error is within what is asked for, and settles the length of the next ones. Lengths are the
    /// longest one halved a whole number of times, and pairs begin at multiples of their own length: frames never cut one.
    pub(super) fn adaptive_pair(&mut self) -> Result<()> {
        if let Some(fault) = &self.fault {
            return Err(Error::Fault(fault.clone()));
        }
        loop {
            let Some(Adaptive { wanted, .. }) = self.adaptive else {
                return Ok(());
            };
            let halvings = self.progress.pace.halvings;
            let tried = match self.trial(halvings)? {
                Outcome::Repeat => continue,
                Outcome::Lost(..) if halvings < MOST_HALVINGS => None,
                Outcome::Lost(..) | Outcome::Done(_) => match self.pair(halvings)? {
                    Outcome::Repeat => continue,
                    Outcome::Lost(step, body) if halvings == MOST_HALVINGS => {
                        return self.lost(u64::from(step), body, halvings);
                    }
                    Outcome::Lost(..) => None,
                    Outcome::Done(told) => Some(told),
                },
            };
            let found = match &tried {
                Some(told) => error(told.word(STATUS_ERROR)),
                None => f64::INFINITY,
            };
            let order = self.scene.world.integrator.order();
            let next = next_halvings(halvings, found, wanted, order);
            match tried {
                Some(told) if found <= wanted || halvings == MOST_HALVINGS => {
                    return self.accept(&told, halvings, next, found > wanted);
                }
                _ => self.reject(next),
            }
        }
    }

    /// One step of twice the length, of which the positions are kept, from a copy of the state.
    fn trial(&mut self, halvings: u32) -> Result<Outcome> {
        let steps = self.fill_steps(2 * self.ticks_of(halvings), 1);
        let mut recorder = Recorder::new(&self.context);
        self.saved.keep(&mut recorder, &self.evolving());
        self.renew_pointer_spring(&mut recorder);
        self.profile.begin(&mut recorder);
        let (state, first) = (&mut self.device.state, (self.progress.steps, false));
        steps.record(&mut recorder, &self.stepper, state, first, |_, _, _| ());
        if let Some(adaptive) = &self.adaptive {
            adaptive.doubling.keep(&mut recorder, state);
        }
        self.readback.record(&mut recorder, &self.device.status);
        let calls = recorder.submit();
        self.outcome(calls)
    }

    /// Two steps from that copy, compared with what was kept.
    fn pair(&mut self, halvings: u32) -> Result<Outcome> {
        let steps = self.fill_steps(self.ticks_of(halvings), 2);
        let mut recorder = Recorder::new(&self.context);
        self.saved.put_back(&mut recorder, &self.evolving());
        self.renew_pointer_spring(&mut recorder);
        self.profile.begin(&mut recorder);
        let (state, first) = (&mut self.device.state, (self.progress.steps, true));
        steps.record(&mut recorder, &self.stepper, state, first, |_, _, _| ());
        if let Some(adaptive) = &self.adaptive {
            adaptive.doubling.compare(&mut recorder, state, 0);
        }
        self.readback.record(&mut recorder, &self.device.status);
        let calls = recorder.submit();
        self.outcome(calls)
    }

    /// What became of the steps that were submitted last.
    fn outcome(&mut self, calls: BTreeMap<&'static str, u64>) -> Result<Outcome> {
        self.profile.count(calls);
        let words = self.readback.wait(&self.context)?.unwrap_or_default();
        let told = Telemetry::new(words, self.model.bodies.len());
        self.profile.collect(&self.context)?;
        if self.stepper.is_short(&told) {
            self.put_back();
            return Ok(Outcome::Repeat);
        }
        let contacts = self.stepper.collision();
        let needed = contacts.and_then(|contacts| contacts.capacity().shortage(&told));
        if let Some(needed) = needed {
            self.put_back();
            self.set_capacity(needed)?;
            if let Some(collision) = self.stepper.collision_mut() {
                collision.stats_mut().repeats += 1;
            }
            return Ok(Outcome::Repeat);
        }
        Ok(match told.fault() {
            None => Outcome::Done(told),
            Some((step, body)) => Outcome::Lost(step, body),
        })
    }

    fn reject(&mut self, next: u32) {
        self.put_back();
        self.progress.pace.halvings = next;
        self.counts.retaken += 2;
    }

    fn accept(&mut self, told: &Telemetry, halvings: u32, next: u32, forced: bool) -> Result<()> {
        self.progress.steps += 2;
        let longest = 2 * self.choice.stepping.ticks;
        self.progress.ticks += u64::from(longest >> halvings);
        self.set_step(halvings);
        let aligned = self.progress.ticks.is_multiple_of(u64::from(longest >> next));
        self.progress.pace.last_halvings = halvings;
        self.progress.pace.halvings = if aligned { next } else { halvings };
        self.counts.forced += 2 * u64::from(forced);
        self.counts.add(2, self.length(halvings));
        self.stepper.count(told, 2);
        self.report_steps(told);
        self.count_contacts(told, 2)
    }

    /// The fault of a pair of the shortest steps; the state is the one before them.
    fn lost(&mut self, step: u64, body: usize, halvings: u32) -> Result<()> {
        let ticks = self.progress.ticks + (step + 1) * self.ticks_of(halvings);
        let time = self.clock.time(ticks);
        let fault = self.explain(self.steps() + step + 1, time, body);
        self.put_back();
        self.fault = Some(fault.clone());
        Err(Error::Fault(fault))
    }
}
