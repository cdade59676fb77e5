//! What is asked of a running world, and the answers.

use glam::{Vec3, Vec4};

shared! {
    /// What all threads of a dispatch of queries share.
    pub struct Query {
        /// Rays, points or boxes.
        pub count: u32,
        /// Ranges of elements.
        pub piece_count: u32,
        /// Solids that rays meet, of `externals`.
        pub solid_count: u32,
        /// Words of a box's answer: a bit per body.
        pub words: u32,
        /// Bits of the groups that are asked about.
        pub mask: u32,
    }

    /// A range of triangles, tetrahedra or spheres of one body, looked at by one thread.
    pub struct QueryPiece {
        /// First element, or particle.
        pub first: u32,
        /// One past the last.
        pub end: u32,
        /// The body.
        pub body: u32,
        /// Radius of the spheres [m]; 0: they are triangles or tetrahedra.
        pub radius: f32,
    }

    /// A half line with axes across it.
    pub struct QueryRay {
        /// Where it starts [m].
        pub origin: Vec3,
        /// How far it goes [m].
        pub reach: f32,
        /// Unit direction.
        pub direction: Vec3,
        /// First unit vector across it.
        pub right: Vec3,
        /// Second unit vector across it.
        pub up: Vec3,
    }

    /// The nearest that a ray meets.
    pub struct RayAnswer {
        /// Where [m].
        pub position: Vec3,
        /// How far along the ray [m].
        pub distance: f32,
        /// Outward unit normal there.
        pub normal: Vec3,
        /// The body; [`NONE`](super::NONE): a solid, or nothing.
        pub body: u32,
        /// Weights of the triangle's corners; 0 of others.
        pub weights: Vec3,
        /// Triangle, particle or solid; [`NONE`](super::NONE): it meets nothing.
        pub element: u32,
    }

    /// What holds a point.
    pub struct PointAnswer {
        /// Weights of the tetrahedron's corners; 0 of a sphere.
        pub weights: Vec4,
        /// The body; [`NONE`](super::NONE): none holds it.
        pub body: u32,
        /// Tetrahedron or particle.
        pub element: u32,
        /// The least weight; of a sphere 1 at its centre and 0 at its surface.
        pub inside: f32,
    }
}
