//! Clusters of shape matching.

use glam::{DMat3, Vec3, Vec4};

use super::symmetric;

shared! {
    /// Points that are matched together, and what is known of their rest shape.
    pub struct Cluster {
        /// Rest position of the anchor [m]; q is a member's rest position from there.
        pub origin: Vec3,
        /// 1 over the sum of the members' weights.
        pub inverse_mass: f32,
        /// Of Y, the root of the covariance of the rest positions: diagonal [m].
        pub root_diagonal: Vec3,
        /// `SHAPE_…`: the mode, and whether the rest shape is flat.
        pub flags: u32,
        /// Of Y: yz, zx, xy [m].
        pub root_off: Vec3,
        /// The body.
        pub body: u32,
        /// Of Z, its pseudo-inverse: diagonal [1/m].
        pub whiten_diagonal: Vec3,
        /// First entry in `fits`.
        pub fit: u32,
        /// Of Z: yz, zx, xy [1/m].
        pub whiten_off: Vec3,
        /// Cube root of det Y [m].
        pub size: f32,
        /// The member nearest to the centre, which sums are taken from.
        pub anchor: u32,
        /// Of a long one, where the sums of its chunks begin.
        pub chunk_first: u32,
        /// Number of chunks.
        pub chunk_count: u32,
        /// Centre of the members: the mean of q [m].
        pub centre: Vec3,
        /// Means of the squares of p = q − `centre` [m²].
        pub square_diagonal: Vec3,
        /// Means of xy, yz and zx of p [m²].
        pub square_off: Vec3,
        /// What rounding takes off `square_diagonal` [m²].
        pub square_diagonal_low: Vec3,
        /// What rounding takes off `square_off` [m²].
        pub square_off_low: Vec3,
    }

    /// A cluster's goals by rest positions q from its anchor, and what is behind its damping; in parts that are read together.
    pub struct Goal {
        /// What is linear in q.
        pub linear: LinearGoal,
        /// What is quadratic in it.
        pub bent: BentGoal,
        /// The members' motion as a rigid body.
        pub motion: GoalMotion,
    }

    /// Goals g − anchor − G q = `shift` + map q.
    pub struct LinearGoal {
        /// Rest position of the anchor [m]; w: the mode.
        pub origin: Vec4,
        /// Its position [m].
        pub anchor: Vec4,
        /// What is constant [m].
        pub shift: Vec4,
        /// The map's columns; w: where the middle of the members is, from the anchor [m].
        pub map: [Vec4; 3],
        /// Those of the rigid map G of the last step.
        pub frame: [Vec4; 3],
    }

    /// What goals have beside, D (p_x² …, p_x p_y …), p = q − centre.
    pub struct BentGoal {
        /// Of p_x², p_y² and p_z² [1/m]; w: the centre [m].
        pub squares: [Vec4; 3],
        /// Of p_x p_y, p_y p_z and p_z p_x [1/m].
        pub products: [Vec4; 3],
    }

    /// The velocities of members as a rigid body.
    pub struct GoalMotion {
        /// That of the anchor [m/s].
        pub pace: Vec4,
        /// Of their middle beside the turn [m/s].
        pub velocity: Vec4,
        /// The angular velocity beside it [1/s].
        pub spin: Vec4,
        /// The turn's columns [1/s].
        pub turn: [Vec4; 3],
    }

    /// What a cluster keeps from step to step.
    pub struct ClusterState {
        /// R as a quaternion (x, y, z, w).
        pub rotation: Vec4,
        /// The plastic stretch less the identity, S_p − I: its diagonal.
        pub plastic_diagonal: Vec3,
        /// Its yz, zx and xy.
        pub plastic_off: Vec3,
        /// Angular velocity [1/s] of its members as a rigid body.
        pub spin: Vec3,
    }
}

impl ClusterState {
    /// S_p
    #[must_use]
    pub fn plastic_stretch(&self) -> DMat3 {
        plastic_stretch(self.plastic_diagonal, self.plastic_off)
    }
}

/// S_p of what is kept of it: I plus a symmetric matrix, by its diagonal and its yz, zx and xy.
pub(super) fn plastic_stretch(diagonal: Vec3, off: Vec3) -> DMat3 {
    DMat3::IDENTITY + symmetric(diagonal, off)
}
