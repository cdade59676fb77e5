//! Random sane scenes: whether any body is lost, inverted, collapsed or restless, and what it costs.

mod case;
mod choice;
mod outcome;
mod rest;
mod shapes;
mod table;

use std::ops::Range;

use pliant::Context;
use pliant::Result;
use serde::Serialize;

pub use case::Case;
pub use choice::Choice;
pub use outcome::Outcome;
pub use rest::End;
pub use table::{integrators, print};

/// Scenes of a run with no other number.
pub const SCENES: usize = 500;

/// What became of scenes with one way of choosing kind and integrator.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RobustBench {
    /// What was chosen.
    pub name: String,
    /// How many scenes there were.
    pub scenes: usize,
    /// Of these: bodies lost, inverted at rest, collapsed below half of their volume, or that did not come to rest.
    pub lost: usize,
    /// See `lost`.
    pub inverted: usize,
    /// See `lost`.
    pub collapsed: usize,
    /// See `lost`.
    pub restless: usize,
    /// Those with tetrahedra that a solid holds inside out, see [`Outcome::pressed`].
    pub pressed: usize,
    /// Those in which bodies still roll, slide or hop.
    pub moving: usize,
    /// Median and 95 % of the time from the last motion of a whole body to rest, over √(L/m) [s].
    pub settling: [f64; 2],
    /// Scenes in which steps were taken again.
    pub retaken: usize,
    /// Share of the steps that were taken again.
    pub retaken_share: f64,
    /// Seconds of computing for all.
    pub wall: f64,
    /// Median of the computing for a simulated second [s].
    pub cost: f64,
    /// The scenes that went wrong, and how.
    pub failures: Vec<String>,
}

/// Runs some random `scenes` of a seed with each of these integrators.
///
/// # Errors
/// A lost device; a scene that cannot be built.
pub fn robust(
    context: &Context,
    seed: u64,
    scenes: Range<usize>,
    integrators: &[Choice],
) -> Result<Vec<RobustBench>> {
    let mut tables = Vec::new();
    for integrator in integrators {
        let name = integrator.name();
        let mut table = RobustBench { name: name.to_owned(), ..RobustBench::default() };
        let (mut steps, mut retaken) = (0, 0);
        let (mut costs, mut settling) = (Vec::new(), Vec::new());
        for index in scenes.clone() {
            let mut case = Case::random(seed, index);
            case.take(*integrator);
            let outcome = case.run(context)?;
            table.scenes += 1;
            table.lost += usize::from(outcome.lost.is_some());
            table.inverted += usize::from(outcome.inverted > 0);
            table.pressed += usize::from(outcome.pressed > 0);
            table.collapsed += usize::from(outcome.is_collapsed());
            table.restless += usize::from(outcome.is_restless());
            match outcome.end {
                Some(End::Settled(time)) => settling.push(time / case.size.sqrt()),
                Some(End::Moving) => {
                    table.moving += 1;
                    say!("{name} {index} is still moving, {}", outcome.motion);
                }
                _ => {}
            }
            table.retaken += usize::from(outcome.retaken > 0);
            table.wall += outcome.wall;
            (steps, retaken) = (steps + outcome.steps, retaken + outcome.retaken);
            costs.push(outcome.wall / outcome.time.max(1e-9));
            if let Some(failure) = outcome.failure() {
                let line = format!("{name} {index}: {failure}: {case:?}");
                say!("{line}");
                table.failures.push(line);
            }
        }
        table.cost = part(&mut costs, 0.5);
        table.settling = [0.5, 0.95].map(|share| part(&mut settling, share));
        table.retaken_share = retaken as f64 / steps.max(1) as f64;
        tables.push(table);
    }
    Ok(tables)
}

/// The value below which a share of them is.
fn part(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = (share * values.len() as f64) as usize;
    values.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
