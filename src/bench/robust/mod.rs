//! Random sane scenes: whether any body is lost, inverted, collapsed or restless, and what it costs.

mod case;
mod outcome;
mod shapes;

use std::ops::Range;

use serde::Serialize;

use crate::Result;
use crate::gpu::Context;
use crate::scene::Integrator;

pub use case::{Case, Material, Shape};
pub use outcome::Outcome;

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

/// Runs some random `scenes` of a seed as they are, and with each of these integrators.
///
/// # Errors
/// A lost device; a scene that cannot be built.
pub fn robust(
    context: &Context,
    seed: u64,
    scenes: Range<usize>,
    integrators: &[Option<Integrator>],
    mut told: impl FnMut(&str),
) -> Result<Vec<RobustBench>> {
    let mut tables = Vec::new();
    for integrator in integrators {
        let name = integrator.map_or("default", Integrator::name);
        let mut table = RobustBench {
            name: name.to_owned(),
            ..RobustBench::default()
        };
        let (mut steps, mut retaken, mut costs) = (0, 0, Vec::new());
        for index in scenes.clone() {
            let mut case = Case::random(seed, index);
            if let Some(integrator) = integrator {
                case.integrator = Some(*integrator);
            }
            let outcome = case.run(context)?;
            table.scenes += 1;
            table.lost += usize::from(outcome.lost.is_some());
            table.inverted += usize::from(outcome.inverted > 0);
            table.collapsed += usize::from(outcome.is_collapsed());
            table.restless += usize::from(outcome.is_restless());
            table.retaken += usize::from(outcome.retaken > 0);
            table.wall += outcome.wall;
            (steps, retaken) = (steps + outcome.steps, retaken + outcome.retaken);
            costs.push(outcome.wall / outcome.time.max(1e-9));
            if let Some(failure) = outcome.failure() {
                let line = format!("{name} {index}: {failure}: {case:?}");
                told(&line);
                table.failures.push(line);
            }
        }
        costs.sort_by(f64::total_cmp);
        table.cost = costs.get(costs.len() / 2).copied().unwrap_or_default();
        table.retaken_share = retaken as f64 / steps.max(1) as f64;
        tables.push(table);
    }
    Ok(tables)
}
