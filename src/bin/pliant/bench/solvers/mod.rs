//! Integrators beside each other, on the lattice of Teschner, Heidelberger, Müller and Gross (2004, table 2): the longest
//! stable step over what a step costs, and what an error costs.

mod accuracy;
mod cube;
mod stability;
mod table;

use pliant::Context;
use pliant::Result;
use pliant::scene::Integrator;
use pliant::world::World;
use serde::Serialize;

use super::timing::{REPEATS, Timing, seconds, steps};

pub use accuracy::{AccuracyPoint, ErrorLevel};
use cube::Case;
pub use cube::CubeBench;
pub use stability::LargestStep;
pub use table::print;

/// What `pliant bench solvers` measures.
#[derive(Clone, Debug, Serialize)]
pub struct SolverBench {
    /// The lattice and its motion.
    pub cube: CubeBench,
    /// Runs of this many steps tell whether a step is stable.
    pub stability_steps: u64,
    /// Steps of the f64 reference over the duration.
    pub reference_steps: u64,
    /// The reference's own error, of the same measure as the others, as halving its step tells.
    pub reference_error: f64,
    /// What the published figures were measured on.
    pub published_hardware: &'static str,
    /// Published figures.
    pub published: Vec<Published>,
    /// One per integrator; the last with the damping that scenes get.
    pub integrators: Vec<SolverRow>,
}

/// A figure of Teschner et al. (2004, table 2).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Published {
    /// The method as they call it.
    pub name: &'static str,
    /// Ours of the same method.
    pub integrator: Option<&'static str>,
    /// Largest step over the cost of a step.
    pub step_over_cost: f64,
    /// The same over Verlet's, which does not depend on the machine.
    pub over_verlet: f64,
}

/// What was measured of an integrator.
#[derive(Clone, Debug, Serialize)]
pub struct SolverRow {
    /// Its name in scene files.
    pub name: &'static str,
    /// How damping was treated.
    pub damping: &'static str,
    /// The bound that the rates at the start predict [s], where they do.
    pub bound: Option<f64>,
    /// The longest step whose runs stayed bounded.
    pub largest: LargestStep,
    /// The step at which its cost was measured [s].
    pub step: f64,
    /// What a step costs [s].
    pub cost: Timing,
    /// Largest step, but no longer than a frame of 60 in a second, over the cost of a step.
    pub step_over_cost: f64,
    /// The same over Verlet's.
    pub over_verlet: f64,
    /// Errors and costs over a range of steps, the longest first.
    pub curve: Vec<AccuracyPoint>,
    /// The order that the curve shows where steps are short; none where it does not.
    pub order: Option<f64>,
    /// What it costs to keep the error below given ones, from that curve.
    pub at_error: Vec<ErrorLevel>,
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// Cubes along each side of the lattice.
    cubes: u32,
    /// Steps of a run that tells whether a step is stable.
    stability_steps: u64,
    /// Steps of the reference over the duration.
    reference_steps: u64,
    /// Steps of a curve: from the longest, each half of the one before.
    halvings: u32,
    /// Steps over the duration beyond which a curve goes no further.
    most_steps: u64,
}

/// The published lattice of 1331 points, 6930 springs and 5000 tetrahedra.
const PUBLISHED: Settings = Settings {
    cubes: 10,
    stability_steps: 2000,
    reference_steps: 1024,
    halvings: 9,
    most_steps: 2048,
};

const PUBLISHED_HARDWARE: &str = "Pentium 4";

/// By the methods' names there, ours, and largest step over cost.
const TESCHNER: [(&str, Option<Integrator>, f64); 7] = [
    ("Verlet", Some(Integrator::Verlet), 0.427),
    ("leap-frog", Some(Integrator::Leapfrog), 0.426),
    ("Runge-Kutta 2", Some(Integrator::Midpoint), 0.342),
    ("velocity Verlet", None, 0.341),
    ("Heun", None, 0.229),
    ("Euler", Some(Integrator::Euler), 0.205),
    ("Runge-Kutta 4", Some(Integrator::Rk4), 0.191),
];

/// Share of the largest step at which costs are measured and curves begin.
const USED_SHARE: f64 = 0.9;
/// Repeats of a run need not take longer than this together [s].
const ENOUGH: f64 = 3.0;
/// Integrators that bear longer steps are used at this one [s]: a frame of 60 in a second.
const FRAME: f64 = 1.0 / 60.0;

/// Measures.
///
/// # Errors
/// When the device is lost.
pub fn solvers(context: &Context) -> Result<SolverBench> {
    measure(context, &PUBLISHED)
}

fn measure(context: &Context, settings: &Settings) -> Result<SolverBench> {
    let mut found = Vec::new();
    for case in Case::all() {
        let bound = cube::world(context, settings, case, cube::SHORT)?.longest_step();
        let at = |step| cube::world(context, settings, case, step);
        let largest = stability::largest(&at, bound, settings.stability_steps)?;
        found.push((case, bound, largest));
    }
    // Those that no step makes stable have nothing to be measured by.
    found.retain(|(_, _, largest)| largest.step > 0.0);
    let used = |largest: &LargestStep| (USED_SHARE * largest.step).min(FRAME);
    let mut runs = Vec::new();
    for (case, _, largest) in &found {
        let world = cube::world(context, settings, *case, used(largest))?;
        runs.push(Run::new(world, cube::DURATION)?);
    }
    let costs = in_turns(&mut runs.iter_mut().collect::<Vec<_>>())?;
    let costs = costs.into_iter().zip(&runs).map(|(time, run)| time.per(run.steps));
    let reference = accuracy::Reference::new(context, settings)?;
    let mut errors = Vec::new();
    for (case, _, largest) in &found {
        let at = |step| cube::world(context, settings, *case, step);
        errors.push(accuracy::runs(&at, used(largest), settings, &reference)?);
    }
    let curves = accuracy::curves(errors)?;
    let rows = found.into_iter().zip(costs).zip(curves);
    let mut rows: Vec<_> = rows
        .map(|(((case, bound, largest), cost), curve)| SolverRow {
            name: case.integrator.name(),
            damping: case.damping(),
            bound: (bound > 0.0 && bound.is_finite()).then_some(bound),
            step: used(&largest),
            step_over_cost: largest.step.min(FRAME) / cost.median,
            over_verlet: 0.0,
            order: accuracy::order(&curve),
            at_error: accuracy::levels(&curve),
            largest,
            cost,
            curve,
        })
        .collect();
    let verlet = rows.iter().find(|row| row.name == Integrator::Verlet.name());
    let verlet = verlet.map_or(f64::NAN, |row| row.step_over_cost);
    rows.iter_mut().for_each(|row| row.over_verlet = row.step_over_cost / verlet);
    Ok(SolverBench {
        cube: cube::describe(context, settings)?,
        stability_steps: settings.stability_steps,
        reference_steps: settings.reference_steps,
        reference_error: reference.error,
        published_hardware: PUBLISHED_HARDWARE,
        published: published(),
        integrators: rows,
    })
}

fn published() -> Vec<Published> {
    let (_, _, verlet) = TESCHNER[0];
    let figure = |(name, ours, step_over_cost): (_, Option<Integrator>, f64)| Published {
        name,
        integrator: ours.map(Integrator::name),
        step_over_cost,
        over_verlet: step_over_cost / verlet,
    };
    TESCHNER.into_iter().map(figure).collect()
}

/// Steps from a start that is returned to.
struct Run {
    world: World,
    start: Vec<u8>,
    steps: u64,
    /// How long they took at first [s].
    first: f64,
}

impl Run {
    /// As many steps as come nearest to a time [s], and at least one; takes them.
    fn new(mut world: World, time: f64) -> Result<Self> {
        let steps = (time / world.stepping().step).round().max(1.0) as u64;
        let start = world.save()?;
        let mut run = Self { world, start, steps, first: 0.0 };
        run.first = run.time()?;
        Ok(run)
    }

    /// Takes the steps from the start [s].
    fn time(&mut self) -> Result<f64> {
        self.world.restore(&self.start)?;
        self.world.context().wait()?;
        seconds(|| steps(&mut self.world, self.steps))
    }
}

/// How long each run takes. One repeat of each follows the other, so that what else the machine does meets all.
fn in_turns(runs: &mut [&mut Run]) -> Result<Vec<Timing>> {
    let mut times = vec![Vec::new(); runs.len()];
    for repeat in 0..REPEATS {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            if repeat < repeats(run.first) {
                times.push(run.time()?);
            }
        }
    }
    Ok(times.iter_mut().map(|times| Timing::new(times)).collect())
}

/// How often a run is timed that takes so long [s]: an odd number.
fn repeats(first: f64) -> usize {
    (ENOUGH / first).clamp(1.0, REPEATS as f64) as usize | 1
}

#[cfg(test)]
mod tests;
