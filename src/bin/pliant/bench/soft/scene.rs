//! A scene from its start on: its speed, and samples of its pictures and stages on the way.

use pliant::Context;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::internals::extreme;
use pliant::mesh::Bounds;
use pliant::render::Parts;
use pliant::report::ContactStats;
use pliant::world::World;
use serde::Serialize;

use super::stages::{Stage, StageBench, Stages};
use super::thesis::{Figures, ThesisScene};
use crate::bench::render::Artist;
use crate::bench::timing::{Timing, seconds, steps as take};

/// Simulated time of a run [s].
const DURATION: f64 = 3.0;
/// Runs from the start; the median counts.
const RUNS: usize = 5;
/// Places on the way where a picture and some steps are timed.
const SAMPLES: u64 = 100;
/// Steps between two pictures, as in the thesis.
const STEPS_PER_PICTURE: u64 = 2;
/// Steps whose passes are timed in each place.
const PROFILED: u64 = 2;
/// Size of the pictures [pixels].
const SIZE: [u32; 2] = [640, 480];

/// A scene's figures beside the published ones.
#[derive(Clone, Debug, Serialize)]
pub struct SceneBench {
    /// What it is made of.
    pub name: &'static str,
    /// As measured here.
    pub ours: Figures,
    /// As published.
    pub thesis: Figures,
    /// Vertices and triangles of the drawn surfaces.
    pub fine: [usize; 2],
    /// Length of a step [s].
    pub step: f64,
    /// Steps that were simulated.
    pub steps: u64,
    /// Time of all of them, without pictures [s].
    pub time: Timing,
    /// Simulated time over `time`'s median.
    pub simulated_s_per_s: f64,
    /// Mean time of contact in a step over the mean number of colliding points in the same steps [µs]; without
    /// timestamps, and without points, none.
    pub us_per_colliding_point: Option<f64>,
    /// Steps by the device's clock where it has one; fine mesh and picture by wall clock with a wait.
    pub stages: Vec<StageBench>,
}

impl SceneBench {
    /// Time of one of the steps, without pictures [s].
    #[must_use]
    pub fn time_per_step(&self) -> Timing {
        self.time.per(self.steps)
    }
}

/// Measures a scene.
///
/// # Errors
/// When the device is lost.
pub fn measure(context: &Context, thesis: &ThesisScene) -> Result<SceneBench> {
    let mut times = [0.0; RUNS];
    let (mut steps, mut tally) = (0, ContactStats::default());
    for time in &mut times {
        let mut world = World::new(context, &thesis.scene)?;
        steps = (DURATION / world.stepping().step).round() as u64;
        *time = seconds(|| take(&mut world, steps))?;
        tally = world.contacts();
    }
    let time = Timing::new(&mut times);
    let mut world = World::new(context, &thesis.scene)?;
    let samples = sample(&mut world, steps)?;
    let model = world.model();
    let ours = Figures {
        points: model.positions.len(),
        edges: model.springs.len(),
        triangles: model.triangles.len(),
        tets: model.tets.len(),
        fps_mean: SAMPLES as f64 / samples.pictures.iter().sum::<f64>(),
        fps_min: samples.slowest().recip(),
        colliding_points_mean: tally.points as f64 / steps as f64,
        colliding_points_max: tally.points_max,
        colliding_triangles_mean: samples.triangles.iter().sum::<u64>() as f64 / SAMPLES as f64,
        colliding_triangles_max: samples.triangles.iter().copied().max().unwrap_or(0),
    };
    let step = world.stepping().step;
    let points = samples.points as f64 / samples.profiled as f64;
    let timed = samples.points > 0 && context.has_timestamps();
    Ok(SceneBench {
        name: thesis.name,
        ours,
        thesis: thesis.published,
        fine: [model.skin.corners.len(), model.skin.triangles.len()],
        step,
        steps,
        time,
        simulated_s_per_s: step * steps as f64 / time.median,
        us_per_colliding_point: timed.then(|| 1e6 * samples.stages.contact() / points),
        stages: samples.stages.bench(thesis.worst_ms),
    })
}

/// What was seen on the way.
#[derive(Default)]
struct Samples {
    /// Times from one picture to the next [s].
    pictures: Vec<f64>,
    /// Colliding triangles at each picture.
    triangles: Vec<u64>,
    stages: Stages,
    /// Steps whose passes were timed.
    profiled: u64,
    /// Colliding points in those steps.
    points: u64,
}

impl Samples {
    /// The longest time from one picture to the next [s].
    fn slowest(&self) -> f64 {
        let pictures = self.pictures.iter().copied();
        pictures.fold(0.0, extreme::greatest)
    }
}

/// Goes through a run of so many steps once more.
fn sample(world: &mut World, steps: u64) -> Result<Samples> {
    let start = Bounds::of(world.read()?.positions.iter().map(|x| x.as_dvec3()));
    let mut artist = Artist::new(world, SIZE, start)?;
    let mut samples = Samples::default();
    draw(&mut artist, world)?;
    for index in 1..=SAMPLES {
        let until = (index * steps / SAMPLES).saturating_sub(STEPS_PER_PICTURE + PROFILED);
        take(world, until.saturating_sub(world.steps()))?;
        let steps = seconds(|| take(world, STEPS_PER_PICTURE))?;
        let [skin, draw] = draw(&mut artist, world)?;
        samples.pictures.push(steps + skin + draw);
        samples.stages.add(Stage::FineMesh, skin);
        samples.stages.add(Stage::Draw, draw);
        let triangles = world.read_contacts()?.triangles;
        samples.triangles.push(triangles as u64);
        profile(world, &mut samples)?;
    }
    Ok(samples)
}

/// Times the passes of some steps. One that is repeated with more room does not count.
fn profile(world: &mut World, samples: &mut Samples) -> Result<()> {
    for _ in 0..PROFILED {
        let before = world.contacts();
        world.set_profiling(true);
        take(world, 1)?;
        let after = world.contacts();
        if after.repeats == before.repeats {
            if world.context().has_timestamps() {
                samples.stages.add_step(&world.passes());
            }
            samples.points += after.points - before.points;
            samples.profiled += 1;
        }
    }
    world.set_profiling(false);
    Ok(())
}

/// Draws a world as `pliant run --format png` does, without writing the pictures; returns the times of the fine mesh and of
/// the picture [s].
fn draw(artist: &mut Artist, world: &mut World) -> Result<[f64; 2]> {
    let context = world.context().clone();
    let skin = seconds(|| {
        world.update_skin();
        context.wait()
    })?;
    let draw = seconds(|| artist.draw(&world.drawn(), Parts::All))?;
    Ok([skin, draw])
}
