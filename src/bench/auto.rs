//! `integrator = "auto"`: what it picks of scenes, beside what integrators cost there in truth.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::seconds;
use crate::gpu::Context;
use crate::integrate::auto::Candidate;
use crate::scene::{Integrator, Scene};
use crate::world::World;
use crate::{Error, Result};

/// Simulated time of a scene [s], if it is not over before: bodies have come down on each other by then.
const SIMULATED: f64 = 1.0;
/// A scene is left when all its worlds together have taken as long as this [s].
const PATIENCE: f64 = 30.0;

/// What `pliant bench auto` found of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct AutoBench {
    /// The scene's file, without its folder.
    pub name: String,
    /// Particles.
    pub particles: usize,
    /// Tetrahedra.
    pub tets: usize,
    /// The integrator that was picked.
    pub picked: &'static str,
    /// The cheapest explicit integrator by the estimates, and the implicit ones that suit the scene.
    pub costs: Vec<AutoCost>,
    /// What the picked one costs over the cheapest of them.
    pub over_cheapest: f64,
}

/// An integrator in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AutoCost {
    /// Its name in scene files.
    pub integrator: &'static str,
    /// Length of its steps [s].
    pub step: f64,
    /// What a simulated second should cost [s].
    pub estimated: f64,
    /// What it costs [s]; none where the run was lost.
    pub measured: Option<f64>,
}

/// Measures the scenes of a folder, in the order of their names, without those that are refused with `integrator = "auto"`;
/// `each` is told of one when it is done.
///
/// # Errors
/// A folder or a scene that cannot be read; a lost device.
pub fn auto(
    context: &Context,
    folder: &Path,
    each: &mut dyn FnMut(&AutoBench),
) -> Result<Vec<AutoBench>> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::io(folder, error))?;
    let paths: std::io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|error| Error::io(folder, error))?;
    let is_scene = |path: &PathBuf| {
        path.extension()
            .is_some_and(|end| end == "toml" || end == "txt")
    };
    paths.retain(is_scene);
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let mut open = Scene::load(&path)?;
        open.world.auto_integrator = true;
        if open.check().is_ok() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let bench = scene(context, name.into_owned(), &open)?;
            each(&bench);
            found.push(bench);
        }
    }
    Ok(found)
}

/// `open`: with the integrator left open.
fn scene(context: &Context, name: String, open: &Scene) -> Result<AutoBench> {
    let world = World::new(context, open)?;
    let picked = world.scene().world.integrator.name();
    let candidates = world
        .pick()
        .map_or(&[][..], |pick| pick.candidates.as_slice());
    let mut runs = Vec::new();
    for (integrator, candidate) in compared(candidates) {
        let mut scene = open.clone();
        scene.world = open.world.with_integrator(integrator);
        runs.push(Run {
            world: World::new(context, &scene)?,
            candidate,
            spent: 0.0,
            lost: false,
        });
    }
    in_turns(&mut runs, SIMULATED.min(open.world.duration))?;
    let costs: Vec<_> = runs.iter().map(Run::cost).collect();
    let measured = costs.iter().filter_map(|cost| cost.measured);
    let cheapest = measured.fold(f64::INFINITY, f64::min);
    let of_picked = costs.iter().find(|cost| cost.integrator == picked);
    let of_picked = of_picked.and_then(|cost| cost.measured);
    Ok(AutoBench {
        name,
        particles: world.model().positions.len(),
        tets: world.model().tets.len(),
        picked,
        over_cheapest: of_picked.unwrap_or(f64::INFINITY) / cheapest,
        costs,
    })
}

/// Of the candidates, which come with the cheapest first, the first explicit one and the implicit ones.
fn compared(candidates: &[Candidate]) -> Vec<(Integrator, &Candidate)> {
    let of = |candidate: &Candidate| {
        let mut all = Integrator::ALL.into_iter();
        all.find(|integrator| integrator.name() == candidate.integrator)
    };
    let suitable = candidates
        .iter()
        .filter(|candidate| candidate.cost.is_some());
    let all = suitable.filter_map(|candidate| Some((of(candidate)?, candidate)));
    let (implicit, explicit): (Vec<_>, Vec<_>) =
        all.partition(|(integrator, _)| integrator.is_implicit());
    explicit.into_iter().take(1).chain(implicit).collect()
}

struct Run<'a> {
    world: World,
    candidate: &'a Candidate,
    /// On steps [s].
    spent: f64,
    lost: bool,
}

impl Run<'_> {
    fn cost(&self) -> AutoCost {
        AutoCost {
            integrator: self.candidate.integrator,
            step: self.world.stepping().step,
            estimated: self.candidate.cost.unwrap_or(f64::NAN),
            measured: (!self.lost).then(|| self.spent / self.world.time()),
        }
    }
}

/// Steps all runs to a time [s], a frame each in turn, so that what else the machine does meets all.
fn in_turns(runs: &mut [Run<'_>], until: f64) -> Result<()> {
    let spent = |runs: &[Run<'_>]| runs.iter().map(|run| run.spent).sum::<f64>();
    let under_way = |run: &Run<'_>| !run.lost && run.world.time() < until - 1e-9;
    while runs.iter().any(under_way) && spent(runs) < PATIENCE {
        for run in runs.iter_mut().filter(|run| under_way(run)) {
            let mut lost = false;
            run.spent += seconds(|| {
                let ran = run.world.step_frame().and_then(|()| run.world.wait());
                lost = matches!(ran, Err(Error::Fault(_)));
                if lost { Ok(()) } else { ran }
            })?;
            run.lost = lost;
        }
    }
    Ok(())
}
