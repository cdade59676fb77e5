//! What bodies are made of, as the model's arrays have it.

use std::ops::Range;

use glam::{DQuat, DVec3};

use super::{Fields, Material};

/// A spring between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Its ends.
    pub points: [u32; 2],
    /// l0 [m]
    pub rest: f64,
    /// k_D [J]; 0 in bodies that are not made of springs.
    pub distance: f64,
    /// d_C [J s]; 0 likewise.
    pub damping: f64,
}

/// A tetrahedron, positively oriented.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tet {
    /// Its corners.
    pub corners: [u32; 4],
    /// V0 [m³]
    pub rest: f64,
    /// k_V [J]; 0 in bodies that are not made of springs.
    pub volume: f64,
}

/// A triangle whose area is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Its corners.
    pub corners: [u32; 3],
    /// A0 [m²]
    pub rest: f64,
}

/// A body that a pose carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBody {
    /// Its pose.
    pub pose: usize,
    /// [kg]
    pub mass: f64,
    /// Moments of inertia about its principal axes through the centre of mass [kg m²].
    pub moments: DVec3,
    /// The centre of mass in the rest shape [m].
    pub centre: DVec3,
    /// Turns the principal axes into the rest shape's.
    pub axes: DQuat,
}

/// Where a body's elements lie in the arrays of all bodies, and its constants.
#[derive(Clone, Debug, Default)]
pub struct BodyRanges {
    /// The scene's body.
    pub name: String,
    /// Fingerprint of what its elements are made from: those of one make differ in their particles' numbers alone.
    pub archetype: Option<u64>,
    /// Whether the body is not in the world at present, only room for it.
    pub absent: bool,
    /// Whether it is held as it is, and takes next to no computing, until it is woken.
    pub asleep: bool,
    /// Index range of its particles.
    pub particles: Range<usize>,
    /// The name of its family.
    pub family: &'static str,
    /// See [`Body::loaded`](crate::gpu::types::Body::loaded).
    pub loaded: u32,
    /// Whether its springs and volumes have constants of their own.
    pub heterogeneous: bool,
    /// Where it is rigid.
    pub rigid: Option<RigidBody>,
    /// Index range of its springs; in bodies of other families of its edges.
    pub springs: Range<usize>,
    /// Index range of its tetrahedra.
    pub tets: Range<usize>,
    /// Index range of its finite elements, in the order of its tetrahedra; empty in bodies of other families.
    pub elements: Range<usize>,
    /// Index range of its coarse surface's triangles.
    pub triangles: Range<usize>,
    /// Index range of the triangles whose areas it keeps.
    pub areas: Range<usize>,
    /// Constants that differ from tetrahedron to tetrahedron.
    pub fields: Fields,
    /// Distance [m] at which the points of a cloud or a shell touch; 0 where the body has tetrahedra.
    pub radius: f64,
    /// Material constants, of finite elements the moduli alone.
    pub material: Material,
    /// Volume of its material at rest [m³]: of its tetrahedra; of a shell two radii thick; of a cloud a cube around each point.
    pub volume: f64,
    /// Mean rest length of its springs [m].
    pub edge: f64,
    /// Twice its volume over its surface [m]: the thickness of a plate, a third of a cube's side; of what has no tetrahedra two
    /// radii.
    pub thickness: f64,
    /// See [`Body::start_rate`](crate::gpu::types::Body::start_rate).
    pub start_rate: f64,
    /// See [`Body::borne`](crate::gpu::types::Body::borne).
    pub borne: f64,
    /// Device index of each mesh point: particle `particles.start + device_index[i]` is the mesh's point i.
    pub device_index: Vec<u32>,
}
