//! Adaptive steps: pairs of equal steps, tried against one of twice the length, taken back where they are too long.

use std::collections::BTreeMap;

use super::World;
use crate::body::stiffness::StiffnessProbe;
use crate::gpu::Recorder;
use crate::gpu::types::{NEWTON_WORDS, Sim};
use crate::integrate::Arrays;
use crate::integrate::doubling::{Doubling, MOST_HALVINGS, error, next_halvings};
use crate::report::StepReport;
use crate::{Error, Result};

/// What an adaptive world keeps beside its state.
#[derive(Debug)]
pub(super) struct Adaptive {
    doubling: Doubling,
    /// The largest error of a pair [m].
    wanted: f64,
    /// Halvings of the longest step in the pair to come.
    halvings: u32,
    /// Of the last step: what half-step velocities and impulses are made for.
    last_halvings: u32,
    counts: StepCounts,
}

/// Steps by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepCounts {
    /// Steps of pairs that were taken back.
    pub rejected: u64,
    /// Of steps with a larger error than asked for, because none shorter are taken.
    pub forced: u64,
    /// The shortest step [s].
    pub shortest: f64,
    /// The longest [s].
    pub longest: f64,
    /// Their sum [s].
    pub time: f64,
    /// How many.
    pub steps: u64,
}

impl StepCounts {
    /// `steps` steps of one length.
    #[must_use]
    pub fn equal(steps: u64, step: f64) -> Self {
        Self {
            shortest: step,
            longest: step,
            time: steps as f64 * step,
            steps,
            ..Self::default()
        }
    }

    /// Counts `steps` steps of `step` [s].
    fn add(&mut self, steps: u64, step: f64) {
        self.shortest = match self.steps {
            0 => step,
            _ => self.shortest.min(step),
        };
        self.longest = self.longest.max(step);
        self.time += steps as f64 * step;
        self.steps += steps;
    }
}

impl Adaptive {
    /// With the largest error of a pair of steps [m].
    pub fn new(arrays: &Arrays<'_>, wanted: f64) -> Result<Self> {
        Ok(Self {
            doubling: Doubling::new(arrays)?,
            wanted,
            halvings: 0,
            last_halvings: 0,
            counts: StepCounts::default(),
        })
    }
}

/// What became of some steps on the device.
enum Outcome {
    /// The words of the report.
    Done(Vec<u32>),
    /// They found too little room for contacts, or were recorded with too few passes of a solver, and now there is more.
    Repeat,
    /// A body was lost.
    Lost(Vec<u32>),
}

impl World {
    /// Steps of an adaptive world since it was made or resumed.
    #[must_use]
    pub fn step_counts(&self) -> Option<StepCounts> {
        self.adaptive.as_ref().map(|adaptive| adaptive.counts)
    }

    /// Halvings of the longest step: of the pair to come, and of the last one.
    pub(crate) fn halvings(&self) -> [u32; 2] {
        let halvings = |adaptive: &Adaptive| [adaptive.halvings, adaptive.last_halvings];
        self.adaptive.as_ref().map_or([0; 2], halvings)
    }

    pub(super) fn set_halvings(&mut self, halvings: [u32; 2]) {
        if let Some(adaptive) = &mut self.adaptive {
            [adaptive.halvings, adaptive.last_halvings] = halvings;
            self.common.step = halved(self.stepping.step, halvings[1]);
        }
    }

    /// Takes two steps whose error is within what is asked for, and settles the length of the next ones. Lengths are the
    /// longest one halved a whole number of times, and pairs begin at multiples of their own length: frames never cut one.
    pub(super) fn adaptive_pair(&mut self) -> Result<()> {
        if let Some(fault) = &self.fault {
            return Err(Error::Fault(fault.clone()));
        }
        loop {
            let Some(Adaptive {
                wanted, halvings, ..
            }) = self.adaptive
            else {
                return Ok(());
            };
            let tried = match self.trial(halvings)? {
                Outcome::Repeat => continue,
                Outcome::Lost(_) if halvings < MOST_HALVINGS => None,
                Outcome::Lost(_) | Outcome::Done(_) => match self.pair(halvings)? {
                    Outcome::Repeat => continue,
                    Outcome::Lost(words) if halvings == MOST_HALVINGS => {
                        return self.lost(&words, halvings);
                    }
                    Outcome::Lost(_) => None,
                    Outcome::Done(words) => Some(words),
                },
            };
            let found = match &tried {
                Some(words) => error(words[words.len() - 1 - NEWTON_WORDS as usize]),
                None => f64::INFINITY,
            };
            let order = self.scene.world.integrator.order();
            let next = next_halvings(halvings, found, wanted, order);
            match tried {
                Some(words) if found <= wanted || halvings == MOST_HALVINGS => {
                    return self.accept(&words, halvings, next, found > wanted);
                }
                _ => self.reject(next),
            }
        }
    }

    /// One step of twice the length, of which the positions are kept, from a copy of the state.
    fn trial(&mut self, halvings: u32) -> Result<Outcome> {
        let step = 2.0 * halved(self.stepping.step, halvings);
        let ticks = 2 * u64::from(self.stepping.ticks >> halvings);
        let (change, slots) = self.slots(step, ticks, &[self.ticks]);
        self.sim.write(&self.context, &slots);
        self.write_poses(&[[self.ticks, ticks]]);
        self.count_anew();
        let mut recorder = Recorder::new(&self.context);
        self.saved.keep(&mut recorder, &self.evolving());
        self.renew_tug(&mut recorder);
        if let Some(profiler) = &mut self.profiler {
            recorder.profile(profiler);
        }
        if change {
            self.stepper.change(&mut recorder, &mut self.state, 0);
        }
        self.stepper.substep(&mut recorder, &mut self.state, 1);
        recorder.end_profile();
        if let Some(adaptive) = &self.adaptive {
            adaptive.doubling.keep(&mut recorder, &self.state);
        }
        self.readback.record(&mut recorder, &self.status);
        let calls = recorder.submit();
        self.outcome(calls)
    }

    /// Two steps from that copy, compared with what was kept.
    fn pair(&mut self, halvings: u32) -> Result<Outcome> {
        let step = halved(self.stepping.step, halvings);
        let ticks = u64::from(self.stepping.ticks >> halvings);
        let (change, mut slots) = self.slots(step, ticks, &[self.ticks, self.ticks + ticks]);
        let renewal = slots.len();
        slots.push(StiffnessProbe::fill(self.common)[1]);
        self.sim.write(&self.context, &slots);
        self.write_poses(&[[self.ticks, ticks], [self.ticks + ticks, ticks]]);
        self.count_anew();
        let mut recorder = Recorder::new(&self.context);
        self.saved.put_back(&mut recorder, &self.evolving());
        self.renew_tug(&mut recorder);
        if let Some(profiler) = &mut self.profiler {
            recorder.profile(profiler);
        }
        self.stepper
            .renew(&mut recorder, &self.state, self.steps, renewal);
        if change {
            self.stepper.change(&mut recorder, &mut self.state, 0);
        }
        for k in 0..2 {
            let slot = 1 + k * self.stepper.slots();
            self.stepper.substep(&mut recorder, &mut self.state, slot);
            recorder.end_profile();
        }
        if let Some(adaptive) = &self.adaptive {
            adaptive.doubling.compare(&mut recorder, &self.state, 0);
        }
        self.readback.record(&mut recorder, &self.status);
        let calls = recorder.submit();
        self.outcome(calls)
    }

    /// The uniforms of steps of `step` [s], which are so many ticks, that begin at these, behind that of a change of length,
    /// and whether there is one.
    fn slots(&self, step: f32, ticks: u64, starts: &[u64]) -> (bool, Vec<Sim>) {
        let last = halved(self.stepping.step, self.halvings()[1]);
        let at = |(index, tick): (usize, &u64)| Sim {
            step,
            step_ratio: if index == 0 { step / last } else { 1.0 },
            ..self.at_step([*tick, ticks], index as u64)
        };
        let mut sims = starts.iter().enumerate().map(at);
        // Velocities at half steps look back: what pulls from now on was not there then.
        let first = Sim {
            step,
            ..self.at_step([starts[0].saturating_sub(1), 1], 0)
        };
        let mut slots = vec![self.stepper.fill_change(first, last)];
        slots.extend(sims.by_ref().flat_map(|sim| self.stepper.fill(sim)));
        (step.to_bits() != last.to_bits(), slots)
    }

    /// No fault, nothing counted.
    fn count_anew(&self) {
        self.status.write(&self.context, 0, &[u32::MAX]);
        self.clear_tally();
    }

    /// What became of the steps that were submitted last.
    fn outcome(&mut self, calls: BTreeMap<&'static str, u64>) -> Result<Outcome> {
        for (name, calls) in calls {
            *self.calls.entry(name).or_default() += calls;
        }
        let words = self.readback.wait(&self.context)?.unwrap_or_default();
        if let Some(profiler) = &mut self.profiler {
            profiler.collect(&self.context)?;
        }
        if self.stepper.is_short(&words) {
            self.take_back();
            return Ok(Outcome::Repeat);
        }
        let tally = &words[1 + self.model.bodies.len()..];
        let needed = self
            .stepper
            .collision()
            .and_then(|collision| collision.capacity().shortage(tally));
        if let Some(needed) = needed {
            self.take_back();
            self.set_capacity(needed)?;
            if let Some(collision) = self.stepper.collision_mut() {
                collision.tally_mut().repeats += 1;
            }
            return Ok(Outcome::Repeat);
        }
        Ok(match words[0] {
            u32::MAX => Outcome::Done(words),
            _ => Outcome::Lost(words),
        })
    }

    /// The state before the steps that were submitted last.
    fn take_back(&mut self) {
        let mut recorder = Recorder::new(&self.context);
        self.saved.put_back(&mut recorder, &self.evolving());
        recorder.submit();
    }

    fn reject(&mut self, next: u32) {
        self.take_back();
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.halvings = next;
            adaptive.counts.rejected += 2;
        }
    }

    fn accept(&mut self, words: &[u32], halvings: u32, next: u32, forced: bool) -> Result<()> {
        self.steps += 2;
        let longest = 2 * self.stepping.ticks;
        self.ticks += u64::from(longest >> halvings);
        self.common.step = halved(self.stepping.step, halvings);
        let aligned = self.ticks.is_multiple_of(u64::from(longest >> next));
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.last_halvings = halvings;
            adaptive.halvings = if aligned { next } else { halvings };
            adaptive.counts.forced += 2 * u64::from(forced);
            adaptive.counts.add(2, f64::from(self.common.step));
        }
        self.stepper.count(words, 2);
        self.report = StepReport {
            steps: self.steps(),
            time: self.time(),
            stiffness: self.report.stiffness.clone(),
            solve: self.stepper.solve().map(|[last, _]| last),
        };
        let (rates, tally) = words[1..].split_at(self.model.bodies.len());
        for (stiffness, word) in self.report.stiffness.iter_mut().zip(rates) {
            *stiffness = f64::from(f32::from_bits(*word)).sqrt();
        }
        if let Some(collision) = self.stepper.collision_mut() {
            collision.tally_mut().add(tally, 2);
            let next = collision.capacity().next(tally);
            self.set_capacity(next)?;
        }
        Ok(())
    }

    /// The fault of a pair of the shortest steps; the state is the one before them.
    fn lost(&mut self, words: &[u32], halvings: u32) -> Result<()> {
        let bodies = self.model.bodies.len() as u32;
        let slot = u64::from(words[0] / bodies);
        let ticks = self.ticks + (slot + 1) * u64::from(self.stepping.ticks >> halvings);
        let time = self.clock.time(ticks);
        let body = (words[0] % bodies) as usize;
        let fault = self.explain(self.steps() + slot + 1, time, body);
        self.take_back();
        self.fault = Some(fault.clone());
        Err(Error::Fault(fault))
    }
}

/// The longest step halved so many times [s], as the device has it.
fn halved(longest: f64, halvings: u32) -> f32 {
    (longest / f64::from(1_u32 << halvings)) as f32
}
