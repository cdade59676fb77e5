//! Constants of springs and volumes: those of a whole body, and those of each where they differ.

use std::collections::HashMap;

use super::isotropy::SpringWeights;
use crate::mesh::TetMesh;
use crate::mesh::topology::TET_EDGES;
use crate::model::start::area;
use crate::model::{Material, Part};
use crate::scene::defaults::Extent;
use crate::scene::{Constant, Springs};

/// k_D over E V/n, V the body's volume and n its number of springs, of a lattice of cubes, whose springs may all be the same:
/// the modulus that a pulled bar then shows is right within 15 % from one cell across to many, because springs on the
/// surface, which few cells share, are as stiff as inner ones. Of other meshes [`SpringWeights`] say. Measured by the test
/// `young_modulus_of_the_lattice`.
const DISTANCE_PER_YOUNG: f64 = 3.03;
/// k_V over k_D of a body given by its modulus: the ratio of the defaults.
pub(super) const VOLUME_PER_DISTANCE: f64 = 0.5;

/// The constants of springs whose material has this rest volume [m³], their number, what they weigh, and k_A [J].
pub(super) fn material(
    springs: &Springs,
    extent: &Extent,
    volume: f64,
    count: usize,
    weights: Option<&SpringWeights>,
    area: f64,
) -> Material {
    match *springs {
        Springs::Constants { distance, volume, damping } => {
            Material { distance, volume, damping, area, ..Material::default() }
        }
        Springs::Moduli { young, relaxation } => {
            let (young, relaxation) = extent.moduli(young, relaxation);
            let distance = match weights {
                Some(weights) => young / weights.modulus,
                None => DISTANCE_PER_YOUNG * young * volume / count as f64,
            };
            Material {
                distance,
                volume: VOLUME_PER_DISTANCE * distance,
                damping: relaxation * distance,
                area,
                young,
                relaxation,
                ..Material::default()
            }
        }
    }
}

/// The constants of each spring and tetrahedron of a body.
pub(crate) struct ElementConstants {
    /// Per spring: k_D [J] and d_C [J s].
    pub springs: Vec<(f64, f64)>,
    /// Per tetrahedron: k_V [J].
    pub volumes: Vec<f64>,
}

impl ElementConstants {
    /// Of a body whose edges and tetrahedra are neither springs nor volumes.
    pub fn none(part: &Part<'_>) -> Self {
        Self {
            springs: vec![(0.0, 0.0); part.rest.edges.len()],
            volumes: vec![0.0; part.scaled.tets.len()],
        }
    }

    /// From the body's constants and where they differ. A spring has the mean of those of the tetrahedra that share it,
    /// times what it weighs.
    pub(super) fn of_tets(springs: &Springs, part: &Part<'_>, material: &Material) -> Self {
        let (mesh, rest) = (&part.scaled, &part.rest);
        let tets: Vec<_> =
            (0..mesh.tets.len()).map(|tet| of_tet(springs, part, material, tet)).collect();
        let mut sums: HashMap<[u32; 2], (f64, f64, f64)> = HashMap::new();
        if !part.fields.is_empty() || rest.parts.is_some() {
            for (corners, own) in mesh.tets.iter().zip(&tets) {
                for [a, b] in TET_EDGES.map(|ends| ends.map(|k| corners[k])) {
                    let sum = sums.entry([a.min(b), a.max(b)]).or_default();
                    *sum = (sum.0 + own.distance, sum.1 + own.damping, sum.2 + 1.0);
                }
            }
        }
        let spring = |(i, edge): (usize, &[u32; 2])| {
            let weight = part.weights.as_ref().map_or(1.0, |weights| weights.weights[i]);
            let (distance, damping) = match sums.get(edge) {
                Some((distance, damping, count)) => (distance / count, damping / count),
                None => (material.distance, material.damping),
            };
            (weight * distance, weight * damping)
        };
        Self {
            springs: rest.edges.iter().enumerate().map(spring).collect(),
            volumes: tets.iter().map(|own| own.volume).collect(),
        }
    }

    /// k_D = E t ΣA, t = two radii and ΣA the area of the triangles that share the edge (Van Gelder 1998, k = E₂ ΣA/l²): right
    /// for equilateral triangles, whose Poisson's ratio is then 1/3. Measured by the test `young_modulus_of_shells`.
    pub(super) fn of_shell(part: &Part<'_>, material: &Material, radius: f64) -> Self {
        let Material { young, relaxation, .. } = *material;
        let (mesh, rest): (&TetMesh, _) = (&part.scaled, &part.rest);
        let mut sums: HashMap<[u32; 2], f64> = HashMap::new();
        for corners in &rest.triangles {
            let [a, b, c] = *corners;
            for [a, b] in [[a, b], [b, c], [c, a]] {
                *sums.entry([a.min(b), a.max(b)]).or_default() += area(mesh, corners);
            }
        }
        let spring = |edge| {
            let distance = young * 2.0 * radius * sums.get(edge).copied().unwrap_or_default();
            (distance, relaxation * distance)
        };
        Self { springs: rest.edges.iter().map(spring).collect(), volumes: Vec::new() }
    }
}

/// The constants of one tetrahedron: less where only a part of it is stiff, or is left of it.
fn of_tet(springs: &Springs, part: &Part<'_>, material: &Material, tet: usize) -> Material {
    let get = |constant, of_body| part.fields.get(constant, tet, of_body);
    let left = part.rest.part(tet);
    let left = left.stiff * left.fullness;
    match springs {
        Springs::Constants { .. } => Material {
            distance: left * get(Constant::Distance, material.distance),
            volume: left * get(Constant::Volume, material.volume),
            damping: left * get(Constant::Damping, material.damping),
            ..*material
        },
        Springs::Moduli { .. } => {
            let factor = left * get(Constant::Young, material.young) / material.young;
            let distance = factor * material.distance;
            Material {
                distance,
                volume: factor * material.volume,
                damping: get(Constant::Relaxation, material.relaxation) * distance,
                ..*material
            }
        }
    }
}
