//! The oracle: soft bodies in f64 on the host, written from the equations with plain loops.
//!
//! It knows the equations; it must not know of kernels, devices or worlds.
//!
//! Every GPU kernel is compared with a function of this module. Nothing here is fast, and nothing is shared with the
//! kernels or their arrays: a mistake would have to be made twice to go unseen. A step never calls it.
//!
//! Sources: Teschner, Heidelberger, Müller, Gross 2004 ("A versatile and robust model for geometrically complex
//! deformable solids") for the constraints; Kratochvíl 2007 ("Modelling of deformations of geometric objects") for the
//! method as a whole.

pub mod areas;
pub mod constraint;
pub mod contact;
pub mod damping;
pub mod dense;
pub mod doubling;
pub mod fem;
pub mod force;
pub mod implicit;
pub mod inspect;
pub mod integrate;
pub mod motion;
pub mod pose;
pub mod positive;
pub mod query;
pub mod rigid;
pub mod scan;
pub mod shape;
pub mod skin;
pub mod solids;
pub mod spectrum;
pub mod springs;
pub mod stability;
#[cfg(test)]
mod tests;
pub mod tets;
pub mod ties;

use glam::{DMat3, DVec3};

pub use damping::Damping;
pub use integrate::{Integrator, Scheme};

/// All bodies of a world, flattened. The arrays over points have the same length n.
#[derive(Debug, Clone, Default)]
pub struct System {
    /// Positions \[m\], length n.
    pub position: Vec<DVec3>,
    /// Velocities \[m/s\], length n, in the integrator's own sense: Verlet stores the last increment over h, leapfrog
    /// the extrapolated velocity (see [`integrate`]).
    pub velocity: Vec<DVec3>,
    /// 1/mass \[1/kg\], length n; 0 pins the point.
    pub inverse_mass: Vec<f64>,
    /// Index into `bodies`, length n.
    pub body: Vec<usize>,
    /// Springs; both ends belong to one body.
    pub springs: Vec<Spring>,
    /// Tetrahedra; the four corners belong to one body.
    pub tets: Vec<Tet>,
    /// Triangles whose areas are kept; the three corners belong to one body.
    pub areas: Vec<Area>,
    /// Accelerations by what is computed elsewhere \[m/s²\], length n or empty; pinned points have none.
    pub loads: Vec<DVec3>,
    /// Finite elements; the four corners belong to one body.
    pub elements: Vec<fem::Element>,
    /// γ \[1/(kg m)\] of each element: [`fem::shape_rate`].
    pub shape_rates: Vec<f64>,
    /// Clusters of shape matching; the members belong to one body.
    pub clusters: Vec<shape::Cluster>,
    /// What each of them keeps.
    pub kept: Vec<shape::Kept>,
    /// Where the clusters' members are at rest \[m\], length n; empty without clusters.
    pub rest: Vec<DVec3>,
    /// One material per body.
    pub bodies: Vec<Material>,
    /// Acceleration of gravity \[m/s²\].
    pub gravity: DVec3,
    /// Viscous damping γ by the air \[1/s\]: force −m γ (v − wind).
    pub drag: f64,
    /// The air's velocity \[m/s\].
    pub wind: DVec3,
    /// Forces that pull single points at the present time.
    pub pulls: Vec<Pull>,
    /// Solids as they are at the start of the step, in the order in which contacts are swept.
    pub solids: Vec<Solid>,
    /// How each of them moves; those beyond the end are at rest.
    pub motions: Vec<SolidMotion>,
    /// Coulomb's coefficient of each of them; none, and beyond the end: that of what touches it.
    pub solid_friction: Vec<Option<f64>>,
    /// σ_i \[1/s\], length n: the bound of [`damping::rate_bounds`] one step old. Set by [`Scheme::start`].
    pub damping_rate: Vec<f64>,
    /// For how long points came along straight lines with their velocities \[s\], of which implicit steps take rates of
    /// strain; 0: those of the moment.
    pub chord: f64,
    /// Leapfrog's velocity at the last half step \[m/s\], length n. Set by [`Scheme::start`].
    pub half_velocity: Vec<DVec3>,
}

/// A distance constraint between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// The two ends i, j.
    pub points: [usize; 2],
    /// Rest length l0 \[m\], positive.
    pub rest: f64,
    /// k_D \[J\], stiffness of the relative change of length.
    pub stiffness: f64,
    /// d_C \[J s\], damping of the relative change of length.
    pub damping: f64,
}

/// A volume constraint over four points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tet {
    /// The corners i, j, k, l.
    pub corners: [usize; 4],
    /// Rest volume V0 \[m³\], positive: (x_ij · (x_ik × x_il)) / 6 at rest.
    pub rest_volume: f64,
    /// k_V \[J\], stiffness of the relative change of volume.
    pub stiffness: f64,
}

/// An area constraint over three points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// The corners.
    pub corners: [usize; 3],
    /// Rest area A0 \[m²\], positive.
    pub rest: f64,
    /// k_A \[J\], stiffness of the relative change of area.
    pub stiffness: f64,
}

/// What one body is made of, beside its elements.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Material {
    /// α/h² \[1/s²\] of shape matching: a point's acceleration to its goal over the distance from it.
    pub pull: f64,
    /// Rate \[1/s\] at which shape matching damps what is beside the motion of rigid clusters.
    pub brake: f64,
    /// Coulomb's coefficient μ, for sliding and sticking alike.
    pub friction: f64,
    /// Contact margin δ \[m\]: a contact acts from this distance on.
    pub margin: f64,
    /// r \[m\], how far from a point its surface is; 0 of points of meshes of tetrahedra.
    pub radius: f64,
    /// The body's largest angular frequency ω \[1/s\]; it sets how much damping a step can bear
    /// ([`damping::theta`]).
    pub omega: f64,
}

/// A force that pulls one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// The point.
    pub point: usize,
    /// The force \[N\].
    pub force: DVec3,
}

/// How a solid moves, whatever pushes on it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolidMotion {
    /// The point that it turns about, at the start of the step \[m\].
    pub centre: DVec3,
    /// The velocity of that point \[m/s\].
    pub velocity: DVec3,
    /// Its angular velocity \[rad/s\].
    pub spin: DVec3,
}

/// A solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Solid {
    /// The half space normal · x ≤ offset.
    Plane {
        /// Unit normal, out of the solid.
        normal: DVec3,
        /// Distance of the face from the origin along the normal \[m\].
        offset: f64,
    },
    /// A ball.
    Sphere {
        /// Its centre \[m\].
        centre: DVec3,
        /// Its radius \[m\].
        radius: f64,
    },
    /// A box in any orientation.
    Box {
        /// Its centre \[m\].
        centre: DVec3,
        /// Half of its edges, along its own axes \[m\].
        half_size: DVec3,
        /// Turns its own axes into the world's.
        rotation: DMat3,
    },
}

impl System {
    /// Whether point `i` is held in place.
    pub fn pinned(&self, i: usize) -> bool {
        self.inverse_mass[i] == 0.0
    }

    /// The mass of point `i` \[kg\]; infinite when it is pinned.
    pub fn mass(&self, i: usize) -> f64 {
        1.0 / self.inverse_mass[i]
    }

    /// The material of a point.
    pub fn material(&self, point: usize) -> &Material {
        &self.bodies[self.body[point]]
    }
}
