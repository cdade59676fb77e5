//! What kernels note of a step: the fault word, the first step and body of a state that is none, and whether the step was
//! too long for what happened in it.

use crate::extreme;
use glam::{Vec3, Vec4};

use super::trial::{Arrays, Written};
use super::{Bench, ErrorStats};
use crate::Result;
use crate::gpu::types::{
    Body, BodyMotion, MOST_JUMP, Particle, STATUS_LONG, STATUS_TENSE, Sim, TENSE_SHARE, WATCH_LONG,
    WATCH_NOTHING, WATCH_TENSE,
};
use crate::reference::force;

/// Velocities [m/s] that must be noticed, and the fastest that must not.
const LOST: [f32; 4] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.01e4];
const FAST: f32 = 0.99e4;

/// The case's particles at rest.
fn at_rest(bench: &Bench<'_>) -> Vec<Particle> {
    let at_rest = |p: &Particle| Particle { velocity: Vec3::ZERO, ..*p };
    bench.case.particles.iter().map(at_rest).collect()
}

/// Runs a kernel that ends a step over these particles of these bodies, with the velocities of half a step before.
fn run(
    bench: &Bench<'_>,
    sim: Sim,
    particles: &Vec<Particle>,
    halves: &Vec<Vec4>,
    bodies: &Vec<Body>,
) -> Result<Written> {
    let arrays: &Arrays<'_> = &[
        ("particles_in", particles),
        ("particles_out", particles),
        ("base", particles),
        ("half_velocity", halves),
        ("increments", &vec![Particle::default(); bench.len()]),
        ("body_shifts", &vec![BodyMotion::default(); bodies.len()]),
        ("bodies", bodies),
    ];
    let after = bench.run(sim, bench.len(), arrays)?;
    // Where they go is compared elsewhere.
    for name in ["particles_out", "half_velocity", "increments"] {
        after.skip(name);
    }
    Ok(after)
}

/// Checks the fault word of a kernel that writes it.
pub fn check(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let count = bench.len();
    if count == 0 {
        return Ok(());
    }
    let sim = Sim { slot: 3, speed_limit: 1e4, ..free(&bench.case.sim) };
    let culprit = (2 * count) / 3;
    let mut bodies = bench.case.model.bodies.iter();
    let body = bodies.position(|b| b.particles.contains(&culprit));
    let lost = sim.slot * sim.body_count + body.expect("bodies have all particles") as u32;
    let word = |x: f32, v: f32| -> Result<u32> {
        let mut particles = at_rest(bench);
        particles[culprit] = Particle {
            position: Vec3::X * x,
            inverse_mass: 1.0,
            velocity: Vec3::Z * v,
            damping_rate: 1.0,
        };
        let halves = particles.iter().map(|p| p.velocity.extend(0.0)).collect();
        let after = run(bench, sim, &particles, &halves, &bench.case.bodies)?;
        Ok(after.status()[0])
    };
    for v in LOST {
        errors.holds(word(0.5, v)? == lost);
    }
    for x in [f32::NAN, f32::INFINITY, 1e25] {
        errors.holds(word(x, 0.0)? == lost);
    }
    errors.holds(word(0.5, FAST)? == u32::MAX);
    Ok(())
}

/// Loads around those that must be noted, with whether the step is too long, and whether one of twice the length would be.
pub(super) const NOTED: [(f64, [bool; 2]); 4] = [
    (1.03, [true, true]),
    (0.97, [false, true]),
    (1.03 * TENSE_SHARE as f64, [false, true]),
    (0.97 * TENSE_SHARE as f64, [false, false]),
];

/// Checks what a kernel that ends a step notes of it where velocities jump.
pub fn jumps(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    if bench.case.particles.iter().all(|p| p.inverse_mass == 0.0) {
        return Ok(());
    }
    // A jump that is large beside what the elements do: by gravity, of implicit steps from the velocity before.
    let jump = 1e3_f64;
    let still = free(&bench.case.sim);
    let falling = Sim {
        gravity: Vec3::Y * (jump / f64::from(still.step)) as f32,
        stage_weight: still.step,
        ..still
    };
    let before = Vec4::new(0.0, -jump as f32, 0.0, 0.0);
    let edge = |load: f64| jump * f64::from(still.step) / (f64::from(MOST_JUMP) * load.sqrt());
    for (load, wanted) in NOTED {
        run_noted(bench, falling, (edge(load) as f32, 0.0), before, wanted, errors)?;
    }
    Ok(())
}

/// Checks what it notes where it gathers the forces of springs, volumes and areas: how stiff particles are by them.
pub fn stiffness(bench: &Bench<'_>, errors: &mut ErrorStats) -> Result<()> {
    let still = free(&bench.case.sim);
    let oracle = bench.oracle_of(&still);
    let stiffest = force::stiffness(&oracle.system, &oracle.system.position);
    let stiffest = stiffest.into_iter().fold(0.0, extreme::greatest);
    if stiffest == 0.0 {
        return Ok(());
    }
    for (load, wanted) in NOTED {
        let borne = (f64::from(still.step).powi(2) * stiffest / load) as f32;
        run_noted(bench, still, (1e6, borne), Vec4::ZERO, wanted, errors)?;
    }
    Ok(())
}

/// Runs a kernel over particles at rest of bodies with these edges that bear so much, and checks what it notes.
fn run_noted(
    bench: &Bench<'_>,
    sim: Sim,
    (edge, borne): (f32, f32),
    before: Vec4,
    wanted: [bool; 2],
    errors: &mut ErrorStats,
) -> Result<()> {
    let body = |body: &Body| Body { edge, borne, ..*body };
    let bodies = bench.case.bodies.iter().map(body).collect();
    let (particles, halves) = (at_rest(bench), vec![before; bench.len()]);
    noted(sim, wanted, errors, |sim| Ok(run(bench, sim, &particles, &halves, &bodies)?.status()))
}

/// What `run` notes of a step that is too `long`, or of which one of twice the length would be: as it is asked to.
pub(super) fn noted(
    sim: Sim,
    [long, tense]: [bool; 2],
    errors: &mut ErrorStats,
    run: impl Fn(Sim) -> Result<Vec<u32>>,
) -> Result<()> {
    let slot = 3;
    for watch in [WATCH_NOTHING, WATCH_LONG, WATCH_TENSE] {
        let status = run(Sim { slot, watch, ..sim })?;
        let words = [STATUS_LONG, STATUS_TENSE].map(|word| status[word as usize]);
        let noted = |holds: bool, value: u32| if holds { value } else { 0 };
        let long = noted(long && watch != WATCH_NOTHING, !slot);
        let tense = noted(tense && watch == WATCH_TENSE, slot + 1);
        errors.words(&words, &[long, tense]);
    }
    Ok(())
}

/// A step too short for the elements to change any speed, and nothing that acts from outside.
fn free(sim: &Sim) -> Sim {
    Sim { step: 1e-6, gravity: Vec3::ZERO, drag: 0.0, solid_count: 0, pull_count: 0, ..*sim }
}
