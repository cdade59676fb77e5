//! Material constants of whole bodies.

use crate::extreme::greatest;

/// Constants of one body: energies ½ k C² with relative C, damping d_C C' (Teschner et al. 2004).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// k_D [J] of springs; 0 in bodies of other families, like all that is not theirs.
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

impl Material {
    /// By how much the largest eigenvalues of M⁻¹K and of M⁻¹C grow at the most where these constants take the place of
    /// `old` ones: infinite where a term comes in that was 0, exact where all have one ratio.
    pub(crate) fn growth(&self, old: &Self) -> [f64; 2] {
        let ratio = |[new, old]: [f64; 2]| if new == 0.0 { 0.0 } else { new / old };
        let stiff =
            [[self.distance, old.distance], [self.volume, old.volume], [self.area, old.area]];
        let stiffness = stiff.into_iter().map(ratio).fold(0.0, greatest);
        [stiffness, ratio([self.damping, old.damping])]
    }
}
