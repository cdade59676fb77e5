//! What a viewer asks of a state, and what it gets.

use glam::Vec3;

shared! {
    /// A line in space; one of zero length is not drawn.
    pub struct Segment {
        /// Where it starts [m].
        pub start: Vec3,
        /// Its magnitude [N] or [m].
        pub value: f32,
        /// Where it ends [m].
        pub end: Vec3,
        /// The body that it belongs to.
        pub body: u32,
    }

    /// What pulls one particle towards a point.
    pub struct Tug {
        /// The point [m].
        pub goal: Vec3,
        /// Force over the distance from it [N/m].
        pub rate: f32,
        /// The particle.
        pub particle: u32,
        /// Its body.
        pub body: u32,
        /// Which of the pulls is this one.
        pub entry: u32,
        /// Force over its velocity, against it [N s/m].
        pub damping: f32,
        /// The greatest force [N].
        pub most: f32,
    }

    /// A ray, and what it is compared with. Its axes are at right angles; where the direction is 0 it is a point.
    pub struct Beam {
        /// Where it starts [m].
        pub origin: Vec3,
        /// Candidates that are written, of which the least is sought.
        pub count: u32,
        /// Unit direction.
        pub direction: Vec3,
        /// First particle of the body.
        pub first: u32,
        /// First unit vector across it.
        pub right: Vec3,
        /// One past the body's last particle.
        pub end: u32,
        /// Second unit vector across it.
        pub up: Vec3,
        /// The body.
        pub body: u32,
    }

    /// A range of drawn triangles or spheres of one body, looked at by one thread.
    pub struct PickChunk {
        /// First triangle, or particle.
        pub first: u32,
        /// One past the last.
        pub end: u32,
        /// The body.
        pub body: u32,
        /// Radius of the spheres [m]; 0: they are triangles.
        pub radius: f32,
    }

    /// The nearest of some triangles or particles.
    pub struct Candidate {
        /// Where it is [m].
        pub place: Vec3,
        /// How far away [m].
        pub distance: f32,
        /// Triangle or particle; [`NONE`](super::NONE): there is none.
        pub index: u32,
        /// Its body.
        pub body: u32,
    }

    /// What lines are drawn of.
    pub struct Lines {
        /// The body's first particle.
        pub first: u32,
        /// How many there are.
        pub count: u32,
        /// Length over the magnitude.
        pub scale: f32,
        /// The body.
        pub body: u32,
    }

    /// Sums over some particles of one body.
    pub struct ChunkSums {
        /// Where the first one is [m].
        pub origin: Vec3,
        /// Their mass [kg].
        pub mass: f32,
        /// Σ m (x − origin) [kg m]
        pub moment: Vec3,
        /// ½ Σ m v² of those that are not held [J].
        pub kinetic: f32,
        /// Least coordinates [m].
        pub low: Vec3,
        /// Their elastic energy [J].
        pub elastic: f32,
        /// Greatest coordinates [m].
        pub high: Vec3,
        /// Greatest speed of those that are not held [m/s].
        pub speed: f32,
        /// Σ m v of those that are not held [kg m/s].
        pub momentum: Vec3,
        /// Least value of a field.
        pub least: f32,
        /// Its greatest value.
        pub greatest: f32,
    }
}
