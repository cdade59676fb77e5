//! A scene's own arrays: single steps of a running world against the reference's.

mod explicit;
mod newton;
mod poses;
mod sweeps;
#[cfg(test)]
mod tests;

use encase::{ShaderType, StorageBuffer, internal::CreateFrom};
use glam::{DVec3, Vec3, Vec4};

use super::KernelResult;
use super::case::Case;
use super::errors::ErrorStats;
use super::matched;
use super::oracle::{Scaled, exact};
use super::system::system;
use crate::collide::ContactStats;
use crate::gpu::Context;
use crate::gpu::types::{ClusterState, ContactBlock, FemState, IMPLICIT_STEP, Particle, Pose, Sim};
use crate::integrate;
use crate::model::particles;
use crate::reference::{Integrator, System};
use crate::report::Solve;
use crate::scene::{self, Scene};
use crate::world::World;
use crate::{Error, Result, setup};

/// Steps that are compared.
const ROUNDS: usize = 10;
/// Steps from one comparison to the next.
const AHEAD: u64 = 100;
/// The same of implicit integrators, whose steps are longer.
const AHEAD_IMPLICIT: u64 = 5;

/// Compares steps of a scene with the reference: its start, and some steps on the way through the first thousand, of
/// implicit integrators the first fifty. With explicit ones the scale of an error is the largest in its body, times the
/// number of gathers of its damping; see `sweeps.rs` and `newton.rs` for the others, and `poses.rs` for rigid bodies. The
/// scene's faults are errors.
///
/// # Errors
/// As [`World::new`] and [`World::step`]; an adaptive step; contact between bodies, or of rigid bodies with anything, in a step
/// that is compared, which the reference's steps do not have; rigid bodies with an implicit integrator.
pub fn verify_scene(context: &Context, scene: &Scene) -> Result<Vec<KernelResult>> {
    let context = &super::checked(context);
    if matches!(scene.world.step, scene::Step::Adaptive(_)) {
        let want = "a number [s] or \"auto\": steps of one length are compared";
        return Err(Error::value("world.step", "\"adaptive\"", want));
    }
    let moves = |event: &scene::Event| matches!(event, scene::Event::Move { .. });
    if scene.events.iter().any(moves) {
        let want = "none: the steps that are compared have solids and pins at rest";
        return Err(Error::value("event", "\"move\"", want));
    }
    if !scene.attachments.is_empty() {
        let want = "none: the bodies that are compared hang on nothing";
        return Err(Error::value("attachment", "a tie", want));
    }
    let mut world = World::new(context, scene)?;
    poses::check(&world)?;
    if world.scene().world.step == scene::Step::Auto {
        // Of one length, too, where an automatic one would be halved.
        let mut scene = world.scene().clone();
        scene.world.step = scene::Step::Fixed(world.stepping().step);
        world = World::new(context, &scene)?;
    }
    compare(&mut world, &[|_| ()])
}

/// Compares the start and some steps of a world, for each change of what the reference is given.
fn compare(world: &mut World, changes: &[fn(&mut Case)]) -> Result<Vec<KernelResult>> {
    let (method, name) = method(world);
    let mut case = case(world)?;
    case.particles = particles(&case.model);
    poses::watch(world)?;
    let mut all = Vec::new();
    for _ in changes {
        let mut errors = ErrorStats::new(name, false);
        errors.of(world.content());
        method.start(&case, &Moment::read(world)?, &mut errors)?;
        all.push(errors);
    }
    for _ in 0..ROUNDS {
        let before = Moment::read(world)?;
        case.particles.clone_from(&before.particles);
        let ticks = world.stepping().ticks;
        case.sim.tick = setup::tick_index(world.ticks());
        case.sim.span = ticks as f32;
        case.sim.wind = setup::wind(world.scene(), world.ticks(), ticks.into(), &world.clock());
        let contacts = world.contacts();
        world.step(1)?;
        world.wait()?;
        check_contacts(world, &contacts)?;
        poses::check_contacts(world)?;
        case.bodies = decode(world, bodies_at(world))?;
        let after = Moment::read(world)?;
        let solve = world.report()?.solve;
        for (change, errors) in changes.iter().zip(&mut all) {
            let mut given = case.clone();
            change(&mut given);
            method.step(&given, [&before, &after], solve, errors)?;
        }
        world.step(method.ahead() - 1)?;
        world.wait()?;
    }
    Ok(all.into_iter().map(ErrorStats::result).collect())
}

/// What an integrator's steps are compared with.
#[derive(Clone, Copy, Debug)]
enum Method {
    /// The reference's own step.
    Explicit(Integrator),
    /// So many sweeps in f64.
    Sweeps(u32),
    /// The equation that the step solves.
    Newton,
}

fn method(world: &World) -> (Method, &'static str) {
    let settings = &world.scene().world;
    let explicit = Method::Explicit(settings.integrator);
    match settings.integrator {
        Integrator::Euler => (explicit, "scene:euler"),
        Integrator::SymplecticEuler => (explicit, "scene:symplectic_euler"),
        Integrator::Verlet => (explicit, "scene:verlet"),
        Integrator::Leapfrog => (explicit, "scene:leapfrog"),
        Integrator::Midpoint => (explicit, "scene:midpoint"),
        Integrator::Rk4 => (explicit, "scene:rk4"),
        Integrator::ImplicitEuler => (Method::Newton, "scene:implicit_euler"),
        Integrator::Vbd => {
            let sweeps = integrate::sweeps(settings).unwrap_or_default();
            (Method::Sweeps(sweeps), "scene:vbd")
        }
    }
}

impl Method {
    /// Steps from one comparison to the next.
    fn ahead(self) -> u64 {
        match self {
            Self::Explicit(_) => AHEAD,
            Self::Sweeps(_) | Self::Newton => AHEAD_IMPLICIT,
        }
    }

    /// Compares the state at the start with that of the case, which the integrator has not turned into its own.
    fn start(self, case: &Case, after: &Moment, errors: &mut ErrorStats) -> Result<()> {
        let Self::Explicit(integrator) = self else {
            errors.cases(1);
            errors.holds(after.particles.len() == case.particles.len());
            for (i, p) in case.particles.iter().enumerate() {
                let damping_rate = after.particles[i].damping_rate;
                errors.holds(after.particles[i] == Particle { damping_rate, ..*p });
                errors.holds(after.halves[i] == p.velocity.extend(1.0));
            }
            return Ok(());
        };
        let step = explicit::Step::new(case, integrator, Vec::new());
        let expected = step.apply(|scheme, system| scheme.start(system))?;
        step.compare(after, &expected, true, errors);
        poses::start(case, after, errors);
        Ok(())
    }

    /// Compares the step from the case's state; `solve`: what an implicit solver says of it.
    fn step(
        self,
        case: &Case,
        [before, after]: [&Moment; 2],
        solve: Option<Solve>,
        errors: &mut ErrorStats,
    ) -> Result<()> {
        match self {
            Self::Explicit(integrator) => {
                let halves = exact(before.halves.iter().map(|v| v.truncate()));
                let mut step = explicit::Step::new(case, integrator, halves);
                before.kept.give(&mut step.oracle.system);
                let expected = step.apply(|scheme, system| scheme.step(system))?;
                step.compare(after, &expected, false, errors);
                poses::step(case, &step.oracle.system.pulls, [before, after], errors);
            }
            Self::Sweeps(sweeps) => sweeps::compare(case, sweeps, [before, after], errors),
            Self::Newton => newton::compare(case, after, solve, errors),
        }
        Ok(())
    }
}

/// Places in [`World::evolving`].
const HALF_VELOCITY: usize = 1;
const PRESSES: usize = 3;
const SOLID_IMPULSES: usize = 4;

/// The place of the poses there, where there are any; implicit integrators keep two arrays more.
fn poses_at(world: &World) -> usize {
    match world.scene().world.integrator.is_implicit() {
        true => PRESSES + 2,
        false => PRESSES,
    }
}

/// The place of the bodies there, and before that of elements; with poses stands where they were looked around from.
fn bodies_at(world: &World) -> usize {
    match world.model().poses.is_empty() {
        true => poses_at(world),
        false => poses_at(world) + 2,
    }
}

/// What a world keeps between two steps.
struct Moment {
    particles: Vec<Particle>,
    halves: Vec<Vec4>,
    /// Of implicit integrators, like the next.
    contact_blocks: Vec<ContactBlock>,
    impulses: Vec<Vec4>,
    /// Of what is rigid.
    poses: Vec<Pose>,
    kept: Kept,
}

impl Moment {
    fn read(world: &World) -> Result<Self> {
        let implicit = world.scene().world.integrator.is_implicit();
        Ok(Self {
            particles: world.particles().read(world.context())?,
            halves: decode(world, HALF_VELOCITY)?,
            contact_blocks: match implicit {
                true => decode(world, PRESSES)?,
                false => Vec::new(),
            },
            impulses: match implicit {
                true => decode(world, SOLID_IMPULSES)?,
                false => Vec::new(),
            },
            poses: match world.model().poses.is_empty() {
                true => Vec::new(),
                false => decode(world, poses_at(world))?,
            },
            kept: Kept::decode(world)?,
        })
    }

    /// Which bodies nothing holds; as the presses on the device are: near 0 rounding decides whether one acts.
    fn free(&self, case: &Case) -> Vec<bool> {
        let pinned = |i: usize| case.particles[i].inverse_mass == 0.0;
        let held = |i: usize| pinned(i) || self.contact_blocks[i].force != Vec3::ZERO;
        let bodies = case.model.bodies.iter();
        bodies.map(|body| !body.particles.clone().any(held)).collect()
    }

    /// Compares where an implicit step of a case has led, and what the next begins with.
    fn compare(&self, case: &Case, x: &Scaled, errors: &mut ErrorStats) {
        let free = self.free(case);
        for (body, ranges) in case.model.bodies.iter().enumerate() {
            for i in ranges.particles.clone() {
                let (got, half) = (&self.particles[i], self.halves[i]);
                errors.vector(got.position, x.value[i], x.scale[i]);
                errors.holds(got.inverse_mass == case.particles[i].inverse_mass);
                errors.holds(half == got.velocity.extend(f32::from(u8::from(free[body]))));
            }
        }
    }
}

/// What elements keep from step to step.
struct Kept {
    elements: Vec<FemState>,
    clusters: Vec<ClusterState>,
}

impl Kept {
    /// That of the present state, where there are such elements.
    fn decode(world: &World) -> Result<Self> {
        let model = world.model();
        let [elements, clusters] = [!model.elements.is_empty(), !model.clusters.is_empty()];
        let mut kept = Self { elements: Vec::new(), clusters: Vec::new() };
        if elements {
            kept.elements = decode(world, bodies_at(world) + 1)?;
        }
        if clusters {
            kept.clusters = decode(world, bodies_at(world) + 1 + usize::from(elements))?;
        }
        Ok(kept)
    }

    fn give(&self, system: &mut System) {
        for (element, state) in system.elements.iter_mut().zip(&self.elements) {
            element.plastic = state.plastic_stretch();
        }
        for (kept, state) in system.kept.iter_mut().zip(&self.clusters) {
            *kept = matched::kept(state);
        }
    }
}

/// Refuses a step in which bodies that deform touched each other: the reference's steps have no such contacts. Of those of rigid
/// bodies only contact events tell near from touching.
fn check_contacts(world: &World, before: &ContactStats) -> Result<()> {
    let now = world.contacts();
    let rigid = !world.model().poses.is_empty();
    if now.points == before.points && (now.contacts == before.contacts || rigid) {
        return Ok(());
    }
    let got = format!("at work in step {}", world.steps());
    let want = "none (bodies apart, `mask = 0`, no self_contact): whole steps are compared without it, and its kernels have \
                checks of their own";
    Err(Error::value("contact between bodies", got, want))
}

fn decode<T>(world: &World, array: usize) -> Result<Vec<T>>
where
    Vec<T>: ShaderType + CreateFrom,
{
    if world.particles().is_empty() {
        return Ok(Vec::new());
    }
    let bytes = world.evolving()[array].read_bytes(world.context())?;
    let values = StorageBuffer::new(bytes).create();
    values.map_err(|error| Error::Device(format!("reading the world: {error}")))
}

/// The world's constant arrays, without its state.
fn case(world: &World) -> Result<Case> {
    let (scene, model, stepping) = (world.scene(), world.model().clone(), world.stepping());
    let (externals, solid_count, pull_count) =
        setup::externals(scene, &model, &stepping.clock(0.0));
    let sim = Sim {
        gravity: DVec3::from(scene.world.gravity).as_vec3(),
        step: stepping.step as f32,
        wind: setup::wind(scene, 0, stepping.ticks.into(), &stepping.clock(0.0)),
        span: stepping.ticks as f32,
        drag: scene.world.drag as f32,
        damping_stages: stepping.damping_stages,
        theta_scale: scene.world.integrator.damping_share() as f32,
        solid_count,
        pull_count,
        turn_order: scene.world.rigid_integrator.order(),
        implicit: match scene.world.integrator {
            Integrator::ImplicitEuler => IMPLICIT_STEP,
            _ => 0,
        },
        ..Sim::default()
    };
    Ok(Case {
        content: world.content(),
        model,
        bodies: decode(world, bodies_at(world))?,
        particles: Vec::new(),
        sim,
        externals: Box::new(externals),
        loads: Vec::new(),
    })
}

/// A world's start in f64, before the integrator's own, every number as the kernels read it.
///
/// # Errors
/// When the device is lost.
pub fn start_system(world: &World) -> Result<System> {
    let case = case(world)?;
    Ok(system(&case, &case.sim, &particles(&case.model)))
}
