//! Kernels that may run eight invocations at a time on CPU threads, beside the same one invocation after the other, in the
//! steps of all scenes of a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use pliant::internals::set_lanes;
use pliant::scene::Scene;
use pliant::world::World;
use pliant::{Context, Error, Result};
use serde::Serialize;

use super::timing::steps;

/// Steps of each scene before the first that is measured, so that bodies touch.
const BEFORE: u64 = 60;
/// Steps that are measured one way before as many are the other way; by themselves, as the first of a submission is timed.
const TURN: u64 = 7;
/// Times that both ways are measured.
const TURNS: usize = 8;

/// What `pliant bench lanes` measures.
#[derive(Clone, Debug, Serialize)]
pub struct LanesBench {
    /// Those that differ by more than the noise, the slowest first.
    pub kernels: Vec<KernelBench>,
}

/// A kernel.
#[derive(Clone, Debug, Serialize)]
pub struct KernelBench {
    /// Its name.
    pub name: &'static str,
    /// Mean time one invocation after the other [µs].
    pub one_by_one_us: f64,
    /// Mean time eight at a time, where it can [µs].
    pub lanes_us: f64,
    /// The scene where it takes longest.
    pub scene: String,
}

/// Measures.
///
/// # Errors
/// A scene that cannot be read; a context on a device.
pub fn lanes(context: &Context, scenes: &Path) -> Result<LanesBench> {
    let listed = fs::read_dir(scenes).map_err(|error| Error::io(scenes, error))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut kernels: BTreeMap<&'static str, KernelBench> = BTreeMap::new();
    for file in files {
        let scene = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (name, [one_by_one_us, lanes_us]) in measured(context, &file)? {
            // What was not measured both ways is not compared.
            if !(one_by_one_us + lanes_us).is_finite() {
                continue;
            }
            let bench = KernelBench { name, one_by_one_us, lanes_us, scene: scene.clone() };
            let longest = kernels.entry(name).or_insert_with(|| bench.clone());
            if longest.one_by_one_us < one_by_one_us {
                *longest = bench;
            }
        }
    }
    let mut kernels: Vec<_> = kernels.into_values().collect();
    kernels.sort_by(|a, b| b.one_by_one_us.total_cmp(&a.one_by_one_us));
    Ok(LanesBench { kernels })
}

/// The least times of each kernel of a scene's steps [µs]: one by one, and eight at a time.
fn measured(context: &Context, file: &Path) -> Result<BTreeMap<&'static str, [f64; 2]>> {
    let mut world = World::new(context, &Scene::load(file)?)?;
    steps(&mut world, BEFORE)?;
    let mut times = BTreeMap::new();
    for way in iter::repeat_n([0, 1], TURNS).flatten() {
        set_lanes(context, way == 1)?;
        world.set_profiling(true);
        for _ in 0..TURN {
            steps(&mut world, 1)?;
        }
        for (name, _, time) in world.passes() {
            if let Some(time) = time {
                let least = &mut times.entry(name).or_insert([f64::INFINITY; 2])[way];
                *least = least.min(time.mean());
            }
        }
        world.set_profiling(false);
    }
    set_lanes(context, true)?;
    Ok(times)
}

/// Prints a table.
pub fn print(bench: &LanesBench) {
    println!(
        "kernels on CPU threads; µs of a pass, the least of {TURNS} means, in the scene where it takes longest"
    );
    println!("{:24} {:>11} {:>11} {:>6}  scene", "kernel", "one by one", "lanes", "times");
    for KernelBench { name, one_by_one_us, lanes_us, scene } in &bench.kernels {
        let times = one_by_one_us / lanes_us;
        println!("{name:24} {one_by_one_us:11.1} {lanes_us:11.1} {times:6.2}  {scene}");
    }
}
