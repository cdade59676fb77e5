//! The classical Runge–Kutta method of order 4 (Kutta 1901).

use super::{Advance, Arrays, Ending};
use crate::Result;
use crate::collide::Collision;
use crate::family::{At, Passes};
use crate::gpu::types::{Particle, Sim};
use crate::gpu::{Bound, Buffer, Kernel, Recorder};
use crate::model::State;

/// Four passes per substep, each with its own slot: three stages that build up `increments`, and the step itself in place.
#[derive(Debug)]
pub struct Rk4 {
    /// Per array that holds the state: the stages in order.
    stages: [[(Passes, Bound); 3]; 2],
    loads: [Passes; 2],
    last: Ending,
    _third: Buffer<Particle>,
}

impl Rk4 {
    pub fn new(arrays: &Arrays<'_>) -> Result<Self> {
        let count = arrays.state.present().len();
        let third = Buffer::zeroed(arrays.context, "particles c", count)?;
        let stage = arrays.kernel("rk4_stage");
        let bind = |kernel: &Kernel, current: usize, [from, to]: [&Buffer<Particle>; 2]| {
            let base = arrays.state.particles[current].bind("base");
            let others = [from.bind("particles_in"), to.bind("particles_out"), base];
            arrays.bind(kernel, &others)
        };
        let loads = |from| arrays.elements.loads(&At::state(arrays, from));
        let [first, second] = &arrays.state.particles;
        let turns = [[first, second], [second, first]];
        let stages = [0, 1].map(|current| {
            let [base, second] = turns[current];
            let stages = [[base, second], [second, &third], [&third, second]];
            stages.map(|stage_arrays| (loads(stage_arrays[0]), bind(&stage, current, stage_arrays)))
        });
        let last = Ending::new(arrays, "rk4", |kernel| {
            [0, 1].map(|current| bind(kernel, current, [turns[current][1], turns[current][0]]))
        });
        Ok(Self { stages, loads: turns.map(|[_, second]| loads(second)), last, _third: third })
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
        contacts: Option<&Collision>,
    ) {
        let (count, current) = (state.present().len(), state.current);
        for (stage, (loads, pass)) in self.stages[current].iter().enumerate() {
            loads.record(recorder, slot + stage);
            recorder.dispatch(pass, count, slot + stage);
        }
        let last = slot + self.stages[current].len();
        self.loads[current].record(recorder, last);
        recorder.dispatch(self.last.at(current, contacts), count, last);
    }
}
