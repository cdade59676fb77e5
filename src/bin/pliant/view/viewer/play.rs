//! How the viewer plays a run that was simulated before.

use pliant::Result;

use super::super::history::History;
use super::Viewer;

impl Viewer {
    /// Shows a frame of the run that is played.
    pub fn seek(&mut self, frame: usize) {
        let Some(playback) = &mut self.playback else {
            return;
        };
        let back = frame < playback.shown();
        let shown = playback.show(&mut self.world, frame);
        playback.time = self.world.time();
        if back {
            // Plots go on from here.
            self.history = History::default();
        }
        self.world.show_moved(&mut self.look);
        if let Err(error) = shown {
            self.paused = true;
            self.complain(&error);
            self.fault = Some(error);
        }
    }

    /// The same of the frame that is nearest to a time [s].
    pub fn seek_time(&mut self, time: f64) {
        if let Some(playback) = &mut self.playback {
            let frame = playback.nearest(time);
            if frame != playback.shown() {
                self.seek(frame);
            }
            if let Some(playback) = &mut self.playback {
                playback.time = time;
            }
        }
    }

    /// The clock of the run that is played goes on by `passed` [s], to its last frame.
    pub(super) fn play(&mut self, passed: f64) {
        let Some(playback) = &self.playback else {
            return;
        };
        self.seek_time(playback.time + passed);
        self.paused |= self.is_at_end();
    }

    /// Pauses, and goes on by steps of a simulation, by frames of a run that is played.
    pub(super) fn step(&mut self, steps: isize) {
        self.paused = true;
        self.pace.hold();
        match &self.playback {
            Some(playback) => {
                let last = playback.count() - 1;
                self.seek(playback.shown().saturating_add_signed(steps).min(last));
            }
            None if steps > 0 => self.advance(u64::from(self.world.stepping().ticks)),
            None => self.say("a simulation cannot go back; a finished run of `pliant run` can"),
        }
    }

    /// What is played and has come to its end is played again when it goes on.
    pub(super) fn rewind_at_end(&mut self) {
        if !self.paused && self.is_at_end() {
            self.seek(0);
        }
    }

    fn is_at_end(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.time >= playback.end() - 1e-9)
    }

    /// Simulates on from the frame that is shown.
    pub fn simulate(&mut self) {
        if self.playback.take().is_some() {
            self.attend();
            self.history = History::default();
            self.pace.hold();
        }
    }

    /// The world of the frame that is shown, on another device.
    pub(super) fn played_on(&self, context: &pliant::Context) -> Option<Result<pliant::World>> {
        self.playback.as_ref().map(|playback| playback.again(context, &self.scene))
    }
}
