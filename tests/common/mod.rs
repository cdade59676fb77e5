//! What the integration tests share: one device a process, bodies, scenes, random numbers.
#![allow(dead_code, reason = "no crate of tests uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "folder.rs"]
mod folder;

use std::path::Path;
use std::sync::OnceLock;

use glam::Vec3;
use pliant::scene::{
    Aabb, Body, Event, Fem, Integrator, Kind, Mass, Movable, Scene, Springs, Step,
};
use pliant::world::{RigidMotion, Snapshot};
use pliant::{Context, World};

#[allow(unused_imports, reason = "no crate of tests uses all of it")]
pub use folder::Folder;
#[allow(unused_imports, reason = "no crate of tests uses all of it")]
pub use pliant::internals::verify::Random;

/// One device for all tests of a process.
pub fn context() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| Context::new().unwrap())
}

/// The best adapter's device, for the tests of what only a device has.
pub fn device() -> &'static Context {
    static DEVICE: OnceLock<Context> = OnceLock::new();
    DEVICE.get_or_init(new_device)
}

/// The same, opened anew.
pub fn new_device() -> Context {
    let adapter = pliant::adapters().into_iter().next().expect("an adapter");
    Context::choose(Some(&adapter.get_info().name)).unwrap()
}

pub fn world(scene: &Scene) -> World {
    World::new(context(), scene).unwrap_or_else(|error| panic!("{error}"))
}

pub fn scene_of(bodies: impl IntoIterator<Item = Body>) -> Scene {
    Scene { bodies: bodies.into_iter().collect(), ..Scene::default() }
}

/// A scene of the checkout.
pub fn scene_file(name: &str) -> Scene {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    Scene::load(&folder.join(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// An automatic step, of explicit Euler and midpoint a short one: for springs that keep volumes they have none.
pub fn automatic(integrator: Integrator) -> Step {
    match integrator {
        Integrator::Euler | Integrator::Midpoint => Step::Fixed(1.0 / 9600.0),
        _ => Step::Auto,
    }
}

/// Bodies over a floor at 0, with the integrator's automatic step.
pub fn on_floor(bodies: impl IntoIterator<Item = Body>, integrator: Integrator) -> Scene {
    let mut scene = scene_of(bodies);
    scene.world.floor = Some(0.0);
    (scene.world.integrator, scene.world.step) = (integrator, automatic(integrator));
    scene
}

/// A box of cubes around its origin, of a density [kg/m³].
pub fn lattice(
    name: impl Into<String>,
    cubes: [u32; 3],
    size: [f64; 3],
    density: f64,
    kind: Kind,
) -> Body {
    let mut body = Body::lattice(name, cubes, size);
    (body.mass, body.kind) = (Mass::Density(density), kind);
    body
}

/// Springs of a modulus [Pa] and a relaxation time [s].
pub fn springs(young: f64, relaxation: f64) -> Kind {
    let (young, relaxation) = (Some(young), Some(relaxation));
    Springs::Moduli { young, relaxation }.into()
}

/// Springs of constants k_D [J], k_V [J] and d_C [J s].
pub fn constants(distance: f64, volume: f64, damping: f64) -> Kind {
    Springs::Constants { distance, volume, damping }.into()
}

/// Finite elements of a modulus [Pa], Poisson's ratio and a relaxation time [s].
pub fn fem(young: f64, poisson: f64, relaxation: f64) -> Kind {
    Fem { relaxation: Some(relaxation), ..Fem::new(young, poisson) }.into()
}

pub const fn within(min: [f64; 3], max: [f64; 3]) -> Aabb {
    Aabb { min, max }
}

pub const EVERYWHERE: Aabb = within([-10.0; 3], [10.0; 3]);

/// From the start on [s].
pub const ALWAYS: [f64; 2] = [0.0, f64::INFINITY];

/// A force [N] on the point of a body that is nearest to a place in its rest shape, between two times [s].
pub fn line_force(body: &str, point: [f64; 3], force: [f64; 3], [from, to]: [f64; 2]) -> Event {
    Event::LineForce { body: body.into(), point, force, from, to }
}

/// A motion about a centre with a velocity [m/s] and an angular velocity [1/s], between two times [s].
pub fn move_event(
    what: Movable,
    centre: [f64; 3],
    [velocity, angular_velocity]: [[f64; 3]; 2],
    [from, to]: [f64; 2],
) -> Event {
    Event::Move { what, centre, velocity, angular_velocity, from, to }
}

/// A motion that sets off from the origin.
pub fn moving(velocity: Vec3) -> RigidMotion {
    RigidMotion { velocity, ..RigidMotion::default() }
}

pub fn frames(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step_frame().unwrap();
    }
}

/// The steps that come next to a time [s].
pub fn steps(world: &World, time: f64) -> u64 {
    (time / world.stepping().step).round() as u64
}

/// Goes on for a time [s].
pub fn advance(world: &mut World, time: f64) -> Snapshot {
    let count = steps(world, time);
    world.step(count).unwrap_or_else(|error| panic!("{error}"));
    world.read().unwrap()
}
