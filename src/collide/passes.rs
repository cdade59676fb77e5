//! The passes of contact, in their order.

use glam::Vec4;

use super::arrays::{Arrays as CollideArrays, Sized};
use super::{Capacity, Tally};
use crate::Result;
use crate::gpu::types::{TALLY_WORDS, Tet};
use crate::gpu::{Binding, Bound, Buffer, Bytes, Context, Kernel, Recorder};
use crate::integrate::Arrays;
use crate::model::{Model, State};
use crate::prim::Scan;
use crate::scene::WorldSettings;

/// Contact between bodies: its arrays and passes.
#[derive(Debug)]
pub struct Collision {
    arrays: CollideArrays,
    passes: Passes,
    capacity: Capacity,
    tally: Tally,
    /// Which of the doubled arrays have the last step's records.
    last: usize,
    bodies: usize,
}

/// Bound kernels by the particle array that is read, and by the side that has the last step's records.
type Both = [[Bound; 2]; 2];

#[derive(Debug)]
struct Passes {
    body_boxes: Both,
    body_pairs: Both,
    grid_insert: Both,
    points_in_tets: Both,
    /// Where bodies can touch themselves.
    self_in_tets: Option<Both>,
    scan: [Scan; 2],
    border_penetration: Both,
    propagate: [Both; 2],
    contact_triangles: [Both; 2],
    contact_link: Both,
    project: Both,
    contact_impulse: Both,
    contact_move: Both,
}

impl Collision {
    /// The passes of a world.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        model: &Model,
        world: &WorldSettings,
        capacity: Capacity,
    ) -> Result<Self> {
        let own = CollideArrays::new(arrays.context, model, world.integrator, capacity)?;
        let passes = Passes::new(arrays, &own, world.self_contact)?;
        Ok(Self {
            arrays: own,
            passes,
            capacity,
            tally: Tally::default(),
            last: 0,
            bodies: model.bodies.len(),
        })
    }

    /// Words that `status` needs to count the contacts of a submission of `steps` steps.
    pub fn tally_words(steps: usize) -> usize {
        TALLY_WORDS as usize * (1 + steps)
    }

    /// What submissions are recorded with.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// What was counted since the start.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// See [`Self::tally`].
    pub fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    /// Tetrahedra and their neighbours, on the device.
    pub fn tets(&self) -> &Buffer<Tet> {
        &self.arrays.tets
    }

    /// Records with another capacity from here on.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn set_capacity(&mut self, arrays: &Arrays<'_>, capacity: Capacity) -> Result<()> {
        let grows = capacity.records != self.capacity.records;
        if grows || capacity.sweeps != self.capacity.sweeps {
            self.arrays.resize(arrays.context, capacity)?;
        }
        if grows {
            let self_contact = self.passes.self_in_tets.is_some();
            self.passes = Passes::new(arrays, &self.arrays, self_contact)?;
        }
        self.capacity = capacity;
        Ok(())
    }

    /// After a submission was broken off or undone: leaves nothing behind of it.
    pub fn empty(&self, context: &Context) {
        self.arrays.empty(context);
    }

    /// What the next step takes over from the last.
    pub fn evolving(&self) -> [&dyn Bytes; 3] {
        [
            &self.arrays.record_first[self.last],
            &self.arrays.sized.contacts[self.last],
            &self.arrays.sized.impulses[self.last],
        ]
    }

    /// Finds the contacts and projects positions: what comes before the forces.
    pub fn detect(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize, chunks: usize) {
        let (now, last, passes) = (state.current, self.last, &self.passes);
        let particles = state.present().len();
        recorder.dispatch(&passes.body_boxes[now][last], 16 * chunks, slot);
        recorder.dispatch(&passes.body_pairs[now][last], self.bodies, slot);
        if !self.capacity.recorded {
            return;
        }
        recorder.dispatch(&passes.grid_insert[now][last], particles, slot);
        recorder.dispatch(
            &passes.points_in_tets[now][last],
            self.arrays.tets.len(),
            slot,
        );
        if let Some(self_in_tets) = &passes.self_in_tets {
            recorder.dispatch(&self_in_tets[now][last], self.arrays.tets.len(), slot);
        }
        passes.scan[last].record(recorder);
        recorder.dispatch(&passes.border_penetration[now][last], particles, slot);
        let records = self.capacity.records;
        let sweeps = self.capacity.sweeps as usize;
        for sweep in 0..sweeps {
            recorder.dispatch(&passes.propagate[sweep % 2][now][last], records, slot);
        }
        recorder.dispatch(
            &passes.contact_triangles[sweeps % 2][now][last],
            records,
            slot,
        );
        recorder.dispatch(&passes.contact_link[now][last], records, slot);
        recorder.dispatch(&passes.project[now][last], particles, slot);
    }

    /// Impulses and the move: what comes after the forces. `before` is the particle array of the step's start.
    pub fn respond(
        &mut self,
        recorder: &mut Recorder<'_>,
        state: &State,
        before: usize,
        slot: usize,
    ) {
        if !self.capacity.recorded {
            return;
        }
        let (last, passes) = (self.last, &self.passes);
        let records = self.capacity.records;
        recorder.dispatch(&passes.contact_impulse[before][last], records, slot);
        let particles = state.present().len();
        recorder.dispatch(&passes.contact_move[before][last], particles, slot);
        self.last = 1 - last;
    }
}

impl Passes {
    fn new(arrays: &Arrays<'_>, own: &CollideArrays, self_contact: bool) -> Result<Self> {
        let sized = &own.sized;
        let plain = |name: &str| bind(arrays, own, name, |_| Vec::new());
        let penetrations = |name: &str, from: usize| {
            bind(arrays, own, name, |_| {
                vec![
                    sized.penetrations[from].bind("penetrations_in"),
                    sized.penetrations[1 - from].bind("penetrations_out"),
                ]
            })
        };
        type Side = fn(&Sized, usize) -> &Buffer<Vec4>;
        let (warm, last, now): (Side, Side, Side) = (
            |sized, _| &sized.warm_impulses,
            |sized, last| &sized.impulses[last],
            |sized, last| &sized.impulses[1 - last],
        );
        let impulses = |name: &str, from: Side, to: Side| {
            bind(arrays, own, name, |last| {
                vec![
                    from(sized, last).bind("impulses_in"),
                    to(sized, last).bind("impulses_out"),
                ]
            })
        };
        let scan = |last: usize| Scan::new(arrays.context, &own.counts, &own.record_first[1 - last]);
        Ok(Self {
            body_boxes: plain("body_boxes"),
            body_pairs: plain("body_pairs"),
            grid_insert: plain("grid_insert"),
            points_in_tets: plain("points_in_tets"),
            self_in_tets: self_contact.then(|| plain("self_in_tets")),
            scan: [scan(0)?, scan(1)?],
            border_penetration: penetrations("border_penetration", 1),
            propagate: [penetrations("propagate", 0), penetrations("propagate", 1)],
            contact_triangles: [
                penetrations("contact_triangles", 0),
                penetrations("contact_triangles", 1),
            ],
            contact_link: impulses("contact_link", last, warm),
            project: plain("project"),
            contact_impulse: impulses("contact_impulse", warm, now),
            contact_move: impulses("contact_move", now, warm),
        })
    }
}

/// Binds a kernel for each particle array that may hold the state at the step's start, and each side that may have the
/// last step's records. Passes before the forces see that array as both `particles_in` and `particles_out`; those after
/// them see the other one as `particles_out` and `particles_free`.
fn bind<'a>(
    arrays: &'a Arrays<'a>,
    own: &'a CollideArrays,
    name: &str,
    others: impl Fn(usize) -> Vec<Binding<'a>>,
) -> Both {
    let kernel = Kernel::new(arrays.context, name);
    let after = matches!(name, "contact_impulse" | "contact_move");
    [0, 1].map(|start: usize| {
        [0, 1].map(|last| {
            let written = if after { 1 - start } else { start };
            let particles = &arrays.state.particles;
            let mut bindings = own.bindings(last);
            bindings.extend(others(last));
            bindings.extend([
                particles[start].bind("particles_in"),
                particles[written].bind("particles_out"),
                particles[written].bind("particles_free"),
            ]);
            arrays.bind(&kernel, &bindings)
        })
    })
}
