//! The kernels of contact between bodies.
//!
//! A search for contacts runs pass by pass on worlds whose bodies touch; the reference gets exactly what each pass read.
//! Sets must be the same, except where a kernel's rounding decides. What follows contacts from step to step runs on random
//! ones.

mod broad;
mod cells;
mod depth;
mod edge_contacts;
mod edges;
mod folds;
pub mod gap;
mod inside;
mod islands;
mod linked;
pub(super) mod lists;
mod meeting;
mod partners;
pub mod press;
mod recall;
mod respond;
mod round_worlds;
mod search;
mod shapes;
mod solid_touches;
mod spheres;
mod touches;
mod triangle;
mod ways;
mod worlds;

pub use search::{Check as SearchCheck, Search};
pub use worlds::worlds;

use super::rigid::{augment, soft};
use super::{Check, Checks, advance};
pub(super) use broad::ordered;
pub(super) use edges::hash;
pub(super) use respond::Given;

pub const CHECKS: Checks = &[
    ("contact_watch", Check::Search(broad::watch)),
    ("contact_begin", Check::Search(broad::begin)),
    ("body_boxes", Check::Search(broad::body_boxes)),
    ("fold_patches", Check::Search(folds::fold_patches)),
    ("fold_pairs", Check::Search(folds::fold_pairs)),
    ("body_pairs", Check::Search(broad::body_pairs)),
    ("cell_count", Check::Trial(cells::count)),
    ("cell_fill", Check::Trial(cells::fill)),
    ("cell_pairs", Check::Trial(cells::pairs)),
    ("cell_overlaps", Check::Search(broad::cell_overlaps)),
    ("grid_insert", Check::Search(broad::grid_insert)),
    ("points_in_tets", Check::Search(inside::points_in_tets)),
    ("way_end", Check::Search(ways::way_end)),
    ("self_in_tets", Check::Search(inside::self_in_tets)),
    ("edge_insert", Check::Search(edges::edge_insert)),
    ("edges_in_tets", Check::Search(edges::edges_in_tets)),
    ("edge_contacts", Check::Search(edge_contacts::edge_contacts)),
    ("sphere_begin", Check::Search(spheres::sphere_begin)),
    ("sphere_insert", Check::Search(spheres::sphere_insert)),
    ("sphere_find", Check::Search(spheres::sphere_find)),
    ("sphere_count", Check::Search(spheres::sphere_count)),
    ("sphere_contacts", Check::Search(spheres::sphere_contacts)),
    ("border_penetration", Check::Search(depth::border)),
    ("contact_match", Check::Search(recall::recall)),
    ("propagate", Check::Search(depth::propagate)),
    ("contact_triangles", Check::Search(triangle::contacts)),
    (
        "contact_setup",
        Check::Trial(|bench, errors| {
            linked::setup(bench, errors)?;
            soft::setup(bench, errors)
        }),
    ),
    ("contact_fill", Check::Trial(lists::fill)),
    ("contact_sort", Check::Trial(lists::sort)),
    ("contact_rank", Check::Trial(lists::rank)),
    (
        "contact_prepare",
        Check::Trial(|bench, errors| {
            gap::prepare(bench, errors)?;
            soft::prepare(bench, errors)
        }),
    ),
    ("project", Check::Trial(respond::project)),
    (
        "contact_solve",
        Check::Trial(|bench, errors| {
            respond::solve(bench, errors, false)?;
            soft::solve(bench, errors)
        }),
    ),
    (
        "contact_slices",
        Check::Trial(|bench, errors| {
            lists::slices(bench, errors)?;
            soft::slices(bench, errors)
        }),
    ),
    ("contact_apply", Check::Trial(advance::apply)),
    (
        "contact_iterate",
        Check::Trial(|bench, errors| {
            respond::solve(bench, errors, true)?;
            soft::solve(bench, errors)
        }),
    ),
    ("contact_move", Check::Trial(advance::by_velocity)),
    ("contact_move_mean", Check::Trial(advance::by_mean)),
    ("impulse_scale", Check::Trial(gap::scale)),
    ("contact_forget", Check::Trial(gap::forget)),
    (
        "augment",
        Check::Trial(|bench, errors| {
            press::press(bench, errors)?;
            augment::press(bench, errors)
        }),
    ),
    ("contact_hold", Check::Trial(press::hold)),
    (
        "newton_contacts",
        Check::Trial(|bench, errors| {
            press::follow(bench, errors)?;
            augment::follow(bench, errors)
        }),
    ),
    ("newton_coupling", Check::Trial(press::couple)),
    ("island_start", Check::Trial(islands::island_start)),
    ("island_join", Check::Trial(islands::island_join)),
    ("island_converged", Check::Trial(islands::island_converged)),
    ("touch_slices", Check::Trial(touches::slices)),
    ("touch_bodies", Check::Trial(touches::bodies)),
    ("touch_chunks", Check::Trial(solid_touches::chunks)),
    ("touch_solids", Check::Trial(solid_touches::bodies)),
    ("touch_list", Check::Trial(touches::list)),
];
