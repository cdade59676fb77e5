//! Elements with passes of their own, finite elements, clusters and ties: they write `loads`, the accelerations of their
//! bodies' particles, before an integrator's pass gathers the forces.

use glam::Vec4;

use super::fem::Fem;
use super::shape::Shape;
use super::ties::Ties;
use crate::Result;
use crate::gpu::types::{ClusterState, FemState, Particle};
use crate::gpu::{Binding, Bound, Buffer, Bytes, Context, Recorder};
use crate::integrate::Arrays;
use crate::integrate::part::{Over, Part};
use crate::model::Model;

/// What elements keep from step to step, in the model's order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    tets: Vec<FemState>,
    clusters: Vec<ClusterState>,
}

/// The arrays and kernels of all elements with passes of their own.
#[derive(Debug, Default)]
pub struct Elements {
    /// Clusters.
    pub shape: Option<Shape>,
    /// Finite elements.
    pub fem: Option<Fem>,
    /// Ties between bodies, and to solids and places.
    pub ties: Option<Ties>,
    /// Forces of the caller's, a vector for each particle.
    pub applied: Option<wgpu::Buffer>,
}

impl Elements {
    /// Uploads the elements of a model.
    ///
    /// # Errors
    /// An array that is too large for one buffer.
    pub fn new(context: &Context, model: &Model) -> Result<Self> {
        Ok(Self {
            shape: Shape::new(context, model)?,
            fem: Fem::new(context, model)?,
            ties: None,
            applied: None,
        })
    }

    /// The passes by which what deforms renews `loads` from the state in one particle array.
    pub fn deformation(&self, arrays: &Arrays<'_>, particles: &Buffer<Particle>) -> Loads {
        let mut loads = Loads::default();
        if let Some(shape) = &self.shape {
            shape.loads(arrays, particles, &mut loads);
        }
        if let Some(fem) = &self.fem {
            fem.loads(arrays, particles, &mut loads);
        }
        loads
    }

    /// All passes that renew `loads` of an explicit integrator.
    pub fn loads(&self, arrays: &Arrays<'_>, particles: &Buffer<Particle>) -> Loads {
        let mut loads = self.deformation(arrays, particles);
        if let Some(ties) = &self.ties {
            ties.loads(arrays, particles, &mut loads);
        }
        if let Some(applied) = &self.applied {
            let others = [
                particles.bind("particles_in"),
                Binding::vectors("applied", applied),
            ];
            let pass = arrays.bind(&arrays.kernel("applied_load"), &others);
            loads.push(pass, particles.len(), Over::Particles);
        }
        loads
    }

    /// The passes that set `loads` to the accelerations by the viscosity of a field of velocities, or of the particles'
    /// own where there is none.
    pub fn viscosity(
        &self,
        arrays: &Arrays<'_>,
        particles: &Buffer<Particle>,
        field: Option<&Buffer<Vec4>>,
    ) -> Loads {
        let mut loads = Loads::default();
        if let Some(fem) = &self.fem {
            fem.viscosity(arrays, particles, field, &mut loads);
        }
        loads
    }

    /// The passes that set `loads` to the change of the accelerations along `w`.
    pub fn change(
        &self,
        arrays: &Arrays<'_>,
        particles: &Buffer<Particle>,
        w: &Buffer<Vec4>,
    ) -> Loads {
        let mut loads = Loads::default();
        if let Some(fem) = &self.fem {
            fem.change(arrays, particles, w, &mut loads);
        }
        loads
    }

    /// What the elements keep.
    ///
    /// # Errors
    /// When the device is lost.
    pub(crate) fn kept(&self, context: &Context) -> Result<Kept> {
        let tets = self.fem.as_ref().map(|fem| fem.states().read(context));
        let clusters = self.shape.as_ref().map(|shape| shape.kept(context));
        Ok(Kept {
            tets: tets.transpose()?.unwrap_or_default(),
            clusters: clusters.transpose()?.unwrap_or_default(),
        })
    }

    /// Gives the first elements what others kept.
    pub(crate) fn give(&self, context: &Context, kept: &Kept) {
        if let Some(fem) = &self.fem {
            fem.states().write(context, 0, &kept.tets);
        }
        if let Some(shape) = &self.shape {
            shape.give(context, &kept.clusters);
        }
    }

    /// Makes the elements of one body forget what they kept.
    pub(crate) fn begin(&self, context: &Context, model: &Model, body: usize) {
        if let Some(fem) = &self.fem {
            fem.begin(context, model, body);
        }
        if let Some(shape) = &self.shape {
            shape.begin(context, model, body);
        }
    }

    /// What the elements keep from step to step.
    pub fn evolving(&self) -> Vec<&dyn Bytes> {
        let fem = self.fem.iter().map(Fem::evolving);
        fem.chain(self.shape.iter().map(Shape::evolving)).collect()
    }
}

/// Passes in order, each with its number of threads and what they are for.
#[derive(Debug, Default)]
pub struct Loads(Vec<(Bound, usize, Over)>);

impl Loads {
    /// Adds a pass.
    pub fn push(&mut self, pass: Bound, threads: usize, over: Over) {
        self.0.push((pass, threads, over));
    }

    /// Records the passes.
    pub fn record(&self, recorder: &mut Recorder<'_>, slot: usize) {
        self.record_part(recorder, &Part::all(slot));
    }

    /// Records the passes over a part, and over all that does not lie body by body.
    pub fn record_part(&self, recorder: &mut Recorder<'_>, part: &Part) {
        for (pass, threads, over) in &self.0 {
            part.dispatch(recorder, pass, *threads, *over);
        }
    }
}
