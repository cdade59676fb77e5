//! `pliant run`: a scene becomes frames and a report.

pub mod frames;
mod pictures;
mod solids;
mod summary;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use pliant::report::{Measure, RunReport, Sample, SelfCrossings};
use pliant::{Error, Result, Scene, World};

use crate::Outcome;
use crate::amounts::short;
use crate::drawing::StyleArguments;
use crate::executor::Executor;
use frames::Frames;

/// Options of `pliant run`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A scene file, or a mesh file to be dropped on a floor as a soft body
    scene: PathBuf,
    /// Simulated time [s] to stop at, instead of the scene's duration
    #[arg(long, value_name = "S", conflicts_with = "steps", allow_negative_numbers = true)]
    time: Option<f64>,
    /// Number of the step to stop at, instead of the scene's duration
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Folder for frames, created if missing; frames of an earlier run are replaced [default: out/NAME for NAME.toml]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Formats of the frames, separated by commas; usda, usdc and apng put all frames in one file [default: png and state, with
    /// report.json beside them]
    #[arg(long, value_enum, value_delimiter = ',')]
    format: Vec<Format>,
    /// Frames per simulated second, instead of the scene's
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Size of pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: (u32, u32),
    #[command(flatten)]
    style: StyleArguments,
    /// Write a JSON report
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Save the final state
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Continue from a saved state of the same scene
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    executor: Executor,
    /// Print errors only
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    /// What is written where, as asked for or by default.
    fn files(&self) -> Result<Files<'_>> {
        let folder = self.out.clone().unwrap_or_else(|| {
            let name = self.scene.file_stem().unwrap_or(self.scene.as_os_str());
            Path::new("out").join(name)
        });
        let formats = match &self.format[..] {
            [] => vec![Format::Png, Format::State],
            [Format::None] => Vec::new(),
            formats if formats.contains(&Format::None) => {
                return Err(Error::value(
                    "--format",
                    "\"none\" among others",
                    "\"none\" alone, or other formats",
                ));
            }
            formats => formats.to_vec(),
        };
        // `pliant view` learns from it which scene the states are of.
        let beside = formats.contains(&Format::State).then(|| folder.join("report.json"));
        let mut reports = Vec::from_iter(beside.into_iter().chain(self.report.clone()));
        reports.dedup();
        if !formats.is_empty() && folder.exists() && !folder.is_dir() {
            let got = format!("{}, a file", folder.display());
            return Err(Error::value("--out", got, "a folder, or a name for one"));
        }
        let files = Files { folder, formats, style: &self.style, reports };
        // USD scenes have a camera, too.
        let has_camera = files.has(Format::Usda) || files.has(Format::Usdc);
        let given = self.style.given().find(|option| *option != "--camera" || !has_camera);
        if let (Some(option), false) = (given, files.draws()) {
            let want = "--format png or apng as well, or no such option";
            return Err(Error::value(option, "for pictures", want));
        }
        self.style.camera()?;
        Ok(files)
    }
}

/// What a run writes.
struct Files<'a> {
    folder: PathBuf,
    formats: Vec<Format>,
    /// Of pictures.
    style: &'a StyleArguments,
    reports: Vec<PathBuf>,
}

impl Files<'_> {
    fn has(&self, format: Format) -> bool {
        self.formats.contains(&format)
    }

    /// Whether pictures are drawn.
    fn draws(&self) -> bool {
        self.has(Format::Png) || self.has(Format::Apng)
    }
}

/// What a frame can be written as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Particles and tetrahedra with their fields, for ParaView
    Vtu,
    /// Drawn surfaces and solids
    Obj,
    /// Drawn surfaces and solids, binary
    Ply,
    /// Drawn surfaces, solids, camera and lights, all frames in one scene.usda, as text
    Usda,
    /// The same in one scene.usdc, binary, a third of the size
    Usdc,
    /// Pictures
    Png,
    /// All pictures as one animated PNG, movie.png
    Apng,
    /// States, which `pliant view` plays and from which --resume continues
    State,
    /// No frames
    None,
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Simulates; what was computed is written also after an error or Ctrl-C.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    // Nothing is lost without the handler but the report after Ctrl-C.
    let _ = ctrlc::set_handler(|| {
        // Whoever asks twice wants the program gone.
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let mut scene = crate::open::load(&arguments.scene)?;
    let mut files = arguments.files()?;
    if let Some(fps) = arguments.fps {
        scene.world.fps = fps;
    }
    scene.check().map_err(|error| match error {
        Error::Value { at, got, want } if at == "world.fps" && arguments.fps.is_some() => {
            Error::value("--fps", got, want)
        }
        other => other,
    })?;
    let saved = arguments
        .resume
        .as_deref()
        .map(|path| std::fs::read(path).map_err(|e| Error::io(path, e)))
        .transpose()?;
    if arguments.quiet {
        log::set_max_level(log::LevelFilter::Off);
    }
    let context = arguments.executor.context()?;
    let undrawn = arguments.format.is_empty().then(|| context.graphics().err()).flatten();
    if undrawn.is_some() {
        files.formats.retain(|format| *format != Format::Png);
    }
    let world = match (&saved, &arguments.resume) {
        (Some(bytes), Some(path)) => {
            World::resume(&context, &scene, bytes).map_err(|error| in_file(error, path))
        }
        _ => World::new(&context, &scene),
    };
    let mut world = world.map_err(|error| Scene::locate(&arguments.scene, error))?;
    // A mistake also where nothing is drawn.
    arguments.style.follow(&world)?;
    let end = end_tick(arguments, &scene, &world)?;
    if end < world.ticks() {
        return Err(ends_before(arguments, &world, end));
    }
    world.set_profiling(!files.reports.is_empty());
    let mut run = Run::new(arguments, files, world, &scene)?;
    // After the frames' folder was made: a report may lie in it.
    for (option, path) in [("--report", &arguments.report), ("--save", &arguments.save)] {
        if let Some(path) = path {
            writable(option, path)?;
        }
    }
    // Nothing of the run before is lost to one that does not begin.
    run.frames.forget(first_frame(&run.world))?;
    if let Some(error) = undrawn {
        tell!("warning: this run is left without pictures: {error}");
    }
    if !arguments.quiet {
        summary::start(&run.world);
    }
    let stopped = run.simulate(end);
    run.finish(arguments, stopped)
}

/// A run under way.
struct Run {
    world: World,
    frames: Frames,
    reports: Vec<PathBuf>,
    samples: Vec<Sample>,
    crossings: SelfCrossings,
    first_step: u64,
    wall: f64,
    bar: ProgressBar,
    quiet: bool,
}

impl Run {
    fn new(arguments: &Arguments, files: Files<'_>, world: World, scene: &Scene) -> Result<Self> {
        Ok(Self {
            frames: Frames::new(&files, arguments.size, &world, scene)?,
            reports: files.reports,
            samples: Vec::new(),
            crossings: SelfCrossings::new(&world),
            first_step: world.steps(),
            wall: 0.0,
            bar: ProgressBar::hidden(),
            quiet: arguments.quiet,
            world,
        })
    }

    /// Runs to tick `end`; false when interrupted.
    fn simulate(&mut self, end: u64) -> Result<bool> {
        let per_step = u64::from(self.world.stepping().ticks);
        self.show_progress(end / per_step, "{bar:40} {pos}/{len} steps, {eta} left");
        self.bar.set_position(self.world.ticks() / per_step);
        let mut frame = first_frame(&self.world);
        loop {
            let next = self.world.frame_step(frame);
            self.advance(next.min(end))?;
            if self.world.ticks() < next.min(end) {
                return Ok(false);
            }
            if next <= end {
                self.write_frame(frame)?;
            }
            if next >= end {
                return Ok(true);
            }
            frame += 1;
        }
    }

    /// Takes steps in batches short enough that Ctrl-C is heeded soon.
    fn advance(&mut self, to: u64) -> Result<()> {
        let batch = 64 * u64::from(self.world.stepping().ticks);
        // Pictures of the last frame are not part of the simulation's time.
        self.world.context().wait()?;
        let start = Instant::now();
        let mut result = Ok(());
        while result.is_ok() && self.world.ticks() < to && !INTERRUPTED.load(Ordering::Relaxed) {
            let count = batch.min(to - self.world.ticks());
            result = self.world.step_ticks(count).and_then(|()| self.world.wait());
            self.bar.set_position(self.world.ticks() / u64::from(self.world.stepping().ticks));
        }
        self.wall += start.elapsed().as_secs_f64();
        result
    }

    fn write_frame(&mut self, index: u64) -> Result<()> {
        let (contacts, state) = (self.world.read_contacts()?, self.world.read()?);
        let measure = Measure::new(&self.world, &state)?;
        let sample = Sample::new(state.time, &measure, &contacts);
        self.samples.push(sample);
        self.crossings.watch(&self.world, &state);
        self.frames.write(index, &mut self.world, &state, &contacts)
    }

    /// Shows a bar of so many parts.
    fn show_progress(&mut self, count: u64, template: &str) {
        self.bar.finish_and_clear();
        if !self.quiet {
            let style = ProgressStyle::with_template(template);
            self.bar = ProgressBar::new(count);
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        }
    }

    /// Writes all that is due at the end, whatever ended the run; the first error is the one returned.
    fn finish(mut self, arguments: &Arguments, stopped: Result<bool>) -> Result<Outcome> {
        self.bar.finish_and_clear();
        let written = self.write_end(arguments, stopped.as_ref().err());
        if matches!(stopped, Ok(false)) && !self.quiet {
            say!("interrupted at t = {:.3} s", self.world.time());
        }
        let framed = self.frames.finish();
        let drawn = self.draw();
        if !self.quiet {
            summary::files(&self.frames, self.reports.iter().chain(&arguments.save));
        }
        let whole = stopped?;
        framed?;
        written?;
        Ok(match whole && drawn? {
            true => Outcome::Done,
            false => Outcome::Interrupted,
        })
    }

    /// Draws the pictures, those of an interrupted run, too; false when interrupted while it draws.
    fn draw(&mut self) -> Result<bool> {
        INTERRUPTED.store(false, Ordering::Relaxed);
        self.show_progress(self.frames.count(), "{bar:40} {pos}/{len} pictures, {eta} left");
        let bar = self.bar.clone();
        let drawn = self.frames.draw(&mut self.world, || {
            bar.inc(1);
            !INTERRUPTED.load(Ordering::Relaxed)
        });
        self.bar.finish_and_clear();
        drawn
    }

    fn write_end(&mut self, arguments: &Arguments, fault: Option<&Error>) -> Result<()> {
        if arguments.save.is_none() && self.reports.is_empty() && self.quiet {
            return Ok(());
        }
        let world = &mut self.world;
        let state = world.read_last_good()?;
        let saved = arguments.save.as_ref().map(|path| {
            let bytes = world.save_last_good()?;
            pliant::write_file(path, &bytes)
        });
        let steps = world.steps().saturating_sub(self.first_step);
        let scene = arguments.scene.display().to_string();
        let samples = std::mem::take(&mut self.samples);
        let mut report = RunReport::new(world, scene, &state, steps, self.wall, samples)?;
        report.warnings.extend(self.crossings.warnings(world));
        let unsaved = saved.as_ref().and_then(|saved| saved.as_ref().err());
        let faults = fault.into_iter().chain(unsaved);
        report.faults.extend(faults.map(ToString::to_string));
        self.reports.iter().try_for_each(|path| write_json(path, &report))?;
        saved.unwrap_or(Ok(()))?;
        if !self.quiet {
            summary::end(world, &report, steps);
        }
        Ok(())
    }
}

/// Writes a value as JSON, beside its name first.
pub fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::file(path, "report", error.to_string()))?;
    pliant::write_file(path, (text + "\n").as_bytes())
}

/// The first frame that a run writes from here on.
fn first_frame(world: &World) -> u64 {
    (0..).find(|k| world.frame_step(*k) >= world.ticks()).unwrap_or(0)
}

/// The tick at which a run ends. An adaptive run takes its longest steps in pairs, and ends with a pair.
fn end_tick(arguments: &Arguments, scene: &Scene, world: &World) -> Result<u64> {
    let stepping = world.stepping();
    let adaptive = world.is_adaptive();
    if let Some(steps) = arguments.steps {
        if adaptive {
            let want = "--time instead: the number of adaptive steps is not known in advance";
            return Err(Error::value("--steps", steps, want));
        }
        return Ok(steps.saturating_mul(stepping.ticks.into()));
    }
    let time = arguments.time.unwrap_or(scene.world.duration);
    if !(0.0..=1e9).contains(&time) {
        return Err(Error::value("--time", time, "a time from 0 to 1e9 s"));
    }
    let unit = if adaptive { 2 } else { 1 };
    let units = (time / (f64::from(unit) * stepping.step)).round() as u64;
    Ok(units * u64::from(unit * stepping.ticks))
}

/// An error that says where a saved state is that lies behind the end, in steps where the end was given so.
fn ends_before(arguments: &Arguments, world: &World, end: u64) -> Error {
    let stepping = world.stepping();
    let place = |ticks: u64, time: f64| match arguments.steps {
        Some(_) => format!("step {}", ticks / u64::from(stepping.ticks)),
        None => format!("t = {} s", short(time)),
    };
    let got = format!("at {}", place(world.ticks(), world.time()));
    let this = place(end, end as f64 * stepping.tick());
    let option = match (arguments.steps, arguments.time) {
        (Some(_), _) => "--steps",
        (None, Some(_)) => "--time",
        (None, None) => "--time, in place of the scene's duration",
    };
    let want = format!("a run that ends later ({option}); this one ends at {this}");
    Error::value("the saved state", got, want)
}

/// Whether the file of an option can be written: better now than after an hour.
pub fn writable(option: &str, path: &Path) -> Result<()> {
    let tried = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(std::io::ErrorKind::IsADirectory.into()),
        // A pipe would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        _ => {
            let mut beside = path.as_os_str().to_owned();
            beside.push(".tmp");
            File::create(&beside).and_then(|_| std::fs::remove_file(&beside))
        }
    };
    tried.map_err(|error| {
        let want = format!("the name of a file that can be written: {error}");
        Error::value(option, path.display(), want)
    })
}

/// An error about a save becomes one of the file that it was read from.
pub fn in_file(error: Error, path: &Path) -> Error {
    match error {
        Error::Value { at, got, want } if at == "the save file" => {
            Error::file(path, at, format!("is {got}, wanted {want}"))
        }
        other => other,
    }
}

pub fn parse_size(text: &str) -> std::result::Result<(u32, u32), String> {
    let size = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    size.filter(|(width, height)| *width > 0 && *height > 0)
        .ok_or_else(|| "wanted WIDTHxHEIGHT in pixels, each at least 1, e.g. 1280x720".to_owned())
}
