//! Shape matching on the device: sums over clusters, their goals, the pulls on their members.

use glam::{DMat3, Vec4};

use super::elements::Loads;
use crate::Result;
use crate::gpu::types::{Cluster, ClusterState, GOAL_ROWS, Particle};
use crate::gpu::{Buffer, Bytes, Context, Kernel};
use crate::integrate::Arrays;
use crate::integrate::part::Over;
use crate::model::{Model, ShapeArrays};

/// The clusters of all bodies.
#[derive(Debug)]
pub struct Shape {
    rests: Buffer<Vec4>,
    members: Buffer<u32>,
    memberships: Buffer<u32>,
    clusters: Buffer<Cluster>,
    fits: Buffer<Vec4>,
    states: Buffer<ClusterState>,
    goals: Buffer<Vec4>,
    chunks: usize,
    several: usize,
    /// For each cluster its place in the model's.
    order: Vec<usize>,
    /// Sums and goals; goals of clusters of several chunks; pulls.
    kernels: [Kernel; 3],
}

impl Shape {
    /// Uploads the clusters of a model; none where it has none.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, model: &Model) -> Result<Option<Self>> {
        if model.clusters.is_empty() {
            return Ok(None);
        }
        let arrays = ShapeArrays::new(model);
        let rows = (arrays.clusters.len() + arrays.several[1]) * GOAL_ROWS as usize;
        let kernel = |name| Kernel::new(context, name);
        Ok(Some(Self {
            rests: Buffer::new(context, "rests", &arrays.rests)?,
            members: Buffer::new(context, "members", &arrays.members)?,
            memberships: Buffer::new(context, "memberships", &arrays.memberships)?,
            clusters: Buffer::new(context, "clusters", &arrays.clusters)?,
            fits: Buffer::new(context, "fits", &arrays.fits)?,
            states: Buffer::new(context, "cluster_states", &arrays.states())?,
            goals: Buffer::zeroed(context, "goals", rows)?,
            chunks: arrays.chunks,
            several: arrays.several[0],
            order: arrays.order,
            kernels: ["shape_fit", "shape_solve", "shape_gather"].map(kernel),
        }))
    }

    /// Adds the passes that write the pulls on the particles of one array to `loads`.
    pub fn loads(&self, arrays: &Arrays<'_>, particles: &Buffer<Particle>, loads: &mut Loads) {
        let bindings = [
            particles.bind("particles_in"),
            self.rests.bind("rests"),
            self.members.bind("members"),
            self.memberships.bind("memberships"),
            self.clusters.bind("clusters"),
            self.fits.bind("fits"),
            self.states.bind("cluster_states"),
            self.goals.bind("goals"),
        ];
        let threads = [
            (self.chunks, Over::All),
            (self.several, Over::All),
            (particles.len(), Over::Particles),
        ];
        for (kernel, (threads, over)) in self.kernels.iter().zip(threads) {
            loads.push(arrays.bind(kernel, &bindings), threads, over);
        }
    }

    /// Makes the clusters of one body forget what they kept.
    pub(crate) fn begin(&self, context: &Context, model: &Model, body: usize) {
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

    /// See [`Self::evolving`].
    pub fn states(&self) -> &Buffer<ClusterState> {
        &self.states
    }

    /// The body of each of [`Self::states`].
    pub fn bodies(&self, model: &Model) -> Vec<usize> {
        let body = |cluster: &usize| model.clusters[*cluster].body;
        self.order.iter().map(body).collect()
    }

    /// What clusters keep from step to step.
    pub fn evolving(&self) -> &dyn Bytes {
        &self.states
    }

    /// What clusters keep, in the model's order.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn kept(&self, context: &Context) -> Result<Vec<ClusterState>> {
        let mut states = vec![ClusterState::default(); self.order.len()];
        for (state, cluster) in self.states.read(context)?.into_iter().zip(&self.order) {
            states[*cluster] = state;
        }
        Ok(states)
    }

    /// Gives the first clusters of the model what others kept.
    pub(crate) fn give(&self, context: &Context, states: &[ClusterState]) {
        let mut own: Vec<_> = vec![ShapeArrays::state(); self.order.len()];
        for (own, cluster) in own.iter_mut().zip(&self.order) {
            if let Some(state) = states.get(*cluster) {
                *own = *state;
            }
        }
        self.states.write(context, 0, &own);
    }

    /// S_p of each cluster of the model.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn plastic(&self, context: &Context) -> Result<Vec<DMat3>> {
        let states = self.kept(context)?;
        Ok(states.iter().map(ClusterState::plastic_stretch).collect())
    }

    /// The number of clusters and of chunks of their members.
    pub fn counts(&self) -> [usize; 2] {
        [self.clusters.len(), self.chunks]
    }
}
