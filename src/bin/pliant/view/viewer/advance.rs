//! How the viewer's world goes on: with the wall's clock, frame by frame, on another device.

use std::time::Instant;

use pliant::render::Wires;
use pliant::{Context, Error, Result, World};

use super::super::pace::{Pace, Taken};
use super::Viewer;

/// How often the state is kept in case that the device is lost [s], and at most what part of the time that may take.
const KEPT_EVERY: f64 = 5.0;
const KEPT_SHARE: f64 = 0.005;

impl Viewer {
    /// Runs to the step that is nearest to a time [s], as far as the world goes.
    pub fn run_to(&mut self, time: f64) {
        if self.playback.is_some() {
            return self.seek_time(time);
        }
        let ticks = self.world.nearest_step(time);
        self.advance(ticks.saturating_sub(self.world.ticks()));
        self.pace = Pace::default();
    }

    /// It is `now` [s] by the wall's clock: what was shown long enough goes.
    pub fn set_now(&mut self, now: f64) {
        self.now = now;
        if self.notice.as_ref().is_some_and(|notice| notice.is_over(now)) {
            self.notice = None;
        }
    }

    /// Begins a frame at `now` [s] of the wall's clock: takes the steps that are due.
    pub fn begin(&mut self, now: f64) {
        self.set_now(now);
        self.simulated_in = 0.0;
        if self.paused {
            return;
        }
        let step = self.world.stepping().step;
        let time = self.world.time();
        if self.playback.is_some() {
            let passed = self.pace.passed(now, time);
            return self.play(if self.by_frames { 1.0 / self.fps } else { passed });
        }
        if self.by_frames {
            let next = self.world.nearest_step(time + 1.0 / self.fps);
            self.pace.hold();
            self.advance(next.saturating_sub(self.world.ticks()).max(1));
        } else {
            let due = self.pace.due(now, time, step);
            let steps = (due / step + 1e-9).floor();
            self.advance(steps as u64 * u64::from(self.world.stepping().ticks));
        }
        self.keep();
    }

    /// Takes so many ticks, and waits for them.
    pub(super) fn advance(&mut self, ticks: u64) {
        if ticks == 0 {
            return;
        }
        let (start, time, steps) = (Instant::now(), self.world.time(), self.world.steps());
        let step = self.world.stepping().step;
        // The force of a pull is renewed with every call.
        let batch = match self.held {
            Some(_) => (self.pull_time() / self.world.stepping().tick()) as u64,
            None => ticks,
        };
        let (mut done, end) = (Ok(()), self.world.ticks() + ticks);
        while done.is_ok() && self.world.ticks() < end {
            let left = end - self.world.ticks();
            done = self.world.step_ticks(left.min(batch.max(1)));
        }
        let done = done.and_then(|()| self.world.wait());
        self.world.show_moved(&mut self.look);
        self.simulated_in = start.elapsed().as_secs_f64();
        self.pace.done(Taken {
            simulated: self.world.time() - time,
            steps: self.world.steps() - steps,
            step,
            wall: self.simulated_in,
        });
        if let Err(error) = done {
            self.complain(&error);
            // A lost device is no fault of the world's.
            if matches!(error, Error::Fault(_)) {
                self.set_paused(true);
            }
            self.fault = Some(error);
        }
    }

    /// What stopped the world since it was last asked.
    pub fn fault(&mut self) -> Option<Error> {
        self.fault.take()
    }

    /// Keeps the state from time to time, and says which body passes through itself.
    fn keep(&mut self) {
        let due = self.kept.as_ref().is_none_or(|(next, _)| self.now >= *next);
        let start = Instant::now();
        if due && let Ok(handover) = self.world.hand_over() {
            if let Ok(state) = self.world.read() {
                let known = self.warnings();
                self.crossings.watch(&self.world, &state);
                self.warn(&known);
            }
            let rest = start.elapsed().as_secs_f64() / KEPT_SHARE;
            self.kept = Some((self.now + rest.max(KEPT_EVERY), handover));
        }
    }

    /// The same on another device, from the state that was kept last or from the start.
    ///
    /// # Errors
    /// A scene that does not run on this device.
    pub fn recover(&mut self, context: &Context) -> Result<()> {
        const NOTICE: &str = "the graphics device was lost; continuing on a new one";
        if !self.world.context().is_lost() {
            // It is computed elsewhere, and goes on.
            self.say(NOTICE);
            return Ok(());
        }
        let world = match (self.played_on(context), &self.kept) {
            (Some(world), _) => world?,
            (None, Some((_, handover))) => World::take_over(context, &self.scene, handover)?,
            (None, None) => World::new(context, &self.scene)?,
        };
        self.wires = Wires::new(&world)?;
        self.take(world);
        self.attend();
        self.say(NOTICE);
        Ok(())
    }
}
