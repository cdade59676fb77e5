//! What is asked along half lines.

use glam::Vec3;

use super::check;
use crate::gpu::types::QueryRay;
use crate::{Error, Result};

/// Farther than anything, as the kernels have it.
const FAR: f32 = 3e38;

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts [m].
    pub origin: Vec3,
    /// Its direction, of any length.
    pub direction: Vec3,
}

impl Ray {
    /// The ray as the kernel has it, with axes across it. Errors name the ray as `at`.
    ///
    /// # Errors
    /// Coordinates that are not finite or beyond 10¹² m, no direction.
    pub(crate) fn with_axes(self, reach: f32, at: &str) -> Result<QueryRay> {
        let direction = self.direction.as_dvec3();
        let length = direction.length();
        if !(length > 0.0 && length.is_finite()) {
            let want = "a finite vector with a direction";
            let at = format!("{at}: direction");
            return Err(Error::value(at, self.direction, want));
        }
        check(self.origin, &format!("{at}: origin"))?;
        let direction = direction / length;
        let right = direction.any_orthonormal_vector();
        Ok(QueryRay {
            origin: self.origin,
            reach: reach.min(FAR),
            direction: direction.as_vec3(),
            right: right.as_vec3(),
            up: direction.cross(right).as_vec3(),
        })
    }
}
