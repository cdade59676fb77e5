//! A program that never leaves its world alone: the same bits each time, and no more held as time goes by.

use std::hash::{Hash as _, Hasher as _};

use crate::program::Program;

/// What a run leaves.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// Of the state, again and again, and of every answer that was waited for.
    hash: u64,
    steps: u64,
}

/// What lives: resident memory, the device's memory [KiB], and the objects that the instance knows.
#[derive(Clone, Copy, Debug)]
struct Held {
    resident: u64,
    device: u64,
    objects: usize,
}

fn held(program: &Program) -> Held {
    program.context.wait().unwrap();
    let report = program.instance.generate_report().unwrap();
    let hub = report.hub_report();
    let kinds = [
        hub.buffers,
        hub.bind_groups,
        hub.bind_group_layouts,
        hub.pipeline_layouts,
        hub.shader_modules,
        hub.compute_pipelines,
        hub.command_buffers,
        hub.command_encoders,
        hub.query_sets,
    ];
    let device = program.context.graphics().unwrap().0.generate_allocator_report();
    Held {
        resident: resident(),
        device: device.map_or(0, |report| report.total_reserved_bytes / 1024),
        objects: kinds.iter().map(|kind| kind.num_kept_from_user).sum(),
    }
}

/// Resident memory of this process [KiB]; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Runs so many steps; what is held, forty times.
fn run(seed: u64, steps: u64) -> (Outcome, Vec<Held>) {
    let mut program = Program::new(seed);
    let mut held = Vec::new();
    while program.world.steps() < steps {
        program.act();
        if program.world.steps() * 40 >= steps * (held.len() as u64 + 1) {
            held.push(self::held(&program));
        }
    }
    assert!(program.done.iter().all(|times| *times > 0));
    let state = program.world.state_hash().unwrap();
    state.hash(&mut program.hasher);
    let outcome = Outcome { hash: program.hasher.finish(), steps: program.world.steps() };
    (outcome, held)
}

/// Of what is held at some times the most.
fn most(held: &[Held], of: fn(&Held) -> u64) -> u64 {
    held.iter().map(of).max().unwrap_or(0)
}

/// Twice the same bits, and in the last quarter of a run no more objects than in the one before, but for answers that are
/// under way.
fn soak(steps: u64) -> Vec<Held> {
    let (first, held) = run(1, steps);
    let (second, _) = run(1, steps);
    assert_eq!(first, second);
    let quarter = held.len() / 4;
    let (before, last) = (&held[2 * quarter..3 * quarter], &held[3 * quarter..held.len()]);
    let objects = [before, last].map(|held| most(held, |held| held.objects as u64));
    assert!(objects[1] <= objects[0] + 24, "{objects:?} objects");
    held
}

#[test]
fn a_program_that_never_leaves_its_world_alone() {
    soak(1600);
}

/// The same for long: minutes on software Vulkan.
///
/// ```sh
/// cargo test --release --test embed -- --ignored --nocapture a_hundred_thousand
/// ```
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_steps_hold_no_more_memory() {
    let held = soak(100_000);
    // Places for bodies have been made by now.
    let (early, late) = held.split_at(held.len() / 4);
    let [early, late] = [&early[early.len() / 2..], late];
    let resident = [early, late].map(|held| most(held, |held| held.resident));
    let device = [early, late].map(|held| most(held, |held| held.device));
    assert!(resident[1] <= resident[0] + 4096, "{resident:?} KiB");
    assert!(device[1] <= device[0], "{device:?} KiB");
}
