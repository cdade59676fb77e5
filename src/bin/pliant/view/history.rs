//! What plots show: the last seconds of a run.

use std::collections::{BTreeMap, VecDeque};

use pliant::World;

/// Points of a plot at the most.
const LONGEST: usize = 600;

/// One moment.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Simulated time [s].
    pub time: f64,
    /// [J]
    pub kinetic: f64,
    /// [J]
    pub elastic: f64,
    /// [J]
    pub gravity: f64,
    /// Time of all passes of a step [µs].
    pub passes: f64,
}

/// The last moments, and the mean time of each pass since the last look.
#[derive(Debug, Default)]
pub struct History {
    samples: VecDeque<Sample>,
    /// By pass: samples and their sum [µs] until now.
    until: BTreeMap<&'static str, (u64, f64)>,
    /// By pass: mean time [µs], lately.
    pub passes: BTreeMap<&'static str, f64>,
    /// Points in contact and contacts of a step, lately.
    pub contact: [f64; 2],
    /// Points that touch the floor and solids, as last told.
    pub on_solids: Option<u64>,
    /// Colliding triangles, when last looked at.
    pub triangles: usize,
    counted: (u64, u64, u64),
    looked: Option<f64>,
}

/// How often colliding triangles are counted [s]: their records come back to the host.
const TRIANGLES_EVERY: f64 = 0.25;

impl History {
    /// Adds a moment.
    pub fn push(&mut self, sample: Sample) {
        if self.samples.back().is_some_and(|last| sample.time <= last.time) {
            return;
        }
        if self.samples.len() == LONGEST {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// Whether it is time to count triangles again, at `now` [s].
    pub fn wants_triangles(&mut self, now: f64) -> bool {
        let due = self.looked.is_none_or(|last| now - last >= TRIANGLES_EVERY || now < last);
        if due {
            self.looked = Some(now);
        }
        due
    }

    /// All moments, the oldest first.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter()
    }

    /// Takes note of the times of passes and of the contacts since the last look; returns the time of a step's passes [µs].
    pub fn look(&mut self, world: &World) -> f64 {
        for (name, _, time) in world.passes() {
            let Some(time) = time else {
                continue;
            };
            let (samples, total) =
                self.until.insert(name, (time.samples, time.total)).unwrap_or_default();
            // A world that was changed counts anew.
            let (samples, total) = if samples > time.samples { (0, 0.0) } else { (samples, total) };
            if time.samples > samples {
                let mean = (time.total - total) / (time.samples - samples) as f64;
                let old = self.passes.get(name).copied().unwrap_or(mean);
                self.passes.insert(name, 0.9 * old + 0.1 * mean);
            }
        }
        let stats = world.contacts();
        // A world that was changed counts anew.
        let (steps, points, contacts) = match stats.steps < self.counted.0 {
            true => (0, 0, 0),
            false => self.counted,
        };
        if stats.steps > steps {
            let mean = |now: u64, then: u64| {
                now.saturating_sub(then) as f64 / (stats.steps - steps) as f64
            };
            self.contact = [mean(stats.points, points), mean(stats.contacts, contacts)];
        }
        self.counted = (stats.steps, stats.points, stats.contacts);
        self.passes.values().sum()
    }
}
