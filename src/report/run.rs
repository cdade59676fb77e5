//! The report of a run, as JSON. Its keys are stable: scripts depend on them.

use crate::extreme;
use serde::Serialize;

use super::measure::{CRUSHED, volume_share};
use super::{BodyMeasure, Energy, Measure, Momentum, Solve};
use crate::Result;
use crate::collide::{ContactStats, can_touch};
use crate::gpu::types::{MAX_AHEAD, MAX_HITS, MAX_SPHERE_HITS, MAX_TRIANGLE_HITS};
use crate::integrate::auto::Pick;
use crate::mesh::Bounds;
use crate::model::{BodyRanges, Model};
use crate::world::{Contacts, Snapshot, World};

/// A run's report.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// This crate's version.
    pub pliant: &'static str,
    /// The scene's path as given.
    pub scene: String,
    /// What it ran on.
    pub adapter: AdapterReport,
    /// Steps since the scene's start.
    pub steps: u64,
    /// Time since the scene's start [s].
    pub time: f64,
    /// How time advanced.
    pub integrator: &'static str,
    /// Why it was picked, where the scene left it open; else null.
    pub picked: Option<Pick>,
    /// Length of a step [s]: the mean where they differ.
    pub step: f64,
    /// The shortest step of this run [s].
    pub step_min: f64,
    /// The longest [s].
    pub step_max: f64,
    /// Steps of this run that were taken again in shorter ones: automatic steps that were too long for what happened in them,
    /// adaptive ones whose error was too large.
    pub steps_retaken: u64,
    /// Spring gathers per step that exact damping takes; 1 where one is all.
    pub damping_gathers: u32,
    /// Mean share of the damping constant that acts, over the springs of the last state: 1 where damping is whole.
    pub damping_share: f64,
    /// Time spent on steps, without start-up and output [s].
    pub wall_s: f64,
    /// Steps of this run per second of `wall_s`.
    pub steps_per_s: f64,
    /// Of positions and velocities, 16 hexadecimal digits.
    pub state_hash: String,
    /// How much was simulated.
    pub counts: Counts,
    /// Per kernel.
    pub passes: Vec<PassReport>,
    /// Contact between bodies.
    pub contact: ContactReport,
    /// How implicit steps were solved; null where there are none.
    pub solve: Option<Solve>,
    /// Of the last state.
    pub energy: Energy,
    /// Of the last state.
    pub momentum: Momentum,
    /// One per frame.
    pub samples: Vec<Sample>,
    /// The last state of each body.
    pub bodies: Vec<BodyMeasure>,
    /// What a user should know.
    pub warnings: Vec<String>,
    /// What stopped the run; empty on success.
    pub faults: Vec<String>,
}

/// The adapter of a run.
#[derive(Clone, Debug, Serialize)]
pub struct AdapterReport {
    /// Its name.
    pub name: String,
    /// vulkan, metal or dx12.
    pub backend: String,
    /// discrete, integrated, virtual, cpu or other.
    pub kind: &'static str,
}

impl AdapterReport {
    /// What a report says of an adapter.
    #[must_use]
    pub fn new(info: &wgpu::AdapterInfo) -> Self {
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "cpu",
            wgpu::DeviceType::Other => "other",
        };
        Self {
            name: info.name.clone(),
            backend: info.backend.to_string(),
            kind,
        }
    }
}

/// Numbers of elements.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Counts {
    pub bodies: usize,
    pub particles: usize,
    pub springs: usize,
    pub tets: usize,
    pub triangles: usize,
    pub clusters: usize,
    pub rigid: usize,
}

/// A kernel's calls and times.
#[derive(Clone, Debug, Serialize)]
pub struct PassReport {
    /// The kernel.
    pub name: &'static str,
    /// Dispatches in this run.
    pub calls: u64,
    /// Mean over the timed dispatches [µs]; null where the device has no timestamps.
    pub mean_us: Option<f64>,
    /// The slowest timed dispatch [µs]; null likewise.
    pub max_us: Option<f64>,
}

/// Contact between bodies. Means and maxima are over the steps of this run; those of the triangles are over its frames
/// after the start: they are counted on the host where a frame is read.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ContactReport {
    /// Points inside another body or within its margin.
    pub points_mean: f64,
    /// The most of them in a step.
    pub points_max: u64,
    /// Surface triangles with a corner that is such a point or belongs to a tetrahedron that holds one.
    pub triangles_mean: f64,
    /// The most of them in a frame.
    pub triangles_max: u64,
    /// Mean depth of the contacts that are inside, in mean edges.
    pub penetration_mean: f64,
    /// The deepest, in mean edges.
    pub penetration_max: f64,
    /// Points in more than four bodies at once: the sum over the steps.
    pub overflow: u64,
    /// Points of others and triangles that points of clouds and shells with contacts had no room for in their lists, the
    /// furthest away: the sum over the steps.
    pub dropped: u64,
    /// Points in another body that no way out was found for: the sum over the steps.
    pub lost: u64,
}

impl ContactReport {
    /// From what was counted in the steps, and in the frames.
    #[must_use]
    pub fn new(stats: &ContactStats, samples: &[Sample]) -> Self {
        let mean = |sum: f64, of: u64| if of > 0 { sum / of as f64 } else { 0.0 };
        let frames = samples.iter().filter(|sample| sample.time > 0.0);
        let triangles: Vec<u64> = frames.map(|frame| frame.colliding_triangles).collect();
        Self {
            points_mean: mean(stats.points as f64, stats.steps),
            points_max: stats.points_max,
            penetration_mean: mean(stats.depth, stats.inside),
            penetration_max: stats.depth_max,
            triangles_mean: mean(triangles.iter().sum::<u64>() as f64, triangles.len() as u64),
            triangles_max: triangles.iter().copied().max().unwrap_or(0),
            overflow: stats.overflowed,
            dropped: stats.dropped,
            lost: stats.lost,
        }
    }
}

/// Of each body that is there and has lost most of the volume that it began with.
fn crushed_warnings(bodies: &[BodyMeasure], model: &Model) -> Vec<String> {
    let present = bodies
        .iter()
        .zip(&model.bodies)
        .filter(|(_, ranges)| !ranges.absent);
    let began = |ranges: &BodyRanges| volume_share(model, ranges, |i| model.positions[i as usize]);
    let crushed = present.filter(|(body, ranges)| {
        body.volume < CRUSHED * body.volume_rest && began(ranges) >= CRUSHED
    });
    let sentence = |(body, _): (&BodyMeasure, &BodyRanges)| {
        format!(
            "body \"{}\" is crushed to {:.2} of its volume: what it is made of is too soft for its size, its weight or what \
             contact_blocks it",
            body.name,
            (body.volume / body.volume_rest).max(0.0)
        )
    };
    crushed.map(sentence).collect()
}

/// Part of the points in other bodies that may find no way out: at a first touch some see only faces that look away.
const MOST_LOST: f64 = 0.1;

/// What a user should know of the contacts that were counted.
fn contact_warnings(stats: &ContactStats) -> Vec<String> {
    let mut warnings = Vec::new();
    if stats.grown > 0 {
        warnings.push(format!(
            "contact lists were grown {}, and the steps that had found them too short were repeated; the results do \
             not depend on it",
            times(stats.grown)
        ));
    }
    if stats.overflowed > 0 {
        warnings.push(format!(
            "{} a point was in more than {MAX_HITS} bodies at once and touched only the first {MAX_HITS} of them; fewer \
             bodies in one place, or a shorter `step` where they sink into each other, help",
            times(stats.overflowed)
        ));
    }
    if stats.dropped > 0 {
        warnings.push(format!(
            "{} a point of a cloud or shell had no room in its list for one more that it was near: the nearest \
             {MAX_SPHERE_HITS} points of others and {MAX_TRIANGLE_HITS} triangles are kept, others push on it only if \
             it is in their lists; a smaller `radius`, or points further apart, help",
            times(stats.dropped)
        ));
    }
    if stats.lost as f64 > MOST_LOST * stats.points as f64 {
        warnings.push(format!(
            "{} of {} times that a point was in another body no way out was found for it, and nothing pushed it: bodies lie \
             too deep in each other, more room at the start or a shorter `step` helps",
            stats.lost, stats.points
        ));
    }
    warnings
}

/// Of each body that a step carried further in one of the `samples` than contact sees: of spheres that is how far it looks
/// ahead, of meshes, which it looks for in each other, half of what they measure where they are thinnest.
fn speed_warnings(world: &World, samples: &[Sample]) -> Vec<String> {
    let (scene, model) = (world.scene(), world.model());
    if !can_touch(scene) || model.bodies.len() < 2 {
        return Vec::new();
    }
    let step = world.stepping().step;
    let thickness = |body: &BodyRanges| {
        let bounds = Bounds::of(model.positions[body.particles.clone()].iter().copied());
        (bounds.max - bounds.min).min_element()
    };
    let mut thinnest: Vec<f64> = model.bodies.iter().map(thickness).collect();
    let own = thinnest.clone();
    thinnest.sort_by(f64::total_cmp);
    let mut warnings = Vec::new();
    for (b, body) in model.bodies.iter().enumerate() {
        let speeds = samples.iter().filter_map(|sample| sample.bodies.get(b));
        let fastest = speeds
            .map(|body| body.max_speed)
            .fold(0.0, extreme::greatest);
        let (seen, what) = if body.radius > 0.0 {
            let ahead = f64::from(MAX_AHEAD) * body.edge;
            (
                ahead,
                format!("contact looks {ahead:.3e} m ahead of its points, which"),
            )
        } else {
            let other = thinnest[usize::from(own[b] <= thinnest[0])];
            let seen = 0.5 * (own[b] + other);
            (
                seen,
                format!(
                    "it and the thinnest other body measure {:.3e} m: it",
                    2.0 * seen
                ),
            )
        };
        if step * fastest > seen {
            warnings.push(format!(
                "body \"{}\" moved at {fastest:.3} m/s, {:.3e} m in a step; {what} may pass through others: at that speed a \
                 `step` of at most {:.3e} s is safe",
                body.name,
                step * fastest,
                seen / fastest
            ));
        }
    }
    warnings
}

fn times(count: u64) -> String {
    match count {
        1 => "once".into(),
        count => format!("{count} times"),
    }
}

/// A frame's energies.
#[derive(Clone, Debug, Serialize)]
pub struct Sample {
    /// [s]
    pub time: f64,
    /// [J]
    #[serde(flatten)]
    pub energy: Energy,
    /// Surface triangles that take part in contact between bodies, see [`ContactReport::triangles_mean`].
    pub colliding_triangles: u64,
    /// One per body.
    pub bodies: Vec<BodySample>,
}

/// A body in a frame.
#[derive(Clone, Debug, Serialize)]
pub struct BodySample {
    /// Centre of mass [m].
    pub centroid: [f64; 3],
    /// [J]
    pub kinetic: f64,
    /// [J]
    pub elastic: f64,
    /// Of its fastest particle [m/s].
    #[serde(skip)]
    pub max_speed: f64,
}

impl Sample {
    /// A frame's sample.
    #[must_use]
    pub fn new(time: f64, measure: &Measure, contacts: &Contacts) -> Self {
        let body = |b: &BodyMeasure| BodySample {
            centroid: b.centroid,
            kinetic: b.kinetic,
            elastic: b.elastic,
            max_speed: b.max_speed,
        };
        Self {
            time,
            energy: measure.energy,
            colliding_triangles: contacts.triangles as u64,
            bodies: measure.bodies.iter().map(body).collect(),
        }
    }
}

impl RunReport {
    /// Reports the state of a world; `ran` is the number of steps of this run, `wall` the seconds that they took.
    ///
    /// # Errors
    /// When the device is lost; a state of another world.
    pub fn new(
        world: &mut World,
        scene: String,
        state: &Snapshot,
        ran: u64,
        wall: f64,
        samples: Vec<Sample>,
    ) -> Result<Self> {
        let state_hash = format!("{:016x}", world.state_hash()?);
        let measure = Measure::new(world, state)?;
        let model = world.model();
        let stepping = *world.stepping();
        let counts = world.step_counts();
        let mut warnings = world.warnings().to_vec();
        for warning in crate::setup::range_warnings(model, |i| state.positions[i].as_dvec3()) {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings.extend(contact_warnings(&world.contacts()));
        warnings.extend(crushed_warnings(&measure.bodies, model));
        warnings.extend(speed_warnings(world, &samples));
        warnings.extend(world.solve().and_then(|solve| solve.warning()));
        if counts.forced > 0 {
            warnings.push(format!(
                "{} steps had a larger error than `step_error`: none are shorter than {:.3e} s",
                counts.forced, counts.shortest
            ));
        }
        let passes = world
            .passes()
            .into_iter()
            .map(|(name, calls, time)| PassReport {
                name,
                calls,
                mean_us: time.map(|time| time.mean()),
                max_us: time.map(|time| time.max),
            });
        Ok(Self {
            pliant: env!("CARGO_PKG_VERSION"),
            scene,
            adapter: AdapterReport::new(world.context().info()),
            steps: state.steps,
            time: state.time,
            integrator: stepping.integrator.name(),
            picked: world.pick().cloned(),
            step: counts.mean(),
            step_min: counts.shortest,
            step_max: counts.longest,
            steps_retaken: counts.retaken,
            damping_gathers: stepping.damping_stages,
            damping_share: world.damping_share(state)?,
            wall_s: wall,
            steps_per_s: if wall > 0.0 { ran as f64 / wall } else { 0.0 },
            state_hash,
            counts: Counts {
                bodies: model.bodies.len(),
                particles: model.positions.len(),
                springs: model.spring_count(),
                tets: model.tets.len(),
                triangles: model.triangles.len(),
                clusters: model.clusters.len(),
                ..Counts::default()
            },
            passes: passes.collect(),
            contact: ContactReport::new(&world.contacts(), &samples),
            solve: world.solve(),
            energy: measure.energy,
            momentum: measure.momentum,
            samples,
            bodies: measure.bodies,
            warnings,
            faults: Vec::new(),
        })
    }
}
