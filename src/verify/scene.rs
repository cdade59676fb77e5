//! A scene's own arrays: single steps of a running world against the reference's.

use encase::{ShaderType, StorageBuffer, internal::CreateFrom};
use glam::{DVec3, Vec4};

use super::KernelResult;
use super::case::Case;
use super::matched;
use super::oracle::{Oracle, Scaled, exact};
use super::system::system;
use super::tally::Tally;
use crate::collide::Tally as ContactTally;
use crate::gpu::Context;
use crate::gpu::types::{
    Body, ClusterState, DAMPING_EXACT, DAMPING_EXPLICIT, FemState, KIND_SHAPE, Particle, Sim,
};
use crate::reference::{Damping, Integrator, Scheme, System};
use crate::scene::{self, Scene};
use crate::world::World;
use crate::{Error, Result, setup};

/// Steps that are compared.
const ROUNDS: usize = 10;
/// Steps from one comparison to the next.
const AHEAD: u64 = 100;

/// Compares steps of a scene with the reference: its start, and some steps on the way through the first thousand. The
/// scale of an error is the largest in its body, times the number of gathers of its damping. The scene's faults are
/// errors.
///
/// # Errors
/// As [`World::new`] and [`World::step`]; contact between bodies in a step that is compared, which the reference's steps
/// do not have.
pub fn verify_scene(context: &Context, scene: &Scene) -> Result<Vec<KernelResult>> {
    if matches!(scene.world.step, scene::Step::Adaptive(_)) {
        let want = "a number [s] or \"auto\": steps of one length are compared";
        return Err(Error::value("world.step", "\"adaptive\"", want));
    }
    let mut world = World::new(context, scene)?;
    let (integrator, name) = integrator(world.scene().world.integrator)?;
    let mut tally = Tally::new(name, false);
    tally.of(world.content());
    let mut case = case(&world)?;
    case.particles = at_the_start(&case);
    let start = Step::new(&case, integrator, case.sim.damping_gathers, Vec::new());
    let expected = start.apply(|scheme, system| scheme.start(system))?;
    start.compare(&world, &expected, true, &mut tally)?;

    for _ in 0..ROUNDS {
        case.particles = world.particles().read(context)?;
        let halves: Vec<Vec4> = decode(&world, HALF_VELOCITY)?;
        let kept = Kept::decode(&world)?;
        case.sim.step_index = u32::try_from(world.steps()).unwrap_or(u32::MAX);
        case.sim.wind = setup::wind(scene, world.steps(), world.stepping().step);
        let before = world.contacts();
        world.step(1)?;
        world.wait()?;
        check_contacts(&world, &before)?;
        case.bodies = decode(&world, bodies_at(&world))?;
        let mut step = Step::new(
            &case,
            integrator,
            case.sim.damping_gathers,
            exact(halves.iter().map(|v| v.truncate())),
        );
        kept.give(&mut step.oracle.system);
        let expected = step.apply(|scheme, system| scheme.step(system))?;
        step.compare(&world, &expected, false, &mut tally)?;
        world.step(AHEAD - 1)?;
        world.wait()?;
    }
    Ok(vec![tally.result()])
}

/// Places in [`World::evolving`].
const HALF_VELOCITY: usize = 1;
const PRESSES: usize = 3;

/// The place of the bodies there, and before that of elements; implicit integrators keep two arrays more.
fn bodies_at(world: &World) -> usize {
    match world.scene().world.integrator.is_implicit() {
        true => PRESSES + 2,
        false => PRESSES,
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
        let mut kept = Self {
            elements: Vec::new(),
            clusters: Vec::new(),
        };
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

/// Refuses a step in which bodies touched each other: the reference's steps have no such contacts.
fn check_contacts(world: &World, before: &ContactTally) -> Result<()> {
    let now = world.contacts();
    if (now.points, now.contacts) == (before.points, before.contacts) {
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

fn integrator(chosen: scene::Integrator) -> Result<(Integrator, &'static str)> {
    Ok(match chosen {
        scene::Integrator::Euler => (Integrator::Euler, "scene:euler"),
        scene::Integrator::SymplecticEuler => {
            (Integrator::SymplecticEuler, "scene:symplectic_euler")
        }
        scene::Integrator::Verlet => (Integrator::Verlet, "scene:verlet"),
        scene::Integrator::Leapfrog => (Integrator::Leapfrog, "scene:leapfrog"),
        scene::Integrator::Midpoint => (Integrator::Midpoint, "scene:midpoint"),
        scene::Integrator::Rk4 => (Integrator::Rk4, "scene:rk4"),
        scene::Integrator::ImplicitEuler | scene::Integrator::Vbd => {
            let want = "an explicit one: implicit steps are compared kernel by kernel";
            return Err(Error::value("world.integrator", chosen.name(), want));
        }
    })
}

/// The world's constant arrays, without its state.
fn case(world: &World) -> Result<Case> {
    let (scene, model, stepping) = (world.scene(), world.model().clone(), world.stepping());
    let (externals, solid_count, pull_count) = setup::externals(scene, &model, stepping.step);
    let sim = Sim {
        gravity: DVec3::from(scene.world.gravity).as_vec3(),
        step: stepping.step as f32,
        wind: setup::wind(scene, 0, world.stepping().step),
        drag: scene.world.drag as f32,
        damping_gathers: stepping.gathers,
        solid_count,
        pull_count,
        ..Sim::default()
    };
    let sim = setup::with_budget(sim, scene.world.integrator);
    Ok(Case {
        content: world.content(),
        model,
        bodies: decode(world, bodies_at(world))?,
        particles: Vec::new(),
        sim,
        externals,
        loads: Vec::new(),
    })
}

/// A world's start in f64, before the integrator's own, every number as the kernels read it.
///
/// # Errors
/// When the device is lost.
pub(crate) fn start_system(world: &World) -> Result<System> {
    let case = case(world)?;
    Ok(system(&case, &case.sim, &at_the_start(&case)))
}

/// The particles before the integrator's start.
fn at_the_start(case: &Case) -> Vec<Particle> {
    let model = &case.model;
    let particle = |i: usize| Particle {
        position: model.positions[i].as_vec3(),
        inverse_mass: if model.pinned[i] {
            0.0
        } else {
            (1.0 / model.masses[i]) as f32
        },
        velocity: model.velocities[i].as_vec3(),
        damping_rate: 0.0,
    };
    (0..model.positions.len()).map(particle).collect()
}

/// One step of the reference from one state of the world.
struct Step<'a> {
    case: &'a Case,
    integrator: Integrator,
    gathers: u32,
    oracle: Oracle<'a>,
}

impl<'a> Step<'a> {
    fn new(case: &'a Case, integrator: Integrator, gathers: u32, halves: Vec<DVec3>) -> Self {
        let mut oracle = Oracle::new(case, &case.sim, &case.particles);
        oracle.system.half_velocity = halves;
        Self {
            case,
            integrator,
            gathers,
            oracle,
        }
    }

    fn damping(&self, body: &Body) -> Damping {
        match body.damping_mode {
            DAMPING_EXPLICIT => Damping::Explicit,
            DAMPING_EXACT => Damping::Exact {
                gathers: self.gathers,
            },
            _ => Damping::Capped,
        }
    }

    /// The system after `advance`. Bodies do not act on each other: with several kinds of damping each body is taken
    /// from the system in which all have its own.
    fn apply(&self, advance: impl Fn(&Scheme, &mut System)) -> Result<System> {
        let mut result = self.oracle.system.clone();
        let mut done = Vec::new();
        for body in &self.case.bodies {
            let damping = self.damping(body);
            if done.contains(&damping) {
                continue;
            }
            done.push(damping);
            let mut system = self.oracle.system.clone();
            advance(
                &Scheme::new(self.integrator, damping, self.oracle.h)?,
                &mut system,
            );
            result
                .half_velocity
                .resize(system.half_velocity.len(), DVec3::ZERO);
            for i in 0..system.position.len() {
                if self.damping(&self.case.bodies[system.body[i]]) == damping {
                    result.position[i] = system.position[i];
                    result.velocity[i] = system.velocity[i];
                    result.damping_rate[i] = system.damping_rate[i];
                    if let Some(half) = system.half_velocity.get(i) {
                        result.half_velocity[i] = *half;
                    }
                }
            }
        }
        Ok(result)
    }

    /// Scales of the velocity and position of every point: the largest of its body, as damping passes errors on from
    /// point to point, and what the solids add. Twice as much for the velocity that leapfrog extrapolates.
    fn scales(&self) -> Vec<(f64, f64)> {
        let (system, h) = (&self.oracle.system, self.oracle.h);
        let (x, start) = (&system.position, Scaled::exact(system.velocity.clone()));
        let kicked = start.plus(h, &self.oracle.acceleration(x, &system.velocity));
        let mut largest = vec![0.0_f64; self.case.bodies.len()];
        for (body, scale) in system.body.iter().zip(&kicked.scale) {
            let gathers = match self.case.bodies[*body].kind {
                KIND_SHAPE => 1,
                _ => self.gathers,
            };
            largest[*body] = largest[*body].max(f64::from(gathers) * scale);
        }
        let scale = |i: usize| {
            let contact = self.oracle.contact_scale(i, x[i], kicked.value[i]);
            let velocity = 2.0 * (largest[system.body[i]] + contact);
            (velocity, x[i].length() + h * velocity)
        };
        (0..x.len()).map(scale).collect()
    }

    /// σ of every point that the step leaves, its scale that at the positions before it; explicit damping has no use for
    /// it once the start is made.
    fn rates(&self, expected: &System, start: bool) -> Vec<(f64, f64)> {
        let mut rates = self.oracle.present_rates(&self.oracle.system.position);
        for (i, rate) in rates.iter_mut().enumerate() {
            rate.0 = expected.damping_rate[i];
            if !start && self.oracle.explicit(i) {
                *rate = (0.0, 0.0);
            }
        }
        rates
    }

    fn compare(
        &self,
        world: &World,
        expected: &System,
        start: bool,
        tally: &mut Tally,
    ) -> Result<()> {
        let got = world.particles().read(world.context())?;
        let halves: Vec<Vec4> = decode(world, HALF_VELOCITY)?;
        tally.case();
        tally.holds(got.len() == expected.position.len());
        let (scales, rates) = (self.scales(), self.rates(expected, start));
        for (i, got) in got.iter().enumerate() {
            let (velocity, position) = scales[i];
            tally.vector(got.position, expected.position[i], position);
            tally.vector(got.velocity, expected.velocity[i], velocity);
            tally.number(got.damping_rate, rates[i].0, rates[i].1);
            if self.integrator == Integrator::Leapfrog {
                tally.vector(halves[i].truncate(), expected.half_velocity[i], velocity);
            }
            tally.holds(got.inverse_mass == self.case.particles[i].inverse_mass);
        }
        Ok(())
    }
}
