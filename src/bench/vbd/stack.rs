//! Three simulated seconds of three cubes on each other, by the explicit default and by vertex block descent.

use serde::Serialize;

use super::{Timing, seconds};
use crate::Result;
use crate::gpu::Context;
use crate::report::Measure;
use crate::scene::{Body, Integrator, Mass, Scene, Springs};
use crate::world::World;

/// Simulated time [s].
const DURATION: f64 = 3.0;
/// Simulated time of a submission [s].
const PART: f64 = 0.1;
/// Runs of each; the median counts.
const RUNS: usize = 3;
/// Elastic energy of each cube in balance, from below, by the f64 reference [J].
const BALANCE: [f64; 3] = [1.942, 0.755, 0.103];

/// The stack and its runs.
#[derive(Clone, Debug, Serialize)]
pub struct StackBench {
    /// Simulated time [s].
    pub duration: f64,
    /// Elastic energy of each cube in balance, from below [J].
    pub balance: [f64; 3],
    /// One for each integrator.
    pub runs: Vec<StackRun>,
}

/// Runs of one integrator, and the state that they leave.
#[derive(Clone, Debug, Serialize)]
pub struct StackRun {
    /// Its name in scene files.
    pub integrator: &'static str,
    /// Sweeps in a step.
    pub iterations: Option<u32>,
    /// Length of a step [s].
    pub step: f64,
    /// Steps in the duration.
    pub steps: u64,
    /// All of them, wall clock with a wait at the end [s].
    pub time: Timing,
    /// Root mean square of the points' speeds at the end [m/s].
    pub speed: f64,
    /// Height of the highest point [m].
    pub top: f64,
    /// Elastic energy of each cube [J].
    pub elastic: [f64; 3],
    /// What a step spends where, by the device's clock, over another run; empty without timestamps.
    pub passes: Vec<StackPass>,
}

/// A kernel's part of a step.
#[derive(Clone, Debug, Serialize)]
pub struct StackPass {
    /// Its name.
    pub name: &'static str,
    /// Dispatches in a step.
    pub calls: f64,
    /// Mean of one [µs].
    pub mean_us: f64,
    /// In a step [µs].
    pub step_us: f64,
}

/// The cubes of the thesis: k_D = 60 J, k_V = 20 J, d_C = 2 J s, 0.05 kg per point, half a millimetre apart.
fn scene(integrator: Integrator, iterations: Option<u32>) -> Scene {
    let bodies = [("lower", 0.5005), ("middle", 1.501), ("upper", 2.5015)];
    let body = |(name, height): (&str, f64)| {
        let mut body = Body::lattice(name, [5; 3], [1.0; 3]);
        body.position = [0.0, height, 0.0];
        body.mass = Mass::Point(0.05);
        body.kind = Springs::Constants {
            distance: 60.0,
            volume: 20.0,
            damping: 2.0,
        }
        .into();
        body
    };
    let mut scene = Scene {
        bodies: bodies.map(body).into(),
        ..Scene::default()
    };
    scene.world.floor = Some(0.0);
    scene.world.integrator = integrator;
    scene.world.iterations = iterations;
    scene
}

/// Measures, the runs of all in turns.
///
/// # Errors
/// When the device is lost.
pub fn measure(context: &Context) -> Result<StackBench> {
    let cases = [
        (Integrator::default(), None),
        (Integrator::Vbd, Some(5)),
        (Integrator::Vbd, Some(10)),
        (Integrator::Vbd, Some(20)),
        (Integrator::ImplicitEuler, None),
    ];
    let scenes = cases.map(|(integrator, iterations)| scene(integrator, iterations));
    let mut times = vec![[0.0; RUNS]; scenes.len()];
    for run in 0..RUNS {
        for (scene, times) in scenes.iter().zip(&mut times) {
            let mut world = World::new(context, scene)?;
            let steps = steps(&world);
            times[run] = seconds(|| advance(&mut world, steps))?;
        }
    }
    let runs = scenes.iter().zip(&mut times);
    let runs = runs.map(|(scene, times)| look(context, scene, Timing::new(times)));
    Ok(StackBench {
        duration: DURATION,
        balance: BALANCE,
        runs: runs.collect::<Result<_>>()?,
    })
}

fn steps(world: &World) -> u64 {
    (DURATION / world.stepping().step).round() as u64
}

/// Submissions of a tenth of a second each, as far as steps go into it. One whose lists prove too short is repeated: in the
/// first, when nothing is known of contacts yet.
fn advance(world: &mut World, steps: u64) -> Result<()> {
    let part = (PART / world.stepping().step).round().max(1.0) as u64;
    let mut left = steps;
    while left > 0 {
        world.step(part.min(left))?;
        left -= part.min(left);
    }
    world.wait()
}

/// One more run, to see where it ends and what its passes take.
fn look(context: &Context, scene: &Scene, time: Timing) -> Result<StackRun> {
    let mut world = World::new(context, scene)?;
    let steps = steps(&world);
    world.set_profiling(true);
    advance(&mut world, steps)?;
    let passes = world.passes();
    world.set_profiling(false);
    let state = world.read()?;
    let sum: f64 = state
        .velocities
        .iter()
        .map(|v| v.as_dvec3().length_squared())
        .sum();
    let measure = Measure::new(&world, &state)?;
    let pass = |(name, calls, time): &(&'static str, u64, Option<crate::gpu::PassTime>)| {
        let (calls, mean_us) = (*calls as f64 / steps as f64, time.as_ref()?.mean());
        Some(StackPass {
            name,
            calls,
            mean_us,
            step_us: calls * mean_us,
        })
    };
    let mut passes: Vec<_> = passes.iter().filter_map(pass).collect();
    passes.sort_by(|a, b| b.step_us.total_cmp(&a.step_us));
    Ok(StackRun {
        integrator: scene.world.integrator.name(),
        iterations: scene.world.iterations,
        step: world.stepping().step,
        steps,
        time,
        speed: (sum / state.velocities.len() as f64).sqrt(),
        top: state
            .positions
            .iter()
            .map(|x| f64::from(x.y))
            .fold(0.0, f64::max),
        elastic: [0, 1, 2].map(|body: usize| measure.bodies[body].elastic),
        passes,
    })
}
