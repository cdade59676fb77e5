//! The frames of a run that is played instead of simulated.

use std::path::{Path, PathBuf};

use pliant::{Context, Error, Result, Scene, World};

use crate::run::frames::restore;
use crate::run::in_file;

/// States of a run, of which one is shown.
pub struct Playback {
    /// The frames' numbers and files, in order; at least one.
    frames: Vec<(u64, PathBuf)>,
    /// The time of the first [s], and from a number to the next.
    start: f64,
    spacing: f64,
    /// Which is shown, from 0.
    shown: usize,
    /// Where the clock is [s].
    pub time: f64,
}

impl Playback {
    /// A world in the state of the first of these frames.
    ///
    /// # Errors
    /// Files that are no states of this scene.
    pub fn begin(
        context: &Context,
        scene: &Scene,
        frames: Vec<(u64, PathBuf)>,
    ) -> Result<(World, Self)> {
        let (first, last) = (&frames[0], &frames[frames.len() - 1]);
        let mut world = resume(context, scene, &first.1)?;
        let start = world.time();
        restore(&mut world, &last.1)?;
        let spacing = (world.time() - start) / (last.0 - first.0).max(1) as f64;
        restore(&mut world, &first.1)?;
        Ok((world, Self { frames, start, spacing, shown: 0, time: start }))
    }

    /// The world in the state that is shown, on another device.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn again(&self, context: &Context, scene: &Scene) -> Result<World> {
        resume(context, scene, &self.frames[self.shown].1)
    }

    /// Frames per simulated second; of a single frame one.
    pub fn rate(&self) -> f64 {
        if self.spacing > 0.0 { 1.0 / self.spacing } else { 1.0 }
    }

    /// The time of the last frame [s].
    pub fn end(&self) -> f64 {
        let [(first, _), .., (last, _)] = &self.frames[..] else {
            return self.start;
        };
        self.start + (last - first) as f64 * self.spacing
    }

    /// How many frames there are.
    pub fn count(&self) -> usize {
        self.frames.len()
    }

    /// Which is shown, from 0.
    pub fn shown(&self) -> usize {
        self.shown
    }

    /// The number of the frame that is shown.
    pub fn number(&self) -> u64 {
        self.frames[self.shown].0
    }

    /// The frame that is nearest to a time [s].
    pub fn nearest(&self, time: f64) -> usize {
        let first = self.frames[0].0 as f64;
        let number = first + (time - self.start) / self.spacing.max(1e-9);
        let after = self.frames.partition_point(|(own, _)| (*own as f64) < number - 0.5);
        after.min(self.frames.len() - 1)
    }

    /// Puts the world into the state of a frame.
    ///
    /// # Errors
    /// A file that is no state of this world; a lost device.
    pub fn show(&mut self, world: &mut World, frame: usize) -> Result<()> {
        restore(world, &self.frames[frame].1)?;
        self.shown = frame;
        Ok(())
    }
}

fn resume(context: &Context, scene: &Scene, path: &Path) -> Result<World> {
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
    World::resume(context, scene, &bytes).map_err(|error| in_file(error, path))
}
