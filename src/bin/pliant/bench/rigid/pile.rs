//! How the time of a step grows with the rigid bodies in a pile, and where it goes.

use pliant::internals::extreme;
use pliant::scene::{Body, BroadPhase, Scene, Shape, Solid};
use pliant::world::World;
use pliant::{Context, Error, Result};
use serde::Serialize;

use crate::bench::soft::Stage;
use crate::bench::timing::{Timing, exponent, steps, time as time_of};

/// Boxes and hulls in a heap ten layers deep; the more, the wider it is.
#[derive(Clone, Debug, Serialize)]
pub struct PileBench {
    /// By broad phase.
    pub phases: Vec<PhaseBench>,
}

/// Piles whose pairs are found so.
#[derive(Clone, Debug, Serialize)]
pub struct PhaseBench {
    /// As scenes call it.
    pub broad_phase: &'static str,
    /// Simulated time at which they are measured [s].
    pub after: f64,
    /// By number of bodies.
    pub steps: Vec<PileStep>,
    /// Growth exponent of the time of a step with the number of bodies: least squares over all, in logarithms; of one number
    /// of bodies none.
    pub exponent: Option<f64>,
}

/// A step of a pile.
#[derive(Clone, Debug, Serialize)]
pub struct PileStep {
    /// Bodies.
    pub bodies: usize,
    /// Length of a step [s].
    pub step: f64,
    /// Mean number of points of contact.
    pub contacts: f64,
    /// Share of the steps that search for contacts.
    pub searches: f64,
    /// Time of a step [s].
    pub time: Timing,
    /// Mean time of each of [`STAGES`] in a search or in a step [s], by the device's clock; empty where it has none.
    pub stages: Vec<f64>,
}

/// What a search and what each step is made of.
const STAGES: [(&str, bool, &[Stage]); 4] = [
    ("pairs, lists", true, &[Stage::Detect, Stage::Gather]),
    ("narrow", true, &[Stage::Penetration]),
    ("response", false, &[Stage::Resolve]),
    ("motion", false, &[Stage::Forces]),
];

/// Numbers of bodies by default.
pub const COUNTS: [usize; 4] = [100, 300, 1000, 3000];
const MOST: usize = 1_000_000;
/// Bodies on top of each other.
const LAYERS: usize = 10;
/// Distance between neighbours before they fall [m].
const SPACING: f64 = 0.22;
/// Half lengths of a hull, and lengths of a box, along x, y and z [m].
const HULL: [f64; 3] = [0.1, 0.09, 0.1];
const BOX: [f64; 3] = [0.18, 0.14, 0.2];
/// Simulated times at which piles are measured by default [s]: as the bodies come down on each other, and as they lie.
pub const AFTER: [f64; 2] = [0.4, 2.0];
const LATEST: f64 = 1000.0;
/// Steps that make a frame: so many, or a multiple, are timed.
const FRAME: u64 = 16;
/// Steps whose passes are timed, and searches.
const PROFILED: u64 = 16;
const SEARCHES: u64 = 3;

/// Measures piles of so many bodies each at these simulated times [s], with these broad phases or, where none are given, with all.
///
/// # Errors
/// No bodies, or too many; times that do not follow each other; a name that is no broad phase's; a lost device.
pub fn pile(
    context: &Context,
    counts: &[usize],
    after: &[f64],
    broad: &[String],
) -> Result<PileBench> {
    if let Some(count) = counts.iter().find(|count| !(1..=MOST).contains(*count)) {
        return Err(Error::value("--counts", count, format!("1 to {MOST} bodies")));
    }
    let times = [0.0].iter().chain(after);
    if let Some((_, time)) = times.zip(after).find(|(last, time)| !(*last..=&LATEST).contains(time))
    {
        let want = format!("seconds from 0 to {LATEST}, each after the one before it");
        return Err(Error::value("--after", time, want));
    }
    let named = |name: &String| {
        let known = BroadPhase::ALL.into_iter().find(|phase| phase.name() == name);
        known.ok_or_else(|| {
            let names = BroadPhase::ALL.map(BroadPhase::name).join(", ");
            Error::value("--broad", format!("\"{name}\""), format!("one of: {names}"))
        })
    };
    let mut phases = broad.iter().map(named).collect::<Result<Vec<_>>>()?;
    if phases.is_empty() {
        phases = BroadPhase::ALL.to_vec();
    }
    let grows = counts.iter().any(|count| *count != counts[0]);
    let mut measured = Vec::new();
    for phase in phases {
        let piles = counts.iter().map(|count| measure(context, *count, after, phase));
        let piles = piles.collect::<Result<Vec<_>>>()?;
        measured.extend(after.iter().enumerate().map(|(k, time)| {
            let steps: Vec<_> = piles.iter().map(|pile| pile[k].clone()).collect();
            let points = steps.iter().map(|step| [step.bodies as f64, step.time.median]);
            let exponent = grows.then(|| exponent(&points.collect::<Vec<_>>()));
            PhaseBench { broad_phase: phase.name(), after: *time, steps, exponent }
        }));
    }
    Ok(PileBench { phases: measured })
}

/// A pile at each of these times [s].
fn measure(
    context: &Context,
    bodies: usize,
    times: &[f64],
    phase: BroadPhase,
) -> Result<Vec<PileStep>> {
    let mut world = World::new(context, &scene(bodies, phase))?;
    let step = world.stepping().step;
    let count = (1000 / bodies as u64).clamp(1, 4) * FRAME;
    let at = |time: &f64| {
        let (until, taken) = ((time / step).round() as u64, world.contacts().steps);
        steps(&mut world, until.saturating_sub(taken))?;
        let before = world.contacts();
        let total = time_of(|| steps(&mut world, count))?;
        let after = world.contacts();
        let taken = extreme::greatest(1.0, (after.steps - before.steps) as f64);
        Ok(PileStep {
            bodies,
            step,
            contacts: (after.contacts - before.contacts) as f64 / taken,
            searches: (after.searches - before.searches) as f64 / taken,
            time: total.per(count),
            stages: stages(&mut world)?,
        })
    };
    times.iter().map(at).collect()
}

/// The mean time of each stage [s]: those of a search in steps with one, the others in steps as they come.
fn stages(world: &mut World) -> Result<Vec<f64>> {
    if !world.context().has_timestamps() {
        return Ok(Vec::new());
    }
    // What is written to a body lets the next step search, though it be what the body has.
    let Some(id) = world.body_id(0) else { return Ok(Vec::new()) };
    let touching = world.touching(id)?;
    let search = profiled(world, SEARCHES, |world| world.set_touching(id, &touching))?;
    let step = profiled(world, PROFILED, |_| Ok(()))?;
    let of = |(_, of_search, stages): (_, bool, &[Stage])| {
        let passes = if of_search { &search } else { &step };
        passes.iter().filter(|(name, _)| stages.contains(&Stage::of(name))).map(|pass| pass.1).sum()
    };
    Ok(STAGES.map(of).to_vec())
}

/// The mean time of each pass [s] over single steps, before each of which something is done.
fn profiled(
    world: &mut World,
    count: u64,
    mut before: impl FnMut(&mut World) -> Result<()>,
) -> Result<Vec<(&'static str, f64)>> {
    world.set_profiling(true);
    for _ in 0..count {
        before(world)?;
        steps(world, 1)?;
    }
    let passes = world.passes().into_iter();
    let passes =
        passes.filter_map(|(name, _, time)| Some((name, 1e-6 * time?.total / count as f64)));
    let passes = passes.collect();
    world.set_profiling(false);
    Ok(passes)
}

/// Boxes and hulls in turns, in layers over a floor between four walls, each a little turned.
pub fn scene(bodies: usize, broad_phase: BroadPhase) -> Scene {
    let mut scene = Scene::default();
    (scene.world.floor, scene.world.sleep) = (Some(0.0), false);
    scene.world.broad_phase = broad_phase;
    let across = (1..).find(|n: &usize| LAYERS * n * n >= bodies).unwrap_or(1);
    let width = SPACING * across as f64;
    let wall = |axis: usize, side: f64| {
        let (mut position, mut normal) = ([0.0; 3], [0.0; 3]);
        (position[axis], normal[axis]) = (side * 0.5 * width, -side);
        Solid::plane(position, normal)
    };
    scene.solids =
        [(0, 1.0), (0, -1.0), (2, 1.0), (2, -1.0)].map(|(axis, side)| wall(axis, side)).into();
    let place = |index: usize| SPACING * (index as f64 + 0.5);
    for index in 0..bodies {
        let [x, y, z] = [index % across, index / across / across, index / across % across];
        let is_box = (x + y + z) % 2 == 0;
        let shape =
            if is_box { Shape::Box { size: BOX } } else { Shape::Bipyramid { triangles: 12 } };
        let mut body = Body::rigid(format!("{index}"), shape);
        if !is_box {
            body.scale = HULL;
        }
        body.position = [place(x) - 0.5 * width, place(y), place(z) - 0.5 * width];
        // Multiples of three irrational numbers are spread evenly.
        let turn = |irrational: f64| 0.3 * ((index as f64 * irrational).fract() - 0.5);
        body.rotation = [2.0_f64, 3.0, 5.0].map(|root| turn(root.sqrt()));
        scene.bodies.push(body);
    }
    scene
}

/// Prints the tables.
pub fn print(bench: &PileBench) {
    for phase in &bench.phases {
        say!(
            "\npile: boxes and hulls, {LAYERS} layers, after {} s; broad_phase = \"{}\"; median (min to max) of 7 repeats; the device's clock: ms of a search (pairs, lists; narrow) and of a step (response; motion)",
            phase.after,
            phase.broad_phase
        );
        let names = STAGES.map(|(name, ..)| format!("{name:>14}")).concat();
        say!(
            "{:>8} {:>9} {:>9} {:>8} {:>30}{names}",
            "bodies",
            "contacts",
            "searches",
            "frames/s",
            "ms per step"
        );
        for step in &phase.steps {
            let stages = step.stages.iter().map(|time| format!("{:>14.3}", 1e3 * time));
            let frames = 60.0 * step.step / step.time.median;
            say!(
                "{:>8} {:>9.0} {:>8.0}% {:>8.1} {:>30}{}",
                step.bodies,
                step.contacts,
                1e2 * step.searches,
                frames,
                step.time.millis(),
                stages.collect::<String>()
            );
        }
        if let Some(exponent) = phase.exponent {
            say!("time grows as the number of bodies to the power of {exponent:.2}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_are_sound_scenes_of_bodies_in_the_box() {
        for bodies in [1, 10, 1000] {
            let scene = scene(bodies, BroadPhase::Sweep);
            scene.check().expect("a sound scene");
            assert_eq!(scene.bodies.len(), bodies);
            let half = 0.5 * SPACING * (bodies as f64 / 10.0).sqrt().ceil();
            for body in &scene.bodies {
                let [x, y, z] = body.position;
                assert!(x.abs() < half && z.abs() < half && y > 0.1, "{:?}", body.position);
            }
        }
    }
}
