//! What finds contacts between two sorts of colliders: a file per pair.
//!
//! A producer counts the records of each of its features (what may touch: particles, then sharp edges, then colliders) in
//! `counts`. Behind the scan a feature's records begin at `record_first`; there the producer fills in a contact for each, or
//! one that is none. It must not know what becomes of contacts.

mod edges;
mod points_in_tets;
mod spheres;

use super::arrays::Arrays;
use super::search::Extent;

/// The passes of a producer, each with what it has a thread for.
pub(super) struct Producer {
    /// Whether a world has what it looks at; the second: whether bodies can touch themselves.
    pub is_needed: fn(&Arrays, bool) -> bool,
    /// Which features touch what, and how many records each has.
    pub count: &'static [(Extent, &'static str)],
    /// The contacts, in the order of producers.
    pub fill: &'static [(Extent, &'static str)],
}

/// All of them. The first also begins the records: see [`points_in_tets`].
pub(super) const PRODUCERS: [&Producer; 4] = [
    &points_in_tets::OF_OTHERS,
    &points_in_tets::OF_THEIR_OWN,
    &edges::IN_TETS,
    &spheres::ON_SPHERES_AND_TRIANGLES,
];
