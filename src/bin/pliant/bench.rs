//! `pliant bench`: speed.

mod kernels;
mod lanes;
mod render;
mod rigid;
mod robust;
mod shape;
mod soft;
mod solvers;
mod timing;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use pliant::Context;
use pliant::report::AdapterReport;
use pliant::{Error, Result};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Outcome;
use crate::executor::Executor;
use crate::run::{writable, write_json};

/// Options of `pliant bench`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Benchmarks to run, see --list; default: all
    names: Vec<String>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Folder with the scene for `render` [default: scenes]
    #[arg(long, value_name = "DIR")]
    scenes: Option<PathBuf>,
    #[arg(long, value_name = "N", help = format!("Number of random scenes for `robust` [default: {}]", robust::SCENES))]
    count: Option<NonZeroUsize>,
    /// Number of the first random scene [default: 0]
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Seed of the random scenes [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Integrators to run `robust` with; "default" is that of a scene that names none [default: default]
    #[arg(long, value_name = "NAME")]
    integrator: Vec<String>,
    #[arg(long, value_name = "N", help = format!("Number of pairs in `rigid-pairs` [default: {}]", rigid::PAIRS))]
    pairs: Option<usize>,
    #[arg(long, value_name = "N,…", value_delimiter = ',', help = format!("Numbers of bodies in `rigid-pile` [default: {}]", rigid::COUNTS.map(|count| count.to_string()).join(",")))]
    counts: Vec<usize>,
    #[arg(long, value_name = "S,…", value_delimiter = ',', help = format!("Simulated times at which `rigid-pile` measures [default: {}]", rigid::AFTER.map(|time| time.to_string()).join(",")))]
    after: Vec<f64>,
    /// Broad phases of `rigid-pile` [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    broad: Vec<String>,
    /// List the benchmarks
    #[arg(long)]
    list: bool,
    /// Run kernels with every check, as debug builds do on devices
    #[arg(long)]
    checked: bool,
    #[command(flatten)]
    executor: Executor,
}

#[derive(Serialize)]
struct Report {
    adapter: AdapterReport,
    /// By the benchmarks' names.
    #[serde(flatten)]
    figures: Map<String, Value>,
}

/// A benchmark.
struct Benchmark {
    name: &'static str,
    /// What it measures.
    what: &'static str,
    /// Measures, prints a table and returns the figures.
    run: fn(&Context, &Arguments) -> Result<Value>,
}

impl Arguments {
    fn wants(&self, name: &str) -> bool {
        match self.names.is_empty() {
            true => ![ROBUST, LANES].contains(&name),
            false => self.names.iter().any(|wanted| wanted == name),
        }
    }

    /// Refuses options of benchmarks that are not run.
    fn check(&self) -> Result<()> {
        let options = [
            ("--scenes", self.scenes.is_some(), RENDER),
            ("--count", self.count.is_some(), ROBUST),
            ("--first", self.first.is_some(), ROBUST),
            ("--seed", self.seed.is_some(), ROBUST),
            ("--integrator", !self.integrator.is_empty(), ROBUST),
            ("--pairs", self.pairs.is_some(), PAIRS),
            ("--counts", !self.counts.is_empty(), PILE),
            ("--after", !self.after.is_empty(), PILE),
            ("--broad", !self.broad.is_empty(), PILE),
        ];
        let unused = |(_, given, name): &&(_, bool, &str)| *given && !self.wants(name);
        options.iter().find(unused).map_or(Ok(()), |(option, _, name)| {
            let want = format!("`{name}` among the benchmarks: it is an option of that alone");
            Err(Error::value(*option, "given", want))
        })
    }
}

const BENCHMARKS: [Benchmark; 9] = [
    Benchmark {
        name: "kernels",
        what: "time steps of free lattices, and each of their passes",
        run: |context, _| shown(kernels::kernels(context)?, kernels::print),
    },
    Benchmark {
        name: LANES,
        what: "kernels on CPU threads, one invocation after the other and eight at a time (runs only if named)",
        run: |context, _| shown(lanes::lanes(context)?, lanes::print),
    },
    Benchmark {
        name: RENDER,
        what: "pictures of four dogs in each drawing style",
        run: |context, arguments| {
            let scenes = arguments.scenes.as_deref().unwrap_or(Path::new("scenes"));
            shown(render::render(context, scenes)?, render::print)
        },
    },
    Benchmark {
        name: PAIRS,
        what: "collision of pairs of convex bodies with each narrow phase, beside published figures",
        run: |context, arguments| {
            shown(
                rigid::pairs(context, arguments.pairs.unwrap_or(rigid::PAIRS))?,
                rigid::print_pairs,
            )
        },
    },
    Benchmark {
        name: PILE,
        what: "piles of rigid boxes and hulls: time by stage, with each broad phase",
        run: |context, arguments| {
            let counts = match arguments.counts.is_empty() {
                true => &rigid::COUNTS,
                false => &arguments.counts[..],
            };
            let after = match arguments.after.is_empty() {
                true => &rigid::AFTER,
                false => &arguments.after[..],
            };
            let pile = rigid::pile(context, counts, after, &arguments.broad)?;
            shown(pile, rigid::print_pile)
        },
    },
    Benchmark {
        name: ROBUST,
        what: "random scenes: bodies that blow up, invert, collapse or never rest (runs only if named)",
        run: |context, arguments| {
            let first = arguments.first.unwrap_or(0);
            let count = arguments.count.map_or(robust::SCENES, NonZeroUsize::get);
            let integrators = robust::integrators(&arguments.integrator)?;
            let scenes = first..first.saturating_add(count);
            let tables =
                robust::robust(context, arguments.seed.unwrap_or(0), scenes, &integrators)?;
            shown(tables, |tables| robust::print(tables))
        },
    },
    Benchmark {
        name: "shape",
        what: "shape matching: 10 000 points in few and many clusters, 384 objects",
        run: |context, _| shown(shape::shape(context)?, shape::print),
    },
    Benchmark {
        name: "soft",
        what: "contact of soft bodies: two scenes beside published figures, distant bodies, piles",
        run: |context, _| shown(soft::soft(context)?, soft::print),
    },
    Benchmark {
        name: "solvers",
        what: "integrators on a lattice of 1331 points: largest stable step, cost, error",
        run: |context, _| shown(solvers::solvers(context)?, solvers::print),
    },
];

const RENDER: &str = "render";
const PAIRS: &str = "rigid-pairs";
const PILE: &str = "rigid-pile";
/// Takes too long to be run with all others.
const ROBUST: &str = "robust";
/// Measures nothing on a device.
const LANES: &str = "lanes";

fn shown<T: Serialize>(figures: T, print: fn(&T)) -> Result<Value> {
    print(&figures);
    serde_json::to_value(figures)
        .map_err(|error| Error::value("the figures", error.to_string(), "what JSON can hold"))
}

/// Runs benchmarks and prints a table each.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.list {
        for Benchmark { name, what, .. } in BENCHMARKS {
            say!("{name:<12} {what}");
        }
        return Ok(Outcome::Done);
    }
    let known = |name: &String| BENCHMARKS.iter().any(|known| known.name == name);
    if let Some(unknown) = arguments.names.iter().find(|name| !known(name)) {
        let names = BENCHMARKS.map(|known| known.name).join(", ");
        let want = format!("one of: {names}");
        return Err(Error::value("the benchmark", format!("\"{unknown}\""), want));
    }
    arguments.check()?;
    arguments.json.as_deref().map_or(Ok(()), |path| writable("--json", path))?;
    let context = arguments.executor.context()?;
    let checked = arguments.checked || context.checked_shaders();
    let context = context.with_checked_shaders(checked);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = context.info();
    say!("{}, {}, {cores} CPU cores", info.name, info.driver_info);
    let mut figures = Map::new();
    for Benchmark { name, run, .. } in BENCHMARKS {
        if arguments.wants(name) {
            figures.insert(name.to_owned(), run(&context, arguments)?);
        }
    }
    if let Some(path) = &arguments.json {
        let adapter = AdapterReport::new(info);
        write_json(path, &Report { adapter, figures })?;
    }
    Ok(Outcome::Done)
}
