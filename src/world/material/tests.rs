//! Bodies that get another material, in place or by a change.
use glam::DVec3;

use crate::gpu::types::PROBE_MARGIN;
use crate::inspect::{Field, Inspector};
use crate::mesh::Surface;
use crate::scene::{
    Aabb, AttachedPoints, AttachedTo, Attachment, Body, Constant, Fem, Integrator, Kind, Mass,
    MeshSource, Mode, Plasticity, Pull, Region, Scene, ShapeMatching, Springs, Step,
};
use crate::setup::Estimate;
use crate::{Context, World};

fn moduli(young: f64, relaxation: f64) -> Kind {
    Springs::Moduli { young: Some(young), relaxation: Some(relaxation) }.into()
}

fn constants([distance, volume, damping]: [f64; 3]) -> Kind {
    Springs::Constants { distance, volume, damping }.into()
}

fn fem(young: f64, poisson: f64, relaxation: f64) -> Kind {
    Fem { relaxation: Some(relaxation), ..Fem::new(young, poisson) }.into()
}

fn lattice(name: &str, kind: Kind) -> Body {
    let mut body = Body::lattice(name, [2, 3, 2], [0.2, 0.3, 0.2]);
    (body.kind, body.mass) = (kind, Mass::Density(1000.0));
    body
}

/// A body of which one half has another value of a constant.
fn halved(name: &str, kind: Kind, constant: Constant, value: f64) -> Body {
    let within = Aabb { min: [-1.0; 3], max: [1.0, 0.0, 1.0] };
    let region = Region { within, constants: vec![(constant, value)] };
    Body { regions: vec![region], ..lattice(name, kind) }
}

fn shell(kind: Kind) -> Body {
    let points = (0..12).map(|i| 0.1 * DVec3::new(f64::from(i % 4), 0.0, f64::from(i / 4)));
    let quad = |i: u32| [[i, i + 4, i + 1], [i + 1, i + 4, i + 5]];
    let triangles = [0, 1, 2, 4, 5, 6].into_iter().flat_map(quad);
    let surface = Surface::new(points.collect(), triangles.collect(), None).unwrap();
    let mut body = Body::new("shell", MeshSource::Surface { surface, cells: 2 });
    (body.shell, body.kind, body.radius) = (true, kind, Some(0.01));
    body.mass = Mass::Density(1000.0);
    body
}

/// Bodies that take their materials in place, and another one for each.
fn uniform(integrator: Integrator) -> (Scene, Vec<Kind>) {
    let mut changes = vec![
        (lattice("springs", constants([200.0, 50.0, 0.4])), constants([150.0, 80.0, 0.5])),
        (lattice("moduli", moduli(1e5, 2e-3)), moduli(0.7e5, 3e-3)),
    ];
    // Explicit Euler and the midpoint method take no clusters.
    let unstable = matches!(integrator, Integrator::Euler | Integrator::Midpoint);
    if !integrator.is_implicit() && !unstable {
        let shape = ShapeMatching { mode: Mode::Quadratic, ..ShapeMatching::default() };
        let other = ShapeMatching {
            pull: Pull::Frequency(8.0),
            beta: 0.2,
            relaxation: 0.01,
            plasticity: Plasticity { yield_strain: 0.05, ..Plasticity::default() },
            ..shape.clone()
        };
        changes.push((lattice("shape", shape.into()), other.into()));
    }
    let mut scene = Scene::default();
    let step = if integrator.is_implicit() { 4e-3 } else { 1e-4 };
    (scene.world.integrator, scene.world.step) = (integrator, Step::Fixed(step));
    (scene.world.drag, scene.world.floor) = (0.1, Some(0.3));
    let kinds = changes.into_iter();
    let kinds = kinds.map(|(body, kind)| {
        push(&mut scene, body);
        kind
    });
    let kinds = kinds.collect();
    (scene, kinds)
}

/// Adds a body that moves and turns, beside the others.
fn push(scene: &mut Scene, mut body: Body) {
    body.position = [0.8 * scene.bodies.len() as f64, 0.5, 0.0];
    body.velocity = [0.0, -0.3, 0.1];
    body.angular_velocity = [1.0, 2.0, -1.0];
    scene.bodies.push(body);
}

/// Further ones of which each part has its own constants.
fn all(integrator: Integrator) -> (Scene, Vec<Kind>) {
    let (mut scene, mut kinds) = uniform(integrator);
    let springs = constants([200.0, 50.0, 0.4]);
    for (body, kind) in [
        (halved("halves", springs, Constant::Distance, 90.0), constants([150.0, 80.0, 0.5])),
        (shell(moduli(1e5, 2e-3)), moduli(1.6e5, 1e-3)),
        (halved("fem", fem(1e5, 0.3, 2e-3), Constant::Poisson, 0.1), fem(1.2e5, 0.4, 1e-3)),
    ] {
        push(&mut scene, body);
        kinds.push(kind);
    }
    (scene, kinds)
}

/// Gives each body another material, and says which got it in place.
fn set_all(world: &mut World, kinds: &[Kind]) -> Vec<bool> {
    let set = |(index, kind): (usize, &Kind)| {
        let (number, before) = (world.number, world.materials());
        let id = world.body_id(index).unwrap();
        world.set_material(id, kind.clone()).unwrap();
        (world.number, world.materials()) == (number, before + 1)
    };
    kinds.iter().enumerate().map(set).collect()
}

fn exchange_all(world: &mut World, kinds: &[Kind]) {
    let in_place = set_all(world, kinds);
    assert!(in_place.iter().all(|in_place| *in_place), "{in_place:?}");
}

/// Bodies that get another material before the first step have the bits of bodies made so; where velocities are kept at half
/// steps, and the first half has the old material, they move alike within what that is.
#[test]
fn other_materials_are_as_if_the_scene_had_said_them() {
    let context = Context::new().unwrap();
    for integrator in Integrator::ALL {
        let steps = if integrator.is_implicit() { 5 } else { 40 };
        let (mut scene, kinds) = all(integrator);
        let mut told = World::new(&context, &scene).unwrap();
        let mut same = World::new(&context, &scene).unwrap();
        let in_place = set_all(&mut told, &kinds);
        let uniform = (0..kinds.len()).map(|k| k < kinds.len() - 3);
        assert_eq!(in_place, uniform.collect::<Vec<_>>());
        for (body, kind) in scene.bodies.iter_mut().zip(kinds) {
            body.kind = kind;
        }
        assert_eq!(told.scene().hash(), scene.hash());
        let mut made = World::new(&context, &scene).unwrap();
        assert_eq!(told.model().hash(), made.model().hash());
        let (mut hashes, mut places, mut rates) = (Vec::new(), Vec::new(), Vec::new());
        for world in [&mut told, &mut made, &mut same] {
            rates.push(world.read().unwrap().damping_rates);
            world.step(steps).unwrap();
            hashes.push(world.state_hash().unwrap());
            places.push(world.read().unwrap().positions);
        }
        assert_eq!(rates[0], rates[1]);
        let apart = |a: usize, b: usize| {
            let pairs = places[a].iter().zip(&places[b]);
            pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        };
        let (wrong, differs) = (apart(0, 1), apart(2, 1));
        let name = integrator.name();
        println!("{name}: {wrong:e} m of {differs:e}");
        assert!(differs > 1e-6, "{name}: {differs:e}");
        assert!(wrong < 0.02 * differs, "{name}: {wrong:e} of {differs:e}");
        if !integrator.keeps_half_steps() {
            assert_eq!(hashes[0], hashes[1], "{name}");
        }
    }
}

/// The rates that follow from the old ones are those that a new world finds where all constants have one ratio, and no lower
/// where they do not.
#[test]
fn rates_are_at_least_those_of_the_new_material() {
    let context = Context::new().unwrap();
    let of = |kind: &Kind| {
        let mut scene = Scene { bodies: vec![lattice("a", kind.clone())], ..Scene::default() };
        scene.world.step = Step::Fixed(1e-6);
        World::new(&context, &scene).unwrap()
    };
    let numbers = |found: Estimate| [found.stiffness, found.damping, found.rate];
    let springs = constants([200.0, 50.0, 0.02]);
    let near = [
        [moduli(1e5, 1e-3), moduli(7e5, 1e-3)],
        [moduli(1e5, 1e-3), moduli(2e3, 5e-2)],
        [springs.clone(), constants([20.0, 5.0, 0.004])],
    ];
    let bounded = [
        [springs.clone(), constants([250.0, 10.0, 0.01])],
        [springs, constants([20.0, 400.0, 0.01])],
    ];
    for (k, [old, new]) in near.iter().chain(&bounded).enumerate() {
        let mut world = of(old);
        exchange_all(&mut world, std::slice::from_ref(new));
        let (told, found) = (world.slots.estimate(0), of(new).slots.estimate(0));
        // There and back again leaves the rates as they were.
        let mut swung = of(old);
        let rates = |world: &World| (numbers(world.slots.estimate(0)), world.longest_step());
        let before = rates(&swung);
        for _ in 0..10 {
            exchange_all(&mut swung, std::slice::from_ref(new));
            exchange_all(&mut swung, std::slice::from_ref(old));
        }
        assert_eq!(rates(&swung), before, "{k}");
        let longest = world.longest_step() / of(new).longest_step();
        assert!(longest < 1.01, "{k}: {longest}");
        assert!(k >= near.len() || longest > 0.99, "{k}: {longest}");
        for (told, found) in numbers(told).into_iter().zip(numbers(found)) {
            assert!(told >= 0.98 * found, "{k}: {told} {found}");
            assert!(k >= near.len() || told <= 1.02 * found, "{k}: {told} {found}");
        }
    }
}

/// What the step does not suit, or what needs other arrays, is made anew, and goes on from where it was.
#[test]
fn what_cannot_be_exchanged_is_changed() {
    let context = Context::new().unwrap();
    let scene = Scene { bodies: vec![lattice("a", moduli(1e5, 0.0))], ..Scene::default() };
    let stiff = moduli(4e5, 0.0);
    for kind in
        [stiff.clone(), moduli(1e5, 1e-3), fem(1e5, 0.3, 0.0), ShapeMatching::default().into()]
    {
        let mut world = World::new(&context, &scene).unwrap();
        world.step(20).unwrap();
        let (number, time) = (world.number, world.time());
        let id = world.body_id(0).unwrap();
        world.set_material(id, kind.clone()).unwrap();
        assert_ne!(world.number, number, "{kind:?}");
        assert_eq!((world.time(), &world.scene.bodies[0].kind), (time, &kind));
        world.step(20).unwrap();
        world.wait().unwrap();
    }
    // A place for the stiffest keeps the step short enough.
    let mut world = World::new(&context, &scene).unwrap();
    world.reserve(&lattice("stiff", stiff.clone()), 1).unwrap();
    exchange_all(&mut world, &[stiff]);
    exchange_all(&mut world, &[moduli(1e4, 0.0)]);
    // What is lost goes on from the last good state once its material is one that its step bears.
    let mut lost = Scene { bodies: vec![lattice("a", moduli(1e7, 0.0))], ..Scene::default() };
    lost.bodies[0].stretch = [1.001, 1.0, 1.0];
    lost.world.step = Step::Fixed(1e-3);
    let mut world = World::new(&context, &lost).unwrap();
    let fault = world.step(200).and_then(|()| world.wait());
    assert!(fault.is_err());
    assert_eq!(world.warnings().len(), 1, "the step is too long");
    let id = world.body_id(0).unwrap();
    world.set_material(id, moduli(1e5, 0.0)).unwrap();
    world.step(100).unwrap();
    world.wait().unwrap();
    assert!(world.warnings().is_empty(), "{:?}", world.warnings());
}

/// What has got another material leaves a place for the one that it was built with.
#[test]
fn places_are_left_as_they_were_built() {
    let context = Context::new().unwrap();
    for integrator in [Integrator::SymplecticEuler, Integrator::Vbd] {
        let (scene, kinds) = uniform(integrator);
        let mut back = World::new(&context, &scene).unwrap();
        let mut stayed = World::new(&context, &scene).unwrap();
        let (before, longest) = (back.slots.estimates(), back.longest_step());
        exchange_all(&mut back, &kinds);
        let number = back.number;
        for (index, body) in scene.bodies.iter().enumerate() {
            let id = back.body_id(index).unwrap();
            back.remove(id).unwrap();
            let id = back.add(body).unwrap();
            assert_eq!(back.body_index(id).unwrap(), index);
        }
        assert_eq!((back.number, back.longest_step()), (number, longest));
        assert_eq!(back.model().hash(), stayed.model().hash());
        for (now, before) in back.slots.estimates().iter().zip(&before) {
            assert_eq!(now.stiffness, before.stiffness);
        }
        for world in [&mut back, &mut stayed] {
            world.step(3).unwrap();
        }
        let hashes = [&mut back, &mut stayed].map(|world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{}", integrator.name());
    }
}

/// Asleep or tied, saved or looked at: all goes by the new material.
#[test]
fn all_that_knows_of_materials_goes_by_the_new_one() {
    let context = Context::new().unwrap();
    for integrator in [Integrator::Verlet, Integrator::Vbd, Integrator::ImplicitEuler] {
        let name = integrator.name();
        let (mut scene, kinds) = uniform(integrator);
        let points = AttachedPoints::Listed(vec![0, 1]);
        let tie = Attachment::new("moduli", points, AttachedTo::Place);
        scene.attachments.push(tie);
        let mut world = World::new(&context, &scene).unwrap();
        world.step(3).unwrap();
        let sleeper = world.body_id(0).unwrap();
        world.sleep(sleeper).unwrap();
        let mut inspector = Inspector::new(&world);
        inspector.field(&world, Field::Pressure).unwrap();
        exchange_all(&mut world, &kinds);
        world.step(3).unwrap();
        let bytes = world.save().unwrap();
        let mut other = World::resume(&context, world.scene(), &bytes).unwrap();
        for world in [&mut world, &mut other] {
            world.wake(world.body_id(0).unwrap()).unwrap();
            let followed = world.device.buffers.bodies.read(&context).unwrap()[0].stiffness_rate;
            let margin = f64::from(PROBE_MARGIN * PROBE_MARGIN);
            let known = margin * world.slots.estimate(0).stiffness;
            let off = f64::from(followed) / known - 1.0;
            assert!(off.abs() < 0.05, "{name}: {off}");
            world.step(3).unwrap();
        }
        let hashes = [&mut world, &mut other].map(|world| world.state_hash().unwrap());
        assert_eq!(hashes[0], hashes[1], "{name}");
        let mut pressures = Vec::new();
        for inspector in [&mut inspector, &mut Inspector::new(&world)] {
            let field = inspector.field(&world, Field::Pressure).unwrap();
            pressures.push(field.particle_values.read(&context).unwrap());
        }
        assert!(pressures[0].iter().any(|pressure| pressure.abs() > 1.0));
        assert_eq!(pressures[0], pressures[1], "{name}");
    }
}

#[test]
fn materials_that_cannot_be_are_refused() {
    let context = Context::new().unwrap();
    let scene = Scene { bodies: vec![lattice("a", moduli(1e5, 1e-4))], ..Scene::default() };
    let mut world = World::new(&context, &scene).unwrap();
    let before = world.state_hash().unwrap();
    let id = world.body_id(0).unwrap();
    for kind in
        [moduli(f64::NAN, 0.0), moduli(-1.0, 0.0), moduli(1e5, f64::INFINITY), fem(1e5, 0.5, 0.0)]
    {
        let message = world.set_material(id, kind).unwrap_err().to_string();
        assert!(message.contains("body \"a\""), "{message}");
    }
    assert_eq!(world.scene().hash(), scene.hash());
    assert_eq!(world.state_hash().unwrap(), before);
    world.remove(id).unwrap();
    assert!(world.set_material(id, moduli(1e5, 0.0)).is_err(), "gone");
}
