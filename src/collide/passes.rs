//! The passes of contact, in their order.

use std::ops::Range;

use super::arrays::Arrays as CollideArrays;
use super::broad::{BodyBroadPhase, Plan};
use super::capacity::slice_places;
use super::rules::Rules;
use super::search::{self, Search};
use super::sleep::SleepPasses;
use super::{Capacity, ContactStats};
use crate::gpu::types::{
    CONTACT_ROUNDS, Collide, Contact, ISLAND_ROUNDS, LIST_SEARCH, LIST_TOUCHED, PUSH_WORD,
    REBOUND_WORD, WORKGROUP,
};
use crate::gpu::{Binding, Bound, Buffer, Bytes, Context, Recorder};
use crate::integrate::Arrays;
use crate::model::{Model, State};
use crate::scene::{Response, WorldSettings};
use crate::{Error, Result};

/// Contact between bodies: its arrays and passes.
#[derive(Debug)]
pub struct Collision {
    arrays: CollideArrays,
    passes: Passes,
    capacity: Capacity,
    /// See [`Self::set_ties`].
    ties_move_poses: bool,
    stats: ContactStats,
}

/// A kernel bound for either particle array that may hold the present state.
pub(super) type Both = [Bound; 2];

#[derive(Debug)]
struct Passes {
    watch: Both,
    search: Search,
    prepare: Both,
    rules: Rules,
    apply: Both,
    /// Where there are poses.
    rigid: Option<RigidPasses>,
    solve: Both,
    iterate: Both,
    slices: Both,
    contact_move: Both,
    /// Whether the mean velocity of a step moves particles.
    by_mean: bool,
    scale: Both,
    forget: Bound,
    /// What it forgets.
    forgotten: Buffer<u32>,
    /// Of implicit integrators, instead of `apply`, `solve` and `iterate`.
    press: Option<[Both; 2]>,
    islands: Option<IslandPasses>,
}

/// What poses and their colliders do in a step.
#[derive(Debug)]
struct RigidPasses {
    /// Of implicit integrators.
    hold: Option<Bound>,
    prepare: Bound,
    begin: Bound,
    apply: Bound,
    /// Where the mean velocity of a step moves particles.
    mean: Option<Bound>,
    solve: Bound,
    push: Bound,
    apply_push: Bound,
    end: Bound,
    relax: Bound,
    rebound: Bound,
    total: Bound,
    scale: Bound,
    sleep: SleepPasses,
    /// Whether anything rebounds.
    rebounds: bool,
}

/// Iterations of the impulses that make what comes at each other rebound, in steps in which anything does. Each of n manifolds of a body
/// gives it a share of its rebound, so that after k of them (1 − 1/n)ᵏ is missing: of a table on four legs 3 %.
const REBOUNDS: usize = 12;

/// Of implicit integrators.
#[derive(Debug)]
struct IslandPasses {
    /// From the first array of labels to the second, and back.
    join: [Bound; 2],
    doubt: Bound,
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
        let plan = |constants: &Collide| search::plan(model, chunks, constants);
        let search: Plan<'_> = (BodyBroadPhase::of(model), &plan);
        let own = CollideArrays::new(arrays.context, model, world, capacity, search)?;
        let rules = Rules::new(arrays, &own, world.projection, world.response)?;
        let by_mean = world.integrator.contact_share() < 1.0;
        let rebounds = model.rebounds;
        let passes = Passes::new(arrays, &own, [world.self_contact, by_mean, rebounds], rules)?;
        Ok(Self {
            arrays: own,
            passes,
            capacity,
            ties_move_poses: false,
            stats: ContactStats::default(),
        })
    }

    /// What submissions are recorded with.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Whether submissions have more than the broad phase: where bodies meet, and where ties move poses in steps that are solved.
    pub fn is_recorded(&self) -> bool {
        self.capacity.stages.are_recorded() || self.ties_move_poses
    }

    /// From now on ties do, or do not.
    pub fn set_ties(&mut self, move_poses: bool) {
        self.ties_move_poses = move_poses && self.arrays.implicit;
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

    /// The records of the last search as contacts, each with its depth in the last step [m].
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
            self.arrays.resize(arrays.context, capacity.records)?;
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
        let rebounds = self.passes.rigid.as_ref().is_some_and(|rigid| rigid.rebounds);
        let settings = [self.passes.search.self_contact, self.passes.by_mean, rebounds];
        let rules = self.passes.rules.bind_again(arrays, &self.arrays)?;
        self.passes = Passes::new(arrays, &self.arrays, settings, rules)?;
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
        // Colliders of obstacles are numbered behind those of bodies, and would have other numbers.
        if from.arrays.colliders.any() {
            return Ok(());
        }
        self.arrays.take_over(context, &from.arrays, counts)
    }

    /// What steps take over from those before them.
    pub fn evolving(&self) -> Vec<&dyn Bytes> {
        self.arrays.evolving()
    }

    /// Finds contacts and projects positions: what comes before the forces. The search
    /// runs only when something has moved since the last one.
    pub fn detect(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        let (now, passes) = (state.current, &self.passes);
        let particles = state.present().len();
        let dispatches = &self.arrays.dispatches;
        if self.capacity.search.are_recorded() {
            passes.search.record(recorder, dispatches, self.capacity, [now, slot]);
        }
        let records = match self.is_recorded() && self.arrays.deforms {
            true => self.capacity.records,
            false => 1,
        };
        recorder.dispatch(&passes.prepare[now], records, slot);
        if self.is_recorded() && !self.arrays.implicit && self.arrays.deforms {
            self.slice(recorder, now, slot);
            passes.rules.project(recorder, now, particles, slot);
        }
    }

    /// Makes the last step's impulses those of a step of another length.
    pub fn rescale(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if self.is_recorded() && self.passes.rules.has_impulses() {
            recorder.dispatch(&self.passes.scale[state.current], self.capacity.records, slot);
            if let Some(rigid) = &self.passes.rigid {
                self.each_touching(recorder, &rigid.scale, slot);
            }
        }
    }

    /// Lets the next step search.
    pub fn search_again(&self, recorder: &mut Recorder<'_>) {
        self.arrays.lists.write(recorder.context(), LIST_SEARCH as usize, &[1]);
        recorder.copy(&self.arrays.plan, &self.arrays.dispatches);
    }

    /// Leaves nothing of the contacts that bodies had, of which these are all the particles: neither a penetration vector nor an
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
        if let (Some([press, hold]), true) = (&self.passes.press, self.is_recorded()) {
            recorder.dispatch(&press[state.current], self.capacity.records, slot);
            recorder.dispatch(&hold[state.current], state.present().len(), slot);
            if let Some(hold) = self.passes.rigid.as_ref().and_then(|rigid| rigid.hold.as_ref()) {
                recorder.dispatch(hold, state.poses.len(), slot);
            }
        }
    }

    /// Which bodies press on each other, each an island of its own at first.
    pub fn islands(&self, recorder: &mut Recorder<'_>, slot: usize) {
        if let (Some(islands), true) = (&self.passes.islands, self.is_recorded()) {
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

    /// Whether impulses follow the forces of explicit steps, and with them the move.
    pub fn responds(&self) -> bool {
        self.is_recorded() && self.passes.rules.has_impulses()
    }

    /// Adds up slices of long lists, for the passes that go through lists.
    fn slice(&self, recorder: &mut Recorder<'_>, now: usize, slot: usize) {
        if self.capacity.slices.are_recorded() {
            // Eight threads each.
            let threads = 8 * slice_places(self.capacity.records);
            recorder.dispatch(&self.passes.slices[now], threads, slot);
        }
    }

    /// What poses begin with, before the integrator: manifolds, and the impulses that all of their contacts start from.
    pub fn begin(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if let Some(rigid) = &self.passes.rigid {
            self.each_touching(recorder, &rigid.prepare, slot);
            self.slice(recorder, state.current, slot);
            recorder.dispatch(&rigid.begin, state.poses.len(), slot);
        }
    }

    /// Impulses and the move: what comes after the forces. Of implicit steps, within which contacts with particles have acted,
    /// those of poses alone.
    pub fn respond(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        let (now, particles) = (state.current, state.present().len());
        let (records, poses) = (self.capacity.records, state.poses.len());
        let (passes, deforms) = (&self.passes, self.arrays.deforms && !self.arrays.implicit);
        if let Some(rigid) = &passes.rigid {
            if self.arrays.implicit && self.arrays.deforms {
                recorder.dispatch(&rigid.end, records, slot);
            }
            self.each_touching(recorder, &rigid.solve, slot);
        }
        if deforms {
            recorder.dispatch(&passes.apply[now], particles, slot);
            recorder.dispatch(&passes.solve[now], records, slot);
        }
        self.slice(recorder, now, slot);
        if let Some(rigid) = &passes.rigid {
            recorder.dispatch(&rigid.apply, poses, slot);
            if deforms {
                recorder.dispatch(&passes.apply[now], particles, slot);
                recorder.dispatch(&passes.iterate[now], records, slot);
            }
            self.each_touching(recorder, &rigid.solve, slot);
            self.slice(recorder, now, slot);
        }
        if deforms {
            self.iterate(recorder, now, slot);
            recorder.dispatch(&passes.contact_move[now], particles, slot);
        }
        if let Some(rigid) = &passes.rigid {
            recorder.dispatch(&rigid.apply, poses, slot);
            if let (Some(mean), true) = (&rigid.mean, deforms) {
                recorder.dispatch(mean, WORKGROUP as usize * poses, slot);
            }
            if deforms {
                recorder.dispatch(&rigid.end, records, slot);
            }
            self.let_run(recorder, PUSH_WORD, [&rigid.push, &rigid.apply_push], (now, slot));
        }
    }

    /// Further iterations, where impulses have changed velocities much.
    fn iterate(&self, recorder: &mut Recorder<'_>, now: usize, slot: usize) {
        let (passes, rounds) = (&self.passes, &self.arrays.dispatches);
        let count = if self.capacity.rounds.are_recorded() { CONTACT_ROUNDS } else { 0 };
        for _ in 0..count {
            recorder.dispatch_indirect(&passes.apply[now], rounds, 0, slot);
            if let Some(rigid) = &passes.rigid {
                recorder.dispatch_indirect(&rigid.apply, rounds, 0, slot);
                recorder.dispatch_indirect(&rigid.solve, rounds, 3, slot);
            }
            recorder.dispatch_indirect(&passes.iterate[now], rounds, 3, slot);
            if self.capacity.slices.are_recorded() {
                recorder.dispatch_indirect(&passes.slices[now], rounds, 3, slot);
            }
        }
    }

    /// Which islands that sleep are disturbed, before the response.
    pub fn disturb(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if let (Some(rigid), true) = (&self.passes.rigid, self.capacity.wake.are_recorded()) {
            rigid.sleep.disturb(recorder, state, self.capacity.records, slot);
        }
    }

    /// What has come to rest falls asleep, at the end of a step.
    pub fn settle(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        if let (Some(rigid), true) = (&self.passes.rigid, self.capacity.settle.are_recorded()) {
            self.total(recorder, slot);
            rigid.sleep.settle(recorder, state, self.capacity.records, slot);
        }
    }

    /// What follows the move of poses: what was parted is at rest, and what came at each other rebounds.
    pub fn relax(&self, recorder: &mut Recorder<'_>, state: &State, slot: usize) {
        let Some(rigid) = &self.passes.rigid else {
            return;
        };
        let (now, poses) = (state.current, state.poses.len());
        self.each_touching(recorder, &rigid.relax, slot);
        self.slice(recorder, now, slot);
        recorder.dispatch(&rigid.apply, poses, slot);
        for _ in 0..if rigid.rebounds { REBOUNDS } else { 0 } {
            self.let_run(recorder, REBOUND_WORD, [&rigid.rebound, &rigid.apply], (now, slot));
        }
    }

    /// A pass over manifolds and one that applies it to poses, in steps in which an iteration before has let them run.
    fn let_run(
        &self,
        recorder: &mut Recorder<'_>,
        word: u32,
        [manifolds, poses]: [&Bound; 2],
        (now, slot): (usize, usize),
    ) {
        let (word, rounds) = (word as usize, &self.arrays.dispatches);
        recorder.dispatch_indirect(manifolds, rounds, word + 3, slot);
        if self.capacity.slices.are_recorded() {
            recorder.dispatch_indirect(&self.passes.slices[now], rounds, word + 3, slot);
        }
        recorder.dispatch_indirect(poses, rounds, word, slot);
    }

    /// The impulses of manifolds as those of contacts, after a step after which they are looked at.
    pub fn total(&self, recorder: &mut Recorder<'_>, slot: usize) {
        if let Some(rigid) = &self.passes.rigid {
            self.each_touching(recorder, &rigid.total, slot);
        }
    }

    /// Records a pass over the manifolds that have points.
    fn each_touching(&self, recorder: &mut Recorder<'_>, pass: &Bound, slot: usize) {
        recorder.dispatch_indirect(pass, &self.arrays.lists, LIST_TOUCHED as usize + 1, slot);
    }
}

/// The source's response moves positions and leaves velocities to the springs and tetrahedra that it deforms: a sphere,
/// which nothing deforms, would fall ever faster on the spot.
fn refuse_round(model: &Model, response: Response) -> Result<()> {
    match model.bodies.iter().find(|body| body.radius > 0.0) {
        Some(body) if response == Response::Source => Err(Error::value(
            "world.response",
            format!("\"source\" with body \"{}\", a cloud or shell", body.name),
            "\"impulse\": \"source\" does not stop clouds and shells",
        )),
        _ => Ok(()),
    }
}

impl Passes {
    fn new(
        arrays: &Arrays<'_>,
        own: &CollideArrays,
        [self_contact, by_mean, rebounds]: [bool; 3],
        rules: Rules,
    ) -> Result<Self> {
        let plain = |name: &str| bind(arrays, own, name, 0, &[]);
        let bodies = arrays.model.bodies.len();
        let forgotten = Buffer::zeroed(arrays.context, "forgotten", 2 + bodies)?;
        Ok(Self {
            watch: plain("contact_watch"),
            search: Search::new(arrays, own, self_contact)?,
            prepare: plain("contact_prepare"),
            rules,
            apply: plain("contact_apply"),
            rigid: own.colliders.any().then(|| {
                let bind = |name: &str| arrays.bind(&arrays.kernel(name), &own.bindings(0));
                RigidPasses {
                    hold: own.implicit.then(|| bind("pose_hold")),
                    prepare: bind("manifold_prepare"),
                    begin: bind("pose_begin"),
                    apply: bind("pose_apply"),
                    mean: by_mean.then(|| bind("pose_mean")),
                    solve: bind("manifold_solve"),
                    push: bind("manifold_push"),
                    apply_push: bind("pose_push"),
                    end: bind("contact_end"),
                    relax: bind("manifold_relax"),
                    rebound: bind("manifold_rebound"),
                    total: bind("manifold_total"),
                    scale: bind("manifold_scale"),
                    sleep: SleepPasses::new(arrays, own),
                    rebounds,
                }
            }),
            solve: plain("contact_solve"),
            iterate: plain("contact_iterate"),
            slices: plain("contact_slices"),
            contact_move: plain(if by_mean { "contact_move_mean" } else { "contact_move" }),
            by_mean,
            scale: plain("impulse_scale"),
            forget: {
                let mut bindings = own.bindings(0);
                bindings.push(forgotten.binding());
                arrays.bind(&arrays.kernel("contact_forget"), &bindings)
            },
            forgotten,
            press: own.implicit.then(|| [plain("augment"), plain("contact_hold")]),
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
        bindings.extend([particles.bind("particles_in"), particles.bind("particles_out")]);
        arrays.bind(&kernel, &bindings)
    })
}
