//! Rigid things that touch: where pairs of colliders do, whatever finds it.

mod narrow;
mod pairs;

use super::{Check, Checks};

pub const CHECKS: Checks = &[
    ("narrow_gjk", Check::Trial(narrow::gjk)),
    ("narrow_sat", Check::Trial(narrow::sat)),
    ("narrow_triangles", Check::Trial(narrow::triangles)),
    ("narrow_sphere_triangles", Check::Trial(narrow::triangles)),
];
