//! Steps of explicit integrators.

use crate::extreme::greatest;
use glam::DVec3;

use super::{Moment, poses};
use crate::Result;
use crate::family;
use crate::gpu::types::{Body, DAMPING_EXACT, DAMPING_EXPLICIT};
use crate::reference::{Damping, Integrator, Scheme, System};
use crate::verify::case::Case;
use crate::verify::errors::ErrorStats;
use crate::verify::oracle::Oracle;

/// One step of the reference from one state of the world.
pub struct Step<'a> {
    case: &'a Case,
    integrator: Integrator,
    /// The reference's system at the step's start.
    pub oracle: Oracle<'a>,
}

impl<'a> Step<'a> {
    /// From the state of the case.
    pub fn new(case: &'a Case, integrator: Integrator, halves: Vec<DVec3>) -> Self {
        let mut oracle = Oracle::new(case, &case.sim, &case.particles);
        oracle.system.half_velocity = halves;
        Self { case, integrator, oracle }
    }

    fn damping(&self, body: &Body) -> Damping {
        match body.damping_mode {
            DAMPING_EXPLICIT => Damping::Explicit,
            DAMPING_EXACT => Damping::Exact { damping_stages: self.oracle.damping_stages },
            _ => Damping::Capped,
        }
    }

    /// The system after `advance`. Bodies do not act on each other: with several kinds of damping each body is taken
    /// from the system in which all have its own.
    pub fn apply(&self, advance: impl Fn(&Scheme, &mut System)) -> Result<System> {
        let mut result = self.oracle.system.clone();
        let mut done = Vec::new();
        for body in &self.case.bodies {
            let damping = self.damping(body);
            if done.contains(&damping) {
                continue;
            }
            done.push(damping);
            let mut system = self.oracle.system.clone();
            advance(&Scheme::new(self.integrator, damping, self.oracle.h)?, &mut system);
            result.half_velocity.resize(system.half_velocity.len(), DVec3::ZERO);
            for i in 0..system.position.len() {
                if self.damping(&self.case.bodies[system.body[i]]) == damping {
                    result.position[i] = system.position[i];
                    result.velocity[i] = system.velocity[i];
                    result.damping_rate[i] = system.damping_rate[i];
                    if let Some(half) = system.half_velocity.get(i) {
                        result.half_velocity[i] = *half;
                    }
                }
            }
        }
        Ok(result)
    }

    /// Scales of the velocity and position of every point: the largest of its body, as damping passes errors on from
    /// point to point, and what the solids add. Twice as much for the velocity that leapfrog extrapolates.
    fn scales(&self) -> Vec<(f64, f64)> {
        let (system, h) = (&self.oracle.system, self.oracle.h);
        let x = &system.position;
        let kicked = self.oracle.speed().plus(h, &self.oracle.slope());
        let mut largest = vec![0.0_f64; self.case.bodies.len()];
        for (body, scale) in system.body.iter().zip(&kicked.scale) {
            let damping_stages = match self.case.bodies[*body].loaded {
                family::shape::LOADED => 1,
                _ => self.oracle.damping_stages,
            };
            largest[*body] = greatest(largest[*body], f64::from(damping_stages) * scale);
        }
        let scale = |i: usize| {
            let contact = self.oracle.contact_scale(i, x[i], kicked.value[i]);
            let velocity = 2.0 * (largest[system.body[i]] + contact);
            (velocity, x[i].length() + h * velocity)
        };
        (0..x.len()).map(scale).collect()
    }

    /// σ of every point that the step leaves, its scale that at the positions before it; explicit damping has no use for
    /// it once the start is made.
    fn rates(&self, expected: &System, start: bool) -> Vec<(f64, f64)> {
        let mut rates = self.oracle.present_rates(&self.oracle.system.position);
        for (i, rate) in rates.iter_mut().enumerate() {
            rate.0 = expected.damping_rate[i];
            if !start && self.oracle.explicit(i) {
                *rate = (0.0, 0.0);
            }
        }
        rates
    }

    /// Compares the state that the world came to. `start`: before the first step.
    pub fn compare(&self, after: &Moment, expected: &System, start: bool, errors: &mut ErrorStats) {
        let got = &after.particles;
        errors.cases(1);
        errors.holds(got.len() == expected.position.len());
        let (scales, rates) = (self.scales(), self.rates(expected, start));
        let deforms = |i: &usize| poses::pose_of(&self.case.model, *i).is_none();
        for i in (0..got.len()).filter(deforms) {
            let got = &got[i];
            let (velocity, position) = scales[i];
            errors.vector(got.position, expected.position[i], position);
            errors.vector(got.velocity, expected.velocity[i], velocity);
            errors.number(got.damping_rate, rates[i].0, rates[i].1);
            if self.integrator == Integrator::Leapfrog {
                errors.vector(after.halves[i].truncate(), expected.half_velocity[i], velocity);
            }
            errors.holds(got.inverse_mass == self.case.particles[i].inverse_mass);
        }
    }
}
