//! Surface points in tetrahedra.
//!
//! Points by cells, the tetrahedra that hold them, and where fast ones come in. What makes contacts of them follows the
//! border of what is inside and goes on inwards, sweep by sweep, as far as a submission has found that it must: the
//! search records it itself, before the other producers' contacts (`contact_match`, `border_penetration`, `propagate`,
//! `contact_triangles`).

use super::Producer;
use crate::collide::search::Extent;

/// Of other bodies.
pub(in crate::collide) const OF_OTHERS: Producer = Producer {
    is_needed: |_, _| true,
    count: &[
        (Extent::Particles, "grid_insert"),
        (Extent::Tets, "points_in_tets"),
        (Extent::Particles, "way_end"),
    ],
    fill: &[],
};

/// Of bodies that touch themselves.
pub(in crate::collide) const OF_THEIR_OWN: Producer = Producer {
    is_needed: |_, self_contact| self_contact,
    count: &[(Extent::Tets, "self_in_tets")],
    fill: &[],
};
