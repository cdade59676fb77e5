//! Bodies: shapes, masses, springs.

use std::path::{Path, PathBuf};

use glam::DVec3;

use serde::Serialize;

use super::DampingMode;
use crate::mesh::{Shape, Surface, TetMesh};
use crate::scene::kind::{Constant, Kind, MeshShape, Region, Rigid};

/// A deformable or rigid body: one `[[body]]` of a scene file.
#[derive(Clone, Debug, Serialize)]
pub struct Body {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its rest shape.
    pub mesh: MeshSource,
    /// A surface file, relative to [`Scene::folder`] and in the coordinates of the mesh, that moves with the tetrahedra and is
    /// drawn; `None`: the embedded surface or that of the tetrahedra.
    #[serde(skip)]
    pub skin: Option<PathBuf>,
    /// Position of the origin of the rest shape [m], after rotation and scale.
    pub position: [f64; 3],
    /// Angles about the fixed x, then y, then z axis [rad].
    pub rotation: [f64; 3],
    /// Factors along x, y and z, each > 0 (mirroring is not supported).
    pub scale: [f64; 3],
    /// Whether it is scaled or rotated first, default scaled.
    pub order: Order,
    /// Velocity of the centre of mass at the start [m/s].
    pub velocity: [f64; 3],
    /// Angular velocity about the centre of mass at the start [rad/s], world axes.
    pub angular_velocity: [f64; 3],
    /// Its mass.
    pub mass: Mass,
    /// How it deforms, and its material.
    pub kind: Kind,
    /// Stiffness k_A [J] of the area of each triangle of its surface, for thin shells of [`Kind::Springs`]; default 0.
    pub area: f64,
    /// Whether a surface is simulated as a shell, one triangle thick, instead of being embedded in a lattice; default false.
    pub shell: bool,
    /// Whether the lattice around an embedded surface is fitted to it and has the mass of the enclosed volume, default true;
    /// otherwise it consists of whole cubes, which collide and weigh as cubes (Kratochvíl 2007).
    pub fitted: bool,
    /// Distance [m] at which the points of a cloud or a shell touch, half the shell's thickness; `None`: half the mean distance
    /// to the nearest point, so that a finer mesh gives a thinner shell.
    pub radius: Option<f64>,
    /// Factors by which the body starts stretched along its mesh's axes, about the mesh's origin: 0 flat, negative
    /// mirrored; default 1.
    pub stretch: [f64; 3],
    /// Largest random displacement of each point at the start along each axis [m]; default 0.
    pub scatter: f64,
    /// Seed of the random places of `scatter`, which depend on it and on the name; default 0.
    pub seed: u32,
    /// Regions of other material; later ones prevail.
    pub regions: Vec<Region>,
    /// Constants that are read per tetrahedron from the mesh's arrays of the same names; regions prevail.
    pub cell_data: Vec<Constant>,
    /// How damping is integrated; `None`: exact with symplectic Euler, Verlet and leapfrog; the others support only explicit
    /// damping.
    pub damping_mode: Option<DampingMode>,
    /// Coulomb friction coefficient; `None`: the world's. Of two bodies, or a body and a solid with its own coefficient, the
    /// geometric mean counts.
    pub friction: Option<f64>,
    /// Bits of the groups it belongs to, default all. Two bodies touch if (group & the other's mask) is non-zero both ways. The
    /// floor and solids are in all groups and touch all. A rigid body with no group or no mask passes through them; deformable
    /// bodies always collide with them.
    pub group: u32,
    /// Bits of the groups it touches, default all.
    pub mask: u32,
    /// Its colour: red, green, blue (sRGB).
    #[serde(skip)]
    pub color: [u8; 3],
    /// Points whose rest position lies in one of these boxes are held in place.
    pub pin: Vec<Aabb>,
}

/// Cubes along the longest side of an embedded surface when a scene gives no `cells`.
pub const DEFAULT_CELLS: u32 = 12;

impl Body {
    /// A body of this rest shape with the defaults of scene files: at the origin, at rest, touching all others.
    pub fn new(name: impl Into<String>, mesh: MeshSource) -> Self {
        Self {
            name: name.into(),
            mesh,
            skin: None,
            position: [0.0; 3],
            rotation: [0.0; 3],
            scale: [1.0; 3],
            order: Order::default(),
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            mass: Mass::default(),
            kind: Kind::default(),
            area: 0.0,
            shell: false,
            fitted: true,
            radius: None,
            stretch: [1.0; 3],
            scatter: 0.0,
            seed: 0,
            regions: Vec::new(),
            cell_data: Vec::new(),
            damping_mode: None,
            friction: None,
            group: u32::MAX,
            mask: u32::MAX,
            color: [0xc8, 0xc8, 0x64],
            pin: Vec::new(),
        }
    }

    /// A block of `cubes` cubes along x, y and z, of total `size` [m], centred on the origin.
    pub fn lattice(name: impl Into<String>, cubes: [u32; 3], size: [f64; 3]) -> Self {
        Self::new(name, MeshSource::Lattice { cubes, size })
    }

    /// Whether it is rigid.
    pub fn is_rigid(&self) -> bool {
        matches!(self.kind, Kind::Rigid(_))
    }

    /// A rigid body of this shape, centred on the origin.
    pub fn rigid(name: impl Into<String>, shape: Shape) -> Self {
        Self { kind: Rigid::default().into(), ..Self::new(name, MeshSource::Shape(shape)) }
    }

    /// A deformable body of this shape, centred on the origin, embedded with [`DEFAULT_CELLS`].
    pub fn soft(name: impl Into<String>, shape: Shape) -> Self {
        Self::new(name, MeshSource::Embedded { shape, cells: DEFAULT_CELLS })
    }

    /// An obstacle of any shape: a held rigid body that collides by the triangles of this surface.
    pub fn held_mesh(name: impl Into<String>, mesh: MeshSource) -> Self {
        let rigid = Rigid { held: true, shape: Some(MeshShape::Mesh), ..Rigid::default() };
        Self { kind: rigid.into(), ..Self::new(name, mesh) }
    }

    /// A body whose mesh is read from `path`; a surface is embedded with [`DEFAULT_CELLS`].
    pub fn from_file(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self::new(name, MeshSource::File { path: path.into(), cells: DEFAULT_CELLS })
    }
}

/// Where a body's rest shape comes from.
#[derive(Clone, Debug, Serialize)]
pub enum MeshSource {
    /// A block of cubes, five tetrahedra each, centred on the origin.
    Lattice {
        /// Cubes along x, y and z.
        cubes: [u32; 3],
        /// Lengths of the whole block [m].
        size: [f64; 3],
    },
    /// A mesh file: tetrahedra are used as they are, a surface is embedded in a lattice.
    File {
        /// The file, relative to [`Scene::folder`].
        #[serde(serialize_with = "lossy")]
        path: PathBuf,
        /// Cubes along the longest side of an embedded surface, default [`DEFAULT_CELLS`]; tetrahedra need none.
        cells: u32,
    },
    /// Tetrahedra from code.
    Tets(TetMesh),
    /// A point cloud [m] from code.
    Points(Vec<DVec3>),
    /// A shape given by its dimensions, for rigid bodies.
    Shape(Shape),
    /// A shape given by its dimensions, embedded in a lattice like a surface file.
    Embedded {
        /// The shape, drawn as the body's skin.
        shape: Shape,
        /// Cubes along its longest side.
        cells: u32,
    },
    /// Convex parts of one rigid body: the hull of each of these mesh files, relative to [`Scene::folder`].
    Parts(#[serde(serialize_with = "all_lossy")] Vec<PathBuf>),
    /// A surface from code: embedded in a lattice, or for a rigid body.
    Surface {
        /// The surface, drawn as the body's skin.
        surface: Surface,
        /// Cubes along its longest side.
        cells: u32,
    },
}

/// The order in which a mesh is scaled and rotated, before it is moved to its position. Scaling and rotation in this order give
/// the rest shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Order {
    /// x' = T Rz Ry Rx S x: along the mesh's own axes.
    #[default]
    ScaleFirst,
    /// x' = T S Rz Ry Rx x: along the world's axes (the thesis' text format).
    RotateFirst,
}

/// The mass of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Mass {
    /// Mass per volume [kg/m³], default 1000; points get the mass of the tetrahedra around them, in a shell of the triangles,
    /// which are two radii thick, in a cloud of a cube of two radii.
    Density(f64),
    /// Mass of the whole body [kg], distributed among its points as by density.
    Body(f64),
    /// Mass of each point [kg].
    Point(f64),
}

impl Default for Mass {
    fn default() -> Self {
        Self::Density(1000.0)
    }
}

impl Mass {
    /// The key used in scene files.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Density(_) => "density",
            Self::Body(_) => "mass",
            Self::Point(_) => "point_mass",
        }
    }
}

/// Stiffness and damping of springs and volumes, each energy ½ k C² with a relative, dimensionless C
/// (Teschner et al. 2004).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Springs {
    /// The constants themselves: their meaning depends on the size of the tetrahedra.
    Constants {
        /// Stiffness of an edge, k_D [J], 20 in a scene file that gives only others.
        distance: f64,
        /// Stiffness of a tetrahedron's volume, k_V [J], 10 likewise.
        volume: f64,
        /// Damping along an edge, d_C [J s], 1 likewise.
        damping: f64,
    },
    /// Elastic moduli; the constants follow from them and the mesh.
    Moduli {
        /// Young's modulus [Pa]; `None`: one with which a column as high as the body's longest side sags by 3.5 % under its own weight.
        young: Option<f64>,
        /// Relaxation time: damping over stiffness [s]; `None`: one that damps its lowest vibration by half of
        /// critical damping.
        relaxation: Option<f64>,
    },
}

impl Springs {
    /// Springs of a modulus [Pa], damped as suits the body's size.
    #[must_use]
    pub fn young(young: f64) -> Self {
        Self::Moduli { young: Some(young), relaxation: None }
    }
}

/// Stiffness of an edge beside other constants, k_D [J].
pub(in crate::scene) const DISTANCE: f64 = 20.0;
/// Stiffness of a tetrahedron's volume, k_V [J].
pub(in crate::scene) const VOLUME: f64 = 10.0;
/// Damping along an edge, d_C [J s].
pub(in crate::scene) const DAMPING: f64 = 1.0;

impl Default for Springs {
    fn default() -> Self {
        Self::Moduli { young: None, relaxation: None }
    }
}

/// An axis-aligned box [m].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Aabb {
    /// Lower corner.
    pub min: [f64; 3],
    /// Upper corner, no coordinate below that of `min`.
    pub max: [f64; 3],
}

impl Aabb {
    /// Whether the point lies in the box or on its faces.
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|k| self.min[k] <= point[k] && point[k] <= self.max[k])
    }
}

/// Paths as text.
fn all_lossy<S: serde::Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

/// A path as text, what is no Unicode in it replaced.
fn lossy<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
