//! Passes of families, and the arrays that they are bound to.

use crate::gpu::types::Particle;
use crate::gpu::{Binding, Bound, Buffer, Kernel, Recorder};
use crate::integrate::Arrays;
use crate::integrate::part::{Domain, Part};

/// What passes are bound to: the world's arrays, and in place of some of them, or beside them, those that are given.
#[derive(Debug)]
pub struct At<'a> {
    /// The world's.
    pub arrays: Arrays<'a>,
    given: Vec<Binding<'a>>,
}

impl<'a> At<'a> {
    /// The world's arrays and the given ones.
    pub fn new(arrays: &Arrays<'a>, given: &[Binding<'a>]) -> Self {
        Self { arrays: *arrays, given: given.to_vec() }
    }

    /// The state in one particle array.
    pub fn state(arrays: &Arrays<'a>, particles: &'a Buffer<Particle>) -> Self {
        Self::new(arrays, &[particles.bind("particles_in")])
    }

    /// The same with other arrays.
    #[must_use]
    pub fn and(mut self, given: &[Binding<'a>]) -> Self {
        self.given.extend_from_slice(given);
        self
    }

    /// The same with another array.
    #[must_use]
    pub fn with(mut self, given: Binding<'a>) -> Self {
        self.given.push(given);
        self
    }

    /// Whether an array of this name is given.
    pub fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|binding| binding.name() == name)
    }

    /// The number of particles.
    pub fn particles(&self) -> usize {
        self.arrays.state.present().len()
    }

    /// A kernel with these arrays and a family's own; of one name the given.
    pub fn bind(&self, kernel: &Kernel, own: &[Binding<'_>]) -> Bound {
        self.arrays.bind(kernel, &[&self.given[..], own].concat())
    }
}

/// Passes in order, each with its number of threads and what they are for.
#[derive(Debug, Default)]
pub struct Passes(Vec<(Bound, usize, Domain)>);

impl Passes {
    /// Adds a pass.
    pub fn push(&mut self, pass: Bound, threads: usize, over: Domain) {
        self.0.push((pass, threads, over));
    }

    /// Records the passes.
    pub fn record(&self, recorder: &mut Recorder<'_>, slot: usize) {
        self.record_part(recorder, &Part::all(slot));
    }

    /// Records the passes over a part, and over all that does not lie body by body.
    pub fn record_part(&self, recorder: &mut Recorder<'_>, part: &Part) {
        for (pass, threads, over) in &self.0 {
            part.dispatch(recorder, pass, *threads, *over);
        }
    }
}
