//! Every pass of a substep: time, the bytes that it must move, and the share of the device's copy bandwidth.

use pliant::Result;
use pliant::internals::Inside as _;
use pliant::internals::body::stiffness::RENEWAL;
use pliant::internals::gpu::types::{Element, Particle, Point};
use pliant::internals::gpu::{Buffer, Context};
use pliant::internals::model::Model;
use pliant::scene::{Body, DampingMode, Integrator, Kind, Mass, Scene, Springs, Step};
use pliant::world::World;
use serde::Serialize;

use super::timing::{Timing, copy_bandwidth, steps, time};

/// What `pliant bench kernels` measures.
#[derive(Clone, Debug, Serialize)]
pub struct KernelBench {
    /// Bytes per second that a copy between buffers moves.
    pub copy_bandwidth: f64,
    /// Whole substeps, wall clock with a wait.
    pub steps: Vec<StepBench>,
    /// Single passes on the largest lattice, by the device's clock; empty where it has none.
    pub passes: Vec<PassBench>,
}

/// A substep of a free lattice.
#[derive(Clone, Debug, Serialize)]
pub struct StepBench {
    /// Integrator and damping mode.
    pub name: String,
    /// Cubes along each side.
    pub cubes: u32,
    /// Tetrahedra.
    pub tets: usize,
    /// Springs.
    pub springs: usize,
    /// Spring gathers per substep.
    #[serde(rename = "gathers")]
    pub damping_stages: u32,
    /// Time of one substep [s].
    pub substep: Timing,
    /// Tetrahedra × steps per second.
    pub tet_steps_per_s: f64,
    /// Bytes that a substep must move: every array that its passes read or write, once per pass.
    pub bytes: u64,
    /// Share of the copy bandwidth.
    pub bandwidth_share: f64,
}

/// A pass of a substep.
#[derive(Clone, Debug, Serialize)]
pub struct PassBench {
    /// The kernel.
    pub name: &'static str,
    /// Mean time [µs].
    pub mean_us: f64,
    /// Bytes that it must move.
    pub bytes: u64,
    /// Share of the copy bandwidth.
    pub bandwidth_share: f64,
}

/// Cubes along the sides of the lattices that are measured.
const CUBES: [u32; 3] = [5, 10, 40];

/// Measures.
///
/// # Errors
/// When the device is lost or has no room for 320 000 tetrahedra.
pub fn kernels(context: &Context) -> Result<KernelBench> {
    let copy_bandwidth = copy_bandwidth(context)?;
    let (mut measured, mut passes) = (Vec::new(), Vec::new());
    for cubes in CUBES {
        for (integrator, mode) in CASES {
            let mut world = World::new(context, &free_lattice(cubes, integrator, mode))?;
            let case = (integrator, mode, cubes);
            measured.push(measure(&mut world, case, copy_bandwidth)?);
            if cubes == CUBES[2] {
                passes.extend(measure_passes(&mut world, copy_bandwidth)?);
            }
        }
    }
    passes.sort_by_key(|pass| pass.name);
    passes.dedup_by_key(|pass| pass.name);
    Ok(KernelBench { copy_bandwidth, steps: measured, passes })
}

/// What lattices in free flight are measured with.
pub const CASES: [(Integrator, DampingMode); 8] = [
    (Integrator::Verlet, DampingMode::Explicit),
    (Integrator::Verlet, DampingMode::Capped),
    (Integrator::Verlet, DampingMode::Exact),
    (Integrator::Euler, DampingMode::Explicit),
    (Integrator::SymplecticEuler, DampingMode::Explicit),
    (Integrator::Leapfrog, DampingMode::Explicit),
    (Integrator::Midpoint, DampingMode::Explicit),
    (Integrator::Rk4, DampingMode::Explicit),
];

/// A lattice in free flight.
pub fn free_lattice(cubes: u32, integrator: Integrator, mode: DampingMode) -> Scene {
    let mut scene = Scene::default();
    scene.world.integrator = integrator;
    scene.world.gravity = [0.0; 3];
    // Below every integrator's bound, so that all do the same work; exact damping runs at the step it is made for.
    scene.world.step = Step::Fixed(if mode == DampingMode::Explicit { 1e-4 } else { 2e-3 });
    scene.bodies.push(turning_lattice("lattice", cubes, mode));
    scene
}

/// A lattice that turns slowly.
pub fn turning_lattice(name: &str, cubes: u32, mode: DampingMode) -> Body {
    let mut body = Body::lattice(name, [cubes; 3], [0.2 * f64::from(cubes); 3]);
    body.mass = Mass::Point(0.05);
    body.kind = Kind::Springs(Springs::Constants { distance: 60.0, volume: 20.0, damping: 2.0 });
    body.damping_mode = Some(mode);
    body.angular_velocity = [0.1, 0.2, 0.3];
    body
}

fn measure(
    world: &mut World,
    (integrator, mode, cubes): (Integrator, DampingMode, u32),
    bandwidth: f64,
) -> Result<StepBench> {
    let tets = world.model().tets.len();
    let count = (4_000_000 / tets as u64).clamp(20, 500);
    let substep = time(|| steps(world, count))?.per(count);
    let before = world.passes();
    steps(world, RENEWAL)?;
    let calls = |name: &str| {
        let before = before.iter().find(|pass| pass.0 == name);
        before.map_or(0, |pass| pass.1)
    };
    let model = world.model();
    let bytes = |pass: &(&str, u64, _)| (pass.1 - calls(pass.0)) * pass_bytes(pass.0, model);
    let bytes = world.passes().iter().map(bytes).sum::<u64>() / RENEWAL;
    Ok(StepBench {
        name: format!("{} {}", integrator.name(), mode.name()),
        cubes,
        tets,
        springs: world.model().springs.len(),
        damping_stages: world.stepping().damping_stages,
        substep,
        tet_steps_per_s: tets as f64 / substep.median,
        bytes,
        bandwidth_share: bytes as f64 / substep.median / bandwidth,
    })
}

fn measure_passes(world: &mut World, bandwidth: f64) -> Result<Vec<PassBench>> {
    world.set_profiling(true);
    for _ in 0..10 {
        steps(world, 1)?;
    }
    let passes = world.passes().into_iter().filter_map(|(name, _, time)| {
        let mean_us = time?.mean();
        let bytes = pass_bytes(name, world.model());
        Some(PassBench {
            name,
            mean_us,
            bytes,
            bandwidth_share: bytes as f64 / (1e-6 * mean_us) / bandwidth,
        })
    });
    Ok(passes.collect())
}

/// Bytes that a pass over a lattice of springs must move when every gathered particle comes from the cache after its first
/// read.
fn pass_bytes(name: &str, model: &Model) -> u64 {
    let [particles, springs, tets] =
        [model.positions.len(), model.springs.len(), model.tets.len()].map(|count| count as u64);
    let [particle, point] = [Buffer::<Particle>::STRIDE, Buffer::<Point>::STRIDE];
    let vector = 16;
    let springs = 2 * springs * Buffer::<Element>::STRIDE;
    // A walk over a link takes two entries more than it has triangles.
    let gathered = springs + (4 * tets + 2 * particles) * Buffer::<Element>::STRIDE;
    match name {
        "euler" | "verlet" | "midpoint_half" => particles * (2 * particle + point) + gathered,
        "leapfrog" => particles * (2 * particle + point + 2 * vector) + gathered,
        "midpoint" => particles * (3 * particle + point) + gathered,
        "rk4_stage" => particles * (5 * particle + point) + gathered,
        "rk4" => particles * (4 * particle + point) + gathered,
        "damping_first" => particles * (particle + point + vector) + springs,
        "damping_sweep" => particles * (particle + point + 3 * vector) + springs,
        "damping_end" => particles * (2 * particle + point + 2 * vector) + springs,
        "probe_apply" => particles * (particle + point + 2 * vector) + gathered,
        "probe_sum" => particles * (particle + vector),
        // A thread for each body: next to nothing.
        _ => 0,
    }
}

/// Prints all tables.
pub fn print(bench: &KernelBench) {
    say!(
        "copy between buffers: {:.2} GB/s, read and written bytes counted",
        1e-9 * bench.copy_bandwidth
    );
    say!("\nsubsteps of a free lattice; wall clock with a wait, median (min to max) of 7 repeats");
    say!(
        "{:<26} {:>7} {:>8} {:>7} {:>30} {:>10} {:>9} {:>6}",
        "integrator, damping",
        "cubes",
        "tets",
        "gathers",
        "µs per substep",
        "Mtet·st/s",
        "MB",
        "copy"
    );
    for step in &bench.steps {
        let micros = |seconds: f64| format!("{:.1}", 1e6 * seconds);
        let time = &step.substep;
        let time =
            format!("{} ({} to {})", micros(time.median), micros(time.min), micros(time.max));
        let cubes = format!("{0}³", step.cubes);
        say!(
            "{:<26} {cubes:>7} {:>8} {:>7} {time:>30} {:>10.2} {:>9.3} {:>5.0}%",
            step.name,
            step.tets,
            step.damping_stages,
            1e-6 * step.tet_steps_per_s,
            1e-6 * step.bytes as f64,
            100.0 * step.bandwidth_share
        );
    }
    if bench.passes.is_empty() {
        say!("\nthe device has no timestamps: no times of single passes");
        return;
    }
    say!("\npasses on the largest lattice; the device's clock");
    say!("{:<16} {:>12} {:>9} {:>6}", "kernel", "µs", "MB", "copy");
    for pass in &bench.passes {
        let (megabytes, share) = (1e-6 * pass.bytes as f64, 100.0 * pass.bandwidth_share);
        say!("{:<16} {:>12.1} {megabytes:>9.3} {share:>5.0}%", pass.name, pass.mean_us);
    }
}
