//! Material constants of springs and volumes.

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

/// k_D over E V/n, V the body's volume and n its number of springs: the modulus that a pulled bar of the five-tetrahedra
/// lattice then shows is right within 15 % from one cell across to many, because springs on the surface, which few
/// cells share, are as stiff as inner ones. Measured by the test `young_modulus_of_the_lattice`.
const DISTANCE_PER_YOUNG: f64 = 3.03;
/// k_V over k_D of a body given by its modulus: the ratio of the defaults.
const VOLUME_PER_DISTANCE: f64 = 0.5;

impl Material {
    /// The constants of a body of this rest volume [m³] and number of springs.
    pub fn new(springs: &Springs, volume: f64, count: usize) -> Self {
        match *springs {
            Springs::Constants {
                distance,
                volume,
                damping,
            } => Self {
                distance,
                volume,
                damping,
            },
            Springs::Moduli { young, relaxation } => {
                let distance = DISTANCE_PER_YOUNG * young * volume / count as f64;
                Self {
                    distance,
                    volume: VOLUME_PER_DISTANCE * distance,
                    damping: relaxation * distance,
                }
            }
        }
    }
}
