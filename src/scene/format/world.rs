//! What holds for the whole world.

use serde::Serialize;

use super::Integrator;
use crate::scene::named::named;

/// What holds for the whole world: table `[world]` of a scene file.
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
    /// `integrator = "auto"`: whether a world picks the integrator, whatever `integrator` says: Verlet, or where it would take
    /// too many steps an implicit one; in a world's own scene `integrator` is then the one that it picked. Default false.
    pub auto_integrator: bool,
    /// Of [`Integrator::Vbd`] the sweeps over all vertices in a step, `None`: 10; of [`Integrator::ImplicitEuler`] the
    /// most Newton iterations, `None`: 16. The others have none.
    pub iterations: Option<u32>,
    /// Of [`Integrator::ImplicitEuler`]: the part of the accelerations at which its iterations end, `None`: 1e-3.
    pub tolerance: Option<f64>,
    /// Coulomb friction coefficient of bodies that give none, default 0.5.
    pub friction: f64,
    /// Viscous damping of velocities relative to the air [1/s], default 0. It does not slow the spin of rigid bodies.
    pub drag: f64,
    /// Whether bodies touch each other, the floor and the solids, default true.
    pub contact: bool,
    /// Whether a body touches itself, default false.
    pub self_contact: bool,
    /// Whether rigid bodies that have come to rest fall asleep until something disturbs them, default true.
    pub sleep: bool,
    /// How touching bodies share the correction of their overlap, default by their masses.
    pub projection: Projection,
    /// How touching bodies act on each other's motion, default by impulses.
    pub response: Response,
    /// How pairs of colliders that may touch are found, default by a grid.
    pub broad_phase: BroadPhase,
    /// How it is found where two colliders touch, default by their distance.
    pub narrow: Narrow,
    /// How orientations of rigid bodies advance, default by Kutta's method.
    pub rigid_integrator: RigidIntegrator,
    /// Simulated time of a run [s], default 5.
    #[serde(skip)]
    pub duration: f64,
    /// Frames per simulated second [1/s], default 60. Steps do not depend on it: frames take the nearest one.
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
    /// The same with this integrator, and without what is for others only.
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
    /// As long as the integrator's stability bound allows, of which 1/60 s is a whole number; halved, and doubled again, where
    /// that is too long for what happens. See [`World::step`](crate::World::step).
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
    /// How pairs of colliders of rigid bodies are found whose boxes meet. All find the same pairs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum BroadPhase {
        /// By a grid of cells whose widths double from level to level.
        #[default]
        Grid = "grid",
        /// Box pruning: boxes are sorted along an axis and swept (Cohen et al. 1995, Dvořák 2007). The time grows with the
        /// boxes that overlap along the axis alone.
        Sweep = "sweep",
    }
}

named! {
    /// How it is found where two colliders of rigid bodies touch. Balls, capsules, cylinders and half spaces touch as with
    /// [`Self::Gjk`], whatever is chosen.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Narrow {
        /// Gilbert, Johnson and Keerthi's distance, and the expanding polytope for depths (van den Bergen 2003).
        #[default]
        Gjk = "gjk",
        /// Separating axes, of boxes and of hulls of at most 48 faces; larger ones as [`Self::Gjk`].
        Sat = "sat",
        /// Boxes and hulls touch where their triangles meet, each tested against each (Möller 1997), or one is inside the other.
        /// Contacts are sought in every step, and do not see what comes: faster than its thickness in a step a body passes
        /// through others.
        Triangles = "triangles",
        /// The same, where their smallest bounding spheres (Welzl 1991) meet.
        SphereTriangles = "sphere_triangles",
    }
}

impl Narrow {
    /// Whether boxes and hulls touch only once they are in each other.
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
        /// Euler's, of order 1: bodies that turn fast gain or lose energy.
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
