//! The longest step that is stable in truth: by bisection, on runs.

use pliant::internals::extreme;
use pliant::report::Measure;
use pliant::world::World;
use pliant::{Error, Result};
use serde::Serialize;

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

/// Whether a damped body that is let go stays bounded, see [`settles`].
fn stays_bounded(world: &mut World, steps: u64) -> Result<bool> {
    let mut energies = Vec::with_capacity(LOOKS + 1);
    energies.push(energy(world)?);
    for _ in 0..LOOKS {
        let ran = world.step(steps.div_ceil(LOOKS as u64));
        match ran.and_then(|()| world.wait()) {
            Err(Error::Fault(_)) => return Ok(false),
            other => other?,
        }
        energies.push(energy(world)?);
        if !is_below(&energies) {
            return Ok(false);
        }
    }
    Ok(settles(&energies))
}

/// Whether energies are numbers and never twice the first.
fn is_below(energies: &[f64]) -> bool {
    // What is no number compares as false.
    energies.iter().all(|energy| *energy <= 2.0 * energies[0])
}

/// Whether the energies of a damped body that is let go stay below twice the first, and do not rise again once it has come
/// to rest, where a vibration that grows from rounding shows.
fn settles(energies: &[f64]) -> bool {
    let most = |part: &[f64]| part.iter().copied().fold(0.0, extreme::greatest);
    let quarter = energies.len() / 4;
    let (second, last) = (&energies[quarter..2 * quarter], &energies[3 * quarter..]);
    is_below(energies) && most(last) <= most(second) + NOISE * energies[0]
}

/// Kinetic and elastic energy [J].
fn energy(world: &mut World) -> Result<f64> {
    let state = world.read_last_good()?;
    let measure = Measure::new(world, &state)?;
    Ok(measure.energy.kinetic + measure.energy.elastic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_is_told_from_what_comes_to_rest() {
        let series =
            |energy: fn(f64) -> f64| (0..=LOOKS).map(|k| energy(k as f64)).collect::<Vec<_>>();
        for (name, stable, energies) in [
            ("decays", true, series(|k| (-k).exp())),
            ("rounding at rest", true, series(|k| (-k).exp() + 1e-10 * (k % 3.0))),
            ("ripples", true, series(|k| (1.0 + 0.5 * (9.0 * k).sin()) * (-0.3 * k).exp())),
            ("grows", false, series(|k| (0.3 * k).exp())),
            ("grows from rounding", false, series(|k| (-2.0 * k).exp() + 1e-14 * (1.5 * k).exp())),
            ("is lost", false, series(|k| if k < 7.0 { 1.0 } else { f64::NAN })),
        ] {
            assert_eq!(settles(&energies), stable, "{name}: {energies:?}");
        }
    }
}
