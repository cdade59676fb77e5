//! The kernels of contact between bodies.
//!
//! A search for contacts runs pass by pass on worlds whose bodies touch; the reference gets exactly what each pass read.
//! Sets must be the same, except where a kernel's rounding decides. What follows contacts from step to step runs on random
//! ones.

mod advance;
mod broad;
mod depth;
mod edge_contacts;
mod edges;
mod folds;
mod gap;
mod inside;
mod islands;
mod linked;
mod meeting;
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

pub use advance::{advance, apply, leapfrog_end, warm};
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
pub use respond::{iterate, iterate_again, project};
pub use search::{Check as SearchCheck, Search};
pub use solid_touches::{bodies as touch_solids, chunks as touch_chunks};
pub use spheres::{sphere_begin, sphere_contacts, sphere_count, sphere_find, sphere_insert};
pub use touches::{bodies as touch_bodies, list as touch_list, slices as touch_slices};
pub use triangle::contacts;
pub use worlds::worlds;

pub const CHECKS: super::Checks = &[
    ("leapfrog_end", super::Check::Trial(leapfrog_end)),
    ("contact_watch", super::Check::Search(watch)),
    ("contact_begin", super::Check::Search(begin)),
    ("body_boxes", super::Check::Search(body_boxes)),
    ("fold_patches", super::Check::Search(fold_patches)),
    ("fold_pairs", super::Check::Search(fold_pairs)),
    ("body_pairs", super::Check::Search(body_pairs)),
    ("grid_insert", super::Check::Search(grid_insert)),
    ("points_in_tets", super::Check::Search(points_in_tets)),
    ("self_in_tets", super::Check::Search(self_in_tets)),
    ("edge_begin", super::Check::Search(edge_begin)),
    ("edge_insert", super::Check::Search(edge_insert)),
    ("edges_in_tets", super::Check::Search(edges_in_tets)),
    ("edge_contacts", super::Check::Search(edge_contacts)),
    ("sphere_begin", super::Check::Search(sphere_begin)),
    ("sphere_insert", super::Check::Search(sphere_insert)),
    ("sphere_find", super::Check::Search(sphere_find)),
    ("sphere_count", super::Check::Search(sphere_count)),
    ("sphere_contacts", super::Check::Search(sphere_contacts)),
    ("border_penetration", super::Check::Search(border)),
    ("contact_match", super::Check::Search(recall)),
    ("propagate", super::Check::Search(propagate)),
    ("contact_triangles", super::Check::Search(contacts)),
    ("contact_setup", super::Check::Trial(link)),
    ("contact_gap", super::Check::Trial(gap)),
    ("project", super::Check::Trial(project)),
    ("contact_warm", super::Check::Trial(warm)),
    ("contact_impulse", super::Check::Trial(iterate)),
    ("contact_apply", super::Check::Trial(apply)),
    ("contact_again", super::Check::Trial(iterate_again)),
    ("contact_move", super::Check::Trial(advance)),
    ("impulse_scale", super::Check::Trial(scale)),
    ("contact_forget", super::Check::Trial(forget)),
    ("augment", super::Check::Trial(press)),
    ("contact_hold", super::Check::Trial(hold)),
    ("island_start", super::Check::Trial(island_start)),
    ("island_join", super::Check::Trial(island_join)),
    ("island_converged", super::Check::Trial(island_converged)),
    ("touch_slices", super::Check::Trial(touch_slices)),
    ("touch_bodies", super::Check::Trial(touch_bodies)),
    ("touch_chunks", super::Check::Trial(touch_chunks)),
    ("touch_solids", super::Check::Trial(touch_solids)),
    ("touch_list", super::Check::Trial(touch_list)),
];
