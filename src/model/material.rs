//! Material constants of springs and volumes.

use crate::extreme::greatest;
use std::collections::HashMap;

use super::Fields;
use super::isotropy::SpringWeights;
use super::rest::Rest;
use super::start::area;
use crate::mesh::TetMesh;
use crate::mesh::topology::TET_EDGES;
use crate::scene::defaults::Extent;
use crate::scene::{Body, Constant, Kind, Springs};

/// Constants of one body: energies ½ k C² with relative C, damping d_C C' (Teschner et al. 2004).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// k_D [J]
    pub distance: f64,
    /// k_V [J]
    pub volume: f64,
    /// d_C [J s]
    pub damping: f64,
    /// k_A [J]
    pub area: f64,
    /// E [Pa]; 0 of a body that is not given by moduli.
    pub young: f64,
    /// Damping over stiffness [s], beside E or f.
    pub relaxation: f64,
    /// f [1/s] of shape matching; 0 where its pull is given per step.
    pub frequency: f64,
}

/// k_D over E V/n, V the body's volume and n its number of springs, of a lattice of cubes, whose springs may all be the same:
/// the modulus that a pulled bar then shows is right within 15 % from one cell across to many, because springs on the
/// surface, which few cells share, are as stiff as inner ones. Of other meshes [`SpringWeights`] say. Measured by the test
/// `young_modulus_of_the_lattice`.
const DISTANCE_PER_YOUNG: f64 = 3.03;
/// k_V over k_D of a body given by its modulus: the ratio of the defaults.
pub const VOLUME_PER_DISTANCE: f64 = 0.5;

impl Material {
    /// The constants of springs whose material has this rest volume [m³], their number, what they weigh, and k_A [J].
    pub(super) fn new(
        springs: &Springs,
        extent: &Extent,
        volume: f64,
        count: usize,
        weights: Option<&SpringWeights>,
        area: f64,
    ) -> Self {
        match *springs {
            Springs::Constants {
                distance,
                volume,
                damping,
            } => Self {
                distance,
                volume,
                damping,
                area,
                ..Self::default()
            },
            Springs::Moduli { young, relaxation } => {
                let (young, relaxation) = extent.moduli(young, relaxation);
                let distance = match weights {
                    Some(weights) => young / weights.modulus,
                    None => DISTANCE_PER_YOUNG * young * volume / count as f64,
                };
                Self {
                    distance,
                    volume: VOLUME_PER_DISTANCE * distance,
                    damping: relaxation * distance,
                    area,
                    young,
                    relaxation,
                    ..Self::default()
                }
            }
        }
    }

    /// By how much the largest eigenvalues of M⁻¹K and of M⁻¹C grow at the most where these constants take the place of
    /// `old` ones: infinite where a term comes in that was 0, exact where all have one ratio.
    pub(crate) fn growth(&self, old: &Self) -> [f64; 2] {
        let ratio = |[new, old]: [f64; 2]| if new == 0.0 { 0.0 } else { new / old };
        let stiff = [
            [self.distance, old.distance],
            [self.volume, old.volume],
            [self.area, old.area],
        ];
        let stiffness = stiff.into_iter().map(ratio).fold(0.0, greatest);
        [stiffness, ratio([self.damping, old.damping])]
    }
}

/// The constants of each spring and tetrahedron of a body. A spring has the mean of those of the tetrahedra that share it,
/// times what it weighs.
pub struct OwnMaterials {
    /// Per spring: k_D [J] and d_C [J s].
    pub springs: Vec<(f64, f64)>,
    /// Per tetrahedron: k_V [J].
    pub volumes: Vec<f64>,
}

impl OwnMaterials {
    /// From the body's constants and where they differ.
    pub fn new(
        body: &Body,
        fields: &Fields,
        material: &Material,
        mesh: &TetMesh,
        rest: &Rest,
        weights: Option<&SpringWeights>,
        radius: f64,
    ) -> Self {
        if let Kind::Springs(Springs::Moduli { .. }) = body.kind
            && mesh.tets.is_empty()
        {
            return Self::of_shell(material, mesh, rest, radius);
        }
        let tets: Vec<_> = (0..mesh.tets.len())
            .map(|tet| of_tet(body, fields, material, (tet, rest)))
            .collect();
        let mut sums: HashMap<[u32; 2], (f64, f64, f64)> = HashMap::new();
        if !fields.is_empty() || rest.parts.is_some() {
            for (corners, own) in mesh.tets.iter().zip(&tets) {
                for [a, b] in TET_EDGES.map(|ends| ends.map(|k| corners[k])) {
                    let sum = sums.entry([a.min(b), a.max(b)]).or_default();
                    *sum = (sum.0 + own.distance, sum.1 + own.damping, sum.2 + 1.0);
                }
            }
        }
        let spring = |(i, edge): (usize, &[u32; 2])| {
            let weight = weights.map_or(1.0, |weights| weights.weights[i]);
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
    fn of_shell(material: &Material, mesh: &TetMesh, rest: &Rest, radius: f64) -> Self {
        let Material {
            young, relaxation, ..
        } = *material;
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
        Self {
            springs: rest.edges.iter().map(spring).collect(),
            volumes: Vec::new(),
        }
    }
}

/// The constants of one tetrahedron: less where only a part of it is stiff, or is left of it.
fn of_tet(
    body: &Body,
    fields: &Fields,
    material: &Material,
    (tet, rest): (usize, &Rest),
) -> Material {
    let get = |constant, of_body| fields.get(constant, tet, of_body);
    let part = rest.part(tet);
    let part = part.stiff * part.fullness;
    match body.kind {
        Kind::Springs(Springs::Constants { .. }) => Material {
            distance: part * get(Constant::Distance, material.distance),
            volume: part * get(Constant::Volume, material.volume),
            damping: part * get(Constant::Damping, material.damping),
            ..*material
        },
        Kind::Springs(Springs::Moduli { .. }) => {
            let factor = part * get(Constant::Young, material.young) / material.young;
            let distance = factor * material.distance;
            Material {
                distance,
                volume: factor * material.volume,
                damping: get(Constant::Relaxation, material.relaxation) * distance,
                ..*material
            }
        }
        Kind::Fem(_) | Kind::Shape(_) => Material::default(),
    }
}
