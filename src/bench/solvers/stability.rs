//! The longest step that is stable in truth: by bisection, on runs.

use serde::Serialize;

use crate::report::Measure;
use crate::world::World;
use crate::{Error, Result};

/// What bisection found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LargestStep {
    /// The longest step whose run stayed bounded [s]; 0 where none did.
    pub step: f64,
    /// The shortest step whose run did not [s]; none where every one that was tried stayed bounded.
    pub unstable: Option<f64>,
}

/// No longer step is tried [s].
pub const LONGEST: f64 = 0.2;
/// No shorter step is tried [s].
const SHORTEST: f64 = 1e-6;
/// Bisection ends when the shortest unstable step is this many times the longest stable one.
const CLOSE: f64 = 1.01;
/// How often a run's energy is looked at; a multiple of 4.
const LOOKS: usize = 20;
/// Of the energy at the start, what rounding may add to a body at rest.
const NOISE: f64 = 1e-8;

/// The longest stable step of worlds made by `at` for a step, near a predicted bound [s].
///
/// # Errors
/// Those of `at` and of a lost device.
pub fn largest(at: &dyn Fn(f64) -> Result<World>, bound: f64, steps: u64) -> Result<LargestStep> {
    let is_stable = |step: f64| stays_bounded(&mut at(step)?, steps);
    let bounded = bound > 0.0 && bound.is_finite();
    let mut step = if bounded { 0.5 * bound } else { LONGEST };
    step = step.clamp(SHORTEST, LONGEST);
    let mut unstable = None;
    while !is_stable(step)? {
        unstable = Some(step);
        step *= 0.5;
        if step < SHORTEST {
            step = 0.0;
            return Ok(LargestStep { step, unstable });
        }
    }
    while unstable.is_none() && step < LONGEST {
        let next = (1.25 * step).min(LONGEST);
        match is_stable(next)? {
            true => step = next,
            false => unstable = Some(next),
        }
    }
    while let Some(above) = unstable.filter(|above| *above > CLOSE * step) {
        let middle = (step * above).sqrt();
        match is_stable(middle)? {
            true => step = middle,
            false => unstable = Some(middle),
        }
    }
    Ok(LargestStep { step, unstable })
}

/// Whether a damped body that is let go stays finite, gains no energy, and does not gain any back once it has come to
/// rest, where a vibration that grows from rounding shows.
pub fn stays_bounded(world: &mut World, steps: u64) -> Result<bool> {
    let mut energies = Vec::with_capacity(LOOKS + 1);
    energies.push(energy(world)?);
    for _ in 0..LOOKS {
        let ran = world.step(steps.div_ceil(LOOKS as u64));
        match ran.and_then(|()| world.wait()) {
            Err(Error::Fault(_)) => return Ok(false),
            other => other?,
        }
        energies.push(energy(world)?);
        // What comes of no number compares as false.
        if !energies.iter().all(|energy| *energy <= 2.0 * energies[0]) {
            return Ok(false);
        }
    }
    let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    let quarter = LOOKS / 4;
    let (second, last) = (&energies[quarter..2 * quarter], &energies[3 * quarter..]);
    Ok(most(last) <= most(second) + NOISE * energies[0])
}

/// Kinetic and elastic energy [J].
fn energy(world: &mut World) -> Result<f64> {
    let state = world.read_last_good()?;
    let measure = Measure::new(world.model(), world.scene().world.gravity, &state);
    Ok(measure.energy.kinetic + measure.energy.elastic)
}
