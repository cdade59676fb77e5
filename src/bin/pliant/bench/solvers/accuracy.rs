//! Errors of runs against a reference in f64, and what they cost.

use glam::DVec3;
use pliant::Context;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::internals::reference::{Damping, Integrator as Method, Scheme, System};
use pliant::internals::verify::start_system;
use pliant::world::World;
use serde::Serialize;

use super::{Run, Settings, cube, in_turns};
use crate::bench::timing::Timing;

/// An error and its cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AccuracyPoint {
    /// Length of a step [s].
    pub step: f64,
    /// Steps over the duration.
    pub steps: u64,
    /// Root mean square of the points' errors at its end, over that of their displacements at the start.
    pub error: f64,
    /// What a simulated second costs [s].
    pub cost: Timing,
}

/// What it costs to keep the error below a given one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorLevel {
    /// The error.
    pub error: f64,
    /// What a simulated second costs [s]; none where no step of the curve comes so near.
    pub cost: Option<f64>,
}

/// Errors below which rounding in f32 may outweigh the rest, and the share above which it does where half the step leaves so
/// much.
const ROUNDING: (f64, f64) = (1e-4, 0.8);
/// Part of an error that rounding makes, about, over the number of steps.
const NOISE: f64 = 6e-9;
/// The errors whose costs are given.
const LEVELS: [f64; 4] = [1e-1, 1e-2, 1e-3, 1e-4];

/// Where the points should be at the end.
pub struct Reference {
    /// By the mesh's own order [m]: integrators may order the particles as suits them.
    positions: Vec<DVec3>,
    /// Root mean square of the displacements at the start [m].
    scale: f64,
    /// Its own error.
    pub error: f64,
}

impl Reference {
    /// By RK4 in f64, of the numbers that the device has.
    pub fn new(context: &Context, settings: &Settings) -> Result<Self> {
        let world = cube::world(context, settings, cube::Case::all()[0], cube::SHORT)?;
        let start = start_system(&world)?;
        let rest = &world.model().rest_positions;
        let scale = distance(&start.position, rest);
        let positions = solve(start.clone(), settings.reference_steps)?;
        let coarse = solve(start, settings.reference_steps / 2)?;
        // The error of a method of order 4 is a fifteenth of what halving its step changes.
        let error = distance(&positions, &coarse) / scale / 15.0;
        let order = world.model().bodies[0].device_index.iter();
        Ok(Self { positions: order.map(|i| positions[*i as usize]).collect(), scale, error })
    }

    fn error_of(&self, world: &mut World) -> Result<f64> {
        let state = world.read()?;
        let positions = world.mesh_positions(&state, 0)?.into_iter();
        let positions: Vec<_> = positions.map(|x| x.as_dvec3()).collect();
        Ok(distance(&positions, &self.positions) / self.scale)
    }
}

/// Where a system's points are after the duration [m].
fn solve(mut system: System, steps: u64) -> Result<Vec<DVec3>> {
    let step = cube::DURATION / steps as f64;
    let scheme = Scheme::new(Method::Rk4, Damping::Explicit, step)?;
    scheme.start(&mut system);
    for _ in 0..steps {
        scheme.step(&mut system);
    }
    Ok(system.position)
}

/// Root mean square of the distances between two sets of points [m].
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (sum / a.len() as f64).sqrt()
}

/// Runs of one integrator with their errors.
pub struct Errors {
    runs: Vec<Run>,
    errors: Vec<f64>,
}

/// Runs over the duration from a step no longer than `longest` [s], each half as long as the one before, up to where that
/// no longer helps.
pub fn runs(
    at: &dyn Fn(f64) -> Result<World>,
    longest: f64,
    settings: &Settings,
    reference: &Reference,
) -> Result<Errors> {
    let fewest = (cube::DURATION / longest).ceil() as u64;
    let counts = (0..settings.halvings).map(|k| fewest << k);
    let (mut runs, mut errors) = (Vec::new(), Vec::new());
    for steps in counts.take_while(|steps| *steps <= settings.most_steps) {
        let mut run = Run::new(at(cube::DURATION / steps as f64)?, cube::DURATION)?;
        let error = reference.error_of(&mut run.world)?;
        let (small, share) = ROUNDING;
        let rounding = error < small && errors.last().is_some_and(|last| error > share * last);
        errors.push(error);
        runs.push(run);
        if rounding {
            break;
        }
    }
    Ok(Errors { runs, errors })
}

/// The curves of several integrators, all runs timed in turns.
pub fn curves(mut all: Vec<Errors>) -> Result<Vec<Vec<AccuracyPoint>>> {
    let mut runs: Vec<_> = all.iter_mut().flat_map(|errors| &mut errors.runs).collect();
    let mut times = in_turns(&mut runs)?.into_iter();
    let curve = |errors: &Errors| {
        let runs = errors.runs.iter().zip(&errors.errors).zip(&mut times);
        let points = runs.map(|((run, error), time)| AccuracyPoint {
            step: run.world.stepping().step,
            steps: run.steps,
            error: *error,
            cost: time.over(cube::DURATION),
        });
        points.collect()
    };
    Ok(all.iter().map(curve).collect())
}

/// The order that a curve shows: the slope of its errors over its steps, both in logarithms, between the two shortest steps
/// whose errors rounding does not spoil.
pub fn order(curve: &[AccuracyPoint]) -> Option<f64> {
    let sound = |point: &&AccuracyPoint| point.error > 10.0 * NOISE * point.steps as f64;
    let points: Vec<_> = curve.iter().filter(sound).collect();
    let [.., long, short] = points[..] else {
        return None;
    };
    Some((long.error / short.error).ln() / (long.step / short.step).ln())
}

/// What a curve says of the given errors.
pub fn levels(curve: &[AccuracyPoint]) -> Vec<ErrorLevel> {
    let level = |error| ErrorLevel { error, cost: cost_at(curve, error) };
    LEVELS.into_iter().map(level).collect()
}

/// The cost at which a curve first comes below an error, interpolated between logarithms [s]; its longest step's where that
/// is below it already.
fn cost_at(curve: &[AccuracyPoint], error: f64) -> Option<f64> {
    let first = curve.iter().position(|point| point.error <= error)?;
    let below = &curve[first];
    let Some(above) = first.checked_sub(1).map(|before| &curve[before]) else {
        return Some(below.cost.median);
    };
    let share = (above.error / error).ln() / (above.error / below.error).ln();
    let [from, to] = [above, below].map(|point| point.cost.median.ln());
    Some((from + share * (to - from)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(error: f64, cost: f64) -> AccuracyPoint {
        let timing = Timing { median: cost, min: cost, max: cost };
        AccuracyPoint { step: 0.0, steps: 0, error, cost: timing }
    }

    #[test]
    fn the_order_is_that_of_short_steps() {
        let at = |step: f64| AccuracyPoint {
            step,
            steps: (1.0 / step) as u64,
            ..point(0.3 * step.powi(2) / (1.0 + 100.0 * step.powi(2)), 1.0)
        };
        let curve: Vec<_> = (0..12).map(|k| at(0.5_f64.powi(k))).collect();
        let found = order(&curve).unwrap_or(f64::NAN);
        assert!((found - 2.0).abs() < 0.05, "{found}");
        assert_eq!(order(&curve[..1]), None);
        assert_eq!(order(&curve[8..]), None, "all are rounding");
    }

    #[test]
    fn costs_are_interpolated_between_logarithms() {
        // Order 2: a tenth of the error for √10 times the cost.
        let curve = [1.0, 2.0, 4.0, 8.0].map(|cost| point(0.04 / (cost * cost), cost));
        for (error, wanted) in [(0.02, 2.0_f64.sqrt()), (0.04 / 9.0, 3.0)] {
            let cost = cost_at(&curve, error);
            assert!(cost.is_some_and(|cost| (cost - wanted).abs() < 1e-12), "{cost:?} {wanted}");
        }
        assert_eq!(cost_at(&curve, 0.1), Some(1.0), "its longest step is nearer");
        assert_eq!(cost_at(&curve, 1e-4), None, "no step comes so near");
    }
}
