//! Rigid degrees of freedom.

use glam::{Vec3, Vec4};

shared! {
    /// Where something rigid is and how it moves: a degree of freedom beside the particles, behind which it is numbered.
    pub struct Pose {
        /// x, the centre of mass [m].
        pub position: Vec3,
        /// 1/m [1/kg]; 0: nothing pushes it.
        pub inverse_mass: f32,
        /// q, the unit quaternion (x, y, z, w) that turns its own axes into the world's.
        pub rotation: Vec4,
        /// v [m/s]
        pub velocity: Vec3,
        /// Its body.
        pub body: u32,
        /// ω [rad/s]; between the kick and the move with what contacts have changed of it.
        pub spin: Vec3,
        /// Radius of a ball about its centre that holds all of it [m].
        pub bound: f32,
        /// L, the angular momentum about the centre at the start of the step [kg m²/s].
        pub momentum: Vec3,
        /// How far it is looked around for what it may touch while it is at rest [m].
        pub margin: f32,
        /// 1 over the moments of inertia about its own axes, which are the principal ones [1/(kg m²)].
        pub inverse_inertia: Vec3,
        /// The number of the island that it sleeps with, from 1; 0 while it is awake.
        pub island: u32,
        /// For how long it has been as good as at rest [s].
        pub still: f32,
        /// How far it may turn before contacts are found anew [rad].
        pub turn: f32,
    }

    /// Where a pose was when contacts were found last.
    pub struct Searched {
        /// x [m]
        pub position: Vec3,
        /// How far no point of it has to come before contacts are found anew [m].
        pub reach: f32,
        /// q
        pub rotation: Vec4,
        /// For how long it has been awake since then [s].
        pub age: f32,
    }
}
