//! Axis-aligned boxes.

use crate::error::{Error, Result};
use glam::DVec3;

/// The largest coordinate accepted (m): its square still fits the f32 state on the GPU.
const MAX_COORDINATE: f64 = 1e18;

/// An axis-aligned box (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lower corner.
    pub min: DVec3,
    /// The upper corner.
    pub max: DVec3,
}

impl Bounds {
    /// The smallest box around `points`; of no points, an inverted box (`min` = +∞, `max` = −∞).
    pub fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        let nothing = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        points.into_iter().fold(nothing, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// The edge lengths (m).
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The length of the diagonal (m).
    pub fn diagonal(&self) -> f64 {
        self.size().length()
    }

    /// The middle of the box.
    pub fn centre(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }
}

/// Refuses points that are not finite, or too far out for the arithmetic of a step.
pub(super) fn check_points(points: &[DVec3]) -> Result<()> {
    match points.iter().position(|p| !(p.abs().max_element() <= MAX_COORDINATE && p.is_finite())) {
        None => Ok(()),
        Some(i) => Err(Error::Mesh(format!(
            "point {i} is at {}, wanted finite coordinates within ±{MAX_COORDINATE:e} m",
            points[i]
        ))),
    }
}

/// Refuses elements that name a point beyond `count`.
pub(super) fn check_indices<const N: usize>(
    elements: &[[u32; N]],
    count: usize,
    what: &str,
) -> Result<()> {
    match elements.iter().position(|e| e.iter().any(|&i| i as usize >= count)) {
        None => Ok(()),
        Some(i) => Err(Error::Mesh(format!(
            "{what} {i} has the corners {:?}, wanted point indices below {count}",
            elements[i]
        ))),
    }
}
