//! The passes that find contacts, in their order. The device decides whether they run.

use super::Capacity;
use super::arrays::Arrays as CollideArrays;
use super::broad::{self, Pass};
use super::colliders::ColliderSearch;
use super::passes::{Both, bind};
use super::produce::PRODUCERS;
use crate::Result;
use crate::gpu::types::{
    BODY_LEVELS, CHUNK, CLEARED, Collide, ROUND_WORDS, SCAN_BLOCK, SCAN_ITEMS, WORKGROUP,
};
use crate::gpu::{Bound, Buffer, Recorder, groups};
use crate::integrate::Arrays;
use crate::model::Model;
use crate::prim::{Scan, sort_threads};

/// What a pass of the search has a thread for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    Particles,
    Features,
    /// One more than features, as many as degrees of freedom and bodies; a part of the lists of points and edges.
    Begin,
    /// A workgroup each.
    Chunks,
    Bodies,
    Tets,
    Edges,
    /// Particles, then the triangles that spheres may touch.
    Spheres,
    SphereLists,
    Records,
    /// Of a scan over features.
    Blocks,
    /// Of a scan over particles.
    ListBlocks,
    /// Of the scan over the lists of the grid of bodies.
    CellBlocks,
    /// At least as many as levels of their grid.
    Poses,
    Colliders,
    /// Of the scan over the lists of the grid of colliders.
    ColliderBlocks,
    /// Of a scan over records.
    RecordBlocks,
    /// A workgroup for each [`CHUNK`] colliders that are no obstacles.
    ColliderChunks,
    /// Of the sort of the sweep over colliders, and of the scan over what that counts.
    SortBlocks,
    SortSums,
    One,
}

impl Extent {
    const ALL: [Self; 21] = [
        Self::Particles,
        Self::Features,
        Self::Begin,
        Self::Chunks,
        Self::Bodies,
        Self::Tets,
        Self::Edges,
        Self::Spheres,
        Self::SphereLists,
        Self::Records,
        Self::Blocks,
        Self::ListBlocks,
        Self::CellBlocks,
        Self::Poses,
        Self::Colliders,
        Self::ColliderBlocks,
        Self::RecordBlocks,
        Self::ColliderChunks,
        Self::SortBlocks,
        Self::SortSums,
        Self::One,
    ];

    /// Its first word among the numbers of workgroups.
    fn word(self) -> usize {
        ROUND_WORDS as usize + 3 * self as usize
    }
}

/// The workgroups that depend on how many records there is room for, and their first words.
pub(super) fn groups_of(records: usize) -> [(usize, [u32; 3]); 2] {
    [(Extent::Records, records), (Extent::RecordBlocks, blocks(records))]
        .map(|(extent, threads)| (extent.word(), groups(threads, WORKGROUP)))
}

/// Threads of a scan over so many items.
fn blocks(items: usize) -> usize {
    items.div_ceil(SCAN_BLOCK as usize).max(1) * (SCAN_BLOCK / SCAN_ITEMS) as usize
}

/// The passes of a scan whose blocks have this extent.
pub(super) fn scan_passes(scan: Scan, extent: Extent) -> impl Iterator<Item = (Extent, Pass)> {
    scan.into_passes().into_iter().map(move |(bound, threads)| match threads {
        1 => (Extent::One, Pass::Either(bound)),
        _ => (extent, Pass::Either(bound)),
    })
}

/// No workgroups of further iterations, then those of each extent, three words each.
pub(super) fn plan(model: &Model, chunks: usize, constants: &Collide) -> Vec<u32> {
    let features = constants.feature_count as usize;
    let dofs = model.positions.len() + model.poses.len();
    let threads = |extent| match extent {
        Extent::Particles => model.positions.len(),
        Extent::Features => features,
        Extent::Begin => {
            let lists = (constants.levels * constants.table).max(constants.edge_table) / CLEARED;
            (features + 1).max(dofs).max(model.bodies.len()).max(lists as usize)
        }
        Extent::Chunks => WORKGROUP as usize * chunks,
        Extent::Bodies => model.bodies.len(),
        Extent::Tets => model.tets.len(),
        Extent::Edges => constants.edge_count as usize,
        Extent::Spheres => model.positions.len() + constants.triangle_count as usize,
        Extent::SphereLists => constants.sphere_table as usize,
        Extent::Records => constants.capacity as usize,
        Extent::Blocks => blocks(features),
        Extent::ListBlocks => blocks(dofs),
        Extent::CellBlocks => blocks(constants.body_table as usize),
        Extent::Poses => model.poses.len().max(2 * BODY_LEVELS as usize),
        Extent::Colliders => constants.collider_count as usize,
        Extent::ColliderBlocks => blocks(constants.collider_table as usize),
        Extent::RecordBlocks => blocks(constants.capacity as usize),
        Extent::ColliderChunks => {
            WORKGROUP as usize * model.first_obstacle.div_ceil(CHUNK as usize)
        }
        Extent::SortBlocks => sort_threads(model.first_obstacle)[0],
        Extent::SortSums => sort_threads(model.first_obstacle)[1],
        Extent::One => 1,
    };
    let search = Extent::ALL.into_iter().flat_map(|extent| groups(threads(extent), WORKGROUP));
    [0; ROUND_WORDS as usize].into_iter().chain(search).collect()
}

/// The passes of a search.
#[derive(Debug)]
pub(super) struct Search {
    /// Whether bodies can touch themselves.
    pub self_contact: bool,
    /// Which bodies are near each other.
    broad: Vec<(Extent, Pass)>,
    /// Where any are, which features lie in which bodies, and where their records begin.
    narrow: Vec<(Extent, Both)>,
    scan: Scan,
    /// What is known of the search before, and the penetration vectors of points at the border.
    begin: Vec<(Extent, Both)>,
    /// Where anything deforms: penetration vectors further inside, and the contacts that they lead to.
    propagate: Option<[[Both; 2]; 2]>,
    /// Of the other producers; what all contacts have.
    contacts: Vec<(Extent, Pass)>,
    list_scan: Scan,
    /// The contacts of each particle, in any order; long lists by parts; all in order.
    fill: Both,
    sort: Both,
    rank: Both,
    /// Pairs of colliders that are only seams in what one of them lies on touch no more.
    seams: Vec<(Extent, Both)>,
}

/// What poses lie on, and which pairs are only seams in it.
const SEAMS: [(Extent, &str); 2] =
    [(Extent::Poses, "pose_planes"), (Extent::Records, "manifold_seams")];

/// Of bodies that touch themselves: patches that have come to lie beside others.
const FOLDS: [(Extent, &str); 2] = [
    // Patches are fewer.
    (Extent::Particles, "fold_patches"),
    (Extent::Particles, "fold_pairs"),
];

impl Search {
    /// Binds the passes.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>, own: &CollideArrays, self_contact: bool) -> Result<Self> {
        let list = |passes: &[(Extent, &str)], from: usize| -> Vec<(Extent, Both)> {
            let bound = passes.iter();
            bound.map(|(extent, name)| (*extent, bind(arrays, own, name, from, &[]))).collect()
        };
        let either = |passes: &[(Extent, &str)]| {
            list(passes, 0).into_iter().map(|(extent, both)| (extent, Pass::Both(both)))
        };
        let self_contact = self_contact && !own.patches.is_empty();
        let deforms = own.deforms;
        let folds = if self_contact { &FOLDS[..] } else { &[] };
        let boxes = if deforms { &[(Extent::Chunks, "body_boxes")][..] } else { &[] };
        let boxes = [&[(Extent::Begin, "contact_begin")], boxes, folds].concat();
        let mut broad: Vec<_> = either(&boxes).collect();
        if deforms {
            broad.extend(broad::passes(arrays, own)?);
        }
        let needed = || {
            let all = PRODUCERS.iter().filter(|_| deforms);
            all.filter(|producer| (producer.is_needed)(own, self_contact))
        };
        let narrow: Vec<_> = needed().flat_map(|producer| producer.count).copied().collect();
        let begin = [(Extent::Features, "contact_match"), (Extent::Records, "border_penetration")];
        let begin = if deforms { &begin[..] } else { &[] };
        let contacts = needed().flat_map(|producer| producer.fill).copied();
        let mut contacts: Vec<_> = either(&contacts.collect::<Vec<_>>()).collect();
        if let Some(colliders) = ColliderSearch::new(arrays, own)? {
            broad.extend(colliders.broad);
            contacts.extend(colliders.fill);
            if deforms {
                contacts.extend(either(&[(Extent::Records, "contact_carry")]));
            }
        }
        contacts.extend(either(&[(Extent::Records, "contact_setup")]));
        let single = |name: &str| bind(arrays, own, name, 0, &[]);
        let both = |name: &str| [0, 1].map(|from| bind(arrays, own, name, from, &[]));
        Ok(Self {
            self_contact,
            broad,
            narrow: list(&narrow, 0),
            scan: Scan::new(arrays.context, &own.counts, &own.record_first)?,
            begin: list(begin, 1),
            propagate: deforms.then(|| [both("propagate"), both("contact_triangles")]),
            contacts,
            list_scan: Scan::new(arrays.context, &own.list_counts, &own.list_first)?,
            fill: single("contact_fill"),
            sort: single("contact_sort"),
            rank: single("contact_rank"),
            seams: list(if own.colliders.any() { &SEAMS } else { &[] }, 0),
        })
    }

    /// Records the search in the particle array `now`, by the workgroups that the device has set.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        dispatches: &Buffer<u32>,
        capacity: Capacity,
        [now, slot]: [usize; 2],
    ) {
        fn of(passes: &[(Extent, Both)], now: usize) -> impl Iterator<Item = (Extent, &Bound)> {
            passes.iter().map(move |(extent, both)| (*extent, &both[now]))
        }
        fn scan(scan: &Scan, blocks: Extent) -> impl Iterator<Item = (Extent, &Bound)> {
            let extent = move |threads: usize| if threads == 1 { Extent::One } else { blocks };
            scan.passes().iter().map(move |(bound, threads)| (extent(*threads), bound))
        }
        fn at(passes: &[(Extent, Pass)], now: usize) -> impl Iterator<Item = (Extent, &Bound)> {
            passes.iter().map(move |(extent, pass)| (*extent, pass.at(now)))
        }
        let mut passes: Vec<_> = at(&self.broad, now).collect();
        if capacity.stages.are_recorded() {
            passes.extend(of(&self.narrow, now));
            passes.extend(scan(&self.scan, Extent::Blocks));
            passes.extend(of(&self.begin, now));
            if let Some([propagate, triangles]) = &self.propagate {
                let sweeps = capacity.sweeps as usize;
                let sweep = |sweep: usize| (Extent::Records, &propagate[sweep % 2][now]);
                passes.extend((0..sweeps).map(sweep));
                passes.push((Extent::Records, &triangles[sweeps % 2][now]));
            }
            passes.extend(at(&self.contacts, now));
            passes.extend(scan(&self.list_scan, Extent::ListBlocks));
            passes.push((Extent::Records, &self.fill[now]));
            if capacity.slices.are_recorded() {
                passes.push((Extent::Records, &self.sort[now]));
            }
            passes.push((Extent::Records, &self.rank[now]));
            passes.extend(of(&self.seams, now));
        }
        for (extent, bound) in passes {
            recorder.dispatch_indirect(bound, dispatches, extent.word(), slot);
        }
    }
}
