//! `pliant verify`: every kernel against the CPU reference.

use std::path::PathBuf;

use pliant::Result;
use pliant::internals::verify::{self, KernelResult};
use pliant::report::AdapterReport;
use serde::Serialize;

use crate::Outcome;
use crate::executor::Executor;
use crate::run::{writable, write_json};

/// Options of `pliant verify`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Also compare whole steps of this scene; its bodies must not touch each other
    scene: Option<PathBuf>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare this kernel alone, or these
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<String>,
    /// Perturb the output of this kernel, so that its comparison must fail
    #[arg(long = "break", value_name = "NAME")]
    broken: Option<String>,
    #[command(flatten)]
    executor: Executor,
}

#[derive(Serialize)]
struct Report<'a> {
    adapter: AdapterReport,
    kernels: &'a [KernelResult],
}

/// Compares, and prints a line per kernel.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    arguments.json.as_deref().map_or(Ok(()), |path| writable("--json", path))?;
    let scene = arguments.scene.as_deref().map(crate::load).transpose()?;
    let context = arguments.executor.context()?;
    say!("{}, {}", context.info().name, context.info().driver_info);
    // First, because it may be refused.
    let steps = scene.map(|scene| verify::verify_scene(&context, &scene));
    let steps = steps.transpose()?;
    let broken = arguments.broken.as_slice();
    let mut results = verify::verify_kernels(&context, &arguments.kernels, broken)?;
    results.extend(steps.unwrap_or_default());
    say!(
        "{:<24} {:>12} {:>6} {:>12} {:>12}",
        "kernel",
        "compositions",
        "cases",
        "max error",
        "tolerance"
    );
    for KernelResult { name, cases, compositions, max_error, worst, tolerance, pass } in &results {
        let verdict = match pass {
            true => String::new(),
            false => format!("  FAILED with {worst}"),
        };
        say!(
            "{name:<24} {compositions:>12} {cases:>6} {max_error:>12.2e} {tolerance:>12.2e}{verdict}"
        );
    }
    if let Some(path) = &arguments.json {
        let report = Report { adapter: AdapterReport::new(context.info()), kernels: &results };
        write_json(path, &report)?;
    }
    let failed: Vec<_> = results.iter().filter(|result| !result.pass).collect();
    if failed.is_empty() {
        say!("all {} agree with the reference", results.len());
        return Ok(Outcome::Done);
    }
    let names: Vec<_> = failed.iter().map(|result| result.name.to_string()).collect();
    tell!(
        "error: {} of {} differ from the reference: {}",
        failed.len(),
        results.len(),
        names.join(", ")
    );
    Ok(Outcome::Failed)
}
