//! What a viewer asks of a state, and what it gets.

use glam::{UVec4, Vec3, Vec4};

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
        /// How many lines there are.
        pub count: u32,
        /// Length over the magnitude, or where that does not count the length [m].
        pub scale: f32,
        /// The body.
        pub body: u32,
    }

    /// A line of what shows where a collider is.
    pub struct Outline {
        /// Where it starts, from its pose's centre along the pose's axes [m].
        pub start: Vec3,
        /// The pose.
        pub pose: u32,
        /// Where it ends, likewise.
        pub end: Vec3,
    }

    /// Where a body is held.
    pub struct Mark {
        /// The particles that carry the place.
        pub corners: UVec4,
        /// Their weights, sum 1.
        pub weights: Vec4,
        /// Half the length of each of its lines [m].
        pub size: f32,
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
        /// Greatest speed of those that are not held, or have no mass, which is their pose's [m/s].
        pub speed: f32,
        /// Σ m v of those that are not held [kg m/s].
        pub momentum: Vec3,
        /// Least value of a field.
        pub least: f32,
        /// Its greatest value.
        pub greatest: f32,
    }

    /// A pose in its body's sums.
    pub struct PoseSums {
        /// Where its mass is [m].
        pub centre: Vec3,
        /// ½ (m v² + ω·Iω) [J]; 0 of what is held.
        pub kinetic: f32,
        /// v [m/s]; 0 of what is held.
        pub velocity: Vec3,
    }
}
