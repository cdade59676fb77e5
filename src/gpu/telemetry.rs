//! What a submission tells of itself: the words of `status` by their names.

use super::types::{NONE, STATUS_FAULT, STATUS_LONG, STATUS_RATES, STEP_WORDS};

/// The words of `status` without the solids' pushes, of so many bodies.
#[derive(Clone, Debug)]
pub struct Telemetry {
    words: Vec<u32>,
    bodies: usize,
}

impl Telemetry {
    /// From its words.
    #[must_use]
    pub fn new(words: Vec<u32>, bodies: usize) -> Self {
        Self { words, bodies }
    }

    /// How many words it has of so many bodies, with those of so many steps.
    #[must_use]
    pub fn len(bodies: usize, steps: usize) -> usize {
        STATUS_RATES as usize + bodies + STEP_WORDS as usize * steps
    }

    /// The words in front of the bodies' before a submission: no fault, nothing counted.
    #[must_use]
    pub fn cleared() -> [u32; STATUS_RATES as usize] {
        let mut words = [0; STATUS_RATES as usize];
        words[STATUS_FAULT as usize] = NONE;
        words
    }

    /// One of them.
    #[must_use]
    pub fn word(&self, index: u32) -> u32 {
        self.words[index as usize]
    }

    /// The first step of the submission, from 0, after which a body's state was none, and that body.
    #[must_use]
    pub fn fault(&self) -> Option<(u32, usize)> {
        let (word, bodies) = (self.word(STATUS_FAULT), self.bodies as u32);
        (word != NONE).then(|| (word / bodies, (word % bodies) as usize))
    }

    /// The first step of the submission, from 0, that was too long, if any was noted.
    #[must_use]
    pub fn first_long(&self) -> Option<u32> {
        let word = self.word(STATUS_LONG);
        (word != 0).then_some(!word)
    }

    /// The bodies' eigenvalues [1/s²].
    pub fn rates(&self) -> impl Iterator<Item = f64> {
        let rates = self.words[STATUS_RATES as usize..].iter().take(self.bodies);
        rates.map(|word| f64::from(f32::from_bits(*word)))
    }

    /// The words of each step; none where no contacts are counted.
    pub fn steps(&self) -> impl Iterator<Item = &[u32]> {
        let steps = &self.words[Self::len(self.bodies, 0)..];
        steps.chunks_exact(STEP_WORDS as usize)
    }
}
