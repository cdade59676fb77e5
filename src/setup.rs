//! What a world settles before its first step: obstacles, materials, the step's length, how damping is done.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3, Vec3};

use crate::body::damping::{self, Budget, MAX_GATHERS};
use crate::gpu::types::{
    self, Body as GpuBody, DAMPING_CAPPED, DAMPING_EXACT, DAMPING_EXPLICIT, Externals, KIND_FEM,
    KIND_SHAPE, KIND_SPRINGS, MAX_AHEAD, MAX_PULLS, MAX_SOLIDS, PROBE_MARGIN, Particle,
    Pull as GpuPull, Sim, Solid as GpuSolid,
};
use crate::integrate::bounds::{Rates, longest_step};
use crate::integrate::doubling::MOST_HALVINGS;
use crate::integrate::least_damping::least_damping;
use crate::model::{Model, needle, rotation_matrix};
use crate::scene::{DampingMode, Event, Integrator, Kind, Plasticity, Pull, Scene, Solid, Step};
use crate::{Error, Result};

/// Share of the stability bound that an automatic step uses.
pub const SAFETY: f64 = 0.8;
/// δ over the mean edge: a gap below this counts as touching.
pub const MARGIN: f64 = 0.01;
/// Spheres that approach each other or a surface as fast as this [m/s] are seen a step ahead at the automatic step: what
/// has fallen 5 m, the speed of most scenes. Bodies that start faster shorten the step further; how fast others will
/// become is not known before, and a run warns of what went too far in a step.
const SEEN_AT: f64 = 10.0;
/// The longest automatic step of implicit integrators [s]: nothing bounds it but what a picture should show of the motion.
const LONGEST_IMPLICIT: f64 = 1.0 / 24.0;
/// More substeps than this in one frame are refused.
const MAX_SUBSTEPS: f64 = 100_000.0;

/// How time advances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepping {
    /// The integrator, picked where the scene leaves it to us.
    pub integrator: Integrator,
    /// h [s]; of an adaptive step the longest.
    pub step: f64,
    /// s: spring gathers per substep.
    pub gathers: u32,
    /// Ticks in h: 1, of an adaptive step 2 to the power of the most halvings.
    pub ticks: u32,
}

impl Stepping {
    /// What time is counted in \[s\].
    #[must_use]
    pub fn tick(&self) -> f64 {
        self.step / f64::from(self.ticks)
    }
}

/// Material and contact constants of each body; ranges and rates are filled in later.
pub fn bodies(scene: &Scene, model: &Model) -> Vec<GpuBody> {
    let bodies = scene
        .bodies
        .iter()
        .zip(&model.bodies)
        .map(|(body, ranges)| GpuBody {
            distance: ranges.material.distance as f32,
            volume: ranges.material.volume as f32,
            damping: ranges.material.damping as f32,
            friction: body.friction.unwrap_or(scene.world.friction) as f32,
            restitution: body.restitution.unwrap_or(scene.world.restitution) as f32,
            margin: (MARGIN * ranges.edge) as f32,
            probe_scale: 1.0,
            damping_mode: match damping_mode(scene.world.integrator, body.damping_mode) {
                DampingMode::Explicit => DAMPING_EXPLICIT,
                DampingMode::Capped => DAMPING_CAPPED,
                DampingMode::Exact => DAMPING_EXACT,
            },
            group: body.group,
            mask: body.mask,
            self_contact: u32::from(scene.world.self_contact),
            edge: ranges.edge as f32,
            varied: u32::from(ranges.varied),
            area: ranges.material.area as f32,
            radius: ranges.radius as f32,
            ..of_kind(&body.kind)
        });
    bodies.collect()
}

/// The constants of a body's kind, but those of springs.
fn of_kind(kind: &Kind) -> GpuBody {
    let flowing = |plasticity: &Plasticity| GpuBody {
        yield_strain: plasticity.yield_strain.min(f64::from(f32::MAX)) as f32,
        creep: plasticity.creep as f32,
        plastic_most: plasticity.most as f32,
        ..GpuBody::default()
    };
    match kind {
        Kind::Springs(_) => GpuBody {
            kind: KIND_SPRINGS,
            ..GpuBody::default()
        },
        Kind::Fem(fem) => GpuBody {
            kind: KIND_FEM,
            law: fem.law as u32,
            relaxation: fem.relaxation as f32,
            ..flowing(&fem.plasticity)
        },
        Kind::Shape(shape) => {
            let (alpha, pull_rate) = match shape.pull {
                Pull::Alpha(alpha) => (alpha, 0.0),
                Pull::Frequency(frequency) => (0.0, (TAU * frequency).powi(2)),
            };
            GpuBody {
                kind: KIND_SHAPE,
                alpha: alpha as f32,
                pull_rate: pull_rate as f32,
                beta: shape.beta as f32,
                relaxation: shape.relaxation as f32,
                ..flowing(&shape.plasticity)
            }
        }
    }
}

/// The body's own choice, or exact, but of Runge–Kutta methods explicit: rk4 would lose its order by the other modes.
/// Implicit steps have the damping in their forces.
pub fn damping_mode(integrator: Integrator, chosen: Option<DampingMode>) -> DampingMode {
    let default = if damping::halves(integrator) || integrator.is_implicit() {
        DampingMode::Explicit
    } else {
        DampingMode::Exact
    };
    chosen.unwrap_or(default)
}

/// Whether some body's stiffness is followed as it deforms: the share of its damping that is free depends on it.
pub fn follows_stiffness(scene: &Scene) -> bool {
    let integrator = scene.world.integrator;
    scene.bodies.iter().any(|body| {
        !matches!(body.kind, Kind::Shape(_))
            && damping_mode(integrator, body.damping_mode) != DampingMode::Explicit
    })
}

/// Obstacles and pulls, and how many of each; a checked scene has no more than fit.
pub fn externals(scene: &Scene, model: &Model, step: f64) -> (Externals, u32, u32) {
    let floor = scene.world.floor.map(|height| Solid::Plane {
        position: [0.0, height, 0.0],
        normal: [0.0, 1.0, 0.0],
    });
    let solids: Vec<_> = floor.iter().chain(&scene.solids).map(gpu_solid).collect();
    let pulls: Vec<_> = scene
        .events
        .iter()
        .filter_map(|event| pull(event, scene, model, step))
        .collect();
    let mut externals = Externals {
        solids: [GpuSolid::default(); MAX_SOLIDS as usize],
        pulls: [GpuPull::default(); MAX_PULLS as usize],
    };
    externals.solids[..solids.len()].copy_from_slice(&solids);
    externals.pulls[..pulls.len()].copy_from_slice(&pulls);
    let solid_count = if scene.world.contact {
        solids.len() as u32
    } else {
        0
    };
    (externals, solid_count, pulls.len() as u32)
}

/// A solid as the kernels see it.
pub fn gpu_solid(solid: &Solid) -> GpuSolid {
    let vec = |v: [f64; 3]| DVec3::from(v).as_vec3();
    match *solid {
        Solid::Plane { position, normal } => GpuSolid {
            centre: vec(position),
            kind: types::SOLID_PLANE,
            extent: DVec3::from(normal).normalize().as_vec3(),
            ..GpuSolid::default()
        },
        Solid::Sphere { position, radius } => GpuSolid {
            centre: vec(position),
            kind: types::SOLID_SPHERE,
            extent: Vec3::new(radius as f32, 0.0, 0.0),
            ..GpuSolid::default()
        },
        Solid::Box {
            position,
            size,
            rotation,
        } => GpuSolid {
            centre: vec(position),
            kind: types::SOLID_BOX,
            extent: 0.5 * vec(size),
            rotation: DQuat::from_mat3(&rotation_matrix(rotation))
                .as_quat()
                .into(),
            ..GpuSolid::default()
        },
    }
}

fn pull(event: &Event, scene: &Scene, model: &Model, step: f64) -> Option<GpuPull> {
    let Event::LineForce {
        body,
        point,
        force,
        from,
        to,
    } = event
    else {
        return None;
    };
    let body = scene.bodies.iter().position(|b| b.name == *body)?;
    let index = |time: f64| u32::try_from(step_at(time, step)).unwrap_or(u32::MAX);
    Some(GpuPull {
        force: DVec3::from(*force).as_vec3(),
        particle: model.nearest(body, DVec3::from(*point)) as u32,
        steps: glam::UVec4::new(index(*from), index(*to), 0, 0),
    })
}

/// The step that begins nearest to a time [s]. Events last from the step of their start to before that of their end.
fn step_at(time: f64, step: f64) -> u64 {
    (time / step).round() as u64
}

/// Velocity of the air in a step: that of the last wind that blows then.
pub fn wind(scene: &Scene, index: u64, step: f64) -> Vec3 {
    let blowing = scene.events.iter().rev().find_map(|event| match event {
        Event::Wind { velocity, from, to }
            if (step_at(*from, step)..step_at(*to, step)).contains(&index) =>
        {
            Some(*velocity)
        }
        _ => None,
    });
    blowing.map_or(Vec3::ZERO, |velocity| DVec3::from(velocity).as_vec3())
}

/// Eigenvalues that the device estimated for one body, without safety factor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate {
    /// Largest eigenvalue of M⁻¹K [1/s²].
    pub stiffness: f64,
    /// Largest eigenvalue of M⁻¹C [1/s].
    pub damping: f64,
    /// max σ_i + σ_j over the springs, of finite elements their largest rate [1/s].
    pub rate: f64,
}

/// The largest σ_i + σ_j over each body's springs, of finite elements their largest rate at the start.
pub fn largest_rates(model: &Model, particles: &[Particle]) -> Vec<f64> {
    let rate = |i: u32| f64::from(particles[i as usize].damping_rate);
    let largest = |springs: &[crate::model::Spring]| {
        springs
            .iter()
            .map(|spring| rate(spring.points[0]) + rate(spring.points[1]))
            .fold(0.0, f64::max)
    };
    model
        .bodies
        .iter()
        .map(|body| {
            let elements = &model.elements[body.elements.clone()];
            let rates = elements.iter().map(|element| {
                element.damping_rate(element.corners.map(|i| model.positions[i as usize]))
            });
            rates.fold(largest(&model.springs[body.springs.clone()]), f64::max)
        })
        .collect()
}

/// Largest error of a step \[m\] that an adaptive step may have by default, over the smallest of the bodies' mean edges.
const STEP_ERROR: f64 = 1e-3;

/// The largest error of a step \[m\] where the step is adaptive.
///
/// # Errors
/// Shape matching whose pull is given per step: it is another material with every step.
pub fn step_error(scene: &Scene, model: &Model) -> Result<Option<f64>> {
    let Step::Adaptive(error) = scene.world.step else {
        return Ok(None);
    };
    for body in &scene.bodies {
        if let Kind::Shape(shape) = &body.kind
            && matches!(shape.pull, Pull::Alpha(_))
        {
            return Err(Error::value(
                "world.step",
                "\"adaptive\"",
                format!(
                    "a `frequency` of body \"{}\" instead of `alpha`, which acts per step",
                    body.name
                ),
            ));
        }
    }
    let edges = model.bodies.iter().map(|body| body.edge);
    let least = edges.fold(f64::INFINITY, f64::min);
    Ok(Some(error.unwrap_or(STEP_ERROR * least)))
}

/// What a world settles about its step.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How time advances.
    pub stepping: Stepping,
    /// The longest stable step by the bodies' rates [s]: 0 where every step is unstable, infinite where none is.
    pub longest: f64,
    /// The body that a fixed step is too long for, and the warning.
    pub too_long: Option<(usize, String)>,
    /// Other warnings.
    pub warnings: Vec<String>,
}

/// Chooses the step and the number of gathers, and says what to be warned of.
///
/// # Errors
/// Rates that f32 cannot hold; an automatic step for an integrator that no step makes stable with the bodies' damping.
pub fn stepping(scene: &Scene, model: &Model, estimates: &[Estimate]) -> Result<Choice> {
    let world = &scene.world;
    for (body, estimate) in model.bodies.iter().zip(estimates) {
        let rates = [estimate.stiffness, estimate.damping, estimate.rate];
        if !rates.iter().all(|rate| rate.is_finite()) {
            let want = "softer, heavier or coarser: its rates are beyond f32".to_string();
            let want = want + &needle::note(model, body);
            return Err(Error::value(
                format!("body \"{}\"", body.name),
                "too stiff for its mass",
                want,
            ));
        }
    }
    let bounds: Vec<_> = estimates
        .iter()
        .enumerate()
        .map(|(index, estimate)| {
            longest_step(world.integrator, &rates(scene, model, index, estimate))
        })
        .collect();
    let tightest = (0..bounds.len()).min_by(|a, b| bounds[*a].total_cmp(&bounds[*b]));
    let longest = tightest.map_or(f64::INFINITY, |index| bounds[index]);
    let name = tightest.map_or("", |index| model.bodies[index].name.as_str());
    let needle = tightest.map_or(String::new(), |i| needle::note(model, &model.bodies[i]));
    let mut too_long = None;
    let adaptive = matches!(world.step, Step::Adaptive(_));
    let step = match world.step {
        Step::Fixed(step) => {
            if step > longest {
                let warning = too_long_warning(name, step, world.integrator, longest);
                too_long = tightest.zip(Some(warning + &needle));
            }
            step
        }
        Step::Auto | Step::Adaptive(_) => {
            let pulled = fastest_pull(scene);
            let longest = match world.integrator.is_implicit() {
                true => LONGEST_IMPLICIT / SAFETY,
                false => longest,
            };
            let longest_at = (SAFETY * longest).min(seen_ahead(scene, model));
            let longest_at = longest_at.min(pulled.map_or(f64::INFINITY, |(_, longest)| longest));
            let mut substeps = (1.0 / (world.fps * longest_at)).ceil().max(1.0);
            if adaptive {
                // Frames are whole numbers of pairs of steps.
                substeps = substeps.max(2.0).log2().ceil().exp2();
            }
            if substeps > MAX_SUBSTEPS {
                if let Some((body, longest)) = pulled.filter(|(_, longest)| *longest <= longest_at)
                {
                    let want = format!(
                        "a lower `frequency` of body \"{}\": its longest good step of {longest:.3e} s would take more than \
                         {MAX_SUBSTEPS} steps a frame",
                        scene.bodies[body].name
                    );
                    return Err(Error::value("world.step", "\"auto\"", want));
                }
                return Err(Error::value(
                    "world.step",
                    "\"auto\"",
                    refusal(name, world.integrator, longest) + &needle,
                ));
            }
            1.0 / (world.fps * substeps)
        }
    };
    let (gathers, mut warnings) = gathers(scene, model, estimates, step);
    warnings.extend(slow_pulls(scene, step));
    Ok(Choice {
        stepping: Stepping {
            integrator: world.integrator,
            step,
            gathers,
            ticks: if adaptive { 1 << MOST_HALVINGS } else { 1 },
        },
        longest,
        too_long,
        warnings,
    })
}

/// 1/ω \[s\] of a body that is pulled to its shape at a given frequency: in longer steps α = h²ω² would pass 1, and is
/// cut there. Implicit steps bear any.
fn longest_pull(scene: &Scene, body: usize) -> Option<f64> {
    if scene.world.integrator.is_implicit() {
        return None;
    }
    match &scene.bodies[body].kind {
        Kind::Shape(shape) => match shape.pull {
            Pull::Frequency(frequency) if frequency > 0.0 => Some(1.0 / (TAU * frequency)),
            _ => None,
        },
        _ => None,
    }
}

/// The body with the highest such frequency, and the longest step that keeps it.
fn fastest_pull(scene: &Scene) -> Option<(usize, f64)> {
    let all = (0..scene.bodies.len()).filter_map(|body| Some((body, longest_pull(scene, body)?)));
    all.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Says whose frequency the step does not let it have.
fn slow_pulls(scene: &Scene, step: f64) -> Vec<String> {
    let slow = (0..scene.bodies.len()).filter_map(|body| {
        let longest = longest_pull(scene, body)?;
        // As f32 has them.
        (step > longest * (1.0 + 1e-6)).then(|| {
            format!(
                "world.step is {step} s: body \"{}\" is pulled to its shape with a frequency of {:.3} Hz instead of its own; \
                 the longest step that keeps it is {longest:.3e} s",
                scene.bodies[body].name,
                1.0 / (TAU * step)
            )
        })
    });
    slow.collect()
}

/// The longest step in which spheres at [`SEEN_AT`], or as fast as the fastest body starts, go no further than contact
/// looks ahead \[s\]; infinite where none can meet another body.
fn seen_ahead(scene: &Scene, model: &Model) -> f64 {
    if !scene.world.contact || model.bodies.len() < 2 {
        return f64::INFINITY;
    }
    let round = model.bodies.iter().filter(|body| body.radius > 0.0);
    let ahead = round.map(|body| f64::from(MAX_AHEAD) * body.edge);
    let starts = scene
        .bodies
        .iter()
        .map(|body| DVec3::from(body.velocity).length());
    ahead.fold(f64::INFINITY, f64::min) / starts.fold(SEEN_AT, f64::max)
}

/// The gathers that keep every exactly damped body's damping whole, and warnings where that is too many.
fn gathers(scene: &Scene, model: &Model, estimates: &[Estimate], step: f64) -> (u32, Vec<String>) {
    let world = &scene.world;
    let halves = damping::halves(world.integrator);
    let at_most = f64::from(most_gathers(world.integrator));
    let (mut most, mut warnings) = (1.0_f64, Vec::new());
    for (index, estimate) in estimates.iter().enumerate() {
        if damping_mode(world.integrator, scene.bodies[index].damping_mode) != DampingMode::Exact {
            continue;
        }
        let budget = Budget::of(world.integrator);
        let theta = budget.theta(step, stiffness_rate(estimate), world.drag);
        let name = &model.bodies[index].name;
        let wanted = match halves {
            true => damping::half_gathers(step, estimate.rate, theta),
            false => damping::gathers(step, estimate.rate, theta),
        };
        if world.integrator == Integrator::Rk4 && wanted > 1.0 && most <= 1.0 {
            warnings.push(format!(
                "body \"{name}\": rk4 is of order 2 in time with damping_mode \"exact\" at this step; \"explicit\" keeps its order 4"
            ));
        }
        if wanted > at_most {
            warnings.push(format!(
                "body \"{name}\": its damping would take {wanted} gathers a step, {at_most} are taken and it is weakened; a \
                 shorter step keeps it whole"
            ));
        }
        most = most.max(wanted);
    }
    (most.min(at_most) as u32, warnings)
}

/// The most gathers that are taken at a time; those of Legendre's polynomials are odd.
fn most_gathers(integrator: Integrator) -> u32 {
    match damping::halves(integrator) {
        true => MAX_GATHERS - 1,
        false => MAX_GATHERS,
    }
}

/// The highest rate \[1/s\] of springs and finite elements that a mode of damping leaves whole in a body of
/// ω² = `stiffness_rate` \[1/s²\]; `gathers` of the world.
pub fn whole_rate(
    scene: &Scene,
    stepping: &Stepping,
    mode: DampingMode,
    stiffness_rate: f64,
) -> f64 {
    let integrator = scene.world.integrator;
    let gathers = f64::from(stepping.gathers);
    let theta = Budget::of(integrator).theta(stepping.step, stiffness_rate, scene.world.drag);
    let borne = match mode {
        DampingMode::Explicit => f64::INFINITY,
        DampingMode::Exact if gathers > 1.0 && damping::halves(integrator) => {
            damping::halves_reach(gathers)
        }
        DampingMode::Exact => theta * gathers * gathers,
        DampingMode::Capped => theta,
    };
    borne / stepping.step
}

/// Distance from the origin, in smallest edges of a body, up to which f32 holds its shape to a thousandth of that edge.
const RANGE: f64 = 1e4;

/// Says which bodies are too far from the origin for their size.
pub fn range_warnings(model: &Model, position: impl Fn(usize) -> DVec3) -> Vec<String> {
    let mut warnings = Vec::new();
    for body in &model.bodies {
        let rests = model.springs[body.springs.clone()]
            .iter()
            .map(|spring| spring.rest);
        let shortest = match body.springs.is_empty() {
            true => 2.0 * body.radius,
            false => rests.fold(f64::INFINITY, f64::min),
        };
        let distances = body
            .particles
            .clone()
            .map(|i| position(i).abs().max_element());
        let farthest = distances.fold(0.0, f64::max);
        if farthest > RANGE * shortest {
            warnings.push(format!(
                "body \"{}\" is {farthest:.3e} m from the origin, more than {RANGE:.0e} of its smallest edges of {shortest:.3e} m: \
                 positions in f32 hold its shape badly there",
                body.name
            ));
        }
    }
    warnings
}

/// A uniform's constants of θ, those of the integrator.
pub fn with_budget(sim: Sim, integrator: Integrator) -> Sim {
    let Budget { most, scale, slope } = Budget::of(integrator);
    Sim {
        theta_most: most as f32,
        theta_scale: scale as f32,
        theta_slope: slope as f32,
        ..sim
    }
}

/// ω² with its safety factor.
pub fn stiffness_rate(estimate: &Estimate) -> f64 {
    f64::from(PROBE_MARGIN) * f64::from(PROBE_MARGIN) * estimate.stiffness
}

fn rates(scene: &Scene, model: &Model, index: usize, estimate: &Estimate) -> Rates {
    let world = &scene.world;
    let mode = damping_mode(world.integrator, scene.bodies[index].damping_mode);
    let damping = if mode == DampingMode::Explicit {
        f64::from(PROBE_MARGIN) * estimate.damping
    } else {
        0.0
    };
    Rates {
        stiffness: stiffness_rate(estimate).sqrt(),
        damping: damping + world.drag,
        least_damping: if damping::halves(world.integrator) {
            least_damping(model, &model.bodies[index])
        } else {
            0.0
        },
        drag: world.drag,
        mode,
        rate: estimate.rate,
    }
}

fn too_long_warning(name: &str, step: f64, integrator: Integrator, longest: f64) -> String {
    if longest == 0.0 {
        return format!("world.step: {}", refusal(name, integrator, longest));
    }
    format!(
        "world.step is {step} s, above the stability bound of body \"{name}\" with {}; the largest good step is {:.3e} s",
        integrator.name(),
        SAFETY * longest
    )
}

fn refusal(name: &str, integrator: Integrator, longest: f64) -> String {
    if longest == 0.0 {
        format!(
            "another integrator: with so little damping body \"{name}\" is unstable at every step of {}",
            integrator.name()
        )
    } else {
        format!(
            "a softer body \"{name}\": its largest good step of {:.3e} s would take more than {MAX_SUBSTEPS} steps a frame",
            SAFETY * longest
        )
    }
}
