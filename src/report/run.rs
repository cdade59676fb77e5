//! The report of a run, as JSON. Its keys are stable: scripts depend on them.

use serde::Serialize;

use super::{BodyMeasure, Energy, Measure, Momentum, Solve, warnings};
use crate::Result;
use crate::collide::ContactStats;
use crate::integrate::auto::Pick;
use crate::world::{Contacts, PassTime, Snapshot, World};

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
    /// The integrator.
    pub integrator: &'static str,
    /// The choice of `integrator = "auto"` and its reason; else null.
    pub picked: Option<Pick>,
    /// Length of a step [s]; the mean if they differ.
    pub step: f64,
    /// The shortest step of this run [s].
    pub step_min: f64,
    /// The longest [s].
    pub step_max: f64,
    /// Steps of this run that were repeated in shorter ones: automatic steps that turned out too long, adaptive ones whose error
    /// was too large.
    pub steps_retaken: u64,
    /// Passes over springs per step that exact damping takes.
    pub damping_gathers: u32,
    /// Mean fraction of the damping constant that acts, over the springs of the last state; 1 if damping acts in full.
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
    /// How implicit steps were solved; null if there are none.
    pub solve: Option<Solve>,
    /// Of the last state.
    pub energy: Energy,
    /// Of the last state.
    pub momentum: Momentum,
    /// One per frame.
    pub samples: Vec<Sample>,
    /// The last state of each body.
    pub bodies: Vec<BodyMeasure>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// What stopped the run; empty on success.
    pub faults: Vec<String>,
}

/// The adapter of a run.
#[derive(Clone, Debug, Serialize)]
pub struct AdapterReport {
    /// Its name.
    pub name: String,
    /// vulkan, metal, dx12, or threads: of the CPU.
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
        let backend = match info.backend {
            // As CPU threads call themselves for want of a name among wgpu's.
            wgpu::Backend::Noop => "threads".into(),
            other => other.to_string(),
        };
        Self { name: info.name.clone(), backend, kind }
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
    pub asleep: usize,
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

impl PassReport {
    fn all(world: &World) -> Vec<Self> {
        let passes = world.passes().into_iter();
        let report = |(name, calls, time): (&'static str, u64, Option<PassTime>)| Self {
            name,
            calls,
            mean_us: time.map(|time| time.mean()),
            max_us: time.map(|time| time.max),
        };
        passes.map(report).collect()
    }
}

/// Contact between bodies, and of rigid ones also with the floor and solids. Means and maxima are over the steps of this run;
/// those of the triangles are over its frames after the start: they are counted on the host where a frame is read. Depths are in
/// mean edges: over the smaller [`BodyMeasure::edge`] of the two bodies.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ContactReport {
    /// Steps that searched for contacts; the others go by what was found before.
    pub searches: u64,
    /// Contacts: points and edges of deformable bodies, and pairs of convex parts of rigid bodies, each with up to four points.
    pub contacts_mean: f64,
    /// Points of deformable bodies inside another body or within its margin; rigid bodies touch by their parts.
    pub points_mean: f64,
    /// The most of them in a step.
    pub points_max: u64,
    /// Surface triangles of deformable bodies, or of bodies that such touch, with a corner that is such a point or belongs to a
    /// tetrahedron that contains one.
    pub triangles_mean: f64,
    /// The most of them in a frame.
    pub triangles_max: u64,
    /// Mean depth of the penetrating contacts, in mean edges: how far the surfaces would have to be moved apart.
    pub penetration_mean: f64,
    /// The deepest, in mean edges.
    pub penetration_max: f64,
    /// Points in more than four bodies at once: the sum over the steps.
    pub overflow: u64,
    /// Points and triangles of other bodies that did not fit into the contact lists of points of clouds and shells, the most
    /// distant ones: the sum over the steps.
    pub dropped: u64,
    /// Points in another body for which no penetration vector was found: the sum over the steps.
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
            searches: stats.searches,
            contacts_mean: mean(stats.contacts as f64, stats.steps),
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
    /// See [`BodyMeasure::orientation`], like those that follow of rigid bodies alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<[f64; 4]>,
    /// [m/s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// [rad/s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<[f64; 3]>,
    /// Whether it has fallen asleep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asleep: Option<bool>,
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
            orientation: b.orientation,
            velocity: b.velocity,
            angular_velocity: b.angular_velocity,
            asleep: b.asleep,
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
        let asleep = world.asleep_count()?;
        let model = world.model();
        let stepping = *world.stepping();
        let counts = world.step_counts();
        let warnings = warnings::of(world, state, &measure, &samples);
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
                rigid: model.bodies.iter().filter(|body| body.rigid.is_some()).count(),
                asleep,
            },
            passes: PassReport::all(world),
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
