//! Springs along edges, tetrahedra that keep their volume, triangles that keep their area.
//!
//! The one fused family: explicit integrators gather its forces as they step (`wgsl/shared/force.wgsl`), vertex block
//! descent block by block (`wgsl/shared/vertex.wgsl`), and damping that does not set the step has its own sweeps
//! ([`crate::body::damping`]). The room knows the constants of its elements and how particles find them; it must not know
//! of stresses, clusters or steps.

mod isotropy;
mod link;
mod material;
mod rows;

pub(crate) use self::isotropy::SpringWeights;
pub(crate) use self::material::ElementConstants;
pub(crate) use self::rows::Rows;

use super::{At, Deformation, Family, Passes};
use crate::gpu::Context;
use crate::gpu::types::Body as GpuBody;
use crate::integrate::part::Domain;
use crate::mesh::TetMesh;
use crate::model::start::shared_volume;
use crate::model::{Area, BodyRanges, Material, Model, Part, Rest};
use crate::scene::defaults::Extent;
use crate::scene::{Kind, Springs};
use crate::{Error, Result};

/// Nothing: no passes over springs leave anything.
pub const LOADED: u32 = 0;

/// Springs have no arrays but those that all kernels have.
#[derive(Debug)]
struct Fused;

/// The family, which any world has.
///
/// # Errors
/// None.
pub(super) fn family(_context: &Context, _model: &Model) -> Result<Option<Box<dyn Family>>> {
    Ok(Some(Box::new(Fused)))
}

impl Family for Fused {
    fn name(&self) -> &'static str {
        "springs"
    }

    fn iterate_forces(&self, at: &At<'_>, out: &mut Passes) {
        let pass = at.bind(&at.arrays.kernel("newton_springs"), &[]);
        out.push(pass, at.particles(), Domain::Particles);
    }
}

impl Deformation for Springs {
    fn loaded(&self) -> u32 {
        LOADED
    }

    fn deforms_bare(&self, rest: &Rest) -> bool {
        !rest.edges.is_empty()
    }

    fn weights(&self, scaled: &TetMesh, rest: &Rest) -> Option<SpringWeights> {
        match self {
            Self::Moduli { .. } if !scaled.tets.is_empty() => {
                SpringWeights::new(scaled, &rest.edges, material::VOLUME_PER_DISTANCE)
            }
            _ => None,
        }
    }

    fn is_heterogeneous(&self, part: &Part<'_>) -> bool {
        let of_shell = matches!(self, Self::Moduli { .. }) && part.scaled.tets.is_empty();
        of_shell || !part.fields.is_empty() || part.weights.is_some() || part.rest.parts.is_some()
    }

    fn material(&self, part: &Part<'_>, extent: &Extent, volume: f64) -> Material {
        let shared = shared_volume(&part.scaled, &part.rest, volume);
        let (count, weights) = (part.rest.edges.len(), part.weights.as_ref());
        material::material(self, extent, shared, count, weights, part.body.area)
    }

    fn element_constants(
        &self,
        part: &Part<'_>,
        material: &Material,
        radius: f64,
    ) -> ElementConstants {
        match self {
            Self::Moduli { .. } if part.scaled.tets.is_empty() => {
                ElementConstants::of_shell(part, material, radius)
            }
            _ => ElementConstants::of_tets(self, part, material),
        }
    }

    /// Triangles whose areas are kept.
    fn add(&self, model: &mut Model, part: &Part<'_>, ranges: &mut BodyRanges) -> Result<()> {
        let first = model.areas.len();
        if part.body.area > 0.0 {
            for (i, corners) in part.rest.triangles.iter().enumerate() {
                model.areas.push(area(part, i, corners)?);
            }
        }
        ranges.areas = first..model.areas.len();
        Ok(())
    }

    fn constants(&self, material: &Material) -> GpuBody {
        GpuBody {
            distance: material.distance as f32,
            volume: material.volume as f32,
            damping: material.damping as f32,
            area: material.area as f32,
            ..GpuBody::default()
        }
    }

    fn has_pressure(&self) -> bool {
        true
    }

    /// That of the energy of a small dilation x → (1 + ε) x: springs have C = ε, volumes 3ε, areas 2ε, in all
    /// ½ (Σ k_D + 9 Σ k_V + 4 Σ k_A) ε²; an elastic body has ½ K (3ε)² V.
    fn bulk_moduli(&self, model: &Model, body: &BodyRanges) -> Vec<f64> {
        let springs = model.springs[body.springs.clone()].iter();
        let tets = || model.tets[body.tets.clone()].iter();
        let distance: f64 = springs.map(|spring| spring.distance).sum();
        let volume: f64 = tets().map(|tet| tet.volume).sum();
        let area = body.areas.len() as f64 * body.material.area;
        let rest: f64 = tets().map(|tet| tet.rest).sum();
        vec![(distance + 9.0 * volume + 4.0 * area) / (9.0 * rest)]
    }

    fn is_alike(&self, other: &Kind) -> bool {
        matches!(other, Kind::Springs(_))
    }
}

/// Triangle `i` of a body's surface, with these corners.
///
/// # Errors
/// One without an area.
fn area(part: &Part<'_>, i: usize, corners: &[u32; 3]) -> Result<Area> {
    let [a, b, c] = corners.map(|i| part.scaled.points[i as usize]);
    let rest = 0.5 * (b - a).cross(c - a).length();
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    if rest <= 1e-6 * longest * longest {
        let message =
            format!("triangle {i} (corners {corners:?}) has no area to keep: {rest:e} m²");
        return Err(Error::Mesh(message));
    }
    Ok(Area { corners: corners.map(|i| part.device(i)), rest })
}
