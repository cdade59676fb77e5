//! The passes of contact, in their order.

use std::ops::Range;

use super::arrays::Arrays as CollideArrays;
use super::rules::Rules;
use super::{Capacity, ContactStats};
use crate::gpu::types::{
    CONTACT_ROUNDS, Collide, Contact, ISLAND_ROUNDS, SCAN_BLOCK, SCAN_ITEMS, TALLY_WORDS,
};
use crate::gpu::{Binding, Bound, Buffer, Bytes, Context, Recorder, groups};
use crate::integrate::Arrays;
use crate::model::{Model, State};
use crate::prim::Scan;
use crate::scene::{Response, WorldSettings};
use crate::{Error, Result};

/// Threads of a workgroup of every pass.
pub(super) const WORKGROUP: u32 = 64;

/// Contact between bodies: its arrays and passes.
#[derive(Debug)]
pub struct Collision {
    arrays: CollideArrays,
    passes: Passes,
    capacity: Capacity,
    stats: ContactStats,
}

/// What a pass of the search has a thread for. The device decides whether they run.
#[derive(Clone, Copy, Debug)]
enum Extent {
    Particles,
    /// And one more.
    Features,
    /// 16 threads each.
    Chunks,
    Bodies,
    Tets,
    Edges,
    EdgeLists,
    /// Particles, then the triangles that spheres may touch.
    Spheres,
    SphereLists,
    Records,
    /// Of a scan.
    Blocks,
    One,
}

impl Extent {
    const ALL: [Self; 12] = [
        Self::Particles,
        Self::Features,
        Self::Chunks,
        Self::Bodies,
        Self::Tets,
        Self::Edges,
        Self::EdgeLists,
        Self::Spheres,
        Self::SphereLists,
        Self::Records,
        Self::Blocks,
        Self::One,
    ];

    /// Its first word among the numbers of workgroups.
    fn word(self) -> usize {
        3 * self as usize
    }
}

/// A kernel bound for either particle array that may hold the present state.
pub(super) type Both = [Bound; 2];

#[derive(Debug)]
struct Passes {
    watch: Both,
    begin: Both,
    body_boxes: Both,
    body_pairs: Both,
    grid_insert: Both,
    points_in_tets: Both,
    /// Where bodies can touch themselves.
    fold: Option<FoldPasses>,
    /// Where surfaces have sharp edges.
    edges: Option<EdgePasses>,
    /// Where there are clouds or shells.
    spheres: Option<SpherePasses>,
    scan: Scan,
    border_penetration: Both,
    recall: Both,
    propagate: [Both; 2],
    contact_triangles: [Both; 2],
    link: Both,
    gap: Both,
    rules: Rules,
    warm: Both,
    impulse: Both,
    apply: Both,
    again: Both,
    contact_move: Both,
    scale: Both,
    forget: Bound,
    /// What it forgets.
    forgotten: Buffer<u32>,
    /// Of implicit integrators, instead of the four before.
    press: Option<[Both; 2]>,
    islands: Option<IslandPasses>,
}

/// Of implicit integrators.
#[derive(Debug)]
struct IslandPasses {
    /// From the first array of labels to the second, and back.
    join: [Bound; 2],
    doubt: Bound,
}

#[derive(Debug)]
struct FoldPasses {
    patches: Both,
    pairs: Both,
    in_tets: Both,
}

#[derive(Debug)]
struct EdgePasses {
    begin: Both,
    insert: Both,
    in_tets: Both,
    contacts: Both,
}

#[derive(Debug)]
struct SpherePasses {
    begin: Both,
    insert: Both,
    find: Both,
    count: Both,
    contacts: Both,
}

impl Collision {
    /// The passes of a world.
    ///
    /// # Errors
    /// Clouds or shells with the source's response; an array that is too large for one buffer.
    pub fn new(
        arrays: &Arrays<'_>,
        model: &Model,
        world: &WorldSettings,
        capacity: Capacity,
    ) -> Result<Self> {
        refuse_round(model, world.response)?;
        let chunks = arrays.model.chunks.len();
        let plan = |constants: &Collide| plan(model, chunks, constants);
        let own = CollideArrays::new(arrays.context, model, world, capacity, &plan)?;
        let rules = Rules::new(arrays, &own, world.projection, world.response)?;
        let passes = Passes::new(arrays, &own, world.self_contact, rules)?;
        Ok(Self {
            arrays: own,
            passes,
            capacity,
            stats: ContactStats::default(),
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
    pub fn stats(&self) -> &ContactStats {
        &self.stats
    }

    /// See [`Self::stats`].
    pub fn stats_mut(&mut self) -> &mut ContactStats {
        &mut self.stats
    }

    /// The arrays of the contact stages.
    pub(super) fn arrays(&self) -> &CollideArrays {
        &self.arrays
    }

    /// What passes over the records bind.
    pub(crate) fn bindings(&self) -> Vec<Binding<'_>> {
        self.arrays.bindings(0)
    }

    /// The records of the last search as contacts.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn contacts(&self, context: &Context) -> Result<Vec<Contact>> {
        self.arrays.contacts(context)
    }

    /// The tetrahedra that hold each point or edge, as the last search found them: lists of `HIT_STRIDE` words.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn hits(&self, context: &Context) -> Result<Vec<u32>> {
        self.arrays.hits(context)
    }

    /// The number of records that arrays of these sizes are for, in the order of [`Self::evolving`].
    pub fn records_of(&self, sizes: &[u64]) -> Option<usize> {
        self.arrays.records_of(sizes)
    }

    /// Records with another capacity from here on. What evolves stays as it is.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn set_capacity(&mut self, arrays: &Arrays<'_>, capacity: Capacity) -> Result<()> {
        let grows = capacity.records != self.capacity.records;
        if grows {
            let groups = groups(capacity.records, WORKGROUP);
            let word = Extent::Records.word();
            self.arrays
                .resize(arrays.context, capacity.records, word, groups)?;
            self.bind_again(arrays)?;
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Binds the passes to arrays that are others.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn bind_again(&mut self, arrays: &Arrays<'_>) -> Result<()> {
        let self_contact = self.passes.fold.is_some();
        let rules = self.passes.rules.bind_again(arrays, &self.arrays)?;
        self.passes = Passes::new(arrays, &self.arrays, self_contact, rules)?;
        Ok(())
    }

    /// Takes over the contacts of a world to which particles and bodies have been added. `counts`: its particles and
    /// bodies, then ours.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn take_over(
        &self,
        context: &Context,
        from: &Self,
        counts: [[usize; 2]; 2],
    ) -> Result<()> {
        self.arrays.take_over(context, &from.arrays, counts)
    }

    /// What steps take over from those before them.
    pub fn evolving(&self) -> [&dyn Bytes; 5] {
        self.arrays.evolving()
    }

    /// What a search remembers of the one before.
    pub fn found(&self) -> [&dyn Bytes; 4] {
        self.arrays.found()
    }

    /// Finds contacts and projects positions: what comes before the forces. The search
    /// runs only when something has moved since the last one.
    pub fn detect(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        let (now, passes) = (state.current, &self.passes);
        let particles = state.present().len();
        self.search(recorder, now, slot);
        let records = if self.capacity.recorded {
            self.capacity.records
        } else {
            1
        };
        recorder.dispatch(&passes.gap[now], records, slot);
        if self.capacity.recorded && !self.arrays.implicit {
            passes.rules.project(recorder, now, particles, slot);
        }
    }

    /// The passes that find contacts.
    fn search(&self, recorder: &mut Recorder<'_>, now: usize, slot: usize) {
        let mut pass = |bound: &Bound, extent: Extent| {
            recorder.dispatch_indirect(bound, &self.arrays.dispatches, extent.word(), slot);
        };
        let passes = &self.passes;
        pass(&passes.begin[now], Extent::Features);
        pass(&passes.body_boxes[now], Extent::Chunks);
        if let Some(fold) = &passes.fold {
            // Patches are fewer.
            pass(&fold.patches[now], Extent::Particles);
            pass(&fold.pairs[now], Extent::Particles);
        }
        pass(&passes.body_pairs[now], Extent::Bodies);
        if !self.capacity.recorded {
            return;
        }
        pass(&passes.grid_insert[now], Extent::Particles);
        pass(&passes.points_in_tets[now], Extent::Tets);
        if let Some(fold) = &passes.fold {
            pass(&fold.in_tets[now], Extent::Tets);
        }
        if let Some(edges) = &passes.edges {
            pass(&edges.begin[now], Extent::EdgeLists);
            pass(&edges.insert[now], Extent::Edges);
            pass(&edges.in_tets[now], Extent::Tets);
        }
        if let Some(spheres) = &passes.spheres {
            pass(&spheres.begin[now], Extent::SphereLists);
            pass(&spheres.insert[now], Extent::Spheres);
            pass(&spheres.find[now], Extent::Particles);
            pass(&spheres.count[now], Extent::Particles);
        }
        for (bound, threads) in passes.scan.passes() {
            let one = *threads == 1;
            pass(bound, if one { Extent::One } else { Extent::Blocks });
        }
        pass(&passes.recall[now], Extent::Features);
        pass(&passes.border_penetration[now], Extent::Particles);
        let sweeps = self.capacity.sweeps as usize;
        for sweep in 0..sweeps {
            pass(&passes.propagate[sweep % 2][now], Extent::Records);
        }
        pass(&passes.contact_triangles[sweeps % 2][now], Extent::Records);
        if let Some(edges) = &passes.edges {
            pass(&edges.contacts[now], Extent::Edges);
        }
        if let Some(spheres) = &passes.spheres {
            pass(&spheres.contacts[now], Extent::Particles);
        }
        pass(&passes.link[now], Extent::Records);
    }

    /// Makes the last step's impulses those of a step of another length.
    pub fn rescale(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if self.capacity.recorded && self.passes.rules.has_impulses() {
            recorder.dispatch(
                &self.passes.scale[state.current],
                self.capacity.records,
                slot,
            );
        }
    }

    /// Lets the next step search.
    pub fn search_again(&self, recorder: &mut Recorder<'_>) {
        recorder.copy(&self.arrays.plan, &self.arrays.dispatches);
    }

    /// Leaves nothing of the contacts that bodies had, of which these are all the particles: neither a way out nor an
    /// impulse. The uniform of slot 0 says how many particles and bodies there are.
    pub fn forget(&self, context: &Context, particles: &Range<usize>, bodies: &[usize]) {
        let forgotten = &self.passes.forgotten;
        let mut words = vec![0; forgotten.len()];
        (words[0], words[1]) = (particles.start as u32, particles.end as u32);
        bodies.iter().for_each(|body| words[2 + body] = 1);
        forgotten.write(context, 0, &words);
        let mut recorder = Recorder::new(context);
        recorder.dispatch(&self.passes.forget, self.capacity.records, 0);
        recorder.submit();
    }

    /// What contacts do to the iterate of an implicit step.
    pub fn press(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if let (Some([press, hold]), true) = (&self.passes.press, self.capacity.recorded) {
            recorder.dispatch(&press[state.current], self.capacity.records, slot);
            recorder.dispatch(&hold[state.current], state.present().len(), slot);
        }
    }

    /// Which bodies press on each other, each an island of its own at first.
    pub fn islands(&self, recorder: &mut Recorder<'_>, slot: usize) {
        if let (Some(islands), true) = (&self.passes.islands, self.capacity.recorded) {
            let records = self.capacity.records;
            for round in 0..ISLAND_ROUNDS as usize {
                recorder.dispatch(&islands.join[round % 2], records, slot);
            }
            recorder.dispatch(&islands.doubt, records, slot);
        }
    }

    /// Notes whether the next step has to search.
    pub fn watch(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        recorder.dispatch(&self.passes.watch[state.current], 1, slot);
    }

    /// Impulses and the move: what comes after the forces. Ends with whether the next step has to search.
    pub fn respond(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        let now = state.current;
        if self.capacity.recorded {
            let particles = state.present().len();
            if self.passes.rules.has_impulses() {
                recorder.dispatch(&self.passes.warm[now], particles, slot);
                recorder.dispatch(&self.passes.impulse[now], self.capacity.records, slot);
                let rounds = &self.arrays.rounds;
                for _ in 0..CONTACT_ROUNDS {
                    recorder.dispatch_indirect(&self.passes.apply[now], rounds, 0, slot);
                    recorder.dispatch_indirect(&self.passes.again[now], rounds, 3, slot);
                }
            }
            recorder.dispatch(&self.passes.contact_move[now], particles, slot);
        }
        self.watch(recorder, state, slot);
    }
}

/// The source's response moves positions and leaves velocities to the springs and tetrahedra that it deforms: a sphere,
/// which nothing deforms, would fall ever faster on the spot.
fn refuse_round(model: &Model, response: Response) -> Result<()> {
    match model.bodies.iter().find(|body| body.radius > 0.0) {
        Some(body) if response == Response::Source => Err(Error::value(
            "world.response",
            format!("\"source\" with body \"{}\", a cloud or shell", body.name),
            "\"impulse\": the source's response stops nothing that touches as spheres",
        )),
        _ => Ok(()),
    }
}

/// The workgroups of each extent, three words each.
fn plan(model: &Model, chunks: usize, constants: &Collide) -> Vec<u32> {
    let features = constants.feature_count as usize;
    let blocks = features.div_ceil(SCAN_BLOCK as usize).max(1);
    let threads = |extent| match extent {
        Extent::Particles => model.positions.len(),
        Extent::Features => features + 1,
        Extent::Chunks => 16 * chunks,
        Extent::Bodies => model.bodies.len(),
        Extent::Tets => model.tets.len(),
        Extent::Edges => constants.edge_count as usize,
        Extent::EdgeLists => constants.edge_table as usize,
        Extent::Spheres => model.positions.len() + constants.triangle_count as usize,
        Extent::SphereLists => constants.sphere_table as usize,
        Extent::Records => constants.capacity as usize,
        Extent::Blocks => blocks * (SCAN_BLOCK / SCAN_ITEMS) as usize,
        Extent::One => 1,
    };
    Extent::ALL
        .into_iter()
        .flat_map(|extent| groups(threads(extent), WORKGROUP))
        .collect()
}

impl Passes {
    fn new(
        arrays: &Arrays<'_>,
        own: &CollideArrays,
        self_contact: bool,
        rules: Rules,
    ) -> Result<Self> {
        let bind = |name: &str, from: usize| bind(arrays, own, name, from, &[]);
        let plain = |name: &str| bind(name, 0);
        let bodies = arrays.model.bodies.len();
        let forgotten = Buffer::zeroed(arrays.context, "forgotten", 2 + bodies)?;
        Ok(Self {
            watch: plain("contact_watch"),
            begin: plain("contact_begin"),
            body_boxes: plain("body_boxes"),
            body_pairs: plain("body_pairs"),
            grid_insert: plain("grid_insert"),
            points_in_tets: plain("points_in_tets"),
            fold: (self_contact && !own.patches.is_empty()).then(|| FoldPasses {
                patches: plain("fold_patches"),
                pairs: plain("fold_pairs"),
                in_tets: plain("self_in_tets"),
            }),
            edges: (own.edge_count() > 0).then(|| EdgePasses {
                begin: plain("edge_begin"),
                insert: plain("edge_insert"),
                in_tets: plain("edges_in_tets"),
                contacts: plain("edge_contacts"),
            }),
            spheres: own.has_spheres().then(|| SpherePasses {
                begin: plain("sphere_begin"),
                insert: plain("sphere_insert"),
                find: plain("sphere_find"),
                count: plain("sphere_count"),
                contacts: plain("sphere_contacts"),
            }),
            scan: Scan::new(arrays.context, &own.counts, &own.record_first)?,
            border_penetration: bind("border_penetration", 1),
            recall: bind("contact_match", 1),
            propagate: [bind("propagate", 0), bind("propagate", 1)],
            contact_triangles: [bind("contact_triangles", 0), bind("contact_triangles", 1)],
            link: plain("contact_setup"),
            gap: plain("contact_gap"),
            rules,
            warm: plain("contact_warm"),
            impulse: plain("contact_impulse"),
            apply: plain("contact_apply"),
            again: plain("contact_again"),
            contact_move: plain("contact_move"),
            scale: plain("impulse_scale"),
            forget: {
                let mut bindings = own.bindings(0);
                bindings.push(forgotten.bind("forgotten"));
                arrays.bind(&arrays.kernel("contact_forget"), &bindings)
            },
            forgotten,
            press: own
                .implicit
                .then(|| [plain("augment"), plain("contact_hold")]),
            islands: own.implicit.then(|| {
                let [a, b] = &arrays.state.islands;
                let bind = |name: &str, [from, to]: [&Buffer<u32>; 2]| {
                    let mut bindings = own.bindings(0);
                    bindings.extend([from.bind("islands"), to.bind("islands_next")]);
                    arrays.bind(&arrays.kernel(name), &bindings)
                };
                IslandPasses {
                    join: [[a, b], [b, a]].map(|labels| bind("island_join", labels)),
                    doubt: bind("island_converged", [a, b]),
                }
            }),
        })
    }
}

/// Binds a kernel for either particle array that may hold the present state, which it reads or writes in place.
/// `penetrations` is the array of penetrations that it reads.
pub(super) fn bind(
    arrays: &Arrays<'_>,
    own: &CollideArrays,
    name: &str,
    penetrations: usize,
    others: &[Binding<'_>],
) -> Both {
    let kernel = arrays.kernel(name);
    [0, 1].map(|now: usize| {
        let particles = &arrays.state.particles[now];
        let mut bindings = own.bindings(penetrations);
        bindings.extend_from_slice(others);
        bindings.extend([
            particles.bind("particles_in"),
            particles.bind("particles_out"),
        ]);
        arrays.bind(&kernel, &bindings)
    })
}
