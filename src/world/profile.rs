//! What passes a world has run, and how long they took.

use std::collections::BTreeMap;

use super::World;
use crate::Result;
use crate::gpu::{Context, PassTime, Profiler, Recorder};

/// Dispatches by kernel since the start, and their times where profiling is on.
#[derive(Debug, Default)]
pub(super) struct Profile {
    profiler: Option<Profiler>,
    calls: BTreeMap<&'static str, u64>,
}

impl Profile {
    /// Times the passes that are recorded from here on, up to the profile's end.
    pub fn begin<'a>(&'a mut self, recorder: &mut Recorder<'a>) {
        if let Some(profiler) = &mut self.profiler {
            recorder.profile(profiler);
        }
    }

    /// Counts the dispatches of a submission.
    pub fn count(&mut self, calls: BTreeMap<&'static str, u64>) {
        for (name, calls) in calls {
            *self.calls.entry(name).or_default() += calls;
        }
    }

    /// Takes the times of a submission that has ended.
    pub fn collect(&mut self, context: &Context) -> Result<()> {
        self.profiler.as_mut().map_or(Ok(()), |profiler| profiler.collect(context))
    }
}

impl World {
    /// Whether to time the passes of each submission's first substep. Does nothing where the device has no timestamps.
    pub fn set_profiling(&mut self, on: bool) {
        let context = &self.context;
        self.profile.profiler = on.then(|| Profiler::new(context)).flatten();
    }

    /// Dispatches by kernel since the start, and their times where profiling is on.
    #[must_use]
    pub fn passes(&self) -> Vec<(&'static str, u64, Option<PassTime>)> {
        let times = self.profile.profiler.as_ref().map(Profiler::times);
        let time = |name| times.and_then(|times| times.get(name)).copied();
        let calls = self.profile.calls.iter();
        calls.map(|(name, calls)| (*name, *calls, time(*name))).collect()
    }
}
