//! Free motion of rigid bodies in whole steps: the kick, the move by the scene's own method, and the particles that go along.

use super::Moment;
use crate::gpu::types::{NONE, Particle, Pose};
use crate::model::Model;
use crate::reference::Pull;
use crate::verify::case::Case;
use crate::verify::errors::ErrorStats;
use crate::verify::poses::{compare_moved, exact, pushed};
use crate::world::{Partner, Touch, World};
use crate::{Error, Result};

/// Room for what touches in a step: the first of it is enough.
const ROOM: usize = 1024;

/// Refuses rigid bodies whose steps are no kick and move.
pub fn check(world: &World) -> Result<()> {
    let integrator = world.scene().world.integrator;
    if world.model().poses.is_empty() || !integrator.is_implicit() {
        return Ok(());
    }
    let want = "an explicit one: implicit steps of rigid bodies are not compared as wholes; their kernels have checks of their \
                own";
    Err(Error::value("world.integrator", format!("{:?}", integrator.name()), want))
}

/// Lets the world tell what rigid bodies touch.
pub fn watch(world: &mut World) -> Result<()> {
    let room = if world.model().poses.is_empty() { 0 } else { ROOM };
    world.set_contact_events(room)
}

/// Refuses the step that was the last, if a rigid body touched anything in it, or bodies each other.
pub fn check_contacts(world: &mut World) -> Result<()> {
    let Some(events) = world.contact_events()?.pop() else {
        return Ok(());
    };
    let bodies = &world.model().bodies;
    let compared = |touch: &&Touch| match touch.partner {
        Partner::Body(_) => false,
        Partner::Solid(_) => bodies[touch.body].rigid.is_none(),
    };
    let Some(touch) = events.touching.iter().find(|touch| !compared(touch)) else {
        return Ok(());
    };
    let partner = match touch.partner {
        Partner::Body(other) => format!("body \"{}\"", bodies[other].name),
        Partner::Solid(number) => world.scene().obstacles()[number].label(),
    };
    let body = &bodies[touch.body].name;
    let got = format!("of body \"{body}\" with {partner} in step {}", events.steps);
    let want = "none (rigid bodies in free motion, others apart): whole steps are compared without it, and its kernels have \
                checks of their own";
    Err(Error::value("contact", got, want))
}

/// The pose that has a particle.
pub fn pose_of(model: &Model, particle: usize) -> Option<usize> {
    let pose = model.carried.get(particle)?.w.to_bits();
    (pose != NONE).then_some(pose as usize)
}

/// The poses at the start, and their particles: as the model has them.
pub fn start(case: &Case, after: &Moment, errors: &mut ErrorStats) {
    let bodies = case.model.first_obstacle_pose();
    errors.holds(after.poses.len() == case.model.poses.len());
    errors.holds(after.poses.get(..bodies) == case.model.poses.get(..bodies));
    for (i, got) in after.particles.iter().enumerate() {
        errors.holds(pose_of(&case.model, i).is_none() || *got == case.particles[i]);
    }
}

/// A step of all bodies' poses in free motion: those of obstacles rest, as what is held and what sleeps does.
pub fn step(case: &Case, pulls: &[Pull], [before, after]: [&Moment; 2], errors: &mut ErrorStats) {
    for p in 0..case.model.first_obstacle_pose() {
        let (got, before) = (&after.poses[p], &before.poses[p]);
        if before.inverse_mass == 0.0 || before.island > 0 {
            errors.holds(got == before);
        } else {
            compare_free(case, pulls, p, [before, got], errors);
        }
    }
    compare_particles(case, after, errors);
}

/// v + h (g − drag (v − wind)) and what pulls make of v and ω; then x and q.
fn compare_free(
    case: &Case,
    pulls: &[Pull],
    p: usize,
    [before, got]: [&Pose; 2],
    errors: &mut ErrorStats,
) {
    let sim = &case.sim;
    let (h, drag) = (f64::from(sim.step), f64::from(sim.drag));
    let [gravity, wind] = [sim.gravity, sim.wind].map(|a| a.as_dvec3());
    let at = exact(before);
    let air = drag * (at.velocity - wind);
    let (mut velocity, mut spin) = (at.velocity + h * (gravity - air), before.spin.as_dvec3());
    let brake = drag * (at.velocity.length() + wind.length());
    let mut scale = at.velocity.length() + h * (gravity.length() + brake);
    for pull in pulls.iter().filter(|pull| pose_of(&case.model, pull.point) == Some(p)) {
        let arm = at.rotation * case.model.carried[pull.point].truncate().as_dvec3();
        let impulse = h * pull.force;
        velocity += at.inverse_mass * impulse;
        spin += at.inverse_inertia_times(arm.cross(impulse));
        scale += at.inverse_mass * impulse.length();
    }
    errors.vector(got.velocity, velocity, scale);
    // Its velocity has been compared.
    let kicked = Pose { velocity: got.velocity, spin: spin.as_vec3(), ..*before };
    let pose = pushed(&kicked);
    let pose = match sim.turn_order {
        1 => pose.moved_by_euler(h),
        _ => pose.moved_by_kutta(h),
    };
    let spin = pose.inverse_inertia_times(pose.momentum);
    compare_moved(got, &kicked, &(pose, spin), h, errors);
}

/// x = X + R a, v = V + ω × R a.
fn compare_particles(case: &Case, after: &Moment, errors: &mut ErrorStats) {
    for (i, got) in after.particles.iter().enumerate() {
        let Some(pose) = pose_of(&case.model, i).map(|p| &after.poses[p]) else {
            continue;
        };
        let at = exact(pose);
        let arm = at.rotation * case.model.carried[i].truncate().as_dvec3();
        let size = at.position.length() + 2.0 * arm.length();
        errors.vector(got.position, at.position + arm, size);
        let spin = pose.spin.as_dvec3();
        let speed = at.velocity.length() + 2.0 * spin.length() * arm.length();
        errors.vector(got.velocity, at.velocity + spin.cross(arm), speed);
        let Particle { inverse_mass, .. } = case.particles[i];
        errors.holds(got.inverse_mass == inverse_mass);
    }
}
