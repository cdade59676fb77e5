//! Shape matching: clusters of points that are pulled to their shape.
//!
//! Passes sum over clusters, find their goals, and pull their members. The room knows rest shapes, goals and what a cluster
//! keeps from step to step; it must not know of springs, elements or steps.

mod arrays;
pub mod clusters;

pub use self::arrays::{Cluster, ShapeArrays};

use std::any::Any;
use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DMat3, Quat, Vec4};

use super::deformation::flowing;
use super::{At, Deformation, Family, KeptOne, Passes};
use crate::Result;
use crate::gpu::types::{
    Body as GpuBody, Cluster as GpuCluster, ClusterState, Goal, LOADED_FORCES, MOMENT_ROWS, Sim,
};
use crate::gpu::{Buffer, Bytes, Context, Kernel};
use crate::integrate::part::Domain;
use crate::mesh::PointCloud;
use crate::model::{BodyRanges, Material, Model, Part, Rest};
use crate::scene::defaults::Extent;
use crate::scene::{Kind, Pull, ShapeMatching as Description};

/// What passes over clusters leave.
pub const LOADED: u32 = LOADED_FORCES;

/// The name of the family.
pub const NAME: &str = "shape";

/// The clusters of all bodies.
#[derive(Debug)]
struct Shape {
    rests: Buffer<Vec4>,
    members: Buffer<u32>,
    memberships: Buffer<u32>,
    clusters: Buffer<GpuCluster>,
    fits: Buffer<Vec4>,
    states: Buffer<ClusterState>,
    moments: Buffer<Vec4>,
    goals: Buffer<Goal>,
    long: usize,
    long_chunks: usize,
    /// Of `shape_sum`, `shape_solve` and `shape_fit`.
    threads: [usize; 3],
    /// For each cluster its place in the model's.
    order: Vec<usize>,
}

/// Uploads the clusters of a model; none where it has none.
///
/// # Errors
/// An array that is too large for one buffer.
pub(super) fn family(context: &Context, model: &Model) -> Result<Option<Box<dyn Family>>> {
    if model.clusters.is_empty() {
        return Ok(None);
    }
    let arrays = ShapeArrays::new(model);
    let rows = arrays.long_chunks * MOMENT_ROWS as usize;
    Ok(Some(Box::new(Shape {
        rests: Buffer::new(context, "rests", &arrays.rests)?,
        members: Buffer::new(context, "members", &arrays.members)?,
        memberships: Buffer::new(context, "memberships", &arrays.memberships)?,
        clusters: Buffer::new(context, "clusters", &arrays.clusters)?,
        fits: Buffer::new(context, "fits", &arrays.fits)?,
        states: Buffer::new(context, "cluster_states", &arrays.states())?,
        moments: Buffer::zeroed(context, "moments", rows)?,
        goals: Buffer::zeroed(context, "goals", arrays.clusters.len())?,
        long: arrays.long,
        long_chunks: arrays.long_chunks,
        threads: arrays.threads(),
        order: arrays.order,
    })))
}

impl Shape {
    /// What clusters keep, in the model's order.
    fn states(&self, context: &Context) -> Result<Vec<ClusterState>> {
        let mut states = vec![ClusterState::default(); self.order.len()];
        for (state, cluster) in self.states.read(context)?.into_iter().zip(&self.order) {
            states[*cluster] = state;
        }
        Ok(states)
    }
}

impl Family for Shape {
    fn name(&self) -> &'static str {
        NAME
    }

    fn count(&self, sim: &mut Sim) {
        sim.cluster_count = self.clusters.len() as u32;
        sim.long_cluster_count = self.long as u32;
        sim.long_chunk_count = self.long_chunks as u32;
    }

    /// Sums over the chunks of long clusters and their goals; those of the others; pulls.
    fn forces(&self, at: &At<'_>, out: &mut Passes) {
        let bindings = [
            self.rests.binding(),
            self.members.binding(),
            self.memberships.binding(),
            self.clusters.binding(),
            self.fits.binding(),
            self.states.binding(),
            self.moments.binding(),
            self.goals.binding(),
        ];
        let [sum, solve, fit] = self.threads;
        for (kernel, threads, over) in [
            ("shape_sum", sum, Domain::All),
            ("shape_solve", solve, Domain::All),
            ("shape_fit", fit, Domain::All),
            ("shape_gather", at.particles(), Domain::Particles),
        ] {
            let kernel = Kernel::new(at.arrays.context, kernel);
            out.push(at.bind(&kernel, &bindings), threads, over);
        }
    }

    /// The same passes, as their uniform says.
    fn products(&self, at: &At<'_>, out: &mut Passes) {
        self.forces(at, out);
    }

    fn evolving(&self) -> Option<&dyn Bytes> {
        Some(&self.states)
    }

    fn kept(&self, context: &Context) -> Result<Option<KeptOne>> {
        Ok(Some(Arc::new(self.states(context)?)))
    }

    fn give(&self, context: &Context, kept: &dyn Any) {
        let Some(states) = kept.downcast_ref::<Vec<ClusterState>>() else {
            return;
        };
        let mut own: Vec<_> = vec![ShapeArrays::state(); self.order.len()];
        for (own, cluster) in own.iter_mut().zip(&self.order) {
            if let Some(state) = states.get(*cluster) {
                *own = *state;
            }
        }
        self.states.write(context, 0, &own);
    }

    fn begin(&self, context: &Context, model: &Model, body: usize) {
        let own = |cluster: &usize| model.clusters[*cluster].body == body;
        let mut first = 0;
        // Clusters of one body lie in a few runs.
        for run in self.order.chunk_by(|a, b| own(a) == own(b)) {
            if own(&run[0]) {
                let states = vec![ShapeArrays::state(); run.len()];
                self.states.write(context, first, &states);
            }
            first += run.len();
        }
    }

    fn turn(&self, context: &Context, model: &Model, body: usize, turn: Quat) -> Result<()> {
        let mut states = self.states.read(context)?;
        for (state, cluster) in states.iter_mut().zip(&self.order) {
            if model.clusters[*cluster].body == body {
                state.rotation = Vec4::from(turn * Quat::from_vec4(state.rotation));
                state.spin = turn * state.spin;
            }
        }
        self.states.write(context, 0, &states);
        Ok(())
    }

    fn plastic(&self, context: &Context) -> Result<Vec<DMat3>> {
        let states = self.states(context)?;
        Ok(states.iter().map(ClusterState::plastic_stretch).collect())
    }
}

impl Deformation for Description {
    fn loaded(&self) -> u32 {
        LOADED
    }

    fn deforms_bare(&self, _rest: &Rest) -> bool {
        true
    }

    fn material(&self, _part: &Part<'_>, extent: &Extent, _volume: f64) -> Material {
        let (frequency, relaxation) = extent.pull(self);
        Material { frequency, relaxation, ..Material::default() }
    }

    fn add(&self, model: &mut Model, part: &Part<'_>, ranges: &mut BodyRanges) -> Result<()> {
        let edge = if part.rest.edges.is_empty() {
            PointCloud::spacing_of(&part.scaled.points).unwrap_or(0.0)
        } else {
            ranges.edge
        };
        let body = model.bodies.len();
        let clusters = clusters::of(&part.body.name, self, &part.rest, &part.scaled, edge)?;
        model.clusters.extend(clusters.into_iter().map(|members| {
            let mut members: Vec<u32> = members.into_iter().map(|i| part.device(i)).collect();
            members.sort_unstable();
            Cluster { body, members, mode: self.mode }
        }));
        Ok(())
    }

    fn constants(&self, material: &Material) -> GpuBody {
        let alpha = match self.pull {
            Pull::Alpha(alpha) => alpha,
            Pull::Frequency(_) | Pull::Suited => 0.0,
        };
        GpuBody {
            alpha: alpha as f32,
            pull_rate: (TAU * material.frequency).powi(2) as f32,
            beta: self.beta as f32,
            relaxation: material.relaxation as f32,
            ..flowing(&self.plasticity)
        }
    }

    fn is_alike(&self, other: &Kind) -> bool {
        let Kind::Shape(other) = other else {
            return false;
        };
        let pulls = self.acts_by_step() == other.acts_by_step();
        self.mode == other.mode && self.clusters == other.clusters && pulls
    }

    fn goes_on_from(&self, other: &Kind) -> bool {
        matches!(other, Kind::Shape(other) if self.clusters == other.clusters)
    }

    fn flows(&self) -> bool {
        self.plasticity.yield_strain.is_finite()
    }

    fn acts_by_step(&self) -> bool {
        matches!(self.pull, Pull::Alpha(_))
    }
}
