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
    pub struct PointerSpring {
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
