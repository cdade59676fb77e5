//! The kernels of contact between bodies.
//!
//! A search for contacts runs pass by pass on worlds whose bodies touch; the reference gets exactly what each pass read.
//! Sets must be the same, except where a kernel's rounding decides. What follows contacts from step to step runs on random
//! ones.

mod broad;
mod depth;
mod edge_contacts;
mod edges;
mod folds;
mod gap;
mod inside;
mod islands;
mod linked;
mod partners;
mod press;
mod recall;
mod respond;
mod round_worlds;
mod search;
mod shapes;
mod solid_touches;
mod spheres;
mod touches;
mod triangle;
mod worlds;

pub use broad::{begin, body_boxes, body_pairs, grid_insert, watch};
pub use depth::{border, propagate};
pub use edge_contacts::edge_contacts;
pub use edges::{edge_begin, edge_insert, edges_in_tets};
pub use folds::{fold_pairs, fold_patches};
pub use gap::{forget, gap, scale};
pub use inside::{points_in_tets, self_in_tets};
pub use islands::{island_converged, island_join, island_start};
pub use linked::link;
pub use press::{hold, press};
pub use recall::recall;
pub use respond::{advance, apply, iterate, iterate_again, leapfrog_end, project, warm};
pub use search::Search;
pub use solid_touches::{bodies as touch_solids, chunks as touch_chunks};
pub use spheres::{sphere_begin, sphere_contacts, sphere_count, sphere_find, sphere_insert};
pub use touches::{bodies as touch_bodies, list as touch_list, slices as touch_slices};
pub use triangle::contacts;
pub use worlds::worlds;
