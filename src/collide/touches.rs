//! What bodies did to each other in a submission, added up on the device.

use glam::UVec4;

use super::edges::sharp_edges;
use super::passes::{Both, Collision, bind};
use crate::Result;
use crate::gpu::types::{MAX_TOUCHES, SLICE, TouchSum};
use crate::gpu::{Buffer, Bytes, Kernel, Pending, Recorder, elements};
use crate::integrate::Arrays;
use crate::model::{Model, State};
use crate::prim::Scan;

/// The passes that add up what contacts did, and their arrays: sums per SLICE records, a list per body, a list of all.
#[derive(Debug)]
pub struct TouchPasses {
    slices: Both,
    bodies: Both,
    scan: Scan,
    list: crate::gpu::Bound,
    counts: Buffer<u32>,
    dropped: Buffer<u32>,
    offsets: Buffer<u32>,
    touches: Buffer<TouchSum>,
    slice_count: usize,
}

/// Sums of what one body's features did to another, those of each body behind those of the bodies before it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Touches {
    /// As many as there was room for.
    pub sums: Vec<TouchSum>,
    /// Sums that there was no room for, and contacts that are in none.
    pub dropped: u64,
}

impl TouchPasses {
    /// With room for `most` sums.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        model: &Model,
        collision: &Collision,
        most: usize,
    ) -> Result<Self> {
        let context = arrays.context;
        let bodies = model.bodies.len();
        let slice_count = collision.capacity().records.div_ceil(SLICE as usize);
        let counts = Buffer::zeroed(context, "touch_counts", bodies)?;
        let dropped = Buffer::zeroed(context, "touch_dropped", bodies)?;
        let offsets = Buffer::zeroed(context, "touch_offsets", bodies + 1)?;
        let touches = Buffer::zeroed(context, "touches", most)?;
        let lists =
            Buffer::<TouchSum>::zeroed(context, "touch_lists", MAX_TOUCHES as usize * bodies)?;
        let parts =
            Buffer::<TouchSum>::zeroed(context, "touch_parts", SLICE as usize * slice_count)?;
        let slice_counts = Buffer::<u32>::zeroed(context, "slice_counts", slice_count)?;
        let ranges = Buffer::new(context, "touch_ranges", &ranges(model))?;
        let others = [
            parts.bind("touch_parts"),
            slice_counts.bind("slice_counts"),
            ranges.bind("touch_ranges"),
            lists.bind("touch_lists"),
            counts.bind("touch_counts"),
            dropped.bind("touch_dropped"),
            touches.bind("touches"),
            offsets.bind("offsets"),
        ];
        let list = arrays.bind(&Kernel::new(context, "touch_list"), &others);
        Ok(Self {
            slices: bind(arrays, collision.arrays(), "touch_slices", 0, &others),
            bodies: bind(arrays, collision.arrays(), "touch_bodies", 0, &others),
            scan: Scan::new(context, &counts, &offsets)?,
            list,
            slice_count,
            counts,
            dropped,
            offsets,
            touches,
        })
    }

    /// Nothing has touched yet.
    pub fn begin(&self, recorder: &mut Recorder<'_>) {
        for array in [&self.counts, &self.dropped] {
            recorder.encoder().clear_buffer(array.raw(), 0, None);
        }
    }

    /// Adds the contacts of the last step. Slot: of that step.
    pub fn add(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.slices[state.current], self.slice_count, slot);
        recorder.dispatch(&self.bodies[state.current], self.counts.len(), slot);
    }

    /// Makes the list of all, and sends it on its way.
    pub fn end(&self, recorder: &mut Recorder<'_>) -> Pending<Touches> {
        self.scan.record(recorder);
        recorder.dispatch(&self.list, self.counts.len(), 0);
        let bodies = self.counts.len() as u64;
        let parts: [(&dyn Bytes, _); 3] = [
            (&self.touches, 0..self.touches.size()),
            (&self.offsets, 4 * bodies..4 * bodies + 4),
            (&self.dropped, 0..4 * bodies),
        ];
        let room = self.touches.len();
        Pending::record(recorder, &parts, move |bytes| {
            let (sums, words) = bytes.split_at(bytes.len() - 4 * (bodies as usize + 1));
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(words);
            let count = words[0] as usize;
            let mut sums = elements::<TouchSum>(sums, room)?;
            sums.truncate(count);
            let dropped: u64 = words[1..].iter().map(|word| u64::from(*word)).sum();
            Ok(Touches {
                dropped: dropped + count.saturating_sub(room) as u64,
                sums,
            })
        })
    }
}

/// Where each body's particles begin and end among the features, and its sharp edges.
fn ranges(model: &Model) -> Vec<UVec4> {
    let particles = model.positions.len() as u32;
    let edges = sharp_edges(model);
    // They are in order of their first particle.
    let edge = |particle: u32| particles + edges.partition_point(|e| e.ends.x < particle) as u32;
    let range = |body: &crate::model::BodyRanges| {
        let [first, end] = [body.particles.start as u32, body.particles.end as u32];
        UVec4::new(first, end, edge(first), edge(end))
    };
    model.bodies.iter().map(range).collect()
}
