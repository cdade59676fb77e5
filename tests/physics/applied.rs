//! Forces from a buffer of the caller's.

use glam::{DVec3, Vec3, Vec4};
use pliant::internals::Inside as _;
use pliant::internals::gpu::Buffer;
use pliant::internals::model::BodyRanges;
use pliant::scene::{Body, Integrator, Scene, ShapeMatching, Step};
use pliant::world::Snapshot;
use pliant::{Context, World};

use crate::support::*;

const G: f64 = 9.81;

/// A cube of springs, one of finite elements and one of a cluster beside each other; of vertex block descent without the last.
fn three(integrator: Integrator) -> Scene {
    let kinds = [springs(1e5, 0.01), fem(1e5, 0.3, 0.01), ShapeMatching::default().into()];
    let count = if integrator == Integrator::Vbd { 2 } else { 3 };
    let mut scene = scene_of(kinds.into_iter().enumerate().take(count).map(|(k, kind)| {
        let body = lattice(format!("body {k}"), [2; 3], [0.2; 3], 1000.0, kind);
        Body { position: [k as f64, 0.0, 0.0], ..body }
    }));
    scene.world.gravity = [0.0; 3];
    scene.world.integrator = integrator;
    scene.world.step = Step::Fixed(1e-3);
    scene
}

/// m a of every particle.
fn weights(world: &World, a: Vec3) -> Vec<Vec4> {
    let force = |m: &f64| (*m as f32 * a).extend(f32::NAN);
    world.model().masses.iter().map(force).collect()
}

/// How far the middle of a body has come.
fn way(world: &World, body: &BodyRanges, end: &Snapshot) -> DVec3 {
    let own = body.particles.clone();
    let start: DVec3 = world.model().positions[own.clone()].iter().sum();
    mean(&end.positions[own.clone()]) - start / own.len() as f64
}

/// Forces that act on a world's particles from now on.
fn apply(world: &mut World, a: Vec3) -> Buffer<Vec4> {
    let forces = Buffer::new(context(), "forces", &weights(world, a)).unwrap();
    world.set_forces(Some(&forces)).unwrap();
    forces
}

const WITHOUT_SHAPE: [Integrator; 2] = [Integrator::Euler, Integrator::Midpoint];

/// Forces m g are gravity, as they change, and until they end.
#[test]
fn forces_of_the_weights_are_gravity() {
    for integrator in Integrator::ALL {
        let mut scene = three(integrator);
        if WITHOUT_SHAPE.contains(&integrator) {
            scene.bodies.truncate(2);
        }
        let mut world = world(&scene);
        let g = Vec3::new(1.0, -G as f32, 0.5);
        let forces = apply(&mut world, g);
        world.step(200).unwrap();
        world.wait().unwrap();
        forces.write(context(), 0, &weights(&world, -2.0 * g));
        world.step(100).unwrap();
        world.set_forces(None).unwrap();
        world.step(50).unwrap();
        let end = world.read().unwrap();
        for body in &world.model().bodies {
            let (way, v) = (way(&world, body, &end), mean(&end.velocities[body.particles.clone()]));
            // 0.2 s of g, 0.1 s of −2 g: at rest then, 0.03 g s² further.
            let wanted = g.as_dvec3() * 0.03;
            let name = format!("{integrator:?}, {}", body.name);
            assert!(v.length() < 2e-4, "{name}: {v}");
            // Methods of order 1 are h/2 ahead or behind, by what the speed has changed: nothing.
            assert!(way.distance(wanted) < 1e-5, "{name}: {way}");
        }
    }
}

/// A body that is added while forces act starts by them: uniformly accelerated, it goes a t²/2, and not half a step more.
#[test]
fn what_is_added_feels_the_forces_from_its_start() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog] {
        let mut world = world(&three(integrator));
        let g = Vec3::new(1.0, -G as f32, 0.5);
        let _forces = apply(&mut world, g);
        world.step(10).unwrap();
        for index in 0..3 {
            let body = world.scene().bodies[index].clone();
            world.remove(world.body_id(index).unwrap()).unwrap();
            world.add(&body).unwrap();
        }
        world.step(100).unwrap();
        let end = world.read().unwrap();
        for body in &world.model().bodies {
            let way = way(&world, body, &end);
            let wanted = 0.5 * 0.1 * 0.1 * g.as_dvec3();
            let off = way.distance(wanted) / wanted.length();
            assert!(off < 5e-5, "{}, {integrator:?}: {off:e}", body.name);
        }
    }
}

/// A bar of springs hangs by its weight as by forces of its weight, held points too.
#[test]
fn forces_hold_what_gravity_pulls() {
    for integrator in [Integrator::Verlet, Integrator::ImplicitEuler, Integrator::Vbd] {
        let mut scene = three(integrator);
        scene.bodies.truncate(2);
        for body in &mut scene.bodies {
            body.pin.push(within([-1.0, 0.09, -1.0], [1.0, 0.11, 1.0]));
        }
        scene.world.gravity = [0.0, -G, 0.0];
        let mut world = world(&scene);
        let _forces = apply(&mut world, Vec3::Y * G as f32);
        world.step(200).unwrap();
        let end = world.read().unwrap();
        for (x, start) in end.positions.iter().zip(&world.model().positions) {
            // The first step has the whole of a force that begins with it, and velocities half a step back know nothing of it.
            let off = x.as_dvec3().distance(*start);
            assert!(off < 5e-5, "{integrator:?}: {off:e} m");
        }
    }
}

/// Forces of 0 leave every bit as it is, and so does their end.
#[test]
fn no_forces_change_nothing() {
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Rk4, Integrator::Vbd] {
        let mut scene = three(integrator);
        scene.bodies.truncate(1);
        scene.bodies[0].velocity = [0.3, 0.1, -0.2];
        scene.bodies[0].angular_velocity = [1.0, 2.0, 3.0];
        scene.world.gravity = [0.0, -G, 0.0];
        let mut plain = world(&scene);
        let mut pushed = world(&scene);
        let count = pushed.model().positions.len();
        let forces = Buffer::<Vec4>::zeroed(context(), "forces", count).unwrap();
        pushed.set_forces(Some(&forces)).unwrap();
        for _ in 0..2 {
            plain.step(50).unwrap();
            pushed.step(50).unwrap();
            pushed.set_forces(None).unwrap();
        }
        let hashes = [plain, pushed].map(|mut world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{integrator:?}");
    }
}

/// Sizes and usages: tests/embed.
#[test]
fn a_buffer_of_another_device_is_refused() {
    // Two devices of one instance.
    let adapter = &pliant::adapters()[0];
    let device = || pollster::block_on(adapter.request_device(&Default::default())).unwrap();
    let [own, other] = [device(), device()].map(|(d, q)| Context::with_device(&d, &q));
    for integrator in [Integrator::Verlet, Integrator::Vbd] {
        let mut world = World::new(&own, &three(integrator)).unwrap();
        let forces = Buffer::new(&other, "forces", &weights(&world, Vec3::Y)).unwrap();
        let error = world.set_forces(Some(&forces)).unwrap_err().to_string();
        assert!(error.contains("device"), "{error}");
        world.step(2).unwrap();
        world.wait().unwrap();
    }
}
