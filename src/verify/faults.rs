//! What kernels note of a step: the fault word, the first step and body of a state that is none, and whether the step was
//! too long for what happened in it.

use crate::extreme;
use glam::{Vec3, Vec4};

use super::bench::Bench;
use super::oracle::Oracle;
use super::tally::Tally;
use crate::Result;
use crate::gpu::types::{
    Body, MOST_JUMP, Particle, Sim, TALLY_LONG, TALLY_TENSE, TENSE_SHARE, WATCH_LONG,
    WATCH_NOTHING, WATCH_TENSE,
};
use crate::gpu::{Buffer, Kernel};
use crate::reference::force;

/// Velocities [m/s] that must be noticed, and the fastest that must not.
const LOST: [f32; 4] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.01e4];
const FAST: f32 = 0.99e4;

/// Checks the fault word of a kernel that writes it. Called after the kernel ran on a sound state of all particles.
pub fn check(kernel: &Kernel, bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let word = |bench: &Bench<'_>| Ok::<_, crate::Error>(bench.status.read(bench.context)?[0]);
    tally.holds(word(bench)? == u32::MAX);
    let count = bench.len();
    if count == 0 {
        return Ok(());
    }
    let sim = Sim {
        slot: 3,
        speed_limit: 1e4,
        ..free(&bench.case.sim)
    };
    let culprit = (2 * count) / 3;
    let body = bench
        .case
        .model
        .bodies
        .iter()
        .position(|b| b.particles.contains(&culprit))
        .expect("bodies have all particles");
    let lost = sim.slot * sim.body_count + body as u32;
    let run = |particle: Particle| {
        let mut particles: Vec<_> = bench
            .case
            .particles
            .iter()
            .map(|p| Particle {
                velocity: Vec3::ZERO,
                ..*p
            })
            .collect();
        particles[culprit] = particle;
        let fields: Vec<_> = particles.iter().map(|p| p.velocity.extend(0.0)).collect();
        bench.state.half_velocity.write(bench.context, 0, &fields);
        bench.write(&particles, &particles);
        let increments = Buffer::<Particle>::zeroed(bench.context, "increments", count)?;
        let base = Buffer::new(bench.context, "base", &particles)?;
        let shifts = Buffer::<Vec4>::zeroed(bench.context, "body_shifts", bench.case.bodies.len())?;
        let others = [
            increments.bind("increments"),
            base.bind("base"),
            shifts.bind("body_shifts"),
        ];
        bench.run(kernel, sim, count, &others);
        word(bench)
    };
    let moving = |x: f32, v: f32| Particle {
        position: Vec3::X * x,
        inverse_mass: 1.0,
        velocity: Vec3::Z * v,
        damping_rate: 1.0,
    };
    for v in LOST {
        tally.holds(run(moving(0.5, v))? == lost);
    }
    for x in [f32::NAN, f32::INFINITY, 1e25] {
        tally.holds(run(moving(x, 0.0))? == lost);
    }
    tally.holds(run(moving(0.5, FAST))? == u32::MAX);
    Ok(())
}

/// Loads around those that must be noted, with whether the step is too long, and whether one of twice the length would be.
pub(super) const NOTED: [(f64, [bool; 2]); 4] = [
    (1.03, [true, true]),
    (0.97, [false, true]),
    (1.03 * TENSE_SHARE as f64, [false, true]),
    (0.97 * TENSE_SHARE as f64, [false, false]),
];

/// Checks what a kernel that ends a step notes of it where velocities jump, and where it `damping_stages` forces how stiff particles
/// are by them.
pub fn watch(
    kernel: &Kernel,
    bench: &Bench<'_>,
    damping_stages: bool,
    tally: &mut Tally,
) -> Result<()> {
    let particles = &bench.case.particles;
    if particles.iter().all(|p| p.inverse_mass == 0.0) {
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
        let body = |body: &Body| Body {
            edge: edge(load) as f32,
            borne: 0.0,
            ..*body
        };
        run_noted(kernel, bench, falling, &body, before, wanted, tally)?;
    }
    if !damping_stages {
        return Ok(());
    }
    let oracle = Oracle::new(bench.case, &still, particles);
    let stiffest = force::stiffness(&oracle.system, &oracle.system.position);
    let stiffest = stiffest.into_iter().fold(0.0, extreme::greatest);
    if stiffest == 0.0 {
        return Ok(());
    }
    for (load, wanted) in NOTED {
        let body = |body: &Body| Body {
            edge: 1e6,
            borne: (f64::from(still.step).powi(2) * stiffest / load) as f32,
            ..*body
        };
        run_noted(kernel, bench, still, &body, Vec4::ZERO, wanted, tally)?;
    }
    Ok(())
}

/// Runs a kernel over particles at rest of bodies changed like this, and checks what it notes.
fn run_noted(
    kernel: &Kernel,
    bench: &Bench<'_>,
    sim: Sim,
    body: &dyn Fn(&Body) -> Body,
    before: Vec4,
    wanted: [bool; 2],
    tally: &mut Tally,
) -> Result<()> {
    let bodies: Vec<_> = bench.case.bodies.iter().map(body).collect();
    let kept = bench.buffers.bodies.read(bench.context)?;
    bench.buffers.bodies.write(bench.context, 0, &bodies);
    let at_rest = |p: &Particle| Particle {
        velocity: Vec3::ZERO,
        ..*p
    };
    let particles: Vec<_> = bench.case.particles.iter().map(at_rest).collect();
    let count = bench.len();
    noted(bench, wanted, tally, |watched| {
        bench.write(&particles, &particles);
        let halves = vec![before; count];
        bench.state.half_velocity.write(bench.context, 0, &halves);
        let increments = Buffer::<Particle>::zeroed(bench.context, "increments", count)?;
        let base = Buffer::new(bench.context, "base", &particles)?;
        let shifts = Buffer::<Vec4>::zeroed(bench.context, "body_shifts", bodies.len())?;
        let others = [
            increments.bind("increments"),
            base.bind("base"),
            shifts.bind("body_shifts"),
        ];
        let sim = Sim {
            slot: watched.slot,
            watch: watched.watch,
            ..sim
        };
        bench.run(kernel, sim, count, &others);
        Ok(())
    })?;
    bench.buffers.bodies.write(bench.context, 0, &kept);
    Ok(())
}

/// What `run` notes of a step that is too `long`, or of which one of twice the length would be: as it is asked to.
pub(super) fn noted(
    bench: &Bench<'_>,
    [long, tense]: [bool; 2],
    tally: &mut Tally,
    run: impl Fn(Sim) -> Result<()>,
) -> Result<()> {
    let slot = 3;
    for watch in [WATCH_NOTHING, WATCH_LONG, WATCH_TENSE] {
        let words = [TALLY_LONG, TALLY_TENSE].map(|word| bench.tally_word() + word as usize);
        for word in words {
            bench.status.write(bench.context, word, &[0]);
        }
        run(Sim {
            slot,
            watch,
            ..Sim::default()
        })?;
        let status = bench.status.read(bench.context)?;
        let noted = |holds: bool, value: u32| if holds { value } else { 0 };
        tally.case();
        tally.words(
            &words.map(|word| status[word]),
            &[
                noted(long && watch != WATCH_NOTHING, !slot),
                noted(tense && watch == WATCH_TENSE, slot + 1),
            ],
        );
    }
    Ok(())
}

/// A step too short for the elements to change any speed, and nothing that acts from outside.
fn free(sim: &Sim) -> Sim {
    Sim {
        step: 1e-6,
        gravity: Vec3::ZERO,
        drag: 0.0,
        solid_count: 0,
        pull_count: 0,
        ..*sim
    }
}
