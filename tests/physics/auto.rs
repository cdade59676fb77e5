//! `integrator = "auto"`: the passes that its estimates count, and worlds that use what was picked.

use std::collections::BTreeMap;

use pliant::World;
use pliant::internals::Inside as _;
use pliant::internals::body::stiffness::RENEWAL;
use pliant::internals::integrate::cost::{self, Sizes};
use pliant::scene::{Body, DampingMode, Fem, Integrator, Kind, MeshSource, Scene, Shape, Step};

use crate::support::*;

/// A body of every kind; the clusters of the last one are of more members than a thread sums.
fn bodies() -> Vec<Body> {
    let kind = |kind: Kind| {
        let mut body = block(3, 0.2, 2.0);
        body.kind = kind;
        body
    };
    let (mut fem, shape) = (Fem::undamped(1e4, 0.3), Shape::default());
    fem.relaxation = Some(0.05);
    let mut large = kind(shape.clone().into());
    large.mesh = MeshSource::Lattice {
        cubes: [5; 3],
        size: [1.0; 3],
    };
    let mut explicit = block(3, 0.2, 2.0);
    explicit.damping_mode = Some(DampingMode::Explicit);
    vec![
        block(3, 0.2, 2.0),
        explicit,
        kind(fem.into()),
        kind(shape.into()),
        large,
    ]
}

/// Dispatches by kernel.
fn calls(world: &World) -> BTreeMap<&'static str, f64> {
    let passes = world.passes().into_iter();
    passes
        .map(|(name, calls, _)| (name, calls as f64))
        .collect()
}

#[test]
fn estimates_count_the_passes_that_steps_take() {
    for (index, body) in bodies().into_iter().enumerate() {
        for integrator in Integrator::ALL {
            let scene = floating(body.clone(), integrator, Step::Fixed(1e-3));
            if scene.check().is_err() || !cost::is_counted(integrator) {
                continue;
            }
            let mut world = world(&scene);
            world.step(RENEWAL).unwrap();
            let stepping = *world.stepping();
            let mut counted = BTreeMap::new();
            let sizes = Sizes::new(world.model());
            for (kernel, count) in cost::passes(&scene, &sizes, &stepping, 0.0) {
                *counted.entry(kernel).or_insert(0.0) += count * RENEWAL as f64;
            }
            counted.retain(|_, count| *count > 0.0);
            let name = integrator.name();
            println!(
                "body {index}, {name}, {} gathers: {counted:?}",
                stepping.gathers
            );
            assert_eq!(counted, calls(&world), "body {index}, {name}");
            let bytes = counted.keys().map(|k| cost::pass_bytes(k, &sizes));
            // One thread per body: next to nothing.
            let free = bytes.filter(|bytes| *bytes == 0).count();
            let bodies = ["probe_body", "implicit_shift", "coarse_solve"];
            let bodies = bodies.iter().filter(|name| counted.contains_key(**name));
            assert_eq!(free, bodies.count(), "{name}");
        }
    }
}

/// Runs a scene with what is picked and with the same integrator by name, which must do the same; returns which it is.
fn picked(mut named: Scene) -> Integrator {
    // What an open scene says of the integrator counts for nothing.
    let mut open = named.clone();
    (open.world.integrator, open.world.auto_integrator) = (Integrator::Euler, true);
    let mut open = world(&open);
    let pick = open.pick().unwrap().clone();
    println!("{}", pick.reason());
    let integrator = open.stepping().integrator;
    assert_eq!(pick.integrator, integrator.name());
    assert_eq!(pick.candidates.len(), Integrator::ALL.len());
    named.world.integrator = integrator;
    let mut named = world(&named);
    assert!(named.pick().is_none());
    assert_eq!(open.stepping(), named.stepping());
    assert_eq!(open.scene().world.integrator, integrator);
    for world in [&mut open, &mut named] {
        for _ in 0..10 {
            world.step_frame().unwrap();
        }
    }
    assert_eq!(open.state_hash().unwrap(), named.state_hash().unwrap());
    integrator
}

#[test]
fn a_world_takes_what_was_picked() {
    for mut body in bodies() {
        body.position = [0.0, 0.4, 0.0];
        let mut scene = Scene {
            bodies: vec![body],
            ..Scene::default()
        };
        scene.world.floor = Some(0.0);
        picked(scene);
    }
}

#[test]
fn a_step_that_verlet_does_not_bear_is_left_to_rk4() {
    let mut body = block(3, 0.2, 0.01);
    body.angular_velocity = [0.3, 0.2, 0.1];
    let bound = world(&floating(body.clone(), Integrator::Verlet, Step::Auto)).longest_step();
    assert_eq!(
        picked(floating(body.clone(), Integrator::Verlet, Step::Auto)),
        Integrator::Verlet
    );
    let step = Step::Fixed(0.95 * bound);
    assert_eq!(
        picked(floating(body, Integrator::Verlet, step)),
        Integrator::Rk4
    );
}

/// A step of a scene in which bodies touch has about as many passes as is reckoned with.
#[test]
fn contact_takes_the_passes_that_are_counted() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/soft_three_cubes.toml");
    let mut scene = Scene::load(path.as_ref()).unwrap();
    for integrator in [Integrator::Verlet, Integrator::Rk4, Integrator::Vbd] {
        scene.world.integrator = integrator;
        let mut world = world(&scene);
        world.step(64).unwrap();
        world.wait().unwrap();
        let sum = |world: &World| calls(world).values().sum::<f64>();
        let before = sum(&world);
        world.step(RENEWAL).unwrap();
        world.wait().unwrap();
        let taken = (sum(&world) - before) / RENEWAL as f64;
        let sizes = Sizes::new(world.model());
        let passes = cost::passes(&scene, &sizes, world.stepping(), 0.0);
        let own: f64 = passes.iter().map(|(_, count)| count).sum();
        let contact = cost::contact_passes(&scene);
        let name = integrator.name();
        println!("{name}: {taken} passes a step, reckoned with {own} and {contact} of contact");
        // Depths are propagated by as many passes as they ask for.
        let share = contact / (taken - own);
        assert!((share - 1.0).abs() < 0.2, "{name}: {share}");
    }
}
