//! What a body gets that does not say how stiff or damped it is: what suits its size, so that a thing of any size sags a
//! little under its own weight and comes to rest soon. Gravity is the Earth's here, whatever the scene's, so that a body
//! keeps its material where that changes, and the longest side counts, however the body lies.

use glam::DVec3;

use super::check::{LARGEST, STRONGEST, WEAKEST};
use super::kind::{Pull, ShapeMatching};

/// Gravity at the Earth's surface [m/s²].
const GRAVITY: f64 = 9.81;
/// Part of its height that a column as high as the body's longest side sags under its own weight, ρ g L/2E.
pub const SAG: f64 = 0.035;
/// Damping over critical damping of the lowest vibration of such a column.
const DAMPING_RATIO: f64 = 0.5;
/// Sag of shape matching over its height, in g/(ω² d): the lowest of n layers a distance d apart bears all of them, so that a
/// cube is this much lower (measured with 5, 9 and 17 layers: 2.1 to 2.3).
const SHAPE_LOAD: f64 = 2.2;
/// Damping over critical damping of such a cube's bounce on its lowest layer: more would be beyond critical for the pull of
/// many points, which is that much faster.
const SHAPE_DAMPING: f64 = 0.16;
/// Poisson's ratio of finite elements: soft things keep their volume, as far as linear elements bear it.
pub(crate) const DEFAULT_POISSON: f64 = 0.4;

/// What defaults follow from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Sides of the rest shape's box [m].
    pub sides: DVec3,
    /// Mean density [kg/m³].
    pub density: f64,
    /// Mean distance of the points [m].
    pub spacing: f64,
}

impl Extent {
    /// Young's modulus [Pa] and relaxation time [s].
    pub fn moduli(&self, young: Option<f64>, relaxation: Option<f64>) -> (f64, f64) {
        let young = self.young(young);
        (young, self.relaxation(relaxation, young))
    }

    /// Young's modulus [Pa]: the given one, or that of [`SAG`].
    fn young(&self, given: Option<f64>) -> f64 {
        let sagging = self.density * GRAVITY * self.length() / (2.0 * SAG);
        given.unwrap_or(sagging.clamp(WEAKEST, STRONGEST))
    }

    /// Relaxation time [s]: the given one, or that of [`DAMPING_RATIO`]. Damping of τ times the stiffness is ω τ/2 of
    /// critical damping at ω, and the lowest vibration of a column that stands has ω = π/(2L) √(E/ρ).
    fn relaxation(&self, given: Option<f64>, young: f64) -> f64 {
        let speed = (young / self.density).sqrt();
        let lowest = std::f64::consts::FRAC_PI_2 * speed / self.length();
        given.unwrap_or((2.0 * DAMPING_RATIO / lowest).min(LARGEST))
    }

    /// The frequency \[1/s\] and relaxation time \[s\] of shape matching: the given ones, or those of [`Pull::Suited`].
    pub fn pull(&self, shape: &ShapeMatching) -> (f64, f64) {
        match shape.pull {
            Pull::Alpha(_) => (0.0, shape.relaxation),
            Pull::Frequency(frequency) => (frequency, shape.relaxation),
            // A lone point has no shape.
            Pull::Suited if self.length() == 0.0 => (0.0, shape.relaxation),
            Pull::Suited => {
                let omega = (SHAPE_LOAD * GRAVITY / (SAG * self.spacing)).sqrt();
                let bounce = (GRAVITY / (SAG * self.length())).sqrt();
                let relaxation = shape.relaxation.max(2.0 * SHAPE_DAMPING / bounce);
                (omega / std::f64::consts::TAU, relaxation)
            }
        }
    }

    fn length(&self) -> f64 {
        self.sides.max_element()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thing n times as large as another is the same in slow motion: strains are equal, times √n as long.
    #[test]
    fn sizes_are_alike() {
        let small =
            Extent { sides: DVec3::new(0.01, 0.02, 0.015), density: 1000.0, spacing: 0.005 };
        let large = Extent { sides: 400.0 * small.sides, ..small };
        let ratio = large.young(None) / small.young(None);
        assert!((ratio / 400.0 - 1.0).abs() < 1e-12);
        let relaxation = |extent: &Extent| extent.relaxation(None, extent.young(None));
        let ratio = relaxation(&large) / relaxation(&small);
        assert!((ratio / 20.0 - 1.0).abs() < 1e-12);
        assert_eq!((small.young(Some(3.0)), small.relaxation(Some(0.0), 3.0)), (3.0, 0.0));
    }
}
