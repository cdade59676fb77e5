//! What is rigid touches by convex colliders: what they are, and where two of them touch.

use glam::{UVec2, UVec4, Vec2, Vec3, Vec4};

shared! {
    /// A convex part of something rigid. Its surface lies `radius` around its core: a point, a segment, a box, a cylinder, the hull
    /// of its vertices, a triangle or a half space, as `kind` tells (`COLLIDER_…`).
    pub struct Collider {
        /// Its origin, from its pose's centre along the pose's axes [m].
        pub position: Vec3,
        /// Radius of a ball about its origin that holds it, core and all [m]; of a half space 0.
        pub bound: f32,
        /// The unit quaternion (x, y, z, w) that turns its own axes into the pose's.
        pub rotation: Vec4,
        /// Of the core, along its own axes [m]: of a box half its lengths; of a segment (0, half its length, 0); of a cylinder
        /// (radius, half its length, radius); else 0. A half space lies below y = 0.
        pub half: Vec3,
        /// How far its surface is from its core [m].
        pub radius: f32,
        /// What its core is.
        pub kind: u32,
        /// Its pose.
        pub pose: u32,
        /// Its body; [`NONE`](super::NONE) of an obstacle's.
        pub body: u32,
        /// The first of its core's corners in `hull_vertices`, where that has any.
        pub first_vertex: u32,
        /// How many there are.
        pub vertex_count: u32,
        /// The first of its core's faces in `hull_faces`, where that has any.
        pub first_face: u32,
        /// How many there are.
        pub face_count: u32,
    }

    /// A collider where it is, as it looks for others.
    pub struct PlacedCollider {
        /// The least coordinates of its box, widened by how far its pose looks around [m]; of a half space its outward normal.
        pub low: Vec3,
        /// Its number; [`NONE`](super::NONE) where it touches nothing.
        pub collider: u32,
        /// The largest coordinates [m]; of a half space n·x of the points x on its widened border, and 0.
        pub high: Vec3,
        /// The list of its cell.
        pub list: u32,
        /// Its cell, whole numbers as words, and the level.
        pub cell: UVec4,
        /// Its pose.
        pub pose: u32,
        /// Which copy of a scene it belongs to.
        pub replica: u32,
        /// See `Body::group`.
        pub group: u32,
        /// See `Body::group`.
        pub mask: u32,
        /// 1 where it can be moved.
        pub moves: u32,
        /// See `Collider::kind`.
        pub kind: u32,
    }

    /// A flat face of a hull, in the axes of its collider.
    pub struct HullFace {
        /// Unit normal, outwards.
        pub normal: Vec3,
        /// n·x of its points x [m].
        pub offset: f32,
        /// The first corner of its loop in `hull_vertices`, where loops stand behind the corners; anticlockwise seen from outside.
        pub first: u32,
        /// How many corners it has, at most [`MAX_LOOP`](super::MAX_LOOP).
        pub count: u32,
    }

    /// A pair of colliders whose boxes meet, and how they touch: up to [`MANIFOLD`](super::MANIFOLD) points with one normal, which
    /// stand in `manifold_points` from that times its number on.
    pub struct Manifold {
        /// n, out of b into a, a unit vector in the world's axes, from which the next search begins; 0 before the first. Without points
        /// a direction from b to a in which they are apart.
        pub normal: Vec3,
        /// How many points it has.
        pub count: u32,
        /// `along` in the world's axes, as the bodies are in this step, of what turns.
        pub line: Vec3,
        /// The pair's number in the last search, [`NONE`](super::NONE) where it had none.
        pub last: u32,
        /// The colliders a and b.
        pub colliders: UVec2,
        /// Their poses, as degrees of freedom.
        pub dofs: UVec2,
        /// Their radii [m].
        pub radii: Vec2,
        /// Points that are no farther apart than this count [m].
        pub reach: f32,
        /// Points of two searches that are no farther apart than this, in the axes of a or of b, are one [m].
        pub same: f32,
        /// Coulomb's coefficient of the pair.
        pub friction: f32,
        /// Coefficient of restitution of the pair.
        pub restitution: f32,
        /// Lever arm of the pair's rolling friction [m].
        pub rolling: f32,
        /// The smaller mean edge of the two bodies [m].
        pub size: f32,
        /// Impulse of rolling friction on a's spin [kg m²/s].
        pub rolling_impulse: Vec3,
        /// Points whose place on a cylinder's core is its axis, a bit each, of a from the first and of b from bit 4 on: where it
        /// touches is the point of its rim or side that is foremost then, as it rolls.
        pub rolls: u32,
        /// Of a's core, if that is a cylinder, its axis times its radius, along the axes of its pose [m]; else 0.
        pub rim_a: Vec3,
        /// Of b's.
        pub rim_b: Vec3,
        /// How the normal turns, [`TURNS_NOT`](super::TURNS_NOT) and the following: as round cores pass each other it stays square to
        /// `along`, which turns with a or with b; that of a face is `along`.
        pub turns: u32,
        /// Impulses that push the bodies apart at its points for the length of this step's move [kg m/s].
        pub push: Vec4,
        /// The direction of the core, if what is nearest lies on an edge or an axis, or the normal, along the axes of that pose; else 0.
        pub along: Vec3,
    }

    /// A plane that a pose lies on: of a face of a collider that it touches.
    pub struct Plane {
        /// Unit normal, towards the pose, in the world's axes; 0 of none.
        pub normal: Vec3,
        /// How far the pose is in front of the collider along it [m]; of none 3e38.
        pub gap: f32,
        /// How far the pose's centre is in front of the plane [m].
        pub height: f32,
        /// How fast the collider moves along it at the pose's centre [m/s].
        pub speed: f32,
        /// The collider; [`NONE`](super::NONE) where there are several.
        pub collider: u32,
    }

    /// A point of a manifold: where the cores of both sides are nearest along the normal.
    pub struct ManifoldPoint {
        /// Of a's core, along the axes of its pose from its centre [m].
        pub a: Vec3,
        /// How fast the two came at each other before they touched [m/s].
        pub approach: f32,
        /// Of b's.
        pub b: Vec3,
        /// How far the surfaces were apart along the normal when they were found [m]; negative: how deep they were in each other.
        pub distance: f32,
        /// λ_t on a, and λ_n [kg m/s].
        pub impulse: Vec4,
    }
}
