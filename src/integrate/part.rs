//! What passes run over: all there is, or one body.

use std::ops::Range;

use crate::gpu::types::Sim;
use crate::gpu::{Bound, Recorder};
use crate::model::BodyRanges;

/// What a pass has threads for.
#[derive(Clone, Copy, Debug)]
pub enum Domain {
    /// Each particle.
    Particles,
    /// Each finite element.
    Elements,
    /// What does not lie body by body: all of it.
    All,
}

/// Threads of passes, with the slots of `sim` from which they have their first and last.
#[derive(Clone, Debug)]
pub struct Part {
    slot: usize,
    /// Particles and finite elements; none: all.
    ranges: Option<[Range<usize>; 2]>,
}

impl Part {
    /// All there is.
    #[must_use]
    pub fn all(slot: usize) -> Self {
        Self { slot, ranges: None }
    }

    /// One body. Its passes take three slots, which [`Self::fill`] fills.
    #[must_use]
    pub fn body(slot: usize, body: &BodyRanges) -> Self {
        let ranges = Some([body.particles.clone(), body.elements.clone()]);
        Self { slot, ranges }
    }

    /// The uniforms of its slots, from what they have in common.
    #[must_use]
    pub fn fill(&self, sim: Sim) -> Vec<Sim> {
        let Some(ranges) = &self.ranges else {
            return vec![sim];
        };
        let [[first, end], [first_element, end_element]] =
            [0, 1].map(|k| [ranges[k].start as u32, ranges[k].end as u32]);
        let particles = Sim { first_thread: first, particle_count: end, ..sim };
        let elements = Sim { first_thread: first_element, fem_count: end_element, ..sim };
        vec![particles, elements, sim]
    }

    /// Records a pass that has so many threads over all there is.
    pub fn dispatch(
        &self,
        recorder: &mut Recorder<'_>,
        pass: &Bound,
        threads: usize,
        over: Domain,
    ) {
        let (threads, place) = match (&self.ranges, over) {
            (None, _) => (threads, 0),
            (Some([particles, _]), Domain::Particles) => (particles.len(), 0),
            (Some([_, elements]), Domain::Elements) => (elements.len(), 1),
            (Some(_), Domain::All) => (threads, 2),
        };
        recorder.dispatch(pass, threads, self.slot + place);
    }
}
