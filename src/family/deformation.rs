//! What a family makes of a body by its description alone, on the host.

use glam::{DMat3, DVec3};

use super::springs::{ElementConstants, SpringWeights};
use crate::Result;
use crate::gpu::types::{Body as GpuBody, LOADED_CHANGES};
use crate::mesh::TetMesh;
use crate::model::{BodyRanges, Material, Model, Part, Rest};
use crate::scene::defaults::Extent;
use crate::scene::{Body, Kind, Plasticity, Scene};

/// How a body deforms: implemented by each of the scene's kinds.
pub(crate) trait Deformation {
    /// What passes over its elements leave, `LOADED_…`; 0: its particles gather springs.
    fn loaded(&self) -> u32;

    /// The rest shape, where it makes one of its own of a body's mesh.
    fn rest(&self, _body: &Body, _scene: &Scene) -> Option<Result<Rest>> {
        None
    }

    /// Whether it can deform a shape without tetrahedra.
    fn deforms_bare(&self, rest: &Rest) -> bool;

    /// What springs weigh along the edges of a mesh that is as large as the body, where they do not weigh the same.
    fn weights(&self, _scaled: &TetMesh, _rest: &Rest) -> Option<SpringWeights> {
        None
    }

    /// Whether springs and volumes carry constants of their own.
    fn is_heterogeneous(&self, _part: &Part<'_>) -> bool {
        false
    }

    /// Whether all its constants are those of the whole body, so that others can take their place.
    fn is_uniform(&self, part: &Part<'_>) -> bool {
        !self.is_heterogeneous(part)
    }

    /// Constants of the whole body, of a material of this volume \[m³\].
    fn material(&self, part: &Part<'_>, extent: &Extent, volume: f64) -> Material;

    /// Constants of springs along its edges, and of its volumes.
    fn element_constants(
        &self,
        part: &Part<'_>,
        _material: &Material,
        _radius: f64,
    ) -> ElementConstants {
        ElementConstants::none(part)
    }

    /// Adds what else it has of elements to a model that holds the body's particles already; `ranges` are to become its last
    /// body's.
    ///
    /// # Errors
    /// Elements that cannot be.
    fn add(&self, _model: &mut Model, _part: &Part<'_>, _ranges: &mut BodyRanges) -> Result<()> {
        Ok(())
    }

    /// Its own of a body's constants on the device.
    fn constants(&self, material: &Material) -> GpuBody;

    /// Whether there is a pressure in its tetrahedra.
    fn has_pressure(&self) -> bool {
        false
    }

    /// The bulk modulus \[Pa\] of each of the body's tetrahedra, or one of all, where there is a pressure.
    fn bulk_moduli(&self, _model: &Model, _body: &BodyRanges) -> Vec<f64> {
        Vec::new()
    }

    /// Whether there is a stress in its tetrahedra.
    fn has_stress(&self) -> bool {
        false
    }

    /// The elastic Cauchy stress \[Pa\] in each of the body's tetrahedra with particles at `x` \[m\], where there is one.
    /// `plastic`: S_p of all elements, or nothing.
    fn stresses(
        &self,
        _model: &Model,
        _body: &BodyRanges,
        _x: &dyn Fn(u32) -> DVec3,
        _plastic: &[DMat3],
    ) -> Vec<DMat3> {
        Vec::new()
    }

    /// Whether the power iteration finds how stiff and how damped it is.
    fn has_rates(&self) -> bool {
        self.loaded() == 0 || self.loaded() & LOADED_CHANGES != 0
    }

    /// Whether a body of this and one of the other with the same mesh have the same arrays, but for the constants in them.
    fn is_alike(&self, other: &Kind) -> bool;

    /// Whether its elements can go on from what those of the other kept.
    fn goes_on_from(&self, other: &Kind) -> bool {
        self.is_alike(other)
    }

    /// Whether its shape can change for good.
    fn flows(&self) -> bool {
        false
    }

    /// Whether what it does is given per step: it is another material with steps of another length.
    fn acts_by_step(&self) -> bool {
        false
    }
}

/// What flows, as a part of a body's constants on the device.
pub(super) fn flowing(plasticity: &Plasticity) -> GpuBody {
    GpuBody {
        yield_strain: plasticity.yield_strain.min(f64::from(f32::MAX)) as f32,
        creep: plasticity.creep as f32,
        plastic_most: plasticity.most as f32,
        ..GpuBody::default()
    }
}
