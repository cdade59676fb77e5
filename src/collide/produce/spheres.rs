//! Spheres, the points of clouds and shells, on each other and on triangles.
//!
//! Spheres and triangles by cells, and the partners of each sphere.

use super::Producer;
use crate::collide::search::Extent;

/// Spheres on spheres and on the triangles of bodies of tetrahedra.
pub(in crate::collide) const ON_SPHERES_AND_TRIANGLES: Producer = Producer {
    is_needed: |arrays, _| arrays.has_spheres(),
    count: &[
        (Extent::SphereLists, "sphere_begin"),
        (Extent::Spheres, "sphere_insert"),
        (Extent::Particles, "sphere_find"),
        (Extent::Particles, "sphere_count"),
    ],
    fill: &[(Extent::Particles, "sphere_contacts")],
};
