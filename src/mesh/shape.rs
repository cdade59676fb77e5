//! Shapes by their measures.

use serde::Serialize;

/// A shape that a few numbers tell, centred on the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Shape {
    /// A box along the axes.
    Box {
        /// Its whole lengths [m].
        size: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// [m]
        radius: f64,
    },
    /// What is no further than a radius from a segment along y.
    Capsule {
        /// [m]
        radius: f64,
        /// Of the segment [m]: the whole is two radii longer.
        length: f64,
    },
    /// A cylinder about y.
    Cylinder {
        /// [m]
        radius: f64,
        /// Along y [m].
        length: f64,
    },
    /// Two pyramids on one regular polygon in the plane y = 0 whose corners, like both tips, are 1 m from the origin: with 8
    /// triangles the regular octahedron.
    Bipyramid {
        /// Of both together, an even number from 6 on.
        triangles: u32,
    },
}
