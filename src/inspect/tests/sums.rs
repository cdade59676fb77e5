//! Sums on the device against the report's, in f64 over a copy of the state.

use crate::extreme::{greatest, least};
use glam::DVec3;

use super::{context, scene, scene_file, settled, world};
use crate::World;
use crate::inspect::{Field, Inspector, Sums};
use crate::report::Measure;

/// The report's measure of the velocities that the integrator keeps.
fn measure(world: &mut World) -> Measure {
    let mut state = world.read().unwrap();
    let particles = world.particles().read(context()).unwrap();
    state.velocities = particles.iter().map(|p| p.velocity).collect();
    Measure::new(world, &state).unwrap()
}

fn compare(sums: &Sums, measure: &Measure, world: &World) {
    let gravity = DVec3::from(world.scene().world.gravity).length();
    for (got, wanted) in sums.bodies.iter().zip(&measure.bodies) {
        let name = &wanted.name;
        let near = |a: f64, b: f64, part: f64| (a - b).abs() <= part * b.abs();
        assert!(near(got.kinetic, wanted.kinetic, 1e-5), "{name}: kinetic");
        assert!(near(got.elastic, wanted.elastic, 2e-3), "{name}: elastic");
        assert!(near(f64::from(got.max_speed), wanted.max_speed, 1e-5));
        let [low, high] = wanted.aabb.map(DVec3::from);
        assert!(got.bounds[0].as_dvec3().distance(low) < 1e-6, "{name}: {got:?}");
        assert!(got.bounds[1].as_dvec3().distance(high) < 1e-6, "{name}: {got:?}");
        let centroid = DVec3::from(wanted.centroid);
        assert!(got.centroid.distance(centroid) < 2e-6, "{name}: {got:?}");
        let reach = got.mass * gravity;
        assert!((got.gravity - wanted.gravity).abs() < 2e-6 * reach, "{name}");
    }
    assert_eq!(sums.bodies.len(), measure.bodies.len());
    let [kinetic, elastic, _] = sums.energies();
    assert!((kinetic / measure.energy.kinetic - 1.0).abs() < 1e-5);
    assert!((elastic - measure.energy.elastic).abs() <= 2e-3 * measure.energy.elastic);
}

pub fn sums_are_those_of_the_report(world: &mut World) {
    let mut inspector = Inspector::new(world);
    let sums = inspector.sums(world).unwrap();
    assert_eq!((sums.steps, sums.time), (world.steps(), world.time()));
    let mass: f64 = world.model().masses.iter().sum();
    let found: f64 = sums.bodies.iter().map(|body| body.mass).sum();
    assert!((found / mass - 1.0).abs() < 1e-12);
    let touching = world.contact_records().unwrap().len();
    assert!(touching > 10, "{touching} records");
    compare(&sums, &measure(world), world);
}

/// Every law, plastic flow, constants that differ, and more particles than one block has.
#[test]
fn sums_of_every_law_are_those_of_the_report() {
    for name in ["fem_laws.toml", "fem_plastic.toml", "fem_core.toml", "soft_core.toml"] {
        let mut world = settled(&scene_file(name), 24);
        let sums = Inspector::new(&world).sums(&world).unwrap();
        compare(&sums, &measure(&mut world), &world);
    }
    // Two blocks of 16 384 particles, far from the origin.
    let large = scene(
        r#"
        [world]
        step = 1e-4
        duration = 1.0
        [[body]]
        name = "large"
        mesh = { lattice = [26, 26, 26], size = [2.6, 2.6, 2.6] }
        position = [50.0, 20.0, -30.0]
        velocity = [1.0, 2.0, 3.0]
        angular_velocity = [0.0, 1.0, 0.5]
        stretch = [1.02, 0.99, 1.0]
        density = 1000.0
        young = 1e5
        relaxation = 0.01
        "#,
    );
    let mut world = world(&large);
    world.step(2).unwrap();
    assert!(world.model().positions.len() > 16_384);
    let sums = Inspector::new(&world).sums(&world).unwrap();
    let measure = measure(&mut world);
    let (got, wanted) = (&sums.bodies[0], &measure.bodies[0]);
    let near = |a: f64, b: f64, part: f64| (a / b - 1.0).abs() < part;
    assert!(near(got.kinetic, wanted.kinetic, 1e-5) && near(got.elastic, wanted.elastic, 1e-3));
    assert!(got.centroid.distance(DVec3::from(wanted.centroid)) < 2e-6);
    assert!(near(got.gravity, wanted.gravity, 1e-7));
}

/// Of rigid bodies what their poses have, beside bodies that deform; of held ones no motion.
#[test]
fn sums_of_rigid_bodies_are_those_of_the_report() {
    for name in ["rigid_shapes.toml", "rigid_bowl.toml", "rigid_on_dog.toml"] {
        let mut world = settled(&scene_file(name), 24);
        let sums = Inspector::new(&world).sums(&world).unwrap();
        let measure = measure(&mut world);
        for (got, wanted) in sums.bodies.iter().zip(&measure.bodies) {
            // The report has none of what is held.
            let mass = wanted.mass.unwrap_or(got.mass);
            assert!((got.mass / mass - 1.0).abs() < 1e-12, "{}", wanted.name);
            let momentum = DVec3::from(wanted.linear_momentum);
            let off = (got.mass * got.velocity).distance(momentum);
            assert!(off <= 1e-5 * momentum.length(), "{}: momentum", wanted.name);
        }
        let moving = |body: &&crate::inspect::BodySums| body.kinetic > 1.0 || body.mass < 2.0;
        assert!(sums.bodies.iter().filter(moving).count() > 3, "{name}");
        compare(&sums, &measure, &world);
    }
}

pub fn sums_arrive_without_waiting_and_know_the_last_field(world: &mut World) {
    let mut inspector = Inspector::new(world);
    assert_eq!(inspector.take_sums().unwrap(), None);
    inspector.begin_sums(world).unwrap();
    // Does nothing, or begins again.
    inspector.begin_sums(world).unwrap();
    context().wait().unwrap();
    let first = inspector.take_sums().unwrap().unwrap();
    assert_eq!((first.steps, first.field), (world.steps(), None));
    assert_eq!(first, inspector.sums(world).unwrap());
    assert!(first.bodies.iter().all(|body| body.field == [0.0; 2]));

    let buffers = inspector.field(world, Field::Strain).unwrap();
    let values = buffers.particle_values.read(context()).unwrap();
    world.step_frame().unwrap();
    inspector.begin_sums(world).unwrap();
    context().wait().unwrap();
    let second = inspector.take_sums().unwrap().unwrap();
    assert_eq!((second.steps, second.field), (world.steps(), Some(Field::Strain)));
    assert!(second.steps > first.steps);
    for (body, ranges) in second.bodies.iter().zip(&world.model().bodies) {
        let own = || values[ranges.particles.clone()].iter().copied();
        let range = [own().fold(f32::MAX, least), own().fold(f32::MIN, greatest)];
        assert_eq!(body.field, range, "{}", ranges.name);
    }
    let strained = second.bodies.iter().filter(|body| body.field != [0.0; 2]);
    assert!(strained.count() > 3);
}
