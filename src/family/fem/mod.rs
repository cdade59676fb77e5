//! Finite elements: linear tetrahedra of an elastic, viscous and plastic material.
//!
//! A pass per tetrahedron writes the forces on its corners, a pass per particle sums them. The room knows the laws of its
//! materials, their derivatives, and what an element keeps from step to step; it must not know of springs, clusters or
//! steps.

pub(crate) mod arrays;
mod element;
pub mod law;
pub mod rotation;
mod vertices;

pub use self::element::{FemElement, FemMaterial};
pub(crate) use self::vertices::vertex_tets;

use std::any::Any;
use std::sync::Arc;

use glam::{DMat3, DVec3, Quat, Vec4};

use super::deformation::flowing;
use super::{At, Corners, Deformation, Family, KeptOne, Passes};
use crate::Result;
use crate::gpu::types::{
    Body as GpuBody, FemState, FemTet, LOADED_CHANGES, LOADED_CORNERS, LOADED_FORCES, Sim,
};
use crate::gpu::{Binding, Buffer, Bytes, Context, Kernel};
use crate::integrate::part::Domain;
use crate::model::{BodyRanges, Material, Model, Part, Rest};
use crate::scene::defaults::Extent;
use crate::scene::{Fem as Description, Kind};

/// What passes over finite elements leave.
pub const LOADED: u32 = LOADED_FORCES | LOADED_CHANGES | LOADED_CORNERS;

/// The name of the family.
pub const NAME: &str = "fem";

/// The elements of all bodies of finite elements.
#[derive(Debug)]
struct Fem {
    tets: Buffer<FemTet>,
    states: Buffer<FemState>,
    corners: Corners,
    corner_forces: Buffer<Vec4>,
}

/// Uploads a model's elements; none where it has none.
///
/// # Errors
/// An array that is too large for one buffer.
pub(super) fn family(context: &Context, model: &Model) -> Result<Option<Box<dyn Family>>> {
    if model.elements.is_empty() {
        return Ok(None);
    }
    let (tets, rows, slots) = arrays::arrays(model);
    Ok(Some(Box::new(Fem {
        states: Buffer::zeroed(context, "fem_states", tets.len())?,
        tets: Buffer::new(context, "fem_tets", &tets)?,
        corners: Corners {
            rows: Buffer::new(context, "fem_rows", &rows)?,
            slots,
            elements: tets.len(),
        },
        corner_forces: Buffer::zeroed(context, "corner_forces", slots)?,
    })))
}

impl Fem {
    fn bindings(&self) -> [Binding<'_>; 4] {
        [
            self.tets.binding(),
            self.states.binding(),
            self.corners.rows.binding(),
            self.corner_forces.binding(),
        ]
    }

    /// A pass over the elements.
    fn push(&self, at: &At<'_>, kernel: &str, out: &mut Passes) {
        let kernel = Kernel::new(at.arrays.context, kernel);
        let pass = at.bind(&kernel, &self.bindings());
        out.push(pass, self.tets.len(), Domain::Elements);
    }

    /// A pass that writes forces on corners, and one that sums them.
    fn push_both(&self, at: &At<'_>, kernel: &str, out: &mut Passes) {
        self.push(at, kernel, out);
        let gather = Kernel::new(at.arrays.context, "fem_gather");
        let pass = at.bind(&gather, &self.bindings());
        out.push(pass, self.corners.rows.len(), Domain::Particles);
    }
}

impl Family for Fem {
    fn name(&self) -> &'static str {
        NAME
    }

    fn count(&self, sim: &mut Sim) {
        sim.fem_count = self.tets.len() as u32;
    }

    fn forces(&self, at: &At<'_>, out: &mut Passes) {
        self.push_both(at, "fem_force", out);
    }

    fn damping(&self, at: &At<'_>, out: &mut Passes) {
        let kernel = match at.gives("sweep_in") {
            true => "fem_damping",
            false => "fem_damping_first",
        };
        self.push_both(at, kernel, out);
    }

    fn stiffness(&self, at: &At<'_>, out: &mut Passes) {
        self.push_both(at, "fem_probe", out);
    }

    fn tangents(&self, at: &At<'_>, out: &mut Passes) {
        self.push(at, "newton_tangent", out);
    }

    fn products(&self, at: &At<'_>, out: &mut Passes) {
        self.push_both(at, "newton_fem", out);
    }

    fn energies(&self, at: &At<'_>, out: &mut Passes) {
        self.push(at, "fem_measure", out);
    }

    fn corners(&self) -> Option<&Corners> {
        Some(&self.corners)
    }

    fn evolving(&self) -> Option<&dyn Bytes> {
        Some(&self.states)
    }

    fn kept(&self, context: &Context) -> Result<Option<KeptOne>> {
        Ok(Some(Arc::new(self.states.read(context)?)))
    }

    fn give(&self, context: &Context, kept: &dyn Any) {
        if let Some(states) = kept.downcast_ref::<Vec<FemState>>() {
            self.states.write(context, 0, states);
        }
    }

    fn begin(&self, context: &Context, model: &Model, body: usize) {
        let range = model.bodies[body].elements.clone();
        let states = vec![FemState::default(); range.len()];
        self.states.write(context, range.start, &states);
    }

    fn turn(&self, context: &Context, model: &Model, body: usize, turn: Quat) -> Result<()> {
        let elements = model.bodies[body].elements.clone();
        if elements.is_empty() {
            return Ok(());
        }
        let mut states = self.states.read_part(context, elements.clone())?;
        // 0: none yet.
        let known = |state: &&mut FemState| state.rotation != Vec4::ZERO;
        for state in states.iter_mut().filter(known) {
            state.rotation = Vec4::from(turn * Quat::from_vec4(state.rotation));
        }
        self.states.write(context, elements.start, &states);
        Ok(())
    }

    fn plastic(&self, context: &Context) -> Result<Vec<DMat3>> {
        let states = self.states.read(context)?;
        Ok(states.iter().map(FemState::plastic_stretch).collect())
    }
}

impl Deformation for Description {
    fn loaded(&self) -> u32 {
        LOADED
    }

    fn deforms_bare(&self, _rest: &Rest) -> bool {
        false
    }

    fn is_uniform(&self, _part: &Part<'_>) -> bool {
        false
    }

    fn material(&self, _part: &Part<'_>, extent: &Extent, _volume: f64) -> Material {
        let (young, relaxation) = extent.moduli(self.young, self.relaxation);
        Material { young, relaxation, ..Material::default() }
    }

    fn add(&self, model: &mut Model, part: &Part<'_>, ranges: &mut BodyRanges) -> Result<()> {
        let material = FemMaterial {
            law: self.law,
            young: ranges.material.young,
            poisson: self.poisson,
            relaxation: ranges.material.relaxation,
        };
        let tets = &model.tets[ranges.tets.clone()];
        let inverse_mass = |i: u32| match model.pinned[i as usize] {
            true => 0.0,
            false => model.masses[i as usize].recip(),
        };
        let own = element::elements(material, part, tets, inverse_mass);
        let first = model.elements.len();
        model.elements.extend(own);
        ranges.elements = first..model.elements.len();
        Ok(())
    }

    fn constants(&self, material: &Material) -> GpuBody {
        GpuBody {
            law: self.law as u32,
            relaxation: material.relaxation as f32,
            ..flowing(&self.plasticity)
        }
    }

    fn has_pressure(&self) -> bool {
        true
    }

    fn bulk_moduli(&self, model: &Model, body: &BodyRanges) -> Vec<f64> {
        let elements = model.elements[body.elements.clone()].iter();
        elements.map(|element| element.lame.lambda + 2.0 / 3.0 * element.lame.mu).collect()
    }

    fn has_stress(&self) -> bool {
        true
    }

    fn stresses(
        &self,
        model: &Model,
        body: &BodyRanges,
        x: &dyn Fn(u32) -> DVec3,
        plastic: &[DMat3],
    ) -> Vec<DMat3> {
        let stress = |index: usize| {
            let element = &model.elements[index];
            let plastic = plastic.get(index).copied().unwrap_or_default();
            element.stress(element.corners.map(x), plastic)
        };
        body.elements.clone().map(stress).collect()
    }

    fn is_alike(&self, other: &Kind) -> bool {
        matches!(other, Kind::Fem(_))
    }

    fn flows(&self) -> bool {
        self.plasticity.yield_strain.is_finite()
    }
}
