//! The arrays of the contact stages.

use glam::{UVec2, UVec4, Vec4};

use super::broad::{BroadArrays, Plan};
use super::capacity::{Capacity, slice_places};
use super::colliders::{self, ColliderArrays, ManifoldArrays};
use super::edges::sharp_edges;
use super::patches::patches;
use super::search;
use super::tables::{
    constants, empty_grid, solid_triangles, sphere_words, tested, tets, with_neighbours,
};
use crate::Result;
use crate::gpu::types::{
    Augmented, BOX_WORDS, Box, CoarsePart, Collide, Contact, Edge, Entry, FOLD_WORDS, HIT_STRIDE,
    Impulse, LIST_LOADS, LIST_RECORDS, LIST_SEARCH, NONE, OVERLAP_STRIDE, POSE_ROWS, Patch,
    PatchShape, Penetration, Row, Tested, Tet, WORKGROUP,
};
use crate::gpu::{Binding, Buffer, Bytes, Context, Recorder, Uniforms, groups};
use crate::model::{Model, fans};
use crate::scene::{Response, WorldSettings};

/// Constant arrays, and those that steps and searches fill.
#[derive(Debug)]
pub struct Arrays {
    uniform: Uniforms<Collide>,
    pub(crate) constants: Collide,
    pub(crate) boxes: Buffer<u32>,
    pub(crate) overlaps: Buffer<Box>,
    /// Of the broad phase.
    pub(super) broad: BroadArrays,
    /// Of what is rigid.
    pub(super) colliders: ColliderArrays,
    /// Where bodies can touch themselves.
    pub(crate) patches: Buffer<Patch>,
    patch_points: Buffer<u32>,
    pub(crate) patch_shapes: Buffer<PatchShape>,
    /// What of each body may touch itself.
    pub(crate) folds: Buffer<u32>,
    fans: Buffer<UVec2>,
    fan_corners: Buffer<UVec2>,
    pub(crate) tested: Buffer<Tested>,
    pub(crate) grid: Buffer<u32>,
    tets: Buffer<Tet>,
    pub(crate) hits: Buffer<u32>,
    /// Contacts of each particle while they are counted, else 0.
    pub list_counts: Buffer<u32>,
    /// Exclusive sums of `list_counts`: where each particle's list begins.
    pub list_first: Buffer<u32>,
    /// Of all: words, and each particle's load.
    pub(crate) lists: Buffer<u32>,
    /// Records of each particle.
    pub counts: Buffer<u32>,
    /// Exclusive sums of `counts`: where each particle's records begin.
    pub record_first: Buffer<u32>,
    pub(crate) record_first_last: Buffer<u32>,
    pub(crate) edges: Buffer<Edge>,
    pub(crate) edge_grid: Buffer<u32>,
    pub(crate) plan: Buffer<u32>,
    /// Workgroups of further iterations of the impulses, those for the particles and those for the records; then of the passes
    /// of a search. All 0, or a copy of `plan`.
    pub dispatches: Buffer<u32>,
    /// Velocities as contacts are solved by them, and inverse masses.
    contact_velocities: Buffer<Vec4>,
    /// Lists of spheres and triangles by cell.
    pub(crate) sphere_grid: Buffer<u32>,
    /// The partners of each sphere.
    pub(crate) sphere_hits: Buffer<u32>,
    /// Surface triangles of the bodies of tetrahedra: corners, body; then the triangles across the sides opposite to each
    /// corner, [`NONE`].
    pub(crate) triangles: Buffer<UVec4>,
    /// What contacts do to each pose within implicit steps.
    pose_holds: Buffer<CoarsePart>,
    pub(crate) sized: Sized,
    /// Whether contacts act within the iterations of a step.
    pub(crate) implicit: bool,
    /// Whether there are bodies that deform.
    pub(super) deforms: bool,
}

/// Arrays whose length is the capacity.
#[derive(Debug)]
pub(crate) struct Sized {
    pub(crate) penetrations: [Buffer<Penetration>; 2],
    pub(crate) contacts: Buffer<Contact>,
    pub(crate) impulses: Buffer<Impulse>,
    /// What a step starts with.
    impulses_warm_start: Buffer<Impulse>,
    pub(crate) rows: Buffer<Row>,
    /// The lists in any order; long ones, each part of them in ascending order.
    nodes: Buffer<u32>,
    sorted_nodes: Buffer<u32>,
    entries: Buffer<Entry>,
    /// Of implicit integrators.
    augmented: Buffer<Augmented>,
    /// Where there are colliders.
    pub(super) manifolds: ManifoldArrays,
}

impl Sized {
    fn new(context: &Context, records: usize, [implicit, colliders]: [bool; 2]) -> Result<Self> {
        let augmented = if implicit { records } else { 0 };
        Ok(Self {
            manifolds: ManifoldArrays::new(context, if colliders { records } else { 0 })?,
            augmented: Buffer::zeroed(context, "augmented", augmented)?,
            penetrations: [
                Buffer::zeroed(context, "penetrations a", records)?,
                Buffer::zeroed(context, "penetrations b", records)?,
            ],
            contacts: Buffer::zeroed(context, "contacts", records)?,
            impulses: Buffer::zeroed(context, "impulses", records)?,
            impulses_warm_start: Buffer::zeroed(context, "impulses_warm_start", records)?,
            rows: Buffer::zeroed(context, "rows", records + slice_places(records))?,
            nodes: Buffer::zeroed(context, "nodes", 8 * records)?,
            sorted_nodes: Buffer::zeroed(context, "sorted_nodes", 8 * records)?,
            entries: Buffer::zeroed(context, "entries", 8 * records)?,
        })
    }

    /// What goes on from step to step.
    fn kept(&self) -> Vec<&dyn Bytes> {
        let mut kept: Vec<&dyn Bytes> =
            vec![&self.contacts, &self.impulses, &self.rows, &self.entries];
        if !self.manifolds.manifolds.is_empty() {
            kept.extend(self.manifolds.kept());
        }
        kept
    }
}

/// What a world's integrator and response make of the constants.
fn in_world(world: &WorldSettings, constants: Collide, dofs: usize, capacity: Capacity) -> Collide {
    let mut constants = Collide {
        hold: world.integrator.contact_hold(),
        particle_groups: flat(groups(dofs, WORKGROUP)),
        record_groups: flat(groups(capacity.records, WORKGROUP)),
        ..constants
    };
    if world.response == Response::Source {
        constants.source = 1;
        // Without a margin contacts are found anew whenever anything moves that deforms.
        constants.margin_scale = 0.0;
        if constants.stale < f32::MAX {
            constants.stale = 0.0;
        }
    }
    if world.narrow.needs_overlap() && constants.collider_count > 0 {
        // What is not yet a contact bears nothing: contacts are found anew in every step in which boxes meet.
        constants.stale = -1.0;
    }
    constants
}

impl Arrays {
    /// `plan` tells the workgroups of a search, `phase` how it finds the bodies that may touch.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        model: &Model,
        world: &WorldSettings,
        capacity: Capacity,
        (phase, plan): Plan<'_>,
    ) -> Result<Self> {
        let (particles, bodies) = (model.positions.len(), model.bodies.len());
        let dofs = particles + model.poses.len();
        let edges = sharp_edges(model);
        let features = particles + edges.len() + model.first_obstacle;
        let implicit = world.integrator.is_implicit();
        let constants = phase.constants(model, constants(model, &edges, capacity));
        let constants = colliders::constants(model, constants);
        let constants = in_world(world, constants, particles, capacity);
        let triangles = solid_triangles(model);
        let [sphere_words, sphere_hits] = sphere_words(&constants, particles, triangles.len());
        let edge_nodes = 8 * constants.edge_levels as usize * edges.len();
        let edge_words = 2 * constants.edge_table as usize + 2 + edge_nodes;
        let (fans, fan_corners) = fans(particles, &model.triangles);
        let uniform = Uniforms::new(context, "collide", 1);
        uniform.write(context, &[constants]);
        let patches = world.self_contact.then(|| patches(model));
        let (patches, patch_points) = patches.unwrap_or_default();
        let plan = plan(&constants);
        let mut words = vec![0; LIST_LOADS as usize + dofs];
        words[LIST_SEARCH as usize] = 1;
        Ok(Self {
            uniform,
            constants,
            boxes: Buffer::zeroed(context, "boxes", BOX_WORDS as usize * (bodies + 1))?,
            broad: BroadArrays::new(context, phase, model, constants.body_table)?,
            colliders: ColliderArrays::new(context, model, world, &constants)?,
            overlaps: Buffer::zeroed(context, "overlaps", OVERLAP_STRIDE as usize * bodies)?,
            patch_shapes: Buffer::zeroed(context, "patch_shapes", patches.len())?,
            patches: Buffer::new(context, "patches", &patches)?,
            patch_points: Buffer::new(context, "patch_points", &patch_points)?,
            folds: Buffer::new(context, "folds", &vec![NONE; FOLD_WORDS as usize * bodies])?,
            fans: Buffer::new(context, "fans", &fans)?,
            fan_corners: Buffer::new(context, "fan_corners", &fan_corners)?,
            tested: Buffer::new(context, "tested", &tested(model))?,
            grid: Buffer::new(context, "grid", &empty_grid(&constants, particles, bodies))?,
            tets: Buffer::new(context, "tets", &tets(model))?,
            hits: Buffer::new(context, "hits", &vec![NONE; HIT_STRIDE as usize * features])?,
            list_counts: Buffer::zeroed(context, "list_counts", dofs)?,
            list_first: Buffer::zeroed(context, "list_first", dofs + 1)?,
            lists: indirect(context, "contact_lists", &words)?,
            counts: Buffer::zeroed(context, "counts", features)?,
            record_first: Buffer::zeroed(context, "record_first", features + 1)?,
            record_first_last: Buffer::zeroed(context, "record_first_last", features + 1)?,
            edge_grid: Buffer::zeroed(context, "edge_grid", edge_words)?,
            edges: Buffer::new(context, "edges", &edges)?,
            sphere_grid: Buffer::zeroed(context, "sphere_grid", sphere_words)?,
            sphere_hits: Buffer::zeroed(context, "sphere_hits", sphere_hits)?,
            triangles: Buffer::new(context, "triangles", &with_neighbours(&triangles))?,
            // The first step finds contacts.
            dispatches: indirect(context, "dispatches", &plan)?,
            contact_velocities: Buffer::zeroed(
                context,
                "contact_velocities",
                particles + POSE_ROWS as usize * model.poses.len(),
            )?,
            plan: Buffer::new(context, "plan", &plan)?,
            pose_holds: Buffer::zeroed(
                context,
                "pose_holds",
                if implicit { model.poses.len() } else { 0 },
            )?,
            sized: Sized::new(context, capacity.records, [implicit, !model.colliders.is_empty()])?,
            implicit,
            deforms: model.deforms(),
        })
    }

    /// Takes on room for another number of records. What evolves stays as it is.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn resize(&mut self, context: &Context, records: usize) -> Result<()> {
        let sized = Sized::new(context, records, [self.implicit, self.colliders.any()])?;
        let mut recorder = Recorder::new(context);
        for (from, to) in self.sized.kept().into_iter().zip(sized.kept()) {
            recorder.copy_start(from, to);
        }
        recorder.submit();
        self.sized = sized;
        let dispatches = self.dispatches.read(context)?;
        for (word, groups) in search::groups_of(records) {
            self.plan.write(context, word, &groups);
            if dispatches[word] != 0 {
                self.dispatches.write(context, word, &groups);
            }
        }
        self.constants.capacity = records as u32;
        self.constants.record_groups = flat(groups(records, WORKGROUP));
        self.uniform.write(context, &[self.constants]);
        Ok(())
    }

    /// Takes over the records of a world to which particles and bodies have been added behind its own: edges are numbered
    /// after the particles, and partners after the bodies. `counts`: its particles and bodies, then ours.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn take_over(
        &self,
        context: &Context,
        from: &Self,
        [[particles, bodies], [all_particles, all_bodies]]: [[usize; 2]; 2],
    ) -> Result<()> {
        let first = from.record_first.read(context)?;
        let (of_particles, of_edges) = first.split_at(particles);
        let mut moved = of_particles.to_vec();
        moved.resize(all_particles, of_edges[0]);
        moved.extend(of_edges);
        moved.resize(self.record_first.len(), first[first.len() - 1]);
        self.record_first.write(context, 0, &moved);
        let further = (all_particles - particles) as u32;
        let feature = |feature: u32| match feature as usize >= particles {
            true => feature + further,
            false => feature,
        };
        let partner = |partner: u32| {
            // Of a contact that was forgotten.
            if partner == NONE {
                return NONE;
            }
            let mut moved = partner;
            if partner as usize >= bodies {
                moved += (all_bodies - bodies) as u32;
            }
            if partner as usize >= bodies + particles {
                moved += further;
            }
            moved
        };
        let records = (first[first.len() - 1] as usize).min(from.sized.contacts.len());
        let mut contacts = from.sized.contacts.read_part(context, 0..records)?;
        for contact in &mut contacts {
            contact.feature_a = feature(contact.feature_a);
            contact.feature_b = partner(contact.feature_b);
        }
        self.sized.contacts.write(context, 0, &contacts);
        let mut impulses = from.sized.impulses.read_part(context, 0..records)?;
        for impulse in &mut impulses {
            impulse.feature_b = partner(impulse.feature_b);
        }
        self.sized.impulses.write(context, 0, &impulses);
        // How many there are.
        self.lists.write(context, LIST_RECORDS as usize, &[records as u32]);
        Ok(())
    }

    /// What steps take over from those before them; what has room for the records is last.
    pub fn evolving(&self) -> Vec<&dyn Bytes> {
        let mut all: Vec<&dyn Bytes> =
            vec![&self.record_first, &self.dispatches, &self.lists, &self.list_first];
        all.extend(self.sized.kept());
        all
    }

    /// The number of records that arrays of these sizes are for, in the order of [`Self::evolving`].
    pub fn records_of(&self, sizes: &[u64]) -> Option<usize> {
        let own: Vec<_> = self.evolving().iter().map(|array| array.size()).collect();
        let room = self.sized.contacts.len() as u64;
        let fixed = own.len() - self.sized.kept().len();
        let records = sizes.get(fixed)? / Buffer::<Contact>::STRIDE;
        let wanted = own.iter().enumerate().map(|(k, size)| match k < fixed {
            true => *size,
            false => size / room * records,
        });
        let same = records > 0 && wanted.eq(sizes.iter().copied());
        same.then_some(records as usize)
    }

    /// How many sharp edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are clouds or shells.
    pub fn has_spheres(&self) -> bool {
        self.constants.sphere_size > 0.0
    }

    /// The records of the last search as contacts, with their gaps in the last step.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn contacts(&self, context: &Context) -> Result<Vec<Contact>> {
        let last = self.record_first.len() - 1;
        let records = self.record_first.read_part(context, last..last + 1)?[0] as usize;
        let records = 0..records.min(self.sized.contacts.len());
        let contacts = self.sized.contacts.read_part(context, records.clone())?;
        let rows = self.sized.rows.read_part(context, records)?;
        let with_gap = |(contact, row): (Contact, Row)| Contact { gap: row.gap, ..contact };
        Ok(contacts.into_iter().zip(rows).map(with_gap).collect())
    }

    /// The tetrahedra that hold each point or edge, as the last search found them: lists of [`HIT_STRIDE`] words.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn hits(&self, context: &Context) -> Result<Vec<u32>> {
        self.hits.read(context)
    }

    /// What kernels bind; `from` is the array of penetrations that is read.
    pub fn bindings(&self, from: usize) -> Vec<Binding<'_>> {
        let sized = &self.sized;
        let mut bindings = vec![
            self.uniform.binding(),
            self.boxes.binding(),
            self.overlaps.binding(),
            self.patches.binding(),
            self.patch_points.binding(),
            self.patch_shapes.binding(),
            self.folds.binding(),
            self.fans.binding(),
            self.fan_corners.binding(),
            self.tested.binding(),
            self.grid.binding(),
            self.tets.binding(),
            self.hits.binding(),
            self.list_counts.binding(),
            self.list_first.binding(),
            self.lists.binding(),
            self.counts.bind("counts"),
            self.record_first.binding(),
            self.record_first_last.binding(),
            self.edges.binding(),
            self.edge_grid.binding(),
            self.sphere_grid.binding(),
            self.sphere_hits.binding(),
            self.triangles.binding(),
            self.plan.binding(),
            self.dispatches.binding(),
            self.contact_velocities.binding(),
            self.pose_holds.binding(),
            sized.penetrations[from].bind("penetrations_in"),
            sized.penetrations[1 - from].bind("penetrations_out"),
            sized.contacts.binding(),
            sized.impulses.binding(),
            sized.impulses_warm_start.binding(),
            sized.rows.binding(),
            sized.nodes.binding(),
            sized.sorted_nodes.binding(),
            sized.entries.binding(),
            sized.augmented.binding(),
        ];
        bindings.extend(self.broad.bindings());
        bindings.extend(self.colliders.bindings());
        bindings.extend(sized.manifolds.bindings());
        bindings
    }
}

/// The first two of three numbers of workgroups, of which the last is 1.
fn flat([x, y, _]: [u32; 3]) -> UVec2 {
    UVec2::new(x, y)
}

/// An array in which workgroups stand, among others.
fn indirect(context: &Context, label: &str, words: &[u32]) -> Result<Buffer<u32>> {
    let buffer = Buffer::indirect(context, label, words.len())?;
    buffer.write(context, 0, words);
    Ok(buffer)
}
