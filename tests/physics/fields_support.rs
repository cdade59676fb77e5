//! Bars with constants that differ.

use pliant::scene::{Aabb, Body, Constant, Kind, Mass, Region};

use crate::support::*;

/// Where x > 0.
pub const RIGHT: Aabb = within([0.0, -10.0, -10.0], [10.0; 3]);
/// The inner cubes of [`bar`].
pub const CORE: Aabb = within([-0.3, -0.1, -0.1], [0.3, 0.1, 0.1]);

pub fn region(within: Aabb, constants: &[(Constant, f64)]) -> Region {
    Region { within, constants: constants.to_vec() }
}

pub fn bar(kind: Kind, regions: Vec<Region>) -> Body {
    let mut body = Body::lattice("bar", [8, 4, 4], [0.8, 0.4, 0.4]);
    body.mass = Mass::Density(1000.0);
    (body.kind, body.regions) = (kind, regions);
    body
}
