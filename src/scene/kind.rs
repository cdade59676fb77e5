//! What a body deforms by: one `kind` of a scene file each, with its material.

use serde::{Serialize, Serializer};

use super::defaults::DEFAULT_POISSON;
use super::format::{Aabb, Springs};
use super::named::named;

/// How a body deforms, if at all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Kind {
    /// Springs along edges, tetrahedra that keep their volume.
    Springs(Springs),
    /// Finite elements: tetrahedra of an elastic material.
    Fem(Fem),
    /// Shape matching: clusters of points that are pulled to their shape. The only kind for point clouds.
    Shape(ShapeMatching),
    /// Not at all: it moves as a rigid body.
    Rigid(Rigid),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Springs(Springs::default())
    }
}

impl Kind {
    /// Each with its defaults.
    pub(crate) fn all() -> [Self; 4] {
        [
            Springs::default().into(),
            Fem::default().into(),
            ShapeMatching::default().into(),
            Rigid::default().into(),
        ]
    }

    /// The name used in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Springs(_) => "springs",
            Self::Fem(_) => "fem",
            Self::Shape(_) => "shape",
            Self::Rigid(_) => "rigid",
        }
    }

    /// What a rigid body's mesh is made into; `None`: the tetrahedra, shells and clouds of those that deform.
    pub(super) fn mesh_shape(&self) -> Option<MeshShape> {
        match self {
            Self::Rigid(rigid) => Some(rigid.mesh_shape()),
            _ => None,
        }
    }

    /// The constants that may differ within a body.
    pub(super) fn varying(&self) -> &'static [Constant] {
        match self {
            Self::Springs(Springs::Constants { .. }) => {
                &[Constant::Density, Constant::Distance, Constant::Volume, Constant::Damping]
            }
            Self::Springs(Springs::Moduli { .. }) => {
                &[Constant::Density, Constant::Young, Constant::Relaxation]
            }
            Self::Fem(_) => {
                &[Constant::Density, Constant::Young, Constant::Poisson, Constant::Relaxation]
            }
            Self::Shape(_) => &[Constant::Density],
            Self::Rigid(_) => &[],
        }
    }
}

impl From<Springs> for Kind {
    fn from(springs: Springs) -> Self {
        Self::Springs(springs)
    }
}

impl From<Fem> for Kind {
    fn from(fem: Fem) -> Self {
        Self::Fem(fem)
    }
}

impl From<ShapeMatching> for Kind {
    fn from(shape: ShapeMatching) -> Self {
        Self::Shape(shape)
    }
}

impl From<Rigid> for Kind {
    fn from(rigid: Rigid) -> Self {
        Self::Rigid(rigid)
    }
}

/// A rigid body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rigid {
    /// Whether it is held (kinematic): it stands still or follows a prescribed motion.
    pub held: bool,
    /// What its surface mesh collides by; `None`: its convex hull, with a warning if that is larger than the mesh.
    #[serde(serialize_with = "hull_by_default")]
    pub shape: Option<MeshShape>,
    /// Coefficient of restitution, 0 to 1. Of two bodies, or a body and a solid, the larger one counts.
    pub restitution: f64,
    /// Lever arm of rolling friction [m]: under a normal force N, the resisting moment is at most N times this. Of two the larger
    /// one counts.
    pub rolling_friction: f64,
}

impl Rigid {
    /// What its surface mesh collides by.
    #[must_use]
    pub fn mesh_shape(&self) -> MeshShape {
        self.shape.unwrap_or_default()
    }
}

/// A hull that was asked for makes the same scene as one that was not.
fn hull_by_default<S: Serializer>(
    shape: &Option<MeshShape>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    shape.unwrap_or_default().serialize(serializer)
}

named! {
    /// What a rigid body with a surface mesh collides by.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum MeshShape {
        /// Its convex hull.
        #[default]
        Hull = "hull",
        /// Its triangles; held bodies only. Closed meshes have contact on the front, open ones on both sides.
        Mesh = "mesh",
    }
}

/// An isotropic elastic material, and how it is damped and flows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fem {
    /// Young's modulus E [Pa]; `None`: one with which a column as high as the body's longest side sags by 3.5 % under its own weight.
    pub young: Option<f64>,
    /// Poisson's ratio ν, from −0.99 to 0.4999, default 0.4.
    pub poisson: f64,
    /// Viscous over elastic moduli [s]; 0: no damping; `None`: half of critical damping of its lowest vibration.
    pub relaxation: Option<f64>,
    /// Its stress–strain law.
    pub law: Law,
    /// When and how it flows.
    pub plasticity: Plasticity,
}

impl Fem {
    /// A neo-Hookean material of these moduli, damped as suits the body's size.
    #[must_use]
    pub fn new(young: f64, poisson: f64) -> Self {
        Self { young: Some(young), poisson, ..Self::default() }
    }

    /// The same without damping.
    #[must_use]
    pub fn undamped(young: f64, poisson: f64) -> Self {
        Self { relaxation: Some(0.0), ..Self::new(young, poisson) }
    }
}

impl Default for Fem {
    fn default() -> Self {
        Self {
            young: None,
            poisson: DEFAULT_POISSON,
            relaxation: None,
            law: Law::default(),
            plasticity: Plasticity::default(),
        }
    }
}

named! {
    /// The stress as a function of the deformation gradient F.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Law {
        /// Stable neo-Hookean (Smith, de Goes, Kim 2018): recovers from every deformation, including inversion.
        #[default]
        NeoHookean = "neo_hookean",
        /// Linear in the stretch after removing the rotation. Nothing prevents the volume from vanishing: it has other
        /// equilibria, and may come to rest with flat or inverted elements.
        Corotated = "corotated",
        /// St Venant–Kirchhoff, linear in Green's strain (O'Brien & Hodgins 1999): collapses under strong compression.
        StVenant = "st_venant",
    }
}

/// When and how a material flows plastically. Each kind measures strain as its source does, so the same numbers give different
/// materials. Clusters (Müller et al. 2005): by the largest principal strain, volume change included. Finite elements (O'Brien,
/// Bargteil, Hodgins 2002): by the Frobenius norm of the strain that does not change the volume, which is √(3/2) times the strain
/// of a uniaxial stretch at constant volume.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Plasticity {
    /// Strain at which it yields; infinite: never.
    pub yield_strain: f64,
    /// Rate at which strain becomes permanent [1/s]: in clusters all of it once it exceeds the yield, in finite elements the
    /// excess only.
    pub creep: f64,
    /// Largest plastic strain, measured like the yield, volume change included.
    pub most: f64,
}

impl Default for Plasticity {
    fn default() -> Self {
        Self { yield_strain: f64::INFINITY, creep: 1.0, most: 1.0 }
    }
}

/// Shape matching (Müller, Heidelberger, Teschner, Gross 2005).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShapeMatching {
    /// How strongly points are pulled to their goals.
    pub pull: Pull,
    /// Share of the linear or quadratic deformation in the goals, 0 to 1; the rest is rigid.
    pub beta: f64,
    /// What the goals follow.
    pub mode: Mode,
    /// Relaxation time τ [s]: non-rigid motion within a cluster is damped at the rate τ ω², ω being the angular frequency of the
    /// pull.
    pub relaxation: f64,
    /// Which points make a cluster.
    pub clusters: Clusters,
    /// When and how clusters flow.
    pub plasticity: Plasticity,
}

impl Default for ShapeMatching {
    fn default() -> Self {
        Self {
            pull: Pull::Suited,
            beta: 0.5,
            mode: Mode::default(),
            relaxation: 0.0,
            clusters: Clusters::default(),
            plasticity: Plasticity::default(),
        }
    }
}

/// How strongly points are pulled to their goals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Pull {
    /// α: fraction of the distance to the goal covered in a step, 0 < α ≤ 1. The material then depends on the step.
    Alpha(f64),
    /// f [1/s]: α = min(1, (2π f h)²). The material does not depend on the step h if that is short compared with 1/f.
    Frequency(f64),
    /// A frequency chosen by the spacing of the points: as one cluster, the body sags about 3.5 % under its own weight on Earth,
    /// at any size and with any number of points; its relaxation time is then at least one that brings it to rest soon.
    Suited,
}

named! {
    /// What the goals of a cluster follow.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Mode {
        /// Rotation only.
        Rigid = "rigid",
        /// Also stretch and shear, preserving volume.
        #[default]
        Linear = "linear",
        /// Also bending and twisting.
        Quadratic = "quadratic",
    }
}

/// Which points make a cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub enum Clusters {
    /// The whole body is one.
    #[default]
    Whole,
    /// The body's box is divided into `count` boxes along x, y and z, each grown on every side by `overlap` mean edges
    /// (of clouds: mean distances to the nearest point).
    Grid {
        /// Boxes along x, y and z.
        count: [u32; 3],
        /// Mean edges.
        overlap: f64,
    },
    /// One per tetrahedron.
    Tets,
    /// The points whose rest positions lie in each box [m].
    Boxes(Vec<Aabb>),
    /// The points of each, by their numbers in the mesh, from 0; of tetrahedra without the points that none uses.
    Given(Vec<Vec<u32>>),
}

named! {
    /// A constant of the material that may differ from element to element.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    pub enum Constant {
        /// Young's modulus [Pa].
        Young = "young",
        /// Poisson's ratio.
        Poisson = "poisson",
        /// Relaxation time [s].
        Relaxation = "relaxation",
        /// Mass per volume [kg/m³].
        Density = "density",
        /// k_D [J]
        Distance = "distance",
        /// k_V [J]
        Volume = "volume",
        /// d_C [J s]
        Damping = "damping",
    }
}

/// Where a body's material differs: tetrahedra whose centre lies in a box of the mesh's coordinates; where only the
/// density differs also triangles of shells, and points of clouds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Region {
    /// The box [m].
    pub within: Aabb,
    /// The constants there.
    pub constants: Vec<(Constant, f64)>,
}
