//! Sharp edges in tetrahedra: bodies that meet without a point inside.
//!
//! Edges by cells, and the tetrahedra that they pass through. An end's own contact comes first: points are filled before.

use super::Producer;
use crate::collide::search::Extent;

/// Edges of one body in tetrahedra of another.
pub(in crate::collide) const IN_TETS: Producer = Producer {
    is_needed: |arrays, _| arrays.edge_count() > 0,
    count: &[(Extent::Edges, "edge_insert"), (Extent::Tets, "edges_in_tets")],
    fill: &[(Extent::Records, "edge_contacts")],
};
