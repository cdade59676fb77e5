//! The largest eigenvalues of M⁻¹K and M⁻¹C of every body, by power iteration on the device.

use crate::family::{At, Family, Passes};
use crate::gpu::types::{PROBE_DAMPING, PROBE_STIFFNESS, Sim, WORKGROUP};
use crate::gpu::{Bound, Kernel, Recorder};
use crate::integrate::Arrays;
use crate::model::State;

/// Iterations from an arbitrary vector: within 1 % below the true ω on every mesh tried (spec/damping).
const COLD_ITERATIONS: usize = 40;
/// Iterations that follow a deforming body from its last vector.
const WARM_ITERATIONS: usize = 2;
/// Substeps from one renewal to the next.
pub const RENEWAL: u64 = 32;

/// The passes of the power iteration.
#[derive(Debug)]
pub struct StiffnessProbe {
    start: [Bound; 2],
    /// By particle array, by probe array that is read.
    loads: [[Passes; 2]; 2],
    apply: [[Bound; 2]; 2],
    sum: [[Bound; 2]; 2],
    body: Bound,
}

impl StiffnessProbe {
    /// Binds the passes.
    pub fn new(arrays: &Arrays<'_>, partials: &crate::gpu::Buffer<f32>) -> Self {
        let probe = &arrays.state.probe;
        let both = |kernel: &str| {
            let kernel = arrays.kernel(kernel);
            [0, 1].map(|current: usize| {
                [0, 1].map(|from: usize| {
                    let others = [
                        arrays.state.particles[current].bind("particles_in"),
                        probe[from].bind("probe_in"),
                        probe[1 - from].bind("probe_out"),
                        partials.binding(),
                    ];
                    arrays.bind(&kernel, &others)
                })
            })
        };
        let body = Kernel::new(arrays.context, "probe_body");
        let loads = |current: usize, from: usize| {
            let at = At::state(arrays, &arrays.state.particles[current]);
            let at = at.with(probe[from].bind("probe_in"));
            arrays.elements.passes(&at, Family::stiffness)
        };
        Self {
            loads: [0, 1].map(|current| [0, 1].map(|from| loads(current, from))),
            start: arrays.bind_both("probe_start", &[probe[0].bind("probe_out")]),
            apply: both("probe_apply"),
            sum: both("probe_sum"),
            body: arrays.bind(&body, &[partials.binding()]),
        }
    }

    /// Uniforms of the two estimates: damping in slot 0, stiffness in slot 1.
    #[must_use]
    pub fn fill(sim: Sim) -> [Sim; 2] {
        [Sim { probe: PROBE_DAMPING, ..sim }, Sim { probe: PROBE_STIFFNESS, ..sim }]
    }

    /// Records an estimate from an arbitrary vector.
    pub fn estimate(
        &self,
        recorder: &mut Recorder<'_>,
        state: &State,
        arrays: &Counts,
        slot: usize,
    ) {
        recorder.dispatch(&self.start[state.current], state.present().len(), slot);
        self.iterate(recorder, state, arrays, slot, COLD_ITERATIONS);
    }

    /// Records a renewal of the stiffness estimate at the present positions.
    pub fn renew(&self, recorder: &mut Recorder<'_>, state: &State, arrays: &Counts, slot: usize) {
        self.iterate(recorder, state, arrays, slot, WARM_ITERATIONS);
    }

    /// An even number of iterations, so that the vector ends where it began.
    fn iterate(
        &self,
        recorder: &mut Recorder<'_>,
        state: &State,
        counts: &Counts,
        slot: usize,
        iterations: usize,
    ) {
        for k in 0..iterations {
            self.loads[state.current][k % 2].record(recorder, slot);
            recorder.dispatch(&self.apply[state.current][k % 2], state.present().len(), slot);
            recorder.dispatch(
                &self.sum[state.current][k % 2],
                counts.chunks * WORKGROUP as usize,
                slot,
            );
            recorder.dispatch(&self.body, counts.bodies * WORKGROUP as usize, slot);
        }
    }
}

/// Sizes that the reductions run over.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Entries of `chunks`.
    pub chunks: usize,
    /// Bodies.
    pub bodies: usize,
}
