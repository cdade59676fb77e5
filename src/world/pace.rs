//! The lengths of steps: the longest one, halved where a step is too long for what happens in it.

use serde::{Deserialize, Serialize};

/// Halvings of the automatic step at the most: what is too long even then is taken as it is.
pub(crate) const MOST_RETAKES: u32 = 6;
/// Steps of one length after which a longer one is tried.
const CALM: u32 = 32;

/// How long the next step is, and what is known of the last ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pace {
    /// Halvings of the longest step in the one to come.
    pub halvings: u32,
    /// Of the last step: what half-step velocities and impulses are made for.
    pub last_halvings: u32,
    /// Halvings that the stiffness of ties asks for; it follows from these.
    #[serde(skip)]
    pub least: u32,
    /// Steps since the length changed, or since a step of twice the length would have been too long.
    pub calm: u32,
}

impl Pace {
    /// Steps of the present length until a longer one may be tried; none at the longest.
    pub fn until_longer(&self) -> Option<u64> {
        (self.halvings > self.least).then(|| u64::from(CALM.saturating_sub(self.calm).max(1)))
    }

    /// After so many steps that were good, of which up to the `tense`th one of twice the length would have been too long.
    /// `aligned` where a longer one may begin.
    pub fn go_on(&mut self, steps: u32, tense: u32, aligned: bool) {
        self.last_halvings = self.halvings;
        self.calm = match tense {
            0 => self.calm.saturating_add(steps),
            _ => steps - tense.min(steps),
        };
        if self.halvings <= self.least {
            self.calm = 0;
        } else if self.calm >= CALM && aligned {
            self.halvings -= 1;
            self.calm = 0;
        }
    }

    /// Takes no step longer than that halved so often, from the next one on.
    pub fn bear(&mut self, halvings: u32) {
        self.least = halvings;
        self.halvings = self.halvings.max(halvings);
    }

    /// Before a step that was too long.
    pub fn halve(&mut self) {
        self.halvings += 1;
        self.calm = 0;
    }
}

/// How far a world has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Steps since it was made.
    pub steps: u64,
    /// Ticks since then.
    pub ticks: u64,
    /// How long steps are.
    pub pace: Pace,
}
