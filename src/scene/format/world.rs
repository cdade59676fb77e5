//! Settings of the whole world.

use serde::Serialize;

use super::Integrator;
use crate::scene::named::named;

/// Settings of the whole world: table `[world]` of a scene file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldSettings {
    /// Gravity [m/s²], default (0, −9.81, 0).
    pub gravity: [f64; 3],
    /// Height of an immovable floor [m], default: no floor.
    pub floor: Option<f64>,
    /// Length of a step, default automatic.
    pub step: Step,
    /// How positions and velocities advance, default Verlet.
    pub integrator: Integrator,
    /// `integrator = "auto"`: the world chooses the integrator and ignores `integrator`: Verlet, or an implicit one if Verlet
    /// would take too many steps. In the scene of a running world `integrator` is then the one that was picked. Default false.
    pub auto_integrator: bool,
    /// For [`Integrator::Vbd`] the number of sweeps over all vertices per step, `None`: 10; for [`Integrator::ImplicitEuler`] the
    /// maximum number of Newton iterations, `None`: 16. The others have none.
    pub iterations: Option<u32>,
    /// For [`Integrator::ImplicitEuler`]: the relative residual of the accelerations at which iterations end, `None`: 1e-3.
    pub tolerance: Option<f64>,
    /// Coulomb friction coefficient of bodies without their own, default 0.5.
    pub friction: f64,
    /// Viscous damping of velocities relative to the air [1/s], default 0. It does not slow the spin of rigid bodies.
    pub drag: f64,
    /// Whether bodies collide with each other, the floor and the solids, default true.
    pub contact: bool,
    /// Whether deformable bodies collide with themselves, default false.
    pub self_contact: bool,
    /// Whether rigid bodies that have come to rest fall asleep until something disturbs them, default true.
    pub sleep: bool,
    /// How touching bodies share the correction of their overlap, default by their masses.
    pub projection: Projection,
    /// How touching bodies act on each other's motion, default by impulses.
    pub response: Response,
    /// How pairs of colliders that may touch are found, default by a grid.
    pub broad_phase: BroadPhase,
    /// How the contact points of two colliders are found, default by their distance.
    pub narrow: Narrow,
    /// How orientations of rigid bodies advance, default by Kutta's method.
    pub rigid_integrator: RigidIntegrator,
    /// Simulated time of a run [s], default 5.
    #[serde(skip)]
    pub duration: f64,
    /// Frames per simulated second [1/s], default 60. Steps do not depend on it: each frame shows the nearest step.
    #[serde(skip)]
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
            drag: 0.0,
            contact: true,
            self_contact: false,
            sleep: true,
            projection: Projection::Mass,
            response: Response::Impulse,
            broad_phase: BroadPhase::Grid,
            narrow: Narrow::Gjk,
            rigid_integrator: RigidIntegrator::Rk4,
            duration: 5.0,
            fps: 60.0,
        }
    }
}

impl WorldSettings {
    /// The same settings with this integrator, without those that only other integrators have.
    #[must_use]
    pub fn with_integrator(&self, integrator: Integrator) -> Self {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub enum Step {
    /// As long as the integrator's stability bound allows, and a whole fraction of 1/60 s; halved, and doubled again, when events
    /// require shorter steps. See [`World::step`](crate::World::step).
    #[default]
    Auto,
    /// This length [s], never altered.
    Fixed(f64),
    /// The step of [`Step::Auto`], halved repeatedly as the error of a step requires: the largest distance [m] between a particle
    /// after two steps and after one of twice the length; `None`: a thousandth of the smallest mean edge. Written as `step =
    /// "adaptive"` and `step_error`. Waits for the device every two steps.
    Adaptive(Option<f64>),
}

/// What scene files write for a step or an integrator that is chosen for them.
pub(in crate::scene) const AUTO: &str = "auto";

named! {
    /// How two touching bodies share the correction of their overlap.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Projection {
        /// By their masses.
        #[default]
        Mass = "mass",
        /// By halves.
        Half = "half",
        /// By their pressures.
        Pressure = "pressure",
    }
}

named! {
    /// How touching bodies act on each other's motion.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Response {
        /// Impulses between a point and the corners of its contact triangle.
        #[default]
        Impulse = "impulse",
        /// By displacement and a friction force alone (Kratochvíl 2007), for comparison.
        Source = "source",
    }
}

named! {
    /// How pairs of rigid bodies' colliders with overlapping boxes are found. All methods find the same pairs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum BroadPhase {
        /// By a grid of cells whose widths double from level to level.
        #[default]
        Grid = "grid",
        /// Box pruning: boxes are sorted along an axis and swept (Cohen et al. 1995, Dvořák 2007). The time also grows with the
        /// number of boxes that overlap along this axis only.
        Sweep = "sweep",
    }
}

named! {
    /// How the contact points of two rigid bodies' colliders are found. Balls, capsules, cylinders and half-spaces always use
    /// [`Self::Gjk`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Narrow {
        /// Gilbert, Johnson and Keerthi's distance, and the expanding polytope for depths (van den Bergen 2003).
        #[default]
        Gjk = "gjk",
        /// Separating axes, of boxes and of hulls of at most 48 faces; larger ones as [`Self::Gjk`].
        Sat = "sat",
        /// Boxes and hulls touch where their triangles intersect, all pairs being tested (Möller 1997), or one is inside the
        /// other. Contacts are found only once bodies overlap: a body that moves by more than its thickness in a step passes
        /// through others.
        Triangles = "triangles",
        /// The same, but only if their smallest bounding spheres (Welzl 1991) overlap.
        SphereTriangles = "sphere_triangles",
    }
}

impl Narrow {
    /// Whether boxes and hulls touch only once they overlap.
    pub(crate) fn needs_overlap(self) -> bool {
        matches!(self, Self::Triangles | Self::SphereTriangles)
    }
}

named! {
    /// How the orientation of a rigid body follows its angular momentum, q' = ω q/2.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum RigidIntegrator {
        /// Kutta's method of order 4.
        #[default]
        Rk4 = "rk4",
        /// Euler's method of order 1: fast-spinning bodies gain or lose energy.
        Euler = "euler",
    }
}

impl RigidIntegrator {
    /// The order of its error over a given time.
    pub(crate) fn order(self) -> u32 {
        match self {
            Self::Rk4 => 4,
            Self::Euler => 1,
        }
    }
}
