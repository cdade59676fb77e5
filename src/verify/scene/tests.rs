//! Steps do not agree with those of other worlds.
use super::*;
use crate::scene::{
    Aabb, Body, Event, Fem, Integrator, Kind, Mass, MeshSource, Rigid, Shape, Springs, Step,
};

/// Two blocks that slide over the floor in wind, one of springs and one of finite elements, and a third that falls.
fn sliding(integrator: Integrator) -> Scene {
    let springs = Springs::Moduli { young: Some(5e4), relaxation: Some(0.02) };
    let fem = Fem { relaxation: Some(0.02), ..Fem::new(5e4, 0.4) };
    let kinds: [(&str, Kind); 3] =
        [("springs", springs.into()), ("fem", fem.into()), ("falling", springs.into())];
    let mut scene = Scene::default();
    for (k, (name, kind)) in kinds.into_iter().enumerate() {
        let mut body = Body::lattice(name, [2, 2, 2], [0.4, 0.4, 0.4]);
        (body.kind, body.mass, body.mask) = (kind, Mass::Density(1000.0), 0);
        body.position = [k as f64, 0.21, 0.0];
        body.velocity = [0.0, 0.0, 3.0];
        body.rotation = [0.0, 0.3, 0.02];
        body.friction = Some(0.2);
        scene.bodies.push(body);
    }
    scene.bodies[2].position[1] = 3.0;
    scene.bodies[2].angular_velocity = [1.0, 0.5, -1.0];
    (scene.world.drag, scene.world.floor) = (0.3, Some(0.0));
    scene.world.integrator = integrator;
    scene.world.step = Step::Fixed(1.0 / 60.0);
    scene
}

/// What is changed, and how.
type Change = (&'static str, fn(&mut Case));

#[test]
fn steps_of_another_world_do_not_agree() {
    let context = Context::new().unwrap();
    let changes: [Change; 9] = [
        ("nothing", |_| ()),
        ("gravity", |case| case.sim.gravity *= 1.01),
        ("drag", |case| case.sim.drag *= 1.1),
        ("wind", |case| case.sim.wind.x += 0.5),
        ("step", |case| case.sim.step *= 1.001),
        ("friction", |case| {
            case.bodies.iter_mut().for_each(|body| body.friction *= 0.9);
        }),
        ("floor", |case| case.externals.solids[0].centre.y -= 1e-3),
        ("springs", |case| {
            let springs = case.model.springs.iter_mut();
            springs.for_each(|spring| spring.distance *= 1.02);
        }),
        ("elements", |case| {
            let elements = case.model.elements.iter_mut();
            elements.for_each(|element| element.lame.mu *= 1.05);
        }),
    ];
    for integrator in [Integrator::Vbd, Integrator::ImplicitEuler] {
        let mut world = World::new(&context, &sliding(integrator)).unwrap();
        let functions = changes.map(|(_, change)| change);
        let results = compare(&mut world, &functions).unwrap();
        for ((name, _), result) in changes.iter().zip(&results) {
            println!("{} {name}: {:.1e}", result.name, result.max_error);
            assert_eq!(result.pass, *name == "nothing", "{name}: {result:?}");
        }
    }
}

/// One stiff cell that hangs from its top, far from the origin: nothing is averaged.
#[test]
fn steps_of_a_single_cell_agree() {
    let context = Context::new().unwrap();
    for integrator in [Integrator::Vbd, Integrator::ImplicitEuler] {
        for x in [0.0, 7.0] {
            let mut scene = sliding(integrator);
            let mut body = Body::lattice("cell", [1, 1, 1], [0.4, 0.4, 0.4]);
            body.kind = Springs::Moduli { young: Some(1e6), relaxation: Some(0.0) }.into();
            (body.mass, body.position) = (Mass::Density(1000.0), [x, 2.0, x]);
            body.pin = vec![Aabb { min: [-1.0, 0.19, -1.0], max: [1.0, 0.21, 1.0] }];
            scene.bodies = vec![body];
            let mut world = World::new(&context, &scene).unwrap();
            let result = compare(&mut world, &[|_| ()]).unwrap()[0];
            println!("{} {x}: {:.1e}", result.name, result.max_error);
            assert!(result.pass, "{x}: {result:?}");
        }
    }
}

/// A body that stands exactly on the floor, which is a place that no distance is a scale of.
#[test]
fn steps_of_a_body_that_stands_on_the_floor_agree() {
    let context = Context::new().unwrap();
    for integrator in [Integrator::Verlet, Integrator::Leapfrog, Integrator::Vbd] {
        let mut scene = Scene::default();
        let body = Body::lattice("cube", [2; 3], [0.2; 3]);
        scene.bodies.push(Body { position: [0.0, 0.1, 0.0], ..body });
        scene.world.floor = Some(0.0);
        scene.world.integrator = integrator;
        let result = verify_scene(&context, &scene).unwrap()[0];
        assert!(result.pass, "{result:?}");
    }
}

/// Errors of many sweeps do not add up.
#[test]
fn many_sweeps_agree() {
    let context = Context::new().unwrap();
    let mut scene = sliding(Integrator::Vbd);
    scene.world.iterations = Some(100);
    let mut world = World::new(&context, &scene).unwrap();
    let result = compare(&mut world, &[|_| ()]).unwrap()[0];
    println!("{:.1e}", result.max_error);
    assert!(result.pass && result.max_error < 0.1 * result.tolerance, "{result:?}");
}

/// A plate and a ball that turn in the air in wind, one of them pulled, a held crate, and a soft block beside them.
fn flying(integrator: Integrator) -> Scene {
    let mut scene = sliding(integrator);
    scene.world.step = Step::Fixed(0.004);
    scene.bodies.truncate(1);
    let shapes = [
        ("plate", Shape::Box { size: [0.4, 0.1, 0.3] }),
        ("ball", Shape::Sphere { radius: 0.2 }),
        ("crate", Shape::Box { size: [0.5; 3] }),
    ];
    for (k, (name, shape)) in shapes.into_iter().enumerate() {
        let mut body = Body::new(name, MeshSource::Shape(shape));
        let held = name == "crate";
        body.kind = Rigid { held, ..Rigid::default() }.into();
        body.position = [2.0 * k as f64 + 3.0, 200.0, 0.0];
        if !held {
            // The centre of the plate has no velocity, not even a rounded one.
            let speed = if name == "plate" { 0.0 } else { 3.0 };
            (body.velocity, body.angular_velocity) = ([0.0, speed, 0.0], [9.0, 20.0, 0.1]);
        }
        scene.bodies.push(body);
    }
    scene.events.push(Event::LineForce {
        body: "plate".into(),
        point: [0.2, 0.05, 0.15],
        force: [1.0, 2.0, 3.0],
        from: 0.0,
        to: 10.0,
    });
    scene
}

#[test]
fn rigid_bodies_in_free_motion_agree() {
    let context = Context::new().unwrap();
    let changes: [Change; 7] = [
        ("nothing", |_| ()),
        ("gravity", |case| case.sim.gravity *= 1.01),
        ("wind", |case| case.sim.wind.x += 0.5),
        ("step", |case| case.sim.step *= 1.001),
        ("method", |case| case.sim.turn_order = 1),
        ("pull", |case| case.externals.pulls[0].force *= 1.1),
        ("particles", |case| case.model.carried.iter_mut().for_each(|place| place.x += 1e-3)),
    ];
    for integrator in [Integrator::Verlet, Integrator::Rk4] {
        let mut scene = flying(integrator);
        // A change of gravity would be found in the block, too.
        let rigid_only = integrator == Integrator::Rk4;
        scene.bodies.drain(..usize::from(rigid_only));
        let mut world = World::new(&context, &scene).unwrap();
        let functions = changes.map(|(_, change)| change);
        let results = compare(&mut world, &functions).unwrap();
        for ((name, _), result) in changes.iter().zip(&results) {
            println!("{} {name}: {:.1e}", result.name, result.max_error);
            assert_eq!(result.pass, *name == "nothing", "{name}: {result:?}");
        }
    }
}

/// What is compared is no contact of rigid bodies, and no implicit step of theirs.
#[test]
fn rigid_bodies_that_touch_are_refused_by_name() {
    let context = Context::new().unwrap();
    let said = |change: fn(&mut Scene)| {
        let mut scene = flying(Integrator::Verlet);
        change(&mut scene);
        verify_scene(&context, &scene).unwrap_err().to_string()
    };
    let floor = said(|scene| {
        scene.bodies[1].position[1] = 0.051;
        scene.bodies[1].angular_velocity = [0.0; 3];
        scene.bodies[1].velocity = [0.0; 3];
    });
    assert!(floor.contains("body \"plate\" with the floor in step"), "{floor}");
    let held = said(|scene| {
        scene.bodies[2].position = scene.bodies[3].position;
        scene.bodies[2].position[1] += 0.4;
    });
    assert!(held.contains("body \"ball\" with body \"crate\" in step 1"), "{held}");
    let implicit = said(|scene| scene.world.integrator = Integrator::ImplicitEuler);
    assert!(implicit.contains("world.integrator") && implicit.contains("explicit"), "{implicit}");
}
