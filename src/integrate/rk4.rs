//! The classical Runge–Kutta method of order 4 (Kutta 1901).

use super::{Advance, Arrays};
use crate::Result;
use crate::collide::Collision;
use crate::family::{At, Passes};
use crate::gpu::types::{Particle, Sim};
use crate::gpu::{Binding, Bound, Buffer, Kernel, Recorder};
use crate::model::State;

/// Four passes per substep, each with its own slot: three stages that build up `increments`, and the step itself in place.
#[derive(Debug)]
pub struct Rk4 {
    /// Per array that holds the state: the passes in order.
    passes: [[(Passes, Bound); 4]; 2],
    _third: Buffer<Particle>,
}

impl Rk4 {
    pub fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let count = arrays.state.present().len();
        let third = Buffer::zeroed(arrays.context, "particles c", count)?;
        let stage = arrays.kernel("rk4_stage");
        let last = arrays.kernel("rk4");
        let passes = [0, 1].map(|current| {
            let base = &arrays.state.particles[current];
            let second = &arrays.state.particles[1 - current];
            let bind = |kernel: &Kernel, from: &Buffer<Particle>, to: &Buffer<Particle>| {
                let others: [Binding<'_>; 3] =
                    [from.bind("particles_in"), to.bind("particles_out"), base.bind("base")];
                let loads = arrays.elements.loads(&At::state(arrays, from));
                (loads, arrays.bind(kernel, &others))
            };
            [
                bind(&stage, base, second),
                bind(&stage, second, &third),
                bind(&stage, &third, second),
                bind(&last, second, base),
            ]
        });
        Ok(Self { passes, _third: third })
    }
}

impl Advance for Rk4 {
    fn slots(&self) -> usize {
        4
    }

    fn fill(&self, sim: Sim) -> Vec<Sim> {
        let h = sim.step;
        let stages = [(0.5 * h, h / 6.0), (0.5 * h, h / 3.0), (h, h / 3.0), (0.0, h / 6.0)];
        let fill = |(index, (stage_step, stage_weight))| Sim {
            stage_step,
            stage_weight,
            first_stage: u32::from(index == 0),
            flow: u32::from(index == 3),
            ..sim
        };
        stages.into_iter().enumerate().map(fill).collect()
    }

    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        _contacts: Option<&Collision>,
    ) {
        let count = state.present().len();
        for (stage, (loads, pass)) in self.passes[state.current].iter().enumerate() {
            loads.record(recorder, slot + stage);
            recorder.dispatch(pass, count, slot + stage);
        }
    }
}
