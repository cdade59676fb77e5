//! What a run says of itself: the world that it starts with, and what became of it.

use std::path::PathBuf;

use pliant::World;
use pliant::internals::Inside as _;
use pliant::report::{BodyMeasure, RunReport};

use super::frames::Frames;
use crate::amounts::{amounts, counted, short};

/// Bodies that have a line of their own.
const LISTED: usize = 8;

/// The device, how much there is, and how time advances.
pub fn start(world: &World) {
    let (model, info) = (world.model(), world.context().info());
    say!("{}, {}", info.name, info.driver_info);
    say!(
        "{}, {}, {}, {}",
        counted(model.bodies.len(), "body", "bodies"),
        counted(model.positions.len(), "particle", "particles"),
        counted(model.spring_count(), "spring", "springs"),
        counted(model.tets.len(), "tetrahedron", "tetrahedra")
    );
    let stepping = world.stepping();
    let damping_stages = match stepping.damping_stages {
        0 | 1 => String::new(),
        stages => format!(" ({stages} damping passes per step)"),
    };
    let most = if world.is_adaptive() { "at most " } else { "" };
    let step = 1e3 * stepping.step;
    say!("time step {most}{step:.6} ms{damping_stages}");
    if let Some(pick) = world.pick() {
        tell!("integrator {}, {}", pick.integrator, pick.reason);
    }
    for warning in world.warnings() {
        say!("warning: {warning}");
    }
    for hint in world.hints() {
        say!("hint: {hint}");
    }
}

/// What was written: frames, then other files.
pub fn files<'a>(frames: &Frames, others: impl Iterator<Item = &'a PathBuf>) {
    if let Some(legend) = frames.legend() {
        say!("{legend}");
    }
    let others = others.map(|path| path.display().to_string());
    for name in frames.names().chain(others) {
        say!("wrote {name}");
    }
}

/// New warnings, how fast it went, and the bodies.
pub fn end(world: &World, report: &RunReport, steps: u64) {
    for warning in &report.warnings {
        // The others were said at the start.
        if !world.warnings().contains(warning) {
            say!("warning: {warning}");
        }
    }
    let wall = report.wall_s;
    let simulated = steps as f64 * report.step;
    let speed = if wall > 0.0 { simulated / wall } else { 0.0 };
    say!(
        "{} steps to t = {:.3} s in {wall:.3} s of wall-clock time: {speed:.2} × real time",
        report.steps,
        report.time
    );
    if report.steps_retaken > 0 {
        let (retaken, shortest) = (report.steps_retaken, 1e3 * report.step_min);
        let (steps, were) = if retaken == 1 { ("step", "was") } else { ("steps", "were") };
        say!(
            "{retaken} {steps} {were} too long and {were} repeated; the shortest step was {shortest:.6} ms"
        );
    }
    bodies(world, &report.bodies);
}

/// What bodies weigh and how large they are: of those that are there: of the first ones each, then of all together that are not
/// held, which weigh nothing.
fn bodies(world: &World, measures: &[BodyMeasure]) {
    let ranges = &world.model().bodies;
    let all = ranges.iter().zip(measures);
    let present: Vec<_> = all.filter(|(ranges, _)| !ranges.absent).collect();
    for (ranges, body) in present.iter().take(LISTED) {
        let now = match ranges.tets.is_empty() {
            true => String::new(),
            false => format!(", now {} times that", short(body.volume / body.volume_rest)),
        };
        match body.mass {
            Some(mass) => say!("{}: {}{now}", body.name, amounts(mass, ranges.volume)),
            None => say!("{}: held", body.name),
        }
    }
    if let Some(more @ 1..) = present.len().checked_sub(LISTED) {
        say!("and {more} more");
        let free: Vec<_> = present.iter().filter(|(_, body)| body.mass.is_some()).collect();
        let mass = free.iter().filter_map(|(_, body)| body.mass).sum();
        let volume = free.iter().map(|(ranges, _)| ranges.volume).sum();
        let held = if free.len() < present.len() { " that are not held" } else { "" };
        say!("all {} bodies{held}: {}", free.len(), amounts(mass, volume));
    }
}
