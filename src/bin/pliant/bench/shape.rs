//! Shape matching: a block of 10 000 points in few and many clusters, and a scene of the size of the one that Müller,
//! Heidelberger, Teschner and Gross (2005) measured.

use glam::DVec3;
use pliant::Context;
use pliant::Result;
use pliant::internals::Inside as _;
use pliant::scene::{
    Body, Clusters, Integrator, MeshSource, Mode, Pull, Scene, ShapeMatching, Step,
};
use pliant::world::World;
use serde::Serialize;

use super::timing::{Timing, steps, time};

/// What the published figures were measured on.
pub const PUBLISHED_HARDWARE: &str = "Pentium 4 with 3.2 GHz";
/// Points of the block along its axes, of 10 000 in all.
const BLOCK: [u32; 3] = [25, 20, 20];
/// Distance between neighbouring points [m].
const SPACING: f64 = 0.05;
/// Steps that are timed together.
const STEPS: u64 = 100;
/// Groups of eight objects: seven of 6 × 5 × 5 points in 6 clusters and one of 5 × 5 × 4 points in 9.
const GROUPS: usize = 48;

/// What `pliant bench shape` measures.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeBench {
    /// What the published figures were measured on.
    pub published_hardware: &'static str,
    /// The block, by clusters and modes.
    pub blocks: Vec<BlockBench>,
    /// Many objects.
    pub objects: ObjectsBench,
}

/// A step of a block.
#[derive(Clone, Debug, Serialize)]
pub struct BlockBench {
    /// Clusters.
    pub clusters: usize,
    /// What their goals follow.
    pub mode: &'static str,
    /// Points.
    pub points: usize,
    /// Members of all clusters: points in two count twice.
    pub members: usize,
    /// Time of a step [s].
    pub step: Timing,
    /// Steps in a second.
    pub steps_per_s: f64,
    /// Mean times of its passes by the device's clock [µs]; none without timestamps.
    pub passes: Vec<(&'static str, f64)>,
}

/// A step of many objects.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectsBench {
    /// Objects.
    pub objects: usize,
    /// Points of all.
    pub points: usize,
    /// Clusters of all.
    pub clusters: usize,
    /// Members of all clusters.
    pub members: usize,
    /// Length of a step [s].
    pub step_s: f64,
    /// Time of a step [s].
    pub step: Timing,
    /// Simulated over measured time.
    pub simulated_s_per_s: f64,
    /// Time of a step and an object [ms]; published: 0.008 to 0.096, quadratic.
    pub ms_per_object: f64,
    /// Mean times of its passes by the device's clock [µs]; none without timestamps.
    pub passes: Vec<(&'static str, f64)>,
}

/// Measures.
///
/// # Errors
/// When the device is lost.
pub fn shape(context: &Context) -> Result<ShapeBench> {
    let modes = [Mode::Linear, Mode::Quadratic];
    let counts = [1, 2, 4].map(|n| modes.map(|mode| (mode, [n; 3])));
    let blocks = counts.concat().into_iter();
    Ok(ShapeBench {
        published_hardware: PUBLISHED_HARDWARE,
        blocks: blocks.map(|(mode, count)| block(context, mode, count)).collect::<Result<_>>()?,
        objects: objects(context)?,
    })
}

fn block(context: &Context, mode: Mode, count: [u32; 3]) -> Result<BlockBench> {
    let mut world = World::new(context, &block_scene(mode, count))?;
    let (step, passes) = measure(&mut world)?;
    Ok(BlockBench {
        clusters: world.model().clusters.len(),
        mode: mode.name(),
        points: world.model().positions.len(),
        members: members(&world),
        steps_per_s: 1.0 / step.median,
        step,
        passes,
    })
}

/// The block, in so many clusters along the axes.
pub fn block_scene(mode: Mode, count: [u32; 3]) -> Scene {
    let mut body = lattice("block", BLOCK, mode, count);
    body.scatter = 0.2 * SPACING;
    free(vec![body])
}

fn objects(context: &Context) -> Result<ObjectsBench> {
    let mut world = World::new(context, &many())?;
    let (step, passes) = measure(&mut world)?;
    let (model, step_s) = (world.model(), world.stepping().step);
    Ok(ObjectsBench {
        objects: model.bodies.len(),
        points: model.positions.len(),
        clusters: model.clusters.len(),
        members: members(&world),
        step_s,
        simulated_s_per_s: step_s / step.median,
        ms_per_object: 1e3 * step.median / model.bodies.len() as f64,
        step,
        passes,
    })
}

fn members(world: &World) -> usize {
    let clusters = world.model().clusters.iter();
    clusters.map(|cluster| cluster.members.len()).sum()
}

/// The time of a step, and of its passes.
fn measure(world: &mut World) -> Result<(Timing, Vec<(&'static str, f64)>)> {
    let timing = time(|| steps(world, STEPS))?;
    let mut passes = Vec::new();
    if world.context().has_timestamps() {
        world.set_profiling(true);
        steps(world, STEPS)?;
        for (name, _, times) in world.passes() {
            passes.extend(times.map(|times| (name, times.mean())));
        }
        world.set_profiling(false);
    }
    Ok((timing.per(STEPS), passes))
}

/// Bodies that touch nothing, at 60 steps a second.
fn free(bodies: Vec<Body>) -> Scene {
    let mut scene = Scene { bodies, ..Scene::default() };
    scene.world.integrator = Integrator::SymplecticEuler;
    scene.world.step = Step::Fixed(1.0 / 60.0);
    for body in &mut scene.bodies {
        body.group = 0;
    }
    scene
}

/// Points in rows.
fn lattice(name: &str, points: [u32; 3], mode: Mode, count: [u32; 3]) -> Body {
    let rows = (0..points[2]).flat_map(|z| (0..points[1]).map(move |y| (y, z)));
    let rows = rows.flat_map(|(y, z)| (0..points[0]).map(move |x| [x, y, z]));
    let places = rows.map(|at| DVec3::from(at.map(f64::from)) * SPACING);
    let mut body = Body::new(name, MeshSource::Points(places.collect()));
    body.kind = ShapeMatching {
        pull: Pull::Alpha(0.5),
        beta: 0.5,
        mode,
        relaxation: 0.0,
        clusters: Clusters::Grid { count, overlap: 1.0 },
        ..ShapeMatching::default()
    }
    .into();
    body
}

/// 384 objects of 55 200 points in 2448 clusters, falling on a floor.
pub fn many() -> Scene {
    let mut bodies = Vec::new();
    for index in 0..8 * GROUPS {
        let (points, count) =
            if index % 8 == 7 { ([5, 5, 4], [3, 3, 1]) } else { ([6, 5, 5], [3, 2, 1]) };
        let mut body = lattice(&format!("{index}"), points, Mode::Quadratic, count);
        let place = |n: usize| 0.5 * n as f64;
        body.position = [place(index % 24), 0.5, place(index / 24)];
        body.rotation = [0.1 * index as f64, 0.3, 0.0];
        bodies.push(body);
    }
    let mut scene = free(bodies);
    scene.world.floor = Some(0.0);
    scene
}

/// Prints all tables.
pub fn print(bench: &ShapeBench) {
    say!(
        "\nshape matching, a block of points; wall-clock time including a wait, median (min to max) of 7 repeats; published: 50 \
         pictures/s in 8 clusters on a {}",
        bench.published_hardware
    );
    say!(
        "{:>8} {:>9} {:<10} {:>8} {:>26} {:>9}  µs of each pass",
        "points",
        "clusters",
        "mode",
        "members",
        "ms per step",
        "steps/s"
    );
    for block in &bench.blocks {
        say!(
            "{:>8} {:>9} {:<10} {:>8} {:>26} {:>9.0}  {}",
            block.points,
            block.clusters,
            block.mode,
            block.members,
            block.step.millis(),
            block.steps_per_s,
            passes(&block.passes)
        );
    }
    let objects = &bench.objects;
    say!(
        "\n{} objects, {} points, {} quadratic clusters of {} members: {} ms per step",
        objects.objects,
        objects.points,
        objects.clusters,
        objects.members,
        objects.step.millis()
    );
    say!(
        "at steps of {:.2} ms: {:.2} simulated seconds per second; {:.4} ms per object and step (published: 0.008 to 0.096)",
        1e3 * objects.step_s,
        objects.simulated_s_per_s,
        objects.ms_per_object
    );
    say!("µs of each pass: {}", passes(&objects.passes));
}

fn passes(passes: &[(&'static str, f64)]) -> String {
    let pass = |(name, micros): &(&'static str, f64)| format!("{name} {micros:.0}");
    passes.iter().map(pass).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::internals::model::Model;

    #[test]
    fn scenes_have_the_published_sizes() {
        let model = Model::new(&many(), "", u64::MAX).unwrap();
        let counts = [model.bodies.len(), model.positions.len(), model.clusters.len()];
        assert_eq!(counts, [384, 55_200, 2448]);
        for (n, want) in [(1, 1), (2, 8), (4, 64)] {
            let body = lattice("block", BLOCK, Mode::Linear, [n; 3]);
            let model = Model::new(&free(vec![body]), "", u64::MAX).unwrap();
            assert_eq!((model.positions.len(), model.clusters.len()), (10_000, want));
        }
    }
}
