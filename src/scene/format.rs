//! The scene description: plain data, each field with its unit. `Default` gives the values that the scene format
//! documents. [`Scene::parse`] fills it from text; programs may also fill it by hand.

use std::path::PathBuf;

use glam::DVec3;

use super::kind::{Constant, Kind, Region};
use crate::mesh::{Surface, TetMesh};

/// A whole scene: the world's settings and what is in it. The default is an empty world.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Gravity, step, integrator and what else holds everywhere.
    pub world: WorldSettings,
    /// What moves.
    pub bodies: Vec<Body>,
    /// What stands still, beside the floor.
    pub solids: Vec<Solid>,
    /// What happens to the bodies at given times.
    pub events: Vec<Event>,
    /// Relative mesh paths start here: the scene file's folder.
    pub folder: PathBuf,
}

/// What holds for the whole world: table `[world]` of a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSettings {
    /// Gravity [m/s²], default (0, −9.81, 0).
    pub gravity: [f64; 3],
    /// Height of an immovable floor [m], default: no floor.
    pub floor: Option<f64>,
    /// Length of a step, default automatic.
    pub step: Step,
    /// How positions and velocities advance, default Verlet.
    pub integrator: Integrator,
    /// `integrator = "auto"`: whether a world picks the integrator by the estimated cost of a simulated second, whatever
    /// `integrator` says; in a world's own scene that is then the one that it picked. Default false.
    pub auto_integrator: bool,
    /// Of [`Integrator::Vbd`] the sweeps over all vertices in a step, `None`: 10; of [`Integrator::ImplicitEuler`] the
    /// most Newton iterations, `None`: 8. The others have none.
    pub iterations: Option<u32>,
    /// Of [`Integrator::ImplicitEuler`]: the part of the accelerations at which its iterations end, `None`: 1e-3.
    pub tolerance: Option<f64>,
    /// Coulomb friction coefficient of bodies that give none, default 0.5.
    pub friction: f64,
    /// Share of the approach speed that a bounce gives back, 0 to 1, default 0; for bodies that give none.
    pub restitution: f64,
    /// Viscous damping of all motion relative to the air [1/s], default 0.
    pub drag: f64,
    /// Whether bodies touch each other, the floor and the solids, default true.
    pub contact: bool,
    /// Whether a body touches itself, default false.
    pub self_contact: bool,
    /// How touching bodies share the correction of their overlap, default by their masses.
    pub projection: Projection,
    /// How touching bodies act on each other's motion, default by impulses.
    pub response: Response,
    /// Simulated time of a run [s], default 5.
    pub duration: f64,
    /// Frames per simulated second [1/s], default 60. With [`Step::Auto`] a frame is a whole number of steps.
    pub fps: f64,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            gravity: [0.0, -9.81, 0.0],
            floor: None,
            step: Step::Auto,
            integrator: Integrator::Verlet,
            auto_integrator: false,
            iterations: None,
            tolerance: None,
            friction: 0.5,
            restitution: 0.0,
            drag: 0.0,
            contact: true,
            self_contact: false,
            projection: Projection::Mass,
            response: Response::Impulse,
            duration: 5.0,
            fps: 60.0,
        }
    }
}

impl WorldSettings {
    /// The same with this integrator, and without what is for others only.
    pub(crate) fn with_integrator(&self, integrator: Integrator) -> Self {
        let newton = integrator == Integrator::ImplicitEuler;
        Self {
            integrator,
            auto_integrator: false,
            iterations: self.iterations.filter(|_| integrator.is_implicit()),
            tolerance: self.tolerance.filter(|_| newton),
            ..self.clone()
        }
    }
}

/// Length of a time step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Step {
    /// Each frame is divided into equal steps, as long as the integrator's stability bound allows.
    #[default]
    Auto,
    /// This length [s], never altered.
    Fixed(f64),
    /// Halves of halves of [`Step::Auto`]'s, as short as the error of a step asks for: the largest distance [m] between a
    /// particle after two steps and after one of twice the length; `None`: a thousandth of the smallest mean edge. Written
    /// as `step = "adaptive"` and `step_error`. Waits for the device every two steps.
    Adaptive(Option<f64>),
}

/// What scene files write for a step or an integrator that is chosen for them.
pub(super) const AUTO: &str = "auto";

/// How positions and velocities advance by one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Integrator {
    /// Explicit Euler: x += h v; v += h a(x_old, v_old). Order 1.
    Euler,
    /// v += h a; x += h v. Order 1.
    SymplecticEuler,
    /// Störmer's method, the velocity held half a step behind. Order 2.
    #[default]
    Verlet,
    /// Velocity at half steps, extrapolated for the damping. Order 2.
    Leapfrog,
    /// Runge–Kutta, two stages. Order 2.
    Midpoint,
    /// Runge–Kutta, four stages. Order 4.
    Rk4,
    /// v⁺ = v + h a(x⁺, v⁺), x⁺ = x + h v⁺, solved by Newton's method. Order 1, stable at any step.
    ImplicitEuler,
    /// The same equation, approached by vertex block descent. Order 1, stable at any step.
    Vbd,
}

impl Integrator {
    /// Every integrator, in the order of the format's documentation.
    pub const ALL: [Self; 8] = [
        Self::Euler,
        Self::SymplecticEuler,
        Self::Verlet,
        Self::Leapfrog,
        Self::Midpoint,
        Self::Rk4,
        Self::ImplicitEuler,
        Self::Vbd,
    ];

    /// The name used in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Euler => "euler",
            Self::SymplecticEuler => "symplectic_euler",
            Self::Verlet => "verlet",
            Self::Leapfrog => "leapfrog",
            Self::Midpoint => "midpoint",
            Self::Rk4 => "rk4",
            Self::ImplicitEuler => "implicit_euler",
            Self::Vbd => "vbd",
        }
    }

    /// The order of its error over a given time, without damping.
    pub fn order(self) -> u32 {
        match self {
            Self::Euler | Self::SymplecticEuler | Self::ImplicitEuler | Self::Vbd => 1,
            Self::Verlet | Self::Leapfrog | Self::Midpoint => 2,
            Self::Rk4 => 4,
        }
    }

    /// Whether it takes forces at the end of the step: damping is then whole, and nothing bounds the step.
    pub fn is_implicit(self) -> bool {
        matches!(self, Self::ImplicitEuler | Self::Vbd)
    }

    /// Whether a step's move is made by the velocity that it ends with; contacts then act between the two.
    pub fn moves_last(self) -> bool {
        self.is_implicit() || matches!(self, Self::SymplecticEuler | Self::Verlet | Self::Leapfrog)
    }

    /// Of the others, the part of h Δv by which a constant force's Δv over a step moves a particle in that step.
    pub fn contact_share(self) -> f32 {
        if self == Self::Euler { 0.0 } else { 0.5 }
    }
}

/// How spring damping keeps from setting the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DampingMode {
    /// The whole damping, by further spring-only gathers within a step; rk4 is of order 2 in time then.
    Exact,
    /// One gather, weakened where the step is too long for the whole damping.
    Capped,
    /// As the force law says; the damping then bounds the step.
    Explicit,
}

impl DampingMode {
    /// Every mode, in the order of the format's documentation.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Capped, Self::Explicit];

    /// The name used in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Capped => "capped",
            Self::Explicit => "explicit",
        }
    }
}

/// How two touching bodies share the correction of their overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Projection {
    /// By their masses.
    #[default]
    Mass,
    /// By halves.
    Half,
    /// By their pressures.
    Pressure,
}

impl Projection {
    /// Every projection, in the order of the format's documentation.
    pub const ALL: [Self; 3] = [Self::Mass, Self::Half, Self::Pressure];

    /// The name used in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mass => "mass",
            Self::Half => "half",
            Self::Pressure => "pressure",
        }
    }
}

/// How touching bodies act on each other's motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Response {
    /// Impulses between a point and the corners of its contact triangle.
    #[default]
    Impulse,
    /// By displacement and a friction force alone (Kratochvíl 2007), for comparison.
    Source,
}

impl Response {
    /// Every response, in the order of the format's documentation.
    pub const ALL: [Self; 2] = [Self::Impulse, Self::Source];

    /// The name used in scene files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impulse => "impulse",
            Self::Source => "source",
        }
    }
}

/// A deformable body: one `[[body]]` of a scene file.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its rest shape.
    pub mesh: MeshSource,
    /// A surface file, relative to [`Scene::folder`] and in the mesh's coordinates, that is carried by the
    /// tetrahedra and drawn; `None`: the embedded surface or that of the tetrahedra.
    pub skin: Option<PathBuf>,
    /// Where the rest shape's origin is placed [m], after rotation and scale.
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
    /// Mass of its points.
    pub mass: Mass,
    /// How it deforms, and its material.
    pub kind: Kind,
    /// Stiffness k_A [J] of the area of each triangle of its surface, for thin shells of [`Kind::Springs`]; default 0.
    pub area: f64,
    /// Whether a surface is taken as it is, one triangle thick, instead of being embedded in a lattice; default false.
    pub shell: bool,
    /// Distance [m] at which the points of a cloud or a shell touch, half the shell's thickness; `None`: half the mean
    /// distance to the nearest point. A shell whose mass is given by density, or its stiffness by a modulus, needs it.
    pub radius: Option<f64>,
    /// Factors by which the body starts stretched along its mesh's axes, about the mesh's origin: 0 flat, negative
    /// mirrored; default 1.
    pub stretch: [f64; 3],
    /// Each point starts at a random place within this distance along each axis of where it would [m]; default 0.
    pub scatter: f64,
    /// Where the material differs; later ones prevail.
    pub regions: Vec<Region>,
    /// Constants that are read per tetrahedron from the mesh's arrays of the same names; regions prevail.
    pub cell_data: Vec<Constant>,
    /// How damping is integrated; `None`: explicit with explicit Euler, midpoint and rk4, exact with the other explicit ones.
    pub damping_mode: Option<DampingMode>,
    /// Coulomb friction coefficient; `None`: the world's.
    pub friction: Option<f64>,
    /// Share of the approach speed that a bounce gives back, 0 to 1; `None`: the world's.
    pub restitution: Option<f64>,
    /// Bits of the groups it belongs to, default all. Bodies touch where (group & other's mask) is non-zero both
    /// ways.
    pub group: u32,
    /// Bits of the groups it touches, default all.
    pub mask: u32,
    /// Colour it is drawn in: red, green, blue (sRGB).
    pub color: [u8; 3],
    /// Points whose rest position lies in one of these boxes are held in place.
    pub pin: Vec<Aabb>,
}

/// Cubes along the longest side of an embedded surface when a scene gives no `cells`.
pub const DEFAULT_CELLS: u32 = 12;

impl Body {
    /// A body of this rest shape with the format's defaults: at the origin, at rest, touching all others.
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
            radius: None,
            stretch: [1.0; 3],
            scatter: 0.0,
            regions: Vec::new(),
            cell_data: Vec::new(),
            damping_mode: None,
            friction: None,
            restitution: None,
            group: u32::MAX,
            mask: u32::MAX,
            color: [0xc8, 0xc8, 0x64],
            pin: Vec::new(),
        }
    }

    /// A block of `cubes` cubes along x, y and z, `size` [m] in all, centred on the origin.
    pub fn lattice(name: impl Into<String>, cubes: [u32; 3], size: [f64; 3]) -> Self {
        Self::new(name, MeshSource::Lattice { cubes, size })
    }

    /// A body whose mesh is read from `path`; a surface is embedded with [`DEFAULT_CELLS`].
    pub fn from_file(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self::new(
            name,
            MeshSource::File {
                path: path.into(),
                cells: DEFAULT_CELLS,
            },
        )
    }
}

/// Where a body's rest shape comes from.
#[derive(Clone, Debug)]
pub enum MeshSource {
    /// A block of cubes, five tetrahedra each, centred on the origin.
    Lattice {
        /// Cubes along x, y and z.
        cubes: [u32; 3],
        /// Lengths of the whole block [m].
        size: [f64; 3],
    },
    /// A mesh file: tetrahedra are taken as they are, a surface is embedded in a lattice.
    File {
        /// The file, relative to [`Scene::folder`].
        path: PathBuf,
        /// Cubes along the longest side of an embedded surface, default [`DEFAULT_CELLS`]; tetrahedra need none.
        cells: u32,
    },
    /// Ready tetrahedra, from code.
    Tets(TetMesh),
    /// Bare points [m], from code.
    Points(Vec<DVec3>),
    /// A surface embedded in a lattice, from code.
    Surface {
        /// The surface, drawn as the body's skin.
        surface: Surface,
        /// Cubes along its longest side.
        cells: u32,
    },
}

/// In which order a mesh is scaled and rotated, before it is moved to its position. What scaling and rotation in the
/// given order make of the mesh is the rest shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// x' = T Rz Ry Rx S x: along the mesh's own axes.
    #[default]
    ScaleFirst,
    /// x' = T S Rz Ry Rx x: along the world's axes (the thesis' text format).
    RotateFirst,
}

/// Mass of a body's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// The same for each point [kg], default 1.
    PerPoint(f64),
    /// Lumped from the volume of the tetrahedra around each point [kg/m³]; of a shell from its triangles, two radii thick;
    /// of a cloud the cube of two radii.
    Density(f64),
}

impl Default for Mass {
    fn default() -> Self {
        Self::PerPoint(1.0)
    }
}

/// Stiffness and damping of springs and volumes, each energy ½ k C² with a relative, dimensionless C
/// (Teschner et al. 2004).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Springs {
    /// The constants themselves: their meaning depends on the size of the tetrahedra.
    Constants {
        /// Stiffness of an edge, k_D [J], default 20.
        distance: f64,
        /// Stiffness of a tetrahedron's volume, k_V [J], default 10.
        volume: f64,
        /// Damping along an edge, d_C [J s], default 1.
        damping: f64,
    },
    /// Elastic moduli, from which the constants follow for the mesh at hand.
    Moduli {
        /// Young's modulus [Pa].
        young: f64,
        /// Relaxation time: damping over stiffness [s].
        relaxation: f64,
    },
}

/// Default stiffness of an edge, k_D [J].
pub(super) const DISTANCE: f64 = 20.0;
/// Default stiffness of a tetrahedron's volume, k_V [J].
pub(super) const VOLUME: f64 = 10.0;
/// Default damping along an edge, d_C [J s].
pub(super) const DAMPING: f64 = 1.0;

impl Default for Springs {
    fn default() -> Self {
        Self::Constants {
            distance: DISTANCE,
            volume: VOLUME,
            damping: DAMPING,
        }
    }
}

/// An axis-aligned box [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Least coordinates.
    pub min: [f64; 3],
    /// Greatest coordinates, none below `min`'s.
    pub max: [f64; 3],
}

impl Aabb {
    /// Whether the point lies in the box or on its faces.
    pub fn contains(&self, point: [f64; 3]) -> bool {
        (0..3).all(|k| self.min[k] <= point[k] && point[k] <= self.max[k])
    }
}

/// An immovable obstacle: one `[[solid]]` of a scene file. The touching body's friction and restitution rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A half-space.
    Plane {
        /// A point of its surface [m], default the origin.
        position: [f64; 3],
        /// Outward direction, any length but zero, default (0, 1, 0).
        normal: [f64; 3],
    },
    /// A ball.
    Sphere {
        /// Its centre [m], default the origin.
        position: [f64; 3],
        /// Its radius [m].
        radius: f64,
    },
    /// A box.
    Box {
        /// Its centre [m], default the origin.
        position: [f64; 3],
        /// Angles about the fixed x, then y, then z axis [rad], default none.
        rotation: [f64; 3],
        /// Its whole edge lengths [m].
        size: [f64; 3],
    },
}

/// What happens at given times: one `[[event]]` of a scene file.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A force on one point of a body.
    LineForce {
        /// The body's name.
        body: String,
        /// Acts on the point whose rest position is nearest to this [m].
        point: [f64; 3],
        /// The force [N].
        force: [f64; 3],
        /// When it starts [s].
        from: f64,
        /// When it ends [s], after `from`; infinity: never.
        to: f64,
    },
    /// Moving air: the world's drag acts relative to it.
    Wind {
        /// The air's velocity [m/s].
        velocity: [f64; 3],
        /// When it starts [s], default 0.
        from: f64,
        /// When it ends [s], after `from`; infinity, the default: never.
        to: f64,
    },
}
