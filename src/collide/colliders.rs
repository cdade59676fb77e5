//! Colliders of poses: which of them are near each other, where they touch, and what keeps them apart.

use glam::{UVec2, Vec4};

use super::arrays::Arrays as CollideArrays;
use super::broad::Pass;
use super::passes::bind;
use super::search::{Extent, scan_passes};
use crate::Result;
use crate::extreme;
use crate::gpu::types::{
    BODY_LEVELS, CHUNK, Collide, Collider, HullFace, MANIFOLD, Manifold, ManifoldPoint, PLANES,
    PlacedCollider, Plane, WRENCH_ROWS,
};
use crate::gpu::{Binding, Buffer, Bytes, Context};
use crate::integrate::Arrays;
use crate::model::Model;
use crate::prim::{Scan, Sort};
use crate::scene::{BroadPhase, Narrow, WorldSettings};

/// Width of the finest cells of the grid of colliders, in the least diameter of one.
const CELL: f64 = 1.2;

/// What a search and the response have of colliders; without elements where there are none.
#[derive(Debug)]
pub struct ColliderArrays {
    broad_phase: BroadPhase,
    narrow: Narrow,
    pub(crate) colliders: Buffer<Collider>,
    hull_vertices: Buffer<Vec4>,
    hull_faces: Buffer<HullFace>,
    placed: Buffer<PlacedCollider>,
    /// What each pose lies on.
    planes: Buffer<Plane>,
    counts: Buffer<u32>,
    first: Buffer<u32>,
    cells: Buffer<PlacedCollider>,
    levels: Buffer<u32>,
    /// Of the sweep: where each box begins, and which one it is; along which axis.
    sweep_items: Buffer<UVec2>,
    sweep_along: Buffer<u32>,
    /// Around the middles of the boxes of some colliders each.
    spread_parts: Buffer<Vec4>,
}

/// Arrays of a record each, or of a few.
#[derive(Debug)]
pub struct ManifoldArrays {
    pairs: Buffer<UVec2>,
    pub(crate) manifolds: Buffer<Manifold>,
    manifolds_last: Buffer<Manifold>,
    pub(crate) points: Buffer<ManifoldPoint>,
    points_last: Buffer<ManifoldPoint>,
    places: Buffer<Vec4>,
    acting: Buffer<u32>,
    /// 1 for each record that is a manifold with points, else 0; where these stand in the list; the list.
    pub(super) counts: Buffer<u32>,
    pub(super) first: Buffer<u32>,
    list: Buffer<u32>,
    wrenches: Buffer<Vec4>,
}

/// The kernel of a narrow phase.
pub fn narrow_kernel(narrow: Narrow) -> &'static str {
    match narrow {
        Narrow::Gjk => "narrow_gjk",
        Narrow::Sat => "narrow_sat",
        Narrow::Triangles => "narrow_triangles",
        Narrow::SphereTriangles => "narrow_sphere_triangles",
    }
}

/// Constants of the grid of colliders.
pub fn constants(model: &Model, constants: Collide) -> Collide {
    let own = model.colliders[..model.first_obstacle].iter();
    let least = own.map(|c| f64::from(c.bound)).fold(f64::INFINITY, extreme::least);
    let cell = if least.is_finite() { 2.0 * CELL * least } else { 1.0 };
    Collide {
        collider_count: model.colliders.len() as u32,
        first_obstacle: model.first_obstacle as u32,
        inverse_collider_cell: (1.0 / cell) as f32,
        collider_table: (2 * model.first_obstacle).next_power_of_two().max(64) as u32,
        ..constants
    }
}

impl ColliderArrays {
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(
        context: &Context,
        model: &Model,
        world: &WorldSettings,
        constants: &Collide,
    ) -> Result<Self> {
        let (all, own) = (model.colliders.len(), model.first_obstacle);
        let poses = if all == 0 { 0 } else { model.poses.len() };
        let swept = if world.broad_phase == BroadPhase::Sweep { own } else { 0 };
        let table = if all == 0 { 0 } else { constants.collider_table as usize };
        let levels = if all == 0 { 0 } else { 2 * BODY_LEVELS as usize };
        Ok(Self {
            broad_phase: world.broad_phase,
            narrow: world.narrow,
            colliders: Buffer::new(context, "colliders", &model.colliders)?,
            hull_vertices: Buffer::new(context, "hull_vertices", &model.hull_vertices)?,
            hull_faces: Buffer::new(context, "hull_faces", &model.hull_faces)?,
            placed: Buffer::zeroed(context, "placed_colliders", all)?,
            planes: Buffer::zeroed(context, "planes", PLANES as usize * poses)?,
            counts: Buffer::zeroed(context, "collider_counts", table)?,
            first: Buffer::zeroed(context, "collider_first", table + 1)?,
            cells: Buffer::zeroed(context, "cell_colliders", own)?,
            levels: Buffer::zeroed(context, "collider_levels", levels)?,
            sweep_items: Buffer::zeroed(context, "sweep_items", swept)?,
            sweep_along: Buffer::zeroed(context, "sweep_along", 1)?,
            spread_parts: Buffer::zeroed(
                context,
                "spread_parts",
                2 * swept.div_ceil(CHUNK as usize),
            )?,
        })
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.colliders.is_empty()
    }

    /// What passes bind.
    pub fn bindings(&self) -> [Binding<'_>; 12] {
        [
            self.colliders.binding(),
            self.hull_vertices.binding(),
            self.hull_faces.binding(),
            self.placed.binding(),
            self.planes.binding(),
            self.counts.binding(),
            self.first.binding(),
            self.cells.binding(),
            self.levels.binding(),
            self.sweep_items.binding(),
            self.sweep_along.binding(),
            self.spread_parts.binding(),
        ]
    }
}

impl ManifoldArrays {
    /// Of so many records.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, records: usize) -> Result<Self> {
        let points = MANIFOLD as usize * records;
        Ok(Self {
            pairs: Buffer::zeroed(context, "pairs", records)?,
            manifolds: Buffer::zeroed(context, "manifolds", records)?,
            manifolds_last: Buffer::zeroed(context, "manifolds_last", records)?,
            points: Buffer::zeroed(context, "manifold_points", points)?,
            points_last: Buffer::zeroed(context, "manifold_points_last", points)?,
            places: Buffer::zeroed(context, "manifold_places", points)?,
            counts: Buffer::zeroed(context, "manifold_counts", records)?,
            first: Buffer::zeroed(context, "manifold_first", records + 1)?,
            list: Buffer::zeroed(context, "manifold_list", records)?,
            acting: Buffer::zeroed(context, "acting", records.next_multiple_of(64))?,
            wrenches: Buffer::zeroed(context, "wrenches", WRENCH_ROWS as usize * records)?,
        })
    }

    /// What passes bind.
    pub fn bindings(&self) -> [Binding<'_>; 11] {
        [
            self.pairs.binding(),
            self.manifolds.binding(),
            self.manifolds_last.binding(),
            self.points.binding(),
            self.points_last.binding(),
            self.places.binding(),
            self.acting.binding(),
            self.counts.binding(),
            self.first.binding(),
            self.list.binding(),
            self.wrenches.binding(),
        ]
    }

    /// What goes on from step to step.
    pub fn kept(&self) -> [&dyn Bytes; 3] {
        [&self.manifolds, &self.points, &self.list]
    }
}

/// The passes of a search that find pairs of colliders, and make manifolds of them.
#[derive(Debug)]
pub(super) struct ColliderSearch {
    /// Which are near each other, and how many of each.
    pub broad: Vec<(Extent, Pass)>,
    /// Behind the scan: their contacts.
    pub fill: Vec<(Extent, Pass)>,
}

impl ColliderSearch {
    /// Binds the passes; none where there are no colliders.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(arrays: &Arrays<'_>, own: &CollideArrays) -> Result<Option<Self>> {
        if !own.colliders.any() {
            return Ok(None);
        }
        let both = |name: &str| bind(arrays, own, name, 0, &[]);
        let pass = |(extent, name)| (extent, Pass::Both(both(name)));
        let before = [
            (Extent::Records, "manifold_keep"),
            (Extent::Poses, "pose_search"),
            (Extent::Colliders, "collider_boxes"),
        ];
        let mut broad: Vec<_> = before.into_iter().map(pass).collect();
        let colliders = &own.colliders;
        let (after, find) = match colliders.broad_phase {
            BroadPhase::Grid => {
                let sums = Scan::new(arrays.context, &colliders.counts, &colliders.first)?;
                broad.extend(scan_passes(sums, Extent::ColliderBlocks));
                (
                    [(Extent::Colliders, "collider_fill"), (Extent::Colliders, "pair_count")],
                    "pair_fill",
                )
            }
            BroadPhase::Sweep => {
                let keys = [
                    (Extent::ColliderChunks, "sweep_spread"),
                    (Extent::One, "sweep_axis"),
                    (Extent::Colliders, "sweep_keys"),
                ];
                broad.extend(keys.into_iter().map(pass));
                for round in Sort::new(arrays.context, &colliders.sweep_items)?.into_rounds() {
                    broad.push((Extent::SortBlocks, Pass::Either(round.count)));
                    broad.extend(scan_passes(round.sums, Extent::SortSums));
                    broad.push((Extent::SortBlocks, Pass::Either(round.scatter)));
                }
                (
                    [(Extent::Colliders, "sweep_sorted"), (Extent::Colliders, "sweep_count")],
                    "sweep_fill",
                )
            }
        };
        broad.extend(after.into_iter().map(pass));
        let fill = [
            (Extent::Colliders, find),
            (Extent::Records, "pair_begin"),
            (Extent::Records, narrow_kernel(colliders.narrow)),
            (Extent::Records, "manifold_contacts"),
        ];
        let mut fill: Vec<_> = fill.into_iter().map(pass).collect();
        let touching = &own.sized.manifolds;
        let scan = Scan::new(arrays.context, &touching.counts, &touching.first)?;
        fill.extend(scan_passes(scan, Extent::RecordBlocks));
        fill.push(pass((Extent::Records, "manifold_fill")));
        Ok(Some(Self { broad, fill }))
    }
}
