//! Rigid things that touch: which pairs may, where they do, and what keeps them apart.

pub mod augment;
mod broad;
mod carry;
mod crowd;
mod manifolds;
mod mean;
mod mesh;
mod momenta;
mod narrow;
mod pairs;
mod planes;
mod sleep;
pub mod soft;
mod solve;
mod sweep;
mod touching;
mod unknowns;

use super::{Check, Checks};

pub const CHECKS: Checks = &[
    ("narrow_gjk", Check::Trial(narrow::gjk)),
    ("narrow_sat", Check::Trial(narrow::sat)),
    ("narrow_triangles", Check::Trial(narrow::triangles)),
    ("narrow_sphere_triangles", Check::Trial(narrow::triangles)),
    ("pose_search", Check::Trial(broad::search)),
    ("collider_boxes", Check::Trial(broad::collider_boxes)),
    ("collider_fill", Check::Trial(broad::fill)),
    ("pair_count", Check::Trial(broad::count)),
    ("pair_fill", Check::Trial(broad::fill_pairs)),
    ("sweep_spread", Check::Trial(sweep::spread)),
    ("sweep_axis", Check::Trial(sweep::axis)),
    ("sweep_keys", Check::Trial(sweep::keys)),
    ("sweep_sorted", Check::Trial(sweep::sorted)),
    ("sweep_count", Check::Trial(broad::sweep_count)),
    ("sweep_fill", Check::Trial(broad::sweep_fill)),
    ("pair_begin", Check::Trial(manifolds::begin)),
    ("manifold_keep", Check::Trial(manifolds::keep)),
    ("manifold_contacts", Check::Trial(manifolds::contacts)),
    ("manifold_fill", Check::Trial(manifolds::fill)),
    ("pose_planes", Check::Trial(planes::planes)),
    ("manifold_seams", Check::Trial(planes::seams)),
    ("manifold_prepare", Check::Trial(solve::prepare)),
    ("manifold_solve", Check::Trial(solve::solve)),
    ("manifold_push", Check::Trial(solve::push)),
    ("manifold_relax", Check::Trial(solve::relax)),
    ("manifold_rebound", Check::Trial(solve::rebound)),
    ("contact_end", Check::Trial(solve::ended)),
    ("manifold_total", Check::Trial(solve::total)),
    ("manifold_scale", Check::Trial(solve::scale)),
    ("manifold_lines", Check::Trial(solve::lines)),
    ("island_disturb", Check::Trial(sleep::disturb)),
    ("manifold_join", Check::Trial(sleep::join)),
    ("island_jump", Check::Trial(sleep::jump)),
    ("island_unrest", Check::Trial(sleep::unrest)),
    ("pose_sleep", Check::Trial(sleep::sleep)),
    ("pose_wake", Check::Trial(sleep::wake)),
    ("pose_begin", Check::Trial(soft::begin)),
    ("pose_apply", Check::Trial(soft::apply)),
    ("pose_push", Check::Trial(soft::push)),
    ("pose_mean", Check::Trial(mean::mean)),
    ("pose_hold", Check::Trial(augment::hold)),
    ("pose_descend", Check::Trial(unknowns::descend)),
    ("pose_momentum", Check::Trial(momenta::lacks)),
    ("pose_shift", Check::Trial(momenta::shifts)),
    ("newton_pose_test", Check::Trial(unknowns::test)),
    ("newton_pose_residual", Check::Trial(unknowns::residual)),
    ("newton_pose_factor", Check::Trial(unknowns::factor)),
    ("newton_pose_apply", Check::Trial(unknowns::apply)),
    ("newton_pose_update", Check::Trial(unknowns::update)),
    ("newton_pose_move", Check::Trial(unknowns::moves)),
    ("pose_obstacle", Check::Trial(carry::obstacles)),
    ("pose_carry", Check::Trial(carry::particles)),
    ("contact_carry", Check::Trial(carry::contacts)),
];
