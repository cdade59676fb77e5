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
            projection: Projection::Mass,
            response: Response::Impulse,
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
