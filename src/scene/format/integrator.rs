//! How time advances.

use serde::Serialize;

use crate::scene::named::named;

named! {
    /// How positions and velocities advance by one step.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
    pub enum Integrator {
        /// Explicit Euler: x += h v; v += h a(x_old, v_old). Order 1.
        Euler = "euler",
        /// v += h a; x += h v. Order 1.
        SymplecticEuler = "symplectic_euler",
        /// Störmer's method, the velocity held half a step behind. Order 2.
        #[default]
        Verlet = "verlet",
        /// Velocity at half steps, extrapolated for the damping. Order 2.
        Leapfrog = "leapfrog",
        /// Runge–Kutta, two stages. Order 2.
        Midpoint = "midpoint",
        /// Runge–Kutta, four stages. Order 4.
        Rk4 = "rk4",
        /// v⁺ = v + h a(x⁺, v⁺), x⁺ = x + h v⁺, solved by Newton's method. Order 1, stable at any step.
        ImplicitEuler = "implicit_euler",
        /// The same equation, solved approximately by vertex block descent. Order 1 if its sweeps come near the solution; stiff
        /// bodies deform with a delay.
        Vbd = "vbd",
    }
}

impl Integrator {
    /// The order of its error over a given time, without damping.
    pub fn order(self) -> u32 {
        match self {
            Self::Euler | Self::SymplecticEuler | Self::ImplicitEuler | Self::Vbd => 1,
            Self::Verlet | Self::Leapfrog | Self::Midpoint => 2,
            Self::Rk4 => 4,
        }
    }

    /// Whether it is implicit: damping acts in full then, and every step is stable.
    pub fn is_implicit(self) -> bool {
        matches!(self, Self::ImplicitEuler | Self::Vbd)
    }

    /// Whether damping can be kept from setting its step, in any [`DampingMode`]: the others that are explicit take damping
    /// as the force law says.
    pub(crate) fn weakens_damping(self) -> bool {
        matches!(self, Self::SymplecticEuler | Self::Verlet | Self::Leapfrog)
    }

    /// Whether it has no stable step for what vibrates undamped: of the methods of order 1 and 2 these grow on the imaginary
    /// axis, however slowly. At its bound such a one undoes all the damping of some vibration: explicit Euler takes h ω² from
    /// each vibration's rate c.
    pub(crate) fn needs_damping(self) -> bool {
        matches!(self, Self::Euler | Self::Midpoint)
    }

    /// The share of the velocity that damping may take in one step of a body without stiffness, were it not 1 at most: with
    /// A = h²M⁻¹K and D that share A + 2D < 4 keeps a step stable, of leapfrog, which damps an extrapolated velocity, A + 4D < 4.
    pub(crate) fn damping_share(self) -> f64 {
        if self == Self::Leapfrog { 1.0 } else { 2.0 }
    }

    /// Whether its velocities lag half a step behind its positions.
    pub fn keeps_half_steps(self) -> bool {
        matches!(self, Self::Verlet | Self::Leapfrog)
    }
}

named! {
    /// How damping is integrated without limiting the step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    pub enum DampingMode {
        /// In full, by further passes over the springs in a step. For symplectic Euler, Verlet and leapfrog.
        Exact = "exact",
        /// In one pass, weakened if the step is too long for full damping. For the same.
        Capped = "capped",
        /// As the force law says, so that damping limits the step. For all explicit integrators.
        Explicit = "explicit",
    }
}
