//! What the rest of a world has to know of the integrator that it is stepped by.

use crate::gpu::types::{IMPLICIT_NOT, IMPLICIT_STEP};
use crate::scene::Integrator;

/// Accelerations [m/s²] up to which implicit Euler bears what rounding makes of stiffness: below that Newton's method sees no
/// forces. Hinged plates swing within 1 % of their period at 3, 0.6 % slower and 3 % further at 7, 7 % slower and with
/// energy from nothing at 15.
const ROUNDING: f64 = 5.0;
/// Of vertex block descent, whose coarse correction sees forces that act on a body as a whole.
const SWEPT_ROUNDING: f64 = 1e3;
/// Stiffness of a contact over that of its participants in a sweep of vertex block descent: both sides move, and stiffer
/// contacts hold back what both have in common.
const SWEPT_HOLD: f32 = 0.6;

/// Where velocities of half a step before are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HalfSteps {
    /// As those of the particles.
    Particles,
    /// In `half_velocity`, beside those of the particles.
    Beside,
}

impl Integrator {
    /// Where it keeps velocities of half a step before; none where it keeps none.
    pub(crate) fn half_steps(self) -> Option<HalfSteps> {
        match self {
            Self::Verlet => Some(HalfSteps::Particles),
            Self::Leapfrog => Some(HalfSteps::Beside),
            _ => None,
        }
    }

    /// `Sim::implicit` of a look at the present forces.
    pub(crate) fn implicit(self) -> u32 {
        match self.is_implicit() {
            true => IMPLICIT_STEP,
            false => IMPLICIT_NOT,
        }
    }

    /// Ticks from the start of a step of so many to when it takes forces.
    pub(crate) fn forces_after(self, ticks: u64) -> u64 {
        match self.is_implicit() {
            true => ticks,
            false => 0,
        }
    }

    /// Whether a step can be too long for how stiff things are.
    pub(crate) fn bounds_steps(self) -> bool {
        !self.is_implicit()
    }

    /// The share of its longest stable step that an automatic one uses at the most; `safety` where errors grow beyond it.
    pub(crate) fn share_of_bound(self, safety: f64) -> f64 {
        match self.is_implicit() {
            true => 1.0,
            false => safety,
        }
    }

    /// Accelerations [m/s²] that rounding of positions may make of stiffness; any, where forces and velocities are summed up in
    /// small steps.
    pub(crate) fn bears_rounding(self) -> f64 {
        match self {
            Self::ImplicitEuler => ROUNDING,
            Self::Vbd => SWEPT_ROUNDING,
            _ => f64::INFINITY,
        }
    }

    /// Stiffness of a contact over that of its participants, where contacts act within iterations; else 0.
    pub(crate) fn contact_hold(self) -> f32 {
        match self {
            Self::Vbd => SWEPT_HOLD,
            Self::ImplicitEuler => 1.0,
            _ => 0.0,
        }
    }

    /// The part of h Δv by which a constant force's Δv over a step moves a particle in that step: 1 where the velocity that the
    /// step ends with moves it.
    pub(crate) fn contact_share(self) -> f32 {
        match self {
            Self::Euler => 0.0,
            Self::Midpoint | Self::Rk4 => 0.5,
            _ => 1.0,
        }
    }

    /// Whether bodies that lie on each other stay restless: rk4 moves points with four forces that know nothing of contact,
    /// and the impulses that then stop them do not take all of the move back.
    pub(crate) fn is_restless(self) -> bool {
        self == Self::Rk4
    }
}
