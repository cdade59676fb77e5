//! Material constants of springs and volumes.

use crate::mesh::TetMesh;
use crate::scene::Springs;

/// Constants of one body: energies ½ k C² with relative C, damping d_C C' (Teschner et al. 2004).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// k_D [J]
    pub distance: f64,
    /// k_V [J]
    pub volume: f64,
    /// d_C [J s]
    pub damping: f64,
}

/// Young's modulus of the five-tetrahedra lattice of edge l is k_D/(`DISTANCE_PER_YOUNG` l³); measured by the test
/// `young_modulus_of_the_lattice`.
const DISTANCE_PER_YOUNG: f64 = 0.4;
/// k_V over k_D of a body given by its modulus: the ratio of the defaults.
const VOLUME_PER_DISTANCE: f64 = 0.5;

impl Material {
    /// The constants of a body with this rest mesh. A modulus is turned into constants by the cube that five of the
    /// mesh's tetrahedra fill on average.
    pub fn new(springs: &Springs, mesh: &TetMesh) -> Self {
        match *springs {
            Springs::Constants { distance, volume, damping } => Self { distance, volume, damping },
            Springs::Moduli { young, relaxation } => {
                let cube = 5.0 * mesh.total_volume() / mesh.tets.len() as f64;
                let distance = DISTANCE_PER_YOUNG * young * cube;
                Self { distance, volume: VOLUME_PER_DISTANCE * distance, damping: relaxation * distance }
            }
        }
    }
}
