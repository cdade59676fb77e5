//! One substep of each explicit integrator.
//!
//! Order within a step: forces at x → velocity → impulses of the solids at x → move → projection. Where a mean velocity moves
//! the points, the solids act on that as they do on the new one. In Runge–Kutta methods the solids act on the velocity of every stage, too: otherwise a point at rest on a
//! solid would seem to fall within the step, and drag its neighbours along by their damping. Velocities are stored,
//! never differences of positions: Störmer–Verlet stores u, its last increment over h, leapfrog v_½ and v̂ = (3 v_½ − v_−½)/2.

use glam::DVec3;

use super::damping::{self, Damping};
use super::force::{acceleration, undamped_acceleration};
use super::{System, solids};
use crate::error::{Error, Result};
pub use crate::scene::Integrator;

/// An integrator with its step and its treatment of the springs' damping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme {
    integrator: Integrator,
    damping: Damping,
    h: f64,
}

impl Scheme {
    /// A scheme of step `h` \[s\].
    ///
    /// # Errors
    /// When `h` is not positive, the integrator not explicit, when capped or exact damping is asked of one without a bound θ
    /// for it, or when exact damping has no gather.
    pub fn new(integrator: Integrator, damping: Damping, h: f64) -> Result<Self> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(Error::value("step", h, "a positive number of seconds"));
        }
        if integrator.is_implicit() {
            return Err(Error::value("integrator", integrator.name(), "an explicit one"));
        }
        if damping != Damping::Explicit && !integrator.weakens_damping() {
            let want = "explicit, or another integrator";
            return Err(Error::value("damping_mode", format!("{damping:?}"), want));
        }
        if damping == (Damping::Exact { damping_stages: 0 }) {
            return Err(Error::value("damping_stages", 0, "at least 1"));
        }
        Ok(Self { integrator, damping, h })
    }

    /// Prepares a system whose `velocity` holds the velocities v_0: the rates σ, the half velocity, and for Verlet the
    /// increment u_0 = v_0 − ½h a_0 in place of the velocity. Exact damping is capped in this half step, as its
    /// polynomial is made for whole ones. Pinned points come to rest.
    pub fn start(&self, system: &mut System) {
        hold_pinned(system);
        system.damping_rate = damping::rate_bounds(system, &system.position);
        let damping = match self.damping {
            Damping::Exact { .. } => Damping::Capped,
            other => other,
        };
        let increment = Self { damping, ..*self }.increment(system);
        let half_step_back = combine(&system.velocity, -0.5, &increment);
        if self.integrator == Integrator::Verlet {
            system.velocity.clone_from(&half_step_back);
        }
        system.half_velocity = half_step_back;
    }

    /// One step.
    pub fn step(&self, system: &mut System) {
        hold_pinned(system);
        match self.integrator {
            Integrator::Euler => self.euler(system),
            Integrator::SymplecticEuler | Integrator::Verlet => self.kick_then_move(system),
            Integrator::Leapfrog => self.leapfrog(system),
            Integrator::Midpoint => self.midpoint(system),
            Integrator::Rk4 => self.rk4(system),
            Integrator::ImplicitEuler | Integrator::Vbd => unreachable!("refused"),
        }
    }

    /// The velocity at the present time \[m/s\]. Verlet and leapfrog keep it half a step back, and it is the mean of the
    /// one stored and the next one, impulses of the solids included: without them a body at rest on a floor would seem
    /// to fall with half a step of its weight. The others store it.
    pub fn reported_velocity(&self, system: &System) -> Vec<DVec3> {
        let stored = match self.integrator {
            Integrator::Verlet => &system.velocity,
            Integrator::Leapfrog => &system.half_velocity,
            _ => return system.velocity.clone(),
        };
        let next = self.kicked(system, stored);
        stored.iter().zip(next).map(|(old, new)| (*old + new) / 2.0).collect()
    }

    /// θ of every body; empty for integrators that have none.
    pub fn theta(&self, system: &System) -> Vec<f64> {
        let bodies = system.bodies.iter().filter(|_| self.integrator.weakens_damping());
        let share = self.integrator.damping_share();
        bodies.map(|body| damping::theta(share, self.h, body.omega, system.drag)).collect()
    }

    /// What the forces at the present positions add to the velocities in a step \[m/s\]: h a(x, v) with v the stored
    /// `velocity`, the springs' damping in its own mode. After the polynomial of exact damping the other forces see the
    /// damped velocity.
    pub fn increment(&self, system: &System) -> Vec<DVec3> {
        let (x, v) = (&system.position, &system.velocity);
        match self.damping {
            Damping::Explicit => scaled(self.h, &acceleration(system, x, v)),
            Damping::Capped | Damping::Exact { damping_stages: 1 } => {
                let theta = self.theta(system);
                let damping = damping::capped_acceleration(system, x, v, &theta, self.h);
                scaled(self.h, &combine(&undamped_acceleration(system, x, v), 1.0, &damping))
            }
            Damping::Exact { damping_stages } => {
                let theta = self.theta(system);
                let change =
                    damping::polynomial_change(system, x, v, &theta, damping_stages, self.h);
                let damped = combine(v, 1.0, &change);
                combine(&change, self.h, &undamped_acceleration(system, x, &damped))
            }
        }
    }

    /// The velocities `stored` after the forces and the impulses of the solids at the present positions.
    fn kicked(&self, system: &System, stored: &[DVec3]) -> Vec<DVec3> {
        self.pushed(system, combine(stored, 1.0, &self.increment(system)))
    }

    /// The velocities after the impulses of the solids at the present positions.
    fn pushed(&self, system: &System, mut velocity: Vec<DVec3>) -> Vec<DVec3> {
        solids::apply_impulses(system, self.h, &system.position, &mut velocity);
        velocity
    }

    /// Symplectic Euler and Verlet, which differ in their start and in what they report.
    fn kick_then_move(&self, system: &mut System) {
        let velocity = self.kicked(system, &system.velocity);
        let position = combine(&system.position, self.h, &velocity);
        self.finish(system, position, velocity);
    }

    /// Leapfrog: the half velocity moves the points.
    fn leapfrog(&self, system: &mut System) {
        let half = self.kicked(system, &system.half_velocity);
        let extrapolate = |(new, old): (&DVec3, &DVec3)| (3.0 * *new - *old) / 2.0;
        let velocity = half.iter().zip(&system.half_velocity).map(extrapolate).collect();
        let position = combine(&system.position, self.h, &half);
        system.half_velocity = half;
        self.finish(system, position, velocity);
    }

    /// Explicit Euler: the old velocity moves the points.
    fn euler(&self, system: &mut System) {
        let (x, v) = (system.position.clone(), system.velocity.clone());
        let velocity = self.pushed(system, combine(&v, self.h, &acceleration(system, &x, &v)));
        let position = combine(&x, self.h, &self.pushed(system, v));
        self.project_and_keep(system, position, velocity);
    }

    /// Midpoint: one Euler step of h/2, then a whole step with the derivatives found there.
    fn midpoint(&self, system: &mut System) {
        let (x, v) = (system.position.clone(), system.velocity.clone());
        let a = acceleration(system, &x, &v);
        let middle_x = combine(&x, 0.5 * self.h, &v);
        let middle_v = self.pushed(system, combine(&v, 0.5 * self.h, &a));
        let middle_a = acceleration(system, &middle_x, &middle_v);
        let position = combine(&x, self.h, &self.pushed(system, middle_v));
        let velocity = self.pushed(system, combine(&v, self.h, &middle_a));
        self.project_and_keep(system, position, velocity);
    }

    /// The classical Runge–Kutta method of four stages. The solids act on the new velocity, and in the same way on the
    /// mean velocity of the step, which moves the points. One impulse cannot serve both: under gravity g they differ by
    /// hg/2, and a resting point would creep.
    fn rk4(&self, system: &mut System) {
        let (x, v, h) = (system.position.clone(), system.velocity.clone(), self.h);
        let stage = |system: &System, dt: f64, slope: &[DVec3], a: &[DVec3]| {
            (combine(&x, dt, slope), self.pushed(system, combine(&v, dt, a)))
        };
        let a1 = acceleration(system, &x, &v);
        let (x2, v2) = stage(system, 0.5 * h, &v, &a1);
        let a2 = acceleration(system, &x2, &v2);
        let (x3, v3) = stage(system, 0.5 * h, &v2, &a2);
        let a3 = acceleration(system, &x3, &v3);
        let (x4, v4) = stage(system, h, &v3, &a3);
        let a4 = acceleration(system, &x4, &v4);
        let mean = |k: [&[DVec3]; 4]| -> Vec<DVec3> {
            let weighted = |i: usize| (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]) / 6.0;
            (0..x.len()).map(weighted).collect()
        };
        let way = self.pushed(system, mean([&v, &v2, &v3, &v4]));
        let position = combine(&x, h, &way);
        let slope = mean([&a1, &a2, &a3, &a4]);
        let velocity = self.pushed(system, combine(&v, h, &slope));
        self.project_and_keep(system, position, velocity);
    }

    /// Projects the new positions and stores the new state, with σ of the old positions.
    fn finish(&self, system: &mut System, position: Vec<DVec3>, velocity: Vec<DVec3>) {
        system.damping_rate = damping::rate_bounds(system, &system.position);
        self.project_and_keep(system, position, velocity);
    }

    /// Projects the new positions and stores the new state.
    fn project_and_keep(
        &self,
        system: &mut System,
        mut position: Vec<DVec3>,
        velocity: Vec<DVec3>,
    ) {
        solids::project(system, self.h, &mut position);
        system.position = position;
        system.velocity = velocity;
    }
}

/// Takes the velocity from pinned points.
fn hold_pinned(system: &mut System) {
    for i in (0..system.inverse_mass.len()).filter(|&i| system.inverse_mass[i] == 0.0) {
        system.velocity[i] = DVec3::ZERO;
        if let Some(half) = system.half_velocity.get_mut(i) {
            *half = DVec3::ZERO;
        }
    }
}

/// a + factor b.
fn combine(a: &[DVec3], factor: f64, b: &[DVec3]) -> Vec<DVec3> {
    a.iter().zip(b).map(|(a, b)| *a + factor * *b).collect()
}

/// factor a.
fn scaled(factor: f64, a: &[DVec3]) -> Vec<DVec3> {
    a.iter().map(|a| factor * *a).collect()
}
