//! Vertex block descent (Chen, Liu, Yang, Yuksel 2024, "Vertex Block Descent"): implicit Euler as the minimum of a sum of
//! terms of a few vertices each, approached by minimising along one vertex at a time, colour by colour.

use std::ops::Range;

use super::implicit::{ImplicitStep, guess};
use super::part::Part;
use super::{Advance, Arrays};
use crate::Result;
use crate::collide::Collision;
use crate::family::{At, Family, Passes};
use crate::gpu::types::Sim;
use crate::gpu::{Bound, Recorder};
use crate::model::{State, Vertices};

/// An implicit step by sweeps over all vertices.
#[derive(Debug)]
pub struct Vbd {
    step: ImplicitStep,
    /// What presses on the iterate beside contacts, by the array that a step starts from.
    contact_blocks: [Passes; 2],
    /// For each array that a step starts from, the passes over the colours in order, each with its number of threads.
    colors: [Vec<(Bound, usize)>; 2],
    /// Of poses, where they can touch what deforms: what families do to them, by the array that a step starts from, and their
    /// sweep.
    poses: Option<([Passes; 2], Bound)>,
    /// What solids have done, where contact events are asked for.
    pushes: Option<[Bound; 2]>,
    iterations: u32,
}

impl Vbd {
    /// Binds the passes. `collision`: where bodies can touch.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        collision: Option<&Collision>,
        iterations: u32,
    ) -> Result<Self> {
        let kernel = arrays.kernel("vbd_solve");
        let vertices = arrays.model.vertices.iter();
        let colors = [0, 1].map(|from: usize| {
            let out = &arrays.state.particles[1 - from];
            let bind = |vertices: &Vertices| -> Vec<(Bound, usize)> {
                let color = |part: &Range<usize>| {
                    let bindings = [
                        out.bind("particles_out"),
                        vertices.vertices.bind_part("color", part.clone()),
                        vertices.tets.binding(),
                    ];
                    (arrays.bind(&kernel, &bindings), part.len())
                };
                vertices.colors.iter().map(color).collect()
            };
            vertices.clone().flat_map(bind).collect()
        });
        Ok(Self {
            step: ImplicitStep::new(arrays, collision, arrays.elements.ties.is_some())?,
            contact_blocks: [0, 1].map(|from: usize| {
                let out = &arrays.state.particles[1 - from];
                let at = At::state(arrays, out).with(out.bind("particles_out"));
                arrays.elements.passes(&at, Family::contact_blocks)
            }),
            colors,
            poses: collision.filter(|_| arrays.model.content.poses).map(|collision| {
                let own = collision.bindings();
                let holds = [0, 1].map(|from: usize| {
                    let at = At::state(arrays, &arrays.state.particles[1 - from]).and(&own);
                    arrays.elements.passes(&at, Family::pose_holds)
                });
                (holds, arrays.bind(&arrays.kernel("pose_descend"), &own))
            }),
            pushes: arrays.keep_pushes().then(|| arrays.bind_both("solid_pushes", &[])),
            iterations,
        })
    }
}

impl Advance for Vbd {
    fn solves_contacts(&self) -> bool {
        true
    }

    fn start(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        self.step.start(recorder, state, part);
    }

    fn slots(&self) -> usize {
        3
    }

    fn fill(&self, sim: Sim) -> Vec<Sim> {
        let first = Sim { first_stage: 1, ..sim };
        vec![guess(sim), first, sim]
    }

    fn advance(
        &self,
        recorder: &mut Recorder<'_>,
        state: &mut State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        let from = self.step.begin(recorder, state, slot);
        for iteration in 0..self.iterations {
            let slot = slot + 1 + usize::from(iteration > 0);
            self.step.press(recorder, state, slot, contacts);
            self.contact_blocks[from].record(recorder, slot);
            if let (Some((holds, poses)), Some(_)) =
                (&self.poses, contacts.filter(|all| all.is_recorded()))
            {
                holds[from].record(recorder, slot);
                recorder.dispatch(poses, state.poses.len(), slot);
            }
            self.step.coarse.record(recorder, from, slot);
            for (pass, threads) in &self.colors[from] {
                recorder.dispatch(pass, *threads, slot);
            }
        }
        if let Some(pushes) = &self.pushes {
            recorder.dispatch(&pushes[from], state.present().len(), slot);
        }
        self.step.end(recorder, state, slot, contacts);
    }
}
