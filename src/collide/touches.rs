//! What bodies did to each other and solids to bodies since a call of `step` began, added up on the device.

use glam::UVec2;

use super::edges::sharp_edges;
use super::passes::{Both, Collision, bind};
use crate::Result;
use crate::gpu::types::{MAX_TOUCHES, MAX_TOUCHING, PUSH_WORDS, SLICE, TouchSum, WORKGROUP};
use crate::gpu::{Binding, Buffer, Bytes, Context, Kernel, Pending, Recorder, elements};
use crate::integrate::Arrays;
use crate::model::{BodyRanges, Model, State};
use crate::prim::Scan;

/// What each body touched since they were cleared: a list per body, and what had no room there.
#[derive(Debug)]
pub struct TouchLists {
    lists: Buffer<TouchSum>,
    counts: Buffer<u32>,
    dropped: Buffer<u32>,
}

impl TouchLists {
    /// Empty ones of so many bodies.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, bodies: usize) -> Result<Self> {
        Ok(Self {
            lists: Buffer::zeroed(context, "touch_lists", MAX_TOUCHES as usize * bodies)?,
            counts: Buffer::zeroed(context, "touch_counts", bodies)?,
            dropped: Buffer::zeroed(context, "touch_dropped", bodies)?,
        })
    }

    /// Nothing has touched yet.
    pub fn clear(&self, context: &Context) {
        for array in [&self.counts, &self.dropped] {
            array.write(context, 0, &vec![0; array.len()]);
        }
    }

    /// What goes on from step to step.
    pub fn evolving(&self) -> [&dyn Bytes; 3] {
        [&self.lists, &self.counts, &self.dropped]
    }
}

/// The passes that add up what contacts did, and the list of all.
#[derive(Debug)]
pub struct TouchPasses {
    records: Option<Sums>,
    pushes: Option<Sums>,
    scan: Scan,
    list: crate::gpu::Bound,
    bodies: usize,
    offsets: Buffer<u32>,
    touches: Buffer<TouchSum>,
}

/// What adds up parts of what happened, and then each body's parts.
#[derive(Debug)]
struct Sums {
    parts: Both,
    bodies: Both,
    part_count: usize,
}

/// Sums of what other bodies and solids did to each body, those of a body behind those of the bodies before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touches {
    /// As many as there was room for.
    pub sums: Vec<TouchSum>,
    /// Sums that there was no room for, and contacts that are in none.
    pub dropped: u64,
}

impl TouchPasses {
    /// With room for `most` sums. `collision`: where bodies can touch. Of solids there are sums where the world has any, if
    /// `status` has [room](push_room) for their pushes.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        model: &Model,
        collision: Option<&Collision>,
        lists: &TouchLists,
        most: usize,
    ) -> Result<Self> {
        let context = arrays.context;
        let bodies = model.bodies.len();
        let offsets = Buffer::zeroed(context, "touch_offsets", bodies + 1)?;
        let touches = Buffer::zeroed(context, "touches", most)?;
        let bindings = [
            lists.lists.binding(),
            lists.counts.binding(),
            lists.dropped.binding(),
            touches.binding(),
            offsets.bind("offsets"),
        ];
        let records = |collision| of_records(arrays, model, collision, &bindings);
        let solids = arrays.model.content.solids;
        let list = arrays.bind(&Kernel::new(context, "touch_list"), &bindings);
        Ok(Self {
            records: collision.map(records).transpose()?,
            pushes: solids.then(|| of_pushes(arrays, &bindings)).transpose()?,
            scan: Scan::new(context, &lists.counts, &offsets)?,
            list,
            bodies,
            offsets,
            touches,
        })
    }

    /// Whether there is anything to add up. `recorded`: whether contacts of bodies are.
    pub fn learn(&self, recorded: bool) -> bool {
        self.pushes.is_some() || (recorded && self.records.is_some())
    }

    /// Adds the contacts of the last step: those of bodies, if they are recorded, and those with solids. Slot: of that step.
    pub fn add(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize, recorded: bool) {
        let records = self.records.as_ref().filter(|_| recorded);
        let threads = WORKGROUP as usize;
        for sums in records.into_iter().chain(&self.pushes) {
            recorder.dispatch(&sums.parts[state.current], sums.part_count * threads, slot);
            recorder.dispatch(&sums.bodies[state.current], self.bodies * threads, slot);
        }
    }

    /// Makes the list of all, and sends it on its way.
    pub fn end(&self, recorder: &mut Recorder<'_>, lists: &TouchLists) -> Pending<Touches> {
        self.scan.record(recorder);
        recorder.dispatch(&self.list, self.bodies, 0);
        let bodies = self.bodies as u64;
        let parts: [(&dyn Bytes, _); 3] = [
            (&self.touches, 0..self.touches.size()),
            (&self.offsets, 4 * bodies..4 * bodies + 4),
            (&lists.dropped, 0..4 * bodies),
        ];
        let room = self.touches.len();
        Pending::record(recorder, &parts, move |bytes| {
            let (sums, words) = bytes.split_at(bytes.len() - 4 * (bodies as usize + 1));
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(words);
            let count = words[0] as usize;
            let mut sums = elements::<TouchSum>(sums, room)?;
            sums.truncate(count);
            let dropped: u64 = words[1..].iter().map(|word| u64::from(*word)).sum();
            Ok(Touches { dropped: dropped + count.saturating_sub(room) as u64, sums })
        })
    }
}

/// Of the records of contacts between bodies: of SLICE at a time.
fn of_records(
    arrays: &Arrays<'_>,
    model: &Model,
    collision: &Collision,
    bindings: &[Binding<'_>],
) -> Result<Sums> {
    let context = arrays.context;
    let part_count = collision.capacity().records.div_ceil(SLICE as usize);
    let parts = Buffer::<TouchSum>::zeroed(context, "touch_parts", SLICE as usize * part_count)?;
    let counts = Buffer::<u32>::zeroed(context, "slice_counts", part_count)?;
    let ranges = Buffer::new(context, "touch_ranges", &ranges(model))?;
    let mut bindings = bindings.to_vec();
    bindings.extend([parts.binding(), counts.binding(), ranges.binding()]);
    let bind = |kernel| bind(arrays, collision.arrays(), kernel, 0, &bindings);
    Ok(Sums { parts: bind("touch_slices"), bodies: bind("touch_bodies"), part_count })
}

/// Of what solids do: of a chunk of particles at a time.
fn of_pushes(arrays: &Arrays<'_>, bindings: &[Binding<'_>]) -> Result<Sums> {
    let context = arrays.context;
    let part_count = arrays.model.chunks.len();
    let most = MAX_TOUCHES as usize * part_count;
    let touches = Buffer::<TouchSum>::zeroed(context, "chunk_touches", most)?;
    let counts = Buffer::<UVec2>::zeroed(context, "chunk_counts", part_count)?;
    let mut bindings = bindings.to_vec();
    bindings.extend([touches.binding(), counts.binding()]);
    let bind = |kernel| arrays.bind_both(kernel, &bindings);
    Ok(Sums { parts: bind("touch_chunks"), bodies: bind("touch_solids"), part_count })
}

/// Words behind the others of `status` that the pushes of solids take, on so many particles.
pub fn push_room(particles: usize) -> usize {
    (PUSH_WORDS * MAX_TOUCHING) as usize * particles
}

/// Where each body's particles begin and end among the features, then its sharp edges, then its colliders.
fn ranges(model: &Model) -> Vec<UVec2> {
    let particles = model.positions.len() as u32;
    let edges = sharp_edges(model);
    // They are in order of their first particle, and colliders in that of their bodies.
    let edge = |particle: u32| particles + edges.partition_point(|e| e.ends.x < particle) as u32;
    let own = &model.colliders[..model.first_obstacle];
    let first = particles + edges.len() as u32;
    let collider = |body: u32| first + own.partition_point(|c| c.body < body) as u32;
    let range = |(body, ranges): (u32, &BodyRanges)| {
        let [first, end] = [ranges.particles.start as u32, ranges.particles.end as u32];
        let edges = UVec2::new(edge(first), edge(end));
        [UVec2::new(first, end), edges, UVec2::new(collider(body), collider(body + 1))]
    };
    (0..).zip(&model.bodies).flat_map(range).collect()
}
