//! Vertex block descent (Chen, Liu, Yang, Yuksel 2024, "Vertex Block Descent"): implicit Euler as the minimum of a sum of
//! terms of a few vertices each, approached by minimising along one vertex at a time, colour by colour.

use std::ops::Range;

use super::Arrays;
use crate::gpu::{Bound, Recorder};
use crate::model::Vertices;

/// The sweeps over all vertices.
#[derive(Debug)]
pub struct Vbd {
    /// For each array that a step starts from, the passes over the colours in order, each with its number of threads.
    colors: [Vec<(Bound, usize)>; 2],
    iterations: u32,
}

impl Vbd {
    /// Binds the passes over the colours.
    pub fn new(arrays: &Arrays<'_>, iterations: u32) -> Self {
        let kernel = arrays.kernel("vbd_solve");
        let vertices = arrays.model.vertices.iter();
        let colors = [0, 1].map(|from: usize| {
            let out = &arrays.state.particles[1 - from];
            let bind = |vertices: &Vertices| -> Vec<(Bound, usize)> {
                let color = |part: &Range<usize>| {
                    let bindings = [
                        out.bind("particles_out"),
                        vertices.vertices.bind_part("color", part.clone()),
                        vertices.tets.bind("vertex_tets"),
                    ];
                    (arrays.bind(&kernel, &bindings), part.len())
                };
                vertices.colors.iter().map(color).collect()
            };
            vertices.clone().flat_map(bind).collect()
        });
        Self { colors, iterations }
    }

    /// Sweeps in a step.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Changes their number.
    pub fn set_iterations(&mut self, iterations: u32) {
        self.iterations = iterations;
    }

    /// Records one sweep.
    pub fn iterate(&self, recorder: &mut Recorder<'_>, from: usize, slot: usize) {
        for (pass, threads) in &self.colors[from] {
            recorder.dispatch(pass, *threads, slot);
        }
    }
}
