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
        /// The same equation, approached by vertex block descent. Order 1 where its sweeps come near the solution; stiff
        /// bodies deform late.
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

    /// Whether it takes forces at the end of the step: damping is then whole, and nothing bounds the step.
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

    /// Whether its velocities are those half a step before.
    pub fn keeps_half_steps(self) -> bool {
        matches!(self, Self::Verlet | Self::Leapfrog)
    }
}

named! {
    /// How damping keeps from setting the step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    pub enum DampingMode {
        /// The whole damping, by further spring-only gathers within a step. Of symplectic Euler, Verlet and leapfrog.
        Exact = "exact",
        /// One gather, weakened where the step is too long for the whole damping. Of the same.
        Capped = "capped",
        /// As the force law says; the damping then bounds the step. Of all explicit integrators.
        Explicit = "explicit",
    }
}
