//! Steps of implicit Euler by Newton's method: not a step in f64, but whether the state that the world came to solves the
//! equation of the step as well as the solver says, m (v* − v)/h + f(x_n + h v, v) + p = 0 with the forces p of solids, in the
//! solver's own norm.
//!
//! What follows the solver's last residual changes the state once more. Bodies that nothing holds get the momentum of their
//! equation: of what is left of it in the norm of M⁻¹ that takes away an orthogonal part, so that there the residual must
//! not be larger than the solver says, and the momentum is compared by itself. The solids' last word moves points that they
//! press on; how far follows from the forces that they had before and have at the velocities after it. In the tests' scenes
//! residuals differ by a fiftieth of the rounding that the solver reckons with where it has changed nothing (of a single cell
//! by a seventh), else by a third of what both may change at the most.

use glam::DVec3;

use super::Moment;
use crate::gpu::types::{NEWTON_ROUNDING, SOLID_STIFFNESS};
use crate::reference::force::acceleration;
use crate::reference::solids;
use crate::report::Solve;
use crate::verify::TOLERANCE;
use crate::verify::case::Case;
use crate::verify::errors::ErrorStats;
use crate::verify::implicit::{begun, lack};
use crate::verify::momenta::{Mass, Motion, spin};
use crate::verify::oracle::{Oracle, Scaled};
use crate::verify::press::{Pressed, Touch, multipliers, pressed, stiffening};

/// A step as the world took it.
struct Step<'a> {
    case: &'a Case,
    after: &'a Moment,
    /// The system at x_n + h u with u, v⁺ without the turn that bodies which nothing holds get at the end.
    oracle: Oracle<'a>,
    /// That turn, ω × (x − c) \[m/s\].
    turns: Vec<DVec3>,
    /// x_n \[m\]
    starts: Vec<DVec3>,
    /// v* \[m/s\]
    targets: Vec<DVec3>,
    /// How the solids press at v⁺.
    contact_blocks: Vec<Pressed>,
    /// Bodies that nothing holds.
    free: Vec<bool>,
}

impl<'a> Step<'a> {
    fn new(case: &'a Case, after: &'a Moment) -> Self {
        let mut oracle = Oracle::new(case, &case.sim, &case.particles);
        // What elements keep advances at x_n.
        after.kept.give(&mut oracle.system);
        let starts = oracle.system.position.clone();
        let target = |i: usize| match oracle.system.pinned(i) {
            true => DVec3::ZERO,
            false => begun(&oracle, i, 0.0).start,
        };
        let targets = (0..starts.len()).map(target).collect();
        let free = after.free(case);
        let turns = turns(case, after, &oracle, &free);
        for (i, got) in after.particles.iter().enumerate() {
            let v = got.velocity.as_dvec3() - turns[i];
            oracle.system.velocity[i] = v;
            oracle.system.position[i] = starts[i] + oracle.h * v;
        }
        let mut step =
            Self { case, after, oracle, starts, targets, contact_blocks: Vec::new(), turns, free };
        step.contact_blocks = (0..step.starts.len()).map(|i| step.press(i)).collect();
        step
    }

    fn moving(&self) -> impl Iterator<Item = usize> {
        (0..self.starts.len()).filter(|i| !self.oracle.system.pinned(*i))
    }

    fn press(&self, i: usize) -> Pressed {
        if self.oracle.system.pinned(i) {
            return Pressed::default();
        }
        let [factor, slide] = stiffening(self.case.sim.implicit);
        let stiffness = factor * self.stiffness(i);
        let kept = multipliers(&self.after.impulses, i);
        let start = self.starts[i];
        pressed(&self.oracle, i, start, [stiffness, slide], &kept, Some(1.0))
    }

    /// The particle's own stiffness as the device has it \[N/m\], by which solids press.
    fn stiffness(&self, i: usize) -> f64 {
        let inertia = self.oracle.system.mass(i) / self.oracle.h.powi(2);
        f64::from(self.after.contact_blocks[i].stiffness).max(inertia)
    }

    /// The same; before the first matrix a bound of it.
    fn stiffness_most(&self, i: usize) -> f64 {
        let (system, h) = (&self.oracle.system, self.oracle.h);
        let material = system.material(i);
        let rate = material.omega.powi(2) + material.pull + material.brake / h;
        match self.after.contact_blocks[i].stiffness > 0.0 {
            true => self.stiffness(i),
            false => system.mass(i) * (1.0 / (h * h) + rate),
        }
    }
}

/// What velocities have beyond the way of the step, as far as it turns bodies that nothing holds.
fn turns(case: &Case, after: &Moment, oracle: &Oracle<'_>, free: &[bool]) -> Vec<DVec3> {
    let mut turns = vec![DVec3::ZERO; case.particles.len()];
    for (body, _) in case.model.bodies.iter().zip(free).filter(|(_, free)| **free) {
        let place = |i: usize| after.particles[i].position.as_dvec3();
        let beyond = |i: usize| {
            let went = (place(i) - oracle.system.position[i]) / oracle.h;
            (oracle.system.mass(i), place(i), after.particles[i].velocity.as_dvec3() - went)
        };
        let (spin, centre) = spin(&body.particles.clone().map(beyond).collect::<Vec<_>>());
        for i in body.particles.clone() {
            turns[i] = spin.cross(place(i) - centre);
        }
    }
    turns
}

/// Compares a step between two states of the world; `solve`: what the solver says of it.
pub fn compare(case: &Case, after: &Moment, solve: Option<Solve>, errors: &mut ErrorStats) {
    errors.cases(1);
    errors.holds(after.particles.len() == case.particles.len());
    if case.particles.is_empty() {
        return;
    }
    let step = Step::new(case, after);
    compare_state(&step, errors);
    compare_momenta(&step, errors);
    compare_presses(&step, errors);
    match solve.filter(|solve| solve.steps == 1) {
        Some(solve) => compare_residual(&step, &solve, errors),
        None => errors.holds(false),
    }
}

/// Where velocities lead, what holds, and what the next step begins with.
fn compare_state(step: &Step<'_>, errors: &mut ErrorStats) {
    let (case, oracle) = (step.case, &step.oracle);
    let v = Scaled::exact(oracle.system.velocity.clone());
    let x = oracle.advance(&step.starts, oracle.h, &v);
    let pushed = oracle.slippery().push(&step.starts, v.clone());
    for (i, got) in step.after.particles.iter().enumerate() {
        let given = &case.particles[i];
        if oracle.system.pinned(i) {
            errors.holds(got.position == given.position && got.velocity == given.velocity);
        }
        // One solid leaves velocities that it would leave again.
        if step.contact_blocks[i].touches.len() == 1 {
            errors.vector(got.velocity, pushed.value[i] + step.turns[i], pushed.scale[i]);
        }
    }
    step.after.compare(case, &x, errors);
}

/// What is left of the momenta of bodies that nothing holds and that are out of the solids' reach.
fn compare_momenta(step: &Step<'_>, errors: &mut ErrorStats) {
    for (body, ranges) in step.case.model.bodies.iter().enumerate() {
        let touches = |i: usize| !step.contact_blocks[i].touches.is_empty();
        if !step.free[body] || ranges.particles.clone().any(touches) {
            continue;
        }
        let own = |i: usize| lack(&step.oracle, i, step.starts[i], step.targets[i]);
        let masses: Vec<_> = ranges.particles.clone().map(own).collect();
        let origin = masses[0].start;
        let turned = |(own, i): (&Mass, usize)| own.mass * (own.end - origin).cross(step.turns[i]);
        let given: DVec3 = masses.iter().zip(ranges.particles.clone()).map(turned).sum();
        Motion::of(&masses, step.oracle.h, origin).compare_momenta(given, errors);
    }
}

/// The forces of solids: of one solid within Coulomb's cone; those of the velocities that the points have now or, of points
/// that a solid keeps at the least velocity along its normal, and may have pushed there at last, no weaker ones.
fn compare_presses(step: &Step<'_>, errors: &mut ErrorStats) {
    let system = &step.oracle.system;
    for i in step.moving().filter(|i| !step.free[system.body[*i]]) {
        let (press, given) = (&step.contact_blocks[i], step.after.contact_blocks[i].force);
        let got = given.as_dvec3();
        if let [touch] = press.touches[..] {
            let normal = got.dot(touch.normal);
            let across = (got - normal * touch.normal).length();
            let beyond = (across - solids::friction(system, i, touch.solid) * normal).max(0.0);
            errors.number(beyond as f32, 0.0, got.length());
            let weaker = (got - press.force).dot(touch.normal).min(0.0);
            errors.number(weaker as f32, 0.0, press.force_scale);
        }
        if !press.touches.iter().any(Touch::at_least) {
            errors.vector(given, press.force, press.force_scale);
        }
    }
}

/// The root of a mean square, weighted by 1/m.
fn norm(step: &Step<'_>, forces: impl Fn(usize) -> f64) -> f64 {
    let square = |i: usize| forces(i).powi(2) * step.oracle.system.inverse_mass[i];
    step.moving().map(square).sum::<f64>().sqrt()
}

/// The residual of the equation against the one that the solver reports.
fn compare_residual(step: &Step<'_>, solve: &Solve, errors: &mut ErrorStats) {
    let (system, h) = (&step.oracle.system, step.oracle.h);
    let (x, v) = (&system.position, &system.velocity);
    let a = acceleration(system, x, v);
    let started = |i: usize| step.case.particles[i].velocity.as_dvec3();
    let press = |i: usize| step.after.contact_blocks[i].force.as_dvec3();
    let left =
        norm(step, |i| (system.mass(i) * ((started(i) - v[i]) / h + a[i]) + press(i)).length());
    let acting = norm(step, |i| {
        let start = (step.targets[i] - v[i]).length_squared() / (h * h);
        system.mass(i) * (start + system.gravity.length_squared()).sqrt()
    });
    let rounding =
        norm(step, |i| step.stiffness(i) * x[i].abs().max_element() * f64::from(NEWTON_ROUNDING));
    let rounded = match solve.iterations_max {
        0 => 0.0,
        _ => rounding / solve.tolerance,
    };
    let scale = acting + rounded;
    let want = left / scale;
    // The last word moved a point by what its solids press less now over their stiffness; by that times its own stiffness its
    // force has changed, and those of its neighbours together as much at the most.
    let pushed = norm(step, |i| {
        let own = &step.contact_blocks[i];
        2.0 * (press(i) - own.force).length() / f64::from(SOLID_STIFFNESS)
    });
    // As the solver has it, but of all that positions are added up from.
    let noise = norm(step, |i| {
        let edge = f64::from(step.case.bodies[system.body[i]].edge);
        let far = x[i].length() + edge + h * (step.targets[i].length() + v[i].length());
        (step.stiffness_most(i) * far + press(i).length()) * f64::from(NEWTON_ROUNDING)
    });
    let got = solve.residual_max;
    let want = match step.free.iter().any(|free| *free) {
        true => want.max(got),
        false => want,
    };
    errors.number(got as f32, want, (noise + pushed) / TOLERANCE / scale);
}
