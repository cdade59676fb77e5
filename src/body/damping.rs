//! Damping of springs that does not set the step: the sweeps of exact damping, and how many there are.

use glam::Vec4;

use crate::Result;
use crate::family::{At, Family, Passes};
use crate::gpu::types::Sim;
use crate::gpu::{Bound, Buffer, Recorder};
use crate::integrate::Arrays;
use crate::model::State;
use crate::scene::WorldSettings;

/// Beyond this many gathers a substep, springs are damped less instead.
pub const MAX_STAGES: u32 = 64;

/// θ, the share of the velocity that damping may take in one step of `step` [s] of a body of ω² = `stiffness_rate` [1/s²].
/// Drag damps, too, and takes its part.
#[must_use]
pub fn theta(world: &WorldSettings, step: f64, stiffness_rate: f64) -> f64 {
    let left = world.integrator.damping_share() * (1.0 - 0.25 * step * step * stiffness_rate);
    (left.min(1.0) - step * world.drag).max(0.0)
}

/// s = ⌈√(h·max(σ_i + σ_j)/θ)⌉: gathers that keep d_C whole; infinite where none do.
#[must_use]
pub fn damping_stages(step: f64, rates: f64, theta: f64) -> f64 {
    if rates == 0.0 { 1.0 } else { (step * rates / theta).sqrt().ceil().max(1.0) }
}

/// The passes that take exact damping from the velocity: s gathers over springs and finite elements' viscosity only, the
/// recurrence of Chebyshev's polynomials.
#[derive(Debug)]
pub struct DampingSweeps {
    damping_stages: u32,
    /// Of finite elements, by particle array.
    first_loads: [Passes; 2],
    first: [Bound; 2],
    /// Of finite elements, by particle array, by sweep array that is read.
    loads: [[Passes; 2]; 2],
    /// By particle array, by sweep array that is read.
    sweep: [[Bound; 2]; 2],
    end: [[Bound; 2]; 2],
    _fields: [Buffer<Vec4>; 2],
}

impl DampingSweeps {
    /// Uniform slots that the sweeps take.
    pub const SLOTS: usize = 2;

    /// Sweeps with `damping_stages` ≥ 2 gathers.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>, damping_stages: u32) -> Result<Self> {
        let count = arrays.state.present().len();
        let fields = [
            Buffer::zeroed(arrays.context, "sweep a", count)?,
            Buffer::zeroed(arrays.context, "sweep b", count)?,
        ];
        let both = |kernel: &str| {
            let [a, b] = [0, 1].map(|from: usize| {
                let others = [fields[from].bind("sweep_in"), fields[1 - from].bind("sweep_out")];
                arrays.bind_both(kernel, &others)
            });
            let ([a0, a1], [b0, b1]) = (a, b);
            [[a0, b0], [a1, b1]]
        };
        let first = arrays.bind_both("damping_first", &[fields[0].bind("sweep_out")]);
        let (sweep, end) = (both("damping_sweep"), both("damping_end"));
        let loads = |current: usize, field: Option<&Buffer<Vec4>>| {
            let at = At::state(arrays, &arrays.state.particles[current]);
            let at = match field {
                Some(field) => at.with(field.bind("sweep_in")),
                None => at,
            };
            arrays.elements.passes(&at, Family::damping)
        };
        Ok(Self {
            damping_stages,
            first_loads: [0, 1].map(|current| loads(current, None)),
            loads: [0, 1]
                .map(|current| [0, 1].map(|from: usize| loads(current, Some(&fields[from])))),
            first,
            sweep,
            end,
            _fields: fields,
        })
    }

    /// The uniforms of the first two sweeps and of the later ones, from what a substep's have in common.
    #[must_use]
    pub fn fill(sim: Sim) -> [Sim; Self::SLOTS] {
        [1, 0].map(|first_stage| Sim { first_stage, ..sim })
    }

    /// Records the sweeps, their uniforms in the slots from `slot` on as [`Self::fill`] has them.
    pub fn sweep(&self, recorder: &mut Recorder<'_>, state: &mut State, slot: usize) {
        let count = state.present().len();
        let current = state.current;
        self.first_loads[current].record(recorder, slot);
        recorder.dispatch(&self.first[current], count, slot);
        for k in 2..=self.damping_stages {
            let (from, slot) = ((k % 2) as usize, slot + usize::from(k > 2));
            let pass = if k < self.damping_stages { &self.sweep } else { &self.end };
            self.loads[current][from].record(recorder, slot);
            recorder.dispatch(&pass[current][from], count, slot);
        }
        state.current = 1 - current;
    }
}
