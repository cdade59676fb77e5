//! `pliant bench`: speed.

mod render;
mod robust;
mod shape;
mod soft;
mod solvers;

use std::path::PathBuf;

use pliant::bench::{
    self, KernelBench, RenderBench, RobustBench, ShapeBench, SoftBench, SolverBench,
};
use pliant::gpu::Context;
use pliant::report::AdapterReport;
use pliant::{Error, Result};
use serde::Serialize;

use crate::Outcome;

/// Options of `pliant bench`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Benchmarks to run, see --list; default: all
    names: Vec<String>,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder of the scene of `render`
    #[arg(long, value_name = "DIR", default_value = "scenes")]
    scenes: PathBuf,
    /// Random scenes of `robust`
    #[arg(long, value_name = "N", default_value_t = bench::robust::SCENES)]
    count: usize,
    /// The first of them
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: usize,
    /// Their seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Integrators that they are run with: "default" is what a scene gets that names none
    #[arg(long, value_name = "NAME", default_value = "default")]
    integrator: Vec<String>,
    /// List the benchmarks
    #[arg(long)]
    list: bool,
    /// Compile kernels with every run-time check, as debug builds do
    #[arg(long)]
    checked: bool,
    /// Part of an adapter's name
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
}

const BENCHMARKS: [(&str, &str); 6] = [
    (
        "kernels",
        "substeps of free lattices and each of their passes",
    ),
    ("render", "pictures of four dogs, as styles draw them"),
    (
        "robust",
        "random scenes: bodies lost, inverted, collapsed or restless; only where it is named",
    ),
    (
        "shape",
        "shape matching: 10 000 points in few and many clusters, 384 objects",
    ),
    (
        "soft",
        "soft bodies that touch: two scenes beside published figures, bodies far apart, piles",
    ),
    (
        "solvers",
        "integrators on a lattice of 1331 points: largest stable steps, costs, errors",
    ),
];

#[derive(Serialize)]
struct Report {
    adapter: AdapterReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernels: Option<KernelBench>,
    #[serde(skip_serializing_if = "Option::is_none")]
    render: Option<RenderBench>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robust: Option<Vec<RobustBench>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<ShapeBench>,
    #[serde(skip_serializing_if = "Option::is_none")]
    soft: Option<SoftBench>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solvers: Option<SolverBench>,
}

/// Runs benchmarks and prints a table each.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.list {
        for (name, what) in BENCHMARKS {
            say!("{name:<12} {what}");
        }
        return Ok(Outcome::Done);
    }
    if let Some(unknown) = arguments
        .names
        .iter()
        .find(|name| BENCHMARKS.iter().all(|(known, _)| known != *name))
    {
        let names = BENCHMARKS.map(|(name, _)| name).join(", ");
        return Err(Error::value(
            "the benchmark",
            format!("\"{unknown}\""),
            format!("one of: {names}"),
        ));
    }
    let context = Context::choose(arguments.adapter.as_deref())?
        .with_checked_shaders(arguments.checked || cfg!(debug_assertions));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    say!(
        "{}, {}, {cores} CPU cores",
        context.info().name,
        context.info().driver_info
    );
    let wanted = |name: &str| {
        arguments.names.is_empty() || arguments.names.iter().any(|wanted| wanted == name)
    };
    let kernels = if wanted("kernels") {
        Some(bench::kernels(&context)?)
    } else {
        None
    };
    if let Some(kernels) = &kernels {
        print_kernels(kernels);
    }
    let render = if wanted("render") {
        Some(bench::render(&context, &arguments.scenes)?)
    } else {
        None
    };
    if let Some(render) = &render {
        render::print(render);
    }
    let robust = if !arguments.names.is_empty() && wanted("robust") {
        let integrators = robust::integrators(&arguments.integrator)?;
        let scenes = arguments.first..arguments.first + arguments.count;
        let tell = |line: &str| say!("{line}");
        Some(bench::robust(
            &context,
            arguments.seed,
            scenes,
            &integrators,
            tell,
        )?)
    } else {
        None
    };
    if let Some(robust) = &robust {
        robust::print(robust);
    }
    let shape = if wanted("shape") {
        Some(bench::shape(&context)?)
    } else {
        None
    };
    if let Some(shape) = &shape {
        shape::print(shape);
    }
    let soft = if wanted("soft") {
        Some(bench::soft(&context)?)
    } else {
        None
    };
    if let Some(soft) = &soft {
        soft::print(soft);
    }
    let solvers = if wanted("solvers") {
        Some(bench::solvers(&context)?)
    } else {
        None
    };
    if let Some(solvers) = &solvers {
        solvers::print(solvers);
    }
    if let Some(path) = &arguments.json {
        crate::run::write_json(
            path,
            &Report {
                adapter: AdapterReport::new(context.info()),
                kernels,
                render,
                robust,
                shape,
                soft,
                solvers,
            },
        )?;
    }
    Ok(Outcome::Done)
}

fn print_kernels(bench: &KernelBench) {
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
        let time = format!(
            "{} ({} to {})",
            micros(time.median),
            micros(time.min),
            micros(time.max)
        );
        let cubes = format!("{0}³", step.cubes);
        say!(
            "{:<26} {cubes:>7} {:>8} {:>7} {time:>30} {:>10.2} {:>9.3} {:>5.0}%",
            step.name,
            step.tets,
            step.gathers,
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
        say!(
            "{:<16} {:>12.1} {megabytes:>9.3} {share:>5.0}%",
            pass.name,
            pass.mean_us
        );
    }
}
