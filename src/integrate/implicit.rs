//! What implicit integrators share: implicit Euler, v⁺ = v + h a(x⁺, v⁺), x⁺ = x + h v⁺, begins and ends with the same
//! passes, and feels solids and contacts in the same way, whatever approaches its solution in between.

use super::Arrays;
use super::coarse::Coarse;
use super::part::{Domain, Part};
use crate::Result;
use crate::collide::Collision;
use crate::gpu::types::{BodyMotion, IMPLICIT_GUESS, ISLAND_WORDS, MomentumPart, Sim, WORKGROUP};
use crate::gpu::{Binding, Bound, Buffer, Recorder};
use crate::model::State;

/// Bodies up to which each looks through all others for those of its island: four dispatches in place of one take longer.
const FEW: usize = 128;

/// The passes that sum over the islands of many bodies.
const SUMS: [&str; 4] = ["island_clear", "island_scale", "island_add", "island_shift"];

/// The constants that a step begins with.
pub fn guess(sim: Sim) -> Sim {
    Sim { implicit: IMPLICIT_GUESS, ..sim }
}

/// The passes around the iterations of an implicit step, each by the particle array that the step starts from.
#[derive(Debug)]
pub struct ImplicitStep {
    start: [Bound; 2],
    begin: [Bound; 2],
    /// Of each body as a whole: it carries the first iterate on.
    pub(super) coarse: Coarse,
    press: [Bound; 2],
    momentum: [Bound; 2],
    /// Of bodies of many chunks.
    total: Bound,
    island: Bound,
    shift: Bound,
    /// Of poses, where they can touch what deforms: what they lack of their momentum, and get.
    poses: Option<[Bound; 2]>,
    /// Where bodies are many, what sums over islands in place of `shift`.
    sums: Option<[Bound; 4]>,
    end: [Bound; 2],
    /// The caller's forces.
    applied: Option<Bound>,
    /// Whether there are solids, or contacts between bodies.
    touches: bool,
    /// Whether anything presses on particles within the iterations.
    pressed: bool,
    /// Whether there are ties.
    ties: bool,
    particles: usize,
    chunks: usize,
    long: usize,
    bodies: usize,
}

impl ImplicitStep {
    /// Binds the passes. `collision`: where bodies can touch. `pressed`: whether the integrator has something else press on
    /// particles.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>, collision: Option<&Collision>, pressed: bool) -> Result<Self> {
        let (context, model) = (arrays.context, arrays.model);
        let momenta = Buffer::<MomentumPart>::zeroed(
            context,
            "momenta",
            model.chunks.len() + model.long_bodies(),
        )?;
        let shifts = Buffer::<BodyMotion>::zeroed(context, "body_shifts", model.bodies.len())?;
        let many = model.bodies.len() > FEW;
        let words = if many { ISLAND_WORDS as usize * model.bodies.len() } else { 0 };
        let island_sums = Buffer::<u32>::zeroed(context, "island_sums", words)?;
        let sums = [momenta.binding(), shifts.binding(), island_sums.binding()];
        let bind = |kernel| arrays.bind_both(kernel, &sums);
        let applied = arrays.elements.applied.as_ref().map(|applied| {
            let others = [Binding::vectors("applied", applied)];
            arrays.bind(&arrays.kernel("applied_start"), &others)
        });
        let shift = |name| arrays.bind(&arrays.kernel(name), &sums);
        Ok(Self {
            start: bind("implicit_start"),
            begin: bind("implicit_begin"),
            coarse: Coarse::new(arrays)?,
            press: bind("augment_fixed"),
            momentum: bind("implicit_momentum"),
            total: shift("implicit_total"),
            island: arrays.bind(&arrays.kernel("island_start"), &[]),
            shift: shift("implicit_shift"),
            poses: collision.filter(|_| model.content.poses).map(|collision| {
                let others = [&collision.bindings(), &sums[..]].concat();
                ["pose_momentum", "pose_shift"]
                    .map(|name| arrays.bind(&arrays.kernel(name), &others))
            }),
            sums: many.then(|| SUMS.map(shift)),
            end: bind("implicit_end"),
            applied,
            touches: collision.is_some() || model.content.solids,
            pressed: collision.is_some() || model.content.solids || pressed,
            ties: arrays.elements.ties.is_some(),
            particles: arrays.state.present().len(),
            chunks: model.chunks.len(),
            long: model.long_bodies(),
            bodies: model.bodies.len(),
        })
    }

    /// Whether there is anything to touch.
    pub fn touches(&self) -> bool {
        self.touches
    }

    /// Records what turns the velocities of a part at the start into what a step begins with.
    pub fn start(&self, recorder: &mut Recorder<'_>, state: &State, part: &Part) {
        let start = &self.start[state.current];
        part.dispatch(recorder, start, self.particles, Domain::Particles);
    }

    /// Records the begin, in a slot of [`guess`]: from then on the present state is the iterate. The array that the step starts
    /// from.
    pub fn begin(&self, recorder: &mut Recorder<'_>, state: &mut State, slot: usize) -> usize {
        let from = state.current;
        recorder.dispatch(&self.begin[from], self.particles, slot);
        if let Some(applied) = &self.applied {
            recorder.dispatch(applied, self.particles, slot);
        }
        if !self.pressed {
            // Nothing does, whatever did in a step of other attachments or of a saved state.
            recorder.dispatch(&self.press[from], self.particles, slot);
        }
        self.coarse.record(recorder, from, slot);
        state.current = 1 - from;
        from
    }

    /// Records how solids and contacts press on the present iterate.
    pub fn press(
        &self,
        recorder: &mut Recorder<'_>,
        state: &State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        if self.pressed {
            recorder.dispatch(&self.press[1 - state.current], self.particles, slot);
        }
        if let Some(contacts) = contacts {
            contacts.press(recorder, state, slot);
        }
    }

    /// Records the end: what nothing holds, bodies and what presses on each other, gets the momentum that it should have,
    /// and solids have the last word.
    pub fn end(
        &self,
        recorder: &mut Recorder<'_>,
        state: &State,
        slot: usize,
        contacts: Option<&Collision>,
    ) {
        let from = 1 - state.current;
        recorder.dispatch(&self.momentum[from], self.chunks * WORKGROUP as usize, slot);
        let contacts = contacts.filter(|contacts| contacts.is_recorded());
        // Where nothing touches poses have what they should.
        let poses = self.poses.as_ref().filter(|_| contacts.is_some());
        if let Some([momentum, _]) = poses {
            recorder.dispatch(momentum, state.poses.len(), slot);
        }
        recorder.dispatch(&self.total, self.long * WORKGROUP as usize, slot);
        // Where there are poses, bodies look up their islands in every step.
        let joined = self.ties || contacts.is_some() || !state.poses.is_empty();
        if joined {
            recorder.dispatch(&self.island, self.bodies, slot);
        }
        if let Some(contacts) = contacts {
            contacts.islands(recorder, slot);
        }
        match &self.sums {
            Some(sums) if joined => {
                sums.iter().for_each(|pass| recorder.dispatch(pass, self.bodies, slot));
            }
            _ => recorder.dispatch(&self.shift, self.bodies * WORKGROUP as usize, slot),
        }
        if let Some([_, shift]) = poses {
            recorder.dispatch(shift, state.poses.len(), slot);
        }
        recorder.dispatch(&self.end[from], self.particles, slot);
    }
}
